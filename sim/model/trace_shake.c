/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input shaking (Tsafrir, Ouaknine, Feitelson: Reducing performance evaluation sensitivity and
 * variability by input shaking, MASCOTS 2007): small random changes show what of a result hangs on
 * the trace's accidents.
 */
#include <string.h>

#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/model/trace.h"

struct shaken {
    struct trace trace;
    struct trace *inner;
    gsl_rng *shakes, *ties;
    double shake;
    bool random_ties;
    sim_time last, last_out; /* submissions before and after shaking */
    /* Jobs of one instant, with names of their own; then the one behind them. */
    struct job_spec *group;
    size_t cap;
    uint32_t n, at;
    struct job_spec ahead;
    bool known; /* whether it has been read; got: what the inner source said then */
    int got;
};

static const char *copy_name(const char *name)
{
    return name ? memcpy(mem_get(strlen(name) + 1), name, strlen(name) + 1) : NULL;
}

static void drop_name(struct job_spec *j)
{
    if (j->name)
        mem_drop((void *)(uintptr_t)j->name);
    j->name = NULL;
}

static void look_ahead(struct shaken *s)
{
    if (s->known)
        return;
    s->known = true;
    s->got = s->inner->next(s->inner, &s->ahead);
    s->ahead.name = s->got > 0 ? copy_name(s->ahead.name) : NULL;
}

static void shuffle(struct shaken *s)
{
    for (uint32_t i = s->n; i > 1; i--) {
        uint32_t k = (uint32_t)gsl_rng_uniform_int(s->ties, i);
        struct job_spec swap = s->group[i - 1];
        s->group[i - 1] = s->group[k];
        s->group[k] = swap;
    }
}

/* The jobs of the next instant, or, where their order stays, the next job. */
static void next_group(struct shaken *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        drop_name(&s->group[i]);
    s->n = s->at = 0;
    do {
        look_ahead(s);
        if (s->got <= 0 || (s->n > 0 && s->ahead.submit != s->group[0].submit))
            break;
        s->group = mem_room(s->group, s->n, &s->cap, sizeof(*s->group));
        s->group[s->n++] = s->ahead;
        s->known = false;
    } while (s->random_ties);
    if (s->random_ties)
        shuffle(s);
}

static int64_t shaken_time(struct shaken *s, int64_t ns)
{
    double factor = 1 + s->shake * gsl_ran_flat(s->shakes, -1, 1);

    return (int64_t)((double)ns * factor + 0.5);
}

static void shake(struct shaken *s, struct job_spec *j)
{
    sim_time gap = shaken_time(s, j->submit - s->last);
    int64_t work = j->model == NO_MODEL ? shaken_time(s, j->work) : j->work;

    s->last = j->submit;
    s->last_out = gap < SIM_LATEST - s->last_out ? s->last_out + gap : SIM_LATEST;
    j->submit = s->last_out;
    j->work = work < 1 ? 1 : work;
}

static int next_shaken(struct trace *trace, struct job_spec *j)
{
    struct shaken *s = (struct shaken *)trace;

    if (s->at == s->n)
        next_group(s);
    if (s->n == 0)
        return s->got;
    *j = s->group[s->at++];
    if (s->shake > 0)
        shake(s, j);
    return 1;
}

static void close_shaken(struct trace *trace)
{
    struct shaken *s = (struct shaken *)trace;

    for (uint32_t i = 0; i < s->n; i++)
        drop_name(&s->group[i]);
    if (s->known && s->got > 0)
        drop_name(&s->ahead);
    mem_drop(s->group);
    gsl_rng_free(s->shakes);
    gsl_rng_free(s->ties);
    s->inner->close(s->inner);
    mem_drop(s);
}

struct trace *trace_shaken(struct trace *inner, const struct world *w)
{
    struct shaken *s = mem_get(sizeof(*s));

    s->trace = (struct trace){next_shaken, close_shaken};
    s->inner = inner;
    s->shake = w->shake;
    s->random_ties = w->random_ties;
    s->shakes = rng_stream(w->seed, "shake", 0);
    s->ties = rng_stream(w->ties_seed ? w->ties_seed - 1 : w->seed, "ties", 0);
    return &s->trace;
}

struct trace *trace_open(struct diag *d, const char *path, const struct job_draw *draw,
                         const struct world *w)
{
    struct trace *t = draw ? trace_drawn(draw, w) : trace_csv(d, path, w);

    return t && (w->shake > 0 || w->random_ties) ? trace_shaken(t, w) : t;
}
