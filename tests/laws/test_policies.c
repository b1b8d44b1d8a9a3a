/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must not matter to a policy, apart from what must not matter to the engine. */
#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define WORLDS SMALL_WORLDS(1000)

/* The last type of the cluster becomes the first; nodes and GPUs keep their places. */
static void reverse_types(struct small *s)
{
    struct world *w = &s->world;
    uint32_t last = w->n_types - 1;
    struct small_cost old = *s->cost;
    struct gpu_type type[SMALL_KINDS];

    for (type_id t = 0; t <= last; t++)
        type[t] = w->type[t];
    for (type_id t = 0; t <= last; t++) {
        w->type[t] = type[last - t];
        for (int m = 0; m < SMALL_KINDS; m++) {
            s->cost->alpha[m][t] = old.alpha[m][last - t];
            s->cost->beta[m][t] = old.beta[m][last - t];
        }
    }
    for (node_id k = 0; k < w->n_nodes; k++)
        w->node[k].type = last - w->node[k].type;
}

/* Policies that bind jobs to GPUs know ties only between GPUs, and those go by their numbers. */
Test(policies, order_of_types)
{
    static const struct small_shape shape = {4, 6, 3, 8, 1, 12, true, false, true, true};

    for (uint64_t seed = 0; seed < WORLDS; seed++)
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct small *s[2];
            struct history *history[2];
            for (int i = 0; i < 2 && p->is & IS_BOUND; i++) {
                s[i] = small_random(seed, &shape);
                s[i]->predictor = seed % 2 ? "exact" : "reference_table";
                if (i == 1)
                    reverse_types(s[i]);
                history[i] = history_of(s[i], p->label);
            }
            if (!(p->is & IS_BOUND))
                continue;
            const char *differ = history_differs(history[0], history[1], SIM_NEVER);
            cr_assert(!differ, "world %llu, %s: %s", (unsigned long long)seed, p->label, differ);
            for (int i = 0; i < 2; i++) {
                history_free(history[i]);
                small_free(s[i]);
            }
        }
}

/* ---- who gives way does not want its GPUs back at once ---- */

/* How often a job is taken off its GPUs and gets some in the same instant. */
static uint32_t bounces(const struct history *h)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t k = i + 1;
             h->record[i].kind == REC_PREEMPT && k < h->n && h->record[k].t == h->record[i].t; k++)
            n += h->record[k].kind == REC_START && h->record[k].job == h->record[i].job;
    return n;
}

/* On GPUs of one type there is nowhere else to go. What preempted jobs may finish, srtf has to see
 * once: a bounce or two in a run, where any of them teaches. */
Test(policies, nobody_bounces)
{
    static const struct small_shape shape = {1, 3, 2, 12, 1, 8, true, false, true, true};
    static const char *const labels[] = {
        "srtf",       "srtf[quantum_s=1]",         "srtf[skip_ahead=false]",
        "hyperdrive", "fair_share[quantum_s=0.5]", "slaq"};
    static const uint32_t most[] = {
        [PREEMPT_NOW] = 0, [PREEMPT_STEP] = WORLDS / 10, [PREEMPT_EPOCH] = WORLDS / 4};

    for (size_t p = 0; p < sizeof labels / sizeof *labels; p++)
        for (int at = 0; at < 3; at++) {
            uint32_t n = 0;
            for (uint64_t seed = 0; seed < WORLDS; seed++) {
                struct small *s = small_random(seed, &shape);
                s->world.preempt_at = (enum preempt_at)at;
                s->world.keeps = KEEP_STATE;
                struct history *h = history_of(s, labels[p]);
                n += bounces(h);
                history_free(h);
                small_free(s);
            }
            cr_assert_leq(n, most[at], "%s, preempt_at %d: %u", labels[p], at, n);
        }
}

/* ---- where a new trial goes ---- */

static gpu_id where(const struct history *h, uint32_t number)
{
    return history_find(h, REC_START, number)->share[0].gpu;
}

/* Both GPUs are empty when the third job comes; the second one has done less. */
Test(policies, least_used)
{
    struct small *s = small_new(1);

    small_nodes(s, small_type(s), 2, 1);
    small_job(s, 0, 1, 10 * SIM_SECOND);
    small_job(s, 0, 1, 5 * SIM_SECOND);
    small_job(s, 20 * SIM_SECOND, 1, 6 * SIM_SECOND);
    small_job(s, 40 * SIM_SECOND, 1, 5 * SIM_SECOND);
    struct history *fewest = history_of(s, "hermes"),
                   *least = history_of(s, "hermes[placement=least_used]");
    cr_assert_eq(where(fewest, 2), 0);
    cr_assert_eq(where(least, 2), 1);
    cr_assert_eq(where(least, 3), 0); /* 10 s against 11 s */
    history_free(fewest);
    history_free(least);
    small_free(s);
}

/* ---- GPU time in proportion to weights ---- */

enum { STUDIES = 3, TRIALS = 24, EPOCHS = 5 };

/* While all of them have trials that wait, two experiments that are served by turns of a quantum
 * are never further apart than one turn of each. */
Test(policies, fair_share)
{
    const sim_time quantum = 8 * SIM_SECOND;

    for (uint64_t seed = 0; seed < 100; seed++) {
        struct small *s = small_new(1);
        double held[STUDIES] = {0}, weight[STUDIES], w = 1;
        uint32_t waiting[STUDIES], now[STUDIES] = {0};
        small_nodes(s, small_type(s), 1 + (uint32_t)(seed % 7), 1);
        small_model(s, (double)quantum, 0, 64);
        for (uint32_t x = 0; x < STUDIES; x++) {
            weight[x] = w = 1 + (double)((seed * 5 + x * 7 + seed / 9) % 6);
            small_study(s, 0, TRIALS, EPOCHS, 64)->weight = w;
            waiting[x] = TRIALS;
        }
        struct history *h = history_of(s, "fair_share[quantum_s=8]");
        for (uint32_t i = 0; i < h->n; i++) {
            const struct record *r = &h->record[i];
            for (uint32_t x = 0; i > 0 && x < STUDIES; x++)
                held[x] += (double)(r->t - h->record[i - 1].t) * now[x];
            if (r->kind == REC_START)
                waiting[r->experiment]--, now[r->experiment]++;
            if (r->kind == REC_PREEMPT || r->kind == REC_END)
                now[r->experiment]--;
            waiting[r->experiment % STUDIES] += r->kind == REC_PREEMPT;
            if (waiting[0] == 0 || waiting[1] == 0 || waiting[2] == 0)
                break;
            for (uint32_t a = 0; a < STUDIES; a++)
                for (uint32_t b = 0; b < STUDIES; b++)
                    cr_assert(held[a] / weight[a] - held[b] / weight[b] <=
                                  (double)quantum * (1 / weight[a] + 1 / weight[b]) + 1,
                              "weights of seed %llu, at %lld: %g and %g", (unsigned long long)seed,
                              (long long)r->t, held[a], held[b]);
        }
        cr_assert(held[0] > 0 && held[1] > 0 && held[2] > 0);
        history_free(h);
        small_free(s);
    }
}
