/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A change of the world whose effect on the records is known exactly: record for record, over
 * random worlds. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define WORLDS SMALL_WORLDS(200)

struct law {
    struct small_shape shape[2];     /* the second with jobs of several GPUs */
    unsigned is_not;                 /* policies for which it does not hold */
    void (*prepare)(struct small *); /* makes a random world fit for the law; both sides of it */
    void (*change)(struct small *, const struct chosen_policy *);
    void (*undo)(const struct small *, struct record *); /* on the records of the changed world */
    void (*blur)(struct record *); /* on all records: takes out what may differ */
};

static void check_policy(const struct law *law, uint64_t seed, bool gang, const char *label)
{
    struct small *s[2];
    struct history *history[2];
    struct arena *a = arena_new();

    for (int i = 0; i < 2; i++) {
        struct chosen_policy p = law_policy(a, label);
        s[i] = small_random(seed, &law->shape[gang]);
        if (law->prepare)
            law->prepare(s[i]);
        if (i == 1)
            law->change(s[1], &p);
        history[i] = history_with(s[i], &p);
    }
    for (uint32_t i = 0; law->undo && i < history[1]->n; i++)
        law->undo(s[1], &history[1]->record[i]);
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; law->blur && i < history[k]->n; i++)
            law->blur(&history[k]->record[i]);
    const char *differ = history_differs(history[0], history[1], SIM_NEVER);
    cr_assert(!differ, "world %llu, %s: %s", (unsigned long long)seed, label, differ);
    for (int i = 0; i < 2; i++) {
        history_free(history[i]);
        small_free(s[i]);
    }
    arena_free(a);
}

static void check(const struct law *law)
{
    for (uint64_t seed = 0; seed < WORLDS; seed++)
        for (const struct law_policy *p = law_policies; p->label; p++)
            if (!(p->is & law->is_not))
                check_policy(law, seed, seed % 2 && !(p->is & IS_SINGLE), p->label);
}

#define ANY                                                                                        \
    {                                                                                              \
        {3, 4, 3, 8, 1, 8, true, true, true, true},                                                \
        {                                                                                          \
            3, 4, 3, 8, 3, 8, true, true, true, true                                               \
        }                                                                                          \
    }
#define EXACT                                                                                      \
    {                                                                                              \
        {3, 4, 3, 8, 1, 8, true, true, true, false},                                               \
        {                                                                                          \
            3, 4, 3, 8, 3, 8, true, true, true, false                                              \
        }                                                                                          \
    }

static void no_noise(struct small *s)
{
    s->predictor = s->world.seed % 2 ? "exact" : "reference_table";
}

/* ---- everything later by a multiple of all quanta ---- */

#define LATER (1000 * LAW_PERIOD)

static void begin_later(struct small *s, const struct chosen_policy *p)
{
    (void)p;
    for (uint32_t i = 0; i < s->n_jobs; i++)
        s->job[i].submit += LATER;
    for (uint32_t i = 0; i < s->world.n_experiments; i++)
        s->world.experiment[i].submit += LATER;
    s->until += s->until == SIM_NEVER ? 0 : LATER;
}

static void earlier(const struct small *s, struct record *r)
{
    (void)s;
    if (r->kind == REC_BEGIN)
        return;
    r->t -= LATER;
    r->run -= r->kind == REC_START || r->kind == REC_PREEMPT || r->kind == REC_PAUSE ? LATER : 0;
    r->ready -= r->kind == REC_PREEMPT || r->kind == REC_PAUSE ? LATER : 0;
}

Test(metamorphic, time_shift)
{
    check(&(struct law){.shape = ANY, .change = begin_later, .undo = earlier});
}

/* ---- all times of world and policy, times a power of two ---- */

/* Part of a step that is done at the pace of one GPU and goes on at another's would take a fraction
 * of a ns. */
static void end_steps(struct small *s)
{
    if (s->world.preempt_at == PREEMPT_NOW)
        s->world.preempt_at = PREEMPT_STEP;
}

static int64_t factor(const struct small *s)
{
    return INT64_C(2) << s->world.seed % 10;
}

static void scale_overheads(struct overheads *o, int64_t by)
{
    sim_time *time[] = {&o->start, &o->save, &o->restore, &o->image};
    double *speed[] = {&o->host, &o->network, &o->disk_write, &o->disk_read};

    for (int i = 0; i < 4; i++) {
        *time[i] *= by;
        *speed[i] /= (double)by;
    }
}

/* The steps of all models. */
static void scale_steps(struct small *s, double by)
{
    struct sync_cost *y = &s->cost->sync;

    for (int m = 0; m < SMALL_KINDS; m++)
        for (int t = 0; t < SMALL_KINDS; t++) {
            s->cost->alpha[m][t] *= by;
            s->cost->beta[m][t] *= by;
        }
    *y = (struct sync_cost){y->node_base_s * by, y->node_per_gpu_s * by, y->cluster_base_s * by,
                            y->cluster_per_gpu_s * by, y->overlap};
    for (node_id k = 0; k < s->world.n_nodes; k++)
        s->world.node[k].input_rate /= by;
    world_count(&s->world);
}

