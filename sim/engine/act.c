/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy's acts: each is checked against the present, applied whole or refused, and recorded.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sim/engine/act.h"
#include "sim/engine/share.h"
#include "sim/engine/step.h"

static const char *const verdict_text[] = {
    [ACT_OK] = "done",
    [ACT_NO_JOB] = "there is no such job, or it has ended",
    [ACT_WRONG_STATE] = "the job is not in a state for it",
    [ACT_WRONG_SIZE] = "not as many GPUs as the job wants, or one is named twice",
    [ACT_WRONG_SHARES] = "the batch shares do not sum to the job's batch, or one is 0",
    [ACT_NO_GPU] = "there is no such GPU",
    [ACT_GPU_TAKEN] = "a GPU is taken",
    [ACT_NO_MEMORY] = "model and samples do not fit the GPU's memory",
    [ACT_NO_RATE] = "the cost model knows no step time for this model and GPU type",
    [ACT_NOT_DECLARED] = "the policy does not declare this in its flags",
    [ACT_NOT_NOW] = "acts belong into schedule(), wake-ups into the future",
};

/* printf text, if a sink wants it; in scratch memory unless it is as it stands. */
static const char *__attribute__((format(printf, 2, 0)))
format_why(struct engine *e, const char *fmt, va_list ap)
{
    char text[256];

    if (!e->wants_why || !fmt)
        return NULL;
    if (!strchr(fmt, '%') && strlen(fmt) < sizeof(text))
        return fmt;
    int n = vsnprintf(text, sizeof(text), fmt, ap);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1;
    e->scratch_used = true;
    return arena_text(e->scratch, text, len);
}

enum verdict act_refuse(struct engine *e, job_id id, const char *act, enum verdict v)
{
    char why[280];

    if (e->ended)
        return v;
    snprintf(why, sizeof(why), "%s: %s", act, *e->detail ? e->detail : verdict_text[v]);
    *e->detail = '\0';
    e->n_refusals++;
    engine_emit(e, &(struct record){.kind = REC_REFUSE,
                                    .job = id,
                                    .experiment = NO_EXPERIMENT,
                                    .value = NAN,
                                    .told = NAN,
                                    .why = why});
    if (e->set.count_refusals)
        return v;
    if (id == NO_JOB)
        engine_stop(e, RUN_REFUSED, "policy %s: %s", e->set.policy->name, why);
    else
        engine_stop(e, RUN_REFUSED, "policy %s, job %u: %s", e->set.policy->name, sim_number(id),
                    why);
    return v;
}

/* A round that never ends: two jobs that push each other out, again and again. */
static void count_act(struct engine *e)
{
    uint64_t most = 10000 + 100 * (uint64_t)e->in_system;

    if (++e->n_acts > most)
        engine_stop(e, RUN_LIVELOCK, "policy %s has done %llu acts in one round for %u jobs",
                    e->set.policy->name, (unsigned long long)most, e->in_system);
}

/* Jobs that are stopped before they have run, again and again: taken off in their set-up, or sent
 * to other GPUs while replicas are still being copied. Time passes, but nothing else. */
static void count_stop(struct engine *e)
{
    uint64_t most = 10000 + 1000 * (uint64_t)e->in_system;

    if (++e->stopped > most)
        engine_stop(
            e, RUN_LIVELOCK,
            "policy %s has taken jobs off their GPUs or sent them to others %llu times, and "
            "no job has run in between",
            e->set.policy->name, (unsigned long long)most);
}

/* Steps one by one, preempt_at `now`: a job that is sent to other GPUs more often than it can do a
 * step. */
static void count_given_up(struct engine *e)
{
    uint64_t most = 10000 + 1000 * (uint64_t)e->in_system;

    if (++e->given_up > most)
        engine_stop(e, RUN_LIVELOCK,
                    "policy %s has sent jobs to other GPUs in the middle of a step %llu times, and "
                    "no step was done in between",
                    e->set.policy->name, (unsigned long long)most);
}

/* What every act asks first: is it time, is it declared, is there such a job? */
static enum verdict may_act(struct engine *e, const struct job *j, uint32_t flag)
{
    count_act(e);
    if (!e->in_schedule || e->ended)
        return ACT_NOT_NOW;
    if (flag && !(e->set.policy->flags & flag))
        return ACT_NOT_DECLARED;
    return j ? ACT_OK : ACT_NO_JOB;
}

/* Number and samples first, then whether there are such GPUs. */
static enum verdict check_shares(const struct engine *e, const struct job *j,
                                 const struct placement *p, uint32_t n)
{
    uint64_t sum = 0;
    uint32_t least = UINT32_MAX;
    gpu_id last = 0;

    if (!p || p->n != n || n == 0)
        return ACT_WRONG_SIZE;
    for (uint32_t i = 0; i < p->n; i++) {
        sum += p->share[i].samples;
        least = p->share[i].samples < least ? p->share[i].samples : least;
        last = p->share[i].gpu > last ? p->share[i].gpu : last;
    }
    if (sum != j->spec.batch || (least == 0 && j->spec.model != NO_MODEL))
        return ACT_WRONG_SHARES;
    return last < e->world->n_gpus ? ACT_OK : ACT_NO_GPU;
}

