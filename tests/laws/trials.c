/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/laws/trials.h"

#include <math.h>

#include <criterion/criterion.h>

#include "sim/base/rng.h"

const char *const trials_policies[] = {"fifo[skip_ahead=true]", "rr[quantum_s=4]",
                                       "las[threshold_gpu_s=20,quantum_s=4]",
                                       "hermes[quantum_s=0,quantum_epochs=1]", NULL};

bool trial_of(struct trial_map *m, const struct record *r, uint32_t experiment, uint32_t *trial)
{
    if (r->job == NO_JOB)
        return false;
    uint32_t number = sim_number(r->job);
    cr_assert_lt(number, 2 * SMALL_JOBS);
    if (r->kind == REC_ARRIVE) {
        m->of[number].experiment = r->experiment;
        m->of[number].trial = r->trial;
    }
    *trial = m->of[number].trial;
    return m->of[number].experiment == experiment;
}

const char *trials_epochs(const struct history *h, uint32_t experiment)
{
    uint32_t epochs[SMALL_JOBS] = {0}, n = 0, trial;
    struct trial_map m = {0};
    const char *text = "";

    for (uint32_t i = 0; i < h->n; i++) {
        if (h->record[i].kind == REC_OPEN && h->record[i].experiment == experiment)
            n = h->record[i].n;
        if (trial_of(&m, &h->record[i], experiment, &trial))
            epochs[trial] += h->record[i].kind == REC_REPORT;
    }
    for (uint32_t k = 0; k < n; k++)
        text = arena_printf(h->arena, "%s%s%u", text, k ? " " : "", epochs[k]);
    return text;
}

const char *trials_in(const struct history *h, uint32_t experiment, enum record_kind kind)
{
    struct trial_map m = {0};
    const char *text = "";
    uint32_t trial;

    for (uint32_t i = 0; i < h->n; i++)
        if (trial_of(&m, &h->record[i], experiment, &trial) && h->record[i].kind == kind)
            text = arena_printf(h->arena, "%s%s%u", text, *text ? " " : "", trial);
    return text;
}

void trials_flat(struct experiment *x, const double *value)
{
    for (uint32_t k = 0; k < x->n_trials; k++)
        for (uint32_t e = 1; e <= curve_epochs(x->curves, x->trial[k].curve); e++)
            *small_metric(x, k, e) = value[k];
}

/* Eighths are kept in any sum, so that equal metrics stay equal. */
static void blur(struct small *s, gsl_rng *r, struct experiment *x)
{
    struct curves *c = arena_get(s->arena, sizeof *c);

    *c = *x->curves;
    x->curves = c;
    c->planned = arena_get(s->arena, c->trials * sizeof *c->planned);
    for (uint32_t k = 0; k < c->trials; k++)
        c->planned[k] = curve_epochs(c, k) + (uint32_t)gsl_rng_uniform_int(r, 5) / 4;
    for (uint32_t i = 0; i < c->first[c->trials]; i++)
        c->value[i] = floor(8 * c->value[i]) / 8;
}

struct small *trials_random(uint64_t seed, const char *tuner)
{
    static const struct small_shape shape = {.types = 2,
                                             .nodes = 3,
                                             .node_gpus = 3,
                                             .gang = 2,
                                             .trials = 30,
                                             .models = true,
                                             .speeds = true,
                                             .costs = true,
                                             .jitter = true};
    struct small *s = small_random(seed, &shape);
    gsl_rng *r = rng_stream(seed, "trials", 0);

    s->until = SIM_NEVER;
    s->world.keeps = KEEP_STATE;
    for (uint32_t i = 0; i < s->world.n_experiments; i++) {
        struct experiment *x = &s->world.experiment[i];
        x->end = END_ALL_DONE;
        blur(s, r, x);
        small_tuner(s, x, tuner);
    }
    gsl_rng_free(r);
    return s;
}
