/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/gate_state.h"

#include <math.h>
#include <string.h>

const char *const gate_verdict_name[] = {"same",  "within", "unclear", "better",  "new",
                                         "other", "worse",  "changed", "missing", "fault"};

void gate_add(struct gate *g, struct gate_item item)
{
    item.fails = item.fails || item.verdict >= GATE_WORSE;
    g->item = mem_room(g->item, g->n, &g->cap, sizeof(*g->item));
    g->item[g->n++] = item;
    g->count[item.verdict]++;
    g->failed += item.fails;
}

void gate_free(struct gate *g)
{
    mem_drop(g->item);
    *g = (struct gate){0};
}

double gate_number(int metric, const struct metric_value *v)
{
    enum metric_kind k = metric_defs[metric].kind;

    return k == METRIC_TIME || k == METRIC_GPU_TIME ? (double)v->time / 1e9 : v->number;
}

const char *gate_message(struct arena *a, const struct gate_item *i)
{
    if (i->old && i->why)
        return arena_printf(a, "%s -> %s (%s)", i->old, i->new, i->why);
    return i->old ? arena_printf(a, "%s -> %s", i->old, i->new) : i->why ? i->why : "the same";
}

/* ---- texts ---- */

void gate_list_seed(struct seed_list *l, uint64_t seed)
{
    if (l->n < 2)
        l->first[l->n] = seed;
    l->n++;
}

const char *gate_seeds_text(struct arena *a, const struct seed_list *l)
{
    unsigned long long x = l->first[0], y = l->first[1];

    if (l->n == 1)
        return arena_printf(a, "seed %llu", x);
    if (l->n == 2)
        return arena_printf(a, "seeds %llu and %llu", x, y);
    return arena_printf(a, "seeds %llu, %llu and %u more", x, y, l->n - 2);
}

/* ---- seeds ---- */

static void check_seeds(struct pairing *p)
{
    struct seed_list missing = {0}, more = {0};
    struct gate_item item = p->blank;
    uint32_t i = 0, k = 0;

    while (i < p->old->n || k < p->new->n) {
        const struct gate_run *run = k < p->new->n ? &p->new->run[k] : NULL;
        if (run && (i == p->old->n || run->result.seed < p->old->seed[i])) {
            gate_list_seed(&more, run->result.seed);
            k++;
        } else if (!run || p->old->seed[i] < run->result.seed) {
            gate_list_seed(&missing, p->old->seed[i++]);
        } else {
            p->at[p->n] = i++;
            p->run[p->n] = run;
            p->n += !run->fault;
            k++;
        }
    }
    item.what = "runs";
    item.at = p->old->at;
    item.verdict = missing.n ? GATE_MISSING : GATE_SAME;
    if (missing.n)
        item.why = arena_printf(p->arena, "%s not run", gate_seeds_text(p->arena, &missing));
    gate_add(p->gate, item);
    if (more.n == 0)
        return;
    item.what = "more runs";
    item.verdict = GATE_NEW;
    item.why = arena_printf(p->arena, "%s not in the baseline", gate_seeds_text(p->arena, &more));
    gate_add(p->gate, item);
}

static void check_faults(struct pairing *p)
{
    for (uint32_t k = 0; k < p->new->n; k++) {
        const struct gate_run *run = &p->new->run[k];
        struct gate_item item = p->blank;
        if (!run->fault)
            continue;
        item.what = arena_printf(p->arena, "seed %llu", (unsigned long long)run->result.seed);
        item.verdict = GATE_FAULT;
        item.why = run->fault;
        gate_add(p->gate, item);
    }
}

static void check_world(struct pairing *p)
{
    struct gate_item item = p->blank;

    if (strcmp(p->old->world, p->new->world) == 0)
        return;
    item.what = "world";
    item.verdict = GATE_OTHER;
    item.at = p->old->world_at;
    item.old = p->old->world;
    item.new = p->new->world;
    item.why = "another configuration or other inputs";
    gate_add(p->gate, item);
}

