/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairs.h - rows of pairs.csv: a job beside another on one GPU.
 *
 * A measured pair gives two rows, one a job; a pair of equal jobs of which the source has one
 * figure gives one.
 */
#ifndef TRACES_PAIRS_H
#define TRACES_PAIRS_H

#include "traces/convert/convert.h"

#define PAIR_COLUMNS                                                                               \
    "model,batch,other,other_batch,gpu,speed,precision,other_precision,stack,use,reason,source,"   \
    "commit,licence\n"

struct pair_job {
    const char *model, *precision;
    int64_t batch; /* 0: the source has none */
};

struct pair_row {
    struct pair_job job, other;
    const char *gpu, *stack;
    double speed;                      /* of job beside other; alone: 1 */
    const char *reason, *reason_about; /* the rule and its cause; NULL: used, no cause */
};

static inline void put_pair_job(struct out *out, const struct pair_job *j)
{
    if (j->batch > 0)
        out_printf(out, "%s,%lld,", j->model, (long long)j->batch);
    else
        out_printf(out, "%s,,", j->model);
}

static inline void put_pair(struct out *out, const struct pair_row *r, const struct origin *from)
{
    put_pair_job(out, &r->job);
    put_pair_job(out, &r->other);
    out_printf(out, "%s,%.4f,%s,%s,%s,%d,%s%s,%s,%s,%s\n", r->gpu, r->speed, r->job.precision,
               r->other.precision, r->stack, r->reason == NULL, r->reason ? r->reason : "",
               r->reason && r->reason_about ? r->reason_about : "", from->repository, from->commit,
               from->licence);
}

#endif
