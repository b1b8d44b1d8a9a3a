/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared GPUs: a change of a random world whose effect on the records is known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "tests/laws/crowd.h"

#define WORLDS SMALL_WORLDS(300)

static const struct crowd_shape busy = {8, 4, 0, 3 * SIM_SECOND, true, false},
                                still = {8, 4, 16, 0, true, true};

/* ---- comparing ---- */

static int by_gpu(const void *a, const void *b)
{
    gpu_id x = ((const struct record *)a)->share->gpu, y = ((const struct record *)b)->share->gpu;

    return (x > y) - (x < y);
}

/* The loads of an instant in order of GPUs. */
static void sort_loads(struct history *s)
{
    for (uint32_t i = 0, k; i < s->n; i = k + (k == i)) {
        for (k = i; k < s->n && s->record[k].kind == REC_LOAD && s->record[k].t == s->record[i].t;)
            k++;
        qsort(&s->record[i], k - i, sizeof *s->record, by_gpu);
    }
}

/* Leaves out what `drop` says, and changes what stays. */
static void rewrite(struct history *s, bool (*keep)(struct record *, const void *), const void *how)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        struct record r = s->record[i];
        if (keep(&r, how))
            s->record[n++] = r;
    }
    s->n = n;
}

/* Its shares, to be changed. */
static struct share *shares_of(struct record *r)
{
    return (struct share *)(uintptr_t)r->share;
}

static void must_be_same(const struct history *a, const struct history *b, uint64_t seed)
{
    const char *differ = history_differs(a, b, SIM_NEVER);

    cr_assert(!differ, "world %llu: %s", (unsigned long long)seed, differ);
}

/* The same ends, but for what the rates' iteration leaves. */
static void must_end_alike(const struct crowd *c, const struct history *a, const struct history *b,
                           const uint32_t *number)
{
    for (uint32_t i = 0; i < c->small->n_jobs; i++) {
        double x = (double)crowd_end(a, i), y = (double)crowd_end(b, number ? number[i] : i);
        cr_assert_leq(fabs(x - y), 5 + 1e-6 * x, "world %llu, job %u: %.0f and %.0f",
                      (unsigned long long)c->small->world.seed, i, x, y);
    }
}

/* ---- GPUs in another order: the same to the bit ---- */

/* The GPU in its place: nodes, and GPUs within them, the other way round. */
static gpu_id turned(const struct world *w, gpu_id g)
{
    return w->n_gpus - 1 - g;
}

static void turn_gpus(struct crowd *c)
{
    struct world *w = &c->small->world;

    for (node_id k = 0; k < w->n_nodes / 2; k++) {
        struct node x = w->node[k];
        w->node[k] = w->node[w->n_nodes - 1 - k];
        w->node[w->n_nodes - 1 - k] = x;
    }
    for (gpu_id g = 0; g < w->n_gpus / 2; g++) {
        double speed = w->gpu[g].speed;
        w->gpu[g].speed = w->gpu[turned(w, g)].speed;
        w->gpu[turned(w, g)].speed = speed;
    }
    for (node_id k = 0, g = 0; k < w->n_nodes; k++) {
        w->node[k].first = g;
        for (uint32_t i = 0; i < w->node[k].gpus; i++)
            w->gpu[g++].node = k;
    }
    for (uint32_t i = 0; i < c->small->n_jobs; i++)
        for (uint32_t k = 0; k < c->wish[i].n; k++)
            c->wish[i].gpu[k] = turned(w, c->wish[i].gpu[k]);
    world_count(w);
}

static bool turn_back(struct record *r, const void *world)
{
    for (uint32_t i = 0; i < r->n && r->share; i++)
        shares_of(r)[i].gpu = turned(world, r->share[i].gpu);
    return true;
}

Test(sharing_change, order_of_gpus)
{
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        struct crowd *c[2] = {crowd_random(seed, 0, &busy), crowd_random(seed, 0, &busy)};
        turn_gpus(c[1]);
        struct history *s[2] = {crowd_run(c[0]), crowd_run(c[1])};
        rewrite(s[1], turn_back, &c[1]->small->world);
        for (int i = 0; i < 2; i++)
            sort_loads(s[i]);
        must_be_same(s[0], s[1], seed);
        for (int i = 0; i < 2; i++) {
            history_free(s[i]);
            crowd_free(c[i]);
        }
    }
}

/* ---- jobs of one instant in another order ---- */

