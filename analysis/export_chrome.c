/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chrome's trace format (JSON): a process a node, a thread a GPU or, of a shared one, a seat, an X
 * event for each piece of time. pid and tid count from 1, since 0 is taken for the idle process,
 * and tid over all nodes, since it is one name space; the cluster's counters are of a process
 * behind the nodes.
 */
#include <string.h>

#include "analysis/events.h"
#include "analysis/export.h"
#include "analysis/story_facts.h"
#include "analysis/stretches.h"

struct chrome {
    struct out *out;
    const struct story_cluster *cluster;
    const struct export_limits *limits;
    struct series_row last; /* not yet written */
    bool has_last;
    uint32_t *seats; /* by GPU: those that had pieces beside the first; NULL: none had */
    uint32_t n_seats;
};

static bool wanted_node(const struct export_limits *l, uint32_t node)
{
    for (uint32_t i = 0; i < l->n_nodes; i++)
        if (node >= l->node[i].first && node <= l->node[i].last)
            return true;
    return l->n_nodes == 0;
}

/* Microseconds, exactly. */
static void put_us(struct out *o, sim_time t)
{
    out_int(o, t / 1000);
    if (t % 1000)
        out_printf(o, ".%03d", (int)(t % 1000));
}

/* ---- who is who ---- */

static void put_name(struct out *o, const char *what, uint32_t pid, uint32_t tid, const char *name,
                     const char *type)
{
    out_printf(o,
               ",\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", what,
               pid, tid);
    struct out *text = out_memory();
    out_printf(text, "%s %u", name, what[0] == 'p' ? pid - 1 : tid - 1);
    if (type)
        out_printf(text, " (%s)", type);
    out_char(text, '\0');
    size_t len;
    out_json(o, out_data(text, &len));
    out_drop(text);
    out_text(o, "}}");
}

static void put_who(struct chrome *c)
{
    uint32_t nodes = c->cluster->n;

    out_printf(c->out,
               "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"tid\":0,"
               "\"args\":{\"name\":\"cluster\"}},\n"
               "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%u,\"tid\":0,"
               "\"args\":{\"sort_index\":-1}}",
               nodes + 1, nodes + 1);
    for (uint32_t i = 0; i < nodes; i++) {
        const struct story_node *n = &c->cluster->node[i];
        if (!wanted_node(c->limits, i))
            continue;
        put_name(c->out, "process_name", i + 1, 0, "node", n->type);
        for (uint32_t g = 0; g < n->gpus; g++)
            put_name(c->out, "thread_name", i + 1, n->first + g + 1, "GPU", NULL);
    }
}

static uint32_t gpus_of(const struct story_cluster *c)
{
    return c->n ? c->node[c->n - 1].first + c->node[c->n - 1].gpus : 0;
}

/* The threads of first seats are those of their GPUs; of others they come behind all GPUs. */
static uint32_t tid_of(const struct chrome *c, gpu_id g, uint32_t seat)
{
    return g + 1 + seat * gpus_of(c->cluster);
}

static void note_seat(struct chrome *c, gpu_id g, uint32_t seat)
{
    uint32_t gpus = gpus_of(c->cluster);

    if (seat == 0 || g >= gpus)
        return;
    if (!c->seats)
        c->seats = mem_get((c->n_seats = gpus) * sizeof(*c->seats));
    c->seats[g] = seat > c->seats[g] ? seat : c->seats[g];
}

/* Names of seats, and the order in which threads are shown: all of a GPU one below the other. */
static void put_seats(const struct chrome *c)
{
    uint32_t order = 0;

    for (gpu_id g = 0; g < c->n_seats; g++) {
        uint32_t node = story_node_of(c->cluster, g);
        for (uint32_t seat = 0; seat <= c->seats[g] && wanted_node(c->limits, node); seat++) {
            uint32_t tid = tid_of(c, g, seat);
            if (seat > 0)
                out_printf(c->out,
                           ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,"
                           "\"args\":{\"name\":\"GPU %u, seat %u\"}}",
                           node + 1, tid, g, seat + 1);
            out_printf(c->out,
                       ",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%u,\"tid\":%u,"
                       "\"args\":{\"sort_index\":%u}}",
                       node + 1, tid, order++);
        }
    }
}

/* ---- pieces of time ---- */

static void put_args(struct out *o, const struct stretch *s)
{
    out_printf(o, ",\"args\":{\"job\":%u", s->job);
    if (s->name) {
        out_text(o, ",\"name\":");
        out_json(o, s->name);
    }
    if (s->experiment != NO_EXPERIMENT)
        out_printf(o, ",\"experiment\":%u,\"trial\":%u,\"good\":%s", s->experiment, s->trial,
                   s->good ? "true" : "false");
    out_printf(o, ",\"stretch\":%u,\"gpus\":%u,\"origin\":\"%s\",\"ended\":\"%s\"", s->number, s->n,
               origin_name[s->origin], record_name[s->how]);
    if (s->why) {
        out_text(o, ",\"why\":");
        out_json(o, s->why);
    }
    out_char(o, '}');
}

