/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contention by measured pairs: how fast a model is beside another on one GPU, of its speed alone.
 *
 * What several others do is not measured; their losses are taken to add up. So are not gains, which
 * are small and mostly noise of the speed alone: of several, the largest counts.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/model/config.h"
#include "sim/model/names.h"
#include "sim/model/rows.h"
#include "sim/model/world.h"

/* What b does to a: further seconds a second; less than 0 if a gains; NAN: not known. */
struct pair {
    double loss;
    uint32_t rank; /* of its stack, from 1; the lowest wins; 0: not measured */
};

struct pairs {
    uint32_t n;        /* models, and jobs without one as the last */
    uint32_t most;     /* jobs of a GPU */
    struct pair *pair; /* [(type * n + a) * n + b] */
    double *peak;      /* [type * most + jobs - 1] */
};

struct pair_row {
    const char *model, *other, *gpu, *stack;
    double speed;
};

const struct field pair_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct pair_row, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_TEXT, "other", offsetof(struct pair_row, other), NULL, 0, 0, NULL,
     "DL model of the job beside it"},
    {FIELD_TEXT, "gpu", offsetof(struct pair_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_TEXT, "stack", offsetof(struct pair_row, stack), "", 0, 0, NULL,
     "software stack it was measured on"},
    {FIELD_REAL, "speed", offsetof(struct pair_row, speed), NULL, 0.001, 2, NULL,
     "speed of `model` beside `other` / its speed alone"},
    {.type = FIELD_END},
};

static struct pair *pair_of(const struct pairs *s, type_id t, uint32_t a, uint32_t b)
{
    uint32_t last = s->n - 1;

    return &s->pair[((size_t)t * s->n + (a < last ? a : last)) * s->n + (b < last ? b : last)];
}

static double loss_of(double speed)
{
    return 1 / speed - 1;
}

/* ---- reading ---- */

struct loading {
    struct pairs *self;
    const struct world *world;
    struct diag *diag;
    const struct tree *stacks;
};

static bool take_pair(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    const struct world *w = l->world;
    const struct pair_row *r = row;
    uint32_t a = names_model(w->model, w->n_models, r->model, strlen(r->model));
    uint32_t b = names_model(w->model, w->n_models, r->other, strlen(r->other));
    uint32_t t = names_type(w->type, w->n_types, r->gpu, strlen(r->gpu));
    uint32_t rank = rows_stack_rank(l->stacks, r->stack) + 1;

    if (a == NO_NAME || b == NO_NAME || t == NO_NAME || rank == 0)
        return true;
    struct pair *p = pair_of(l->self, t, a, b);
    if (p->rank && p->rank < rank)
        return true;
    if (p->rank == rank)
        return diag_error(l->diag, at,
                          "a second speed of %s beside %s on %s%s%s: `pair_stacks` must say which "
                          "counts",
                          r->model, r->other, r->gpu, *r->stack ? " from stack " : "", r->stack);
    *p = (struct pair){loss_of(r->speed), rank};
    return true;
}

/*
 * The most that n jobs can do together. With losses x_ab only, job a does f(mean x_ab) for f(x) =
 * 1 / (1 + (n - 1) x), which is convex: no more than the mean of f(x_ab). The sum over jobs is then
 * at most n / 2 times the greatest f(x_ab) + f(x_ba). A gain adds at most its factor.
 */
static double peak_of(const struct pairs *s, type_id t, uint32_t n)
{
    double most = 0, gain = 0;

    for (uint32_t a = 0; a < s->n; a++)
        for (uint32_t b = a; b < s->n; b++) {
            double x = pair_of(s, t, a, b)->loss, y = pair_of(s, t, b, a)->loss;
            if (isnan(x) || isnan(y))
                continue;
            most = fmax(most, 1 / (1 + (n - 1) * fmax(x, 0)) + 1 / (1 + (n - 1) * fmax(y, 0)));
            gain = fmax(gain, -fmin(x, y));
        }
    return n < 2 ? 1 : fmax(1, most * n / 2 / (1 - gain));
}

static bool pairs_load(void *self, struct arena *a, struct diag *d, struct tree *sharing,
                       const struct world *w)
{
    struct pairs *s = self;
    struct loading l = {s, w, d, tree_get(sharing, "pair_stacks")};
    struct pair_row row = {0};
    double speed = sharing_default(a, d, sharing, "pair_default");

    s->n = w->n_models + 1;
    s->most = w->residents;
    size_t n = (size_t)w->n_types * s->n * s->n;
    s->pair = arena_get(a, n * sizeof(*s->pair));
    for (size_t i = 0; i < n; i++)
        s->pair[i].loss = loss_of(speed);
    bool ok =
        rows_stacks(d, l.stacks, "pair_stacks") &&
        rows_take(a, d, tree_get(sharing, "pairs"), pair_fields, "pairs", take_pair, &l, &row);
    s->peak = arena_get(a, (size_t)w->n_types * s->most * sizeof(*s->peak));
    for (type_id t = 0; t < w->n_types; t++)
        for (uint32_t k = 0; k < s->most; k++)
            s->peak[t * s->most + k] = peak_of(s, t, k + 1);
    return ok;
}

static bool pairs_check(const void *self, const struct world *w, struct diag *d, struct mark at,
                        type_id t, uint32_t me, uint32_t other)
{
    const char *gpu = w->type[t].name;

    if (!isnan(pair_of(self, t, me, other)->loss))
        return true;
    if (me == NO_MODEL || other == NO_MODEL)
        return diag_error(d, at,
                          "unknown contention pair without a default: jobs given by duration on "
                          "%s; pair_default must say how fast they are beside others",
                          gpu);
    return diag_error(d, at,
                      "unknown contention pair without a default: %s beside %s on %s; `pairs` or "
                      "pair_default must say how fast it is",
                      w->model[me].name, w->model[other].name, gpu);
}

/* ---- the table ---- */

/* Mean of the largest gain among those that are there; gains in falling order. */
static double mean_gain(const double *gain, const double *p, uint32_t n)
{
    double sum = 0, none = 1;

    for (uint32_t i = 0; i < n; i++) {
        sum += none * p[i] * gain[i];
        none *= 1 - p[i];
    }
    return sum;
}

static double pairs_stretch(const void *self, const struct world *w, type_id t, uint32_t me,
                            const uint32_t *other, const double *p, uint32_t n)
{
    double sum = 1, gain[MOST_RESIDENTS], with[MOST_RESIDENTS];
    uint32_t n_gains = 0;

    (void)w;
    for (uint32_t i = 0; i < n; i++) {
        double x = pair_of(self, t, me, other[i])->loss;
        BUG_ON(isnan(x));
        if (x >= 0) {
            sum += p[i] * x;
            continue;
        }
        uint32_t k = n_gains++;
        for (; k > 0 && gain[k - 1] < -x; k--)
            gain[k] = gain[k - 1], with[k] = with[k - 1];
        gain[k] = -x;
        with[k] = p[i];
    }
    return sum - mean_gain(gain, with, n_gains);
}

static double pairs_peak(const void *self, const struct world *w, type_id t, uint32_t n)
{
    const struct pairs *s = self;

    (void)w;
    return n > 0 && n <= s->most ? s->peak[t * s->most + n - 1] : peak_of(s, t, n);
}

const struct contention contention_pairs = {
    .name = "pairs",
    .about = "measured speeds of a model beside another by GPU type; losses of several add up",
    .table = "pairs",
    .state_size = sizeof(struct pairs),
    .load = pairs_load,
    .check = pairs_check,
    .stretch = pairs_stretch,
    .peak = pairs_peak,
};
