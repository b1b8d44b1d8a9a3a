/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies that let several jobs hold a GPU and move their batch shares. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "sim/base/rng.h"
#include "tests/laws/history.h"

#define LENGTH(x) (sizeof(x) / sizeof *(x))
#define MS        INT64_C(1000000)

static const char *const labels[] = {
    "even_split",
    "even_split[skip_ahead=false]",
    "straggler_free[period_s=0.5,first_s=0.1]",
    "straggler_free[period_s=0.2,deadband=0]",
    "slowdown_fair[period_s=0.5,first_s=0.1]",
    "slowdown_fair[period_s=0.2,gpus=any,copy_s=0.1,predictor=instant]",
    "slowdown_fair[period_s=0.2,gpus=any,copy_s=0,predictor=ewma,eta=0.7,parts=3,p=2]",
    "slowdown_fair[period_s=0.2,controller=local]",
    "slowdown_fair[period_s=0.2,controller=local,deadband=0,predictor=ewma,kappa=1]",
};

/* Up to so many jobs on a GPU, under processor sharing. */
static void share(struct small *s, uint32_t residents, double eta)
{
    s->world.residents = residents;
    s->world.contention = contentions[0];
    for (type_id t = 0; t < s->world.n_types; t++)
        s->world.type[t].eta = eta;
}

static struct small *shared_random(uint64_t seed)
{
    static const struct small_shape shape = {3, 5, 4, 14, 5, 6, true, true, true, true};
    gsl_rng *r = rng_stream(seed, "shares", 0);
    struct small *s = small_random(seed, &shape);
    struct world *w = &s->world;
    bool known = gsl_rng_uniform_int(r, 2);

    share(s, 2 + (uint32_t)gsl_rng_uniform_int(r, 4), 0.3 * (double)gsl_rng_uniform_int(r, 3));
    w->overheads.replica = 80 * MS * (sim_time)gsl_rng_uniform_int(r, 4);
    for (uint32_t m = 0; m < w->n_models; m++) {
        s->cost->gap[m] = 0.064 * (double)gsl_rng_uniform_int(r, 3);
        w->model[m].memory_fixed = known ? 1e9 * (double)(1 + gsl_rng_uniform_int(r, 3)) : 0;
        w->model[m].memory_per_sample = known ? 1e7 * (double)gsl_rng_uniform_int(r, 4) : 0;
    }
    for (type_id t = 0; t < w->n_types; t++) /* room for every batch on one GPU, if it is alone */
        w->type[t].memory = known ? 3e9 + 3e7 * 128 + 1e9 * (double)gsl_rng_uniform_int(r, 6) : 0;
    gsl_rng_free(r);
    return s;
}

static uint32_t count(const struct history *h, enum record_kind kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->n; i++)
        n += h->record[i].kind == kind;
    return n;
}

/* ---- where jobs go ---- */

/* Who holds what, as the records tell it. */
struct seating {
    const struct world *w;
    uint32_t residents[64];
    double used[64];
};

static void seat(struct seating *x, const struct record *r, uint32_t model, int by)
{
    for (uint32_t i = 0; r->share && i < r->n; i++) {
        gpu_id g = r->share[i].gpu;
        x->residents[g] += (uint32_t)by;
        x->used[g] += by * world_replica_bytes(x->w, model, r->share[i].samples);
    }
}

/* A node's residents if it has seats and memory for so many shares of so many samples; else -1. */
static int64_t room(const struct seating *x, node_id k, uint32_t gpus, double bytes)
{
    const struct node *n = &x->w->node[k];
    uint32_t fit = 0, sum = 0;

    for (gpu_id g = n->first; g < n->first + n->gpus; g++) {
        sum += x->residents[g];
        fit += x->residents[g] < x->w->residents &&
               x->used[g] + bytes <= world_gpu_bytes(x->w, n->type);
    }
    return fit >= gpus ? (int64_t)sum : -1;
}

/* Whether there are seats and memory for even shares on the GPUs that its owner asks for. */
static bool fits_asked(const struct seating *x, const struct job_spec *j)
{
    const struct world *w = x->w;
    uint32_t i = 0;

    for (uint64_t left = j->asked; left; left &= left - 1, i++) {
        gpu_id g = (gpu_id)__builtin_ctzll(left);
        uint32_t samples = j->batch / j->gpus + (i < j->batch % j->gpus);
        double bytes = x->used[g] + world_replica_bytes(w, j->model, samples);
        if (x->residents[g] >= w->residents ||
            bytes > world_gpu_bytes(w, w->node[w->gpu[g].node].type))
            return false;
    }
    return true;
}

