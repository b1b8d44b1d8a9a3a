/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each GPU does when, from events.csv: pieces of time of ranges of GPUs. */
#include <math.h>
#include <string.h>

#include "analysis/events.h"
#include "analysis/plot_kinds.h"
#include "analysis/lanes.h"
#include "analysis/story_cluster.h"
#include "sim/base/utf8.h"
#include "sim/text/json.h"

/* Inches in the picture. */
#define MARGINS_IN   1.1
#define PAGE_IN      7.0
#define CHARACTER_IN 0.075
#define LINE_IN      0.13
#define MOST_LINES   16u /* labels of the GPU axis */

enum doing { GOOD, OTHER, SETUP, RELOCATION, SAVE, LOST, DOINGS };

struct holder { /* a job, by slot */
    uint32_t number, n;
    bool good, running, moved;
    sim_time start, begin;
    struct place { /* a GPU, and the seat there */
        gpu_id gpu;
        uint32_t seat;
    } * on;
    size_t cap;
};

struct piece {
    uint32_t job;
    gpu_id first, last;
    uint32_t seat;
    enum doing what;
    sim_time from, to;
};

struct gantt {
    struct piece *piece;
    uint32_t pieces;
    size_t cap_pieces;
    struct holder *holder;
    size_t n_holders, cap_holders;
    sim_time *ready; /* by GPU: until when a former owner's state is being saved */
    size_t n_ready, cap_ready;
    struct lanes seats;
    struct place *old; /* of a job that is given other GPUs */
    size_t cap_old;
    uint32_t gpus;
    sim_time last; /* what is shown ends there */
    bool trials, cut, has[DOINGS];
};

/* ---- pieces ---- */

/* From the i-th GPU of a job up to the one before the k-th. */
static void put_piece(struct gantt *g, enum doing what, const struct holder *h, uint32_t i,
                      uint32_t k, sim_time from, sim_time to)
{
    if (to <= from)
        return;
    g->piece = mem_room(g->piece, g->pieces, &g->cap_pieces, sizeof(*g->piece));
    g->piece[g->pieces++] =
        (struct piece){h->number, h->on[i].gpu, h->on[k - 1].gpu, h->on[i].seat, what, from, to};
    g->has[what] = true;
}

/* Whether the k-th GPU belongs to the range that begins with the i-th; seats stand alone. */
static bool follows(const struct gantt *g, const struct holder *h, uint32_t i, uint32_t k)
{
    return !g->seats.shared && h->on[k].gpu == h->on[i].gpu + (k - i);
}

/* One piece for each range of GPUs. */
static void put_ranges(struct gantt *g, enum doing what, const struct holder *h, sim_time from,
                       sim_time to)
{
    for (uint32_t i = 0, k; i < h->n; i = k) {
        for (k = i + 1; k < h->n && follows(g, h, i, k); k++)
            ;
        put_piece(g, what, h, i, k, from, to);
    }
}

/* Set-up begins on a GPU when its last owner's state is saved. */
static void put_setup(struct gantt *g, const struct holder *h, sim_time to)
{
    for (uint32_t i = 0, k; i < h->n; i = k) {
        sim_time ready = g->ready[h->on[i].gpu];
        for (k = i + 1; k < h->n && follows(g, h, i, k) && g->ready[h->on[k].gpu] == ready; k++)
            ;
        put_piece(g, h->moved ? RELOCATION : SETUP, h, i, k, ready > h->start ? ready : h->start,
                  to);
    }
}

/* A stretch on GPUs is over: progress until `until`, of which the last `lost` is discarded. */
static void close_stretch(struct gantt *g, struct holder *h, sim_time now, sim_time until,
                          sim_time lost)
{
    put_setup(g, h, h->running ? h->begin : now);
    if (h->running) {
        put_ranges(g, h->good ? GOOD : OTHER, h, h->begin, until - lost);
        put_ranges(g, LOST, h, until - lost, until);
    }
    h->n = 0;
    h->running = false;
}

