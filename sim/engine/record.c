/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/record.h"

#include <string.h>

#include "sim/base/rng.h"

const char *const record_name[REC_KINDS] = {
    [REC_BEGIN] = "begin",   [REC_FINISH] = "finish",   [REC_OPEN] = "open",
    [REC_ARRIVE] = "arrive", [REC_START] = "start",     [REC_RUN] = "run",
    [REC_REPORT] = "report", [REC_SPLIT] = "split",     [REC_PREEMPT] = "preempt",
    [REC_PAUSE] = "pause",   [REC_PROMOTE] = "promote", [REC_END] = "end",
    [REC_KILL] = "kill",     [REC_REJECT] = "reject",   [REC_REFUSE] = "refuse",
    [REC_CLOSE] = "close",   [REC_RESIZE] = "resize",   [REC_ALONE] = "alone",
    [REC_RATE] = "rate",     [REC_LOAD] = "load",       [REC_COPY] = "copy",
};

const char *const origin_name[ORIGINS] = {
    [FROM_NEW] = "new",
    [FROM_HERE] = "here",
    [FROM_MOVED] = "moved",
    [FROM_DISK] = "disk",
    [FROM_DISK_MOVED] = "disk_moved",
    [FROM_NOTHING] = "nothing",
};

static uint64_t bits_of(double x)
{
    uint64_t u;

    memcpy(&u, &x, sizeof(u));
    return x == x ? u : 0; /* every NAN is the same: there is no value */
}

uint64_t record_digest(uint64_t h, const struct record *r)
{
    h = rng_mix(h, (uint64_t)r->t);
    h = rng_mix(h, (uint64_t)r->kind << 32 | (r->job == NO_JOB ? 0 : sim_number(r->job)));
    h = rng_mix(h, (uint64_t)r->n << 32 | r->epoch);
    switch (r->kind) {
    case REC_START:
    case REC_SPLIT:
    case REC_RESIZE:
        for (uint32_t i = 0; i < r->n; i++)
            h = rng_mix(h, (uint64_t)r->share[i].samples << 32 | r->share[i].gpu);
        h = rng_mix(h, (uint64_t)r->run);
        return rng_mix(h, bits_of(r->value));
    case REC_PREEMPT:
    case REC_PAUSE:
        h = rng_mix(h, (uint64_t)r->run);
        h = rng_mix(h, (uint64_t)r->lost);
        return rng_mix(h, (uint64_t)r->ready);
    case REC_REPORT:
    case REC_RATE:
        return rng_mix(h, bits_of(r->value));
    case REC_COPY:
        h = rng_mix(h, (uint64_t)r->ready);
        return rng_mix(h, bits_of(r->value) ^ (uint64_t)r->told);
    case REC_ALONE:
        return rng_mix(h, (uint64_t)r->run);
    case REC_LOAD:
        h = rng_mix(h, (uint64_t)r->share->gpu);
        h = rng_mix(h, bits_of(r->value));
        return rng_mix(h, bits_of(r->told));
    default:
        return h;
    }
}
