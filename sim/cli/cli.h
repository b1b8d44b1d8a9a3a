/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli.h - commands and their options as tables; help is made from them.
 */
#ifndef SIM_CLI_H
#define SIM_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"

/* How the process ends. An abort (128 + SIGABRT) is a mistake of ours. */
enum exit_code {
    EXIT_FINE = 0,
    EXIT_GATE = 1,    /* a check failed */
    EXIT_USAGE = 2,   /* wrong use or bad input */
    EXIT_IO = 3,      /* files, devices, memory */
    EXIT_POLICY = 4,  /* the policy or tuner misbehaved */
    EXIT_SIGNAL = 128 /* + its number: stopped by a signal */
};

#define CLI_MOST 64 /* overrides, libraries, kinds */

struct args {
    const char *out, *baseline, *job, *seed, *jobs, *shard;
    const char *to, *window, *nodes; /* export */
    const char *set[CLI_MOST], *library[CLI_MOST];
    const char *kind[CLI_MOST], *metric[CLI_MOST];
    const char *terminal, *width;
    const char *format, *report[CLI_MOST];
    uint32_t n_set, n_library, n_kinds, n_metrics, n_reports;
    const char *holm, *warmup;                          /* of comparisons */
    const char *donor[CLI_MOST], *nominal, *gpu, *plot; /* calibrations */
    uint32_t n_donors;
    const char *model, *batch, *gpus, *precision, *stack, *mode, *costs, *questions; /* predict */
    bool stats;
    bool json, quiet, force, paranoid, help, retry, keep_runs, partial;
    bool update, other_worlds;
    const char *const *word; /* what is left: files, folders, names */
    uint32_t n_words;
};

struct option_row {
    char letter;      /* 0: none */
    const char *name; /* long; NULL closes a table */
    const char *arg;  /* what it takes; NULL: nothing */
    const char *about;
    size_t offset; /* into struct args: a bool, a text, or, with count, texts */
    size_t count;  /* offset of how many; 0: one */
};

struct command {
    const char *name;
    const char *words; /* how usage shows what is left */
    const char *about;
    const char *examples; /* lines */
    const struct option_row *options;
    int (*run)(const struct args *, struct diag *);
    const char *(*choice)(
        uint32_t i); /* what the first word can be, NULL behind the last; or NULL */
};

extern const struct command *const commands[];                       /* ended by NULL */
const struct command *command_find(const char *name, struct diag *); /* NULL: reported */

/* The options most commands share. */
#define OPTION_JSON                                                                                \
    {                                                                                              \
        0, "json", NULL, "for machines: JSON on standard output", offsetof(struct args, json), 0   \
    }
#define OPTION_QUIET                                                                               \
    {                                                                                              \
        'q', "quiet", NULL, "no progress on standard error", offsetof(struct args, quiet), 0       \
    }
#define OPTION_HELP                                                                                \
    {                                                                                              \
        'h', "help", NULL, "this text", offsetof(struct args, help), 0                             \
    }
#define OPTION_SET                                                                                 \
    {                                                                                              \
        's', "set", "KEY.PATH=VALUE", "override a key of the configuration (repeatable)",          \
            offsetof(struct args, set), offsetof(struct args, n_set)                               \
    }
#define OPTION_LIB                                                                                 \
    {                                                                                              \
        0, "policy-lib", "FILE.so", "load a policy or tuner; this runs its code (repeatable)",     \
            offsetof(struct args, library), offsetof(struct args, n_library)                       \
    }
#define OPTION_END                                                                                 \
    {                                                                                              \
        0, NULL, NULL, NULL, 0, 0                                                                  \
    }

/* false: reported. args point into argv. */
bool cli_parse(const struct command *, int argc, char **argv, struct args *, struct diag *);
void cli_help(const struct command *);

/* What the complaints in diag amount to, or `otherwise`. */
int cli_exit(const struct diag *, int otherwise);

bool cli_color(void); /* standard output is a terminal, and NO_COLOR is not set */

/* Progress on standard error, only on a terminal; `done` of `all` (0: not known) with an estimate
 * of the time left, at most ten times a second. */
void cli_progress(bool quiet, const char *what, double done, double all);
void cli_progress_end(bool quiet);

#endif
