/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What experiments and their tuners may rely on. */
#include <math.h>

#include <criterion/criterion.h>

#include "sim/base/rng.h"
#include "tests/laws/history.h"

#define S SIM_SECOND

/* Two nodes of one GPU; an epoch takes 10 s. */
static struct small *two_gpus(void)
{
    struct small *s = small_new(1);

    small_nodes(s, small_type(s), 2, 1);
    small_model(s, 10e9, 0, 64);
    return s;
}

/* The n-th record of a kind about a job, from 0. */
static const struct record *nth(const struct history *h, enum record_kind kind, uint32_t job,
                                uint32_t n)
{
    for (uint32_t i = 0; i < h->n; i++)
        if (h->record[i].kind == kind && sim_number(h->record[i].job) == job && n-- == 0)
            return &h->record[i];
    return NULL;
}

static void closes(const struct small *s, sim_time at, const char *why, uint32_t killed)
{
    struct history *h = history_of(s, "fifo");
    uint32_t kills = 0, closings = 0;

    for (uint32_t i = 0; i < h->n; i++) {
        kills += h->record[i].kind == REC_KILL;
        if (h->record[i].kind != REC_CLOSE)
            continue;
        closings++;
        cr_expect(h->record[i].t == at && strcmp(h->record[i].why, why) == 0,
                  "%s at %lld, not %lld", h->record[i].why, (long long)h->record[i].t,
                  (long long)at);
    }
    cr_expect(closings == 1 && kills == killed, "%s: %u closings, %u killed", why, closings, kills);
    history_free(h);
}

/* Four trials of 4 epochs on two GPUs, from 5 s on: 0 and 1 end at 45 s, 2 and 3 at 85 s. */
Test(tuning, deadlines_and_budgets)
{
    static const struct {
        sim_time deadline;
        double gpu_seconds;
        sim_time at;
        const char *why;
        uint32_t killed;
    } table[] = {
        {0, 0, 85 * S, "all_done", 0},
        {30 * S, 0, 35 * S, "deadline", 4},
        {40 * S, 0, 45 * S, "deadline", 2}, /* who ends at that instant has ended */
        {80 * S, 0, 85 * S, "all_done", 0},
        {1, 0, 5 * S + 1, "deadline", 4},
        {0, 100, 55 * S, "budget", 2},
        {0, 80, 45 * S, "budget", 2},
        {0, 160, 85 * S, "all_done", 0},
        {0, 0.0000000015, 5 * S + 1, "budget", 4}, /* rounded up to whole nanoseconds of two GPUs */
        {50 * S, 100, 55 * S, "deadline", 2},
        {49 * S, 100, 54 * S, "deadline", 2},
        {51 * S, 100, 55 * S, "budget", 2},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        struct small *s = two_gpus();
        struct experiment *x = small_study(s, 5 * S, 4, 4, 64);
        x->deadline = table[i].deadline;
        x->budget = (sim_area)(table[i].gpu_seconds * 1e9 + 0.5);
        closes(s, table[i].at, table[i].why, table[i].killed);
        small_free(s);
    }
}

/* Set-up counts for a budget, and so do GPUs of a job that holds several. */
Test(tuning, budget_counts_what_is_held)
{
    struct small *s = two_gpus();
    struct experiment *x = small_study(s, 0, 2, 4, 64);

    s->world.overheads.start = 6 * S;
    x->gpus = 2;
    x->budget = (sim_area)30 * S;
    closes(s, 15 * S, "budget", 2);
    small_free(s);
}

/* A trial that was planned for 4 epochs and recorded for 2. */
Test(tuning, one_that_diverged)
{
    struct small *s = two_gpus();
    struct experiment *x = small_study(s, 0, 2, 2, 64);
    struct curves *c = arena_get(s->arena, sizeof(*c));
    uint32_t planned[2] = {4, 2};

    *c = *x->curves;
    c->planned = planned;
    x->curves = c;
    struct history *h = history_of(s, "fifo");
    cr_expect(history_find(h, REC_ARRIVE, 0)->epoch == 4);
    cr_expect(history_find(h, REC_ARRIVE, 1)->epoch == 2);
    cr_expect(nth(h, REC_REPORT, 0, 1)->t == 20 * S && !nth(h, REC_REPORT, 0, 2));
    cr_expect(history_find(h, REC_KILL, 0)->t == 20 * S && !history_find(h, REC_END, 0));
    cr_expect(history_find(h, REC_END, 1)->t == 20 * S);
    history_free(h);
    small_free(s);
}

/* ---- copies ---- */

