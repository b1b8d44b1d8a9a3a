/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What no shares can beat. A largest slowdown S gives each job the seconds tau that a step of it
 * may take; then these must hold, whatever the phases of the jobs:
 *
 *   (fixed x + each b) <= one (tau - gap) on each GPU       one: a job alone gets no more of it
 *   sum (fixed x + each b) / tau <= phi*(sum x (1 - gap/tau)) for each GPU
 *   sum b = batch of each job, b in 0 .. memory allows, x in {0, 1} says whether b > 0
 *
 * The second: in the mean over time a GPU does E[phi(n)] of n jobs that compute on it; phi* is the
 * least concave function above phi, so E[phi(n)] <= phi*(E[n]), and a job computes at most tau -
 * gap of tau. phi* is the least of some lines: all is linear in x and b.
 *
 * That holds for all phases of the jobs. The fluid rates know more where jobs get equal parts: how
 * likely each number of jobs is (bound_sets). All this becomes easier as S grows: S is found by
 * halving. That a step waits for the last of several replicas, synchronisation, input and whole
 * samples are left out, and that a job cannot be held back: all that can only lower the bound.
 */
#include <glpk.h>
#include <math.h>

#include "policies/lib/best.h"
#include "policies/lib/best_load.h"

#define NODES  500u /* of a search tree, then it is given up */
#define STEPS  5000 /* of the simplex method on one node */
#define SAFETY 1e-6 /* tolerances of the solver */
#define ALMOST 1e-9 /* away from never and always */

struct target {
    struct best *b;
    glp_prob *lp;
    bool whole; /* x is 0 or 1; else anything between */
    double slowdown;
};

/* Columns of replica k. */
static int x_of(uint32_t k)
{
    return (int)(2 * k + 1);
}
static int b_of(uint32_t k)
{
    return (int)(2 * k + 2);
}

/* Seconds that a step of a job may take, its jitter left out. */
static double tau_of(const struct target *t, uint32_t i)
{
    const struct best_job *j = &t->b->job[i];

    return (t->slowdown - j->base) / j->slope / j->jitter;
}

static double one_of(const struct best_gpu *g)
{
    return g->n > 0 ? g->peak[1] : 1;
}

/* Samples that a replica can have within tau. */
static double most_of(const struct target *t, const struct best_replica *r)
{
    const struct best_gpu *g = &t->b->gpu[r->gpu];
    double tau = tau_of(t, r->job), most = t->b->job[r->job].batch;
    double busy = one_of(g) * (tau - r->gap) * (1 + SAFETY);

    if (r->floor + r->gap > tau * (1 + SAFETY) || r->fixed > busy)
        return 0;
    if (r->each > 0)
        most = fmin(most, (busy - r->fixed) / r->each);
    if (r->more > 0)
        most = fmin(most, (g->slice - r->bytes) / r->more);
    return most < 1 || r->bytes > g->slice ? 0 : most;
}

static int add_row(glp_prob *lp, int type, double low, double high)
{
    int row = glp_add_rows(lp, 1);

    glp_set_row_bnds(lp, row, type, low, high);
    return row;
}

/* b of a replica within what it may have; its job's sum. */
static void bound_replica(const struct target *t, uint32_t k, double most)
{
    int col[3] = {0, x_of(k), b_of(k)};

    glp_set_col_bnds(t->lp, b_of(k), most > 0 ? GLP_DB : GLP_FX, 0, most);
    glp_set_col_bnds(t->lp, x_of(k), most > 0 ? GLP_DB : GLP_FX, 0, most > 0);
    int row = add_row(t->lp, GLP_UP, 0, 0);
    glp_set_mat_row(t->lp, row, 2, col, (double[]){0, -most, 1});
    row = add_row(t->lp, GLP_LO, 0, 0);
    glp_set_mat_row(t->lp, row, 2, col, (double[]){0, -1, 1});
}

static void set_row(const struct target *t, int row, int n)
{
    glp_set_mat_row(t->lp, row, n, t->b->column, t->b->value);
}

static void sum_up(const struct target *t, uint32_t i)
{
    const struct best_job *j = &t->b->job[i];
    int n = 0;

    for (uint32_t k = j->first; k < j->first + j->n; k++) {
        t->b->column[++n] = b_of(k);
        t->b->value[n] = 1;
    }
    set_row(t, add_row(t->lp, GLP_FX, j->batch, j->batch), n);
}

/* What one replica adds to a sum over a GPU. */
struct term {
    double x, b; /* for being there; for each sample */
};
typedef struct term term_of(const struct target *, const struct best_replica *, double slope);

