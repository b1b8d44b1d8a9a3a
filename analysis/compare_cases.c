/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare_cases.h"

#include <string.h>

#include "analysis/compare_warmup.h"
#include "analysis/result_sweep.h"
#include "analysis/story_text.h"

#define MOST_NAMED 10u

void compared_free(struct compared *c)
{
    mem_drop(c->note);
    *c = (struct compared){0};
}

void compared_note(struct compared *c, const char *text)
{
    c->note = mem_room(c->note, c->n_notes, &c->cap_notes, sizeof(*c->note));
    c->note[c->n_notes++] = text;
}

static const char *text_of(struct arena *a, struct out *o)
{
    size_t len;
    const char *text = out_data(o, &len);

    text = arena_text(a, text, len);
    out_drop(o);
    return text;
}

/* ---- cases ---- */

/* Those of a sweep come one after the other, so that the last one is the likeliest. */
static struct compared_case *case_of(struct compared *c, const struct result_case *in)
{
    for (uint32_t i = c->n; i-- > 0;)
        if (result_same_case(c->of[i].in, in))
            return &c->of[i];
    c->of[c->n].in = in;
    return &c->of[c->n++];
}

static void split(struct arena *a, const struct results *r, struct compared *c)
{
    struct compared_case **of = arena_get(a, (r->n + 1) * sizeof(struct compared_case *));

    c->of = arena_get(a, (r->n + 1) * sizeof(*c->of));
    for (uint32_t i = 0; i < r->n; i++) {
        of[i] = case_of(c, r->result[i].in);
        of[i]->of.n++;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        c->of[i].of.result = arena_get(a, c->of[i].of.n * sizeof(struct result));
        c->of[i].of.n = 0;
    }
    for (uint32_t i = 0; i < r->n; i++)
        of[i]->of.result[of[i]->of.n++] = r->result[i];
}

static const struct result *with_label(const struct results *r, const char *label)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (strcmp(r->result[i].label, label) == 0)
            return &r->result[i];
    return NULL;
}

/* The label that the baseline has in a case, where predictors may be part of labels; NULL: the case
 * has no run of it. */
static const char *baseline_in(struct arena *a, struct compared_case *c, const char *wanted,
                               const char *first)
{
    const struct result *plain = with_label(&c->of, first);

    results_tell_apart(&c->of, a);
    if (wanted)
        plain = with_label(&c->of, wanted);
    return plain ? plain->label : NULL;
}

/* A case without the baseline is an error only if none has it. */
static bool compare_each(struct arena *a, struct diag *d, const char *wanted, const char *first,
                         struct compared *c)
{
    uint32_t compared = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        struct compared_case *of = &c->of[i];
        const char *base = baseline_in(a, of, wanted, first);
        if (base && !compare(a, d, &of->of, base, &of->c))
            return false;
        compared += base != NULL;
    }
    return compared > 0 ||
           diag_error(d, (struct mark){0}, "there is no run of the baseline '%.80s'",
                      wanted ? wanted : first);
}

/* ---- notes ---- */

static void note_cases(struct arena *a, const char *base, struct compared *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->of[i].c.n > 0)
            continue;
        struct out *o = out_memory();
        out_printf(o, "%s: not compared, as it has no run of the baseline ",
                   result_case_text(a, c->of[i].in));
        say_safe(o, base);
        compared_note(c, text_of(a, o));
    }
}

static void say_lost(struct arena *a, struct out *o, const struct lost_point *p)
{
    const char *in = result_case_text(a, p->in);

    out_printf(o, "  %s%s", in, *in ? ", " : "");
    say_safe(o, p->label);
    out_text(o, ", seed ");
    say_safe(o, p->seed);
    out_printf(o, ": %s%s", p->status, *p->reason ? ": " : "");
    say_safe(o, arena_text(a, p->reason, strcspn(p->reason, "\n")));
}

static void note_lost(struct arena *a, const struct results *r, struct compared *c)
{
    uint32_t n = r->n_lost;

    if (n == 0)
        return;
    compared_note(c, arena_printf(a, "%u of %u points ha%s no values and %s not compared:", n,
                                  n + r->n, n == 1 ? "s" : "ve", n == 1 ? "is" : "are"));
    for (uint32_t i = 0; i < n && i < MOST_NAMED; i++) {
        struct out *o = out_memory();
        say_lost(a, o, &r->lost[i]);
        compared_note(c, text_of(a, o));
    }
    if (n > MOST_NAMED)
        compared_note(c, arena_printf(a, "  and %u more: hetune sweep merge --partial has them all",
                                      n - MOST_NAMED));
}

static void note_cut(struct arena *a, const struct results *r, struct compared *c)
{
    uint32_t cut = 0;

    for (uint32_t i = 0; i < r->n; i++)
        cut += strcmp(r->result[i].ended, "until") == 0;
    if (cut > 0)
        compared_note(c, arena_printf(a,
                                      "%u of %u runs were cut at until_s before all jobs were "
                                      "gone; times are of the jobs done by then",
                                      cut, r->n));
}

/* ---- open workloads ---- */

/* The job that ended last had a JCT of at most the largest, and so was submitted in the rest of the
 * makespan: for how much of it jobs were still arriving, at least. */
static double arriving(const struct result *r)
{
    const struct metric_value *v = r->value;
    bool known = v[M_MAKESPAN].defined && v[M_JCT_MAX].defined && v[M_MAKESPAN].time > 0 &&
                 v[M_KILLED].number == 0 && v[M_REJECTED].number == 0;

    return known ? 1 - (double)v[M_JCT_MAX].time / (double)v[M_MAKESPAN].time : 0;
}

static struct arrivals arrivals_of(const struct results *r)
{
    struct arrivals x = {.runs = r->n, .least = 1};

    for (uint32_t i = 0; i < r->n; i++) {
        double share = arriving(&r->result[i]);
        x.open += share >= 0.5;
        x.least = share >= 0.5 && share < x.least ? share : x.least;
    }
    return x;
}

void compared_note_makespan(struct arena *a, struct compared *c)
{
    const struct arrivals *x = &c->arrivals;

    if (2 * x->open > x->runs)
        compared_note(c,
                      arena_printf(a,
                                   "makespan misleads: in %u of %u runs jobs were still arriving "
                                   "after %.0f %% of it, and no policy ends before the last",
                                   x->open, x->runs, 100 * x->least));
}

/* Notes of a case name it, if there are several. */
static bool remove_warmup(struct arena *a, struct diag *d, struct compared *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const char *note, *in = c->n > 1 ? result_case_text(a, c->of[i].in) : "";
        if (!warmup_remove(a, d, &c->of[i].of, &note))
            return false;
        compared_note(c, arena_printf(a, "%s%s%s", in, *in ? ": " : "", note));
    }
    return true;
}

bool compare_cases(struct arena *a, struct diag *d, const struct results *r,
                   const struct compare_asked *asked, struct compared *c)
{
    const char *first = r->first ? r->first : r->n > 0 ? r->result[0].label : "";

    *c = (struct compared){0};
    if (r->n == 0)
        return diag_error(d, (struct mark){0}, "there is nothing to compare%s",
                          r->n_lost > 0 ? ": no point has values" : "");
    split(a, r, c);
    c->arrivals = arrivals_of(r);
    if ((asked->mser5 && !remove_warmup(a, d, c)) || !compare_each(a, d, asked->baseline, first, c))
        return false;
    note_cut(a, r, c);
    note_cases(a, asked->baseline ? asked->baseline : first, c);
    note_lost(a, r, c);
    return true;
}
