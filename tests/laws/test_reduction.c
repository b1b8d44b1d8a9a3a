/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slaq on curves that are known: at every decision the trial that runs on has the largest fall
 * ahead. */
#include <math.h>

#include <criterion/criterion.h>

#include "tests/laws/history.h"

enum { TRIALS = 4, EPOCHS = 16, LEAST = 4 };

/* The losses fall exponentially, at a rate and to a limit of each trial's own. */
struct falling {
    double limit[TRIALS], rate[TRIALS];
};

static double loss(const struct falling *f, uint32_t trial, uint32_t epoch)
{
    return f->limit[trial] + (1 - f->limit[trial]) * exp(-f->rate[trial] * epoch);
}

/* Eq. 11, in one epoch: the largest fall is the first. */
static double ahead(const struct falling *f, uint32_t trial, uint32_t epoch)
{
    return (loss(f, trial, epoch) - loss(f, trial, epoch + 1)) / (1 - loss(f, trial, 1));
}

static struct small *study_of(const struct falling *f, uint64_t seed)
{
    struct small *s = small_new(seed);

    small_nodes(s, small_type(s), 1, 1);
    small_model(s, 8000, 0, 64);
    struct experiment *x = small_study(s, 0, TRIALS, EPOCHS, 64);
    for (uint32_t t = 0; t < TRIALS; t++)
        for (uint32_t e = 1; e <= EPOCHS; e++)
            *small_metric(x, t, e) = 1 - loss(f, t, e);
    return s;
}

/* After each report: who runs next must be the best, or within so much of it. */
static void check(const struct falling *f, const struct history *h, uint32_t least, double room)
{
    uint32_t epoch[TRIALS] = {0}, decisions = 0;

    for (uint32_t i = 0; i < h->n; i++) {
        if (h->record[i].kind != REC_REPORT)
            continue;
        epoch[h->record[i].trial]++;
        uint32_t next = i + 1;
        while (next < h->n && h->record[next].kind != REC_REPORT)
            next++;
        bool ranked = next < h->n;
        double best = 0;
        for (uint32_t t = 0; t < TRIALS; t++) {
            ranked &= epoch[t] >= least;
            if (epoch[t] < EPOCHS)
                best = fmax(best, ahead(f, t, epoch[t]));
        }
        if (!ranked)
            continue;
        uint32_t runs = h->record[next].trial;
        decisions++;
        cr_assert(ahead(f, runs, epoch[runs]) >= (1 - room) * best - 1e-12,
                  "trial %u of %u epochs has %g ahead, another %g", runs, epoch[runs],
                  ahead(f, runs, epoch[runs]), best);
    }
    cr_assert_geq(decisions, TRIALS * (EPOCHS - 2 * LEAST));
}

Test(reduction, largest_first)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct falling f;
        for (uint32_t t = 0; t < TRIALS; t++) {
            f.limit[t] = (double)((seed * 7 + t * 5) % 11) / 14;
            f.rate[t] = 0.08 + (double)((seed * 3 + t * 7) % 13) / 20;
        }
        struct small *s = study_of(&f, seed);
        struct history *told = history_of(s, "slaq[family=exponential]"),
                       *any = history_of(s, "slaq"), *truth = history_of(s, "slaq[oracle=true]");
        check(&f, told, LEAST, 0.1);
        check(&f, any, LEAST, 0.1);
        check(&f, truth, 1, 0);
        history_free(told);
        history_free(any);
        history_free(truth);
        small_free(s);
    }
}
