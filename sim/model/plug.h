/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plug.h - the policies and tuners there are: built in, or from shared objects.
 *
 * Loading a shared object runs its code. It is done only for files named on the command line.
 */
#ifndef SIM_PLUG_H
#define SIM_PLUG_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/policy.h"
#include "sim/text/tree.h"
#include "sim/tuner.h"

extern const struct policy *const builtin_policies[]; /* ended by NULL */
extern const struct tuner *const builtin_tuners[];

#define PLUG_LIBRARIES 16

struct plugs {
    uint32_t libraries;
    const struct policy *policy[PLUG_LIBRARIES + 1]; /* ended by NULL */
    const struct tuner *tuner[PLUG_LIBRARIES + 1];
};

/* Loads `const struct policy policy`, `const struct tuner tuner` or both from a shared object; the
 * path must hold a '/'. */
bool plug_load(struct plugs *, struct diag *, const char *path);

/* A policy or tuner with its parameters, as a label NAME[param=value,...] names it. */
struct chosen_policy {
    const struct policy *policy;
    void *params;      /* state_size bytes */
    const char *label; /* only what differs from the defaults */
    const char *slug;  /* the label as a file name */
};
struct chosen_tuner {
    const struct tuner *tuner;
    void *params;
    const char *label;
    struct mark at;
};

/* false: reported. Good as long as the arena. */
bool plug_policy(const struct plugs *, struct arena *, struct diag *, const struct tree *label,
                 struct chosen_policy *);
bool plug_tuner(const struct plugs *, struct arena *, struct diag *, const struct tree *label,
                struct chosen_tuner *);
/* Whether its parameters go together, and with the experiment. */
bool plug_check_tuner(struct diag *, const struct chosen_tuner *, const struct tune_outline *);

#endif
