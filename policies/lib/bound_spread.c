/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a new trial goes when GPU types do not matter (the global scheduler of Hermes, uniform
 * placement), and the callbacks of policies that are no more than that. */
#include "policies/lib/bound.h"

static bool suits(const struct bound *b, uint32_t s, uint64_t types, uint32_t gpus)
{
    return types >> b->station[s].type & 1 && b->station[s].gpus >= gpus;
}

uint32_t bound_fewest(const struct bound *b, uint64_t types)
{
    struct heap_item best = {INT64_MAX, UINT64_MAX};

    for (uint64_t left = types; left; left &= left - 1) {
        const struct heap *h = &b->room[__builtin_ctzll(left)];
        if (h->n == 0)
            continue;
        struct heap_item x = {heap_first_key(h), heap_first(h)};
        if (heap_less(x, best))
            best = x;
    }
    return (uint32_t)best.id;
}

/* Equal counts for each node: the k-th trial goes to node k mod N, and there to the emptiest
 * station. */
static uint32_t next_of_node(struct bound *b, struct cx *cx)
{
    node_id node = b->next++ % sim_nodes(cx);
    uint32_t s = b->first_of_node[node], best = s;

    for (; s < b->n_stations && b->station[s].node == node; s++)
        if (b->station[s].n < b->station[best].n)
            best = s;
    return best;
}

/* Time in which jobs that are or were bound to a station progressed. */
static sim_time used(struct bound *b, struct cx *cx, const struct station *st)
{
    sim_time sum = st->used;

    for (uint32_t i = 0; i < st->n; i++)
        sum += sim_job(cx, st->resident[i])->ran - bound_member(b, cx, st->resident[i])->ran_before;
    return sum;
}

/* Among the stations with the fewest residents the one that was used least. */
static uint32_t least_used(struct bound *b, struct cx *cx, uint64_t types)
{
    uint32_t best = bound_fewest(b, types), n = best < b->n_stations ? b->station[best].n : 0;
    sim_time least = SIM_NEVER;

    for (uint32_t s = best; s < b->n_stations; s++) {
        const struct station *st = &b->station[s];
        if (st->n != n || !(types >> st->type & 1))
            continue;
        sim_time x = used(b, cx, st);
        best = x < least ? s : best;
        least = x < least ? x : least;
    }
    return best;
}

static uint32_t pick(struct bound *b, struct cx *cx, uint64_t types)
{
    switch (b->rules.spread) {
    case SPREAD_ROUND_ROBIN:
        return b->next++ % b->n_stations;
    case SPREAD_FEWEST:
        return bound_fewest(b, types);
    case SPREAD_PER_NODE:
        return next_of_node(b, cx);
    case SPREAD_LEAST_USED:
        return least_used(b, cx, types);
    default:
        return (uint32_t)(sim_random(cx) % b->n_stations);
    }
}

static bool among(const uint32_t *list, uint32_t n, uint32_t x)
{
    while (n-- > 0)
        if (list[n] == x)
            return true;
    return false;
}

/* The choice of the rules, or the next station behind it that suits and is not taken yet. */
static uint32_t choose(struct bound *b, struct cx *cx, const struct job_view *v,
                       const uint32_t *taken, uint32_t n)
{
    uint32_t gpus = b->rules.scope == SCOPE_NODE ? v->gpus : 1, s = pick(b, cx, v->types);

    s = s < b->n_stations ? s : 0;
    for (uint32_t tries = 0; tries < b->n_stations; tries++) {
        if (suits(b, s, v->types, gpus) && !among(taken, n, s))
            return s;
        s = (s + 1) % b->n_stations;
    }
    return UINT32_MAX;
}

void bound_spread(struct bound *b, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    uint32_t n = b->rules.scope == SCOPE_NODE ? 1 : v->gpus;
    uint32_t *s = sim_scratch(cx, n * sizeof(*s));

    for (uint32_t i = 0; i < n; i++) {
        s[i] = choose(b, cx, v, s, i);
        if (s[i] == UINT32_MAX) {
            sim_fail(cx, "job %u wants %u GPUs, which no %s has", sim_number(j), v->gpus,
                     b->rules.scope == SCOPE_NODE ? "node" : "set of GPUs");
            return;
        }
    }
    bound_to(b, cx, j, s, n);
}

/* ---- whole policies ---- */

void bound_policy_init(void *self, struct cx *cx)
{
    bound_init(self, cx);
}

void bound_policy_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    bound_changed(self, cx, j, was);
    if (was == JOB_FUTURE)
        bound_spread(self, cx, j);
}

void bound_policy_reported(void *self, struct cx *cx, job_id j)
{
    bound_reported(self, cx, j);
}
void bound_policy_schedule(void *self, struct cx *cx)
{
    bound_schedule(self, cx);
}
void bound_policy_fini(void *self)
{
    bound_free(self);
}

void bound_policy_dump(const void *self, FILE *out)
{
    const struct bound *b = self;

    for (uint32_t s = 0; s < b->n_stations && s < 64; s++) {
        fprintf(out, "  GPU %u: %u bound:", b->station[s].first, b->station[s].n);
        for (uint32_t i = 0; i < b->station[s].n && i < 16; i++)
            fprintf(out, " %u", sim_number(b->station[s].resident[i]));
        fputc('\n', out);
    }
}

uint32_t bound_policy_flags(const void *params)
{
    const struct bound *b = params;

    return b->rules.trail.measure == MEASURE_FINAL ? POLICY_ORACLE : 0;
}
