/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that sim/policy.h lets a policy do, with the checks in the order of docs/model.md. */
#include <math.h>
#include <stdarg.h>

#include "tests/property/slow.h"

enum verdict slow_refuse(struct engine *e, job_id id, enum verdict v)
{
    if (e->over)
        return v;
    e->refusals++;
    slow_emit(e, (struct record){.kind = REC_REFUSE, .job = id, .value = NAN, .told = NAN});
    if (!e->setup.count_refusals)
        slow_over(e, RUN_REFUSED, "an act was refused");
    return v;
}

/* May the policy do this now, and to this job? */
static enum verdict may_act(const struct cx *cx, uint32_t flag, job_id id)
{
    if (!cx->acting || cx->e->over)
        return ACT_NOT_NOW;
    if (flag & ~cx->e->policy->flags)
        return ACT_NOT_DECLARED;
    return slow_find(cx->e, id) ? ACT_OK : ACT_NO_JOB;
}

static enum verdict check_numbers(const struct engine *e, const struct job *j,
                                  const struct placement *p, uint32_t n)
{
    uint64_t sum = 0;

    if (!p || n == 0 || p->n != n)
        return ACT_WRONG_SIZE;
    for (uint32_t i = 0; i < p->n; i++) {
        sum += p->share[i].samples;
        if (j->spec.model != NO_MODEL && p->share[i].samples == 0)
            return ACT_WRONG_SHARES;
    }
    if (sum != j->spec.batch)
        return ACT_WRONG_SHARES;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->share[i].gpu >= e->world->n_gpus)
            return ACT_NO_GPU;
    return ACT_OK;
}

static bool named_before(const struct placement *p, uint32_t i)
{
    struct placement before = {i, p->share};

    return slow_on(&before, p->share[i].gpu);
}

static enum verdict check_rate(const struct engine *e, const struct job *j,
                               const struct placement *p)
{
    return world_rate(e->world, &j->spec, j->jitter, p) > 0 ? ACT_OK : ACT_NO_RATE;
}

static bool holds(const struct job *j, gpu_id g)
{
    struct placement held = slow_held(j);

    return slow_on(&held, g);
}

/* GPU by GPU: those it holds, or free ones, as the act allows. */
static enum verdict check_owners(const struct engine *e, const struct job *j,
                                 const struct placement *p, bool own, bool others)
{
    for (uint32_t i = 0; i < p->n; i++) {
        gpu_id g = p->share[i].gpu;
        if (!(own && holds(j, g)) && !(others && slow_residents(e, g) == 0))
            return ACT_GPU_TAKEN;
        if (named_before(p, i))
            return ACT_WRONG_SIZE;
    }
    return ACT_OK;
}

/* GPU by GPU: a seat and memory. */
static enum verdict check_seats(const struct engine *e, const struct job *j,
                                const struct placement *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        gpu_id g = p->share[i].gpu;
        uint32_t n = slow_residents(e, g);
        if (named_before(p, i))
            return ACT_WRONG_SIZE;
        if (!holds(j, g) && n > 0 && !(e->policy->flags & POLICY_SHARES))
            return ACT_NOT_DECLARED;
        if (!holds(j, g) && n == e->world->residents)
            return ACT_GPU_TAKEN;
        if (world_replica_bytes(e->world, j->spec.model, p->share[i].samples) >
            slow_free_bytes(e, g, j))
            return ACT_NO_MEMORY;
    }
    return ACT_OK;
}

/* own: it may name GPUs that it holds; others: GPUs that it does not. */
static enum verdict check_placement(const struct engine *e, const struct job *j,
                                    const struct placement *p, uint32_t n, bool own, bool others)
{
    enum verdict v = check_numbers(e, j, p, n);

    if (v == ACT_OK && slow_shares(e)) {
        if (!others)
            v = check_owners(e, j, p, own, others);
        if (v == ACT_OK)
            v = check_seats(e, j, p);
        return v == ACT_OK ? check_rate(e, j, p) : v;
    }
    if (v == ACT_OK && !world_fits(e->world, j->spec.model, p))
        v = ACT_NO_MEMORY;
    if (v == ACT_OK)
        v = check_rate(e, j, p);
    return v == ACT_OK ? check_owners(e, j, p, own, others) : v;
}