Test(sharing_change, order_of_jobs)
{
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        struct crowd *c = crowd_random(seed, 0, &still), *d = crowd_random(seed, 0, &still);
        uint32_t n = c->small->n_jobs, number[64];
        for (uint32_t i = 0; i < n; i++) {
            number[i] = n - 1 - i;
            d->small->job[number[i]] = c->small->job[i];
            d->wish[number[i]] = c->wish[i];
        }
        struct history *a = crowd_run(c), *b = crowd_run(d);
        must_end_alike(c, a, b, number);
        history_free(a);
        history_free(b);
        crowd_free(c);
        crowd_free(d);
    }
}

/* ---- a job's GPUs in another order, each with its share ---- */

static void turn_shares(struct crowd *c)
{
    for (uint32_t i = 0; i < c->small->n_jobs; i++) {
        struct wish *w = &c->wish[i], old = *w;
        for (uint32_t k = 0; k < w->begin; k++) {
            w->gpu[k] = old.gpu[w->begin - 1 - k];
            w->part[k] = old.part[w->begin - 1 - k];
        }
    }
}

Test(sharing_change, order_of_shares)
{
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        struct crowd *c[2] = {crowd_random(seed, 0, &still), crowd_random(seed, 0, &still)};
        for (int i = 0; i < 2; i++)
            crowd_even(c[i]);
        turn_shares(c[1]);
        struct history *s[2] = {crowd_run(c[0]), crowd_run(c[1])};
        must_end_alike(c[0], s[0], s[1], NULL);
        for (int i = 0; i < 2; i++) {
            history_free(s[i]);
            crowd_free(c[i]);
        }
    }
}

/* ---- two halves of a cluster, or a GPU that nobody uses: each as if it were alone ---- */

struct half {
    gpu_id from, to;  /* its GPUs */
    uint32_t job[64]; /* by number in the whole: in the half; UINT32_MAX: of the other */
};

static void add_gpus(struct crowd *c, const struct crowd *more)
{
    struct world *w = &c->small->world;
    const struct world *x = &more->small->world;
    uint32_t types = w->n_types, models = w->n_models;

    for (type_id t = 0; t < x->n_types; t++) {
        small_type(c->small);
        w->type[types + t].eta = x->type[t].eta;
    }
    for (node_id k = 0; k < x->n_nodes; k++) {
        small_nodes(c->small, types + x->node[k].type, 1, x->node[k].gpus);
        w->node[w->n_nodes - 1].input_rate = x->node[k].input_rate;
        for (uint32_t i = 0; i < x->node[k].gpus; i++)
            w->gpu[w->node[w->n_nodes - 1].first + i].speed = x->gpu[x->node[k].first + i].speed;
    }
    for (uint32_t m = 0; m < x->n_models; m++) {
        small_model(c->small, 0, 0, x->model[m].samples_per_epoch);
        c->small->cost->gap[models + m] = more->small->cost->gap[m];
        for (type_id t = 0; t < x->n_types; t++) {
            c->small->cost->alpha[models + m][types + t] = more->small->cost->alpha[m][t];
            c->small->cost->beta[models + m][types + t] = more->small->cost->beta[m][t];
        }
    }
    world_count(w);
}

/* One more job behind all others. */
static void put_job(struct crowd *c, const struct crowd *from, uint32_t i, gpu_id shift,
                    uint32_t models)
{
    struct job_spec *j = &c->small->job[c->small->n_jobs];
    struct wish *w = &c->wish[c->small->n_jobs++];

    *j = from->small->job[i];
    *w = from->wish[i];
    if (j->model != NO_MODEL)
        j->model += models;
    for (uint32_t k = 0; k < w->n; k++)
        w->gpu[k] += shift;
}

/* Both on one cluster. */
static struct crowd *join(const struct crowd *a, const struct crowd *b, struct half *half)
{
    struct crowd *c = crowd_random(a->small->world.seed, 0, &busy);
    gpu_id shift = c->small->world.n_gpus;
    uint32_t models = c->small->world.n_models, i = 0, k = 0;

    add_gpus(c, b);
    half[0] = (struct half){.from = 0, .to = shift};
    half[1] = (struct half){.from = shift, .to = c->small->world.n_gpus};
    c->small->n_jobs = 0;
    while (i < a->small->n_jobs || k < b->small->n_jobs) {
        uint32_t n = c->small->n_jobs;
        bool first = k == b->small->n_jobs ||
                     (i < a->small->n_jobs && a->small->job[i].submit <= b->small->job[k].submit);
        half[!first].job[n] = first ? i : k;
        half[first].job[n] = UINT32_MAX;
        if (first)
            put_job(c, a, i++, 0, 0);
        else
            put_job(c, b, k++, shift, models);
    }
    return c;
}

