/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare_rows.h"

#include <math.h>

#define LEVEL      0.05
#define FROM_TESTS 3u
#define SEED       1u

/* The metrics of a table, in this order, and their headings. */
static const struct {
    enum metric_id id;
    const char *title;
} blocks[] = {
    {M_HPO_MEAN_GOOD, "HPO time, mean over good trials"},
    {M_HPO_FIRST_GOOD, "HPO time, first good trial"},
    {M_HPO_ALL_GOOD, "HPO time, all good trials"},
    {M_HPO_TARGET, "HPO time, target metric reached"},
    {M_ALONE_MAX, "slowdown against completion alone, largest"},
    {M_ALONE_MEAN, "slowdown against completion alone, mean"},
    {M_ALONE_JAIN, "slowdown against completion alone, Jain index"},
    {M_JCT_MEAN, "JCT, mean"},
    {M_JCT_P99, "JCT, 99th percentile"},
    {M_WAIT_MEAN, "wait, mean"},
    {M_SLOWDOWN_MEAN, "bounded slowdown, mean"},
    {M_MAKESPAN, "makespan"},
    {M_GPU_BUSY_SHARE, "GPU busy share"},
    {M_GPU_ACTIVE_SHARE, "share of GPU time with a job computing"},
    {M_GPU_WORK_SHARE, "work done of the most possible"},
    {M_PREEMPTIONS, "preemptions"},
    {M_RELOCATIONS, "relocations"},
    {M_LOST_PER_JOB, "GPU time lost in moving, a job"},
    {M_TOLD_ERROR_MEAN, "relative error of predicted rates"},
};
#define BLOCKS (sizeof(blocks) / sizeof(*blocks))

const char *metric_title(enum metric_id id)
{
    for (size_t b = 0; b < BLOCKS; b++)
        if (blocks[b].id == id)
            return blocks[b].title;
    return metric_defs[id].name;
}

const struct policy_change *row_policy(const struct compare_row *r)
{
    return &r->in->c.policy[r->policy];
}

const struct metric_change *row_change(const struct compare_row *r)
{
    return &row_policy(r)->metric[r->id];
}

#define NO_INTERVAL                                                                                \
    {                                                                                              \
        NAN, NAN, NAN, 0                                                                           \
    }
#define NO_BOOTSTRAP                                                                               \
    {                                                                                              \
        NO_INTERVAL, NO_INTERVAL, NO_INTERVAL, NAN, NAN                                            \
    }
const struct change_stats no_stats = {
    .baseline = NAN,
    .policy = NAN,
    .difference = NO_INTERVAL,
    .resampled = NO_BOOTSTRAP,
    .shift = NO_INTERVAL,
    .ratio = NO_BOOTSTRAP,
    .ratio_shift = NO_INTERVAL,
    .sign_flip = {NAN, NAN, false},
    .wilcoxon = {NAN, NAN, false},
    .sign_flip_holm = NAN,
    .wilcoxon_holm = NAN,
    .d_z = NAN,
    .rank_biserial = NAN,
};

/* ---- which rows ---- */

static bool has_value(const struct comparison *c, enum metric_id id, bool not_zero)
{
    for (uint32_t p = 0; p < c->n; p++)
        if (c->policy[p].metric[id].value.n > 0 &&
            (!not_zero || c->policy[p].metric[id].value.mean != 0))
            return true;
    return false;
}

static void add_rows(struct compare_rows *r, const struct compared_case *in, enum metric_id id)
{
    for (uint32_t p = 0; p < in->c.n; p++)
        r->row[r->n++] = (struct compare_row){.in = in, .id = id, .policy = p};
}

static uint32_t most_rows(const struct compared *c, uint32_t n_ids)
{
    uint32_t policies = 0;

    for (uint32_t i = 0; i < c->n; i++)
        policies += c->of[i].c.n;
    return policies * n_ids + 1;
}

/* ---- many tests ---- */

