/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tuners that draw, that copy and that learn, on the real engine: examples by hand, against plain
 * renderings, and over many seeds. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "tests/laws/trials.h"

/* Trials of 1 s an epoch, whose hyper-parameters are places on `axes` axes; NULL: not known. */
static struct small *study(uint64_t seed, const char *tuner, uint32_t gpus, uint32_t trials,
                           uint32_t epochs, uint32_t axes, const double *place)
{
    struct small *s = small_new(seed);

    small_nodes(s, small_type(s), gpus, 1);
    small_model(s, 1e9, 0, 64);
    struct experiment *x = small_study(s, 0, trials, epochs, 64);
    struct curves *c = arena_get(s->arena, sizeof *c);
    *c = *x->curves;
    c->axes = place ? axes : 0;
    c->point = arena_get(s->arena, (size_t)trials * axes * sizeof *c->point);
    for (uint32_t i = 0; place && i < trials * axes; i++)
        c->point[i] = place[i];
    x->curves = c;
    small_tuner(s, x, tuner);
    return s;
}

/* ---- random search ---- */

Test(tuners_model, random_draws_each_once)
{
    uint32_t first[8] = {0};

    for (uint64_t seed = 0; seed < 400; seed++) {
        struct small *s = study(seed, "random[samples=5,at_once=2]", 1, 8, 1, 0, NULL);
        struct history *h = history_of(s, "fifo");
        bool drawn[8] = {false};
        uint32_t n = 0;
        for (uint32_t i = 0; i < h->n; i++) {
            const struct record *r = &h->record[i];
            if (r->kind != REC_ARRIVE)
                continue;
            cr_expect(!drawn[r->trial], "trial %u twice", r->trial);
            drawn[r->trial] = true;
            first[r->trial] += n++ == 0;
        }
        cr_expect_eq(n, 5);
        history_free(h);
        small_free(s);
    }
    /* 50 times each, with a standard deviation of 6.6. */
    for (uint32_t k = 0; k < 8; k++)
        cr_expect(first[k] > 20 && first[k] < 80, "trial %u comes first %u times", k, first[k]);
}

/* ---- population-based training ---- */

/* Members 0 to 3; 4 and 5 stand in for what is explored. */
#define EPOCHS 6
static const double curve[6][EPOCHS] = {
    {.10, .20, .30, .40, .50, .60}, {.15, .25, .35, .45, .55, .65}, {.05, .08, .10, .12, .14, .16},
    {.20, .40, .50, .60, .70, .80}, {.30, .38, .41, .44, .47, .50}, {.10, .20, .30, .85, .90, .95},
};
static const double place[6] = {.1, .2, .3, .5, .55, .9};

static struct small *population(uint64_t seed, const char *tuner, uint32_t gpus,
                                const double *where)
{
    struct small *s = study(seed, tuner, gpus, 6, EPOCHS, 1, where);

    for (uint32_t k = 0; k < 6; k++)
        for (uint32_t e = 1; e <= EPOCHS; e++)
            *small_metric(&s->world.experiment[0], k, e) = curve[k][e - 1];
    return s;
}

/* "TRIAL: FROM like LIKE at EPOCH; ..." */
static const char *copies(const struct history *h)
{
    struct trial_map m = {0};
    const char *text = "";
    uint32_t trial;

    for (uint32_t i = 0; i < h->n; i++) {
        const struct record *r = &h->record[i];
        if (trial_of(&m, r, 0, &trial) && r->kind == REC_COPY)
            text = arena_printf(h->arena, "%s%s%u: %u like %g at %u", text, *text ? "; " : "",
                                trial, r->n, r->told, r->epoch);
    }
    return text;
}

/* What a trial reported. */
static const char *reports(const struct history *h, uint32_t wanted)
{
    struct trial_map m = {0};
    const char *text = "";
    uint32_t trial;

    for (uint32_t i = 0; i < h->n; i++)
        if (trial_of(&m, &h->record[i], 0, &trial) && h->record[i].kind == REC_REPORT &&
            trial == wanted)
            text = arena_printf(h->arena, "%s%s%.2f", text, *text ? " " : "", h->record[i].value);
    return text;
}

