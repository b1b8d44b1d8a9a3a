/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How jobs on one GPU slow each other: closed forms, means over who is there, bounds. Complaints:
 * tests/bad/sharing.t. */
#include <math.h>

#include "sim/base/rng.h"
#include "sim/model/world.h"
#include "sim/text/yaml.h"
#include "tests/unit/capture.h"

enum { A, B, C, MODELS };
enum { G, H, TYPES };
#define MOST 8

static const struct model models[MODELS] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};

/* a hurts and is hurt, c gains a little beside everybody; nothing of them on h but a beside b. */
#define PAIRS                                                                                      \
    "  pairs:\n"                                                                                   \
    "    - {model: a, other: a, gpu: g, speed: 0.5}\n"                                             \
    "    - {model: a, other: b, gpu: g, speed: 0.4}\n"                                             \
    "    - {model: b, other: a, gpu: g, speed: 0.8}\n"                                             \
    "    - {model: b, other: b, gpu: g, speed: 0.625}\n"                                           \
    "    - {model: c, other: a, gpu: g, speed: 1.25}\n"                                            \
    "    - {model: c, other: b, gpu: g, speed: 1.1}\n"                                             \
    "    - {model: a, other: b, gpu: h, speed: 0.3, stack: old}\n"                                 \
    "    - {model: a, other: b, gpu: h, speed: 0.2, stack: new}\n"                                 \
    "    - {model: a, other: b, gpu: h, speed: 0.9, stack: none}\n"                                \
    "    - {model: d, other: b, gpu: h, speed: 0.9, stack: old}\n"                                 \
    "  pair_stacks: ['', new, old]\n"                                                              \
    "  pair_default: 0.6\n"
#define SLICES                                                                                     \
    "  slices:\n"                                                                                  \
    "    - {model: a, gpu: g, slices: 8, speed: 0.25}\n"                                           \
    "    - {model: a, gpu: g, slices: 2, speed: 0.75}\n"                                           \
    "    - {model: b, gpu: g, slices: 2, speed: 0.75}\n"                                           \
    "    - {model: a, gpu: h, slices: 8, speed: 0.5}\n"

static struct world world;

/* A contention by its name, with its part of the sharing. */
static void make_world(struct capture *c, const char *name, const char *keys)
{
    char text[4096];
    int len =
        snprintf(text, sizeof text, "x:\n  residents: %d\n  contention: %s\n%s", MOST, name, keys);
    struct tree *root = yaml_parse(c->arena, c->diag, capture_source(c, text, (size_t)len));

    world = (struct world){.n_types = TYPES, .n_models = MODELS, .residents = MOST};
    world.model = arena_get(c->arena, sizeof models);
    memcpy(world.model, models, sizeof models);
    world.type = arena_get(c->arena, TYPES * sizeof *world.type);
    world.type[G] = (struct gpu_type){.name = "g", .eta = 0.7};
    world.type[H] = (struct gpu_type){.name = "h"};
    for (int i = 0; contentions[i]; i++)
        if (strcmp(contentions[i]->name, name) == 0)
            world.contention = contentions[i];
    world.contention_self = arena_get(c->arena, world.contention->state_size);
    cr_assert(root && (!world.contention->load ||
                       world.contention->load(world.contention_self, c->arena, c->diag,
                                              tree_get(root, "x"), &world)),
              "%s", capture_all(c));
}

static double stretch(type_id t, uint32_t me, const uint32_t *other, const double *p, uint32_t n)
{
    return world.contention->stretch(world.contention_self, &world, t, me, other, p, n);
}

static double peak(type_id t, uint32_t n)
{
    return world.contention->peak(world.contention_self, &world, t, n);
}

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

/* ---- closed forms ---- */

#define PS  "processor_sharing", ""
#define TS  "time_slice", ""
#define PA  "pairs", PAIRS
#define PT  "partition", SLICES
#define PTD "partition", SLICES "  slice_default: 0.1\n"

