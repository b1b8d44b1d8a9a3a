/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step_model.h - what is asked of calibrations: the time of a step, with its interval and parts.
 *
 * A library of calibrations, lists of operators and stacks, each read when it is first asked for.
 */
#ifndef SIM_STEP_MODEL_H
#define SIM_STEP_MODEL_H

#include "sim/model/stack.h"
#include "sim/model/step_plan.h"

struct step_library;

/* folders: configs/costs/gpus, configs/models; stacks: a file. Good as long as the arena; NULL:
 * reported. */
struct step_library *step_library_open(struct arena *, struct diag *, const char *gpus,
                                       const char *models, const char *stacks);
/* The same with stacks that are in memory. */
struct step_library *step_library_with(struct arena *, const char *gpus, const char *models,
                                       const struct stack_table *);

struct step_question {
    const char *model, *gpu;
    const char *stack; /* NULL: the default one */
    double samples;    /* on each GPU */
    int gpus;          /* of one node */
    enum precision precision;
    bool inference;
};

struct step_answer {
    const struct stack *stack;
    bool stack_known;        /* else the default one stands for it */
    double s, low, high;     /* s; 80 % of steps are to be expected between low and high */
    struct step_guess guess; /* of the kernels, before the stack's factor */
    double kernels;          /* s on the GPU */
    double host;             /* s that the host takes for launches beside that */
    double gap, transfer, sync;
    double launches;
    double memory;   /* bytes of GPU memory */
    double capacity; /* bytes the GPU has; NAN: not known */
};

/* false: reported at the mark (an unknown model or GPU, a class that was not calibrated). */
bool step_answer(struct step_library *, struct diag *, struct mark at, const struct step_question *,
                 struct step_answer *out);

/* Parts of the library, read when they are first wanted; NULL: reported. */
const struct gpu_cost *step_library_gpu(struct step_library *, struct diag *, struct mark at,
                                        const char *name);
const struct op_list *step_library_model(struct step_library *, struct diag *, struct mark at,
                                         const char *name);
const struct step_plan *step_library_plan(struct step_library *, struct diag *, struct mark at,
                                          const char *model, const char *gpu,
                                          const struct step_setting *);

/* The part of a step that an all-reduce adds to overlaps with computing (eq. 3's exponent): the
 * median of the measurements that traces/sync_fits.csv is fitted to. */
#define STEP_OVERLAP 1.75

/* Seconds of an all-reduce of so many bytes over GPUs of one node (eq. C5); 0 for one GPU. */
double step_all_reduce(const struct gpu_cost *, double bytes, int gpus);

#endif