static void check_pairing(struct pairing *p)
{
    p->at = arena_get(p->arena, (p->old->n + 1) * sizeof(*p->at));
    p->run = arena_get(p->arena, (p->old->n + 1) * sizeof(*p->run));
    check_world(p);
    check_seeds(p);
    check_faults(p);
    if (p->n == 0)
        return;
    gate_digest(p);
    for (int id = 0; id < METRICS; id++)
        gate_metric(p, id);
}

/* ---- all of them ---- */

static bool many_predictors(const struct baseline *b, const struct gate_runs *runs)
{
    const char *first = runs->group[0].predictor;
    bool many = false;

    for (uint32_t i = 0; i < runs->n_groups; i++)
        many = many || strcmp(runs->group[i].predictor, first) != 0;
    for (uint32_t i = 0; i < b->n; i++)
        many = many || strcmp(b->run[i]->predictor, first) != 0;
    return many;
}

static bool check_worlds(struct diag *d, const struct baseline *b, const struct gate_runs *runs)
{
    bool ok = true;

    for (uint32_t i = 0; i < runs->n_groups && !diag_full(d); i++) {
        const struct gate_group *g = &runs->group[i];
        const struct baseline_run *old = baseline_find(b, g);
        if (old && strcmp(old->world, g->world) != 0)
            ok = diag_error(d, old->world_at,
                            "%.40s, %.40s: the run is of world %.16s: configuration or inputs "
                            "are not the baseline's",
                            g->name, g->policy, g->world);
    }
    return ok;
}

static struct gate_item blank(struct arena *a, uint32_t group, bool many,
                              const struct gate_group *g)
{
    struct gate_item item = {
        .group = group,
        .name = g->name,
        .policy = g->policy,
        .predictor = g->predictor,
        .old_mean = NAN,
        .new_mean = NAN,
        .change = {.low = NAN, .high = NAN},
    };

    item.title = many ? arena_printf(a, "%s, %s with %s", g->name, g->policy, g->predictor)
                      : arena_printf(a, "%s, %s", g->name, g->policy);
    return item;
}

static void check_group(struct arena *a, const struct baseline *b, const struct gate_group *g,
                        const struct gate_item *empty, struct gate *out)
{
    struct pairing p = {.arena = a, .gate = out, .old = baseline_find(b, g), .new = g};
    struct gate_item item = *empty;

    p.blank = *empty;
    if (p.old) {
        check_pairing(&p);
        return;
    }
    check_faults(&p);
    item.what = "policy";
    item.verdict = GATE_NEW;
    item.why = "not in the baseline";
    gate_add(out, item);
}

static void check_missing(struct arena *a, const struct baseline_run *old, bool many,
                          uint32_t number, const struct gate_runs *runs, struct gate *out)
{
    const struct gate_group g = {
        .name = old->name, .policy = old->policy, .predictor = old->predictor};
    struct gate_item item;

    for (uint32_t i = 0; i < runs->n_groups; i++)
        if (strcmp(runs->group[i].name, g.name) == 0 &&
            strcmp(runs->group[i].policy, g.policy) == 0 &&
            strcmp(runs->group[i].predictor, g.predictor) == 0)
            return;
    item = blank(a, number, many, &g);
    item.what = "policy";
    item.verdict = GATE_MISSING;
    item.at = old->at;
    item.why = "not run";
    gate_add(out, item);
}

bool gate_check(struct arena *a, struct diag *d, const struct baseline *b,
                const struct gate_runs *runs, unsigned flags, struct gate *out)
{
    bool many = many_predictors(b, runs);

    *out = (struct gate){.runs = runs, .flags = flags};
    if (!(flags & GATE_WORLDS) && !check_worlds(d, b, runs))
        return false;
    for (uint32_t i = 0; i < runs->n_groups; i++) {
        const struct gate_item empty = blank(a, i, many, &runs->group[i]);
        check_group(a, b, &runs->group[i], &empty, out);
    }
    for (uint32_t i = 0; i < b->n; i++)
        check_missing(a, b->run[i], many, runs->n_groups + i, runs, out);
    return true;
}