/* Submits trials 0 and 1; after its second epoch 0 takes over what 1 has, and goes on like 2. */
static void open(void *self, struct tx *tx)
{
    (void)self;
    tune_submit(tx, 0);
    tune_submit(tx, 1);
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch, double m)
{
    (void)self, (void)tx, (void)m;
    return trial == 0 && epoch == 2 ? TUNE_PAUSE : TUNE_GO_ON;
}

static void paused(void *self, struct tx *tx, uint32_t trial)
{
    const uint32_t *like = self;

    cr_expect(tune_copy(tx, trial, 1, *like) && tune_promote(tx, trial));
}

static const struct tuner copies = {.abi = TUNER_ABI,
                                    .size = sizeof(struct tuner),
                                    .name = "copies",
                                    .state_size = sizeof(uint32_t),
                                    .open = open,
                                    .report = report,
                                    .paused = paused};

static struct history *copying(uint32_t like, struct small *s)
{
    static const double curve[3][4] = {
        {0.1, 0.2, 0.3, 0.4}, {0.5, 0.6, 0.7, 0.8}, {0.44, 0.53, 0.61, 0.9}};
    struct experiment *x = small_study(s, 0, 3, 4, 64);

    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t e = 1; e <= 4; e++)
            *small_metric(x, k, e) = curve[k][e - 1];
    x->tuner = &copies;
    x->tuner_params = &like;
    s->world.model[0].parameters = 250; /* 1000 bytes */
    s->world.model[0].optimizer_slots = 0;
    s->world.overheads.save = 1 * S;
    s->world.overheads.restore = 2 * S;
    s->world.overheads.disk_write = 250;
    s->world.overheads.disk_read = 200;
    return history_of(s, "fifo");
}

/* At 20 s trial 0 reports before trial 1 does, which has 0.5 from its first epoch. */
Test(tuning, takes_over_a_checkpoint)
{
    struct small *s = two_gpus();
    struct history *h = copying(2, s);
    const struct record *copy = history_find(h, REC_COPY, 0), *again = nth(h, REC_START, 0, 1);

    cr_expect(copy->t == 20 * S && copy->n == 1 && copy->value == 0.5 && copy->told == 2);
    cr_expect(copy->epoch == 2, "0.53 is closest, not epoch %u", copy->epoch);
    cr_expect(copy->ready == 24 * S, "1000 bytes are written in 4 s");
    cr_expect(again->t == 20 * S && again->origin == FROM_DISK && again->run == 31 * S,
              "written at 24 s, restored in 2 s, read in 5 s: %lld", (long long)again->run);
    cr_expect(nth(h, REC_REPORT, 0, 2)->t == 41 * S && nth(h, REC_REPORT, 0, 2)->value == 0.61);
    cr_expect(nth(h, REC_REPORT, 0, 3)->t == 51 * S && nth(h, REC_REPORT, 0, 3)->value == 0.9);
    cr_expect(nth(h, REC_REPORT, 1, 3)->value == 0.8, "the donor goes on as before");
    history_free(h);
    small_free(s);
}

/* Like the donor itself: from the same epoch, an epoch behind its own count. */
Test(tuning, takes_over_all_of_a_trial)
{
    struct small *s = two_gpus();
    struct history *h = copying(1, s);

    cr_expect(history_find(h, REC_COPY, 0)->epoch == 1);
    cr_expect(nth(h, REC_REPORT, 0, 2)->value == 0.6 && nth(h, REC_REPORT, 0, 3)->value == 0.7);
    history_free(h);
    small_free(s);
}

/* ---- curves ---- */

#define SEEN 4096

/* What was reported of each experiment, trial and epoch: the same whoever schedules. */
static void same_curves(const struct history *h, double *seen, const char *label)
{
    for (uint32_t i = 0; i < h->n; i++) {
        const struct record *r = &h->record[i];
        if (r->kind != REC_REPORT)
            continue;
        uint32_t at = (r->experiment * 64 + r->trial) * 8 + r->epoch;
        cr_assert(at < SEEN);
        cr_assert(isnan(seen[at]) || seen[at] == r->value,
                  "%s: trial %u of %u, epoch %u: %g, was %g", label, r->trial, r->experiment,
                  r->epoch, r->value, seen[at]);
        seen[at] = r->value;
    }
}

/* Invariant 11: whatever the policy, the tuner's decisions aside, a trial's curve is the same. */
Test(tuning, policies_change_no_curve)
{
    static const struct small_shape shape = {3, 5, 3, 6, 1, 12, true, true, true, true};
    static double seen[SEEN];

    for (uint64_t seed = 0; seed < SMALL_WORLDS(300); seed++) {
        for (uint32_t i = 0; i < SEEN; i++)
            seen[i] = NAN;
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct small *s = small_random(seed, &shape);
            struct history *h = history_of(s, p->label);
            same_curves(h, seen, p->label);
            history_free(h);
            small_free(s);
        }
    }
}
