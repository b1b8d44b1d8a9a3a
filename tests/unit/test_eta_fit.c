/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speeds of two jobs on a GPU by their busy shares, against closed forms; what is fitted to them.
 */
#include <math.h>

#include "analysis/eta_fit.h"
#include "tests/unit/capture.h"

static const double etas[] = {0, 0.3, 0.7, 1.5, 2};
static const double shares[] = {0, 0.001, 0.2, 0.5, 0.8, 1};
enum { ETAS = sizeof etas / sizeof *etas, SHARES = sizeof shares / sizeof *shares };

static double by_hand(double eta, double me, double other)
{
    return 1 / (1 + me * other * (2 / (1 + eta / 2) - 1));
}

/* A job comes to a GPU on which the other is as often as if it were alone there (arrival theorem):
 * of each of its busy seconds so many take 2 / phi(2). */
Test(eta_fit, gaps_have_a_closed_form)
{
    struct arena *a = arena_new();
    struct pair_speed *p = pair_speed_new(a);

    for (int e = 0; e < ETAS; e++)
        for (int i = 0; i < SHARES; i++)
            for (int j = 0; j < SHARES; j++) {
                double s = pair_speed(p, etas[e], pair_busy(shares[i]), pair_busy(shares[j]));
                cr_assert_float_eq(s, by_hand(etas[e], shares[i], shares[j]), 1e-8,
                                   "eta %g, busy %g and %g: %.12g", etas[e], shares[i], shares[j],
                                   s);
            }
    for (int e = 0; e < ETAS; e++) {
        double both = pair_speed(p, etas[e], pair_busy(1), pair_busy(1));
        cr_assert_float_eq(both, (1 + etas[e] / 2) / 2, 1e-8, "phi(2) / 2");
        cr_assert_float_eq(pair_speed(p, etas[e], pair_busy(0), pair_busy(1)), 1, 1e-12);
    }
    pair_speed_free(p);
    arena_free(a);
}

/* Steps of other lengths change nothing, and what the host hides is not lost. */
Test(eta_fit, lengths_and_hosts)
{
    struct arena *a = arena_new();
    struct pair_speed *p = pair_speed_new(a);

    for (int i = 1; i < SHARES; i++) {
        double share = shares[i];
        struct step_parts slow = {.busy = 20 * share, .gap = 20 * (1 - share)};
        struct step_parts beside = {.busy = share, .floor = 1};
        cr_assert_float_eq(pair_speed(p, 0.3, slow, pair_busy(0.5)), by_hand(0.3, share, 0.5),
                           1e-8);
        double hidden = pair_speed(p, 0.3, beside, pair_busy(0.5));
        cr_assert(hidden > by_hand(0.3, share, 0.5) - 1e-8 && hidden < 1 + 1e-8, "%g: %g", share,
                  hidden);
    }
    /* A host that takes three times as long as the kernels hides all that another job can do. */
    cr_assert_float_eq(pair_speed(p, 0, (struct step_parts){.busy = 1, .floor = 3}, pair_busy(1)),
                       1, 1e-8);
    pair_speed_free(p);
    arena_free(a);
}

enum { PAIRS = 60 };

/* Speeds that eta says, of models a, b and c in turns; those with c have their own. */
static void make_pairs(struct pair_speed *p, struct eta_pair *pair, double eta, double eta_of_c)
{
    static const char *const names[] = {"a", "b", "c"};

    for (int i = 0; i < PAIRS; i++) {
        double me = 0.2 + 0.8 * (i % 7) / 6, other = 0.3 + 0.7 * (i % 11) / 10;
        pair[i] = (struct eta_pair){.model = names[i % 3], .other = names[i / 3 % 3]};
        bool with_c = i % 3 == 2 || i / 3 % 3 == 2;
        pair[i].measured = by_hand(with_c ? eta_of_c : eta, me, other);
        eta_pair_solve(p, &pair[i], pair_busy(me), pair_busy(other));
    }
}

Test(eta_fit, finds_what_speeds_were_made_with)
{
    struct arena *a = arena_new();
    struct pair_speed *p = pair_speed_new(a);
    struct eta_pair pair[PAIRS];

    for (int e = 0; e < ETAS; e++) {
        make_pairs(p, pair, etas[e], etas[e]);
        struct eta_fit fit = eta_fit(pair, PAIRS);
        cr_assert_float_eq(fit.eta, etas[e], 1e-3, "eta %g: %g", etas[e], fit.eta);
        cr_assert_float_eq(fit.low, etas[e], 1e-3);
        cr_assert_float_eq(fit.high, etas[e], 1e-3);
        cr_assert(fit.error < 1e-4);
        cr_assert_float_eq(eta_pair_speed(&pair[8], etas[e]), pair[8].measured, 1e-8);
    }
    /* One pair that stands nearly still moves nothing. */
    make_pairs(p, pair, 0.7, 0.7);
    pair[5].measured = 0.01;
    cr_assert_float_eq(eta_fit(pair, PAIRS).eta, 0.7, 1e-3);
    pair_speed_free(p);
    arena_free(a);
}

/* Without c the rest agree; with it, the bounds say that one model makes a difference. */
Test(eta_fit, bounds_are_of_models_left_out)
{
    struct arena *a = arena_new();
    struct pair_speed *p = pair_speed_new(a);
    struct eta_pair pair[PAIRS];

    make_pairs(p, pair, 0.7, 1.5);
    struct eta_fit fit = eta_fit(pair, PAIRS);
    cr_assert_float_eq(fit.low, 0.7, 1e-3, "%g", fit.low);
    cr_assert(fit.high > 1.4 && fit.eta > 0.7 && fit.eta <= fit.high, "%g to %g", fit.eta,
              fit.high);
    /* Nothing is left without the only model: no bound beyond the fit itself. */
    for (int i = 0; i < PAIRS; i++)
        pair[i].model = pair[i].other = "a";
    fit = eta_fit(pair, PAIRS);
    cr_assert(fit.low == fit.eta && fit.high == fit.eta);
    pair_speed_free(p);
    arena_free(a);
}
