/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One curve a policy: the best metric so far against time. */
#include <math.h>
#include <string.h>

#include "analysis/events.h"
#include "analysis/plot_kinds.h"

#define GRID 400u /* times at which curves of several seeds are averaged */

/* ---- the best metric of a run, as steps ---- */

struct curve {
    double *t, *best; /* seconds since the experiment began; rising or falling */
    uint32_t n;
    size_t cap_t, cap_best;
    bool falls;    /* lower is better */
    double target; /* NAN: none */
    uint32_t experiments;
};

static void add(struct curve *c, double t, double best)
{
    c->t = mem_room(c->t, c->n, &c->cap_t, sizeof(*c->t));
    c->best = mem_room(c->best, c->n, &c->cap_best, sizeof(*c->best));
    c->t[c->n] = t;
    c->best[c->n++] = best;
}

static void drop_curve(struct curve *c)
{
    mem_drop(c->t);
    mem_drop(c->best);
}

static void take_report(struct curve *c, double t, double x)
{
    bool is_better = c->n == 0 || (c->falls ? x < c->best[c->n - 1] : x > c->best[c->n - 1]);

    if (!is_better)
        return;
    if (c->n > 0 && c->t[c->n - 1] == t)
        c->best[c->n - 1] = x;
    else
        add(c, t, x);
}

/* Of the first experiment. */
static bool read_curve(const struct plot_set *s, const char *path, struct curve *c)
{
    struct events *e = events_open(s->diag, path);
    struct record r;
    sim_time begin = 0;
    int got = e ? 1 : -1;

    *c = (struct curve){.target = NAN};
    while (e && (got = events_next(e, &r)) > 0) {
        if (r.kind == REC_OPEN) {
            c->experiments++;
            if (r.experiment != 0)
                continue;
            begin = r.t;
            c->falls = r.good;
            c->target = r.value;
        } else if (r.kind == REC_REPORT && r.experiment == 0) {
            take_report(c, (double)(r.t - begin) / 1e9, r.value);
        }
    }
    events_close(e);
    return got == 0;
}

static double at(const struct curve *c, double t)
{
    uint32_t lo = 0, hi = c->n; /* the last step not after t */

    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->t[mid] <= t)
            lo = mid;
        else
            hi = mid;
    }
    return c->best[lo];
}

/* ---- curves of all runs of a policy ---- */

struct family {
    struct curve *curve;
    uint32_t n;
    double least;       /* the first report of any */
    double first, last; /* from when on all have reported; the last improvement of any */
};

static bool read_family(const struct plot_set *s, uint32_t policy, struct family *f)
{
    const struct results *all = s->results;

    *f = (struct family){.curve = arena_get(s->arena, all->n * sizeof(*f->curve)),
                         .least = INFINITY};
    for (uint32_t i = 0; i < all->n; i++) {
        const struct result *r = &all->result[i];
        if (strcmp(r->label, s->cmp.policy[policy].label) != 0)
            continue;
        const char *path = plot_input(s, r, "events.csv");
        struct curve *c = &f->curve[f->n];
        if (!path)
            continue;
        f->n++;
        if (!read_curve(s, path, c))
            return false;
        if (c->n > 0) {
            f->least = fmin(f->least, c->t[0]);
            f->first = fmax(f->first, c->t[0]);
            f->last = fmax(f->last, c->t[c->n - 1]);
        } else {
            drop_curve(c);
            f->n--;
        }
    }
    return true;
}

static void put_point(struct plot_data *d, uint32_t policy, double t, struct interval v)
{
    out_int(d->out, policy + 1);
    plot_cell(d, t);
    plot_cell(d, v.mean);
    plot_cell(d, v.low);
    plot_cell(d, v.high);
    out_char(d->out, '\n');
}

static struct interval exactly(double x)
{
    return (struct interval){x, NAN, NAN, 1};
}

/* The steps of one run, drawn to the end. */
static void put_steps(struct plot_data *d, uint32_t policy, const struct curve *c, double end)
{
    uint32_t stride = c->n / (PLOT_STEPS / 2) + 1;

    for (uint32_t i = 0; i < c->n; i += stride) {
        if (i > 0)
            put_point(d, policy, c->t[i], exactly(c->best[i - stride]));
        put_point(d, policy, c->t[i], exactly(c->best[i]));
    }
    put_point(d, policy, end, exactly(c->best[c->n - 1]));
}

/* Mean and interval over seeds, at times in equal ratios, as the axis is logarithmic. */
static void put_mean(const struct plot_set *s, struct plot_data *d, uint32_t policy,
                     const struct family *f, double end)
{
    double *x = arena_get(s->arena, f->n * sizeof(*x));
    double first = fmax(f->first, end / 1e6);

    for (uint32_t i = 0; i <= GRID; i++) {
        double t = first * pow(end / first, (double)i / GRID);
        for (uint32_t k = 0; k < f->n; k++)
            x[k] = at(&f->curve[k], t);
        put_point(d, policy, t, interval_of(x, f->n));
    }
}

static void put_families(const struct plot_set *s, struct plot_data *d, const struct family *f,
                         double end)
{
    plot_block(d, "policy\ttime_s\tbest_metric\tlow\thigh");
    for (uint32_t p = 0; p < s->cmp.n; p++) {
        if (p > 0)
            plot_block(d, "policy\ttime_s\tbest_metric\tlow\thigh");
        if (f[p].n == 1)
            put_steps(d, p, &f[p].curve[0], end);
        else if (f[p].n > 1)
            put_mean(s, d, p, &f[p], end);
        else
            put_point(d, p, NAN, exactly(NAN));
    }
}

static const struct curve *any_curve(const struct family *f, uint32_t n)
{
    for (uint32_t p = 0; p < n; p++)
        if (f[p].n > 0)
            return &f[p].curve[0];
    return NULL;
}

static bool any_experiment(const struct plot_set *s)
{
    for (uint32_t i = 0; i < s->results->n; i++)
        if (s->results->result[i].value[M_EXPERIMENTS].number > 0)
            return true;
    return false;
}

bool plot_best_metric(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    struct family *f = arena_get(s->arena, s->cmp.n * sizeof(*f));
    double least = INFINITY, last = 0;
    bool ok = true;

    (void)policy;
    if (!any_experiment(s))
        return plot_leave(d, "there are no experiments in these runs");
    for (uint32_t p = 0; ok && p < s->cmp.n; p++) {
        ok = read_family(s, p, &f[p]);
        least = fmin(least, f[p].least);
        last = fmax(last, f[p].last);
    }
    const struct curve *any = any_curve(f, s->cmp.n);
    if (ok && !any) {
        plot_leave(d, "there is no report of a metric in the runs' events.csv");
    } else if (ok) {
        bool has_target = !isnan(any->target);
        last = last > 0 ? 1.05 * last : 1;
        put_families(s, d, f, last);
        plot_number(d, "least", fmax(least, last / 1e6));
        plot_number(d, "most", last);
        plot_count(d, "lower_is_better", any->falls);
        plot_count(d, "has_target", has_target);
        plot_number(d, "target", has_target ? any->target : 0);
        plot_count(d, "experiments", any->experiments);
    }
    for (uint32_t p = 0; p < s->cmp.n; p++)
        for (uint32_t k = 0; k < f[p].n; k++)
            drop_curve(&f[p].curve[k]);
    return ok;
}