/* p and where its adjusted value goes, of all comparisons of one metric. */
struct family {
    double *p, *adjusted;
    uint32_t n;
};

static uint32_t tests_in(const struct family *f)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->n; i++)
        n += isnan(f->p[i]) ? 0 : 1;
    return n;
}

static bool adjust(struct family *f, enum holm holm)
{
    bool on = holm == HOLM_ON || (holm == HOLM_FROM_THREE && tests_in(f) >= FROM_TESTS);

    if (on)
        stats_holm(f->p, f->adjusted, f->n);
    return on;
}

static void hold(struct metric_change *m, double holm)
{
    m->holm = holm;
    m->held = (m->call == CALL_BETTER || m->call == CALL_WORSE) && !(holm < LEVEL);
    if (m->held)
        m->call = CALL_UNCLEAR;
}

static uint32_t hold_metric(struct compared *c, struct family *f, enum metric_id id, enum holm holm)
{
    uint32_t held = 0, at = 0;

    f->n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t p = 1; p < c->of[i].c.n; p++)
            f->p[f->n++] = c->of[i].c.policy[p].metric[id].p;
    if (!adjust(f, holm))
        return 0;
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t p = 1; p < c->of[i].c.n; p++) {
            struct metric_change *m = &c->of[i].c.policy[p].metric[id];
            hold(m, f->adjusted[at++]);
            held += m->held;
        }
    return held;
}

void compare_holm(struct arena *a, struct compared *c, const enum metric_id *ids, uint32_t n_ids,
                  enum holm holm)
{
    uint32_t held = 0, policies = most_rows(c, 1);
    struct family f = {.p = arena_get(a, policies * sizeof(*f.p)),
                       .adjusted = arena_get(a, policies * sizeof(*f.adjusted))};

    for (int id = 0; !ids && id < METRICS; id++)
        held += hold_metric(c, &f, (enum metric_id)id, holm);
    for (uint32_t k = 0; ids && k < n_ids; k++)
        held += hold_metric(c, &f, ids[k], holm);
    if (held > 0)
        compared_note(c, arena_printf(a,
                                      "%u change%s would be clear alone, but not among all "
                                      "comparisons of the metric (Holm)",
                                      held, held == 1 ? "" : "s"));
}

/* Of the two tests that only rows have. */
static void adjust_rows(struct compare_rows *r, struct family *f, enum metric_id id, enum holm holm)
{
    for (int test = 0; test < 2; test++) {
        f->n = 0;
        for (uint32_t i = 0; i < r->n; i++)
            if (r->row[i].stats && r->row[i].id == id)
                f->p[f->n++] = test ? r->row[i].stats->wilcoxon.p : r->row[i].stats->sign_flip.p;
        bool on = adjust(f, holm);
        for (uint32_t i = 0, at = 0; i < r->n; i++) {
            struct change_stats *s = r->row[i].stats;
            if (s && r->row[i].id == id)
                *(test ? &s->wilcoxon_holm : &s->sign_flip_holm) = on ? f->adjusted[at++] : NAN;
        }
    }
}

/* ---- statistics ---- */

static struct interval ratio_shift(struct arena *a, const struct paired *p)
{
    double *x = arena_get(a, (p->n + 1) * sizeof(*x)), *y = arena_get(a, (p->n + 1) * sizeof(*y));

    for (uint32_t i = 0; i < p->n; i++) {
        x[i] = log(p->x[i]); /* of what is not positive: not finite, and so no interval */
        y[i] = log(p->y[i]);
    }
    struct interval s = stats_shift(&(struct paired){x, y, p->n});
    return (struct interval){expm1(s.mean), expm1(s.low), expm1(s.high), s.n};
}

static struct interval student(struct arena *a, const struct paired *p)
{
    double *d = arena_get(a, (p->n + 1) * sizeof(*d));

    for (uint32_t i = 0; i < p->n; i++)
        d[i] = p->y[i] - p->x[i];
    return interval_of(d, p->n);
}