/* sum over the replicas of a GPU of x * term.x + b * term.b <= most */
static void add_gpu_row(const struct target *t, uint32_t g, double most, term_of *term,
                        double slope)
{
    int n = 0;

    for (uint32_t k = 0; k < t->b->n_replicas; k++) {
        const struct best_replica *r = &t->b->replica[k];
        struct term c = r->gpu == g ? term(t, r, slope) : (struct term){0, 0};
        if (t->b->job[r->job].fixed) {
            most -= c.x + c.b * r->samples;
        } else if (r->gpu == g) {
            t->b->column[++n] = x_of(k);
            t->b->value[n] = c.x;
            t->b->column[++n] = b_of(k);
            t->b->value[n] = c.b;
        }
    }
    set_row(t, add_row(t->lp, GLP_UP, 0, most), n);
}

static struct term seat_term(const struct target *t, const struct best_replica *r, double slope)
{
    (void)t, (void)r, (void)slope;
    return (struct term){1, 0};
}

static struct term memory_term(const struct target *t, const struct best_replica *r, double slope)
{
    (void)t, (void)slope;
    return (struct term){r->bytes, r->more};
}

/* Load, less slope times the part of the time in which it may compute. */
static struct term load_term(const struct target *t, const struct best_replica *r, double slope)
{
    double tau = tau_of(t, r->job);

    return (struct term){r->fixed / tau - slope * (1 - r->gap / tau), r->each / tau};
}

/* load <= each line of the least concave function above the peaks */
static void bound_load(const struct target *t, uint32_t g)
{
    const struct best_gpu *gpu = &t->b->gpu[g];
    uint32_t n = gpu->n < gpu->seats ? gpu->n : gpu->seats;

    for (uint32_t from = 0, to; from < n; from = to) {
        double steepest = -INFINITY;
        to = from + 1;
        for (uint32_t k = from + 1; k <= n; k++) {
            double slope = (gpu->peak[k] - gpu->peak[from]) / (k - from);
            if (slope >= steepest) {
                steepest = slope;
                to = k;
            }
        }
        add_gpu_row(t, g, gpu->peak[from] - steepest * from, load_term, steepest);
    }
    add_gpu_row(t, g, gpu->peak[n], load_term, 0);
}

/* What each set of n jobs on a GPU does, which compute part[] of the time. */
static void find_loads(const double *part, uint32_t n, const double *peak, double *f)
{
    for (uint32_t set = 0; set < 1u << n; set++) {
        double some[BEST_JOBS] = {0};
        uint32_t m = 0;
        for (uint32_t i = 0; i < n; i++)
            if (set >> i & 1)
                some[m++] = part[i];
        f[set] = best_load(some, m, peak);
    }
}

/*
 * By the set of jobs that are there: f(P) is most if all compute as long as they may. f is
 * submodular: a set Q does at most f(P) + what each of Q that is not in P would add to P.
 */
static void bound_sets(const struct target *t, uint32_t g)
{
    uint32_t on[BEST_JOBS], n = 0;
    double part[BEST_JOBS], f[1u << BEST_JOBS];

    if (!t->b->gpu[g].equal || t->b->gpu[g].n > BEST_JOBS)
        return;
    for (uint32_t k = 0; k < t->b->n_replicas; k++) {
        const struct best_replica *r = &t->b->replica[k];
        double d = 1 - r->gap / tau_of(t, r->job);
        if (r->gpu != g)
            continue;
        on[n] = k;
        part[n++] = fmin(fmax(d, ALMOST), 1 - ALMOST);
    }
    find_loads(part, n, t->b->gpu[g].peak, f);
    for (uint32_t set = 0; set < 1u << n; set++) {
        double most = f[set] * (1 + SAFETY);
        int c = 0;
        for (uint32_t i = 0; i < n; i++) {
            const struct best_replica *r = &t->b->replica[on[i]];
            double tau = tau_of(t, r->job), x = r->fixed / tau;
            x -= set >> i & 1 ? 0 : f[set | 1u << i] - f[set];
            if (t->b->job[r->job].fixed) {
                most -= x + r->each / tau * r->samples;
                continue;
            }
            t->b->column[++c] = x_of(on[i]);
            t->b->value[c] = x;
            t->b->column[++c] = b_of(on[i]);
            t->b->value[c] = r->each / tau;
        }
        set_row(t, add_row(t->lp, GLP_UP, 0, most), c);
    }
}

/* ---- one target ---- */

/* false: some job cannot keep it, whatever the others do. */
static bool state_jobs(const struct target *t)
{
    struct best *b = t->b;

    for (uint32_t i = 0; i < b->n_jobs; i++) {
        const struct best_job *j = &b->job[i];
        double sum = 0;
        if (!(tau_of(t, i) > 0))
            return false;
        for (uint32_t k = j->first; k < j->first + j->n; k++) {
            double most = most_of(t, &b->replica[k]);
            if (j->fixed && most < b->replica[k].samples)
                return false;
            if (!j->fixed)
                bound_replica(t, k, most);
            sum += most;
        }
        if (sum < j->batch)
            return false;
        if (!j->fixed)
            sum_up(t, i);
    }
    return true;
}

