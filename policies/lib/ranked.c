/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/ranked.h"

#include <math.h>

#include "policies/lib/grow.h"

static bool better(struct rank a, struct rank b)
{
    return a.value < b.value || (a.value == b.value && a.job < b.job);
}

static const struct rank nobody = {0, NO_JOB};

static sim_area scaled(const struct ranked *r, uint32_t gpus, int64_t value)
{
    return (sim_area)value * (r->rule->by_gpus ? gpus : 1);
}

/* ---- queues and groups ---- */

static uint32_t queue_of(struct ranked *r, struct cx *cx, const struct job_view *v)
{
    uint32_t i = 0;

    while (i < r->queues && (r->queue[i].gpus != v->gpus || r->queue[i].types != v->types))
        i++;
    if (i < r->queues)
        return i;
    r->queue = grow(cx, r->queue, i, &r->queue_cap, sizeof(*r->queue));
    r->queue[i] = (struct ranked_queue){.gpus = v->gpus, .types = v->types};
    return r->queues++;
}

static uint32_t group_of(struct ranked *r, struct cx *cx, const struct job_view *v, double pace)
{
    double least = floor(fmin(pace, 2) * 16) / 16;
    uint32_t i = 0, gpus = r->rule->by_gpus ? v->gpus : 1;
    bool exact = least == pace;

    while (i < r->groups &&
           (r->group[i].gpus != gpus || r->group[i].pace != least || r->group[i].exact != exact))
        i++;
    if (i < r->groups)
        return i;
    r->group = grow(cx, r->group, i, &r->group_cap, sizeof(*r->group));
    r->group[i] = (struct ranked_group){.gpus = gpus,
                                        .pace = least,
                                        .exact = exact,
                                        .running.flip = HEAP_MAX,
                                        .still.flip = HEAP_MAX};
    return r->groups++;
}

static struct ranked_seat *seat_of(const struct ranked *r, job_id j)
{
    return &r->seat[sim_slot(j)];
}

/* How far the value of a running job moves in a time, at least. */
static int64_t moved(const struct ranked *r, const struct ranked_group *g, sim_time t)
{
    return r->rule->slope * (g->pace == 1 ? t : (sim_time)(g->pace * (double)t));
}

/* ---- where a job stands ---- */

static void stop_holding(struct ranked *r, job_id j)
{
    struct ranked_group *g = &r->group[seat_of(r, j)->group];

    heap_drop(&g->running, j);
    heap_drop(&g->still, j);
}

static void forget(struct ranked *r, job_id j)
{
    heap_drop(&r->queue[seat_of(r, j)->queue].waiting, j);
    if (r->groups > 0)
        stop_holding(r, j);
    heap_drop(&r->jumps, j);
}

static void hold(struct ranked *r, struct cx *cx, job_id j, int64_t value)
{
    const struct job_view *v = sim_job(cx, j);
    bool runs = v->state == JOB_RUNNING;
    uint32_t i = group_of(r, cx, v, runs && r->rule->pace ? r->rule->pace(r, cx, j) : 1);
    struct ranked_group *g = &r->group[i];

    seat_of(r, j)->group = i;
    if (!runs) {
        heap_set(&g->still, j, value);
        return;
    }
    heap_set(&g->running, j, value - moved(r, g, sim_now(cx)));
    sim_time at = r->rule->jumps ? r->rule->jumps(r, cx, j) : SIM_NEVER;
    if (at != SIM_NEVER)
        heap_set(&r->jumps, j, at);
}

static void place(struct ranked *r, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);

    if (v->state == JOB_WAITING)
        heap_set(&r->queue[seat_of(r, j)->queue].waiting, j, r->rule->value(r, cx, j));
    else if (v->state == JOB_SETUP || v->state == JOB_RUNNING)
        hold(r, cx, j, r->rule->value(r, cx, j));
}

void ranked_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct ranked *r = self;
    enum job_state state = sim_job(cx, j)->state;

    if (was == JOB_FUTURE) {
        r->seat = grow(cx, r->seat, sim_slot(j), &r->slots, sizeof(*r->seat));
        *seat_of(r, j) = (struct ranked_seat){queue_of(r, cx, sim_job(cx, j)), 0};
    }
    forget(r, j);
    if (state < JOB_DONE)
        place(r, cx, j);
}

/* ---- ranks ---- */

/* The best waiting job that is not blocked. */
static struct rank best_waiting(const struct ranked *r)
{
    struct rank best = nobody;

