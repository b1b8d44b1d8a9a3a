/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress and rates: "Jobs" of docs/model.md. */
#include <math.h>

#include "tests/property/slow.h"

/* ---- progress ---- */

sim_time slow_to_time(double ns)
{
    return (sim_time)(ns + 0.5);
}

sim_time slow_time_to(int64_t goal, int64_t whole, double part, double rate)
{
    if (rate == 1 && part == 0)
        return goal - whole;
    return slow_to_time(((double)(goal - whole) - part) / rate);
}

void slow_progress(const struct engine *e, const struct job *j, int64_t *whole, double *part)
{
    sim_time dt = e->now - j->line;

    *whole = j->whole;
    *part = j->part;
    if (j->state != JOB_RUNNING)
        return;
    if (slow_steps(e)) {
        slow_step_progress(e, j, whole, part);
        return;
    }
    if (j->rate == 1) {
        *whole += dt;
    } else {
        double x = j->part + j->rate * (double)dt;
        *whole += (int64_t)floor(x);
        *part = x - floor(x);
    }
    if (*whole >= j->goal) {
        *whole = j->goal;
        *part = 0;
    }
}

void slow_settle(struct engine *e, struct job *j)
{
    int64_t whole;
    double part;

    slow_progress(e, j, &whole, &part);
    j->whole = whole;
    j->part = part;
    j->line = e->now;
}

bool slow_is_trial(const struct job *j)
{
    return j->spec.experiment != NO_EXPERIMENT;
}

/* Its next goal; it runs. */
void slow_aim(struct engine *e, struct job *j)
{
    j->goal = j->spec.work;
    if (slow_is_trial(j)) {
        int64_t end = (j->whole / j->spec.per_epoch + 1) * j->spec.per_epoch;
        j->goal = end < j->spec.work ? end : j->spec.work;
    }
    j->event = SIM_NEVER;
    if (slow_steps(e))
        slow_step_begin(e, j);
    else
        j->event = e->now + slow_time_to(j->goal, j->whole, j->part, j->rate);
}

/* ---- rates ---- */

double slow_true_rate(const struct engine *e, const struct job *j)
{
    struct placement p = slow_held(j);

    return world_rate(e->world, &j->spec, j->jitter, &p);
}

/* Units a nanosecond. */
double slow_rate(const struct engine *e, const struct job *j)
{
    return j->spec.model == NO_MODEL ? slow_true_rate(e, j) : slow_true_rate(e, j) / 1e9;
}

double slow_believe(struct engine *e, struct job *j, const struct placement *p)
{
    struct known_job k = {&j->spec, j->jitter, j->seen_type, j->seen_rate};

    return belief_rate(e->setup.belief, &k, p);
}

double slow_told(struct engine *e, struct job *j)
{
    struct placement p = slow_held(j);
    bool elsewhere = j->seen_rate == 0;

    for (uint32_t i = 0; i < j->held; i++)
        elsewhere |= e->world->node[e->world->gpu[j->share[i].gpu].node].type != j->seen_type;
    return j->spec.model == NO_MODEL || !elsewhere ? NAN : slow_believe(e, j, &p);
}

/* The type of the share that sets the pace, and the rate of all. */
void slow_measure(struct engine *e, struct job *j)
{
    const struct world *w = e->world;
    double slowest = 0;

    if (j->spec.model == NO_MODEL || (slow_steps(e) && j->measured == 0 && j->step_took == 0))
        return;
    for (uint32_t i = 0; i < j->held; i++) {
        struct step_parts part = world_step(w, j->spec.model, j->share[i].gpu, j->share[i].samples);
        double s = fmax(part.busy, part.floor);
        if (s > slowest) {
            slowest = s;
            j->seen_type = w->node[w->gpu[j->share[i].gpu].node].type;
        }
    }
    if (slow_steps(e)) {
        slow_step_measure(e, j);
        return;
    }
    j->seen_rate = slow_true_rate(e, j);
    if (slow_shares(e) && j->rate != slow_rate(e, j)) /* beside others */
        j->seen_rate = j->rate * 1e9;
}
