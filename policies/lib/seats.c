/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/seats.h"

#include "policies/lib/grow.h"

#define SIZES 65u /* a node has 0 .. 64 usable GPUs */

/* ---- nodes ---- */

static struct heap *room_of(const struct seats *s, struct cx *cx, node_id k)
{
    return &s->room[sim_node(cx, k).type * SIZES + s->node[k].usable];
}

/* Counts a node anew. */
static void look(struct seats *s, struct cx *cx, node_id k)
{
    struct node_view v = sim_node(cx, k);
    struct seat_node now = {0, 0};

    for (gpu_id g = v.first; g < v.first + v.gpus; g++) {
        struct gpu_view gpu = sim_gpu(cx, g);
        now.residents += gpu.residents;
        now.usable += gpu.residents < gpu.most;
    }
    heap_drop(room_of(s, cx, k), k);
    s->node[k] = now;
    heap_set(room_of(s, cx, k), k, now.residents);
}

void seats_init(struct seats *s, struct cx *cx)
{
    s->node = sim_keep(cx, sim_nodes(cx) * sizeof(*s->node));
    s->n_rooms = sim_types(cx) * SIZES;
    s->room = sim_keep(cx, s->n_rooms * sizeof(*s->room));
    s->largest = sim_keep(cx, sim_types(cx) * sizeof(*s->largest));
    s->first = sim_keep(cx, sim_types(cx) * sizeof(*s->first));
    s->out = sim_keep(cx, sim_nodes(cx) * sizeof(*s->out));
    for (node_id k = 0; k < sim_nodes(cx); k++) {
        struct node_view v = sim_node(cx, k);
        if (!s->largest[v.type])
            s->first[v.type] = v.first;
        if (v.gpus > s->largest[v.type])
            s->largest[v.type] = v.gpus;
        look(s, cx, k);
    }
}

void seats_free(struct seats *s)
{
    for (uint32_t c = 0; c < s->n_classes; c++)
        heap_free(&s->class[c].jobs);
    for (uint32_t r = 0; r < s->n_rooms; r++)
        heap_free(&s->room[r]);
    for (gpu_id g = 0; g < SEATS_ASKED; g++)
        heap_free(&s->at[g]);
    heap_free(&s->asked);
}

/* ---- what jobs hold ---- */

static struct seat_job *job_of(struct seats *s, struct cx *cx, job_id j)
{
    s->job = grow(cx, s->job, sim_slot(j), &s->cap_jobs, sizeof(*s->job));
    return &s->job[sim_slot(j)];
}

const struct seat_job *seats_of(const struct seats *s, job_id j)
{
    return &s->job[sim_slot(j)];
}

static void leave_node(struct seats *s, struct cx *cx, node_id k)
{
    if (s->n_left > 4 * sim_nodes(cx) + 64) { /* longer than looking at all of them */
        s->n_left = 0;
        for (uint32_t c = 0; c < s->n_classes; c++)
            s->class[c].all = true;
    }
    s->left = grow(cx, s->left, s->n_left, &s->cap_left, sizeof(*s->left));
    s->left[s->n_left++] = k;
}

/* Those that wait at a GPU may be tried. */
static void leave_gpu(struct seats *s, gpu_id g)
{
    job_id j;

    while (g < SEATS_ASKED && (j = heap_first(&s->at[g])) != NO_JOB) {
        heap_drop(&s->at[g], j);
        heap_set(&s->asked, j, 0);
    }
}

/* Its GPUs come or go: each node once, GPUs of a node mostly stand together. */
static void look_at(struct seats *s, struct cx *cx, const gpu_id *gpu, uint32_t n, bool left)
{
    for (uint32_t i = 0; i < n; i++) {
        node_id k = sim_gpu(cx, gpu[i]).node;
        if (left)
            leave_gpu(s, gpu[i]);
        if (i > 0 && sim_gpu(cx, gpu[i - 1]).node == k)
            continue;
        look(s, cx, k);
        if (left)
            leave_node(s, cx, k);
    }
}

void seats_note(struct seats *s, struct cx *cx, job_id j)
{
    struct seat_job *m = job_of(s, cx, j);
    struct placement p = sim_held(cx, j);

    look_at(s, cx, m->gpu, m->n, true);
    m->n = 0;
    for (uint32_t i = 0; i < p.n; i++) {
        m->gpu = grow(cx, m->gpu, i, &m->cap, sizeof(*m->gpu));
        m->gpu[m->n++] = p.share[i].gpu;
    }
    look_at(s, cx, m->gpu, m->n, false);
}

/* ---- who waits ---- */

static uint32_t class_of(struct seats *s, struct cx *cx, const struct job_view *v)
{
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const struct seat_class *c = &s->class[i];
        if (c->gpus == v->gpus && c->model == v->model && c->batch == v->batch &&
            c->types == v->types)
            return i;
    }
    s->class = grow(cx, s->class, s->n_classes, &s->cap_classes, sizeof(*s->class));
    s->class[s->n_classes] = (struct seat_class){
        .gpus = v->gpus, .model = v->model, .batch = v->batch, .types = v->types, .all = true};
    return s->n_classes++;
}

