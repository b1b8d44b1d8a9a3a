/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * las - least attained service, in GPU time, without any knowledge of durations.
 *
 * With two queues (2D-LAS of Tiresias, discretised): jobs below a threshold of attained GPU time
 * come before those above it, and each queue is in order of arrival. With threshold_gpu_s=0 the
 * order is by attained service itself.
 */
#include "policies/lib/ranked.h"

struct las {
    struct ranked ranked; /* first: its callbacks work on it */
    sim_time threshold;   /* GPU time */
};

static const struct field fields[] = {
    {FIELD_SECONDS, "threshold_gpu_s", offsetof(struct las, threshold), "3600", 0, 1e9, NULL,
     "GPU seconds after which a job sinks into the second queue; 0: order by attained service "
     "itself"},
    {FIELD_SECONDS, "quantum_s", offsetof(struct las, ranked.quantum), "360", 1, 1e6, NULL,
     "GPUs are taken away only at multiples of it"},
    {FIELD_BOOL, "skip_ahead", offsetof(struct las, ranked.skip_ahead), "true", 0, 0, NULL,
     "jobs behind one that cannot be served may start"},
    {FIELD_BOOL, "every_quantum", offsetof(struct las, ranked.every_quantum), "false", 0, 0, NULL,
     "look at every quantum: slow, the same result"},
    {.type = FIELD_END},
};

static int64_t attained(void *self, struct cx *cx, job_id j)
{
    (void)self;
    return sim_job(cx, j)->ran;
}

/* Running time after which a job of so many GPUs has attained the threshold. */
static sim_time enough(const struct las *s, uint32_t gpus)
{
    return (s->threshold + gpus - 1) / gpus;
}

static int64_t queue_of(void *self, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);

    return v->ran >= enough(self, v->gpus);
}

static sim_time sinks(void *self, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    sim_time left = enough(self, v->gpus) - v->ran;

    return left > 0 ? sim_now(cx) + left : SIM_NEVER;
}

static const struct ranked_rule by_service = {
    .slope = 1,
    .by_gpus = true,
    .value = attained,
    .start_why = "least attained service of those that wait",
    .preempt_why = "less service was attained by",
};

static const struct ranked_rule by_queue = {
    .value = queue_of,
    .jumps = sinks,
    .start_why = "first of the highest queue",
    .preempt_why = "a higher queue holds",
};

static void init(void *self, struct cx *cx)
{
    struct las *s = self;

    (void)cx;
    s->ranked.rule = s->threshold > 0 ? &by_queue : &by_service;
}

const struct policy policy_las = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "las",
    .about = "least attained service: two queues, or continuous",
    .state_size = sizeof(struct las),
    .params = fields,
    .init = init,
    .schedule = ranked_schedule,
    .fini = ranked_fini,
    .job_changed = ranked_changed,
};
