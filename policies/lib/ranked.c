/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/ranked.h"

#include <string.h>

static bool better(struct rank a, struct rank b)
{
    return a.value < b.value || (a.value == b.value && a.job < b.job);
}

static const struct rank nobody = {0, NO_JOB};

/* ---- kinds ---- */

static uint32_t add_kind(struct ranked *r, struct cx *cx, struct ranked_kind kind)
{
    if (r->n == r->cap) {
        uint32_t cap = r->cap ? 2 * r->cap : 8;
        struct ranked_kind *more = sim_keep(cx, cap * sizeof(*more));
        if (r->n)
            memcpy(more, r->kind, r->n * sizeof(*more));
        r->kind = more;
        r->cap = cap;
    }
    kind.running.flip = kind.still.flip = HEAP_MAX;
    r->kind[r->n] = kind;
    return r->n++;
}

static void note_kind(struct ranked *r, struct cx *cx, job_id j, uint32_t kind)
{
    uint32_t slot = sim_slot(j);

    if (slot >= r->slots) {
        uint32_t slots = r->slots ? 2 * r->slots : 256;
        while (slots <= slot)
            slots *= 2;
        uint32_t *more = sim_keep(cx, slots * sizeof(*more));
        if (r->slots)
            memcpy(more, r->kind_of, r->slots * sizeof(*more));
        r->kind_of = more;
        r->slots = slots;
    }
    r->kind_of[slot] = kind;
}

static struct ranked_kind *kind_of(struct ranked *r, job_id j)
{
    return &r->kind[r->kind_of[sim_slot(j)]];
}

/* The kind of a job that is in no heap, from now on. */
static struct ranked_kind *learn_kind(struct ranked *r, struct cx *cx, job_id j, double pace)
{
    const struct job_view *v = sim_job(cx, j);
    struct ranked_kind kind = {.pace = pace, .gpus = v->gpus, .types = v->types};
    uint32_t i = 0;

    while (i < r->n && (r->kind[i].pace != pace || r->kind[i].gpus != kind.gpus ||
                        r->kind[i].types != kind.types))
        i++;
    if (i == r->n)
        add_kind(r, cx, kind);
    note_kind(r, cx, j, i);
    return &r->kind[i];
}

/* How far the value of a running job moves in a time. */
static int64_t moved(const struct ranked *r, const struct ranked_kind *k, sim_time t)
{
    return r->rule->slope * (k->pace == 1 ? t : (sim_time)(k->pace * (double)t));
}

/* ---- where a job stands ---- */

static void forget(struct ranked *r, job_id j)
{
    struct ranked_kind *k = kind_of(r, j);

    heap_drop(&k->waiting, j);
    heap_drop(&k->running, j);
    heap_drop(&k->still, j);
    heap_drop(&r->jumps, j);
}

static void place(struct ranked *r, void *self, struct cx *cx, job_id j, enum job_state state)
{
    bool paced = state == JOB_RUNNING && r->rule->pace;
    struct ranked_kind *k = learn_kind(r, cx, j, paced ? r->rule->pace(self, cx, j) : 1);
    int64_t value = r->rule->value(self, cx, j);

    if (state == JOB_WAITING) {
        heap_set(&k->waiting, j, value);
    } else if (state == JOB_SETUP) {
        heap_set(&k->still, j, value);
    } else if (state == JOB_RUNNING) {
        heap_set(&k->running, j, value - moved(r, k, sim_now(cx)));
        sim_time at = r->rule->jumps ? r->rule->jumps(self, cx, j) : SIM_NEVER;
        if (at != SIM_NEVER)
            heap_set(&r->jumps, j, at);
    }
}

void ranked_changed(struct ranked *r, void *self, struct cx *cx, job_id j, enum job_state was)
{
    enum job_state state = sim_job(cx, j)->state;

    if (state != JOB_WAITING || was != JOB_FUTURE)
        forget(r, j);
    if (state < JOB_DONE)
        place(r, self, cx, j, state);
}

/* ---- ranks ---- */

static sim_area scaled(const struct ranked *r, const struct ranked_kind *k, int64_t value)
{
    return (sim_area)value * (r->rule->by_gpus ? k->gpus : 1);
}