static const struct {
    const char *about, *tuner;
    const double *where;
    const char *copies, *of_0, *of_2;
} by_hand[] = {
    {"after 2 epochs 2 is the worst with .08 and 3 the best with .40: 4 is near 3, and closest to "
     ".40 at .41; after 4 epochs 0 is the worst with .40: 5 is all that is left",
     "pbt[population=4,interval=2,perturb=0]", place, "2: 3 like 4 at 3; 0: 3 like 5 at 4",
     "0.10 0.20 0.30 0.40 0.90 0.95", "0.05 0.08 0.44 0.47 0.50 0.50"},
    {"nothing is known of hyper-parameters: 2 goes on as 3 would; then both have .60, and 2 is the "
     "lower trial",
     "pbt[population=4,interval=2]", NULL, "2: 3 like 3 at 2; 0: 2 like 2 at 4",
     "0.10 0.20 0.30 0.40 0.70 0.80", "0.05 0.08 0.50 0.60 0.70 0.80"},
    {"all are members, nobody is left to stand in: after 4 epochs 5 is the best with .85",
     "pbt[interval=2,quantile=0.1]", place, "2: 3 like 3 at 2; 0: 5 like 5 at 4",
     "0.10 0.20 0.30 0.40 0.90 0.95", "0.05 0.08 0.50 0.60 0.70 0.80"},
    {"ready only after 4 epochs", "pbt[population=4,interval=4,perturb=0]", place,
     "2: 3 like 4 at 6", "0.10 0.20 0.30 0.40 0.50 0.60", "0.05 0.08 0.10 0.12 0.50 0.50"},
    {"nobody copies", "pbt[population=4,interval=2,quantile=0]", place, "",
     "0.10 0.20 0.30 0.40 0.50 0.60", "0.05 0.08 0.10 0.12 0.14 0.16"},
    {"2 reports before 3: then 1 is the best with .25; after 4 epochs 2 has .41 and 0 is heard "
     "first, when 2 still counts with .08",
     "pbt[population=4,interval=2,perturb=0,mode=async]", place, "2: 1 like 4 at 1",
     "0.10 0.20 0.30 0.40 0.50 0.60", "0.05 0.08 0.38 0.41 0.44 0.47"},
};

/* Whatever the cluster and the policy, members that wait for each other do the same. */
Test(tuners_model, pbt_by_hand)
{
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        bool sync = !strstr(by_hand[i].tuner, "async");
        for (uint32_t gpus = sync ? 1 : 6; gpus <= 6; gpus++) {
            struct small *s = population(1, by_hand[i].tuner, gpus, by_hand[i].where);
            struct history *h = history_of(s, gpus % 2 ? "rr[quantum_s=4]" : "fifo");
            cr_expect_str_eq(copies(h), by_hand[i].copies, "%s: %s", by_hand[i].about, copies(h));
            cr_expect_str_eq(reports(h, 0), by_hand[i].of_0, "%s: 0 reports %s", by_hand[i].about,
                             reports(h, 0));
            cr_expect_str_eq(reports(h, 2), by_hand[i].of_2, "%s: 2 reports %s", by_hand[i].about,
                             reports(h, 2));
            history_free(h);
            small_free(s);
        }
    }
}

/* Of equals the lower trial is the better one. */
Test(tuners_model, pbt_ties)
{
    static const double equal[] = {.5, .5, .5, .5, .5};
    struct small *s = study(1, "pbt[interval=2,quantile=0.2]", 5, 5, 4, 0, NULL);

    trials_flat(&s->world.experiment[0], equal);
    struct history *h = history_of(s, "fifo");
    cr_expect_str_eq(copies(h), "4: 0 like 0 at 2", "%s", copies(h));
    history_free(h);
    small_free(s);
}

/* With a quantile of a half 2 and 0 copy from 3 or 1, each of them now and then; near 0.5 and 0.2
 * times 0.8 or 1.2 are 5 and 4, which lie on what is perturbed upwards and downwards. */