static const struct form_case {
    const char *name, *keys;
    type_id type;
    uint32_t me, n, other[3];
    double p[3], stretch;
} form_cases[] = {
    {PS, G, A, 0, {0}, {0}, 1},
    {PS, G, A, 1, {B}, {1}, 2 / 1.35},
    {PS, G, A, 1, {B}, {0.5}, 0.5 + 1 / 1.35},
    {PS, G, A, 2, {B, C}, {1, 1}, 3 / (1 + 0.7 * 2 / 3)},
    {PS, G, A, 2, {B, C}, {1, 0}, 2 / 1.35},
    {PS, G, A, 2, {B, C}, {0.25, 0.5}, 0.375 + 0.5 * 2 / 1.35 + 0.125 * 3 / (1 + 0.7 * 2 / 3)},
    {PS, H, A, 2, {B, C}, {0.25, 0.5}, 1.75}, /* no gain */
    {TS, G, A, 0, {0}, {0}, 1},
    {TS, G, A, 3, {B, C, A}, {0.25, 0.5, 1}, 2.75},
    {PA, G, A, 0, {0}, {0}, 1},
    {PA, G, A, 1, {B}, {1}, 2.5},
    {PA, G, B, 1, {A}, {1}, 1.25},
    {PA, G, B, 1, {A}, {0.5}, 1.125},
    {PA, G, A, 2, {A, B}, {1, 0.5}, 2.75},
    {PA, G, A, 1, {C}, {1}, 1 / 0.6}, /* the default */
    {PA, G, A, 1, {NO_MODEL}, {1}, 1 / 0.6},
    {PA, G, NO_MODEL, 1, {A}, {0.5}, 0.5 + 0.5 / 0.6},
    {PA, G, C, 1, {A}, {1}, 0.8}, /* gains */
    {PA, G, C, 2, {B, A}, {1, 1}, 0.8},
    {PA, G, C, 2, {A, B}, {0.5, 1}, 1 - 0.5 * 0.2 - 0.5 * (1 - 1 / 1.1)},
    {PA, G, C, 2, {B, A}, {1, 0.5}, 1 - 0.5 * 0.2 - 0.5 * (1 - 1 / 1.1)},
    {PA, G, C, 3, {A, C, A}, {1, 1, 1}, 0.8 + 1 / 0.6 - 1},
    {PA, H, A, 1, {B}, {1}, 5}, /* of the first of the stacks that has it */
    {PA, H, B, 1, {A}, {1}, 1 / 0.6},
    {PT, G, A, 0, {0}, {0}, 4},
    {PT, G, A, 3, {A, B, C}, {1, 1, 1}, 4},
    {PT, H, A, 0, {0}, {0}, 2},
    {PT, G, B, 0, {0}, {0}, NAN}, /* known for two slices, not for eight */
    {PTD, G, B, 0, {0}, {0}, 10},
    {PTD, G, A, 0, {0}, {0}, 4},
};

Test(contention, closed_forms)
{
    for (size_t i = 0; i < sizeof form_cases / sizeof *form_cases; i++) {
        const struct form_case *k = &form_cases[i];
        struct capture *c = capture_new();
        make_world(c, k->name, k->keys);
        double s = stretch(k->type, k->me, k->other, k->p, k->n);
        cr_expect(near(s, k->stretch), "case %zu: %.17g, wanted %.17g", i, s, k->stretch);
        capture_free(c);
    }
}

/* ---- means over who is there ---- */

static const char *const tables[][2] = {{PS}, {TS}, {PA}, {PTD}};
#define N_TABLES (sizeof tables / sizeof *tables)

struct draw {
    type_id type;
    uint32_t me, n, other[MOST - 1];
    double p[MOST - 1];
};

static struct draw draw(gsl_rng *r)
{
    struct draw d = {.type = (type_id)(gsl_rng_uniform(r) * TYPES),
                     .me = (uint32_t)(gsl_rng_uniform(r) * MODELS),
                     .n = (uint32_t)(gsl_rng_uniform(r) * MOST)};

    for (uint32_t i = 0; i < d.n; i++) {
        d.other[i] = (uint32_t)(gsl_rng_uniform(r) * MODELS);
        d.p[i] = gsl_rng_uniform(r);
    }
    return d;
}

/* By all subsets: of those that compute each does so with certainty, the rest are not there. */
static double enumerated(const struct draw *d)
{
    double sum = 0;

    for (uint32_t set = 0; set < 1u << d->n; set++) {
        uint32_t other[MOST], n = 0;
        double sure[MOST], weight = 1;
        for (uint32_t i = 0; i < d->n; i++) {
            weight *= set >> i & 1 ? d->p[i] : 1 - d->p[i];
            if (!(set >> i & 1))
                continue;
            other[n] = d->other[i];
            sure[n++] = 1;
        }
        sum += weight * stretch(d->type, d->me, other, sure, n);
    }
    return sum;
}