static bool only_half(struct record *r, const void *how)
{
    const struct half *h = how;

    if (r->kind == REC_BEGIN || r->kind == REC_FINISH)
        return false;
    if (r->job != NO_JOB && h->job[sim_number(r->job)] == UINT32_MAX)
        return false;
    if (r->kind == REC_LOAD && (r->share->gpu < h->from || r->share->gpu >= h->to))
        return false;
    if (r->job != NO_JOB)
        r->job = (job_id)h->job[sim_number(r->job)] << 32;
    for (uint32_t i = 0; i < r->n && r->share; i++)
        shares_of(r)[i].gpu -= h->from;
    return true;
}

static bool not_the_run(struct record *r, const void *how)
{
    (void)how;
    return r->kind != REC_BEGIN && r->kind != REC_FINISH;
}

Test(sharing_change, others_far_away)
{
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        struct crowd *part[2] = {crowd_random(seed, 0, &busy), crowd_random(seed, 1, &busy)};
        struct half half[2];
        struct crowd *whole = join(part[0], part[1], half);
        for (int i = 0; i < 2; i++) {
            struct history *alone = crowd_run(part[i]), *among = crowd_run(whole);
            rewrite(alone, not_the_run, NULL);
            rewrite(among, only_half, &half[i]);
            must_be_same(alone, among, seed);
            history_free(alone);
            history_free(among);
            crowd_free(part[i]);
        }
        crowd_free(whole);
    }
}

/* ---- contention ---- */

/* Without a gain, processor sharing takes turns. */
Test(sharing_change, time_slice_is_sharing_without_gain)
{
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        struct crowd *c[2] = {crowd_random(seed, 0, &still), crowd_random(seed, 0, &still)};
        struct history *s[2];
        for (int i = 0; i < 2; i++) {
            struct world *w = &c[i]->small->world;
            w->contention = contentions[i];
            for (type_id t = 0; t < w->n_types; t++)
                w->type[t].eta = i ? 2 : 0; /* time slices do not ask for it */
            s[i] = crowd_run(c[i]);
        }
        must_end_alike(c[0], s[0], s[1], NULL);
        for (int i = 0; i < 2; i++) {
            history_free(s[i]);
            crowd_free(c[i]);
        }
    }
}

/* Jobs of one GPU end no later where sharing gains more. (With several GPUs one job's gain may be
 * another's loss.) */
Test(sharing_change, more_gain_is_no_later)
{
    static const struct crowd_shape single = {10, 1, 16, 0, true, false};

    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        sim_time before[64] = {0};
        for (double eta = 1; eta >= 0; eta -= 0.25) {
            struct crowd *c = crowd_random(seed, 0, &single);
            c->small->world.contention = contentions[0];
            for (type_id t = 0; t < c->small->world.n_types; t++)
                c->small->world.type[t].eta = eta;
            struct history *s = crowd_run(c);
            for (uint32_t i = 0; i < c->small->n_jobs; i++) {
                sim_time end = crowd_end(s, i);
                cr_assert_geq((double)end, (double)before[i] * (1 - 1e-7), "world %llu, job %u",
                              (unsigned long long)seed, i);
                before[i] = end;
            }
            history_free(s);
            crowd_free(c);
        }
    }
}

/* ---- policies that do not share: as on a cluster that does not ---- */

static bool not_of_sharing(struct record *r, const void *how)
{
    (void)how;
    return r->kind != REC_ALONE && r->kind != REC_LOAD && r->kind != REC_RATE;
}

Test(sharing_change, who_does_not_share)
{
    static const struct small_shape shape[] = {{3, 4, 3, 8, 1, 8, true, true, true, true},
                                               {3, 4, 3, 8, 3, 8, true, true, true, true}};

    for (uint64_t seed = 0; seed < 100; seed++)
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct small *s[2];
            struct history *history[2];
            if (p->is & IS_SHARING)
                continue;
            for (int i = 0; i < 2; i++) {
                s[i] = small_random(seed, &shape[seed % 2 && !(p->is & IS_SINGLE)]);
                s[i]->world.residents = i ? 4 : 1;
                s[i]->world.contention = i ? contentions[0] : NULL;
                history[i] = history_of(s[i], p->label);
            }
            for (uint32_t k = 0; k < history[1]->n; k++)
                cr_assert_neq(history[1]->record[k].kind, REC_RATE, "%s", p->label);
            rewrite(history[1], not_of_sharing, NULL);
            must_be_same(history[0], history[1], seed);
            for (int i = 0; i < 2; i++) {
                history_free(history[i]);
                small_free(s[i]);
            }
        }
}
