/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/report_run.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analysis/events.h"

#define NARROW 0.75 /* columns: a narrower piece is not drawn on its own, if there are few */

struct drawer {
    struct arena *arena;
    struct run_drawn *to;
    uint32_t most;
    double narrow; /* columns */
    struct series_row last;
    bool has_last;
};

/* The column in which a moment lies, with its part. */
static double column(const struct run_drawn *r, sim_time t)
{
    double x = r->end > 0 ? (double)t / (double)r->end * RUN_WIDTH : 0;

    return x < 0 ? 0 : x > RUN_WIDTH ? RUN_WIDTH : x;
}

/* ---- jobs ---- */

static void take_job(void *user, const struct job_row *row)
{
    struct run_drawn *r = ((struct drawer *)user)->to;

    if (strcmp(row->ended, record_name[REC_END]) != 0)
        return;
    double s = fmax((double)(row->end - row->submit) / 1e9, 1e-3);
    uint32_t bin = (uint32_t)((log10(s) + 3) * RUN_BINS);
    r->jct[bin < RUN_DECADES * RUN_BINS ? bin : RUN_DECADES * RUN_BINS - 1]++;
    r->done++;
}

/* ---- time ---- */

static void add_span(struct run_drawn *r, const struct series_row *s, sim_time to)
{
    double a = column(r, s->t), b = column(r, to);

    for (uint32_t i = (uint32_t)a; i < RUN_WIDTH && i <= b; i++) {
        double part = fmin(b, i + 1.0) - fmax(a, i);
        r->held[i] += r->shared ? 0 : part * s->gpus_held;
        r->running[i] += r->shared ? 0 : part * s->gpus_running;
        if (part > 0 && s->waiting > r->waiting[i])
            r->waiting[i] = s->waiting;
    }
}

static void add_load(struct run_drawn *r, const struct record *load)
{
    double a = column(r, load->run), b = column(r, load->t);

    for (uint32_t i = (uint32_t)a; i < RUN_WIDTH && i <= b; i++) {
        double part = fmin(b, i + 1.0) - fmax(a, i);
        r->held[i] += part * load->value;
        r->running[i] += part * load->told;
    }
}

static void take_series(void *user, const struct series_row *s)
{
    struct drawer *x = user;

    if (x->has_last)
        add_span(x->to, &x->last, s->t);
    x->last = *s;
    x->has_last = true;
}

/* ---- pieces ---- */

static void thin(struct run_drawn *r, const struct run_piece *p)
{
    double a = column(r, p->from) / 2, b = column(r, p->to) / 2;

    r->thinned++;
    for (gpu_id g = p->first; g <= p->last; g++)
        for (uint32_t i = (uint32_t)a; i < RUN_WIDTH / 2 && i <= b; i++)
            r->busy[g][i] += (float)(fmin(b, i + 1.0) - fmax(a, i));
}

static bool is_narrow(const struct drawer *x, const struct run_piece *p)
{
    return column(x->to, p->to) - column(x->to, p->from) < x->narrow;
}

/* Too many pieces: the narrowest go, wherever they are, until a quarter of the room is free. */
static void make_room(struct drawer *x)
{
    struct run_drawn *r = x->to;

    while (r->n_pieces > x->most - x->most / 4) {
        uint32_t kept = 0;
        x->narrow *= 1.25;
        for (uint32_t i = 0; i < r->n_pieces; i++)
            if (is_narrow(x, &r->piece[i]))
                thin(r, &r->piece[i]);
            else
                r->piece[kept++] = r->piece[i];
        r->n_pieces = kept;
    }
}

static void put_piece(struct drawer *x, const struct stretch *s, enum run_doing what,
                      const struct stretch_gpu *on, gpu_id last, sim_time from, sim_time to)
{
    struct run_drawn *r = x->to;
    gpu_id first = on->gpu;
    struct run_piece p = {s->job, NULL, first, last, on->seat, what, from, to};

    if (to <= from || first >= RUN_GPUS)
        return;
    p.last = last < RUN_GPUS ? last : RUN_GPUS - 1;
    if (r->n_pieces == x->most)
        make_room(x);
    if (is_narrow(x, &p)) {
        thin(r, &p);
        return;
    }
    p.name = s->name ? arena_text(x->arena, s->name, strlen(s->name)) : NULL;
    r->piece = mem_room(r->piece, r->n_pieces, &r->cap_pieces, sizeof(*r->piece));
    r->piece[r->n_pieces++] = p;
}

static void take_stretch(void *user, const struct stretch *s)
{
    struct drawer *x = user;
    enum run_doing doing = s->good ? RUN_GOOD : RUN_OTHER;

    x->to->trials |= s->experiment != NO_EXPERIMENT;
    for (uint32_t i = 0, k; i < s->n; i = k) {
        const struct stretch_gpu *first = &s->gpu[i];
        for (k = i + 1; !x->to->shared && k < s->n && s->gpu[k].gpu == first->gpu + (k - i) &&
                        s->gpu[k].free == first->free;
             k++)
            ;
        gpu_id last = s->gpu[k - 1].gpu;
        x->to->seats = first->seat + 1 > x->to->seats ? first->seat + 1 : x->to->seats;
        put_piece(x, s, RUN_SETUP, first, last, first->free, s->ran ? s->begin : s->to);
        if (!s->ran)
            continue;
        put_piece(x, s, doing, first, last, s->begin, s->until - s->lost);
        put_piece(x, s, RUN_LOST, first, last, s->until - s->lost, s->until);
        put_piece(x, s, RUN_SAVE, first, last, s->landing, s->ready);
    }
}

/* ---- the whole ---- */

static bool fold(struct drawer *x, struct diag *d, struct events *e)
{
    struct metrics_hooks hooks = {take_job, take_series, x};
    struct metrics *m = metrics_new(&hooks);
    struct stretches *s = stretches_new(take_stretch, x);
    struct record r;
    int got;

    while ((got = events_next(e, &r)) > 0) {
        stretches_take(s, &r);
        metrics_take(m, &r);
        if (r.kind == REC_BEGIN)
            x->to->gpus = r.n;
        else if (r.kind == REC_LOAD)
            add_load(x->to, &r);
        x->to->shared |= r.kind == REC_ALONE;
    }
    if (x->has_last)
        add_span(x->to, &x->last, x->to->end);
    bool ok = got == 0 && (*metrics_ended(m) ||
                           diag_error(d, (struct mark){0}, "the events end before the run does"));
    stretches_free(s);
    metrics_free(m);
    return ok;
}

bool run_draw(struct arena *a, struct diag *d, const struct result *r, uint32_t pieces,
              struct run_drawn *to)
{
    const char *path = r->path ? arena_printf(a, "%s/events.csv", r->path) : "";
    struct drawer x = {.arena = a, .to = to, .most = pieces, .narrow = NARROW};

    *to = (struct run_drawn){.seats = 1, .end = (sim_time)r->value[M_END].time};
    if (access(path, F_OK) != 0)
        return true;
    struct events *e = events_open(d, path);
    to->there = e != NULL;
    bool ok = e && fold(&x, d, e);
    events_close(e);
    return ok;
}

void run_drawn_free(struct run_drawn *r)
{
    mem_drop(r->piece);
    r->piece = NULL;
}
