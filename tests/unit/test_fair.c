/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller of eq. 23 against one that recomputes everything for every move. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "policies/lib/fair.h"
#include "sim/base/rng.h"

enum { JOBS = 7, GPUS = 6, MOVES = 20 };

/* ---- by the book: matrices, nothing kept ---- */

struct plain {
    uint32_t jobs, gpus, p;
    double eta;
    bool may[JOBS][GPUS], held[JOBS][GPUS];
    uint32_t samples[JOBS][GPUS];
    double fixed[JOBS][GPUS], each[JOBS][GPUS], floor[JOBS][GPUS], duty[JOBS][GPUS];
    double slowdown[JOBS]; /* of when a job was solved last */
    double base[JOBS], slope[JOBS], gap[JOBS], copy[JOBS], bytes[JOBS][2], band[JOBS];
    uint32_t step[JOBS], others[GPUS], seats[GPUS];
    double free[GPUS], slice[GPUS];
};

static double resid(const struct plain *x, uint32_t i, uint32_t g)
{
    double n = 1 + x->others[g];

    for (uint32_t k = 0; k < x->jobs; k++)
        n += k == i ? 0 : x->duty[k][g];
    return (x->fixed[i][g] + x->each[i][g] * x->samples[i][g]) * n / (1 + x->eta * (1 - 1 / n));
}

/* Seconds of a step; with the norm of its replicas, or the longest. */
static double on(const struct plain *x, uint32_t i, uint32_t g)
{
    return fmax(resid(x, i, g), x->floor[i][g]);
}

static double seconds(const struct plain *x, uint32_t i, bool soft)
{
    double longest = 0, sum = 0;

    for (uint32_t g = 0; g < x->gpus; g++) {
        double r = x->samples[i][g] ? on(x, i, g) : 0;
        longest = fmax(longest, r);
        sum += pow(r, x->p);
    }
    return (soft ? pow(sum, 1.0 / x->p) : longest) + x->gap[i];
}

static void solve(struct plain *x, const bool *moves)
{
    for (uint32_t round = 0; round < 300; round++) {
        struct plain old = *x;
        for (uint32_t i = 0; i < x->jobs; i++) {
            double t = seconds(&old, i, false);
            for (uint32_t g = 0; moves[i] && g < x->gpus; g++) {
                double to = x->samples[i][g] ? fmin(1, resid(&old, i, g) / t) : 0;
                x->duty[i][g] = x->samples[i][g] ? (old.duty[i][g] + to) / 2 : 0;
            }
        }
    }
}

static double slowdown(const struct plain *x, uint32_t i)
{
    bool copies = false;

    for (uint32_t g = 0; g < x->gpus; g++)
        copies |= x->samples[i][g] && !x->held[i][g];
    return x->base[i] + x->slope[i] * seconds(x, i, true) + copies * x->copy[i];
}

/* The mover and those that compute on its two GPUs are solved; all others are as they were. */
static double move(struct plain *x, uint32_t i, uint32_t from, uint32_t to, uint32_t samples)
{
    bool moves[JOBS] = {false};
    double sum = 0;

    for (uint32_t k = 0; k < x->jobs; k++)
        moves[k] = k == i || x->samples[k][from] || x->samples[k][to];
    x->samples[i][from] -= samples;
    x->samples[i][to] += samples;
    solve(x, moves);
    for (uint32_t k = 0; k < x->jobs; k++) {
        if (moves[k])
            x->slowdown[k] = slowdown(x, k);
        sum += pow(x->slowdown[k], x->p);
    }
    return sum;
}

static double total(const struct plain *x)
{
    double sum = 0;

    for (uint32_t k = 0; k < x->jobs; k++)
        sum += pow(x->slowdown[k], x->p);
    return sum;
}

static double load(const struct plain *x, uint32_t g)
{
    double n = x->others[g];

    for (uint32_t k = 0; k < x->jobs; k++)
        n += x->duty[k][g];
    return n;
}

static bool fits(const struct plain *x, uint32_t i, uint32_t to, uint32_t samples)
{
    double used = 0, need = x->bytes[i][0] + x->bytes[i][1] * (x->samples[i][to] + samples);
    uint32_t seats = 0;

    for (uint32_t k = 0; k < x->jobs; k++)
        if (k != i && x->samples[k][to]) {
            used += x->bytes[k][0] + x->bytes[k][1] * x->samples[k][to];
            seats++;
        }
    return x->may[i][to] && seats < x->seats[to] && used + need <= x->free[to] &&
           need <= x->slice[to];
}

