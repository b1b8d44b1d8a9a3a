/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * world.h - what does not change during a run: hardware, DL models, costs, experiments.
 *
 * Read from a configuration, checked, then frozen; a world may be shared by engines. All of it
 * lives in one arena.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model/contention.h"
#include "sim/model/cost.h"
#include "sim/model/curve.h"
#include "sim/types.h"

#define GIB 1073741824.0

struct tuner;

struct gpu_type {
    const char *name;
    double memory;        /* bytes; 0: not known, every placement fits */
    uint32_t gpus, large; /* in the cluster; of its largest node */
    double input_rate;    /* of the node that feeds fastest; 0: without limit */
    double eta;           /* what sharing gains on it, eq. 19 */
    double host;          /* bytes/s to and from host memory; 0: as the overheads say */
    sim_time context;     /* to make a CUDA context, on top of start and restore */
};

struct node {
    type_id type;
    gpu_id first;       /* its GPUs are first .. first+gpus-1 */
    uint32_t gpus;      /* 1 .. 64 */
    double host_memory; /* bytes for suspended states; 0: without limit */
    double input_rate;  /* samples/s its loader feeds to all its GPUs; 0: without limit */
};

struct gpu {
    node_id node;
    double speed; /* individual factor v_j, 1 = nominal */
};

struct model {
    const char *name;
    double parameters;
    int64_t optimizer_slots; /* copies of the parameters the optimiser keeps */
    int64_t samples_per_epoch;
    int64_t batch;                          /* customary; a predictor's reference */
    double memory_fixed, memory_per_sample; /* bytes on a GPU; 0: not known */
};

/* What moving a job costs (eq. 18; defaults: configs/costs). All seconds and bytes a second; 0:
 * free. */
struct overheads {
    sim_time start;                              /* first start: container, context, graph */
    sim_time save, restore;                      /* c_s, c_r: fixed parts */
    sim_time image;                              /* start of the container on another node */
    sim_time replica;                            /* c_new: a replica on a further GPU */
    double host, network, disk_write, disk_read; /* bytes/s */
};

enum preempt_at { PREEMPT_NOW, PREEMPT_STEP, PREEMPT_EPOCH };
enum preempt_keeps { KEEP_STATE, KEEP_CHECKPOINT };
enum suspend_to { SUSPEND_HOST, SUSPEND_STORAGE };
enum fidelity { FIDELITY_FLUID, FIDELITY_STEP };
enum alone { ALONE_SAME_SPLIT, ALONE_BEST_SPLIT };

struct trial_spec {
    uint32_t curve; /* row of the experiment's curves */
    uint32_t model, batch;
    bool good; /* eq. 8, judged on the recording's last epoch */
};

enum end_rule { END_ALL_DONE, END_FIRST_GOOD, END_ALL_GOOD, END_TARGET };

struct experiment {
    const char *name;
    sim_time submit;
    uint32_t gpus; /* of each trial */
    const struct curves *curves;
    uint32_t n_trials;
    struct trial_spec *trial;
    enum end_rule end;
    double target;     /* metric; NAN: none */
    double weight;     /* of its claim on the cluster */
    sim_time deadline; /* after submit: what is alive then is killed; 0: none */
    sim_area budget;   /* GPU nanoseconds that its trials may hold; 0: without limit */
    const struct tuner *tuner;
    void *tuner_params; /* filled; copied into the tuner's state */
};

struct world {
    uint32_t n_types, n_nodes, n_gpus, n_models, n_experiments;
    struct gpu_type *type;
    struct node *node;
    struct gpu *gpu;
    struct model *model;
    struct experiment *experiment;
    const struct cost_model *cost;
    void *cost_self;
    struct overheads overheads;
    uint32_t residents;                  /* jobs that a GPU holds at most; 1: GPUs are not shared */
    const struct contention *contention; /* NULL: GPUs are not shared */
    void *contention_self;
    bool by_duty;    /* fluid rates by the plain eq. 21 */
    uint32_t rounds; /* bound on those of the fluid rates; 0: FLUID_ROUNDS */
    uint8_t *tried;  /* by model: trials or drawn jobs are of it; NULL: worlds without a file */
    enum fidelity fidelity;
    enum alone alone;   /* the split of completion alone */
    double step_jitter; /* fidelity step: sigma of the log-normal factor on each step, eq. 4 */
    enum preempt_at preempt_at;
    enum preempt_keeps keeps;
    enum suspend_to suspend_to;
    bool nominal;       /* all GPUs have speed 1 */
    bool fed;           /* some node has an input rate */
    double jitter;      /* sigma of the log-normal factor on a job's step time, eq. 4 */
    double shake;       /* greatest relative change of a trace's gaps and durations */
    bool random_ties;   /* jobs of one instant come in random order */
    uint64_t ties_seed; /* 1 more than their own seed; 0: the world's */
    uint64_t seed;
};

