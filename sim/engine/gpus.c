/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/gpus.h"

#include "sim/base/bug.h"

static inline void room_add(struct type_room *r, uint32_t f, node_id k)
{
    if (f == 0)
        return;
    bits_add(&r->with[f], k);
    r->some |= UINT64_C(1) << (f - 1);
}

static inline void room_drop(struct type_room *r, uint32_t f, node_id k)
{
    if (f == 0)
        return;
    bits_drop(&r->with[f], k);
    if (bits_empty(&r->with[f]))
        r->some &= ~(UINT64_C(1) << (f - 1));
}

struct gpus gpus_new(struct arena *a, const struct world *w)
{
    struct gpus s = {
        .world = w,
        .free = w->n_gpus,
        .gpu = arena_get(a, w->n_gpus * sizeof(*s.gpu)),
        .node = arena_get(a, w->n_nodes * sizeof(*s.node)),
        .room = arena_get(a, w->n_types * sizeof(*s.room)),
    };

    for (gpu_id g = 0; g < w->n_gpus; g++)
        s.gpu[g] = (struct gpu_now){0, NO_OWNER, w->gpu[g].node};
    for (type_id t = 0; t < w->n_types; t++) {
        s.room[t].free = w->type[t].gpus;
        for (int f = 1; f <= 64; f++)
            s.room[t].with[f] = bits_new(a, w->n_nodes);
    }
    for (node_id k = 0; k < w->n_nodes; k++) {
        const struct node *n = &w->node[k];
        s.node[k] = (struct node_now){UINT64_MAX >> (64 - n->gpus), n->first, (uint8_t)n->gpus,
                                      (uint8_t)n->gpus, (uint8_t)n->type};
        room_add(&s.room[n->type], n->gpus, k);
    }
    return s;
}

/* Flips the bits of GPUs that are next to each other in the list and on one node, with one move of
 * the node between the sets; returns how many they were. sign: 1: they become free, -1: taken. */
static uint32_t flip_node(struct gpus *s, const struct placement *p, uint32_t i, int sign)
{
    node_id k = s->gpu[p->share[i].gpu].node;
    struct node_now *node = &s->node[k];
    struct type_room *r = &s->room[node->type];
    uint32_t n = 0, f = node->n_free, at;
    uint64_t bits = 0;

    for (; i + n < p->n && (at = p->share[i + n].gpu - node->first) < node->gpus; n++)
        bits |= UINT64_C(1) << at;
    uint32_t change = (uint32_t)(sign * (int)n);
    node->free ^= bits;
    node->n_free = (uint8_t)(f + change);
    room_drop(r, f, k);
    room_add(r, f + change, k);
    r->free += change;
    return n;
}

enum verdict gpus_take(struct gpus *s, const struct placement *p, uint32_t owner)
{
    enum verdict bad = ACT_OK;
    uint32_t n = 0;

    for (; n < p->n && bad == ACT_OK; n++) {
        gpu_id g = p->share[n].gpu;
        if (g >= s->world->n_gpus)
            bad = ACT_NO_GPU;
        else if (s->gpu[g].owner != NO_OWNER)
            bad = s->gpu[g].owner == owner ? ACT_WRONG_SIZE : ACT_GPU_TAKEN;
        else
            s->gpu[g].owner = owner;
    }
    if (bad != ACT_OK) {
        while (--n > 0)
            s->gpu[p->share[n - 1].gpu].owner = NO_OWNER;
        return bad;
    }
    for (uint32_t i = 0; i < p->n;)
        i += flip_node(s, p, i, -1);
    s->free -= p->n;
    return ACT_OK;
}

void gpus_give(struct gpus *s, const struct placement *p, sim_time ready)
{
    for (uint32_t i = 0; i < p->n;)
        i += flip_node(s, p, i, 1);
    for (uint32_t i = 0; i < p->n; i++) {
        struct gpu_now *g = &s->gpu[p->share[i].gpu];
        g->owner = NO_OWNER;
        g->ready = g->ready < ready ? ready : g->ready;
    }
    s->latest = s->latest < ready ? ready : s->latest;
    s->free += p->n;
}

