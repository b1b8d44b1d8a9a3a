/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Other shares, other GPUs" of docs/model.md. */
#include "tests/property/slow.h"

/* Other shares or other GPUs; it goes on there at `at`. Where GPUs are shared the rate of a job
 * that runs is left to the solution that follows. */
static void go_on(struct engine *e, struct job *j, const struct placement *p, sim_time at)
{
    slow_hold(j, p);
    slow_mark(e, j);
    if (j->state != JOB_RUNNING || !slow_shares(e))
        j->rate = slow_rate(e, j);
    if (j->state == JOB_SETUP) {
        j->event = at;
    } else {
        j->ran_on = j->home;
        j->reshared = true;
        slow_step_anew(e, j);
        if (j->n_replicas == 0) /* else its step goes on where it is */
            slow_aim(e, j);
    }
}

static void tell(struct engine *e, struct job *j, enum record_kind kind, sim_time at, sim_time lost,
                 const char *why)
{
    struct record r = slow_record(e, kind, j);

    r.run = at;
    r.lost = lost;
    r.value = slow_true_rate(e, j);
    r.told = slow_told(e, j);
    r.why = why;
    slow_emit(e, r);
}

void slow_split(struct engine *e, struct job *j, const struct placement *p, const char *why)
{
    sim_time at = j->state == JOB_SETUP ? j->event : e->now;

    slow_settle(e, j);
    go_on(e, j, p, at);
    tell(e, j, REC_SPLIT, at, 0, why);
}

/* Some of these GPUs are new to it. */
static bool comes_to(const struct job *j, const struct placement *p)
{
    struct placement old = slow_held(j);

    for (uint32_t i = 0; i < p->n; i++)
        if (!slow_on(&old, p->share[i].gpu))
            return true;
    return false;
}

/* A resized job leaves its step, unless it only gives up GPUs; returns when it has landed. */
static sim_time leave_step(struct engine *e, struct job *j, const struct placement *p,
                           sim_time *lost)
{
    enum preempt_at at = e->world->preempt_at == PREEMPT_NOW ? PREEMPT_NOW : PREEMPT_STEP;

    if (j->spec.model != NO_MODEL && !comes_to(j, p))
        return e->now;
    sim_time landing = slow_step_leave(e, j, at, lost);
    j->kept_at += *lost;
    j->step_took = 0; /* on other GPUs */
    if (j->whole == j->goal) {
        j->landing = landing;
        j->landing_goal = j->goal;
    }
    return landing;
}

void slow_resize(struct engine *e, struct job *j, const struct placement *p, const char *why)
{
    struct placement old = slow_held(j);
    sim_time from = e->now, lost = 0, at;

    slow_mark(e, j);
    slow_settle(e, j);
    if (slow_steps(e) && j->state == JOB_RUNNING)
        from = leave_step(e, j, p, &lost);
    at = j->state == JOB_SETUP ? j->event : from;
    for (uint32_t i = 0; i < p->n; i++) {
        gpu_id g = p->share[i].gpu;
        sim_time ready = e->ready[g] > from ? e->ready[g] : from;
        if (!slow_on(&old, g) && ready + e->world->overheads.replica > at)
            at = ready + e->world->overheads.replica;
    }
    if (j->state == JOB_RUNNING && at > e->now) {
        j->ran += e->now - j->stretch;
        j->usable = from;
        j->copying = true;
        slow_to(e, j, JOB_SETUP);
    }
    go_on(e, j, p, at);
    tell(e, j, REC_RESIZE, at, lost, why);
}