/* One job as it is submitted. */
struct job_spec {
    sim_time submit;
    int64_t work; /* steps; without a model: nominal nanoseconds */
    uint32_t gpus, model;
    uint32_t experiment, trial; /* NO_EXPERIMENT: trial is the row of the trace */
    uint32_t batch, epochs;
    uint64_t asked;    /* bit g: its owner wants it on GPU g; 0: anywhere */
    int64_t per_epoch; /* steps of an epoch; 0: the job has no epochs */
    const char *name;  /* as the trace calls it; NULL: it has no name. Good until the next job */
};

/* Counts what GPU types have from the nodes; to be called once the nodes are there, and again after
 * a change of them. */
void world_count(struct world *);

/* The spec of a trial, submitted now. */
struct job_spec world_trial(const struct world *, uint32_t experiment, uint32_t trial,
                            sim_time now);

/* Bytes of a job's state: parameters and optimiser (eq. 18); 0 without a model. */
double world_state_bytes(const struct world *, uint32_t model);

/* Names a job for random streams: the same whatever the schedule. */
static inline uint64_t world_job_key(const struct job_spec *s)
{
    return (uint64_t)s->experiment << 32 | s->trial;
}

/* A factor on all step times of a job, the same whatever the policy (mean 1, eq. 4). */
double world_jitter(const struct world *, const struct job_spec *);

/* Bytes a second between a node's GPUs and its host memory; 0: takes no time. */
double world_host_rate(const struct world *, node_id);
/* The longest time that making CUDA contexts takes on the GPUs of a placement. */
sim_time world_context(const struct world *, const struct placement *);

/* Where the step time of a placement is from, the worst over its GPUs (enum step_basis): a word, or
 * NULL: the cost model does not tell. */
const char *world_basis(const struct world *, uint32_t model, const struct placement *);

/*
 * Steps a second (without a model: nominal seconds a second) of a job on a placement, by eq. 1, 3,
 * 4: slowest share, synchronisation, input. 0: the cost model knows no step time there.
 */
double world_any_rate(const struct world *, const struct job_spec *, double jitter,
                      const struct placement *);

static inline double world_rate(const struct world *w, const struct job_spec *s, double jitter,
                                const struct placement *p)
{
    return w->nominal && s->model == NO_MODEL ? 1 : world_any_rate(w, s, jitter, p);
}

/* The same on nominal GPUs of one type on as few nodes as may hold them, with even shares; 0: it
 * cannot. */
double world_type_rate(const struct world *, const struct job_spec *, double jitter, type_id);

/* What a replica of a step costs on this GPU: its speed is in it, the jitter of the job is not. On
 * a GPU that is cut into slices, on a slice. */
struct step_parts world_step(const struct world *, uint32_t model, gpu_id, double samples);
/* The same on a nominal GPU of a type. */
struct step_parts world_type_step(const struct world *, uint32_t model, type_id, double samples);
/* Seconds of a step when the slowest replica takes `compute` and the longest gap is `gap`:
 * synchronisation and input of a placement (eq. 3, 4), without jitter. */
double world_step_end(const struct world *, uint32_t model, const struct placement *,
                      double compute, double gap);

/* Whether a job whose shares are even can run on some GPU type: else it would wait for ever. */
bool world_can_run(const struct world *, const struct job_spec *);

/* Bytes that a replica with so many samples needs, whole ones, so that sums of them are exact; 0:
 * not known, it fits everywhere. */
double world_replica_bytes(const struct world *, uint32_t model, double samples);
/* Bytes that jobs may use of a GPU of a type, and one of them at most; INFINITY: not known. */
double world_gpu_bytes(const struct world *, type_id);
double world_resident_bytes(const struct world *, type_id);

/* The most samples of a batch for which a GPU of a type has the memory. */
uint32_t world_most_samples(const struct world *, uint32_t model, type_id, uint32_t batch);

/* Whether a placement fits the memory of each of its GPUs. */
bool world_fits(const struct world *, uint32_t model, const struct placement *);
/* Whether so many samples can run on a GPU that a job asks for; false: reported, as of a key. */
bool world_asked_runs(const struct world *, struct diag *, struct mark, const char *key,
                      uint32_t model, gpu_id, uint32_t samples);
/* Whether the even shares of a job fit the memory of a GPU type. */
bool world_type_fits(const struct world *, const struct job_spec *, type_id);

#endif