Test(contention, mean_over_subsets)
{
    for (size_t k = 0; k < N_TABLES; k++) {
        struct capture *c = capture_new();
        gsl_rng *r = rng_stream(1, "contention", k);
        make_world(c, tables[k][0], tables[k][1]);
        for (int i = 0; i < 300; i++) {
            struct draw d = draw(r);
            double s = stretch(d.type, d.me, d.other, d.p, d.n), want = enumerated(&d);
            cr_expect(near(s, want), "%s: %.17g, wanted %.17g", tables[k][0], s, want);
        }
        gsl_rng_free(r);
        capture_free(c);
    }
}

/* ---- what holds for all ---- */

/* One other computes more: nobody is faster for it, but for those that gain beside it. */
Test(contention, monotone)
{
    for (size_t k = 0; k < N_TABLES; k++) {
        struct capture *c = capture_new();
        gsl_rng *r = rng_stream(2, "contention", k);
        make_world(c, tables[k][0], tables[k][1]);
        for (int i = 0; i < 1000; i++) {
            struct draw d = draw(r);
            double before = stretch(d.type, d.me, d.other, d.p, d.n);
            cr_expect(before >= 0.5, "%s: %g", tables[k][0], before);
            if (d.n == 0)
                continue;
            uint32_t which = (uint32_t)(gsl_rng_uniform(r) * d.n), one = d.other[which];
            double sure = 1, way = stretch(d.type, d.me, &one, &sure, 1) < 1 ? -1 : 1;
            d.p[which] += (1 - d.p[which]) * gsl_rng_uniform(r);
            double after = stretch(d.type, d.me, d.other, d.p, d.n);
            cr_expect(way * (after - before) >= -1e-12, "%s: %g, then %g", tables[k][0], before,
                      after);
        }
        gsl_rng_free(r);
        capture_free(c);
    }
}

/* Exclusive seconds a second of n jobs that compute with these probabilities. */
static double done(const struct draw *d, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t other[MOST], k = 0;
        double p[MOST];
        for (uint32_t j = 0; j < n; j++)
            if (j != i) {
                other[k] = d->other[j];
                p[k++] = d->p[j];
            }
        double s = stretch(d->type, d->other[i], other, p, k);
        sum += world.contention->sliced ? d->p[i] : d->p[i] / s;
    }
    return sum;
}

Test(contention, peak)
{
    for (size_t k = 0; k < N_TABLES; k++) {
        struct capture *c = capture_new();
        gsl_rng *r = rng_stream(3, "contention", k);
        make_world(c, tables[k][0], tables[k][1]);
        cr_expect_eq(peak(G, 1), 1);
        for (int i = 0; i < 3000; i++) {
            struct draw d = draw(r);
            for (uint32_t j = 0; j < d.n && i % 2; j++)
                d.p[j] = 1;
            double is = d.n > 0 ? done(&d, d.n) : 0, most = peak(d.type, d.n > 0 ? d.n : 1);
            cr_expect(is <= most * (1 + 1e-12), "%s: %g of %g", tables[k][0], is, most);
            cr_expect(most <= peak(d.type, MOST), "%s: %u", tables[k][0], d.n);
        }
        gsl_rng_free(r);
        capture_free(c);
    }
}

/* It is reached: by two jobs without gains, by equal jobs, by jobs under processor sharing. */
static const struct peak_case {
    const char *name, *keys;
    uint32_t n;
    double peak;
} peak_cases[] = {
    {PS, 2, 1.35},
    {PS, 8, 1 + 0.7 * 7 / 8},
    {TS, 8, 1},
    {PT, 8, 8},
    {"pairs",
     "  pairs: [{model: a, other: b, gpu: g, speed: 0.5}, {model: b, other: a, gpu: g, speed: "
     "0.8}]\n  pair_default: none\n",
     2, 1.3},
    {"pairs", "  pairs: [{model: a, other: a, gpu: g, speed: 0.75}]\n  pair_default: none\n", 4, 2},
    {"pairs", "  pairs: [{model: a, other: a, gpu: g, speed: 0.25}]\n  pair_default: none\n", 4, 1},
};

Test(contention, peak_is_reached)
{
    for (size_t i = 0; i < sizeof peak_cases / sizeof *peak_cases; i++) {
        const struct peak_case *k = &peak_cases[i];
        struct capture *c = capture_new();
        make_world(c, k->name, k->keys);
        double most = peak(G, k->n);
        cr_expect(near(most, k->peak), "case %zu: %.17g, wanted %.17g", i, most, k->peak);
        capture_free(c);
    }
}
