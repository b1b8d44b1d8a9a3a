/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * anything - a policy that does whatever can be done, and now and then what cannot; meek - the same
 * without any flag; and a tuner like them.
 *
 * Whatever a view shows, and every verdict, goes into a hash that is the reason of the next act:
 * engines that give the same records have shown the same views.
 */
#include <string.h>

#include "tests/property/anything.h"
#include "tests/property/worlds.h"

#define AT(member) offsetof(struct anything, member)
static const struct field fields[] = {
    {FIELD_INT, "idle", AT(idle), "20", 0, 100, NULL,
     "percent of rounds in which nothing is started by default"},
    {FIELD_INT, "wild", AT(wild), "3", 1, 20, NULL, "acts tried in a round"},
    {FIELD_INT, "illegal", AT(illegal), "2", 0, 100, NULL, "percent of acts that may be refused"},
    {FIELD_INT, "most", AT(most), "150", 0, 10000, NULL, "acts after which it becomes tame"},
    {FIELD_SECONDS, "span_s", AT(span), "0.000001", 0, 1e6, NULL, "of alarms"},
    {.type = FIELD_END},
};

/* ---- acting ---- */

static void verdict(struct anything *s, enum verdict v)
{
    anything_see(s, (uint64_t)v);
    s->acts++;
}

#define SEEN "%016llx", (unsigned long long)s->seen

static void start(struct anything *s, struct cx *cx, job_id j)
{
    const struct placement *p = anything_of(cx, 50) ? sim_pick(cx, j) : anything_anywhere(s, cx, j);

    if (p)
        verdict(s, sim_start(cx, j, p, SEEN));
}

/* Turning a job away may bring others in; what was handed out before must not suffer. */
static void reject(struct anything *s, struct cx *cx, job_id j)
{
    uint64_t *kept = sim_scratch(cx, 4 * sizeof(*kept));
    const struct placement *p = sim_pick(cx, j);

    anything_see_placement(s, p);
    for (int i = 0; i < 4; i++)
        kept[i] = s->seen;
    p = sim_even(cx, j, sim_scratch(cx, sizeof(gpu_id)), 1);
    verdict(s, sim_reject(cx, j, SEEN));
    for (int i = 0; i < 4; i++)
        anything_see(s, kept[i]);
    anything_see_placement(s, p);
}

/* A start, or a resize, with something wrong about the placement. */
static void bad_place(struct anything *s, struct cx *cx, job_id j, bool resize)
{
    uint32_t n = j == NO_JOB ? 1 : sim_job(cx, j)->gpus;
    struct share *share = sim_scratch(cx, (n + 1) * sizeof(*share));
    uint32_t batch = j == NO_JOB ? 0 : sim_job(cx, j)->batch;

    for (uint32_t i = 0; i <= n; i++)
        share[i] = (struct share){anything_below(cx, sim_gpus(cx) + (anything_of(cx, 20) ? 3 : 0)),
                                  batch / n + (i < batch % n)};
    if (anything_of(cx, 30))
        share[anything_below(cx, n)].samples += anything_below(cx, 3);
    if (anything_of(cx, 20))
        share[anything_below(cx, n)].samples = 0;
    if (n > 1 && anything_of(cx, 30)) {
        share[0].samples++;
        share[1].samples--;
    }
    struct placement p = {anything_of(cx, 20) ? n + 1 : n, share};
    verdict(s, resize ? sim_resize(cx, j, &p, SEEN) : sim_start(cx, j, &p, SEEN));
}

static void bad_split(struct anything *s, struct cx *cx, job_id j)
{
    struct placement p = j == NO_JOB ? (struct placement){0, NULL} : anything_other_shares(cx, j);
    struct share *share = sim_scratch(cx, (p.n + 1) * sizeof(*share));

    if (p.n)
        memcpy(share, p.share, p.n * sizeof(*share));
    if (p.n && anything_of(cx, 50))
        share[anything_below(cx, p.n)].gpu = anything_below(cx, sim_gpus(cx) + 1);
    if (p.n && anything_of(cx, 30))
        share[anything_below(cx, p.n)].samples ^= 1;
    p.share = share;
    verdict(s, sim_split(cx, j, &p, SEEN));
}

/* Where others are: a split, a start, or a resize. */
static void crowd(struct anything *s, struct cx *cx)
{
    job_id w = anything_some(cx, JOB_WAITING), h = anything_holder(cx);

    if (h != NO_JOB && anything_of(cx, 25)) {
        bad_split(s, cx, h);
    } else if (h != NO_JOB && (w == NO_JOB || anything_of(cx, 50))) {
        const struct placement *p = anything_crowd(cx, h, 1 + anything_below(cx, 3));
        if (p)
            verdict(s, sim_resize(cx, h, p, SEEN));
    } else if (w != NO_JOB) {
        const struct placement *p = anything_crowd(cx, w, sim_job(cx, w)->gpus);
        if (p)
            verdict(s, sim_start(cx, w, p, SEEN));
    }
}