/* The best move into *best: job, from, to, samples. Returns the sum that it leads to; that of now
 * if none is worth it. */
static double best_move(const struct plain *x, uint32_t best[4])
{
    double now = total(x), least = now;

    for (uint32_t i = 0; i < x->jobs; i++)
        for (uint32_t a = 0; a < x->gpus; a++)
            for (uint32_t b = 0; b < x->gpus; b++) {
                uint32_t d = x->samples[i][a] < x->step[i] ? x->samples[i][a] : x->step[i];
                struct plain tried = *x;
                if (a == b || d == 0 || !fits(x, i, b, d) ||
                    (load(x, b) >= load(x, a) && (!x->samples[i][b] || on(x, i, b) >= on(x, i, a))))
                    continue;
                double sum = move(&tried, i, a, b, d);
                if (1 - pow(sum / now, 1.0 / x->p) <= x->band[i] || sum >= least)
                    continue;
                least = sum;
                memcpy(best, (uint32_t[]){i, a, b, d}, 4 * sizeof *best);
            }
    return least;
}

/* ---- random groups ---- */

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}

static void draw_job(struct plain *x, gsl_rng *r, uint32_t i, const double *speed)
{
    uint32_t batch = 0;
    double alpha = 0.03 * gsl_rng_uniform(r), beta = 0.001 * gsl_rng_uniform(r);

    x->base[i] = gsl_rng_uniform(r);
    x->slope[i] = 5 + 20 * gsl_rng_uniform(r);
    x->gap[i] = 0.1 * gsl_rng_uniform(r);
    x->copy[i] = 0.3 * gsl_rng_uniform(r);
    x->bytes[i][0] = below(r, 100);
    x->bytes[i][1] = below(r, 3);
    x->band[i] = below(r, 3) ? 1e-4 : 0.02;
    for (uint32_t g = 0; g < x->gpus; g++) {
        x->may[i][g] = below(r, 2);
        x->held[i][g] = x->may[i][g] && below(r, 3);
        x->samples[i][g] = x->held[i][g] && below(r, 5) ? 1 + below(r, 64) : 0;
        x->fixed[i][g] = alpha / speed[g];
        x->each[i][g] = beta / speed[g];
        x->floor[i][g] = below(r, 3) ? 0 : 0.05;
        batch += x->samples[i][g];
    }
    if (batch == 0) {
        x->may[i][0] = x->held[i][0] = true;
        x->samples[i][0] = batch = 32;
    }
    x->step[i] = batch < 8 ? 1 : batch / 8;
}

static void draw(struct plain *x, uint64_t seed)
{
    static const bool all[JOBS] = {true, true, true, true, true, true, true};
    gsl_rng *r = rng_stream(seed, "fair", 0);
    double speed[GPUS];

    *x = (struct plain){.jobs = 2 + below(r, JOBS - 1), .gpus = 2 + below(r, GPUS - 1)};
    x->p = 1 + below(r, 12);
    x->eta = 0.3 * below(r, 3);
    for (uint32_t g = 0; g < x->gpus; g++)
        speed[g] = 0.3 + gsl_rng_uniform(r);
    for (uint32_t i = 0; i < x->jobs; i++)
        draw_job(x, r, i, speed);
    for (uint32_t g = 0; g < x->gpus; g++) {
        x->others[g] = below(r, 4) == 0;
        x->slice[g] = below(r, 2) ? INFINITY : 500;
        for (uint32_t i = 0; i < x->jobs; i++) {
            x->seats[g] += x->samples[i][g] > 0;
            x->free[g] += x->samples[i][g] ? x->bytes[i][0] + x->bytes[i][1] * x->samples[i][g] : 0;
        }
        x->seats[g] += below(r, 3);
        x->free[g] += 50 * below(r, 10);
    }
    solve(x, all);
    for (uint32_t i = 0; i < x->jobs; i++)
        x->slowdown[i] = slowdown(x, i);
    gsl_rng_free(r);
}

/* ---- the same as struct fair ---- */

struct room {
    struct fair_job job[JOBS];
    struct fair_replica replica[JOBS * GPUS];
    struct fair_gpu gpu[GPUS];
    uint32_t on[JOBS * GPUS], first[GPUS + 1], some[JOBS];
    bool chosen[JOBS], touched[GPUS];
    double resid[JOBS * GPUS], duty[JOBS * GPUS], load[GPUS];
    double seconds[JOBS], soft[JOBS], slowdown[JOBS], hard[JOBS];
    uint32_t least[JOBS * GPUS];
};

