/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which job a story is about: a pass of its own over the events, so that a name may be given and a
 * wrong one gets an answer. */
#include <string.h>

#include "analysis/story_facts.h"
#include "sim/text/num.h"

struct search {
    const char *word;
    int64_t number;              /* -1: the word is none */
    uint32_t jobs, named, found; /* so many; with that name; the first of them */
    uint32_t experiment;         /* of job `number` */
    bool any_name;
    struct diag_near near;
};

static void look(struct arena *a, struct search *s, const struct record *r)
{
    if (r->kind != REC_ARRIVE)
        return;
    if (sim_number(r->job) == s->number)
        s->experiment = r->experiment;
    s->jobs++;
    s->any_name |= r->name != NULL;
    if (!r->name)
        return;
    if (strcmp(r->name, s->word) == 0 && s->named++ == 0)
        s->found = sim_number(r->job);
    diag_consider(&s->near, r->name);
    if (s->near.nearest == r->name)
        s->near.nearest = arena_text(a, r->name, strlen(r->name));
}

static bool not_there(struct diag *d, const struct search *s)
{
    if (s->jobs == 0)
        return diag_error(d, (struct mark){0}, "explain: no job was submitted in this run");
    if (s->near.nearest && s->number < 0)
        return diag_unknown(d, (struct mark){0}, s->near.nearest,
                            "explain: there is no job '%.64s'", s->word);
    return diag_error(d, (struct mark){0},
                      "explain: there is no job '%.64s'; the run has jobs 0 to %u%s", s->word,
                      s->jobs - 1, s->any_name ? ", and names of the trace" : "");
}

/* A number is a job's number, unless there is none and the trace has it as a name. */
static bool choose(struct diag *d, const struct search *s, uint32_t *number, uint32_t *experiment)
{
    bool is_number = s->number >= 0 && s->number < s->jobs;

    *experiment = is_number ? s->experiment : NO_EXPERIMENT; /* trials have no names */
    if (is_number) {
        *number = (uint32_t)s->number;
        if (s->named > 0 && s->found != *number)
            diag_note(d, (struct mark){0}, "this is job %u; the trace calls job %u '%.64s'",
                      *number, s->found, s->word);
        return true;
    }
    if (s->named > 1)
        return diag_error(d, (struct mark){0},
                          "explain: %u jobs are called '%.64s', the first is job %u; give a number",
                          s->named, s->word, s->found);
    *number = s->found;
    return s->named == 1 || not_there(d, s);
}

bool story_find(struct arena *a, struct diag *d, const struct story_run_facts *f, const char *word,
                uint32_t *number, uint32_t *experiment)
{
    struct search s = {.word = word, .number = -1, .near = {.word = word}};
    struct events *e = story_open(a, d, f);
    struct record r;
    int got = e ? 1 : -1;

    if (num_int(word, strlen(word), &s.number) != NUM_OK || s.number < 0)
        s.number = -1;
    while (e && (got = events_next(e, &r)) > 0)
        look(a, &s, &r);
    events_close(e);
    return got == 0 && choose(d, &s, number, experiment);
}
