/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * story.h - why a job, or a run, went as it did: read from events.csv and manifest.json alone.
 *
 * One type a story, filled by a reader; story_*_text tells it to people, story_*_json gives the
 * same facts to machines. Foreign text is printed with '?' for what does not show.
 */
#ifndef ANALYSIS_STORY_H
#define ANALYSIS_STORY_H

#include "analysis/metrics.h"
#include "analysis/result.h"
#include "analysis/story_cluster.h"
#include "sim/text/out.h"

#define STORY_MOST_PAIRS 8u /* jobs named as pushed out, or pushing, at one instant */

struct story_run_facts { /* from manifest.json */
    const struct result *result;
    const struct tree *manifest;
    struct story_cluster cluster;
    const char *config; /* path of the configuration */
};

/* Time without GPUs: from the submission, or from when they were lost, to the next start or the
 * end. */
struct story_gap {
    sim_time since;
    sim_time paused; /* time set aside by the tuner, part of it */
    uint32_t pauses;
    uint32_t held, before;   /* at its beginning: GPUs held, and other jobs waiting */
    uint32_t started, later; /* starts of other jobs in it; of jobs submitted later */
    bool copied; /* its tuner let it take over what trial `from` had, and go on like `like` */
    uint32_t from, like;
    double metric; /* that it took over */
};

/* What its tuner heard of it, in one stretch. */
struct story_reports {
    uint32_t n, first_epoch, last_epoch, best_epoch;
    double first, last, best;
};

struct story_split { /* new shares on the same GPUs */
    sim_time at;
    struct share *share; /* as many as the stretch has */
    double rate, told;   /* as at the start */
    const char *why;
};

/* Its rates beside other jobs, where GPUs are shared. */
struct story_rates {
    uint32_t n; /* times it changed */
    double least, most, mean;
};

/* A stretch on GPUs. A job that is given other GPUs while it holds some begins another. */
struct story_stint {
    struct story_gap gap; /* before it */
    sim_time from;        /* takes GPUs */
    sim_time went_on;     /* until then it still made progress where it was before; or from */
    sim_time ready;       /* until then another's state is being saved; or went_on */
    sim_time begin;       /* progress begins, or would have begun */
    sim_time until;       /* progress ends */
    sim_time to;          /* gives the GPUs away */
    sim_time saved;       /* its state is safe; or until */
    sim_time lost;        /* progress time discarded at its end */
    enum origin origin;
    bool ran;     /* it came to progress */
    bool resized; /* it held others until then */
    struct share *share;
    uint32_t n, batch, splits;
    struct story_split *split;
    size_t cap_splits;
    struct story_rates rates;
    double rate, told; /* at the start, alone on its GPUs; without a model in nominal speeds. told:
                          NAN if nothing was predicted */
    const char *basis; /* where its step time is from; NULL: the cost model does not tell */
    const char *why;   /* NULL: nobody said */
    uint32_t freed_by; /* the last that held one of its GPUs; UINT32_MAX: nobody did */
    enum record_kind freed_how;
    sim_time freed_at;
    uint32_t pushed[STORY_MOST_PAIRS], n_pushed; /* preempted at once to make room for it */
    uint32_t beside[STORY_MOST_PAIRS], n_beside; /* that held some of them and stay */
    struct story_reports reports;
    enum record_kind ended; /* preempt, pause, resize, end, kill; finish: the run ended */
    const char *ended_why;
    uint32_t taken_by[STORY_MOST_PAIRS], n_taken; /* took its GPUs at once */
};

struct story_pair { /* another job, and how often */
    uint32_t job, times;
};

struct story_pairs {
    struct story_pair *pair;
    uint32_t n;
    size_t cap;
};

struct job_story {
    struct job_row row;             /* accounts, as in jobs.csv */
    const char *name;               /* NULL: the trace gives none */
    const char *experiment, *model; /* NULL: none, or not known */
    uint32_t epochs;                /* declared; 0: none */
    uint32_t gpus;                  /* of the cluster */
    bool lower_is_better;
    struct story_stint *stint;
    uint32_t n;
    size_t cap;
    struct story_gap last_gap; /* after the last stint; since SIM_NEVER: it ended on GPUs */
    const char *end_why;       /* reject, or why its experiment closed; NULL */
    struct story_pairs pushed_by, pushed;
};

/* Facts of a run in a folder. false: reported. Good as long as the arena. */
bool story_facts(struct arena *, struct diag *, const struct result *, struct story_run_facts *);

/* job: a number, or a name of the trace. false: reported. Good as long as the arena; then _free. */
bool story_job(struct arena *, struct diag *, const struct story_run_facts *, const char *job,
               struct job_story *);
void story_job_free(struct job_story *);
void story_job_text(struct out *, const struct story_run_facts *, const struct job_story *);
void story_job_json(struct out *, const struct story_run_facts *, const struct job_story *);

/* ---- of a run ---- */

#define STORY_TOP   10u /* jobs in a list */
#define STORY_KINDS 64u /* kinds of decisions that are told apart */

struct story_decision {
    enum record_kind act;
    const char *why; /* numbers as #; NULL: nobody said */
    uint64_t times;
};

/* GPU time without progress, by cause: a set-up by where its state came from, on each GPU once the
 * former owner's state is saved; saves; progress that was discarded; replicas of jobs that were
 * given other GPUs. */
enum story_cost { COST_SETUP, COST_SAVE = ORIGINS, COST_LOST, COST_REPLICA, COSTS };
extern const char *const story_cost_name[COSTS];

struct story_move {        /* relocations of a kind */
    const char *from, *to; /* GPU types */
    const char *off, *why; /* it was taken off, and placed; as of decisions, "": nobody said */
    uint64_t times;
};

struct story_push { /* a job that took GPUs in the instant in which another was preempted there */
    uint32_t job, pushed;
    uint32_t times;
};

struct story_acts {
    struct {
        uint64_t times; /* stretches that have some of it */
        sim_area time;
    } cost[COSTS];
    struct story_move move[STORY_KINDS]; /* the most frequent first; the last: all further kinds */
    uint32_t n_moves;
    struct story_push push[STORY_TOP]; /* the most frequent first */
    uint32_t n_pushes;
    uint64_t pushes, pairs; /* all of them; different ones */
};

struct story_study { /* an experiment */
    const char *name;
    uint32_t trials, good, good_done;
    bool lower_is_better;
    sim_time begin, closed; /* closed SIM_NEVER: it did not */
    const char *closed_why;
    double best; /* NAN: no report */
    uint32_t best_trial, best_job, best_epoch;
    sim_time best_at;
};

struct run_story {
    struct metric_value value[METRICS];
    const char *ended;
    struct job_row longest_wait[STORY_TOP], most_preempted[STORY_TOP];
    struct job_row slowest[STORY_TOP]; /* by slowdown against completion alone: shared clusters */
    uint32_t n_waits, n_preempted, n_slowest;
    struct story_decision decision[STORY_KINDS]; /* the last: all further kinds */
    uint32_t n_decisions;
    struct story_acts acts;
    struct story_study *study;
    uint32_t n_studies;
    size_t cap_studies;
};

bool story_run(struct arena *, struct diag *, const struct story_run_facts *, struct run_story *);
void story_run_free(struct run_story *);
void story_run_text(struct out *, const struct story_run_facts *, const struct run_story *);
void story_run_json(struct out *, const struct story_run_facts *, const struct run_story *);

#endif