/* index: of its own for each comparison, the same whatever else is shown. */
static struct change_stats *stats_of(struct arena *a, const struct paired *p, uint64_t index)
{
    struct change_stats *s = arena_get(a, sizeof(*s));

    *s = (struct change_stats){
        .baseline = stats_mean(p->x, p->n),
        .policy = stats_mean(p->y, p->n),
        .difference = student(a, p),
        .resampled = stats_bootstrap(p, stats_difference, STATS_RESAMPLES, SEED, 2 * index),
        .shift = stats_shift(p),
        .ratio = stats_bootstrap(p, stats_ratio, STATS_RESAMPLES, SEED, 2 * index + 1),
        .ratio_shift = ratio_shift(a, p),
        .sign_flip = stats_sign_flip(p, SEED, index),
        .wilcoxon = stats_wilcoxon(p),
        .d_z = stats_d_z(p),
        .rank_biserial = stats_rank_biserial(p),
        .runs_to_halve = stats_runs_to_halve(p->n),
    };
    return s;
}

static void add_stats(struct arena *a, struct compare_rows *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        struct compare_row *row = &r->row[i];
        uint64_t at = (uint64_t)(row->in - r->of->of) << 32 | (uint64_t)row->policy << 8 | row->id;
        if (row->policy == 0)
            continue;
        struct paired p = compare_pairs(a, &row->in->of, &row->in->c, row->policy, row->id);
        row->stats = stats_of(a, &p, at);
    }
}

/* The rows of the metrics that have values. */
static void choose_rows(struct arena *a, struct compare_rows *r, struct compared *c,
                        const enum metric_id *ids, uint32_t n_ids, bool not_zero)
{
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 0; k < n_ids; k++)
            if (has_value(&c->of[i].c, ids[k], not_zero))
                add_rows(r, &c->of[i], ids[k]);
    for (uint32_t k = 0; k < n_ids && !not_zero; k++) {
        bool there = false;
        for (uint32_t i = 0; i < c->n; i++)
            there = there || has_value(&c->of[i].c, ids[k], false);
        if (!there)
            compared_note(c, arena_printf(a, "no run has a value of %s", metric_defs[ids[k]].name));
    }
}

/* On shared GPUs the busy share counts a GPU once for each job on it: more is not better. */
static bool counts_seats(const struct compared *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t p = 0; p < c->of[i].c.n; p++)
            if (c->of[i].c.policy[p].metric[M_GPU_ACTIVE_SHARE].value.n > 0)
                return true;
    return false;
}

struct compare_rows compare_rows(struct arena *a, struct compared *c, const enum metric_id *ids,
                                 uint32_t n_ids, enum holm holm, bool stats)
{
    enum metric_id all[BLOCKS];
    bool chosen = n_ids > 0;
    uint32_t n_all = 0;

    for (size_t b = 0; b < BLOCKS; b++)
        if (blocks[b].id != M_GPU_BUSY_SHARE || !counts_seats(c))
            all[n_all++] = blocks[b].id;
    if (!chosen) {
        ids = all;
        n_ids = n_all;
    }
    uint32_t most = most_rows(c, n_ids);
    struct compare_rows r = {.of = c, .stats = stats};
    struct family f = {.p = arena_get(a, most * sizeof(*f.p)),
                       .adjusted = arena_get(a, most * sizeof(*f.adjusted))};
    r.row = arena_get(a, most * sizeof(*r.row));
    choose_rows(a, &r, c, ids, n_ids, !chosen);
    compare_holm(a, c, ids, n_ids, holm);
    for (uint32_t k = 0; k < n_ids; k++)
        if (ids[k] == M_MAKESPAN)
            compared_note_makespan(a, c);
    if (stats)
        add_stats(a, &r);
    for (uint32_t k = 0; stats && k < n_ids; k++)
        adjust_rows(&r, &f, ids[k], holm);
    return r;
}
