/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sjf - shortest job first, without preemption. An oracle: it knows how long each job will run. */
#include "policies/lib/queue.h"

struct sjf {
    bool skip_ahead;
    struct queue queue;
};

static const struct field fields[] = {
    {FIELD_BOOL, "skip_ahead", offsetof(struct sjf, skip_ahead), "false", 0, 0, NULL,
     "longer jobs may start while the shortest does not fit"},
    {.type = FIELD_END},
};

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct sjf *s = self;

    (void)was;
    if (sim_job(cx, j)->state == JOB_WAITING)
        queue_put(&s->queue, cx, j, sim_remaining(cx, j));
    else
        queue_drop(&s->queue, j);
}

static void schedule(void *self, struct cx *cx)
{
    struct sjf *s = self;

    queue_start(&s->queue, cx, s->skip_ahead, "shortest of those that wait");
}

static void fini(void *self)
{
    queue_free(&((struct sjf *)self)->queue);
}

const struct policy policy_sjf = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_ORACLE,
    .name = "sjf",
    .about = "shortest job first, without preemption (oracle)",
    .state_size = sizeof(struct sjf),
    .params = fields,
    .schedule = schedule,
    .fini = fini,
    .job_changed = job_changed,
};