static struct share *take_lowest(const struct gpus *s, node_id k, uint32_t n, struct share *out)
{
    uint64_t m = s->node[k].free;

    for (; n > 0; n--, m &= m - 1)
        *out++ = (struct share){s->node[k].first + (uint32_t)__builtin_ctzll(m), 0};
    return out;
}

/* The node with the fewest free GPUs that still has n, of the types allowed; ties: the lowest. */
static node_id best_fit(const struct gpus *s, uint32_t n, uint64_t types)
{
    uint32_t fewest = 65;
    node_id best = UINT32_MAX;

    if (n > 64)
        return UINT32_MAX;
    for (uint64_t left = types; left; left &= left - 1) {
        const struct type_room *r = &s->room[__builtin_ctzll(left)];
        uint64_t enough = r->some >> (n - 1);
        if (!enough)
            continue;
        uint32_t f = n + (uint32_t)__builtin_ctzll(enough);
        node_id k = bits_first(&r->with[f]);
        if (f < fewest || (f == fewest && k < best)) {
            fewest = f;
            best = k;
        }
    }
    return best;
}

/* Whole nodes of one type, those with most free GPUs first, then the best fit for the rest. */
static void spread(const struct gpus *s, const struct type_room *r, uint32_t n, struct share *out)
{
    for (uint64_t left = r->some; left;) {
        uint32_t f = 64 - (uint32_t)__builtin_clzll(left);
        for (uint32_t k = bits_first(&r->with[f]); k != BITS_NONE; k = bits_next(&r->with[f], k)) {
            if (n <= f) {
                uint32_t fit = n + (uint32_t)__builtin_ctzll(r->some >> (n - 1));
                take_lowest(s, fit == f ? k : bits_first(&r->with[fit]), n, out);
                return;
            }
            out = take_lowest(s, k, f, out);
            n -= f;
        }
        left ^= UINT64_C(1) << (f - 1);
    }
    BUG("spread: the free counts are wrong");
}

bool gpus_pick(const struct gpus *s, uint32_t n, uint64_t types, node_id home, gpu_id home_gpu,
               struct share *out)
{
    if (n == 0 || n > s->free)
        return false;
    if (n == 1 && home != UINT32_MAX && s->gpu[home_gpu].owner == NO_OWNER) {
        out[0] = (struct share){home_gpu, 0};
        return true;
    }
    node_id k = home;
    if (k == UINT32_MAX || s->node[k].n_free < n)
        k = best_fit(s, n, types);
    if (k != UINT32_MAX) {
        take_lowest(s, k, n, out);
        return true;
    }
    for (uint64_t left = types; left; left &= left - 1) {
        const struct type_room *r = &s->room[__builtin_ctzll(left)];
        if (r->free >= n) {
            spread(s, r, n, out);
            return true;
        }
    }
    return false;
}

void gpus_check(const struct gpus *s)
{
    uint32_t free = 0;

    for (node_id k = 0; k < s->world->n_nodes; k++) {
        const struct node_now *node = &s->node[k];
        uint32_t f = (uint32_t)__builtin_popcountll(node->free);
        const struct bits *in = &s->room[node->type].with[f];
        BUG_ON(node->n_free != f);
        for (uint32_t i = 0; i < node->gpus; i++)
            if ((node->free >> i & 1) != (s->gpu[node->first + i].owner == NO_OWNER))
                BUG("GPU %u: mask and owner disagree", node->first + i);
        if (f && !(in->low[k >> 6] >> (k & 63) & 1))
            BUG("node %u is not among those with %u free GPUs", k, f);
        free += f;
    }
    if (free != s->free)
        BUG("%u GPUs are free, %u were counted", free, s->free);
}