/* What a placement must fulfil whatever the act; *rate is the true rate on it, alone. */
static inline enum verdict check_placement(struct engine *e, const struct job *j,
                                           const struct placement *p, uint32_t n, double *rate)
{
    enum verdict v = check_shares(e, j, p, n);

    if (v == ACT_OK && is_shared(e))
        v = seat_admit(e, j, p);
    else if (v == ACT_OK && !world_fits(e->world, j->spec.model, p))
        v = ACT_NO_MEMORY;
    if (v == ACT_OK && (*rate = life_rate(e, j, p)) <= 0)
        v = ACT_NO_RATE;
    return v;
}

/* Takes the GPUs if all is well. */
static enum verdict try_start(struct engine *e, struct job *j, const struct placement *p,
                              double *rate)
{
    enum verdict v =
        j->state == JOB_WAITING ? check_placement(e, j, p, j->spec.gpus, rate) : ACT_WRONG_STATE;

    if (v != ACT_OK)
        return v;
    count_held(e);
    if (!is_shared(e))
        return gpus_take(&e->gpus, p, sim_slot(j->id));
    seat_join(e, j, p);
    return ACT_OK;
}

/* What the policy was told by a prediction; NAN: nothing was predicted. */
static double told(struct engine *e, const struct job *j, const struct placement *p)
{
    if (j->spec.model == NO_MODEL)
        return NAN;
    struct known_job known = life_known(j);
    return known_there(e->world, &known, p) ? NAN : belief_rate(e->set.belief, &known, p);
}

enum verdict sim_start(struct cx *cx, job_id id, const struct placement *p, const char *why, ...)
{
    struct engine *e = cx->e;
    struct job *j = job_find(e, id);
    enum verdict v = may_act(e, j, 0);
    double rate = 0;
    va_list ap;

    if (v == ACT_OK)
        v = try_start(e, j, p, &rate);
    if (v != ACT_OK)
        return act_refuse(e, id, "start", v);
    va_start(ap, why);
    const char *text = format_why(e, why, ap);
    va_end(ap);
    move_on(e, j, p, rate, told(e, j, p), text);
    return ACT_OK;
}

enum verdict sim_preempt(struct cx *cx, job_id id, const char *why, ...)
{
    struct engine *e = cx->e;
    struct job *j = job_find(e, id);
    enum verdict v = may_act(e, j, POLICY_PREEMPTS);
    va_list ap;

    if (v == ACT_OK && !j->n_held)
        v = ACT_WRONG_STATE;
    if (v != ACT_OK)
        return act_refuse(e, id, "preempt", v);
    va_start(ap, why);
    const char *text = format_why(e, why, ap);
    va_end(ap);
    move_off(e, j, REC_PREEMPT, JOB_WAITING, text);
    count_stop(e);
    return ACT_OK;
}

static bool holds(const struct engine *e, const struct job *j, gpu_id g)
{
    return is_shared(e) ? gpus_resident(&e->gpus, g, j->id) != NULL
                        : e->gpus.gpu[g].owner == sim_slot(j->id);
}

/* Whether a placement names the GPUs that are held, in any order. */
static enum verdict same_gpus(struct engine *e, const struct job *j, const struct placement *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (!holds(e, j, p->share[i].gpu)) {
            if (is_shared(e))
                snprintf(e->detail, sizeof(e->detail), "the job does not hold GPU %u",
                         p->share[i].gpu);
            return ACT_GPU_TAKEN;
        }
        for (uint32_t k = 0; k < i; k++)
            if (p->share[k].gpu == p->share[i].gpu)
                return ACT_WRONG_SIZE;
    }
    return ACT_OK;
}

static enum verdict try_split(struct engine *e, struct job *j, const struct placement *p,
                              double *rate)
{
    enum verdict v = j->n_held ? check_shares(e, j, p, j->n_held) : ACT_WRONG_STATE;

    if (v == ACT_OK && is_shared(e)) /* else a GPU might be refused for want of a seat */
        v = same_gpus(e, j, p);
    if (v == ACT_OK)
        v = check_placement(e, j, p, j->n_held, rate);
    return v == ACT_OK && !is_shared(e) ? same_gpus(e, j, p) : v;
}

enum verdict sim_split(struct cx *cx, job_id id, const struct placement *p, const char *why, ...)
{
    struct engine *e = cx->e;
    struct job *j = job_find(e, id);
    enum verdict v = may_act(e, j, POLICY_RESIZES);
    double rate = 0;
    va_list ap;

