/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * studies.h - the part of the metrics that is about experiments: HPO times (eq. 28).
 */
#ifndef ANALYSIS_STUDIES_H
#define ANALYSIS_STUDIES_H

#include "analysis/metrics.h"

struct study_tally {
    sim_time begin;
    bool falls;
    double target, best;      /* NAN: none */
    double start, goal;       /* regret 1 and 0; NAN: not known */
    double regret;            /* its integral up to `since`, nanoseconds */
    sim_time since, deadline; /* deadline 0: none */
    bool closed;
    sim_time target_at;           /* SIM_NEVER: not reached */
    uint32_t trials, good;        /* submitted */
    uint32_t good_all, good_done; /* submitted or not; done */
    sim_area good_sum;
    sim_time good_first, good_last;
};

struct studies { /* zero-initialised */
    struct study_tally *study;
    uint32_t n;
    size_t cap;
};

void studies_open(struct studies *, const struct record *);
void studies_arrive(struct studies *, const struct record *);
void studies_report(struct studies *, const struct record *, uint32_t experiment);
void studies_good(struct studies *, sim_time end, uint32_t experiment); /* a good trial is done */
void studies_close(struct studies *, const struct record *);
void studies_finish(struct studies *, sim_time end); /* of the run */
void studies_values(const struct studies *, struct metric_value *);
void studies_free(struct studies *);

#endif