static void wait(struct seats *s, struct cx *cx, job_id j, const struct job_view *v)
{
    struct seat_job *m = job_of(s, cx, j);

    if (v->asked) {
        heap_set(&s->asked, j, 0);
        return;
    }
    m->class = class_of(s, cx, v);
    heap_set(&s->class[m->class].jobs, j, 0);
}

static void stop_waiting(struct seats *s, job_id j, const struct job_view *v)
{
    const struct seat_job *m = seats_of(s, j);

    if (!v->asked)
        heap_drop(&s->class[m->class].jobs, j);
    else if (heap_has(&s->asked, j))
        heap_drop(&s->asked, j);
    else
        heap_drop(&s->at[m->class], j);
}

void seats_changed(struct seats *s, struct cx *cx, job_id j, enum job_state was)
{
    struct seat_job *m = job_of(s, cx, j);
    const struct job_view *v = sim_job(cx, j);

    if (was == JOB_FUTURE)
        m->n = 0;
    if (v->state == JOB_WAITING)
        wait(s, cx, j, v);
    else if (was == JOB_WAITING)
        stop_waiting(s, j, v);
    else if (v->held == 0)
        look_at(s, cx, m->gpu, m->n, true);
}

/* ---- places ---- */

/* A place that is being put together. */
struct place {
    struct cx *cx;
    const struct job_view *job;
    double bytes; /* of memory on each GPU */
    gpu_id *gpu;
    uint32_t n;
};

static bool has_room(const struct place *p, const struct gpu_view *g)
{
    return g->residents < g->most && p->bytes <= g->memory;
}

/* Adds GPUs of a node, fewest residents first, as many as are there and wanted. */
static void add_gpus(struct place *p, node_id k)
{
    struct node_view v = sim_node(p->cx, k);
    uint32_t residents[64], from = p->n;
    gpu_id gpu[64];
    uint32_t n = 0;

    for (gpu_id g = v.first; g < v.first + v.gpus; g++) {
        struct gpu_view x = sim_gpu(p->cx, g);
        uint32_t at = n;
        if (!has_room(p, &x))
            continue;
        for (; at > 0 && residents[at - 1] > x.residents; at--) {
            residents[at] = residents[at - 1];
            gpu[at] = gpu[at - 1];
        }
        residents[at] = x.residents;
        gpu[at] = g;
        n++;
    }
    for (uint32_t i = 0; i < n && p->n < p->job->gpus; i++) {
        uint32_t at = p->n++;
        for (; at > from && p->gpu[at - 1] > gpu[i]; at--)
            p->gpu[at] = p->gpu[at - 1];
        p->gpu[at] = gpu[i];
    }
}

static bool in_node(struct place *p, node_id k)
{
    p->n = 0;
    add_gpus(p, k);
    return p->n == p->job->gpus;
}

/* The heap whose first node has the fewest residents, of some types with so many usable GPUs. */
static struct heap *best_room(const struct seats *s, struct cx *cx, uint64_t types, uint32_t usable)
{
    struct heap *best = NULL;
    struct heap_item first = {INT64_MAX, NO_JOB};

    for (type_id t = 0; t < sim_types(cx); t++)
        for (uint32_t u = usable; types >> t & 1 && u <= s->largest[t]; u++) {
            struct heap *h = &s->room[t * SIZES + u];
            struct heap_item x = {h->n ? heap_first_key(h) : 0, heap_first(h)};
            if (h->n && heap_less(x, first)) {
                first = x;
                best = h;
            }
        }
    return best;
}

/* Looks at nodes of these types by residents, until there is a place: in one node, or over several.
 */
static bool search(struct seats *s, struct place *p, uint64_t types, uint32_t usable, bool several)
{
    struct cx *cx = p->cx;
    node_id *out = s->out;
    uint32_t n_out = 0;
    bool found = false;
    struct heap *h;

    p->n = 0;
    while (!found && (h = best_room(s, cx, types, usable)) != NULL) {
        node_id k = out[n_out++] = (node_id)heap_first(h);
        heap_drop(h, k);
        if (several)
            add_gpus(p, k);
        found = several ? p->n == p->job->gpus : in_node(p, k);
    }
    for (uint32_t i = 0; i < n_out; i++)
        heap_set(room_of(s, cx, out[i]), out[i], s->node[out[i]].residents);
    return found;
}

/* Whether some type that can run it has a node as large. */
static bool fits_node(const struct seats *s, struct cx *cx, const struct job_view *v)
{
    for (type_id t = 0; t < sim_types(cx); t++)
        if (v->types >> t & 1 && s->largest[t] >= v->gpus)
            return true;
    return false;
}

/* Of the nodes that somebody left since this class has last looked, as all others are known to have
 * no place. */
