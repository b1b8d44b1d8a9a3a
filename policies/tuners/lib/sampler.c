/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/tuners/lib/sampler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policies/tuners/lib/draw.h"
#include "policies/tuners/lib/rank.h"

struct seen {
    int64_t rank;
    uint32_t trial;
};

static uint32_t least_points(const struct sampling *p, uint32_t axes)
{
    return p->min_points ? (uint32_t)p->min_points : axes + 1;
}

bool sampling_check(const struct sampling *p, const struct tune_outline *o, char *why, size_t size)
{
    uint32_t least = least_points(p, o->axes);

    if (o->axes == 0)
        snprintf(why, size, "no hyper-parameters are known: the curves have no `space`");
    else if (least + 2 > o->trials)
        snprintf(why, size, "min_points: %u, and 2 more; the experiment has %u trial%s", least,
                 o->trials, o->trials == 1 ? "" : "s");
    else
        return true;
    return false;
}

static void density_open(struct density *f, struct tx *tx, uint32_t trials, uint32_t axes)
{
    f->axes = axes;
    f->point = tune_keep(tx, (size_t)trials * axes * sizeof(*f->point));
    f->width = tune_keep(tx, axes * sizeof(*f->width));
    f->scale = tune_keep(tx, trials * sizeof(*f->scale));
    f->term = tune_keep(tx, trials * sizeof(*f->term));
}

void sampler_open(struct sampler *s, struct tx *tx, const struct sampling *by,
                  const struct bracket *levels)
{
    uint32_t n = tune_trials(tx), axes = tune_axes(tx);

    *s =
        (struct sampler){.by = by, .trials = n, .axes = axes, .n_left = n, .levels = levels->rungs};
    s->least = least_points(by, axes);
    s->place = tune_keep(tx, (size_t)n * axes * sizeof(*s->place));
    s->left = tune_keep(tx, n * sizeof(*s->left));
    s->level = tune_keep(tx, n);
    for (uint32_t level = 0; level < s->levels; level++) {
        s->epoch[level] = levels->epoch[level];
        s->seen[level] = tune_keep(tx, n * sizeof(**s->seen));
    }
    for (uint32_t k = 0; k < n; k++) {
        s->left[k] = k;
        for (uint32_t axis = 0; axis < axes; axis++)
            s->place[(size_t)k * axes + axis] = tune_coordinate(tx, k, axis);
    }
    density_open(&s->good, tx, n, axes);
    density_open(&s->other, tx, n, axes);
}

/* A trial has come to its next level. */
static void see(struct sampler *s, const struct tx *tx, uint32_t trial, double metric)
{
    uint32_t level = s->level[trial]++;
    struct seen x = {rank_of(metric, tune_falls(tx)), trial}, *row = s->seen[level];
    uint32_t at = 0, end = s->n_seen[level]++;

    for (uint32_t last = end; at < last;) {
        uint32_t k = at + (last - at) / 2;
        if (row[k].rank < x.rank || (row[k].rank == x.rank && row[k].trial < trial))
            at = k + 1;
        else
            last = k;
    }
    memmove(row + at + 1, row + at, (end - at) * sizeof(*row));
    row[at] = x;
}

void sampler_report(struct sampler *s, const struct tx *tx, uint32_t trial, uint32_t epoch,
                    double metric)
{
    if (s->level[trial] < s->levels && epoch == s->epoch[s->level[trial]])
        see(s, tx, trial, metric);
}

void sampler_ended(struct sampler *s, const struct tx *tx, uint32_t trial)
{
    while (tune_epoch(tx, trial) > 0 && s->level[trial] < s->levels)
        see(s, tx, trial, tune_metric(tx, trial));
}

static void fit(const struct sampler *s, struct density *f, const struct seen *row, uint32_t n)
{
    f->n = n;
    for (uint32_t i = 0; i < n; i++)
        memcpy(f->point + (size_t)i * s->axes, s->place + (size_t)row[i].trial * s->axes,
               s->axes * sizeof(*f->point));
    density_fit(f, s->by->min_width);
}

/* False: nothing is known yet. */
static bool learn(struct sampler *s)
{
    uint32_t level = s->levels;

    while (level > 0 && s->n_seen[level - 1] < s->least + 2)
        level--;
    if (level == 0)
        return false;
    uint32_t n = s->n_seen[level - 1], good = (uint32_t)(s->by->gamma * n);
    const struct seen *row = s->seen[level - 1];
    good = good > s->least ? good : s->least;
    fit(s, &s->good, row, good);
    fit(s, &s->other, row + good, n - good);
    return true;
}

static uint32_t take(struct sampler *s, uint32_t at)
{
    uint32_t trial = s->left[at];

    s->left[at] = s->left[--s->n_left];
    return trial;
}

uint32_t sampler_take(struct sampler *s, struct tx *tx)
{
    uint32_t n = s->n_left < s->by->candidates ? s->n_left : (uint32_t)s->by->candidates, best = 0;
    double most = -INFINITY;

    if (n == 0)
        return NO_TRIAL;
    if (draw_unit(tx) < s->by->random_fraction || !learn(s))
        return take(s, draw_below(tx, s->n_left));
    draw_some(tx, s->left, s->n_left, n);
    for (uint32_t i = 0; i < n; i++) {
        const double *place = s->place + (size_t)s->left[i] * s->axes;
        double gain = density_log(&s->good, place) - density_log(&s->other, place);
        if (gain > most || (gain == most && s->left[i] < s->left[best])) {
            most = gain;
            best = i;
        }
    }
    return take(s, best);
}
