/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Steps one by one" of docs/model.md: every job keeps what is left of each replica of its step. */
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "sim/base/rng.h"
#include "tests/property/slow.h"

#define ONE     4294967296.0 /* units of a nanosecond */
#define BESIDES (MOST_RESIDENTS - 1)

bool slow_steps(const struct engine *e)
{
    return slow_shares(e) && e->world->fidelity == FIDELITY_STEP;
}

static bool computes(const struct job *j, uint32_t r)
{
    return r < j->n_replicas && j->replica[r].left > 0;
}

/* ---- how fast ---- */

/* Models of others that compute on its GPU, the BESIDES at most that arrived first, in that order;
 * how many others there are. */
static uint32_t others(const struct engine *e, const struct replica *me, uint32_t *model)
{
    uint64_t came[BESIDES];
    uint32_t n = 0, all = 0;

    for (size_t i = 0; i < e->n_jobs; i++)
        for (uint32_t r = 0; r < e->job[i]->n_replicas; r++) {
            const struct replica *x = &e->job[i]->replica[r];
            if (x->left == 0 || x == me || x->gpu != me->gpu)
                continue;
            all++;
            uint32_t at = n < BESIDES ? n++ : x->came < came[BESIDES - 1] ? BESIDES - 1 : BESIDES;
            for (; at < BESIDES && at > 0 && came[at - 1] > x->came; at--) {
                came[at] = came[at - 1];
                model[at] = model[at - 1];
            }
            if (at < BESIDES) {
                came[at] = x->came;
                model[at] = e->job[i]->spec.model;
            }
        }
    return all;
}

/* Units a nanosecond. */
static uint64_t speed(const struct engine *e, const struct job *j, const struct replica *me)
{
    const struct world *w = e->world;
    uint32_t model[BESIDES], n;
    double p[BESIDES];

    n = others(e, me, model);
    for (uint32_t i = 0; i < BESIDES; i++)
        p[i] = 1;
    double stretch = 1;
    if (!w->contention->sliced)
        stretch = w->contention->stretch(w->contention_self, w, w->node[w->gpu[me->gpu].node].type,
                                         j->spec.model, model, p, n < BESIDES ? n : BESIDES);
    uint64_t u = (uint64_t)(ONE / stretch + 0.5);
    return n > BESIDES ? MOST_RESIDENTS * u / (n + 1) : u;
}

/* ---- a step ---- */

/* The factor of a step, eq. 4. */
static double factor_of(const struct engine *e, const struct job *j)
{
    double sigma = e->world->step_jitter;

    if (sigma <= 0)
        return j->jitter;
    uint64_t key = rng_hash(e->world->seed, "step", world_job_key(&j->spec));
    uint64_t u = rng_hash(key, "", (uint64_t)j->whole) >> 11;
    double z = gsl_cdf_ugaussian_Pinv(((double)u + 0.5) / 9007199254740992.0);
    return j->jitter * exp(sigma * z - sigma * sigma / 2);
}

static units work_left(const struct job *j)
{
    return ((units)(j->spec.work - j->whole) << 32) - (units)(j->part * ONE);
}

/* Without a model: all that is left, at the speed of the GPU. */
static units nominal_units(const struct engine *e, const struct job *j, gpu_id g)
{
    double v = e->world->gpu[g].speed;

    return v == 1 ? work_left(j) : (units)((double)work_left(j) / v + 0.5);
}

void slow_step_begin(struct engine *e, struct job *j)
{
    bool plain = j->spec.model == NO_MODEL;

    j->began = e->now;
    j->reshared = false;
    j->ends = SIM_NEVER;
    j->factor = plain ? 1 : factor_of(e, j);
    j->floor = j->gap = 0;
    j->n_replicas = j->held;
    for (uint32_t i = 0; i < j->held; i++) {
        struct replica *r = &j->replica[i];
        j->step_share[i] = j->share[i];
        *r = (struct replica){.gpu = j->share[i].gpu, .came = ++e->arrivals, .done = SIM_NEVER};
        if (plain) {
            r->left = nominal_units(e, j, r->gpu);
            continue;
        }
        struct step_parts part = world_step(e->world, j->spec.model, r->gpu, j->share[i].samples);
        r->left = (units)(j->factor * part.busy * ONE * 1e9 + 0.5);
        if (r->left == 0)
            r->left = 1;
        j->floor = fmax(j->floor, part.floor);
        j->gap = fmax(j->gap, part.gap);
    }
}

/* When the step ends whose last replica is done so long after it began. */
static sim_time end_of(const struct engine *e, const struct job *j, sim_time compute)
{
    struct placement p = {j->n_replicas, j->step_share};

    if (j->spec.model == NO_MODEL)
        return j->began + compute;
    double s = world_step_end(e->world, j->spec.model, &p,
                              fmax((double)compute / 1e9 / j->factor, j->floor), j->gap);
    sim_time all = slow_to_time(j->factor * s * 1e9);
    return j->began + (all > compute ? all : compute);
}