static bool search_left(struct seats *s, struct place *p, uint32_t from)
{
    const struct seat_node *best = NULL;
    node_id at = 0;

    for (uint32_t i = from; i < s->n_left; i++) {
        node_id k = s->left[i];
        const struct seat_node *x = &s->node[k];
        bool ahead =
            !best || x->residents < best->residents || (x->residents == best->residents && k < at);
        if (x->usable < p->job->gpus || !(p->job->types >> sim_node(p->cx, k).type & 1) || !ahead ||
            !in_node(p, k))
            continue;
        best = x;
        at = k;
    }
    return best && in_node(p, at);
}

static bool search_types(struct seats *s, struct place *p)
{
    for (type_id t = 0; t < sim_types(p->cx); t++)
        if (p->job->types >> t & 1 && sim_type(p->cx, t).gpus >= p->job->gpus &&
            search(s, p, UINT64_C(1) << t, 1, true))
            return true;
    return false;
}

/* The GPUs that the owner wants, if each has room for its share; else *full is one that has not. */
static const struct placement *place_asked(struct place *p, job_id j, gpu_id *full)
{
    for (uint64_t left = p->job->asked; left; left &= left - 1) {
        *full = p->gpu[p->n++] = (gpu_id)__builtin_ctzll(left);
        struct gpu_view g = sim_gpu(p->cx, *full);
        if (g.residents == g.most)
            return NULL;
    }
    const struct placement *even = sim_even(p->cx, j, p->gpu, p->n);
    for (uint32_t i = 0; i < even->n; i++) {
        *full = even->share[i].gpu;
        struct gpu_view g = sim_gpu(p->cx, *full);
        p->bytes = sim_step_alone(p->cx, j, *full, even->share[i].samples).bytes;
        if (!has_room(p, &g))
            return NULL;
    }
    return even;
}

/* Of its largest even share; the same on every GPU that can run it. */
static double bytes_of(const struct seats *s, struct cx *cx, job_id j, const struct job_view *v)
{
    gpu_id g = v->types ? s->first[__builtin_ctzll(v->types)] : 0;

    return sim_step_alone(cx, j, g, (v->batch + v->gpus - 1) / v->gpus).bytes;
}

static const struct placement *find(struct seats *s, struct cx *cx, const struct seat_class *c,
                                    job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct place p = {cx, v, 0, sim_scratch(cx, v->gpus * sizeof(gpu_id)), 0};
    bool found;

    p.bytes = bytes_of(s, cx, j, v);
    if (!fits_node(s, cx, v))
        found = search_types(s, &p);
    else if (c->all)
        found = search(s, &p, v->types, v->gpus, false);
    else
        found = search_left(s, &p, c->tried);
    return found ? sim_even(cx, j, p.gpu, p.n) : NULL;
}

/* ---- starting ---- */

static bool is_blocked(const struct seats *s, const struct seat_class *c)
{
    return !c->all && c->tried == s->n_left;
}

/* The first of a class that may be tried, if it was submitted before j. With skip_ahead, of those
 * that may be; else of all. */
static job_id first_of_class(struct seats *s, job_id j, struct seat_class **best)
{
    *best = NULL;
    for (uint32_t i = 0; i < s->n_classes; i++) {
        struct seat_class *c = &s->class[i];
        if (c->jobs.n && !(s->skip_ahead && is_blocked(s, c)) && heap_first(&c->jobs) < j) {
            j = heap_first(&c->jobs);
            *best = c;
        }
    }
    return *best && is_blocked(s, *best) ? NO_JOB : j;
}

/* The next to be tried, and its class; NULL: it asked for GPUs. */
static job_id first_waiting(struct seats *s, struct seat_class **class)
{
    job_id j = heap_first(&s->asked), held_up = j;

    for (gpu_id g = 0; g < SEATS_ASKED && !s->skip_ahead; g++)
        if (heap_first(&s->at[g]) < held_up)
            held_up = heap_first(&s->at[g]);
    job_id first = first_of_class(s, held_up, class);
    return *class || held_up == j ? first : NO_JOB;
}

static const struct placement *find_for(struct seats *s, struct cx *cx, struct seat_class *c,
                                        job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct place p = {cx, v, 0, NULL, 0};
    gpu_id full;

    if (c) {
        const struct placement *to = find(s, cx, c, j);
        c->all &= to != NULL;
        c->tried = to ? c->tried : s->n_left;
        return to;
    }
    p.gpu = sim_scratch(cx, v->gpus * sizeof(gpu_id));
    const struct placement *to = place_asked(&p, j, &full);
    if (!to) {
        heap_drop(&s->asked, j);
        heap_set(&s->at[full], j, 0);
        job_of(s, cx, j)->class = full;
    }
    return to;
}

void seats_start(struct seats *s, struct cx *cx, void (*started)(void *self, struct cx *, job_id),
                 void *self)
{
    struct seat_class *c;
    job_id j;

    while ((j = first_waiting(s, &c)) != NO_JOB) {
        const struct placement *p = find_for(s, cx, c, j);
        if (!p)
            continue;
        if (sim_start(cx, j, p, "%s",
                      c ? "even shares where residents are fewest"
                        : "even shares on the GPUs asked for") != ACT_OK)
            return;
        heap_drop(c ? &c->jobs : &s->asked, j);
        seats_note(s, cx, j);
        if (started)
            started(self, cx, j);
    }
}