static void slow_down(struct small *s, const struct chosen_policy *p)
{
    int64_t by = factor(s);

    for (uint32_t i = 0; i < s->n_jobs; i++) {
        s->job[i].submit *= by;
        s->job[i].work *= s->job[i].model == NO_MODEL ? by : 1;
    }
    for (uint32_t i = 0; i < s->world.n_experiments; i++)
        s->world.experiment[i].submit *= by;
    s->until *= s->until == SIM_NEVER ? 1 : by;
    scale_overheads(&s->world.overheads, by);
    scale_steps(s, (double)by);
    law_scale_policy(p, by);
}

static void speed_up(const struct small *s, struct record *r)
{
    int64_t by = factor(s);
    sim_time *time[] = {&r->t, &r->run, &r->ready, &r->lost};

    for (int i = 0; i < 4; i++) {
        cr_assert_eq(*time[i] % by, 0, "world %llu: %lld is not a multiple of %lld",
                     (unsigned long long)s->world.seed, (long long)*time[i], (long long)by);
        *time[i] /= by;
    }
    if (r->kind == REC_START && r->share[0].samples > 0) { /* it has a model */
        r->value *= (double)by;
        r->told *= (double)by;
    }
}

Test(metamorphic, time_scale)
{
    static const struct small_shape durations[] = {{1, 4, 3, 8, 1, 0, false, true, true, false},
                                                   {1, 4, 3, 8, 3, 0, false, true, true, false}};

    check(
        &(struct law){.shape = EXACT, .prepare = end_steps, .change = slow_down, .undo = speed_up});
    check(&(struct law){
        .shape = {durations[0], durations[1]}, .change = slow_down, .undo = speed_up});
}

/* ---- smaller steps, and as many more of them ---- */

static void cannot_end_a_step(struct small *s)
{
    if (s->world.preempt_at == PREEMPT_STEP)
        s->world.preempt_at = PREEMPT_NOW;
}

static void split_steps(struct small *s, const struct chosen_policy *p)
{
    int64_t by = factor(s);

    (void)p;
    scale_steps(s, 1 / (double)by);
    for (uint32_t m = 0; m < s->world.n_models; m++)
        s->world.model[m].samples_per_epoch *= by;
    for (uint32_t i = 0; i < s->n_jobs; i++) {
        s->job[i].per_epoch *= by;
        s->job[i].work *= by;
    }
}

static void join_steps(const struct small *s, struct record *r)
{
    if (r->kind == REC_START) {
        r->value /= (double)factor(s);
        r->told /= (double)factor(s);
    }
}

Test(metamorphic, smaller_steps)
{
    check(&(struct law){
        .shape = EXACT, .prepare = cannot_end_a_step, .change = split_steps, .undo = join_steps});
}

/* ---- models and experiments in another order ---- */

static void at_different_times(struct small *s)
{
    no_noise(s);
    for (uint32_t i = 1; i < s->world.n_experiments; i++)
        s->world.experiment[i].submit +=
            s->world.experiment[i].submit == s->world.experiment[0].submit;
}

static uint32_t turned(uint32_t i, uint32_t n)
{
    return n - 1 - i;
}

#define TURN(array, n)                                                                             \
    do {                                                                                           \
        for (uint32_t i_ = 0; i_ < (n) / 2; i_++) {                                                \
            __typeof__(*(array)) x_ = (array)[i_];                                                 \
            (array)[i_] = (array)[turned(i_, n)];                                                  \
            (array)[turned(i_, n)] = x_;                                                           \
        }                                                                                          \
    } while (0)

struct cost_row {
    double t[SMALL_KINDS];
};

static void turn_round(struct small *s, const struct chosen_policy *p)
{
    struct world *w = &s->world;
    struct cost_row *alpha = (struct cost_row *)s->cost->alpha,
                    *beta = (struct cost_row *)s->cost->beta;

    (void)p;
    TURN(w->experiment, w->n_experiments);
    TURN(w->model, w->n_models);
    TURN(alpha, w->n_models);
    TURN(beta, w->n_models);
    for (uint32_t i = 0; i < s->n_jobs; i++)
        s->job[i].model = turned(s->job[i].model, w->n_models);
    for (uint32_t i = 0; i < w->n_experiments; i++)
        for (uint32_t k = 0; k < w->experiment[i].n_trials; k++)
            w->experiment[i].trial[k].model = turned(w->experiment[i].trial[k].model, w->n_models);
}

static void turn_back(const struct small *s, struct record *r)
{
    if (r->experiment != NO_EXPERIMENT &&
        (r->job == NO_JOB || r->experiment < s->world.n_experiments))
        r->experiment = turned(r->experiment, s->world.n_experiments);
}