/* Something that may be refused. */
static void misbehave(struct anything *s, struct cx *cx)
{
    job_id j = anything_some(cx, (enum job_state)anything_below(cx, JOB_STATES));

    if (j != NO_JOB && anything_of(cx, 20)) {
        s->old = j;
    } else if (anything_of(cx, 15) && s->old != NO_JOB) {
        verdict(s,
                anything_of(cx, 50) ? sim_preempt(cx, s->old, SEEN) : sim_reject(cx, s->old, SEEN));
        return;
    }
    switch (anything_below(cx, 8)) {
    case 0:
        verdict(s, sim_preempt(cx, j, SEEN));
        break;
    case 1:
        verdict(s, sim_reject(cx, j, SEEN));
        break;
    case 2:
        verdict(s, sim_wake(cx, sim_now(cx) - anything_below(cx, 3)));
        break;
    case 3:
        bad_split(s, cx, j);
        break;
    case 4:
    case 5:
        crowd(s, cx);
        break;
    default:
        bad_place(s, cx, j, anything_of(cx, 40));
    }
}

static void wake(struct anything *s, struct cx *cx)
{
    sim_time at = anything_of(cx, 15) ? sim_now(cx)
                  : anything_of(cx, 5)
                      ? SIM_NEVER
                      : sim_now(cx) + 1 + (sim_time)(sim_random(cx) % (uint64_t)(s->span + 1));

    verdict(s, sim_wake(cx, at));
}

static void act(struct anything *s, struct cx *cx)
{
    uint32_t what = anything_below(cx, 100);
    job_id w = anything_some(cx, JOB_WAITING), h = anything_holder(cx);

    if (anything_of(cx, s->illegal)) {
        misbehave(s, cx);
    } else if (sim_gpu(cx, 0).most > 1 && anything_of(cx, 4 * s->illegal)) {
        crowd(s, cx);
    } else if (what < 40 && w != NO_JOB) {
        start(s, cx, w);
    } else if (what < 55 && h != NO_JOB && !s->meek) {
        verdict(s, sim_preempt(cx, h, SEEN));
    } else if (what < 68 && h != NO_JOB && !s->meek && s->illegal > 0) {
        const struct placement *p = anything_other_gpus(cx, h);
        if (p)
            verdict(s, sim_resize(cx, h, p, SEEN));
    } else if (what < 80 && h != NO_JOB && !s->meek && s->illegal > 0) {
        struct placement p = anything_other_shares(cx, h);
        verdict(s, sim_split(cx, h, &p, SEEN));
    } else if (what < 83 && w != NO_JOB && !s->meek) {
        reject(s, cx, w);
    } else if (what > 85) {
        wake(s, cx);
    }
}

static void start_all(struct anything *s, struct cx *cx)
{
    job_id next;

    for (job_id j = sim_first(cx, JOB_WAITING); j != NO_JOB; j = next) {
        next = sim_next(cx, j);
        const struct placement *p = sim_pick(cx, j);
        if (p)
            anything_see(s, (uint64_t)sim_start(cx, j, p, SEEN));
    }
}

static void schedule(void *self, struct cx *cx)
{
    struct anything *s = self;

    anything_see_all(s, cx);
    if (s->acts >= s->most) {
        start_all(s, cx);
        return;
    }
    for (int64_t i = anything_below(cx, (uint32_t)s->wild + 1); i > 0; i--)
        act(s, cx);
    if (s->illegal > 0 && anything_below(cx, 3000) == 0)
        sim_fail(cx, "no more");
    if (!anything_of(cx, s->idle))
        start_all(s, cx);
    anything_see_all(s, cx);
    wake(s, cx);
}

/* Acts are refused here. */
static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct anything *s = self;

    anything_see(s, (uint64_t)was);
    anything_see(s, sim_count(cx, sim_job(cx, j)->state));
    anything_see_job(s, cx, j);
    if (s->acts < s->most && s->illegal > 1 && anything_of(cx, 1))
        verdict(s, anything_of(cx, 50) ? sim_preempt(cx, j, SEEN) : sim_wake(cx, sim_now(cx)));
    if (s->acts < s->most && s->illegal > 1 && anything_below(cx, 5000) == 0)
        sim_fail(cx, "no more of this");
}

static void job_reported(void *self, struct cx *cx, job_id j)
{
    struct anything *s = self;

    anything_see_cluster(s, cx);
    anything_see_job(s, cx, j);
    if (s->acts < s->most && s->illegal > 1 && anything_of(cx, 1))
        verdict(s, sim_reject(cx, j, SEEN));
}

static void init(void *self, struct cx *cx)
{
    struct anything *s = self;

    s->old = NO_JOB;
    anything_see_cluster(s, cx);
}

const struct policy policy_anything = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS | POLICY_RESIZES | POLICY_SHARES | POLICY_REJECTS | POLICY_ORACLE,
    .name = "anything",
    .about = "whatever can be done",
    .state_size = sizeof(struct anything),
    .job_size = sizeof(uint32_t),
    .params = fields,
    .schedule = schedule,
    .init = init,
    .job_changed = job_changed,
    .job_reported = job_reported,
};

static void init_meek(void *self, struct cx *cx)
{
    ((struct anything *)self)->meek = true;
    init(self, cx);
}

const struct policy policy_meek = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "meek",
    .about = "starts jobs somehow, and has no flags for more",
    .state_size = sizeof(struct anything),
    .job_size = sizeof(uint32_t),
    .params = fields,
    .schedule = schedule,
    .init = init_meek,
    .job_changed = job_changed,
    .job_reported = job_reported,
};