static void add_gpus(struct fair *f, const struct plain *x)
{
    for (uint32_t g = 0; g < x->gpus; g++) {
        struct fair_gpu *to = &f->gpu[g];
        *to = (struct fair_gpu){.id = g,
                                .bytes = x->free[g],
                                .slice = x->slice[g],
                                .seats = x->seats[g],
                                .others = x->others[g]};
        for (uint32_t i = 0; i < x->jobs; i++)
            if (x->samples[i][g]) {
                to->bytes -= x->bytes[i][0] + x->bytes[i][1] * x->samples[i][g];
                to->seats--;
            }
    }
}

static struct fair fair_of(const struct plain *x, struct room *m)
{
    struct fair f = {.n_jobs = x->jobs,
                     .n_gpus = x->gpus,
                     .job = m->job,
                     .replica = m->replica,
                     .gpu = m->gpu,
                     .on = m->on,
                     .first = m->first,
                     .eta = x->eta,
                     .settled = 1e-10,
                     .p = x->p,
                     .some = m->some,
                     .chosen = m->chosen,
                     .touched = m->touched,
                     .resid = m->resid,
                     .duty = m->duty,
                     .seconds = m->seconds,
                     .soft = m->soft,
                     .slowdown = m->slowdown,
                     .hard = m->hard,
                     .load = m->load,
                     .least = m->least};

    *m = (struct room){0};
    for (uint32_t i = 0; i < x->jobs; i++) {
        f.job[i] = (struct fair_job){.base = x->base[i],
                                     .slope = x->slope[i],
                                     .gap = x->gap[i],
                                     .copy = x->copy[i],
                                     .bytes = {x->bytes[i][0], x->bytes[i][1]},
                                     .band = x->band[i],
                                     .step = x->step[i],
                                     .first = f.n_replicas};
        for (uint32_t g = 0; g < x->gpus; g++)
            if (x->may[i][g]) {
                f.replica[f.n_replicas++] = (struct fair_replica){.job = i,
                                                                  .gpu = g,
                                                                  .samples = x->samples[i][g],
                                                                  .held = x->held[i][g],
                                                                  .fixed = x->fixed[i][g],
                                                                  .each = x->each[i][g],
                                                                  .floor = x->floor[i][g]};
                f.job[i].n++;
            }
    }
    add_gpus(&f, x);
    fair_index(&f);
    fair_solve(&f);
    return f;
}

static bool same_shares(const struct fair *f, const struct plain *x)
{
    for (uint32_t r = 0; r < f->n_replicas; r++)
        if (f->replica[r].samples != x->samples[f->replica[r].job][f->replica[r].gpu])
            return false;
    return true;
}

/* Moves that a controller without a memory would try. */
static uint32_t candidates(const struct fair *f)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < f->n_replicas; r++)
        n += f->replica[r].samples ? f->job[f->replica[r].job].n - 1 : 0;
    return n;
}

/* The same moves one after the other, and the same objective after each. */
Test(fair, moves_of_the_naive_controller)
{
    uint32_t made = 0, ties = 0;
    uint64_t tried = 0, naive = 0;

    for (uint64_t seed = 0; seed < 150; seed++) {
        static struct plain x;
        static struct room room;
        draw(&x, seed);
        struct fair f = fair_of(&x, &room);
        for (uint32_t n = 0; n < MOVES; n++) {
            uint32_t best[4];
            double now = total(&x), least = best_move(&x, best);
            cr_assert_float_eq(fair_objective(&f, false), pow(now, 1.0 / x.p), 1e-6,
                               "group %u, move %u", (unsigned)seed, n);
            uint32_t moved = fair_improve(&f, 1);
            cr_assert_eq(moved, least < now, "group %u, move %u", (unsigned)seed, n);
            if (!moved)
                break;
            move(&x, best[0], best[1], best[2], best[3]);
            made++;
            naive += candidates(&f);
            if (same_shares(&f, &x))
                continue;
            /* two moves that are as good */
            cr_assert_float_eq(fair_objective(&f, false), pow(total(&x), 1.0 / x.p), 1e-8,
                               "group %u, move %u: job %u, %u samples from %u to %u",
                               (unsigned)seed, n, best[0], best[3], best[1], best[2]);
            ties++;
            break;
        }
        tried += f.tried;
    }
    cr_assert_gt(made, 500);
    cr_assert_leq(ties, 3);
    cr_assert_lt(tried, naive, "%llu moves tried of %llu", (unsigned long long)tried,
                 (unsigned long long)naive);
}