Test(metamorphic, order_of_rows)
{
    check(&(struct law){
        .shape = EXACT, .prepare = at_different_times, .change = turn_round, .undo = turn_back});
}

/* ---- names of GPU types that do not differ; checkpoints that cost nothing ---- */

static void equal_types(struct small *s)
{
    s->predictor = "exact";
    for (uint32_t m = 0; m < s->world.n_models; m++)
        for (type_id t = 0; t < s->world.n_types; t++) {
            s->cost->alpha[m][t] = isnan(s->cost->alpha[m][0]) ? 0.2 : s->cost->alpha[m][0];
            s->cost->beta[m][t] = s->cost->beta[m][0];
        }
    for (node_id k = 0; k < s->world.n_nodes; k++)
        s->world.node[k].input_rate = 0;
    world_count(&s->world);
}

static void one_type(struct small *s, const struct chosen_policy *p)
{
    (void)p;
    for (node_id k = 0; k < s->world.n_nodes; k++)
        s->world.node[k].type = 0;
    s->world.n_types = 1;
    s->world.type[0].gpus = s->world.n_gpus;
}

static void at_epochs(struct small *s)
{
    s->world.preempt_at = PREEMPT_EPOCH;
    s->world.keeps = KEEP_STATE;
    s->world.suspend_to = SUSPEND_STORAGE;
    s->until = SIM_NEVER;
}

static void keep_checkpoints(struct small *s, const struct chosen_policy *p)
{
    (void)p;
    s->world.keeps = KEEP_CHECKPOINT;
}

/* Nothing is lost. A job that was taken off in the instant of its start has no checkpoint: its
 * origin differs. */
static void from_disk(struct record *r)
{
    cr_assert_eq(r->lost, 0);
    if (r->origin != FROM_NEW)
        r->origin = FROM_DISK;
}

/* Whether a job was measured on a type of this name. */
static void without_told(struct record *r)
{
    r->told = NAN;
}

Test(metamorphic, what_does_not_matter)
{
    static const struct small_shape single = {3, 4, 3, 8, 1, 8, true, false, true, false},
                                    no_cost[] = {{3, 4, 3, 8, 1, 8, true, true, false, true},
                                                 {3, 4, 3, 8, 3, 8, true, true, false, true}};

    check(&(struct law){.shape = {single, single},
                        .prepare = equal_types,
                        .change = one_type,
                        .blur = without_told});
    check(&(struct law){.shape = {no_cost[0], no_cost[1]},
                        .prepare = at_epochs,
                        .change = keep_checkpoints,
                        .blur = from_disk});
}

/* ---- the scale of a metric, and whether it rises or falls ---- */

#define SCALE -128.0 /* a power of two: nothing is rounded */

static void scale_metrics(struct small *s, const struct chosen_policy *p)
{
    (void)p;
    for (uint32_t i = 0; i < s->world.n_experiments; i++) {
        struct experiment *x = &s->world.experiment[i];
        struct curves *c = arena_get(s->arena, sizeof *c);
        *c = *x->curves;
        c->falls = !c->falls;
        c->start *= SCALE;
        c->ideal *= SCALE;
        for (uint32_t k = 0; k < c->first[c->trials]; k++)
            c->value[k] *= SCALE;
        x->curves = c;
        x->target *= SCALE;
    }
}

static void unscale_metrics(const struct small *s, struct record *r)
{
    (void)s;
    r->value /= r->kind == REC_REPORT || r->kind == REC_OPEN || r->kind == REC_ARRIVE ? SCALE : 1;
    r->told /= r->kind == REC_OPEN ? SCALE : 1;
    r->good ^= r->kind == REC_OPEN;
}

Test(metamorphic, scale_of_metrics)
{
    check(&(struct law){.shape = ANY, .change = scale_metrics, .undo = unscale_metrics});
}

/* ---- no state is shared: two engines side by side, and one after them ---- */

Test(metamorphic, two_runs_in_one_process)
{
    static const struct small_shape shape = {3, 4, 3, 8, 1, 8, true, true, true, true};
    struct arena *a = arena_new();

    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        struct small *s = small_random(seed, &shape);
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct chosen_policy chosen = law_policy(a, p->label);
            struct history *twin[2], *alone;
            history_twins(s, &chosen, twin);
            alone = history_with(s, &chosen);
            for (int i = 0; i < 2; i++) {
                const char *differ = history_differs(alone, twin[i], SIM_NEVER);
                cr_assert(!differ, "world %llu, %s: %s", (unsigned long long)seed, p->label,
                          differ);
                cr_assert_eq(alone->digest, twin[i]->digest);
                history_free(twin[i]);
            }
            history_free(alone);
        }
        small_free(s);
        arena_reset(a);
    }
    arena_free(a);
}