    if (v == ACT_OK)
        v = try_split(e, j, p, &rate);
    if (v != ACT_OK)
        return act_refuse(e, id, "split", v);
    va_start(ap, why);
    const char *text = format_why(e, why, ap);
    va_end(ap);
    if (j->state == JOB_RUNNING)
        life_settle(e, j);
    move_shares(e, j, p, rate);
    struct record r = placed_record(e, j, REC_SPLIT, p);
    r.run = j->state == JOB_SETUP ? j->begin : e->now;
    r.value = rate;
    r.told = told(e, j, p);
    r.why = text;
    engine_emit(e, &r);
    life_aim(e, j);
    return ACT_OK;
}

/* Of GPUs that are not shared: those it does not hold must be free. */
static enum verdict all_free(const struct engine *e, const struct job *j, const struct placement *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        gpu_id g = p->share[i].gpu;
        if (!holds(e, j, g) && e->gpus.gpu[g].owner != NO_OWNER)
            return ACT_GPU_TAKEN;
        for (uint32_t k = 0; k < i; k++)
            if (p->share[k].gpu == g)
                return ACT_WRONG_SIZE;
    }
    return ACT_OK;
}

/* *begin: when it goes on there. */
static enum verdict try_resize(struct engine *e, const struct job *j, const struct placement *p,
                               double *rate, sim_time *begin)
{
    enum verdict v = j->n_held ? check_placement(e, j, p, p ? p->n : 0, rate) : ACT_WRONG_STATE;

    if (v == ACT_WRONG_SIZE)
        snprintf(e->detail, sizeof(e->detail), "no GPU is named, or one twice");
    if (v == ACT_OK && !is_shared(e))
        v = all_free(e, j, p);
    if (v != ACT_OK)
        return v;
    *begin = j->state == JOB_SETUP ? j->begin : e->now;
    sim_time from = e->steps && j->state == JOB_RUNNING ? step_lands(e, j) : e->now;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct gpu_now *g = &e->gpus.gpu[p->share[i].gpu];
        sim_time there = later(g->ready > from ? g->ready : from, e->world->overheads.replica);
        if (!holds(e, j, p->share[i].gpu) && there > *begin)
            *begin = there;
    }
    return ACT_OK;
}

enum verdict sim_resize(struct cx *cx, job_id id, const struct placement *p, const char *why, ...)
{
    struct engine *e = cx->e;
    struct job *j = job_find(e, id);
    enum verdict v = may_act(e, j, POLICY_RESIZES);
    sim_time begin = 0;
    double rate = 0;
    va_list ap;

    if (v == ACT_OK)
        v = try_resize(e, j, p, &rate, &begin);
    if (v != ACT_OK)
        return act_refuse(e, id, "resize", v);
    va_start(ap, why);
    const char *text = format_why(e, why, ap);
    va_end(ap);
    sim_time lost = move_resize(e, j, p, rate, begin);
    if (begin > e->now)
        count_stop(e);
    if (lost > 0)
        count_given_up(e);
    struct record r = placed_record(e, j, REC_RESIZE, p);
    r.run = begin;
    r.lost = lost;
    r.value = rate;
    r.told = told(e, j, p);
    r.why = text;
    engine_emit(e, &r);
    life_aim(e, j);
    return ACT_OK;
}

enum verdict sim_reject(struct cx *cx, job_id id, const char *why, ...)
{
    struct engine *e = cx->e;
    struct job *j = job_find(e, id);
    enum verdict v = may_act(e, j, POLICY_REJECTS);
    va_list ap;

    if (v == ACT_OK && j->state != JOB_WAITING)
        v = ACT_WRONG_STATE;
    if (v != ACT_OK)
        return act_refuse(e, id, "reject", v);
    va_start(ap, why);
    const char *text = format_why(e, why, ap);
    va_end(ap);
    struct record r = job_record(j, REC_REJECT);
    r.why = text;
    engine_emit(e, &r);
    life_leave(e, j, JOB_REJECTED);
    return ACT_OK;
}

enum verdict sim_wake(struct cx *cx, sim_time at)
{
    struct engine *e = cx->e;

    if (!e->in_schedule || e->ended || at < e->now || (at > SIM_LATEST && at != SIM_NEVER))
        return act_refuse(e, NO_JOB, "wake", ACT_NOT_NOW);
    e->alarm = at;
    return ACT_OK;
}

void sim_fail(struct cx *cx, const char *why, ...)
{
    char text[300];
    va_list ap;

    va_start(ap, why);
    vsnprintf(text, sizeof(text), why, ap);
    va_end(ap);
    engine_stop(cx->e, RUN_FAILED, "policy %s gave up: %s", cx->e->set.policy->name, text);
}
