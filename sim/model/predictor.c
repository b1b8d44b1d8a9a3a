/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/predictor.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/text/conf.h"

/* ---- exact: belief is truth ---- */

struct exact {
    const struct world *world;
};

static bool exact_open(void *self, struct arena *a, struct diag *d, struct mark at,
                       const struct world *w)
{
    struct exact *s = self;

    (void)a, (void)d, (void)at;
    s->world = w;
    return true;
}

static double exact_rate(const void *self, const struct known_job *j, const struct placement *p)
{
    const struct exact *s = self;

    return world_rate(s->world, j->spec, j->jitter, p);
}

static const struct predictor exact = {
    .name = "exact",
    .about = "the true rate, noise included",
    .state_size = sizeof(struct exact),
    .open = exact_open,
    .rate = exact_rate,
};

/* ---- noisy: another predictor with a multiplicative error ---- */

struct noisy {
    const char *of;
    double sigma;
    struct belief *inner;
    const struct world *world;
};

static const struct field noisy_fields[] = {
    {FIELD_TEXT, "of", offsetof(struct noisy, of), "exact", 0, 0, NULL,
     "the predictor whose answers are disturbed"},
    {FIELD_REAL, "sigma", offsetof(struct noisy, sigma), "0.1", 0, 5, NULL,
     "of the log-normal factor (median 1), drawn once for each job and GPU type it was not "
     "measured on"},
    {.type = FIELD_END},
};

static bool noisy_open(void *self, struct arena *a, struct diag *d, struct mark at,
                       const struct world *w)
{
    struct noisy *s = self;

    s->world = w;
    s->inner = belief_open(a, d, tree_scalar(a, at, s->of, strlen(s->of)), w);
    return s->inner != NULL;
}

static double noisy_rate(const void *self, const struct known_job *j, const struct placement *p)
{
    const struct noisy *s = self;
    if (known_there(s->world, j, p))
        return belief_rate(s->inner, j, p);
    type_id t = s->world->node[s->world->gpu[p->share[0].gpu].node].type;
    uint64_t key = rng_mix(world_job_key(j->spec), t);
    gsl_rng *r = rng_stream(s->world->seed, "noisy", key);
    double factor = exp(s->sigma * gsl_ran_gaussian(r, 1));

    gsl_rng_free(r);
    return belief_rate(s->inner, j, p) * factor;
}

static const struct predictor noisy = {
    .name = "noisy",
    .about = "any predictor with a multiplicative error",
    .state_size = sizeof(struct noisy),
    .params = noisy_fields,
    .open = noisy_open,
    .rate = noisy_rate,
};

/* ---- all of them ---- */

extern const struct predictor predictor_table;

const struct predictor *const predictors[] = {&exact, &predictor_table, &noisy, NULL};

/* NULL: reported. */
static const struct predictor *find(struct diag *d, struct mark at, const char *name)
{
    struct diag_near near = {.word = name};

    for (int i = 0; predictors[i]; i++) {
        if (strcmp(predictors[i]->name, name) == 0)
            return predictors[i];
        diag_consider(&near, predictors[i]->name);
    }
    diag_unknown(d, at, near.nearest, "unknown predictor '%s'", name);
    return NULL;
}

struct belief *belief_open(struct arena *a, struct diag *d, struct tree *label,
                           const struct world *w)
{
    static const struct field none[] = {{.type = FIELD_END}};
    struct belief *b = arena_get(a, sizeof(*b));
    const char *name;
    struct tree *params = conf_label(a, d, label, &name);

    if (!params)
        return NULL;
    b->predictor = find(d, label->at, name);
    if (!b->predictor)
        return NULL;
    const struct field *fields = b->predictor->params ? b->predictor->params : none;
    b->self = arena_get(a, b->predictor->state_size);
    if (!conf_fill(a, d, params, fields, NULL, arena_printf(a, "predictor %s", name), b->self) ||
        !b->predictor->open(b->self, a, d, label->at, w))
        return NULL;
    b->label = conf_print_label(a, name, fields, b->self);
    return b;
}
