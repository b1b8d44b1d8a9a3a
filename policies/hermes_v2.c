/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hermes_v2 - Hermes on unequal GPUs (Yoo, Sogang University, 2021), reconstructed from its
 * abstract and table of contents (docs/model.md): a trial goes where its predicted throughput
 * gains most, by a table of ratios (the run's predictor); trials are relocated to make room for
 * those that gain more, and during the run to bring the one that has converged furthest onto the
 * faster GPU.
 */
#include "policies/lib/gains.h"

#include <math.h>

enum relocate { RELOCATE_NONE, RELOCATE_PLACEMENT, RELOCATE_RUN, RELOCATE_BOTH };
enum cap { CAP_EQUAL, CAP_SPEED, CAP_NONE };
enum gain { GAIN_RELATIVE, GAIN_ABSOLUTE };
enum place { PLACE_GAIN, PLACE_UNIFORM };

static const char *const relocations[] = {"none", "placement", "run", "both", NULL};
static const char *const caps[] = {"equal", "speed", "none", NULL};
static const char *const gains[] = {"relative", "absolute", NULL};
static const char *const places[] = {"gain", "uniform", NULL};

struct hermes_v2 {
    struct bound bound; /* first: its callbacks and fields work on it */
    int relocate, cap, gain, place;
    struct leavers leavers;
    struct gains_rules rules;
    double margin;
    int64_t residence;
    struct heap fresh; /* arrived, not bound yet, by number */
    uint32_t bound_jobs;
    struct heap *weakest; /* by GPU type: its stations, by the convergence of their best */
    struct heap over;     /* trials whose quantum ended in this instant */
};

#define AT(member) offsetof(struct hermes_v2, member)
static const struct field fields[] = {
    {FIELD_CHOICE, "placement", AT(place), "gain", 0, 0, places,
     "where a new trial goes: by gain, or blind to types, GPU k mod M (relocation only)"},
    {FIELD_CHOICE, "relocate", AT(relocate), "both", 0, 0, relocations,
     "trials are moved to place others, during the run, both"},
    {FIELD_CHOICE, "cap", AT(cap), "equal", 0, 0, caps,
     "trials of a GPU: equal counts, in proportion to speed, no limit"},
    {FIELD_CHOICE, "gain", AT(gain), "relative", 0, 0, gains,
     "what is largest where a trial goes: its gain over the slowest type, or samples/s"},
    {FIELD_CHOICE, "victim", AT(leavers.rule), "gain", 0, 0, leavers_rules,
     "who is moved away first: the smallest gain, then the lowest convergence, or the other way "
     "round"},
    {FIELD_BOOL, "victim_loss", AT(rules.victim_loss), "true", 0, 0, NULL,
     "eq. 16 as written counts the whole remaining work of the trial that is moved away; false: "
     "only its move"},
    {FIELD_REAL, "margin", AT(margin), "0.05", 0, 10, NULL,
     "a gain must be larger by this share (delta)"},
    {FIELD_SECONDS, "move_s", AT(rules.move), "30", 0, 1e6, NULL,
     "what the policy takes a move to cost (c_m of eq. 16)"},
    {FIELD_SECONDS, "horizon_s", AT(rules.horizon), "0", 0, 1e9, NULL,
     "what a move saves later than so does not count; 0: all remaining epochs do"},
    {FIELD_INT, "residence", AT(residence), "2", 0, 1e6, NULL,
     "quanta on a GPU before a trial may be moved again"},
    BOUND_TURN_FIELDS("1", "0"),
    BOUND_CONVERGENCE_FIELDS,
    {.type = FIELD_END},
};

/* ---- book-keeping ---- */

static void note_best(struct hermes_v2 *s, struct cx *cx, uint32_t station)
{
    const struct station *st = &s->bound.station[station];
    job_id best = bound_best(&s->bound, cx, station);
    int64_t key = INT64_MIN; /* empty < untried < tried */

    if (best != NO_JOB) {
        const struct member *m = bound_member(&s->bound, cx, best);
        uint32_t epoch = bound_epoch(&s->bound, cx, station);
        if (s->bound.rules.compare_at == AT_LATEST || epoch > m->trail.n)
            epoch = m->trail.n;
        key = m->trail.n ? gains_key(trail_score(&m->trail, epoch)) : INT64_MIN + 1;
    }
    heap_set(&s->weakest[st->type], station, key);
}

static void settle(struct hermes_v2 *s, struct cx *cx, job_id j, uint32_t station)
{
    leavers_note(&s->leavers, cx, &s->bound, j, station);
    note_best(s, cx, station);
}

static void go_to(struct hermes_v2 *s, struct cx *cx, job_id j, uint32_t station)
{
    bound_to(&s->bound, cx, j, &station, 1);
    s->bound_jobs++;
    settle(s, cx, j, station);
}

/* The k-th trial to GPU k mod M, as under uniform. */
static void go_round(struct hermes_v2 *s, struct cx *cx, job_id j)
{
    bound_spread(&s->bound, cx, j);
    const struct member *m = bound_member(&s->bound, cx, j);
    if (m->n == 0)
        return; /* the run has ended: no GPU can run it */
    s->bound_jobs++;
    settle(s, cx, j, m->station[0]);
}

static void move_to(struct hermes_v2 *s, struct cx *cx, job_id j, uint32_t station, const char *why)
{
    uint32_t from = bound_member(&s->bound, cx, j)->station[0];

    leavers_drop(&s->leavers, &s->bound, j, from);
    bound_move(&s->bound, cx, j, station, why);
    settle(s, cx, j, station);
    note_best(s, cx, from);
}

/* ---- placement ---- */

/* How many trials a GPU of a type may have, if there are so many in all. */
static double cap_of(struct hermes_v2 *s, struct cx *cx, type_id t, job_id j, uint32_t all)
{
    double sum = 0, here = 1;

    if (s->cap == CAP_NONE)
        return INFINITY;
    for (type_id k = 0; k < sim_types(cx); k++) {
        double weight =
            s->cap == CAP_SPEED ? gains_on(cx, &s->bound, j, k, s->gain == GAIN_ABSOLUTE) : 1;
        sum += weight * s->bound.room[k].n;
        here = k == t ? weight : here;
    }
    return ceil(all * here / sum - 1e-9); /* whatever the order of the sum */
}

/* The emptiest station of a type, if it is below the cap; UINT32_MAX. */
static uint32_t candidate(struct hermes_v2 *s, struct cx *cx, type_id t, job_id j)
{
    uint32_t station = bound_fewest(&s->bound, UINT64_C(1) << t);
    uint32_t all = s->bound_jobs + s->fresh.n;

    if (station == UINT32_MAX || s->bound.station[station].n >= cap_of(s, cx, t, j, all))
        return UINT32_MAX;
    return station;
}

/* Whether a resident may go; one with nothing to lose may at once. */
static bool movable(struct hermes_v2 *s, struct cx *cx, job_id k)
{
    const struct job_view *v = sim_job(cx, k);

    return v->state != JOB_ENDING &&
           (!v->held || bound_member(&s->bound, cx, k)->quanta >= s->residence);
}

/* The first of the residents of the best type that may go; NO_JOB. */
static job_id first_victim(struct hermes_v2 *s, struct cx *cx, type_id best, type_id slow)
{
    struct heap *h = leavers_of(&s->leavers, best, slow);
    struct heap_item *aside = sim_scratch(cx, (h->n + 1) * sizeof(*aside));
    uint32_t n = 0;
    job_id k;

    /* Those that may not go run or have stopped running: no more than there are GPUs. */
    for (; (k = heap_first(h)) != NO_JOB && !movable(s, cx, k); heap_drop(h, k))
        aside[n++] = (struct heap_item){heap_first_key(h), k};
    while (n-- > 0)
        heap_set(h, aside[n].id, aside[n].key);
    return k;
}

/* Moves a resident of the best type that gains less from it to `free_one`; takes its place. */
static bool make_room(struct hermes_v2 *s, struct cx *cx, job_id i, type_id best, uint32_t free_one)
{
    const struct bound *b = &s->bound;
    job_id k = first_victim(s, cx, best, b->station[free_one].type);

    if (k == NO_JOB)
        return false;
    uint32_t fast = bound_member(&s->bound, cx, k)->station[0];
    if (!(gains_from(cx, b, i, free_one, fast) >
          gains_from(cx, b, k, free_one, fast) * (1 + s->margin)) ||
        !(gains_saving(cx, b, &s->rules, i, k, free_one, fast) > 0))
        return false;
    move_to(s, cx, k, free_one, "makes room on its GPU for a trial that gains more there");
    go_to(s, cx, i, fast);
    return true;
}

static bool supported(struct cx *cx, job_id j)
{
    if (sim_job(cx, j)->gpus == 1)
        return true;
    sim_fail(cx, "job %u wants %u GPUs; hermes_v2 places trials of one GPU", sim_number(j),
             sim_job(cx, j)->gpus);
    return false;
}

static bool emptier(const struct hermes_v2 *s, uint32_t a, uint32_t b)
{
    uint32_t x = s->bound.station[a].n, y = s->bound.station[b].n;

    return x < y || (x == y && a < b);
}

/* Eq. 15, among the stations below the cap; ties: fewest residents, then the lowest. */
static void place_new(struct hermes_v2 *s, struct cx *cx, job_id i)
{
    uint64_t types = sim_job(cx, i)->types;
    double best_gain = 0, here_gain = 0;
    type_id best = 0;
    uint32_t here = UINT32_MAX;

    for (uint64_t left = types; left; left &= left - 1) {
        type_id t = (type_id)__builtin_ctzll(left);
        if (s->bound.room[t].n == 0)
            continue;
        double g = gains_on(cx, &s->bound, i, t, s->gain == GAIN_ABSOLUTE);
        if (g > best_gain ||
            (g == best_gain && s->bound.first_of_type[t] < s->bound.first_of_type[best])) {
            best_gain = g;
            best = t;
        }
        uint32_t c = g >= here_gain ? candidate(s, cx, t, i) : UINT32_MAX;
        if (c != UINT32_MAX && (here == UINT32_MAX || g > here_gain || emptier(s, c, here))) {
            here_gain = g;
            here = c;
        }
    }
    if (here == UINT32_MAX)
        here = bound_fewest(&s->bound, types);
    if (s->relocate & RELOCATE_PLACEMENT && here_gain < best_gain &&
        make_room(s, cx, i, best, here))
        return;
    go_to(s, cx, i, here);
}

/* ---- relocation during the run: eq. 17 ---- */

/* Who is pushed back from a station to a slow one; NO_JOB. Its best stays, unless it is alone. */
static job_id whom_to_push(struct hermes_v2 *s, struct cx *cx, uint32_t fast, uint32_t slow)
{
    const struct station *st = &s->bound.station[fast];
    type_id type = s->bound.station[slow].type;
    job_id best = bound_best(&s->bound, cx, fast);
    struct heap_item first = {INT64_MAX, NO_JOB};

    for (uint32_t n = 0; n < st->n; n++) {
        job_id j = st->resident[n];
        if ((j == best && st->n > 1) || sim_job(cx, j)->state == JOB_ENDING ||
            bound_member(&s->bound, cx, j)->quanta < s->residence ||
            !(sim_job(cx, j)->types >> type & 1))
            continue;
        struct heap_item x = {leavers_key(&s->leavers, cx, &s->bound, j, slow, fast), j};
        if (heap_less(x, first))
            first = x;
    }
    return first.id;
}

/* Whether i has converged further than the best of a station, at an epoch both have reached. */
static bool leads(struct hermes_v2 *s, struct cx *cx, job_id i, uint32_t fast)
{
    job_id best = bound_best(&s->bound, cx, fast);
    const struct trail *x = &bound_member(&s->bound, cx, i)->trail;

    if (best == NO_JOB)
        return true;
    const struct trail *y = &bound_member(&s->bound, cx, best)->trail;
    if (y->n == 0)
        return false; /* it has not been seen yet */
    bool latest = s->bound.rules.compare_at == AT_LATEST;
    uint32_t e = x->n < y->n ? x->n : y->n;
    return trail_score(x, latest ? x->n : e) >
           trail_score(y, latest ? y->n : e) + s->bound.rules.delta;
}

/* What would bring a trial onto a faster GPU. */
struct pull {
    uint32_t fast;
    job_id push; /* who goes back; NO_JOB: nobody */
    double saving;
};

/* Onto the station of a type whose best has converged least; saving 0: that is not worth it. */
static struct pull pull_to(struct hermes_v2 *s, struct cx *cx, job_id i, uint32_t slow, type_id t)
{
    const struct bound *b = &s->bound;
    struct pull p = {(uint32_t)heap_first(&s->weakest[t]), NO_JOB, 0};

    if (!(gains_from(cx, b, i, slow, p.fast) > 1) || !leads(s, cx, i, p.fast))
        return p;
    if (b->station[p.fast].n >= b->station[slow].n) {
        p.push = whom_to_push(s, cx, p.fast, slow);
        if (p.push == NO_JOB)
            return p;
    }
    p.saving = gains_saving(cx, b, &s->rules, i, p.push, slow, p.fast);
    return p;
}

/* A trial's quantum has ended: if it leads its station, it may deserve a faster GPU, of all that
 * would do the one that saves most. */
static void consider(struct hermes_v2 *s, struct cx *cx, job_id i)
{
    const struct member *m = bound_member(&s->bound, cx, i);
    struct pull best = {UINT32_MAX, NO_JOB, 0};

    if (!(s->relocate & RELOCATE_RUN) || m->n == 0 || m->quanta < s->residence || m->trail.n == 0 ||
        sim_job(cx, i)->state >= JOB_ENDING || bound_best(&s->bound, cx, m->station[0]) != i)
        return;
    uint32_t slow = m->station[0];
    for (uint64_t left = sim_job(cx, i)->types; left; left &= left - 1) {
        type_id t = (type_id)__builtin_ctzll(left);
        if (t == s->bound.station[slow].type || s->weakest[t].n == 0)
            continue;
        struct pull p = pull_to(s, cx, i, slow, t);
        if (p.saving > best.saving ||
            (p.saving == best.saving && p.saving > 0 && p.fast < best.fast))
            best = p;
    }
    if (best.fast == UINT32_MAX)
        return;
    if (best.push != NO_JOB)
        move_to(s, cx, best.push, slow, "gives its place to a trial that has converged further");
    bound_cut(&s->bound, cx, best.fast);
    move_to(s, cx, i, best.fast, "has converged furthest of its GPU and runs faster elsewhere");
}

/* ---- callbacks ---- */

static void quantum_ended(struct bound *b, job_id j)
{
    heap_set(&((struct hermes_v2 *)b)->over, j, 0);
}

static void init(void *self, struct cx *cx)
{
    struct hermes_v2 *s = self;

    s->bound.rules.order = ORDER_CONVERGENCE;
    s->bound.rules.spread = SPREAD_ROUND_ROBIN;
    s->bound.quantum_ended = quantum_ended;
    bound_init(&s->bound, cx);
    leavers_init(&s->leavers, cx);
    s->weakest = sim_keep(cx, sim_types(cx) * sizeof(*s->weakest));
    for (uint32_t k = 0; k < s->bound.n_stations; k++)
        note_best(s, cx, k);
}

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct hermes_v2 *s = self;
    const struct member *m = bound_member(&s->bound, cx, j);
    uint32_t station = m->n ? m->station[0] : UINT32_MAX;

    bound_changed(&s->bound, cx, j, was);
    if (was == JOB_FUTURE && supported(cx, j)) {
        heap_set(&s->fresh, j, sim_number(j));
    } else if (sim_job(cx, j)->state >= JOB_DONE && station == UINT32_MAX) {
        heap_drop(&s->fresh, j); /* killed before it was bound */
    } else if (sim_job(cx, j)->state >= JOB_DONE) {
        s->bound_jobs--;
        leavers_drop(&s->leavers, &s->bound, j, station);
        heap_drop(&s->over, j);
        note_best(s, cx, station);
    }
}

