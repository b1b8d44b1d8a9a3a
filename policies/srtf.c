/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * srtf - shortest remaining time first, with preemption. An oracle. Time is what would remain on
 * the fastest GPU type, wherever a job runs: so the order does not depend on the placement.
 *
 * A preempted job may be allowed to finish its step or epoch (preempt_at). One that would come
 * first after that keeps its GPUs, as soon as a preemption has shown what is allowed.
 */
#include "policies/lib/ranked.h"

#include <math.h>

static const struct field fields[] = {
    {FIELD_SECONDS, "quantum_s", offsetof(struct ranked, quantum), "0", 0, 1e6, NULL,
     "GPUs are taken away only at multiples of it; 0: at any time"},
    {FIELD_BOOL, "skip_ahead", offsetof(struct ranked, skip_ahead), "true", 0, 0, NULL,
     "jobs behind one that cannot be served may start"},
    {FIELD_BOOL, "every_quantum", offsetof(struct ranked, every_quantum), "false", 0, 0, NULL,
     "look at every quantum: slow, the same result"},
    {.type = FIELD_END},
};

static int64_t remaining(void *self, struct cx *cx, job_id j)
{
    (void)self;
    return sim_remaining(cx, j);
}

/* On its GPUs the time that would remain on the fastest ones runs down slower. */
static double pace(void *self, struct cx *cx, job_id j)
{
    struct placement held = sim_held(cx, j);
    sim_time best = sim_remaining(cx, j), here = sim_remaining_on(cx, j, &held);

    (void)self;
    return best == here ? 1 : (double)best / (double)here;
}

static int64_t landing(void *self, struct cx *cx, job_id j, enum finishes what)
{
    const struct job_view *v = sim_job(cx, j);
    double left = v->steps_declared - v->steps,
           unit = what == FINISHES_EPOCH && v->epochs ? v->steps_declared / v->epochs : 1;
    double share = left > 0 ? floor(left / unit) * unit / left : 0;

    (void)self;
    return (int64_t)((double)sim_remaining(cx, j) * share + 0.5);
}

static const struct ranked_rule rule = {
    .slope = -1,
    .value = remaining,
    .pace = pace,
    .landing = landing,
    .start_why = "least remaining time of those that wait",
    .preempt_why = "less time remains for",
};

static void init(void *self, struct cx *cx)
{
    (void)cx;
    ((struct ranked *)self)->rule = &rule;
}

const struct policy policy_srtf = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS | POLICY_ORACLE,
    .name = "srtf",
    .about = "shortest remaining time first, with preemption (oracle)",
    .state_size = sizeof(struct ranked),
    .params = fields,
    .init = init,
    .schedule = ranked_schedule,
    .fini = ranked_fini,
    .job_changed = ranked_changed,
};