    for (uint32_t i = 0; i < r->queues; i++) {
        const struct ranked_queue *q = &r->queue[i];
        if (q->blocked || q->waiting.n == 0)
            continue;
        struct rank x = {scaled(r, q->gpus, heap_first_key(&q->waiting)), heap_first(&q->waiting)};
        if (best.job == NO_JOB || better(x, best))
            best = x;
    }
    return best;
}

/* The worst job that holds GPUs, by keys: at a time, its value is at most this. *of: its group, if
 * it runs. */
static struct rank worst_by_key(const struct ranked *r, sim_time at, struct ranked_group **of)
{
    struct rank worst = nobody;

    *of = NULL;
    for (uint32_t i = 0; i < r->groups; i++) {
        struct ranked_group *g = &r->group[i];
        struct rank x[2] = {nobody, nobody};
        if (g->running.n)
            x[0] = (struct rank){scaled(r, g->gpus, heap_first_key(&g->running) + moved(r, g, at)),
                                 heap_first(&g->running)};
        if (g->still.n)
            x[1] =
                (struct rank){scaled(r, g->gpus, heap_first_key(&g->still)), heap_first(&g->still)};
        for (int s = 0; s < 2; s++)
            if (x[s].job != NO_JOB && (worst.job == NO_JOB || better(worst, x[s]))) {
                worst = x[s];
                *of = s == 0 ? g : NULL;
            }
    }
    return worst;
}

/* The worst job that holds GPUs now. Who is first by a bound gets an exact key, and may fall back
 * behind others. */
static struct rank worst_holding(struct ranked *r, struct cx *cx)
{
    sim_time now = sim_now(cx);

    for (;;) {
        struct ranked_group *g;
        struct rank worst = worst_by_key(r, now, &g);
        if (!g || g->exact)
            return worst;
        int64_t key = r->rule->value(r, cx, worst.job) - moved(r, g, now);
        if (key == heap_first_key(&g->running))
            return worst;
        heap_set(&g->running, worst.job, key);
    }
}

/* ---- starting ---- */

static bool start(struct ranked *r, struct cx *cx, job_id j, const struct placement *p)
{
    if (sim_start(cx, j, p, "%s", r->rule->start_why) != ACT_OK)
        return false;
    forget(r, j);
    place(r, cx, j);
    return true;
}

static void unblock(struct ranked *r)
{
    for (uint32_t i = 0; i < r->queues; i++)
        r->queue[i].blocked = false;
}

/* Gives free GPUs away, best first. */
static void fill(struct ranked *r, struct cx *cx)
{
    struct rank w;

    unblock(r);
    while (sim_free_gpus(cx) > 0 && (w = best_waiting(r)).job != NO_JOB) {
        const struct placement *p = sim_pick(cx, w.job);
        if (p) {
            if (!start(r, cx, w.job, p))
                return;
        } else if (!r->skip_ahead) {
            return;
        } else {
            r->queue[seat_of(r, w.job)->queue].blocked = true;
        }
    }
}

/* ---- taking away ---- */

#define MOST_STAY 64 /* so many that would return are passed over: no scan of all that run */

static void add_victim(struct victims *v, struct cx *cx, struct rank x, type_id t)
{
    v->rank = grow(cx, v->rank, v->n, &v->rank_cap, sizeof(*v->rank));
    v->type = grow(cx, v->type, v->n, &v->type_cap, sizeof(*v->type));
    v->rank[v->n] = x;
    v->type[v->n++] = t;
}

/* Whether a job comes before w once it has finished what a preemption lets it finish: it would want
 * its GPUs back in the same instant. */
static bool would_return(struct ranked *r, struct cx *cx, job_id j, struct rank w)
{
    if (r->seen == FINISHES_NOTHING || !r->rule->landing || sim_job(cx, j)->state != JOB_RUNNING)
        return false;
    uint32_t gpus = sim_job(cx, j)->gpus;
    return !better(w, (struct rank){scaled(r, gpus, r->rule->landing(r, cx, j, r->seen)), j});
}

/* Victims worse than w until one GPU type has enough; the type, or NO_GPU. They are out of the
 * heaps. */
static type_id choose(struct ranked *r, struct cx *cx, struct rank w)
{
    struct victims *v = &r->victims;
    const struct job_view *job = sim_job(cx, w.job);
    uint32_t want = job->gpus, stay = 0;
    uint64_t types = job->types;

    v->n = 0;
    if (!v->gpus)
        v->gpus = sim_keep(cx, sim_types(cx) * sizeof(*v->gpus));
    for (type_id t = 0; t < sim_types(cx); t++)
        v->gpus[t] = sim_type(cx, t).free;
    while (stay < MOST_STAY) {
        struct rank x = worst_holding(r, cx);
        if (x.job == NO_JOB || !better(w, x))
            return NO_GPU;
        struct placement held = sim_held(cx, x.job);
        type_id t = sim_gpu(cx, held.share[0].gpu).type;
        bool stays = would_return(r, cx, x.job, w);
        add_victim(v, cx, x, stays ? NO_GPU : t);
        stop_holding(r, x.job);
        v->gpus[t] += stays ? 0 : held.n;
        stay += stays;
        if (!stays && v->gpus[t] >= want && types >> t & 1)
            return t;
    }
    return NO_GPU;
}

