/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Taking, giving and choosing GPUs against a scan of all of them, written from docs/model.md. */
#include <string.h>

#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/engine/gpus.h"

#define MOST_NODES 20
#define MOST_GPUS  (MOST_NODES * 64)

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}

static struct world *draw_world(struct arena *a, gsl_rng *r)
{
    struct world *w = arena_get(a, sizeof *w);
    uint32_t most = below(r, 8) == 0 ? 64 : 1 + below(r, 8);

    w->n_types = 1 + below(r, 4);
    w->n_nodes = w->n_types + below(r, MOST_NODES - w->n_types + 1);
    w->type = arena_get(a, w->n_types * sizeof *w->type);
    w->node = arena_get(a, w->n_nodes * sizeof *w->node);
    w->gpu = arena_get(a, MOST_GPUS * sizeof *w->gpu);
    for (node_id k = 0; k < w->n_nodes; k++) {
        type_id t = k < w->n_types ? k : below(r, w->n_types);
        w->node[k] = (struct node){.type = t, .first = w->n_gpus, .gpus = 1 + below(r, most)};
        for (uint32_t i = 0; i < w->node[k].gpus; i++)
            w->gpu[w->n_gpus++] = (struct gpu){k, 1};
    }
    world_count(w);
    return w;
}

/* ---- the scan ---- */

struct plain {
    const struct world *w;
    bool taken[MOST_GPUS];
};

static uint32_t free_of_node(const struct plain *p, node_id k)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->w->node[k].gpus; i++)
        n += !p->taken[p->w->node[k].first + i];
    return n;
}

/* The node of these types with the fewest free GPUs that suffice. */
static node_id tightest(const struct plain *p, uint32_t n, uint64_t types, const bool *used)
{
    node_id best = UINT32_MAX;

    for (node_id k = 0; k < p->w->n_nodes; k++)
        if (types >> p->w->node[k].type & 1 && free_of_node(p, k) >= n && !(used && used[k]) &&
            (best == UINT32_MAX || free_of_node(p, k) < free_of_node(p, best)))
            best = k;
    return best;
}

static node_id emptiest(const struct plain *p, type_id t, const bool *used)
{
    node_id best = UINT32_MAX;

    for (node_id k = 0; k < p->w->n_nodes; k++)
        if (p->w->node[k].type == t && !used[k] &&
            (best == UINT32_MAX || free_of_node(p, k) > free_of_node(p, best)))
            best = k;
    return best;
}

static uint32_t lowest(const struct plain *p, node_id k, uint32_t n, gpu_id *out)
{
    uint32_t got = 0;

    for (uint32_t i = 0; i < p->w->node[k].gpus && got < n; i++)
        if (!p->taken[p->w->node[k].first + i])
            out[got++] = p->w->node[k].first + i;
    return got;
}

static void whole_nodes(const struct plain *p, type_id t, uint32_t n, gpu_id *out)
{
    bool used[MOST_NODES] = {false};

    while (n > 0) {
        node_id k = emptiest(p, t, used);
        if (free_of_node(p, k) >= n)
            k = tightest(p, n, UINT64_C(1) << t, used);
        used[k] = true;
        uint32_t got = lowest(p, k, n, out);
        out += got;
        n -= got;
    }
}

static bool scan(const struct plain *p, uint32_t n, uint64_t types, node_id home, gpu_id home_gpu,
                 gpu_id *out)
{
    if (n == 1 && home != UINT32_MAX && !p->taken[home_gpu]) {
        *out = home_gpu;
        return true;
    }
    node_id k =
        home != UINT32_MAX && free_of_node(p, home) >= n ? home : tightest(p, n, types, NULL);
    if (k != UINT32_MAX) {
        lowest(p, k, n, out);
        return true;
    }
    for (type_id t = 0; t < p->w->n_types; t++) {
        uint32_t free = 0;
        for (node_id i = 0; i < p->w->n_nodes; i++)
            free += p->w->node[i].type == t ? free_of_node(p, i) : 0;
        if (types >> t & 1 && free >= n) {
            whole_nodes(p, t, n, out);
            return true;
        }
    }
    return false;
}

/* ---- random use ---- */

struct holder {
    uint32_t n;
    struct share share[MOST_GPUS];
};