/* One piece on one GPU, as far as it lies in the window. */
static void put_piece(struct chrome *c, const struct stretch *s, const char *what,
                      const struct stretch_gpu *on, sim_time from, sim_time to)
{
    gpu_id g = on->gpu;
    uint32_t node = story_node_of(c->cluster, g);
    struct out *o = c->out;

    from = from > c->limits->from ? from : c->limits->from;
    to = to < c->limits->to ? to : c->limits->to;
    if (to <= from || node == NODE_UNKNOWN || !wanted_node(c->limits, node))
        return;
    note_seat(c, g, on->seat);
    out_printf(o, ",\n{\"ph\":\"X\",\"name\":\"job %u%s%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u",
               s->job, strcmp(what, "progress") == 0 ? "" : ": ",
               strcmp(what, "progress") == 0 ? "" : what, what, node + 1, tid_of(c, g, on->seat));
    out_text(o, ",\"ts\":");
    put_us(o, from);
    out_text(o, ",\"dur\":");
    put_us(o, to - from);
    put_args(o, s);
    out_char(o, '}');
}

static void take_stretch(void *user, const struct stretch *s)
{
    struct chrome *c = user;

    for (uint32_t i = 0; i < s->n; i++) {
        const struct stretch_gpu *g = &s->gpu[i];
        put_piece(c, s, "set-up", g, g->free, s->ran ? s->begin : s->to);
        if (s->ran) {
            put_piece(c, s, "progress", g, s->begin, s->until - s->lost);
            put_piece(c, s, "lost", g, s->until - s->lost, s->until);
        }
        put_piece(c, s, "save", g, stretch_saves(s, g), s->ready);
    }
}

/* ---- counters ---- */

static void put_counter(struct chrome *c, const char *name, sim_time t)
{
    out_printf(c->out, ",\n{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%u,\"tid\":0,\"ts\":", name,
               c->cluster->n + 1);
    put_us(c->out, t);
    out_text(c->out, ",\"args\":{");
}

static void put_counters(struct chrome *c, const struct series_row *r)
{
    sim_time t = r->t > c->limits->from ? r->t : c->limits->from;

    put_counter(c, "GPUs", t);
    out_printf(c->out, "\"in progress\":%u,\"held, not in progress\":%u}}", r->gpus_running,
               r->gpus_held - r->gpus_running);
    put_counter(c, "jobs", t);
    out_printf(c->out, "\"waiting\":%u,\"set-up\":%u,\"running\":%u,\"paused\":%u}}", r->waiting,
               r->setup, r->running, r->paused);
}

/* A row is written when the next one shows that it held at some time in the window. */
static void take_series(void *user, const struct series_row *r)
{
    struct chrome *c = user;

    if (c->has_last && r->t > c->limits->from && c->last.t <= c->limits->to)
        put_counters(c, &c->last);
    c->last = *r;
    c->has_last = true;
}

/* ---- the whole ---- */

static bool fold(struct chrome *c, struct diag *d, struct events *e)
{
    struct metrics_hooks hooks = {NULL, take_series, c};
    struct metrics *m = metrics_new(&hooks);
    struct stretches *s = stretches_new(take_stretch, c);
    struct record r;
    int got;

    while ((got = events_next(e, &r)) > 0) {
        stretches_take(s, &r);
        metrics_take(m, &r);
    }
    if (got == 0 && c->has_last && c->last.t <= c->limits->to)
        put_counters(c, &c->last);
    bool ok = got == 0 && (*metrics_ended(m) ||
                           diag_error(d, (struct mark){0}, "the events end before the run does"));
    stretches_free(s);
    metrics_free(m);
    return ok;
}

static void put_head(struct out *o, const struct story_run_facts *f)
{
    out_text(o, "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"policy\":");
    out_json(o, f->result->label);
    out_printf(o, ",\"seed\":\"%llu\",\"world\":", (unsigned long long)f->result->seed);
    out_json(o, f->result->world);
    out_text(o, ",\"config\":");
    out_json(o, f->config);
    out_text(o, "},\"traceEvents\":[\n");
}

bool export_chrome(struct arena *a, struct diag *d, const struct story_run_facts *f,
                   const struct export_limits *l, const char *path)
{
    struct chrome c = {.cluster = &f->cluster, .limits = l};
    struct events *e = story_open(a, d, f);

    c.out = e ? out_create(d, path) : NULL;
    bool ok = c.out != NULL;
    if (ok) {
        put_head(c.out, f);
        put_who(&c);
        ok = fold(&c, d, e);
        put_seats(&c);
        out_text(c.out, "\n]}\n");
        if (ok)
            ok = out_commit(c.out);
        else
            out_drop(c.out);
    }
    mem_drop(c.seats);
    events_close(e);
    return ok;
}
