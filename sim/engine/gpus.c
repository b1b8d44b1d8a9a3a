/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/gpus.h"

#include <string.h>

#include "sim/base/bug.h"

static inline void room_add(struct type_room *r, uint32_t f, node_id k)
{
    if (f == 0)
        return;
    bits_add(&r->with[f], k);
    r->some |= UINT64_C(1) << ((f - 1) & 63);
}

static inline void room_drop(struct type_room *r, uint32_t f, node_id k)
{
    if (f == 0)
        return;
    bits_drop(&r->with[f], k);
    if (bits_empty(&r->with[f]))
        r->some &= ~(UINT64_C(1) << ((f - 1) & 63));
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

    s.most = w->residents > 1 ? w->residents : 1;
    if (s.most > 1) {
        s.seat = arena_get(a, (size_t)w->n_gpus * s.most * sizeof(*s.seat));
        s.shared = arena_get(a, w->n_gpus * sizeof(*s.shared));
    }
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

bool gpus_exist(const struct gpus *s, const struct placement *p)
{
    for (uint32_t i = 0; p && i < p->n; i++)
        if (p->share[i].gpu >= s->world->n_gpus)
            return false;
    return p && p->n > 0;
}

/* Other GPUs of a node are free: so many of them. */
static void set_free(struct gpus *s, node_id k, uint64_t free, uint32_t n)
{
    struct node_now *node = &s->node[k];
    struct type_room *r = &s->room[node->type];
    uint32_t was = node->n_free;

    node->free = free;
    node->n_free = (uint8_t)n;
    room_drop(r, was, k);
    room_add(r, node->n_free, k);
    r->free += n - was;
    s->free += n - was;
}

/* GPUs that are next to each other in the list and on one node are taken at once: in one pass, and
 * with one move of the node between the sets. */
enum verdict gpus_take(struct gpus *s, const struct placement *p, uint32_t owner)
{
    enum verdict bad = ACT_OK;
    uint32_t i = 0, at;

    while (i < p->n && bad == ACT_OK) {
        gpu_id first = p->share[i].gpu;
        if (first >= s->world->n_gpus) {
            bad = ACT_NO_GPU;
            break;
        }
        node_id k = s->gpu[first].node;
        const struct node_now *node = &s->node[k];
        uint64_t free = node->free;
        uint32_t from = i;
        for (; i < p->n && (at = p->share[i].gpu - node->first) < node->gpus && free >> at & 1;
             i++) {
            free &= ~(UINT64_C(1) << at);
            s->gpu[node->first + at].owner = owner;
        }
        if (i > from)
            set_free(s, k, free, node->n_free - (i - from));
        else
            bad = s->gpu[first].owner == owner ? ACT_WRONG_SIZE : ACT_GPU_TAKEN;
    }
    if (bad != ACT_OK)
        gpus_give(s, &(struct placement){i, p->share}, 0);
    return bad;
}

void gpus_give(struct gpus *s, const struct placement *p, sim_time ready)
{
    uint32_t at;

    for (uint32_t i = 0; i < p->n;) {
        node_id k = s->gpu[p->share[i].gpu].node;
        const struct node_now *node = &s->node[k];
        uint64_t free = node->free;
        uint32_t from = i;
        for (; i < p->n && (at = p->share[i].gpu - node->first) < node->gpus; i++) {
            struct gpu_now *g = &s->gpu[node->first + at];
            free |= UINT64_C(1) << at;
            g->owner = NO_OWNER;
            g->ready = g->ready < ready ? ready : g->ready;
        }
        set_free(s, k, free, node->n_free + (i - from));
    }
    s->latest = s->latest < ready ? ready : s->latest;
}

/* ---- shared GPUs ---- */

/* The first seat of a GPU whose job was submitted no earlier. */
static uint32_t seat_at(const struct gpus *s, gpu_id g, job_id j)
{
    const struct resident *seat = gpus_residents(s, g);
    uint32_t i = 0;

    while (i < s->shared[g].n && seat[i].job < j)
        i++;
    return i;
}

struct resident *gpus_resident(const struct gpus *s, gpu_id g, job_id j)
{
    uint32_t i = seat_at(s, g, j);
    struct resident *seat = gpus_residents(s, g) + i;

    return i < s->shared[g].n && seat->job == j ? seat : NULL;
}

/* A GPU becomes free or taken. */
static void flip(struct gpus *s, gpu_id g)
{
    node_id k = s->gpu[g].node;
    const struct node_now *node = &s->node[k];
    uint64_t bit = UINT64_C(1) << (g - node->first);

    set_free(s, k, node->free ^ bit, node->free & bit ? node->n_free - 1u : node->n_free + 1u);
}

void gpus_join(struct gpus *s, gpu_id g, job_id j, double bytes)
{
    uint32_t i = seat_at(s, g, j);
    struct resident *seat = gpus_residents(s, g);

    BUG_ON(s->shared[g].n == s->most);
    memmove(seat + i + 1, seat + i, (s->shared[g].n - i) * sizeof(*seat));
    seat[i] = (struct resident){j, 0};
    s->shared[g].used += bytes;
    if (s->shared[g].n++ == 0)
        flip(s, g);
}

void gpus_part(struct gpus *s, gpu_id g, job_id j, double bytes, sim_time ready)
{
    uint32_t i = seat_at(s, g, j);
    struct resident *seat = gpus_residents(s, g);

    BUG_ON(i == s->shared[g].n || seat[i].job != j);
    memmove(seat + i, seat + i + 1, (--s->shared[g].n - i) * sizeof(*seat));
    s->shared[g].used -= bytes;
    if (s->shared[g].n == 0) {
        s->shared[g].used = 0;
        flip(s, g);
    }
    s->gpu[g].ready = s->gpu[g].ready < ready ? ready : s->gpu[g].ready;
    s->latest = s->latest < ready ? ready : s->latest;
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
        uint32_t top = 63 - (uint32_t)__builtin_clzll(left), f = top + 1;
        for (uint32_t k = bits_first(&r->with[f]); k != BITS_NONE; k = bits_next(&r->with[f], k)) {
            if (n <= f) {
                uint32_t fit = n + (uint32_t)__builtin_ctzll(r->some >> (n - 1));
                take_lowest(s, fit == f ? k : bits_first(&r->with[fit]), n, out);
                return;
            }
            out = take_lowest(s, k, f, out);
            n -= f;
        }
        left ^= UINT64_C(1) << (top & 63);
    }
    BUG("spread: the free counts are wrong");
}

static bool is_free(const struct gpus *s, gpu_id g)
{
    const struct node_now *node = &s->node[s->gpu[g].node];

    return node->free >> (g - node->first) & 1;
}

bool gpus_pick(const struct gpus *s, uint32_t n, uint64_t types, node_id home, gpu_id home_gpu,
               struct share *out)
{
    if (n == 0 || n > s->free)
        return false;
    if (n == 1 && home != UINT32_MAX && is_free(s, home_gpu)) {
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

static bool has_nobody(const struct gpus *s, gpu_id g)
{
    return s->shared ? s->shared[g].n == 0 : s->gpu[g].owner == NO_OWNER;
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
            if ((node->free >> i & 1) != has_nobody(s, node->first + i))
                BUG("GPU %u: mask and residents disagree", node->first + i);
        if (f && !(in->low[k >> 6] >> (k & 63) & 1))
            BUG("node %u is not among those with %u free GPUs", k, f);
        free += f;
    }
    if (free != s->free)
        BUG("%u GPUs are free, %u were counted", free, s->free);
}
