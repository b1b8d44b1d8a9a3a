/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine itself: an event queue in the first-level cache, sequential memory, fresh pages. */
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "sim/base/rng.h"
#include "tests/perf/bench.h"
#include "tests/perf/draw.h"
#include "tests/perf/hold4.h"

#define STEPS   4096u /* increments drawn beforehand: 32 KiB */
#define PENDING 1000u
#define HOLDS   200000u

/* ---- cal.hold4: take the first of 1000 pending events, put it back later ---- */

struct hold {
    struct hold_item item[HOLD_ROOT + PENDING];
    int64_t step[STEPS];
    uint32_t at;
};

static struct hold *hold_new(void)
{
    struct hold *h = mem_get(sizeof(*h));
    gsl_rng *r = rng_stream(1, "hold", 0);

    for (uint32_t i = 0; i < STEPS; i++)
        h->step[i] = (int64_t)(draw_exponential(r, 1e6)) + 1;
    for (uint32_t i = 0; i < PENDING; i++) /* equal keys are a heap */
        h->item[HOLD_ROOT + i] = (struct hold_item){0, i};
    gsl_rng_free(r);
    return h;
}

static void hold_run(struct hold *h, uint32_t holds)
{
    for (uint32_t i = 0; i < holds; i++) {
        struct hold_item x = h->item[HOLD_ROOT];
        x.key += h->step[h->at++ % STEPS];
        hold_replace(h->item, PENDING, x);
    }
}

static void *hold_open(const struct bench_case *c, struct outcome *o)
{
    (void)c, (void)o;
    struct hold *h = hold_new();
    hold_run(h, HOLDS);
    return h;
}

static void hold_pass(void *self, struct outcome *o)
{
    o->units = HOLDS;
    hold_run(self, HOLDS);
}

static void drop(void *self, struct outcome *o)
{
    (void)o;
    mem_drop(self);
}

double meter_cal(void)
{
    struct hold *h = hold_new();
    double best = 1e9;

    hold_run(h, HOLDS / 4);
    for (int i = 0; i < 5; i++) {
        struct timespec a, b;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        hold_run(h, HOLDS / 4);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        double ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
        best = ns / (HOLDS / 4.0) < best ? ns / (HOLDS / 4.0) : best;
    }
    mem_drop(h);
    return best;
}

/* ---- cal.sweep: 24-byte records in order ---- */

struct record24 {
    int64_t a, b, c;
};

struct sweep {
    uint32_t n;
    struct record24 *record;
};

static void *sweep_open(const struct bench_case *c, struct outcome *o)
{
    (void)o;
    struct sweep *s = mem_get(sizeof(*s));
    *s = (struct sweep){c->jobs, mem_get(c->jobs * sizeof(struct record24))};
    for (uint32_t i = 0; i < s->n; i++)
        s->record[i] = (struct record24){i, 1, 0};
    return s;
}

static void sweep_pass(void *self, struct outcome *o)
{
    struct sweep *s = self;
    int64_t sum = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        s->record[i].c += s->record[i].a;
        sum += s->record[i].c ^ s->record[i].b;
    }
    s->record[0].b ^= sum & 1;
    o->units = s->n;
}

static void sweep_close(void *self, struct outcome *o)
{
    (void)o;
    mem_drop(((struct sweep *)self)->record);
    mem_drop(self);
}

/* ---- cal.touch: the first write to a page ---- */

static void *touch_open(const struct bench_case *c, struct outcome *o)
{
    (void)o;
    uint32_t *pages = mem_get(sizeof(*pages));
    *pages = c->jobs;
    return pages;
}

static void touch_pass(void *self, struct outcome *o)
{
    size_t pages = *(uint32_t *)self, size = pages << 12;
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    o->units = (double)pages;
    if (p == MAP_FAILED) {
        snprintf(o->fault, sizeof(o->fault), "no memory to map");
        return;
    }
    madvise(p, size, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < pages; i++)
        *(volatile char *)(p + (i << 12)) = 1;
    munmap(p, size);
}

const struct bench_case cal_cases[] = {
    {.name = "cal.hold4",
     .unit = "hold",
     .reps = 7,
     .open = hold_open,
     .pass = hold_pass,
     .close = drop},
    {.name = "cal.sweep",
     .unit = "record",
     .jobs = 1 << 20,
     .reps = 7,
     .open = sweep_open,
     .pass = sweep_pass,
     .close = sweep_close},
    {.name = "cal.touch",
     .unit = "page",
     .jobs = 1 << 13,
     .reps = 7,
     .open = touch_open,
     .pass = touch_pass,
     .close = drop},
    {.name = NULL},
};