/* ---- records ---- */

static struct holder *holder_of(struct gantt *g, job_id j)
{
    while (sim_slot(j) >= g->n_holders) {
        g->holder = mem_room(g->holder, g->n_holders, &g->cap_holders, sizeof(*g->holder));
        g->holder[g->n_holders++] = (struct holder){0};
    }
    return &g->holder[sim_slot(j)];
}

static void arrive(struct gantt *g, const struct record *r)
{
    struct holder *h = holder_of(g, r->job);

    h->number = sim_number(r->job);
    h->good = r->good;
    h->n = 0;
    g->trials |= r->experiment != NO_EXPERIMENT;
}

/* The seat that it prefers: its own, where it was before. */
static uint32_t seat_before(const struct gantt *g, uint32_t n_old, gpu_id gpu)
{
    for (uint32_t i = 0; i < n_old; i++)
        if (g->old[i].gpu == gpu)
            return g->old[i].seat;
    return LANES_ANY;
}

static void sit(struct gantt *g, struct holder *h, const struct record *r, uint32_t n_old)
{
    for (h->n = 0; r->share && h->n < r->n; h->n++) {
        gpu_id gpu = r->share[h->n].gpu;
        h->on = mem_room(h->on, h->n, &h->cap, sizeof(*h->on));
        h->on[h->n] =
            (struct place){gpu, lanes_take(&g->seats, gpu, r->t, seat_before(g, n_old, gpu))};
        while (gpu >= g->n_ready) {
            g->ready = mem_room(g->ready, g->n_ready, &g->cap_ready, sizeof(*g->ready));
            g->ready[g->n_ready++] = 0;
        }
    }
}

static void start(struct gantt *g, const struct record *r)
{
    struct holder *h = holder_of(g, r->job);

    sit(g, h, r, 0);
    h->start = r->t;
    h->moved = r->origin == FROM_MOVED || r->origin == FROM_DISK_MOVED;
    h->begin = r->run;
    h->running = r->run == r->t;
}

static void leave(struct gantt *g, const struct record *r)
{
    struct holder *h = holder_of(g, r->job), was = *h;
    bool saves = h->running && r->kind != REC_END && r->kind != REC_KILL;

    close_stretch(g, h, r->t, saves ? r->run : r->t, saves ? r->lost : 0);
    for (uint32_t i = 0; i < was.n; i++)
        lanes_leave(&g->seats, was.on[i].gpu, was.on[i].seat, saves ? r->ready : r->t);
    if (!saves)
        return;
    put_ranges(g, SAVE, &was, r->run, r->ready);
    for (uint32_t i = 0; i < was.n; i++)
        if (r->ready > g->ready[was.on[i].gpu])
            g->ready[was.on[i].gpu] = r->ready;
}

static void resize(struct gantt *g, const struct record *r)
{
    struct holder *h = holder_of(g, r->job), was = *h;

    for (uint32_t i = 0; i < was.n; i++) {
        g->old = mem_room(g->old, i, &g->cap_old, sizeof(*g->old));
        g->old[i] = was.on[i];
    }
    close_stretch(g, h, r->t, r->t, 0);
    for (uint32_t i = 0; i < was.n; i++)
        lanes_leave(&g->seats, was.on[i].gpu, was.on[i].seat, r->t);
    sit(g, h, r, was.n);
    h->start = r->t;
    h->moved = false;
    h->begin = r->run;
    h->running = was.running && r->run == r->t;
}

/* Whoever holds GPUs when what is shown ends. */
static void close_all(struct gantt *g, sim_time t)
{
    g->last = t;
    for (size_t i = 0; i < g->n_holders; i++)
        if (g->holder[i].n > 0)
            close_stretch(g, &g->holder[i], t, t, 0);
}