static bool take_off(struct ranked *r, struct cx *cx, job_id j, job_id by)
{
    const struct job_view *v = sim_job(cx, j);
    double steps = v->steps;

    if (sim_preempt(cx, j, "%s job %u", r->rule->preempt_why, sim_number(by)) != ACT_OK)
        return false;
    heap_drop(&r->jumps, j);
    steps = v->model == NO_MODEL ? 0 : sim_job(cx, j)->steps - steps;
    if (steps > 0 && r->seen != FINISHES_EPOCH)
        r->seen = steps > 1 ? FINISHES_EPOCH : FINISHES_STEP;
    return true;
}

/* Preempts the victims of the type that was chosen and puts the others back. */
static bool evict(struct ranked *r, struct cx *cx, type_id t, job_id by)
{
    const struct victims *v = &r->victims;

    for (uint32_t i = 0; i < v->n; i++) {
        job_id j = v->rank[i].job;
        if (t != NO_GPU && v->type[i] == t && !take_off(r, cx, j, by))
            return false;
        place(r, cx, j);
    }
    return true;
}

/* GPUs go from the worst that hold them to better ones that wait. */
static void exchange(struct ranked *r, struct cx *cx)
{
    struct rank w;

    unblock(r);
    while ((w = best_waiting(r)).job != NO_JOB) {
        const struct placement *p = sim_pick(cx, w.job); /* a larger victim has left some */
        r->victims.n = 0;
        if (!p) {
            type_id t = choose(r, cx, w);
            if (!evict(r, cx, t, w.job))
                return;
            p = t == NO_GPU ? NULL : sim_pick(cx, w.job);
        }
        if (p) {
            if (!start(r, cx, w.job, p))
                return;
        } else if (!r->skip_ahead || r->victims.n == 0) {
            return;
        } else {
            r->queue[seat_of(r, w.job)->queue].blocked = true;
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

    for (uint32_t i = 0; i < r->groups && r->rule->slope > 0; i++) {
        const struct ranked_group *g = &r->group[i];
        if (g->running.n == 0)
            continue;
        /* gpus * (key + t) >= w; ties are looked at, too: the lower id decides there. */
        sim_area t = (w.value + g->gpus - 1) / g->gpus - heap_first_key(&g->running);
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
    struct ranked_group *g;
    struct rank w = best_waiting(r);
    sim_time next = boundary_from(r, looked ? now + 1 : now);

    if (w.job == NO_JOB)
        return SIM_NEVER;
    if (r->every_quantum)
        return next;
    /* If nobody gets worse by itself, what could not be served now will not be served then. */
    bool tried = looked && r->rule->slope <= 0 && better(w, worst_by_key(r, now, &g));
    struct rank worst = worst_by_key(r, next, &g);
    if (worst.job != NO_JOB && better(w, worst) && !tried)
        return next;
    sim_time t = falls_behind(r, w);
    return t == SIM_NEVER ? SIM_NEVER : boundary_from(r, t > next ? t : next);
}

static void jump(struct ranked *r, struct cx *cx)
{
    while (r->jumps.n && heap_first_key(&r->jumps) <= sim_now(cx)) {
        job_id j = heap_first(&r->jumps);
        heap_drop(&r->jumps, j);
        stop_holding(r, j);
        place(r, cx, j);
    }
}

void ranked_schedule(void *self, struct cx *cx)
{
    struct ranked *r = self;
    sim_time now = sim_now(cx);
    bool look = r->quantum == 0 || now % r->quantum == 0;

    jump(r, cx);
    fill(r, cx);
    if (look) {
        exchange(r, cx);
        fill(r, cx);
    }
    unblock(r);
    if (r->quantum > 0)
        sim_wake(cx, next_look(r, now, look));
}

void ranked_fini(void *self)
{
    struct ranked *r = self;

    for (uint32_t i = 0; i < r->queues; i++)
        heap_free(&r->queue[i].waiting);
    for (uint32_t i = 0; i < r->groups; i++) {
        heap_free(&r->group[i].running);
        heap_free(&r->group[i].still);
    }
    heap_free(&r->jumps);
}
