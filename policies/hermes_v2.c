/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hermes_v2 - Hermes on unequal GPUs (Yoo, Sogang University, 2021), reconstructed from its
 * abstract and table of contents (docs/model.md): a trial goes where its predicted throughput
 * gains most, by a table of ratios (the run's predictor); trials are relocated to make room for
 * those that gain more, and during the run to bring the one that has converged furthest onto the
 * faster GPU.
 */
#include "policies/lib/bound.h"

#include <math.h>
#include <string.h>

enum relocate { RELOCATE_NONE, RELOCATE_PLACEMENT, RELOCATE_RUN, RELOCATE_BOTH };
enum cap { CAP_EQUAL, CAP_SPEED, CAP_NONE };
enum gain { GAIN_RELATIVE, GAIN_ABSOLUTE };
enum victim_rule { VICTIM_GAIN, VICTIM_CONVERGENCE };

static const char *const relocations[] = {"none", "placement", "run", "both", NULL};
static const char *const caps[] = {"equal", "speed", "none", NULL};
static const char *const gains[] = {"relative", "absolute", NULL};
static const char *const victim_rules[] = {"gain", "convergence", NULL};

struct hermes_v2 {
    struct bound bound; /* first: its callbacks and fields work on it */
    int relocate, cap, gain, victim;
    bool victim_loss;
    double margin;
    sim_time move;
    int64_t residence;
    struct heap fresh; /* arrived, not bound yet, by number */
    uint32_t bound_jobs;
    struct heap by_gain[64]; /* by GPU type: its residents, smallest gain first */
    struct heap weakest[64]; /* by GPU type: its stations, by the convergence of their best */
    struct heap over;        /* trials whose quantum ended in this instant */
};

#define AT(member) offsetof(struct hermes_v2, member)
static const struct field fields[] = {
    {FIELD_CHOICE, "relocate", AT(relocate), "both", 0, 0, relocations,
     "trials are moved to place others, during the run, both"},
    {FIELD_CHOICE, "cap", AT(cap), "equal", 0, 0, caps,
     "trials of a GPU: equal counts, in proportion to speed, no limit"},
    {FIELD_CHOICE, "gain", AT(gain), "relative", 0, 0, gains,
     "what is largest where a trial goes: its gain over the slowest type, or samples/s"},
    {FIELD_CHOICE, "victim", AT(victim), "gain", 0, 0, victim_rules,
     "who is moved away first: the smallest gain, or the lowest convergence"},
    {FIELD_BOOL, "victim_loss", AT(victim_loss), "true", 0, 0, NULL,
     "eq. 16 as written counts the whole remaining work of the trial that is moved away; false: "
     "only its move"},
    {FIELD_REAL, "margin", AT(margin), "0.05", 0, 10, NULL,
     "a gain must be larger by this share (delta)"},
    {FIELD_SECONDS, "move_s", AT(move), "30", 0, 1e6, NULL,
     "what the policy takes a move to cost (c_m of eq. 16)"},
    {FIELD_INT, "residence", AT(residence), "2", 0, 1e6, NULL,
     "quanta on a GPU before a trial may be moved again"},
    BOUND_TURN_FIELDS("1", "0"),
    BOUND_CONVERGENCE_FIELDS,
    {.type = FIELD_END},
};

/* ---- predictions ---- */

/* Doubles in their order as integers, all of them above INT64_MIN + 1. */
static int64_t ordered(double x)
{
    int64_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

/* Predicted steps/s of a job on a station's GPU. */
static double rate(struct cx *cx, const struct hermes_v2 *s, job_id j, uint32_t station)
{
    return sim_rate(cx, j, sim_even(cx, j, &s->bound.station[station].first, 1));
}

/* Any station of a type; every type of the cluster has one. */
static uint32_t some_station(const struct hermes_v2 *s, type_id t)
{
    return (uint32_t)heap_first(&s->bound.room[t]);
}

static double rate_on(struct cx *cx, const struct hermes_v2 *s, job_id j, type_id t)
{
    return s->bound.room[t].n && sim_job(cx, j)->types >> t & 1 ? rate(cx, s, j, some_station(s, t))
                                                                : 0;
}

/* What eq. 15 maximises: the ratio to the slowest type, or samples/s. */
static double gain_on(struct cx *cx, const struct hermes_v2 *s, job_id j, type_id t)
{
    double slowest = INFINITY, here = rate_on(cx, s, j, t);

    if (s->gain == GAIN_ABSOLUTE)
        return here * (sim_job(cx, j)->batch > 0 ? sim_job(cx, j)->batch : 1);
    for (type_id k = 0; k < sim_types(cx); k++) {
        double r = rate_on(cx, s, j, k);
        if (r > 0 && r < slowest)
            slowest = r;
    }
    return here / slowest;
}

/* Seconds of all remaining steps at a rate. */
static double remaining_s(struct cx *cx, job_id j, double steps_per_s)
{
    const struct job_view *v = sim_job(cx, j);

    return (v->steps_declared - v->steps) / steps_per_s;
}

static double move_cost(struct cx *cx, const struct hermes_v2 *s, job_id j)
{
    const struct job_view *v = sim_job(cx, j);

    return v->held || v->steps > 0 ? (double)s->move / 1e9
                                   : 0; /* a trial that never ran has no state */
}

/* Eq. 16: what i gains from the slow to the fast station, less what k loses the other way. */
static double saving(struct cx *cx, const struct hermes_v2 *s, job_id i, job_id k, uint32_t slow,
                     uint32_t fast)
{
    double x = remaining_s(cx, i, rate(cx, s, i, slow)) - remaining_s(cx, i, rate(cx, s, i, fast)) -
               move_cost(cx, s, i);

    if (k == NO_JOB)
        return x;
    if (s->victim_loss)
        x -= remaining_s(cx, k, rate(cx, s, k, slow)) - remaining_s(cx, k, rate(cx, s, k, fast));
    return x - move_cost(cx, s, k);
}

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
        key = m->trail.n ? ordered(trail_score(&m->trail, epoch)) : INT64_MIN + 1;
    }
    heap_set(&s->weakest[st->type], station, key);
}

