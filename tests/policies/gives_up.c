/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says that it cannot go on; and what its state is. */
#include "x.h"

static void dump(const void *self, FILE *out)
{
    (void)self;
    fprintf(out, "  nothing to say\n");
}

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    if (sim_count(cx, JOB_WAITING) > 0)
        sim_fail(cx, "job %u is not to my taste", sim_number(sim_first(cx, JOB_WAITING)));
}

POLICY_X(.schedule = schedule, .dump = dump);
