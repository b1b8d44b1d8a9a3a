/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pace.h - the present step of each running job, shared by step.c and step_off.c. */
#ifndef SIM_PACE_H
#define SIM_PACE_H

#include "sim/engine/step.h"

/* One replica of the present step. */
struct part {
    struct step_parts alone;
    sim_time took; /* until its units were done; 0: it computes */
    sim_area sum;  /* of the steps that are measured */
};

/* By slot: the present step of a job that runs. */
struct pace {
    job_id job;
    bool on;          /* a step is under way */
    bool stale;       /* the next one has other shares */
    uint32_t n, left; /* replicas; those that compute */
    sim_time began;
    sim_time end;      /* SIM_NEVER: not known yet */
    sim_time longest;  /* of its replicas so far */
    double factor;     /* on all its times */
    double floor, gap; /* the longest of its replicas */
    struct share *share;
    struct part *part;
    size_t cap_share, cap_part;
    uint64_t stream;     /* of its factors */
    int64_t from;        /* steps when it began to run */
    sim_time since;      /* measured since */
    uint64_t n_measured; /* steps */
    sim_area sum;        /* of their times */
    sim_time last;       /* time of the last step; 0: none */
    int64_t checkpoint;  /* steps at the end of the epoch */
    sim_time saved;      /* when it reached the last one, or began to run */
};

struct steps {
    struct stations *stations;
    struct heap ends; /* jobs by the end of a step that is no goal */
    struct pace *pace;
    size_t cap;
    uint32_t n;
};

static inline struct pace *pace_of(const struct engine *e, const struct job *j)
{
    struct pace *p = &e->steps->pace[sim_slot(j->id)];

    BUG_ON(p->job != j->id);
    return p;
}

static inline bool by_duration(const struct job *j)
{
    return j->spec.model == NO_MODEL;
}

/* Nominal units that a job without a model has left, by its line. */
static inline sim_area units_left(const struct job *j)
{
    double part = j->line.part * (double)STATION_NS;

    return (sim_area)(j->goal - j->line.whole) * (sim_area)STATION_NS - (sim_area)part;
}

/* Units on a GPU of a speed, of nominal ones, and the other way round. */
static inline sim_area units_at(sim_area nominal, double speed)
{
    return speed == 1 ? nominal : (sim_area)((double)nominal / speed + 0.5);
}
static inline sim_area nominal_units(sim_area units, double speed)
{
    return speed == 1 ? units : (sim_area)((double)units * speed + 0.5);
}

/* When the present step ends, if its slowest replica computes for so long. */
sim_time pace_end(const struct engine *, const struct job *, const struct pace *, sim_time longest);

#endif