/* The best waiting job that is not blocked. */
static struct rank best_waiting(const struct ranked *r)
{
    struct rank best = nobody;

    for (uint32_t i = 0; i < r->n; i++) {
        const struct ranked_kind *k = &r->kind[i];
        if (k->blocked || k->waiting.n == 0)
            continue;
        struct rank x = {scaled(r, k, heap_first_key(&k->waiting)), heap_first(&k->waiting)};
        if (best.job == NO_JOB || better(x, best))
            best = x;
    }
    return best;
}

/* The worst job that holds GPUs, at a time. */
static struct rank worst_holding(const struct ranked *r, sim_time at)
{
    struct rank worst = nobody;

    for (uint32_t i = 0; i < r->n; i++) {
        const struct ranked_kind *k = &r->kind[i];
        struct rank x[2] = {nobody, nobody};
        if (k->running.n)
            x[0] = (struct rank){scaled(r, k, heap_first_key(&k->running) + moved(r, k, at)),
                                 heap_first(&k->running)};
        if (k->still.n)
            x[1] = (struct rank){scaled(r, k, heap_first_key(&k->still)), heap_first(&k->still)};
        for (int s = 0; s < 2; s++)
            if (x[s].job != NO_JOB && (worst.job == NO_JOB || better(worst, x[s])))
                worst = x[s];
    }
    return worst;
}

/* ---- starting ---- */

static bool start(struct ranked *r, void *self, struct cx *cx, job_id j, const struct placement *p)
{
    if (sim_start(cx, j, p, "%s", r->rule->start_why) != ACT_OK)
        return false;
    forget(r, j);
    place(r, self, cx, j, sim_job(cx, j)->state);
    return true;
}

static void unblock(struct ranked *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        r->kind[i].blocked = false;
}

/* Gives free GPUs away, best first. */
static void fill(struct ranked *r, void *self, struct cx *cx)
{
    struct rank w;

    unblock(r);
    while (sim_free_gpus(cx) > 0 && (w = best_waiting(r)).job != NO_JOB) {
        const struct placement *p = sim_pick(cx, w.job);
        if (p) {
            if (!start(r, self, cx, w.job, p))
                return;
        } else if (!r->skip_ahead) {
            return;
        } else {
            kind_of(r, w.job)->blocked = true;
        }
    }
}

/* ---- taking away ---- */

static void add_victim(struct victims *v, struct cx *cx, struct rank x, type_id t)
{
    if (v->n == v->cap) {
        uint32_t cap = v->cap ? 2 * v->cap : 16;
        struct rank *rank = sim_keep(cx, cap * sizeof(*rank));
        type_id *type = sim_keep(cx, cap * sizeof(*type));
        if (v->n) {
            memcpy(rank, v->rank, v->n * sizeof(*rank));
            memcpy(type, v->type, v->n * sizeof(*type));
        }
        v->rank = rank;
        v->type = type;
        v->cap = cap;
    }
    v->rank[v->n] = x;
    v->type[v->n++] = t;
}

/* Victims worse than w until one GPU type has enough; the type, or NO_GPU. They are out of the
 * heaps. */
static type_id choose(struct ranked *r, struct cx *cx, struct rank w)
{
    struct victims *v = &r->victims;
    const struct job_view *job = sim_job(cx, w.job);
    uint32_t want = job->gpus;
    uint64_t types = job->types;

    v->n = 0;
    if (!v->gpus)
        v->gpus = sim_keep(cx, sim_types(cx) * sizeof(*v->gpus));
    for (type_id t = 0; t < sim_types(cx); t++)
        v->gpus[t] = sim_type(cx, t).free;
    for (;;) {
        struct rank x = worst_holding(r, sim_now(cx));
        if (x.job == NO_JOB || !better(w, x))
            return NO_GPU;
        struct placement held = sim_held(cx, x.job);
        type_id t = sim_gpu(cx, held.share[0].gpu).type;
        add_victim(v, cx, x, t);
        heap_drop(&kind_of(r, x.job)->running, x.job);
        heap_drop(&kind_of(r, x.job)->still, x.job);
        v->gpus[t] += held.n;
        if (v->gpus[t] >= want && types >> t & 1)
            return t;
    }
}

