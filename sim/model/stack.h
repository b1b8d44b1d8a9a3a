/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack.h - software stacks: what a framework and its host add to the kernels of a step.
 *
 *   t = max(factor * kernels, host * launches) + gap * launches + transfer (docs/calibration.md,
 * C4)
 *
 * A stack is fitted on one type of GPU and then taken to be the same on all of them.
 */
#ifndef SIM_STACK_H
#define SIM_STACK_H

#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/field.h"

struct stack {
    const char *name;
    const char *covers; /* names of measuring parties with this stack, set apart by blanks */
    const char *models; /* that this row is of, set apart by blanks; "": all */
    const char *like;   /* the stack whose factor and gap it has; "": its own */
    int precision;      /* enum precision */
    double factor;      /* of the kernels' time */
    double host, gap;   /* s a kernel launch: beside the GPU's work; in which it stands still */
    bool transposes;    /* NCHW tensors: tensor-core convolutions are wrapped in transposes */
    bool optimizer;     /* a step updates the weights */
    const char *host_parameters; /* models whose weights lie in host memory, set apart by blanks:
                                    they come and their gradients go in every step */
    double sigma;                /* relative spread around the factor */
    int64_t points;              /* it was fitted to; 0: by other stacks */
};
extern const struct field stack_fields[];

struct stack_table {
    const struct stack *row;
    uint32_t n;
};

bool stacks_load(struct arena *, struct diag *, const char *path, struct stack_table *);

/*
 * The row of a stack or of a party that it covers, for a model in a precision; else, *known false,
 * the row `default` in it. NULL: there is neither. TF32 goes by the rows of fp32, bf16 by those of
 * fp16.
 */
const struct stack *stack_find(const struct stack_table *, const char *name, const char *model,
                               int precision, bool *known);

/* Whether a word is in a text of words set apart by blanks. */
bool stack_word(const char *words, const char *word);

#endif