Test(tuners_model, pbt_draws)
{
    static const double where[6] = {.9, .5, .95, .5, .4, .6};
    uint32_t from[6] = {0}, like[6] = {0};

    for (uint64_t seed = 0; seed < 200; seed++) {
        struct small *s = population(seed, "pbt[population=4,interval=4,quantile=0.5]", 4, where);
        struct history *h = history_of(s, "fifo");
        uint32_t n = 0;
        for (uint32_t i = 0; i < h->n; i++) {
            if (h->record[i].kind != REC_COPY)
                continue;
            from[h->record[i].n]++;
            like[(uint32_t)h->record[i].told] += n++ == 0;
        }
        cr_expect_eq(n, 2);
        history_free(h);
        small_free(s);
    }
    /* 200 and 100 times each, with standard deviations of 10 and 7. */
    cr_expect(from[1] > 150 && from[3] > 150 && from[1] + from[3] == 400, "%u %u", from[1],
              from[3]);
    cr_expect(like[4] > 65 && like[5] > 65 && like[4] + like[5] == 200, "%u %u", like[4], like[5]);
}

/* ---- the model ---- */

static double cut(double x, double middle, double width)
{
    return gsl_ran_gaussian_pdf(x - middle, width) /
           (gsl_cdf_gaussian_P(1 - middle, width) - gsl_cdf_gaussian_P(-middle, width));
}

static double scott(const double *point, uint32_t n)
{
    double mean = 0, sum = 0;

    for (uint32_t i = 0; i < n; i++)
        mean += point[i] / n;
    for (uint32_t i = 0; i < n; i++)
        sum += (point[i] - mean) * (point[i] - mean);
    return fmax(0.03, n > 1 ? sqrt(sum / (n - 1)) * pow(n, -0.2) : 0);
}

static double density(double x, const double *point, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += cut(x, point[i], scott(point, n)) / n;
    return sum;
}

#define TABLE 24

/* l/g at a place, given what the trials before had for metrics: the best quarter, at least two. */
static double gain(double x, const double *where, const double *metric, const uint32_t *before,
                   uint32_t n)
{
    uint32_t sorted[TABLE], good = n / 4 > 2 ? n / 4 : 2;
    double point[TABLE];

    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i;
        for (; k > 0 && metric[before[i]] > metric[sorted[k - 1]]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = before[i];
    }
    for (uint32_t i = 0; i < n; i++)
        point[i] = where[sorted[i]];
    return density(x, point, good) / density(x, point + good, n - good);
}

/* One trial at a time, all others are candidates, nothing is random once four are known. */
Test(tuners_model, tpe_takes_the_largest_gain)
{
    double where[TABLE], metric[TABLE];
    gsl_rng *r = rng_stream(7, "table", 0);

    for (uint64_t seed = 0; seed < 10; seed++) {
        for (uint32_t k = 0; k < TABLE; k++) {
            where[k] = gsl_rng_uniform(r);
            metric[k] = gsl_rng_uniform(r);
        }
        struct small *s = study(seed, "tpe[at_once=1,gamma=0.25,min_points=2,random_fraction=0]", 1,
                                TABLE, 1, 1, where);
        trials_flat(&s->world.experiment[0], metric);
        struct history *h = history_of(s, "fifo");
        uint32_t taken[TABLE], n = 0;
        bool gone[TABLE] = {false};
        for (uint32_t i = 0; i < h->n; i++) {
            if (h->record[i].kind != REC_ARRIVE)
                continue;
            uint32_t k = h->record[i].trial;
            for (uint32_t o = 0; n >= 4 && o < TABLE; o++)
                cr_expect(gone[o] || gain(where[o], where, metric, taken, n) <=
                                         gain(where[k], where, metric, taken, n) * (1 + 1e-9),
                          "pick %u is %u, but %u gains more", n, k, o);
            gone[k] = true;
            taken[n++] = k;
        }
        cr_expect_eq(n, TABLE);
        history_free(h);
        small_free(s);
    }
    gsl_rng_free(r);
}

#define SMOOTH 200