/* Preempts the victims of the type that was chosen and puts the others back. */
static bool evict(struct ranked *r, void *self, struct cx *cx, type_id t, job_id by)
{
    const struct victims *v = &r->victims;

    for (uint32_t i = 0; i < v->n; i++) {
        job_id j = v->rank[i].job;
        if (v->type[i] == t) {
            if (sim_preempt(cx, j, "%s job %u", r->rule->preempt_why, sim_number(by)) != ACT_OK)
                return false;
            heap_drop(&r->jumps, j);
        }
        place(r, self, cx, j, sim_job(cx, j)->state);
    }
    return true;
}

/* GPUs go from the worst that hold them to better ones that wait. */
static void exchange(struct ranked *r, void *self, struct cx *cx)
{
    struct rank w;

    unblock(r);
    while ((w = best_waiting(r)).job != NO_JOB) {
        const struct placement *p = sim_pick(cx, w.job); /* a larger victim has left some */
        r->victims.n = 0;
        if (!p) {
            type_id t = choose(r, cx, w);
            if (!evict(r, self, cx, t, w.job))
                return;
            p = t == NO_GPU ? NULL : sim_pick(cx, w.job);
        }
        if (p) {
            if (!start(r, self, cx, w.job, p))
                return;
        } else if (!r->skip_ahead || r->victims.n == 0) {
            return;
        } else {
            kind_of(r, w.job)->blocked = true;
        }
    }
}

/* ---- when to look again ---- */

static sim_time boundary_from(const struct ranked *r, sim_time t)
{
    return r->quantum ? (t + r->quantum - 1) / r->quantum * r->quantum : t;
}

/* The first moment at which a running job's value is worse than w's; SIM_NEVER: not by itself. */
static sim_time falls_behind(const struct ranked *r, struct rank w)
{
    sim_time first = SIM_NEVER;

    for (uint32_t i = 0; i < r->n && r->rule->slope > 0; i++) {
        const struct ranked_kind *k = &r->kind[i];
        if (k->running.n == 0)
            continue;
        /* scale * (key + t) >= w; ties are looked at, too: the lower id decides there. */
        sim_area scale = r->rule->by_gpus ? k->gpus : 1;
        sim_area t = (w.value + scale - 1) / scale - heap_first_key(&k->running);
        if (t < first)
            first = (sim_time)t;
    }
    if (r->jumps.n && heap_first_key(&r->jumps) < first)
        first = heap_first_key(&r->jumps);
    return first;
}

/* The next quantum at which GPUs may have to be taken away. looked: this one is done. */
static sim_time next_look(const struct ranked *r, sim_time now, bool looked)
{
    struct rank w = best_waiting(r);
    sim_time next = boundary_from(r, looked ? now + 1 : now);

    if (w.job == NO_JOB)
        return SIM_NEVER;
    if (r->every_quantum)
        return next;
    /* If nobody gets worse by itself, what could not be served now will not be served then. */
    bool tried = looked && r->rule->slope <= 0 && better(w, worst_holding(r, now));
    struct rank worst = worst_holding(r, next);
    if (worst.job != NO_JOB && better(w, worst) && !tried)
        return next;
    sim_time t = falls_behind(r, w);
    return t == SIM_NEVER ? SIM_NEVER : boundary_from(r, t > next ? t : next);
}

static void jump(struct ranked *r, void *self, struct cx *cx)
{
    while (r->jumps.n && heap_first_key(&r->jumps) <= sim_now(cx)) {
        job_id j = heap_first(&r->jumps);
        heap_drop(&r->jumps, j);
        heap_drop(&kind_of(r, j)->running, j);
        place(r, self, cx, j, JOB_RUNNING);
    }
}

void ranked_schedule(struct ranked *r, void *self, struct cx *cx)
{
    sim_time now = sim_now(cx);
    bool look = r->quantum == 0 || now % r->quantum == 0;

    jump(r, self, cx);
    fill(r, self, cx);
    if (look) {
        exchange(r, self, cx);
        fill(r, self, cx);
    }
    unblock(r);
    if (r->quantum > 0)
        sim_wake(cx, next_look(r, now, look));
}

void ranked_free(struct ranked *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        heap_free(&r->kind[i].waiting);
        heap_free(&r->kind[i].running);
        heap_free(&r->kind[i].still);
    }
    heap_free(&r->jumps);
}
