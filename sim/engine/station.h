/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * station.h - GPUs on which replicas compute at the same time, in exact whole numbers.
 *
 * Work is counted in units of 2^-32 ns of a replica that has its GPU alone. A replica that computes
 * beside others gets a whole number of units each nanosecond, and is done at the first whole
 * nanosecond at which all its units are. Nothing is rounded in between: it makes no difference when
 * a station is looked at. All calls come in order of time.
 */
#ifndef SIM_STATION_H
#define SIM_STATION_H

#include "sim/model/world.h"

#define STATION_NS ((uint64_t)1 << 32) /* units that a replica alone does in a nanosecond */

struct stations;

/* Whose replica it is: `part` is the caller's. */
struct replica_id {
    job_id job;
    uint32_t part;
};

struct stations *stations_new(const struct world *);
void stations_free(struct stations *);

/* A replica of so many units, more than 0, begins. A job has one at a time on a GPU. */
void station_arrive(struct stations *, gpu_id, struct replica_id, uint32_t model, sim_area work,
                    sim_time now);
/* The job's replica goes, done or not. */
void station_leave(struct stations *, gpu_id, job_id, sim_time now);
/* The units it still has to do. */
sim_area station_left(struct stations *, gpu_id, job_id, sim_time now);
/* When it would be done if nobody came and nobody went. */
sim_time station_done_at(struct stations *, gpu_id, job_id, sim_time now);

/* When the next replica of all is done; SIM_NEVER: there is none. */
sim_time stations_next(const struct stations *);
/* Takes one away that is done by now: false: there is none. In order of GPUs. */
bool stations_take(struct stations *, sim_time now, struct replica_id *);

/* What a GPU did since the last call: the time with a replica that computes, and units done. */
struct station_account {
    sim_time busy;
    sim_area work;
};
struct station_account station_account(struct stations *, gpu_id, sim_time now);

#endif