static void take(struct gantt *g, const struct record *r)
{
    lanes_see(&g->seats, r);
    switch (r->kind) {
    case REC_BEGIN:
        g->gpus = r->n;
        break;
    case REC_ARRIVE:
        arrive(g, r);
        break;
    case REC_START:
        start(g, r);
        break;
    case REC_RESIZE:
        resize(g, r);
        break;
    case REC_RUN:
        holder_of(g, r->job)->running = true;
        break;
    case REC_PREEMPT:
    case REC_PAUSE:
    case REC_END:
    case REC_KILL:
        if (holder_of(g, r->job)->n > 0)
            leave(g, r);
        break;
    case REC_FINISH:
        close_all(g, r->t);
        break;
    default:
        break;
    }
}

static bool read_pieces(const struct plot_set *s, struct gantt *g, const char *path)
{
    struct events *e = events_open(s->diag, path);
    struct record r;
    int got = e ? 1 : -1;

    while (e && !g->cut && (got = events_next(e, &r)) > 0) {
        g->cut = g->pieces >= PLOT_STEPS;
        if (g->cut)
            close_all(g, r.t);
        else
            take(g, &r);
    }
    events_close(e);
    return got >= 0;
}

/* ---- the axis of GPUs ---- */

struct axis {
    uint32_t lines, chars; /* so many labels; characters of the longest */
};

static void put_line(const struct plot_set *s, struct plot_data *d, struct axis *x, gpu_id first,
                     gpu_id last, const char *text)
{
    const char *clean = plot_clean(s->arena, text, 20);
    uint32_t chars = (uint32_t)utf8_count(clean, strlen(clean));

    x->lines++;
    x->chars = chars > x->chars ? chars : x->chars;
    out_text(d->out, *clean ? clean : "-");
    plot_cell(d, (first + last) / 2.0);
    plot_cell(d, last + 0.5);
    out_char(d->out, '\n');
}

/* A label for each GPU, each node, or each run of nodes of one type: what there is room for. */
static struct axis put_axis(const struct plot_set *s, struct plot_data *d,
                            const struct story_cluster *c, uint32_t gpus)
{
    struct axis x = {0, 0};

    plot_block(d, "label\tposition\tborder");
    for (uint32_t i = 0, k; i < c->n && x.lines < 4 * MOST_LINES; i = k) {
        const struct story_node *a = &c->node[i];
        for (k = i + 1; c->n > MOST_LINES && k < c->n && strcmp(c->node[k].type, a->type) == 0; k++)
            ;
        gpu_id last = c->node[k - 1].first + c->node[k - 1].gpus - 1;
        for (gpu_id g = a->first; gpus <= MOST_LINES && g <= last; g++)
            put_line(s, d, &x, g, g, arena_printf(s->arena, "%s #%u", a->type, g));
        if (gpus <= MOST_LINES)
            continue;
        put_line(s, d, &x, a->first, last,
                 c->n > MOST_LINES ? a->type : arena_printf(s->arena, "%s node %u", a->type, i));
    }
    if (x.lines == 0)
        out_text(d->out, "-\t-9\t-9\n");
    return x;
}

/* ---- the picture ---- */

static void drop(struct gantt *g)
{
    for (size_t i = 0; i < g->n_holders; i++)
        mem_drop(g->holder[i].on);
    mem_drop(g->holder);
    mem_drop(g->ready);
    mem_drop(g->old);
    lanes_free(&g->seats);
    mem_drop(g->piece);
}

/* All policies' pictures have the axis of the longest. */
static sim_time longest(const struct plot_set *s)
{
    sim_time end = 1;

    for (uint32_t p = 0; p < s->cmp.n; p++) {
        sim_time t = (sim_time)s->first[p]->value[M_END].time;
        end = t > end ? t : end;
    }
    return end;
}

