/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/microbench/facts.h"

void mb_skip_add(struct mb_skips *s, const char *op, const char *why)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->list[i].op, op) == 0 && strcmp(s->list[i].why, why) == 0) {
            s->list[i].cases++;
            return;
        }
    if (s->n == MB_SKIPS) {
        snprintf(s->list[MB_SKIPS - 1].why, MB_WHY, "and further reasons");
        s->list[MB_SKIPS - 1].cases++;
        return;
    }
    s->list[s->n].op = op;
    snprintf(s->list[s->n].why, MB_WHY, "%s", why);
    s->list[s->n++].cases = 1;
}

void mb_facts_add(struct mb_facts *f, const char *key, const char *fmt, ...)
{
    va_list args;

    if (f->n == MB_FACTS)
        return;
    va_start(args, fmt);
    vsnprintf(f->text[f->n], sizeof f->text[0], fmt, args);
    va_end(args);
    f->list[f->n] = (struct mb_fact){key, f->text[f->n]};
    f->n++;
}

static void known(struct mb_facts *f, const char *key, const char *text)
{
    if (text[0])
        mb_facts_add(f, key, "%s", text);
}

static void clocks(struct mb_facts *f, const char *key, const struct mb_nvml *n)
{
    if (n->sm_mhz)
        mb_facts_add(f, key, "SM %u MHz of %u, memory %u MHz, %u C, throttle reasons 0x%llx",
                     n->sm_mhz, n->most_sm_mhz, n->memory_mhz, n->celsius, n->throttled);
}

void mb_facts_fill(struct mb_facts *f, const struct mb_gpu *gpu, const struct mb_nvml *before,
                   const struct mb_nvml *after, const struct mb_effort *effort)
{
    *f = (struct mb_facts){0};
    known(f, "cuda", gpu->cuda);
    known(f, "driver", before->driver);
    known(f, "driver_cuda", gpu->driver_cuda);
    known(f, "cublas", gpu->cublas);
    known(f, "cudnn", gpu->cudnn);
    known(f, "nccl", gpu->nccl);
    clocks(f, "clocks_before", before);
    clocks(f, "clocks_after", after);
    mb_facts_add(f, "compute_capability", "%d.%d", gpu->cc / 10, gpu->cc % 10);
    mb_facts_add(f, "method",
                 "warm-up; median of up to %d samples in about %.2g s a case; CUDA events around "
                 "calls queued behind a waiting kernel; operands rotate through memory beyond "
                 "three times L2; results checked",
                 effort->samples, effort->seconds);
}
