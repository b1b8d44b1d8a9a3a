/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * even_split - the baseline of Kim & Kim: several jobs on a GPU, each job's batch in even shares
 * over its GPUs, static.
 */
#include "policies/lib/seats.h"

static const struct field fields[] = {
    SEATS_FIELD(struct seats, skip_ahead),
    {.type = FIELD_END},
};

static void init(void *self, struct cx *cx)
{
    seats_init(self, cx);
}

static void changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    seats_changed(self, cx, j, was);
}

static void schedule(void *self, struct cx *cx)
{
    seats_start(self, cx, NULL, NULL);
}

static void fini(void *self)
{
    seats_free(self);
}

const struct policy policy_even_split = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_SHARES,
    .name = "even_split",
    .about = "several jobs on a GPU, each in even shares over its GPUs, static",
    .state_size = sizeof(struct seats),
    .params = fields,
    .init = init,
    .schedule = schedule,
    .fini = fini,
    .job_changed = changed,
};