/* The node with the fewest residents of those that have room, by looking at all; nodes: none. */
static node_id best_node(const struct seating *x, const struct job_spec *j)
{
    const struct world *w = x->w;
    node_id best = w->n_nodes;
    int64_t fewest = INT64_MAX;

    if (j->asked)
        return fits_asked(x, j) ? w->gpu[__builtin_ctzll(j->asked)].node : best;
    for (node_id k = 0; k < w->n_nodes; k++) {
        type_id t = w->node[k].type;
        double bytes = world_replica_bytes(w, j->model, ceil((double)j->batch / j->gpus));
        int64_t n = room(x, k, j->gpus, bytes);
        if (!(world_type_rate(w, j, 1, t) > 0) || !world_type_fits(w, j, t) || n < 0 || n >= fewest)
            continue;
        fewest = n;
        best = k;
    }
    return best;
}

/* Jobs start on the best node, and when an instant is over nobody waits for whom there is one; if
 * strict, in order of arrival, and not the first of those that wait. */
static void check_seats(const struct small *s, const struct history *h, const char *label,
                        bool strict)
{
    struct seating x = {.w = &s->world};
    bool waits[SMALL_JOBS] = {false};

    for (uint32_t i = 0; i < h->n; i++) {
        const struct record *r = &h->record[i];
        uint32_t j = r->job == NO_JOB ? 0 : sim_number(r->job);
        const struct job_spec *spec = &s->job[j];
        if (r->kind == REC_ARRIVE)
            waits[j] = true;
        if (r->kind == REC_START) {
            node_id k = best_node(&x, spec);
            cr_assert(k == s->world.n_nodes || s->world.gpu[r->share[0].gpu].node == k,
                      "world %llu, %s: job %u goes to GPU %u, not to node %u",
                      (unsigned long long)s->world.seed, label, j, r->share[0].gpu, k);
            for (uint32_t n = 0; n < j && strict; n++)
                cr_assert(!waits[n], "world %llu: job %u overtakes %u",
                          (unsigned long long)s->world.seed, j, n);
            seat(&x, r, spec->model, 1);
            waits[j] = false;
        } else if (r->kind == REC_END) {
            seat(&x, r, spec->model, -1);
        }
        if (i + 1 < h->n && h->record[i + 1].t == r->t)
            continue;
        for (uint32_t n = 0, ahead = 0; n < s->n_jobs && !(strict && ahead); ahead += waits[n++])
            cr_assert(!waits[n] || best_node(&x, &s->job[n]) == s->world.n_nodes,
                      "world %llu, %s: job %u waits at %lld", (unsigned long long)s->world.seed,
                      label, n, (long long)r->t);
    }
}

/* The owners of most jobs ask for GPUs of some node that can run them. */
static void ask(struct small *s)
{
    gsl_rng *r = rng_stream(s->world.seed, "ask", 0);

    for (uint32_t i = 0; i < s->n_jobs; i++) {
        struct job_spec *j = &s->job[i];
        const struct node *n = &s->world.node[gsl_rng_uniform_int(r, s->world.n_nodes)];
        uint64_t first = gsl_rng_uniform_int(r, 4);
        if (first + j->gpus <= n->gpus && world_type_rate(&s->world, j, 1, n->type) > 0 &&
            world_type_fits(&s->world, j, n->type))
            j->asked = ((UINT64_C(1) << j->gpus) - 1) << (n->first + first);
    }
    gsl_rng_free(r);
}

Test(shares, seats)
{
    for (uint64_t seed = 0; seed < SMALL_WORLDS(1000); seed++) {
        struct small *s = shared_random(seed);
        s->world.n_experiments = 0;
        s->until = SIM_NEVER;
        if (seed % 2)
            ask(s);
        for (int strict = 0; strict < 2; strict++) {
            const char *label = strict ? "even_split[skip_ahead=false]" : "even_split";
            struct history *h = history_of(s, label);
            check_seats(s, h, label, strict);
            history_free(h);
        }
        small_free(s);
    }
}

/* ---- any world ---- */