static bool state(const struct target *t)
{
    struct best *b = t->b;

    glp_add_cols(t->lp, (int)(2 * b->n_replicas));
    if (!state_jobs(t))
        return false;
    for (uint32_t g = 0; g < b->n_gpus; g++) {
        bound_load(t, g);
        bound_sets(t, g);
        if (b->gpu[g].seats < b->gpu[g].n)
            add_gpu_row(t, g, b->gpu[g].seats, seat_term, 0);
        if (b->gpu[g].bytes < INFINITY)
            add_gpu_row(t, g, b->gpu[g].bytes, memory_term, 0);
    }
    return true;
}

enum answer { NO, YES, UNDECIDED };

/* Of the problem as its bounds stand, x between 0 and 1. The simplex method may go round in
 * circles: it has so many steps, and nothing depends on the machine. */
static enum answer relaxed(const struct target *t)
{
    glp_smcp simplex;

    glp_init_smcp(&simplex);
    simplex.msg_lev = GLP_MSG_OFF;
    simplex.it_lim = STEPS;
    if (glp_simplex(t->lp, &simplex) || glp_get_status(t->lp) == GLP_UNDEF)
        return UNDECIDED;
    return glp_get_status(t->lp) == GLP_NOFEAS ? NO : YES;
}

/* The column that is furthest from 0 and 1; 0: all are whole. */
static int most_broken(const struct target *t)
{
    double most = SAFETY;
    int col = 0;

    for (uint32_t k = 0; k < t->b->n_replicas; k++) {
        double x = glp_get_col_prim(t->lp, x_of(k)), off = fmin(x, 1 - x);
        if (off > most) {
            most = off;
            col = x_of(k);
        }
    }
    return col;
}

/* Whether x can be whole: depth first, the nearer value of each first. With YES the problem holds
 * the solution. */
static enum answer search(const struct target *t, uint32_t *nodes)
{
    enum answer a = *nodes < NODES ? relaxed(t) : UNDECIDED;
    int col = a == YES ? most_broken(t) : 0;

    ++*nodes;
    if (col == 0)
        return a;
    bool near = glp_get_col_prim(t->lp, col) >= 0.5, undecided = false;
    for (int side = 0; side < 2; side++) {
        glp_set_col_bnds(t->lp, col, GLP_FX, side ? !near : near, 0);
        a = search(t, nodes);
        if (a == YES)
            return YES;
        undecided |= a == UNDECIDED;
    }
    glp_set_col_bnds(t->lp, col, GLP_DB, 0, 1);
    return undecided ? UNDECIDED : NO;
}

static enum answer possible(const struct target *t)
{
    uint32_t nodes = 0;
    enum answer a = t->whole ? search(t, &nodes) : relaxed(t);

    t->b->gave_up += a == UNDECIDED;
    return a;
}

/* ---- its shares ---- */

/* Whole samples: the largest remainders get one more, replicas that are to be there at least 1. */
static void round_job(struct best *b, glp_prob *lp, const struct best_job *j)
{
    uint32_t left = j->batch;

    for (uint32_t k = j->first; k < j->first + j->n; k++) {
        double want = glp_get_col_prim(lp, b_of(k));
        uint32_t whole = want > 0 ? (uint32_t)(want + SAFETY) : 0;
        b->replica[k].samples = whole < left ? whole : left;
        left -= b->replica[k].samples;
    }
    while (left > 0) {
        uint32_t most = j->first;
        double best = -INFINITY;
        for (uint32_t k = j->first; k < j->first + j->n; k++) {
            double over = glp_get_col_prim(lp, b_of(k)) - b->replica[k].samples;
            if (over > best) {
                best = over;
                most = k;
            }
        }
        b->replica[most].samples++;
        left--;
    }
}

/* Whether a largest slowdown may be possible; *found: with these shares. */
static bool ask(struct best *b, double slowdown, bool whole, bool *found)
{
    struct target t = {b, glp_create_prob(), whole, slowdown};
    enum answer a = state(&t) ? possible(&t) : NO;

    if (a == YES && whole) {
        *found = true;
        for (uint32_t i = 0; i < b->n_jobs; i++)
            if (!b->job[i].fixed)
                round_job(b, t.lp, &b->job[i]);
    }
    glp_delete_prob(t.lp);
    return a != NO; /* what is left undecided counts as possible */
}

bool best_raise(struct best *b, double tight)
{
    bool found = false;

    glp_term_out(GLP_OFF);
    for (int whole = 0; whole < 2; whole++) {
        double high = b->largest;
        while (high - b->bound > tight * high) {
            double middle = (b->bound + high) / 2;
            if (ask(b, middle, whole, &found))
                high = middle;
            else
                b->bound = middle;
        }
    }
    return found;
}