/* The policy's reason, if a sink asks for it. */
static const char *__attribute__((format(printf, 3, 0)))
reason(const struct engine *e, char text[256], const char *fmt, va_list ap)
{
    bool wanted = false;

    for (uint32_t i = 0; i < e->setup.n_sinks; i++)
        wanted |= e->setup.sink[i]->wants_why;
    vsnprintf(text, 256, fmt, ap);
    return wanted ? text : NULL;
}

#define WHY(why, fmt)                                                                              \
    char text_of_##why[256];                                                                       \
    va_list ap;                                                                                    \
    va_start(ap, fmt);                                                                             \
    const char *why = reason(cx->e, text_of_##why, fmt, ap);                                       \
    va_end(ap)

enum verdict sim_start(struct cx *cx, job_id id, const struct placement *p, const char *why, ...)
{
    struct job *j = slow_find(cx->e, id);
    enum verdict v = may_act(cx, 0, id);

    if (v == ACT_OK && j->state != JOB_WAITING)
        v = ACT_WRONG_STATE;
    if (v == ACT_OK)
        v = check_placement(cx->e, j, p, j->spec.gpus, false, true);
    if (v != ACT_OK)
        return slow_refuse(cx->e, id, v);
    WHY(text, why);
    slow_start(cx->e, j, p, text);
    return ACT_OK;
}

enum verdict sim_preempt(struct cx *cx, job_id id, const char *why, ...)
{
    struct job *j = slow_find(cx->e, id);
    enum verdict v = may_act(cx, POLICY_PREEMPTS, id);

    if (v == ACT_OK && !slow_holds(j))
        v = ACT_WRONG_STATE;
    if (v != ACT_OK)
        return slow_refuse(cx->e, id, v);
    WHY(text, why);
    slow_take_off(cx->e, j, REC_PREEMPT, text);
    return ACT_OK;
}

enum verdict sim_split(struct cx *cx, job_id id, const struct placement *p, const char *why, ...)
{
    struct job *j = slow_find(cx->e, id);
    enum verdict v = may_act(cx, POLICY_RESIZES, id);

    if (v == ACT_OK && !slow_holds(j))
        v = ACT_WRONG_STATE;
    if (v == ACT_OK)
        v = check_placement(cx->e, j, p, j->held, true, false);
    if (v != ACT_OK)
        return slow_refuse(cx->e, id, v);
    WHY(text, why);
    slow_split(cx->e, j, p, text);
    return ACT_OK;
}

enum verdict sim_resize(struct cx *cx, job_id id, const struct placement *p, const char *why, ...)
{
    struct job *j = slow_find(cx->e, id);
    enum verdict v = may_act(cx, POLICY_RESIZES, id);

    if (v == ACT_OK && !slow_holds(j))
        v = ACT_WRONG_STATE;
    if (v == ACT_OK)
        v = check_placement(cx->e, j, p, p ? p->n : 0, true, true);
    if (v != ACT_OK)
        return slow_refuse(cx->e, id, v);
    WHY(text, why);
    slow_resize(cx->e, j, p, text);
    return ACT_OK;
}

enum verdict sim_reject(struct cx *cx, job_id id, const char *why, ...)
{
    struct job *j = slow_find(cx->e, id);
    enum verdict v = may_act(cx, POLICY_REJECTS, id);

    if (v == ACT_OK && j->state != JOB_WAITING)
        v = ACT_WRONG_STATE;
    if (v != ACT_OK)
        return slow_refuse(cx->e, id, v);
    WHY(text, why);
    slow_depart(cx->e, j, JOB_REJECTED, text);
    return ACT_OK;
}

enum verdict sim_wake(struct cx *cx, sim_time at)
{
    if (!cx->acting || cx->e->over || at < cx->e->now)
        return slow_refuse(cx->e, NO_JOB, ACT_NOT_NOW);
    cx->e->alarm = at;
    return ACT_OK;
}

void sim_fail(struct cx *cx, const char *why, ...)
{
    char text[200];
    va_list ap;

    va_start(ap, why);
    vsnprintf(text, sizeof(text), why, ap);
    va_end(ap);
    slow_over(cx->e, RUN_FAILED, text);
}
