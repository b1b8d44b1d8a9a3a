/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * predictor.h - what a policy is told about rates: belief, apart from the truth of world_rate().
 *
 * A predictor is a table like a cost model; its state is filled from its parameters, then opened.
 */
#ifndef SIM_PREDICTOR_H
#define SIM_PREDICTOR_H

#include "sim/field.h"
#include "sim/model/world.h"

/* What is known of a job when a rate is asked for. */
struct known_job {
    const struct job_spec *spec;
    double jitter;     /* truth; only `exact` may use it */
    type_id seen_type; /* the slowest GPU type of its last placement that ran */
    double seen_rate;  /* measured there, steps/s; 0: it has not run yet */
};

/* Whether all GPUs of a placement are of the type on which the job was measured: nothing is to be
 * predicted there. */
static inline bool known_there(const struct world *w, const struct known_job *j,
                               const struct placement *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (w->node[w->gpu[p->share[i].gpu].node].type != j->seen_type)
            return false;
    return j->seen_rate > 0;
}

struct predictor {
    const char *name;
    const char *about;
    size_t state_size;
    const struct field *params;
    /* After params are filled; at: where the predictor is named, for complaints. */
    bool (*open)(void *self, struct arena *, struct diag *, struct mark at, const struct world *);
    /* Steps/s on a placement; 0: it cannot run there. */
    double (*rate)(const void *self, const struct known_job *, const struct placement *);
};

extern const struct predictor *const predictors[]; /* ended by NULL */

/* A predictor made ready from its label, as in "noisy[of=exact,sigma=0.3]". NULL: reported. */
struct belief {
    const struct predictor *predictor;
    void *self;
    const char *label;
};
struct belief *belief_open(struct arena *, struct diag *, struct tree *label, const struct world *);

static inline double belief_rate(const struct belief *b, const struct known_job *j,
                                 const struct placement *p)
{
    return b->predictor->rate(b->self, j, p);
}

#endif