static void compare_picks(const struct gpus *g, const struct plain *p, gsl_rng *r, uint32_t n)
{
    uint64_t types = 1 + gsl_rng_uniform_int(r, (UINT64_C(1) << p->w->n_types) - 1);
    gpu_id want[MOST_GPUS], home_gpu = below(r, p->w->n_gpus);
    struct share picked[MOST_GPUS];
    node_id home = below(r, 2) ? p->w->gpu[home_gpu].node : UINT32_MAX;
    bool found = gpus_pick(g, n, types, home, home_gpu, picked);

    cr_assert_eq(found, scan(p, n, types, home, home_gpu, want), "%u GPUs", n);
    for (uint32_t i = 0; found && i < n; i++)
        cr_assert_eq(picked[i].gpu, want[i], "%u GPUs, the %u-th: %u, by a scan %u", n, i,
                     picked[i].gpu, want[i]);
}

static void take_some(struct gpus *g, struct plain *p, gsl_rng *r, struct holder *h, uint32_t owner)
{
    uint32_t n = 1 + below(r, below(r, 3) ? 4 : p->w->n_gpus);

    compare_picks(g, p, r, n);
    if (!gpus_pick(g, n, UINT64_MAX >> (64 - p->w->n_types), UINT32_MAX, 0, h->share))
        return;
    if (below(r, 3) == 0) /* the order of a placement is free */
        gsl_ran_shuffle(r, h->share, n, sizeof *h->share);
    h->n = n;
    for (uint32_t i = 0; i < n; i++)
        p->taken[h->share[i].gpu] = true;
    cr_assert_eq(gpus_take(g, &(struct placement){n, h->share}, owner), ACT_OK);
}

static void give_back(struct gpus *g, struct plain *p, struct holder *h)
{
    for (uint32_t i = 0; i < h->n; i++)
        p->taken[h->share[i].gpu] = false;
    gpus_give(g, &(struct placement){h->n, h->share}, 0);
    h->n = 0;
}

Test(gpus, picks_as_a_scan_does)
{
    static struct holder holder[8];

    for (uint64_t seed = 0; seed < 150; seed++) {
        struct arena *a = arena_new();
        gsl_rng *r = rng_stream(seed, "gpus", 0);
        struct plain p = {draw_world(a, r), {false}};
        struct gpus g = gpus_new(a, p.w);
        memset(holder, 0, sizeof holder);
        for (int i = 0; i < 200; i++) {
            uint32_t owner = below(r, 8);
            if (holder[owner].n)
                give_back(&g, &p, &holder[owner]);
            else
                take_some(&g, &p, r, &holder[owner], owner);
            gpus_check(&g);
        }
        gsl_rng_free(r);
        arena_free(a);
    }
}

/* What cannot be taken leaves everything as it was; a GPU is ready when its last owner's state is
 * saved. */
Test(gpus, all_or_none)
{
    static const struct {
        gpu_id gpu[4];
        uint32_t n;
        enum verdict want;
    } cases[] = {
        {{0}, 1, ACT_GPU_TAKEN},
        {{1, 0}, 2, ACT_GPU_TAKEN},
        {{1, 2, 3, 0}, 4, ACT_GPU_TAKEN},
        {{1, 1}, 2, ACT_WRONG_SIZE},
        {{1, 2, 1}, 3, ACT_WRONG_SIZE},
        {{1, 6}, 2, ACT_NO_GPU},
        {{UINT32_MAX}, 1, ACT_NO_GPU},
        {{5, 4, 3, 2}, 4, ACT_OK},
        {{1}, 1, ACT_OK},
    };
    struct arena *a = arena_new();
    struct gpu_type type = {.name = "gpu", .gpus = 6};
    struct node node[2] = {{.gpus = 2}, {.first = 2, .gpus = 4}};
    struct gpu gpu[6] = {{0, 1}, {0, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    struct world w = {
        .n_types = 1, .n_nodes = 2, .n_gpus = 6, .type = &type, .node = node, .gpu = gpu};
    struct gpus g = gpus_new(a, &w);
    struct share first = {0, 0};

    cr_assert_eq(gpus_take(&g, &(struct placement){1, &first}, 9), ACT_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct share share[4] = {{0, 0}};
        for (uint32_t k = 0; k < cases[i].n; k++)
            share[k].gpu = cases[i].gpu[k];
        struct placement p = {cases[i].n, share};
        cr_assert_eq(gpus_take(&g, &p, 1), cases[i].want, "case %zu", i);
        if (cases[i].want == ACT_OK)
            gpus_give(&g, &p, (sim_time)i);
        gpus_check(&g);
        cr_assert_eq(g.free, 5);
    }
    cr_assert(g.gpu[1].ready == 8 && g.gpu[5].ready == 7 && g.gpu[0].ready == 0);
    gpus_give(&g, &(struct placement){1, &first}, 3);
    cr_assert(g.gpu[0].ready == 3 && g.free == 6);
    arena_free(a);
}
