/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.h - what happened, once, in order: all that metrics, plots and reports are made from.
 *
 * Records are handed to sinks the moment they happen and are gone afterwards. docs/formats.md has
 * them as the rows of events.csv, which holds all of a record but the slot of its job.
 */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "sim/model/world.h"

enum record_kind {
    REC_BEGIN,   /* the run begins: n GPUs */
    REC_OPEN,    /* an experiment begins */
    REC_ARRIVE,  /* a job is submitted */
    REC_START,   /* it takes GPUs */
    REC_RUN,     /* its set-up is over, if that took time */
    REC_REPORT,  /* a trial's metric at the end of an epoch */
    REC_SPLIT,   /* new batch shares */
    REC_PREEMPT, /* the policy takes its GPUs away */
    REC_PAUSE,   /* its tuner sets it aside; if it ran, like a preemption */
    REC_PROMOTE, /* its tuner lets it wait again */
    REC_END,     /* all its work is done */
    REC_KILL,    /* ended by its tuner or with its experiment */
    REC_REJECT,  /* turned away by the policy */
    REC_REFUSE,  /* an act of the policy that was not possible */
    REC_CLOSE,   /* an experiment's end rule is met */
    REC_FINISH,  /* the run is over; why: how it ended */
    REC_RESIZE,  /* other GPUs */
    REC_ALONE,   /* shared clusters, before a first start: what all its work takes alone */
    REC_RATE,    /* shared clusters: it goes on at another rate */
    REC_LOAD,    /* shared clusters: what a GPU did up to now */
    REC_COPY,    /* a paused trial takes over the checkpoint of another one */
    REC_KINDS
};

/* How a start came by its state. */
enum origin {
    FROM_NEW,        /* first start */
    FROM_HERE,       /* resumed on the node where its state lies */
    FROM_MOVED,      /* its state came from another node: a relocation */
    FROM_DISK,       /* read from storage on the node of its last run */
    FROM_DISK_MOVED, /* read from storage on another node: a relocation too */
    FROM_NOTHING,    /* no state was kept: started anew */
    ORIGINS
};

struct record {
    sim_time t;
    enum record_kind kind;
    enum origin origin; /* start */
    job_id job;         /* NO_JOB: begin, open, close, load, finish */
    uint32_t n; /* begin: all GPUs; arrive: GPUs wanted; open: trials; copy: the trial it is of;
                   else GPUs held, or left now */
    uint32_t experiment, trial; /* open, close, arrive; NO_EXPERIMENT */
    uint32_t epoch; /* report: which; arrive: declared; open: good trials in all; copy: where it
                       goes on in the curve it follows */
    bool good;      /* arrive: a good trial; open: better metrics are lower */
    const struct share *share; /* of the n GPUs held or left now; load: a GPU, and how many jobs run
                                  on it; NULL: none, or a report or rate */
    sim_time run;   /* start, resize: when progress begins; preempt, pause: until when it went on;
                       alone: how long; load: since when; open: its deadline, 0: none */
    sim_time ready; /* preempt, pause: when its GPUs are ready for others; copy: when it can be
                       read */
    sim_time lost;  /* preempt: running time whose progress is discarded */
    double value;   /* report: metric; arrive of a trial: the one before training; copy: the one
                       taken over; start, split, resize: true rate alone; rate: true rate; open:
                       target; load: part of the time with a job computing; NAN */
    double told; /* start, split, resize: predicted rate; NAN without a model; open: the best last
                    metric of its recordings; copy: the trial whose curve it follows; load:
                    exclusive seconds done a second / the most that could be done */
    const char *name; /* arrive: the trace's name of it; open: the experiment's; start, split,
                         resize: where its step time is from (world_basis()); NULL */
    const char *why;  /* NULL: nobody asked for it */
};

/* Takes records. wants_why: policies' reasons are formatted only if a sink asks for them. */
struct sink {
    void (*take)(struct sink *, const struct record *);
    bool wants_why;
};

extern const char *const record_name[REC_KINDS]; /* as events.csv writes them */
extern const char *const origin_name[ORIGINS];

/* One step of the digest over all records: equal digests mean equal histories. */
uint64_t record_digest(uint64_t h, const struct record *);

#endif
