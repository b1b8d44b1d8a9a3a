/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metrics_state.h - what metrics.c tallies and metric_values.c reads; nobody else's. */
#ifndef ANALYSIS_METRICS_STATE_H
#define ANALYSIS_METRICS_STATE_H

#include "analysis/dist.h"
#include "analysis/metrics.h"
#include "analysis/studies.h"

enum phase { GONE, WAITING, SETUP, RUNNING, PAUSED, PHASES };

/* What is known of a living job, by slot. What every job needs stands first. */
struct tally {
    enum phase phase;
    uint32_t gpus, held_gpus, starts, experiment; /* wanted; held, or held last */
    sim_time since; /* when the phase began; running: until when progress is counted */
    sim_time submit, first_start, run, setup;
    char *name;

    sim_time alone; /* shared clusters: what all its work takes alone */
    sim_time lost;
    sim_time landing;   /* until when it went on after it was taken off */
    sim_time fell;      /* how much of that stretch was lost */
    uint32_t left_gpus; /* that it held there */
    sim_time *free;     /* set-up that waits for saves: when each GPU's is over; else NULL */
    double metric;
    uint32_t number, trial, preemptions, relocations, epochs, splits, resizes;
    bool good;
};

struct metrics {
    struct sink sink;
    struct metrics_hooks hooks;
    struct tally **chunk;
    uint32_t n_chunks;
    size_t cap_chunks;

    sim_time now, first, last_end;
    uint32_t gpus, count[PHASES], held, running_gpus;
    bool changed;
    sim_time *ready; /* by GPU: until when a former owner's state is being saved */
    sim_time latest_ready;
    uint32_t n_ready;

    uint64_t n_jobs, n_done, n_killed, n_rejected, n_alive;
    uint64_t n_starts, n_preempts, n_moves, n_refusals, n_told;
    struct dist jct, wait;
    double slowdown_sum, slowdown_max, told_sum, told_max;
    sim_area useful, lost, setup, save, held_area;
    sim_time held_since;
    /* Shared clusters, told by what only they record: */
    bool shared;
    uint64_t n_splits, n_resizes;
    double active, work; /* GPU nanoseconds with a job computing; of full work */
    struct {             /* slowdowns against completion alone */
        uint64_t n;
        double max, mean, squares; /* squares: sum of squared deviations from the mean */
    } alone;
    struct studies studies;
    uint64_t digest;
    char ended[16];
};

/* The part of a set-up in which the job does not finish its last step elsewhere. */
static inline sim_time own_setup(const struct tally *t, sim_time now)
{
    sim_time from = t->landing > t->since ? t->landing : t->since;

    return now > from ? now - from : 0;
}

/* metric_gpus.c */
/* GPU time in which a job sets up on its GPUs: on each, once its last owner's state is saved. */
sim_area metric_setup_area(const struct tally *, const struct record *);
/* The same of a save: a job whose replicas are still copied has none on a GPU that is not free. */
sim_area metric_save_area(const struct tally *, const struct record *);
void metric_note_ready(struct metrics *, const struct record *); /* a leaver's state is saved */
/* It has taken GPUs. */
void metric_keep_free(struct metrics *, struct tally *, const struct record *);
void metric_load(struct metrics *, const struct record *);
void metric_alone(struct metrics *, const struct job_row *); /* of a job that is gone */

#endif