static void put_pieces(const struct gantt *g, struct plot_data *d)
{
    plot_block(d, g->seats.shared ? "job\tfrom_s\tto_s\tfirst_gpu\tlast_gpu\tdoes\tseat"
                                  : "job\tfrom_s\tto_s\tfirst_gpu\tlast_gpu\tdoes");
    for (uint32_t i = 0; i < g->pieces; i++) {
        const struct piece *p = &g->piece[i];
        out_int(d->out, p->job);
        plot_cell(d, (double)p->from / 1e9);
        plot_cell(d, (double)p->to / 1e9);
        plot_cell(d, p->first);
        plot_cell(d, p->last);
        plot_cell(d, p->what);
        if (g->seats.shared)
            plot_cell(d, p->seat);
        out_char(d->out, '\n');
    }
}

/* Numbers of jobs, on pieces that have room for them; one out of sight, so that there is a label.
 */
static void put_labels(const struct gantt *g, struct plot_data *d, double row_in, double axis_in)
{
    plot_block(d, "job\ttime_s\tgpu\tdoes");
    out_text(d->out, "0\t-9\t-9\t0\n");
    for (uint32_t i = 0; i < g->pieces; i++) {
        const struct piece *p = &g->piece[i];
        double wide = (double)(p->to - p->from) / (double)g->last * axis_in;
        char text[16];
        int chars = snprintf(text, sizeof(text), "%u", p->job);
        if (p->what > OTHER || wide < (chars + 1) * CHARACTER_IN ||
            (p->last - p->first + 1) * row_in < LINE_IN * g->seats.most)
            continue;
        out_text(d->out, text);
        plot_cell(d, ((double)p->from + (double)p->to) / 2e9);
        plot_cell(d, (p->first + p->last) / 2.0 + (p->seat + 0.5) / g->seats.most - 0.5);
        plot_cell(d, p->what);
        out_char(d->out, '\n');
    }
}

static void put_numbers(const struct gantt *g, struct plot_data *d, double whole)
{
    static const char *const has[DOINGS] = {"has_good",       "has_other", "has_setup",
                                            "has_relocation", "has_save",  "has_lost"};
    double last = (double)g->last / 1e9;

    plot_count(d, "gpus", g->gpus);
    plot_count(d, "seats", g->seats.most);
    plot_number(d, "last", last);
    plot_number(d, "whole", whole);
    plot_number(d, "unit", plot_unit(last));
    plot_count(d, "trials", g->trials);
    plot_count(d, "cut", g->cut);
    for (int i = 0; i < DOINGS; i++)
        plot_count(d, has[i], g->has[i]);
}

static void draw(const struct plot_set *s, struct plot_data *d, const struct gantt *g,
                 const struct story_cluster *c)
{
    double row_in = fmax(0.012, fmin(fmax(0.2, 0.15 * g->seats.most), 4.5 / g->gpus));

    put_pieces(g, d);
    put_labels(g, d, row_in, (s->width > 0 ? s->width : PAGE_IN) - MARGINS_IN);
    struct axis x = put_axis(s, d, c, g->gpus);
    plot_count(d, "lines", x.lines);
    plot_count(d, "line_chars", x.chars);
    plot_number(d, "row_in", row_in);
}

bool plot_gantt(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    const struct result *r = s->first[policy];
    const char *path = plot_input(s, r, "events.csv");
    struct gantt g = {0};

    if (!path)
        return plot_leave(d, "the run has no events.csv; write_events: true makes it");
    const struct tree *manifest =
        json_load(s->arena, s->diag, arena_printf(s->arena, "%s/manifest.json", r->path));
    bool ok = manifest && read_pieces(s, &g, path);
    if (ok && g.pieces == 0) {
        plot_leave(d, "no job ever held a GPU");
    } else if (ok) {
        struct story_cluster c = story_cluster_of(s->arena, manifest);
        g.last = g.cut ? g.last : longest(s);
        draw(s, d, &g, &c);
        put_numbers(&g, d, (double)r->value[M_END].time / 1e9);
    }
    drop(&g);
    return ok;
}
