/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tuners with rungs on the real engine: examples by hand, and what synchronous ones must do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "policies/tuners/lib/bracket.h"
#include "tests/laws/trials.h"

#define MOST 64

/* Trials of 1 s an epoch, each of which stays at its metric. */
static struct small *flat_study(const char *tuner, uint32_t gpus, uint32_t trials, uint32_t epochs,
                                const double *metric)
{
    struct small *s = small_new(1);

    small_nodes(s, small_type(s), gpus, 1);
    small_model(s, 1e9, 0, 64);
    struct experiment *x = small_study(s, 0, trials, epochs, 64);
    trials_flat(x, metric);
    small_tuner(s, x, tuner);
    return s;
}

/* ---- by hand ---- */

static const double nine[] = {.5, .9, .1, .7, .3, .8, .2, .6, .4};
static const double late[] = {.9, .8, .1, .2, .3, .4, .1, .2, .3};
static const double seven[] = {.5, .75, .625, .25, .6875, .5625, .875};
static const double equal[] = {.5, .5, .5, .5, .5, .5, .5, .5, .5};

static const struct {
    const char *about, *tuner;
    const double *metric;
    uint32_t gpus, trials, epochs;
    const char *trained, *paused, *promoted, *killed;
} examples[] = {
    {"1, 5 and 3 are the best of the first rung, 1 of the second; 8 and 5 come last and need no "
     "pause",
     "sha", nine, 1, 9, 9, "1 9 1 3 1 3 1 1 1", "0 1 2 3 4 5 6 7 1 3", "1 5 3 1",
     "7 0 4 6 2 8 3 5"},
    {"all come at the same time, the last is the one with the highest number", "sha", nine, 9, 9, 9,
     "1 9 1 3 1 3 1 1 1", "0 1 2 3 4 5 6 7 1 3", "1 5 3 1", "7 0 4 6 2 8 3 5"},
    {"of equals the lower numbers", "sha", equal, 9, 9, 9, "9 3 3 1 1 1 1 1 1",
     "0 1 2 3 4 5 6 7 0 1", "0 1 2 0", "3 4 5 6 7 8 1 2"},
    {"the one that comes last is among the best: no pause", "sha[eta=2]", seven, 1, 7, 2,
     "1 2 1 1 2 1 2", "0 1 2 3 4 5", "1 4", "2 5 0 3"},
    {"the first five only, to 2 of 9 epochs: who is there is stopped", "sha[trials=5,max_epochs=2]",
     nine, 1, 5, 9, "1 2 1 1 1", "0 1 2 3", "1", "3 0 2 4 1"},
    {"trials of 2 epochs have come to the rungs at 3 and 9", "sha", nine, 1, 9, 2,
     "1 2 1 2 1 2 1 1 1", "0 1 2 3 4 5 6 7", "1 5 3", "7 0 4 6 2 8"},
    {"brackets 9x1 3x3 1x9, 5x3 1x9, 3x9 of which 5 are there: 5x1 1x3 1x9; who is alone in a rung "
     "comes last",
     "hyperband[max_epochs=9]", nine, 1, 5, 9, "1 9 1 1 1", "0 1 2 3", "1", "3 0 2 4"},
    {"with one worker: 1 is promoted when three have come, 5 with six, 3 with nine, and then 1 "
     "with "
     "three in the second rung; the rest is stopped",
     "asha[eta=3,at_once=1]", nine, 1, 9, 9, "1 9 1 3 1 3 1 1 1", "0 1 2 1 3 4 5 6 7 8 3", "1 3 1",
     "0 2 3 4 5 6 7 8"},
    {"1 is promoted once six have come to the first rung", "asha[eta=3,at_once=1]", late, 1, 9, 9,
     "9 3 1 1 1 3 1 1 1", "0 1 2 0 3 4 5 1 6 7 8 5", "0 1 5 0", "1 2 3 4 5 6 7 8"},
    {"the same trials: 1 is worse than the only one before it, and 5 than two of five",
     "asha_stop[eta=3,at_once=1]", late, 1, 9, 9, "9 1 1 1 1 1 1 1 1", "", "", "1 2 3 4 5 6 7 8"},
    {"medians: none, .5, .625 (as good), .625 (3 is stopped), .5625, .625 (5 is stopped), .59",
     "asha_stop[eta=2,at_once=1]", seven, 1, 7, 4, "4 4 4 1 4 1 4", "", "", "3 5"},
    {"medians of the two and more before it; who is at least as good goes on",
     "median_stop[min_samples=2,at_once=1]", seven, 1, 7, 4, "4 4 4 2 4 2 4", "", "", "3 5"},
    {"never fewer than four others", "median_stop[min_samples=4,at_once=1,grace_epochs=0]", seven,
     1, 7, 4, "4 4 4 4 4 1 4", "", "", "5"},
};

Test(tuners, by_hand)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct small *s = flat_study(examples[i].tuner, examples[i].gpus, examples[i].trials,
                                     examples[i].epochs, examples[i].metric);
        struct history *h = history_of(s, "fifo");
        cr_expect_str_eq(trials_epochs(h, 0), examples[i].trained, "%s: trained %s",
                         examples[i].about, trials_epochs(h, 0));
        cr_expect_str_eq(trials_in(h, 0, REC_PAUSE), examples[i].paused, "%s: paused %s",
                         examples[i].about, trials_in(h, 0, REC_PAUSE));
        cr_expect_str_eq(trials_in(h, 0, REC_PROMOTE), examples[i].promoted, "%s: promoted %s",
                         examples[i].about, trials_in(h, 0, REC_PROMOTE));
        cr_expect_str_eq(trials_in(h, 0, REC_KILL), examples[i].killed, "%s: killed %s",
                         examples[i].about, trials_in(h, 0, REC_KILL));
        history_free(h);
        small_free(s);
    }
}

