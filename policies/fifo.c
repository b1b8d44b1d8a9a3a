/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fifo - arrival order: the head of the queue blocks the rest, unless skip_ahead. Strict order
 * needs no queue of its own: the engine lists waiting jobs by submission.
 */
#include "policies/lib/queue.h"

struct fifo {
    bool skip_ahead;
    struct queue queue;
};

static const struct field fields[] = {
    {FIELD_BOOL, "skip_ahead", offsetof(struct fifo, skip_ahead), "false", 0, 0, NULL,
     "jobs behind a head that does not fit may start"},
    {.type = FIELD_END},
};

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct fifo *s = self;

    (void)was;
    if (!s->skip_ahead)
        return;
    if (sim_job(cx, j)->state == JOB_WAITING)
        queue_put(&s->queue, cx, j, 0);
    else
        queue_drop(&s->queue, j);
}

static void schedule(void *self, struct cx *cx)
{
    struct fifo *s = self;
    const struct placement *p;
    job_id j;

    if (s->skip_ahead) {
        queue_start(&s->queue, cx, true, "next in order of arrival");
        return;
    }
    while ((j = sim_first(cx, JOB_WAITING)) != NO_JOB && (p = sim_pick(cx, j)) != NULL)
        if (sim_start(cx, j, p, "head of the queue") != ACT_OK)
            return;
}

static void fini(void *self)
{
    queue_free(&((struct fifo *)self)->queue);
}

const struct policy policy_fifo = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "fifo",
    .about = "arrival order",
    .state_size = sizeof(struct fifo),
    .params = fields,
    .schedule = schedule,
    .fini = fini,
    .job_changed = job_changed,
};
