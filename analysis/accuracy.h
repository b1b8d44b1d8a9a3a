/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accuracy.h - the step model held against measured steps, by a split that is fixed in a file.
 *
 * The split names the measurements, the types of GPU whose steps may be fitted, the stacks, and the
 * groups that are reported. Stack factors are fitted on those types of GPU alone.
 */
#ifndef ANALYSIS_ACCURACY_H
#define ANALYSIS_ACCURACY_H

#include "sim/model/step_model.h"
#include "sim/text/out.h"
#include "sim/text/tree.h"

/* A measured step, and what is predicted for it. */
struct accuracy_point {
    const char *model, *gpu, *stack; /* as measured */
    const char *form;                /* the calibration that stands for the GPU */
    double samples, measured;        /* s */
    int precision, group;
    bool inference, fitted; /* fitted: on a type of GPU that stacks are fitted on */
    bool saturated; /* its samples/s are near the best of its series: the GPU, not the host, is what
                       is measured */
    struct mark at;
    struct step_answer answer;
};

struct accuracy_group {
    const char *name, *models, *precisions;
};

struct accuracy {
    const char *gpus, *models; /* folders */
    const char *fit_gpus;      /* words */
    struct stack *stack;       /* the last ones are made: what is not listed */
    const struct stack *given; /* as they were before the first fit */
    uint32_t n_stacks;
    struct accuracy_group *group;
    uint32_t n_groups;
    struct accuracy_point *point; /* of some group, on a calibrated GPU; as in the files */
    uint32_t n_points;
    uint32_t passed_over; /* rows of no group */
    double host;          /* s an operator on a host, as measured: for stacks without a fit of it */
    struct step_library *library;
    struct tree *sharing; /* files of jobs that share GPUs, see accuracy_sharing.h; NULL: none */
};

/* Reads the split and the measurements, fits the stacks, predicts all. NULL: reported. */
struct accuracy *accuracy_run(struct arena *, struct diag *, const char *path);

/* Fits the stacks on the points that are not of a type of GPU (NULL: on the split's types). */
bool accuracy_fit(struct arena *, struct diag *, struct accuracy *, const char *without);
bool accuracy_predict(struct diag *, struct accuracy *);

void accuracy_print(struct out *, struct arena *, const struct accuracy *);
/* Each type of GPU with stacks that were fitted on all others; the fit of the split is made again.
 */
bool accuracy_leave_out(struct out *, struct arena *, struct diag *, struct accuracy *);
/* Two types of GPU, in the order of their names: the same model and batch in the same software. */
struct accuracy_ratio {
    const struct accuracy_point *a, *b;
};
size_t accuracy_ratio_list(const struct accuracy *,
                           struct accuracy_ratio *out); /* NULL: counts them */
/* Ratios of their step times. */
void accuracy_ratios(struct out *, struct arena *, const struct accuracy *);
void accuracy_write_points(struct out *, const struct accuracy *); /* CSV */
void accuracy_write_stacks(struct out *, const struct accuracy *); /* YAML */

/* Pictures accuracy, accuracy_error and accuracy_ratios into r->out. */
struct plot_request;
bool accuracy_plot(struct arena *, struct diag *, const struct plot_request *r,
                   const struct accuracy *);

/* Errors of some points. */
struct accuracy_tally {
    uint32_t n, inside; /* inside: within the 80 % interval */
    double sum, bias, worst;
    const struct accuracy_point *at_worst;
};
void accuracy_count(struct accuracy_tally *, const struct accuracy_point *);
void accuracy_put_tally(struct out *, const char *what, const struct accuracy_tally *);

static inline double accuracy_error(const struct accuracy_point *p)
{
    return p->answer.s / p->measured - 1;
}

#endif