/* ---- what synchronous ones do hangs on curves alone: not on policy, cluster or who comes first --
 */

static bool better(const struct curves *c, double a, uint32_t k, double b, uint32_t l)
{
    return a != b ? curve_better(c, a, b) : k < l;
}

/* One bracket, rung by rung: epochs trained by trial. */
static void train(const struct experiment *x, const struct bracket *plan, uint32_t first,
                  uint32_t *epochs)
{
    const struct curves *c = x->curves;
    uint32_t in[MOST], n = plan->trials[0];

    for (uint32_t i = 0; i < n; i++)
        in[i] = first + i;
    for (uint32_t k = 0; k < plan->rungs; k++) {
        double metric[MOST];
        uint32_t here = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = x->trial[in[i]].curve, recorded = curve_epochs(c, row),
                     planned = curve_planned(c, row), until = plan->epoch[k];
            epochs[in[i]] = until < recorded ? until : recorded;
            if (until >= recorded && planned > recorded)
                continue; /* it broke off */
            metric[here] = curve_at(c, row, epochs[in[i]]);
            in[here++] = in[i];
        }
        for (n = 0; k + 1 < plan->rungs && n < here && n < plan->trials[k + 1]; n++) {
            for (uint32_t i = n + 1; i < here; i++) {
                if (better(c, metric[i], in[i], metric[n], in[n])) {
                    double m = metric[i];
                    uint32_t t = in[i];
                    metric[i] = metric[n], in[i] = in[n];
                    metric[n] = m, in[n] = t;
                }
            }
        }
    }
}

static const struct {
    const char *label;
    uint32_t least, most, eta; /* most 0: the longest trial */
    uint32_t rounds;           /* UINT32_MAX: until no trial is left; 0: one bracket of all */
    enum bracket_sizes sizes;
} synchronous[] = {
    {"sha[eta=2]", 1, 0, 2, 0, BRACKET_CEIL},
    {"sha[eta=3,min_epochs=2]", 2, 0, 3, 0, BRACKET_CEIL},
    {"sha[eta=2,max_epochs=3]", 1, 3, 2, 0, BRACKET_CEIL},
    {"hyperband[eta=2]", 1, 0, 2, 1, BRACKET_CEIL},
    {"hyperband[eta=2,brackets=parallel,sizes=floor,rounds=2]", 1, 0, 2, 2, BRACKET_FLOOR},
    {"hyperband[max_epochs=3,rounds=0]", 1, 3, 3, UINT32_MAX, BRACKET_CEIL},
    {"hyperband[eta=2,min_epochs=2,brackets=parallel,rounds=0]", 2, 0, 2, UINT32_MAX, BRACKET_CEIL},
};

static const char *expected(struct arena *a, const struct experiment *x, size_t which)
{
    uint32_t epochs[MOST] = {0}, most = synchronous[which].most, eta = synchronous[which].eta,
             n = 0;
    const char *text = "";

    for (uint32_t k = 0; synchronous[which].most == 0 && k < x->n_trials; k++)
        most = curve_planned(x->curves, k) > most ? curve_planned(x->curves, k) : most;
    uint32_t least = synchronous[which].least < most ? synchronous[which].least : most,
             last = bracket_last(least, most, eta);
    if (synchronous[which].rounds == 0) {
        struct bracket b = bracket_halving(x->n_trials, least, most, eta);
        train(x, &b, 0, epochs);
    }
    for (uint32_t i = 0; n < x->n_trials && i / (last + 1) < synchronous[which].rounds; i++) {
        struct bracket b =
            bracket_hyperband(last - i % (last + 1), last, most, eta, synchronous[which].sizes);
        if (b.trials[0] > x->n_trials - n)
            bracket_shrink(&b, x->n_trials - n, eta);
        train(x, &b, n, epochs);
        n += b.trials[0];
    }
    for (uint32_t k = 0; k < x->n_trials; k++)
        text = arena_printf(a, "%s%s%u", text, k ? " " : "", epochs[k]);
    return text;
}

static void check_synchronous(uint64_t seed, size_t which, const char *policy)
{
    struct small *s = trials_random(seed, synchronous[which].label);
    struct history *h = history_of(s, policy);

    for (uint32_t i = 0; i < s->world.n_experiments; i++) {
        const char *wanted = expected(s->arena, &s->world.experiment[i], which);
        cr_assert_str_eq(trials_epochs(h, i), wanted, "seed %llu, %s, %s: %s, wanted %s",
                         (unsigned long long)seed, synchronous[which].label, policy,
                         trials_epochs(h, i), wanted);
    }
    history_free(h);
    small_free(s);
}

Test(tuners, synchronous_ones_follow_curves_alone)
{
    for (uint64_t seed = 1; seed <= 60; seed++)
        for (size_t which = 0; which < sizeof synchronous / sizeof *synchronous; which++)
            for (const char *const *policy = trials_policies; *policy; policy++)
                check_synchronous(seed, which, *policy);
}
