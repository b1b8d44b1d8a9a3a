/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step_plan.h - the step time of a DL model on a calibrated GPU: kernel by kernel.
 *
 * A plan is made once for (model, GPU, setting); asking it for a batch is a sum of
 * max(floor, alpha + beta * samples) over its kernels (docs/calibration.md, eq. C3), some
 * nanoseconds a kernel.
 */
#ifndef SIM_STEP_PLAN_H
#define SIM_STEP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model/gpu_cost.h"
#include "sim/model/operators.h"

/* Where the time of a step goes. */
enum step_part {
    PART_CONV,
    PART_PRODUCT,     /* linear layers, attention */
    PART_NORM,        /* batch and layer norm, softmax */
    PART_ELEMENTWISE, /* activations, sums, pools, copies, embeddings */
    PART_LAYOUT,      /* transposes around tensor-core convolutions, casts of weights */
    PART_OPTIMIZER,
    STEP_PARTS
};
extern const char *const step_part_names[STEP_PARTS + 1];

struct step_setting {
    enum precision precision;
    bool training;   /* false: forward pass only */
    bool optimizer;  /* the weights are updated */
    bool transposes; /* tensor-core convolutions of a stack whose tensors are NCHW */
};

struct step_kernel {
    double alpha, beta, floor; /* s, s a sample, s */
    double count;
    double work_0, work_1; /* FLOP or bytes: fixed, a sample */
    const struct op_fit *fit;
    enum step_part part;
};

struct step_plan {
    struct step_kernel *kernel;
    uint32_t n;
    double launches;    /* of kernels, in a step */
    double input_bytes; /* a sample, from the host */
    double parameter_bytes;
    const char *missing; /* a class that the GPU has no fit of; NULL: complete */
};

/* Good as long as the arena and what it is made from. */
struct step_plan *step_plan_make(struct arena *, const struct op_list *, const struct gpu_cost *,
                                 const struct step_setting *);

/* What a batch takes on the GPU, s, and of what quality that is. */
struct step_guess {
    double gpu, part[STEP_PARTS];
    double sigma;        /* relative spread of the sum, from the fits' residuals */
    double extrapolated; /* share of the time in kernels larger or smaller than any measured */
    double carried;      /* share in kernels whose fit is carried over from another GPU */
};
void step_plan_guess(const struct step_plan *, double samples, struct step_guess *);
double step_plan_gpu(const struct step_plan *, double samples); /* its sum alone */

#endif