static bool at_epoch(const struct job *j)
{
    return j->spec.per_epoch > 0 && j->whole % j->spec.per_epoch == 0;
}

/* Its step has ended, or will have at that time. */
static void count(struct job *j, sim_time end)
{
    j->whole++;
    j->part = 0;
    j->step_took = end - j->began;
    j->stepped = end;
    if (at_epoch(j))
        j->kept_at = end;
}

void slow_step_end(struct engine *e, struct job *j)
{
    if (j->spec.model != NO_MODEL && !j->reshared && j->began >= j->measured_from) {
        j->measured++;
        j->measured_sum += e->now - j->began;
        for (uint32_t r = 0; r < j->n_replicas; r++)
            j->resid_sum[j->replica[r].gpu] += j->replica[r].done - j->began;
    }
    if (j->spec.model != NO_MODEL)
        count(j, e->now);
    j->n_replicas = 0;
}

/* ---- time passes ---- */

static units passed(const struct engine *e, const struct job *j, const struct replica *r,
                    sim_time until)
{
    units most = (units)(until - e->worked) * speed(e, j, r);

    return most < r->left ? most : r->left;
}

static bool busy(const struct engine *e, gpu_id g)
{
    for (size_t i = 0; i < e->n_jobs; i++)
        for (uint32_t r = 0; r < e->job[i]->n_replicas; r++)
            if (computes(e->job[i], r) && e->job[i]->replica[r].gpu == g)
                return true;
    return false;
}

void slow_steps_pass(struct engine *e)
{
    struct arena *a = arena_new();
    units **done = arena_get(a, e->n_jobs * sizeof(*done));

    for (gpu_id g = 0; g < e->world->n_gpus; g++)
        if (busy(e, g))
            e->stretch[g].busy += e->now - e->worked;
    for (size_t i = 0; i < e->n_jobs; i++) {
        struct job *j = e->job[i];
        done[i] = arena_get(a, j->n_replicas * sizeof(units));
        for (uint32_t r = 0; r < j->n_replicas; r++)
            done[i][r] = computes(j, r) ? passed(e, j, &j->replica[r], e->now) : 0;
    }
    for (size_t i = 0; i < e->n_jobs; i++) {
        struct job *j = e->job[i];
        for (uint32_t r = 0; r < j->n_replicas; r++) {
            struct replica *x = &j->replica[r];
            if (x->left > 0 && x->left == done[i][r])
                x->done = e->now;
            x->left -= done[i][r];
            e->stretch[x->gpu].units += done[i][r];
        }
    }
    e->worked = e->now;
    arena_free(a);
}

/* When a replica is done if nobody comes or goes any more. */
static sim_time done_at(const struct engine *e, const struct job *j, const struct replica *r)
{
    uint64_t s;

    if (r->left == 0)
        return r->done;
    s = speed(e, j, r);
    return e->worked + (sim_time)((r->left + s - 1) / s);
}

static bool is_goal(const struct job *j)
{
    return j->spec.model == NO_MODEL || j->whole + 1 == j->goal;
}

sim_time slow_steps_next(const struct engine *e)
{
    sim_time first = SIM_NEVER;

    for (size_t i = 0; i < e->n_jobs; i++) {
        const struct job *j = e->job[i];
        for (uint32_t r = 0; r < j->n_replicas; r++)
            if (computes(j, r) && done_at(e, j, &j->replica[r]) < first)
                first = done_at(e, j, &j->replica[r]);
        if (j->n_replicas && !is_goal(j) && j->ends < first)
            first = j->ends;
    }
    return first;
}

static sim_time last_done(const struct engine *e, const struct job *j)
{
    sim_time last = j->began;

    for (uint32_t r = 0; r < j->n_replicas; r++)
        if (done_at(e, j, &j->replica[r]) > last)
            last = done_at(e, j, &j->replica[r]);
    return last;
}

static bool all_done(const struct job *j)
{
    for (uint32_t r = 0; r < j->n_replicas; r++)
        if (computes(j, r))
            return false;
    return j->n_replicas > 0;
}

void slow_steps_to(struct engine *e, sim_time t)
{
    e->now = t;
    slow_steps_pass(e);
    for (size_t i = 0; i < e->n_jobs; i++) {
        struct job *j = e->job[i];
        if (!all_done(j) || j->ends != SIM_NEVER)
            continue;
        j->ends = end_of(e, j, last_done(e, j) - j->began);
        if (is_goal(j))
            j->event = j->ends;
    }
    for (size_t i = 0; i < e->n_jobs; i++) {
        struct job *j = e->job[i];
        if (!j->n_replicas || is_goal(j) || j->ends > t)
            continue;
        slow_step_end(e, j);
        slow_step_begin(e, j);
    }
}

/* ---- leaving ---- */