static void job_reported(void *self, struct cx *cx, job_id j)
{
    struct hermes_v2 *s = self;

    bound_reported(&s->bound, cx, j);
    const struct member *m = bound_member(&s->bound, cx, j);
    if (m->n)
        settle(s, cx, j, m->station[0]);
}

/* The trials whose quantum ended in this instant, before the stations decide. */
static void relocate(struct hermes_v2 *s, struct cx *cx)
{
    for (job_id j; (j = heap_first(&s->over)) != NO_JOB;) {
        heap_drop(&s->over, j);
        consider(s, cx, j);
    }
}

static void schedule(void *self, struct cx *cx)
{
    struct hermes_v2 *s = self;

    for (job_id j; (j = heap_first(&s->fresh)) != NO_JOB;) {
        if (s->place == PLACE_GAIN)
            place_new(s, cx, j);
        else
            go_round(s, cx, j);
        heap_drop(&s->fresh, j);
    }
    bound_end_quanta(&s->bound, cx);
    relocate(s, cx);
    bound_schedule(&s->bound, cx);
}

static void fini(void *self)
{
    struct hermes_v2 *s = self;

    leavers_free(&s->leavers);
    for (type_id t = 0; t < s->bound.n_types; t++)
        heap_free(&s->weakest[t]);
    heap_free(&s->fresh);
    heap_free(&s->over);
    bound_free(&s->bound);
}

const struct policy policy_hermes_v2 = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "hermes_v2",
    .about = "hermes with placement by predicted gain and relocation (reconstructed)",
    .state_size = sizeof(struct hermes_v2),
    .params = fields,
    .init = init,
    .schedule = schedule,
    .fini = fini,
    .job_changed = job_changed,
    .job_reported = job_reported,
    .dump = bound_policy_dump,
    .more_flags = bound_policy_flags,
};