/* A refused act, a stall or a run that does not end fails in history_of(). */
Test(shares, acts_are_possible_and_end)
{
    for (size_t p = 0; p < LENGTH(labels); p++) {
        uint32_t acts = 0;
        for (uint64_t seed = 0; seed < SMALL_WORLDS(400); seed++) {
            struct small *s = shared_random(seed);
            struct history *h = history_of(s, labels[p]);
            acts += count(h, REC_SPLIT) + count(h, REC_RESIZE);
            for (uint32_t i = 0; i < h->n; i++) {
                const struct record *r = &h->record[i];
                uint32_t sum = 0;
                if (r->kind != REC_SPLIT && r->kind != REC_RESIZE)
                    continue;
                for (uint32_t k = 0; k < r->n; k++)
                    sum += r->share[k].samples;
                cr_assert(sum == 32 || sum == 64 || sum == 128, "%s: %u samples", labels[p], sum);
            }
            history_free(h);
            small_free(s);
        }
        cr_expect_eq(acts == 0, strstr(labels[p], "even_split") != NULL, "%s: %u acts", labels[p],
                     acts);
    }
}

/* ---- nothing to do ---- */

/* 9, 10: a job that has its GPUs for itself; and identical jobs on identical GPUs. */
static void check_still(struct small *s, const char *label)
{
    struct history *h = history_of(s, label);

    for (uint32_t i = 0; i < h->n; i++)
        cr_assert(h->record[i].kind != REC_SPLIT && h->record[i].kind != REC_RESIZE,
                  "%s: job %u, %s", label, sim_number(h->record[i].job), h->record[i].why);
    history_free(h);
}

Test(shares, nothing_to_do)
{
    static const double speeds[] = {1, 1, 0.5, 0.375};

    for (size_t p = 0; p < LENGTH(labels); p++)
        for (uint32_t gpus = 1; gpus <= 4; gpus++) {
            struct small *s = small_new(1);
            small_nodes(s, small_type(s), 1, gpus);
            share(s, 8, 0.15);
            uint32_t m = small_model(s, 2e7, 1e6, 4800);
            small_training(s, 0, gpus, m, 48, 2);
            s->world.nominal = false;
            for (uint32_t g = 0; g < gpus; g++)
                s->world.gpu[g].speed = speeds[g];
            if (!strstr(labels[p], "straggler"))
                check_still(s, labels[p]);
            for (uint32_t g = 0; g < gpus; g++)
                s->world.gpu[g].speed = 1;
            for (uint32_t n = 2; n <= 5; n++) {
                small_training(s, 0, gpus, m, 48, 2);
                check_still(s, labels[p]);
            }
            small_free(s);
        }
}

/* ---- what is known in closed form ---- */

/* 9, 8: a job alone on GPUs of several speeds gets the shares with the shortest step. */
Test(shares, straggler_free_is_best)
{
    static const struct {
        uint32_t gpus, batch;
        double speed[4], alpha, beta;
    } cases[] = {
        {2, 64, {1, 0.5}, 0, 1e6},
        {2, 64, {1, 0.5}, 2e7, 1e6},
        {3, 100, {1, 1, 0.25}, 1e7, 1e6},
        {4, 256, {1, 1, 0.5, 0.375}, 0, 1e6},
        {4, 256, {2, 1, 0.5, 0.25}, 8e6, 5e5},
    };

    for (size_t c = 0; c < LENGTH(cases); c++) {
        struct small *s = small_new(1);
        struct sim_worker worker[4];
        uint32_t best[4];
        double longest = 0;
        small_nodes(s, small_type(s), 1, cases[c].gpus);
        share(s, 4, 0.15);
        s->world.nominal = false;
        for (uint32_t g = 0; g < cases[c].gpus; g++) {
            double v = s->world.gpu[g].speed = cases[c].speed[g];
            worker[g] = (struct sim_worker){cases[c].alpha / 1e9 / v, cases[c].beta / 1e9 / v, 1,
                                            cases[c].batch};
        }
        uint32_t m = small_model(s, cases[c].alpha, cases[c].beta, cases[c].batch * 100);
        small_training(s, 0, cases[c].gpus, m, cases[c].batch, 3);
        struct history *h = history_of(s, "straggler_free[first_s=0.1]");
        const struct record *r = history_find(h, REC_SPLIT, 0);
        cr_assert(r && count(h, REC_SPLIT) == 1, "case %zu: %u changes", c, count(h, REC_SPLIT));
        cr_assert(sim_balance(worker, cases[c].gpus, cases[c].batch, best));
        for (uint32_t g = 0; g < cases[c].gpus; g++)
            longest = fmax(longest, worker[g].fixed + worker[g].each * best[g]);
        cr_assert_float_eq(r->value, 1 / longest, 1e-9 / longest, "case %zu: %g, best %g", c,
                           1 / r->value, longest);
        history_free(h);
        small_free(s);
    }
}