static void settle(struct hermes_v2 *s, struct cx *cx, job_id j, uint32_t station)
{
    for (type_id t = 0; t < sim_types(cx); t++)
        heap_drop(&s->by_gain[t], j);
    type_id t = s->bound.station[station].type;
    heap_set(&s->by_gain[t], j, ordered(gain_on(cx, s, j, t)));
    note_best(s, cx, station);
}

static void go_to(struct hermes_v2 *s, struct cx *cx, job_id j, uint32_t station)
{
    bound_to(&s->bound, cx, j, &station, 1);
    s->bound_jobs++;
    settle(s, cx, j, station);
}

static void move_to(struct hermes_v2 *s, struct cx *cx, job_id j, uint32_t station, const char *why)
{
    uint32_t from = bound_member(&s->bound, cx, j)->station[0];

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
        double weight = s->cap == CAP_SPEED ? gain_on(cx, s, j, k) : 1;
        sum += weight * s->bound.room[k].n;
        here = k == t ? weight : here;
    }
    return ceil(all * here / sum);
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

/* Moves the resident of the best type that gains least from it to `free_one`; takes its place. */
static bool make_room(struct hermes_v2 *s, struct cx *cx, job_id i, type_id best, uint32_t free_one)
{
    job_id k = heap_first(&s->by_gain[best]);

    if (k == NO_JOB || !(sim_job(cx, k)->types >> s->bound.station[free_one].type & 1))
        return false;
    const struct member *m = bound_member(&s->bound, cx, k);
    uint32_t fast = m->station[0];
    double gain_i = rate(cx, s, i, fast) / rate(cx, s, i, free_one);
    double gain_k = rate(cx, s, k, fast) / rate(cx, s, k, free_one);
    if (sim_job(cx, k)->held && m->quanta < s->residence)
        return false;
    if (!(gain_i > gain_k * (1 + s->margin)) || !(saving(cx, s, i, k, free_one, fast) > 0))
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
        double g = gain_on(cx, s, i, t);
        if (s->bound.room[t].n == 0)
            continue;
        if (g > best_gain) {
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

/* Who is pushed back from the fast station: never its best. */
static job_id whom_to_push(struct hermes_v2 *s, struct cx *cx, uint32_t fast, type_id slow)
{
    const struct station *st = &s->bound.station[fast];
    job_id best = bound_best(&s->bound, cx, fast), last = NO_JOB;
    double last_gain = 0, last_score = 0;

    for (uint32_t n = 0; n < st->n; n++) {
        job_id j = st->resident[n];
        const struct member *m = bound_member(&s->bound, cx, j);
        if ((j == best && st->n > 1) || m->quanta < s->residence ||
            sim_job(cx, j)->state == JOB_ENDING || !(sim_job(cx, j)->types >> slow & 1))
            continue;
        double g = s->victim == VICTIM_GAIN ? gain_on(cx, s, j, st->type) : 0;
        double c = m->trail.n ? trail_score(&m->trail, m->trail.n) : INFINITY;
        if (last == NO_JOB || g < last_gain || (g == last_gain && c < last_score)) {
            last = j;
            last_gain = g;
            last_score = c;
        }
    }
    return last;
}

/* Whether i has converged further than the best of a station, at an epoch both have reached. */
static bool leads(struct hermes_v2 *s, struct cx *cx, job_id i, uint32_t fast, double *by)
{
    job_id best = bound_best(&s->bound, cx, fast);
    const struct trail *x = &bound_member(&s->bound, cx, i)->trail;

    *by = INFINITY;
    if (best == NO_JOB)
        return true;
    const struct trail *y = &bound_member(&s->bound, cx, best)->trail;
    if (y->n == 0)
        return false; /* it has not been seen yet */
    bool latest = s->bound.rules.compare_at == AT_LATEST;
    uint32_t e = x->n < y->n ? x->n : y->n;
    *by = trail_score(x, latest ? x->n : e) - trail_score(y, latest ? y->n : e);
    return *by > s->bound.rules.delta;
}

/* Tries to bring i, the best of its station, onto a faster GPU type. */
static bool pull_up(struct hermes_v2 *s, struct cx *cx, job_id i, type_id t)
{
    uint32_t slow = bound_member(&s->bound, cx, i)->station[0],
             fast = (uint32_t)heap_first(&s->weakest[t]);
    const struct bound *b = &s->bound;
    double by;

    if (!(rate(cx, s, i, fast) > rate(cx, s, i, slow)) || !leads(s, cx, i, fast, &by))
        return false;
    bool full = b->station[fast].n >= b->station[slow].n;
    job_id k = full ? whom_to_push(s, cx, fast, b->station[slow].type) : NO_JOB;
    if ((full && k == NO_JOB) || !(saving(cx, s, i, k, slow, fast) > 0))
        return false;
    if (k != NO_JOB)
        move_to(s, cx, k, slow, "gives its place to a trial that has converged further");
    bound_cut(&s->bound, cx, fast);
    move_to(s, cx, i, fast, "has converged furthest of its GPU and runs faster elsewhere");
    return true;
}

/* A trial's quantum has ended: if it leads its station, it may deserve a faster GPU. */
static void consider(struct hermes_v2 *s, struct cx *cx, job_id i)
{
    const struct member *m = bound_member(&s->bound, cx, i);
    uint64_t types = sim_job(cx, i)->types;

    if (!(s->relocate & RELOCATE_RUN) || m->n == 0 || m->quanta < s->residence ||
        sim_job(cx, i)->state >= JOB_ENDING || bound_best(&s->bound, cx, m->station[0]) != i)
        return;
    for (uint64_t left = types & ~(UINT64_C(1) << s->bound.station[m->station[0]].type); left;
         left &= left - 1)
        if (s->weakest[__builtin_ctzll(left)].n &&
            pull_up(s, cx, i, (type_id)__builtin_ctzll(left)))
            return;
}

/* ---- callbacks ---- */

static void init(void *self, struct cx *cx)
{
    struct hermes_v2 *s = self;

    s->bound.rules.order = ORDER_CONVERGENCE;
    bound_init(&s->bound, cx);
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
        for (type_id t = 0; t < sim_types(cx); t++)
            heap_drop(&s->by_gain[t], j);
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
        note_best(s, cx, m->station[0]);
    if (m->over)
        heap_set(&s->over, j, 0);
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
        place_new(s, cx, j);
        heap_drop(&s->fresh, j);
    }
    relocate(s, cx);
    bound_schedule(&s->bound, cx);
}

static void fini(void *self)
{
    struct hermes_v2 *s = self;

    bound_free(&s->bound);
    heap_free(&s->fresh);
    heap_free(&s->over);
    for (int t = 0; t < 64; t++) {
        heap_free(&s->by_gain[t]);
        heap_free(&s->weakest[t]);
    }
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
};