/* 200 trials on a square; the closer to a point of it, the better they become. */
static struct small *smooth(uint64_t seed, const char *tuner, uint32_t epochs, bool falls)
{
    double where[2 * SMOOTH];
    gsl_rng *r = rng_stream(seed, "smooth", 0);

    for (uint32_t i = 0; i < 2 * SMOOTH; i++)
        where[i] = gsl_rng_uniform(r);
    struct small *s = study(seed, tuner, 4, SMOOTH, epochs, 2, where);
    struct experiment *x = &s->world.experiment[0];
    double x0 = gsl_rng_uniform(r), y0 = gsl_rng_uniform(r);
    for (uint32_t k = 0; k < SMOOTH; k++) {
        double last = 1 - hypot(where[2 * k] - x0, where[2 * k + 1] - y0) / 2;
        for (uint32_t e = 1; e <= epochs; e++)
            *small_metric(x, k, e) = (falls ? -1 : 1) * last * e / epochs;
    }
    struct curves *c = arena_get(s->arena, sizeof *c);
    *c = *x->curves;
    c->falls = falls;
    c->ideal = falls ? -1 : 1;
    x->curves = c;
    gsl_rng_free(r);
    return s;
}

static double best_metric(const struct history *h)
{
    double best = 0;

    for (uint32_t i = 0; i < h->n; i++)
        if (h->record[i].kind == REC_REPORT)
            best = fmax(best, h->record[i].value);
    return best;
}

static double best_of(uint64_t seed, const char *tuner, uint32_t epochs)
{
    struct small *s = smooth(seed, tuner, epochs, false);
    struct history *h = history_of(s, "fifo");
    double best = best_metric(h);

    history_free(h);
    small_free(s);
    return best;
}

/* 40 of 200 trials, or three rounds of Hyperband with 51: the best is better than that of random
 * picks from the same table, by a paired t interval of 99 %, and by more than half of what these
 * leave to be gained. */
Test(tuners_model, models_learn)
{
    static const struct {
        const char *random, *model;
        uint32_t epochs;
    } pairs[] = {{"random[samples=40,at_once=4]", "tpe[samples=40,at_once=4]", 3},
                 {"hyperband[rounds=3,sampler=random]", "hyperband[rounds=3,sampler=tpe]", 9}};
    const int seeds = 60;

    for (size_t i = 0; i < 2; i++) {
        double sum = 0, squares = 0, left = 0;
        for (uint64_t seed = 0; seed < (uint64_t)seeds; seed++) {
            double random = best_of(seed, pairs[i].random, pairs[i].epochs),
                   gained = best_of(seed, pairs[i].model, pairs[i].epochs) - random;
            sum += gained;
            squares += gained * gained;
            left += best_of(seed, "run_all", pairs[i].epochs) - random;
        }
        double mean = sum / seeds, sd = sqrt((squares - seeds * mean * mean) / (seeds - 1));
        cr_expect(mean - gsl_cdf_tdist_Pinv(0.995, seeds - 1) * sd / sqrt(seeds) > 0,
                  "%s: %g +- %g", pairs[i].model, mean, sd);
        cr_expect(sum > 0.5 * left, "%s: %g of %g", pairs[i].model, sum, left);
    }
}

/* A metric that falls, or its negative that rises: the same trials in the same order. */
Test(tuners_model, models_know_which_way_is_better)
{
    static const char *const tuners[] = {"tpe[samples=40]", "tpe[samples=30,max_epochs=2,eta=2]",
                                         "hyperband[rounds=2,sampler=tpe]"};

    for (size_t i = 0; i < 3; i++) {
        struct small *s[2] = {smooth(3, tuners[i], 3, false), smooth(3, tuners[i], 3, true)};
        struct history *h[2] = {history_of(s[0], "fifo"), history_of(s[1], "fifo")};
        const char *order = trials_in(h[0], 0, REC_ARRIVE);
        cr_expect_str_eq(order, trials_in(h[1], 0, REC_ARRIVE));
        for (int k = 0; k < 2; k++) {
            history_free(h[k]);
            small_free(s[k]);
        }
    }
}