/* Progress of a job without a model: that of the replica that is furthest behind. */
void slow_step_progress(const struct engine *e, const struct job *j, int64_t *whole, double *part)
{
    units most = 0;

    *whole = j->whole;
    *part = j->part;
    if (j->spec.model != NO_MODEL || j->n_replicas == 0)
        return;
    for (uint32_t r = 0; r < j->n_replicas; r++) {
        double v = e->world->gpu[j->replica[r].gpu].speed;
        units left = j->replica[r].left;
        left = v == 1 ? left : (units)((double)left * v + 0.5);
        most = left > most ? left : most;
    }
    if (most > work_left(j))
        most = work_left(j);
    units done = ((units)j->spec.work << 32) - most;
    *whole = (int64_t)(done >> 32);
    *part = (double)(done & UINT32_MAX) / ONE;
}

double slow_step_mean(const struct job *j, sim_time sum)
{
    return (double)sum / ((double)j->measured * 1e9);
}

/* Seconds that each step takes that is not simulated. */
static double s_of_step(const struct engine *e, const struct job *j)
{
    if (j->measured > 0)
        return slow_step_mean(j, j->measured_sum);
    return 1 / slow_true_rate(e, j);
}

sim_time slow_step_leave(struct engine *e, struct job *j, enum preempt_at at, sim_time *lost)
{
    sim_time landing = e->now;

    *lost = 0;
    slow_step_progress(e, j, &j->whole, &j->part);
    if (j->spec.model != NO_MODEL && j->n_replicas && j->began < e->now) {
        if (at == PREEMPT_NOW) {
            *lost = e->now - j->began;
        } else {
            landing = j->ends == SIM_NEVER ? end_of(e, j, last_done(e, j) - j->began) : j->ends;
            count(j, landing);
        }
    }
    if (j->spec.model != NO_MODEL && at == PREEMPT_EPOCH && j->spec.per_epoch > 0) {
        int64_t more = (j->spec.per_epoch - j->whole % j->spec.per_epoch) % j->spec.per_epoch;
        landing += slow_to_time((double)more * s_of_step(e, j) * 1e9);
        j->whole += more;
        if (at_epoch(j) && more > 0)
            j->kept_at = landing;
    }
    j->n_replicas = 0;
    j->event = SIM_NEVER;
    return landing;
}

/* ---- what is measured ---- */

void slow_step_anew(const struct engine *e, struct job *j)
{
    j->measured_from = e->now;
    j->measured = 0;
    j->measured_sum = 0;
    for (gpu_id g = 0; g < e->world->n_gpus; g++)
        j->resid_sum[g] = 0;
}

void slow_step_measure(const struct engine *e, struct job *j)
{
    (void)e;
    if (j->measured > 0)
        j->seen_rate = 1 / slow_step_mean(j, j->measured_sum);
    else if (j->step_took > 0)
        j->seen_rate = 1 / ((double)j->step_took / 1e9);
}

/* ---- after a round ---- */

static bool same_on(const struct engine *e, const struct stretch *s)
{
    gpu_id g = (gpu_id)(s - e->stretch);
    uint32_t n = 0;

    for (size_t i = 0; i < e->n_jobs; i++) {
        struct placement held = slow_held(e->job[i]);
        const struct share *share = slow_on(&held, g);
        if (e->job[i]->state != JOB_RUNNING || !share)
            continue;
        if (n == s->n || s->job[n] != e->job[i] || s->samples[n] != share->samples)
            return false;
        n++;
    }
    return n == s->n;
}

static void close_stretch(struct engine *e, const struct stretch *s)
{
    const struct world *w = e->world;
    struct share share = {(gpu_id)(s - e->stretch), s->n};
    double dt = (double)(e->now - s->since),
           peak = w->contention->peak(w->contention_self, w, w->node[w->gpu[share.gpu].node].type,
                                      w->residents);

    if ((s->n == 0 && s->busy == 0) || e->now == s->since)
        return;
    slow_emit(e, (struct record){.kind = REC_LOAD,
                                 .job = NO_JOB,
                                 .n = 1,
                                 .share = &share,
                                 .run = s->since,
                                 .value = (double)s->busy / dt,
                                 .told = (double)s->units / ONE / dt / peak});
}

static void open_stretch(struct engine *e, struct stretch *s)
{
    s->since = e->now;
    s->busy = 0;
    s->units = 0;
    s->n = 0;
    for (size_t i = 0; i < e->n_jobs; i++) {
        struct job *j = e->job[i];
        struct placement held = slow_held(j);
        const struct share *share = slow_on(&held, (gpu_id)(s - e->stretch));
        if (j->state != JOB_RUNNING || !share)
            continue;
        s->job[s->n] = j;
        s->samples[s->n++] = share->samples;
        slow_step_anew(e, j);
    }
}

void slow_step_loads(struct engine *e)
{
    slow_steps_pass(e);
    for (gpu_id g = 0; g < e->world->n_gpus; g++) {
        e->changed[g] = false;
        if (same_on(e, &e->stretch[g]))
            continue;
        close_stretch(e, &e->stretch[g]);
        open_stretch(e, &e->stretch[g]);
    }
}

void slow_step_last_loads(struct engine *e)
{
    slow_steps_pass(e);
    for (gpu_id g = 0; g < e->world->n_gpus; g++)
        close_stretch(e, &e->stretch[g]);
}
