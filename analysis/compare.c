/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

static double as_number(enum metric_id id, const struct metric_value *v)
{
    enum metric_kind k = metric_defs[id].kind;

    return k == METRIC_TIME || k == METRIC_GPU_TIME ? (double)v->time / 1e9 : v->number;
}

static enum call call_of(const struct metric_change *m, enum metric_better better)
{
    const struct interval *c = &m->change;

    if (c->n == 0 || better == BETTER_NONE)
        return CALL_NONE;
    if (c->mean == 0 && !(c->low < c->high))
        return CALL_SAME;
    if (!(c->low > 0 || c->high < 0)) /* no interval, or 0 is in it */
        return CALL_UNCLEAR;
    return (c->mean < 0) == (better == BETTER_LOWER) ? CALL_BETTER : CALL_WORSE;
}

/* ---- pairing ---- */

/* The runs of one policy, each with the baseline's of the same seed or NULL. */
struct pairs {
    const struct result **new, **old;
    uint32_t n;
    bool alike; /* seeds change nothing: two or more runs with one history */
    double *x, *y;
};

static const struct result *find(const struct results *r, const char *label, uint64_t seed)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (r->result[i].seed == seed && strcmp(r->result[i].label, label) == 0)
            return &r->result[i];
    return NULL;
}

static void pair_up(const struct results *r, const char *base, struct policy_change *policy,
                    struct pairs *p)
{
    p->n = 0;
    p->alike = true;
    policy->seeds = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct result *new = &r->result[i];
        if (strcmp(new->label, policy->label) != 0)
            continue;
        p->new[p->n] = new;
        p->old[p->n] = find(r, base, new->seed);
        policy->seeds += p->old[p->n] != NULL;
        p->alike = p->alike && new->digest == p->new[0]->digest;
        p->n++;
    }
    policy->runs = p->n;
    p->alike = p->alike && p->n > 1;
    policy->alike = p->alike;
}

/* Runs that are alike are one observation, not many. */
static uint32_t values_of(const struct pairs *p, enum metric_id id)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n; i++)
        if (p->new[i]->value[id].defined)
            p->x[n++] = as_number(id, &p->new[i]->value[id]);
    return p->alike && n ? 1 : n;
}

static struct paired paired_of(const struct pairs *p, bool base_alike, enum metric_id id)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        if (!p->old[i] || !p->old[i]->value[id].defined || !p->new[i]->value[id].defined)
            continue;
        p->x[n] = as_number(id, &p->old[i]->value[id]);
        p->y[n++] = as_number(id, &p->new[i]->value[id]);
    }
    return (struct paired){p->x, p->y, p->alike && base_alike && n ? 1 : n};
}

static void change_of(const struct pairs *p, bool base_alike, enum metric_id id,
                      struct metric_change *out)
{
    uint32_t n = values_of(p, id);

    out->value = interval_of(p->x, n);
    struct paired both = paired_of(p, base_alike, id);
    out->change = ratio_of(both.y, both.x, both.n);
    out->pairs = both.n;
    out->p = stats_t(&both).p;
    out->holm = NAN;
    if (both.n > 0 && gsl_stats_mean(both.x, 1, both.n) == 0 && out->value.mean != 0)
        out->change.n = 0; /* nothing can be relative to 0 */
    out->call = call_of(out, metric_defs[id].better);
}

static bool check_ends(struct diag *d, const struct results *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (strcmp(r->result[i].ended, "drained") != 0 && strcmp(r->result[i].ended, "until") != 0)
            return diag_error(d, (struct mark){0},
                              "%s: a run that ended as '%.20s' is not compared", r->result[i].path,
                              r->result[i].ended);
    return true;
}

static bool check_worlds(struct diag *d, const struct results *r)
{
    for (uint32_t i = 1; i < r->n; i++) {
        if (strcmp(r->result[i].world, r->result[0].world) != 0)
            return diag_error(d, (struct mark){0},
                              "the runs are not of one world: %s (%s) and %s (%s) differ in inputs "
                              "or configuration",
                              r->result[0].label, r->result[0].world, r->result[i].label,
                              r->result[i].world);
        for (uint32_t k = 0; k < i; k++)
            if (r->result[k].seed == r->result[i].seed &&
                strcmp(r->result[k].label, r->result[i].label) == 0)
                return diag_error(d, (struct mark){0},
                                  "%s with seed %llu is there twice: in %s and in %s",
                                  r->result[i].label, (unsigned long long)r->result[i].seed,
                                  r->result[k].path, r->result[i].path);
    }
    return true;
}

static bool listed(const struct comparison *c, const char *label)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (strcmp(c->policy[i].label, label) == 0)
            return true;
    return false;
}

/* The labels in order of appearance, the baseline first. */
static bool list_labels(struct arena *a, struct diag *d, const struct results *r,
                        const char *baseline, struct comparison *c)
{
    const struct result *base = NULL;

    for (uint32_t i = 0; i < r->n && !base; i++)
        if (!baseline || strcmp(r->result[i].label, baseline) == 0)
            base = &r->result[i];
    if (!base)
        return diag_error(d, (struct mark){0}, "there is no run of the baseline '%.80s'", baseline);
    c->policy = arena_get(a, (r->n + 1) * sizeof(*c->policy));
    c->policy[c->n++] = (struct policy_change){.label = base->label, .oracle = base->oracle};
    for (uint32_t i = 0; i < r->n; i++)
        if (!listed(c, r->result[i].label))
            c->policy[c->n++] =
                (struct policy_change){.label = r->result[i].label, .oracle = r->result[i].oracle};
    return true;
}

static struct pairs room_for(struct arena *a, const struct results *r)
{
    struct pairs p = {.x = arena_get(a, (r->n + 1) * sizeof(*p.x)),
                      .y = arena_get(a, (r->n + 1) * sizeof(*p.y))};

    p.new = arena_get(a, (r->n + 1) * sizeof(struct result *));
    p.old = arena_get(a, (r->n + 1) * sizeof(struct result *));
    return p;
}

struct paired compare_pairs(struct arena *a, const struct results *r, const struct comparison *c,
                            uint32_t policy, enum metric_id id)
{
    struct policy_change of = c->policy[policy];
    struct pairs pairs = room_for(a, r);

    pair_up(r, c->policy[0].label, &of, &pairs);
    return paired_of(&pairs, c->policy[0].alike, id);
}

bool compare(struct arena *a, struct diag *d, const struct results *r, const char *baseline,
             struct comparison *c)
{
    struct pairs pairs = room_for(a, r);

    *c = (struct comparison){0};
    if (r->n == 0)
        return diag_error(d, (struct mark){0}, "there is nothing to compare");
    if (!check_ends(d, r) || !check_worlds(d, r) || !list_labels(a, d, r, baseline, c))
        return false;
    for (uint32_t p = 0; p < c->n; p++) {
        pair_up(r, c->policy[0].label, &c->policy[p], &pairs);
        for (int id = 0; id < METRICS; id++)
            change_of(&pairs, c->policy[0].alike, (enum metric_id)id, &c->policy[p].metric[id]);
    }
    return true;
}
