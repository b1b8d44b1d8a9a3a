/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks of values: equal, or a mean within its tolerance. */
#include <math.h>
#include <string.h>

#include "analysis/gate_state.h"
#include "sim/text/num.h"

/* Two numbers that differ look different. */
static void put_texts(struct arena *a, struct gate_item *i)
{
    i->old = arena_printf(a, "%.10g", i->old_mean);
    i->new = arena_printf(a, "%.10g", i->new_mean);
    if (strcmp(i->old, i->new) == 0 && i->old_mean != i->new_mean) {
        i->old = arena_printf(a, "%.17g", i->old_mean);
        i->new = arena_printf(a, "%.17g", i->new_mean);
    }
}

static const char *text_of(struct arena *a, int metric, const struct metric_value *v)
{
    char text[NUM_MAX];

    if (!v->defined)
        return "no value";
    return arena_text(a, text, num_put_real(text, gate_number(metric, v)));
}

static const char *tolerance_text(struct arena *a, const struct tolerance *t)
{
    if (t->absolute > 0 && t->relative > 0)
        return arena_printf(a, "tolerance %g or %g %%", t->absolute, 100 * t->relative);
    return t->absolute > 0 ? arena_printf(a, "tolerance %g", t->absolute)
                           : arena_printf(a, "tolerance %g %%", 100 * t->relative);
}

/* ---- exact ---- */

static bool is_checked(const struct pairing *p, const struct tolerance *t)
{
    return t->check != CHECK_NONE || (p->gate->flags & GATE_UNCHECKED);
}

/* Which seeds differ, and the values of the first that does. */
static void exact_verdict(struct pairing *p, struct gate_item *item, const struct seed_list *differ)
{
    item->verdict = differ->n ? GATE_CHANGED : GATE_SAME;
    if (differ->n)
        item->why = arena_printf(p->arena, "%s of %u; must be equal",
                                 gate_seeds_text(p->arena, differ), p->n);
    gate_add(p->gate, *item);
}

void gate_digest(struct pairing *p)
{
    struct seed_list differ = {0};
    struct gate_item item = p->blank;

    if (!is_checked(p, &p->old->of_digest))
        return;
    item.what = "digest";
    item.at = p->old->digests_at;
    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t old = p->old->digest[p->at[i]], new = p->run[i]->result.digest;
        if (old == new)
            continue;
        if (differ.n == 0) {
            item.old = arena_printf(p->arena, "%016llx", (unsigned long long)old);
            item.new = arena_printf(p->arena, "%016llx", (unsigned long long)new);
        }
        gate_list_seed(&differ, p->run[i]->result.seed);
    }
    exact_verdict(p, &item, &differ);
}

static bool equal(const struct metric_value *x, const struct metric_value *y)
{
    return x->defined == y->defined &&
           (!x->defined || (x->time == y->time && x->number == y->number));
}

static void check_exact(struct pairing *p, int id, struct gate_item *item)
{
    struct seed_list differ = {0};

    for (uint32_t i = 0; i < p->n; i++) {
        const struct metric_value *old = &p->old->value[id][p->at[i]];
        const struct metric_value *new = &p->run[i]->result.value[id];
        if (equal(old, new))
            continue;
        if (differ.n == 0) {
            item->old = text_of(p->arena, id, old);
            item->new = text_of(p->arena, id, new);
        }
        gate_list_seed(&differ, p->run[i]->result.seed);
    }
    exact_verdict(p, item, &differ);
}

/* ---- means ---- */

static const char *change_text(struct arena *a, const struct gate_item *i)
{
    double change = i->new_mean - i->old_mean;
    const char *relative = i->old_mean != 0
                               ? arena_printf(a, "%+.3g %%", 100 * change / fabs(i->old_mean))
                               : arena_printf(a, "%+.3g", change);

    if (i->change.n < 2 || isnan(i->change.low))
        return relative;
    return arena_printf(a, "%s, 95 %%: [%+.4g, %+.4g]", relative, i->change.low, i->change.high);
}

static void mean_verdict(struct pairing *p, int id, struct gate_item *item)
{
    const struct tolerance *t = &p->old->tolerance[id];
    enum metric_better better = metric_defs[id].better;
    double change = item->new_mean - item->old_mean, size = fabs(change);
    bool unclear = item->change.low <= 0 && item->change.high >= 0;

    if (size == 0)
        return;
    put_texts(p->arena, item);
    item->why =
        arena_printf(p->arena, "%s; %s", change_text(p->arena, item), tolerance_text(p->arena, t));
    if (size <= t->absolute || size <= t->relative * fabs(item->old_mean)) {
        item->verdict = GATE_WITHIN;
    } else if (unclear && t->unclear == ANSWER_PASS) {
        item->verdict = GATE_UNCLEAR;
    } else if (better == BETTER_NONE) {
        item->verdict = GATE_CHANGED;
    } else {
        item->verdict = (change < 0) == (better == BETTER_LOWER) ? GATE_BETTER : GATE_WORSE;
        item->fails = item->verdict == GATE_BETTER && t->better == ANSWER_FAIL;
    }
}

/* A value where there was none, or none where there was one, cannot be weighed. */
static bool check_defined(struct pairing *p, int id, struct gate_item *item)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const struct metric_value *old = &p->old->value[id][p->at[i]];
        const struct metric_value *new = &p->run[i]->result.value[id];
        if (old->defined == new->defined)
            continue;
        item->verdict = GATE_CHANGED;
        item->old = text_of(p->arena, id, old);
        item->new = text_of(p->arena, id, new);
        item->why = arena_printf(p->arena, "seed %llu", (unsigned long long)p->run[i]->result.seed);
        return false;
    }
    return true;
}

static void check_mean(struct pairing *p, int id, struct gate_item *item)
{
    double *x = arena_get(p->arena, 3 * (p->n + 1) * sizeof(*x)), *y = x + p->n, *d = y + p->n;
    uint32_t n = 0;

    if (!check_defined(p, id, item)) {
        gate_add(p->gate, *item);
        return;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        const struct metric_value *old = &p->old->value[id][p->at[i]];
        const struct metric_value *new = &p->run[i]->result.value[id];
        if (!old->defined)
            continue;
        x[n] = gate_number(id, old);
        y[n] = gate_number(id, new);
        d[n] = y[n] - x[n];
        n++;
    }
    if (n > 0) {
        item->old_mean = stats_mean(x, n);
        item->new_mean = stats_mean(y, n);
        item->change = interval_of(d, n);
        mean_verdict(p, id, item);
    }
    gate_add(p->gate, *item);
}

/* ---- metrics ---- */

/* Metrics of shared clusters are of no other run. */
static bool any_has(const struct pairing *p, int id)
{
    bool has = false;

    for (uint32_t i = 0; i < p->n; i++)
        has |= metric_applies(p->run[i]->result.value, id);
    return has;
}

void gate_metric(struct pairing *p, int id)
{
    const struct tolerance *t = &p->old->tolerance[id];
    struct gate_item item = p->blank;

    item.what = metric_defs[id].name;
    item.at = p->old->metric_at[id];
    if (!is_checked(p, t) || (!p->old->value[id] && !any_has(p, id)))
        return;
    if (!p->old->value[id]) {
        item.verdict = GATE_NEW;
        item.at = p->old->at;
        item.why = "not in the baseline";
        gate_add(p->gate, item);
    } else if (t->check == CHECK_EXACT) {
        check_exact(p, id, &item);
    } else {
        check_mean(p, id, &item);
    }
}
