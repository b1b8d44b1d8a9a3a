/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What operators there are: their keys, and what each counts. */
#include "sim/model/operators.h"

#include <math.h>
#include <stddef.h>

#define MOST 1e9 /* of one size */

#define SIZE(field, about)                                                                         \
    {                                                                                              \
        FIELD_REAL, #field, offsetof(struct op, field), NULL, 1, MOST, NULL, about                 \
    }
#define COUNT(field, about)                                                                        \
    {                                                                                              \
        FIELD_REAL, #field, offsetof(struct op, field), "1", 1, MOST, NULL, about                  \
    }
#define FLAG(field, about)                                                                         \
    {                                                                                              \
        FIELD_BOOL, #field, offsetof(struct op, field), "false", 0, 0, NULL, about                 \
    }
#define COMMON                                                                                     \
    COUNT(times, "equal operators, each with its own parameters"),                                 \
        FLAG(training, "runs in training only"),                                                   \
        FLAG(branch, "an operator further above keeps the input"),                                 \
    {                                                                                              \
        .type = FIELD_END                                                                          \
    }

static const struct field conv_fields[] = {
    SIZE(in, "channels of the input"),
    SIZE(out, "channels of the result"),
    COUNT(stride, "of the kernel"),
    SIZE(height, "of the input"),
    SIZE(width, "of the input"),
    COUNT(groups, "of channels"),
    FLAG(bias, "a parameter more a channel of the result"),
    FLAG(first, "the input needs no gradient"),
    COMMON,
};
static const struct field linear_fields[] = {
    SIZE(rows, "vectors: 1, or tokens"),
    SIZE(in, "features of a vector"),
    SIZE(out, "features of the result"),
    COUNT(steps, "runs one behind another with the same parameters"),
    FLAG(bias, "a parameter more a feature of the result"),
    FLAG(shared, "the matrix is another operator's"),
    COMMON,
};
static const struct field matmul_fields[] = {
    SIZE(batch, "products"),
    SIZE(m, "rows of the first matrix"),
    SIZE(n, "columns of the second matrix"),
    SIZE(k, "columns of the first, rows of the second"),
    COMMON,
};
static const struct field image_fields[] = {
    SIZE(channels, "of the input"),
    SIZE(height, "of the input"),
    SIZE(width, "of the input"),
    COMMON,
};
static const struct field pool_fields[] = {
    SIZE(channels, "of the input"),
    COUNT(stride, "of the kernel"),
    SIZE(height, "of the input"),
    SIZE(width, "of the input"),
    COMMON,
};
static const struct field row_fields[] = {
    SIZE(rows, "vectors"),
    SIZE(width, "elements of a vector"),
    COMMON,
};
static const struct field embedding_fields[] = {
    SIZE(rows, "tokens"),
    SIZE(width, "elements of a vector"),
    SIZE(vocabulary, "vectors there are"),
    FLAG(shared, "the matrix is another operator's"),
    COMMON,
};
static const struct field cell_fields[] = {
    SIZE(width, "elements of the state"),
    COUNT(steps, "runs one behind another"),
    COMMON,
};
static const struct field each_fields[] = {
    SIZE(elements, "of the result"),
    COMMON,
};

/* ---- counts of each kind ---- */

void operator_window(const struct op *o, double *height, double *width)
{
    *height = floor((o->height + 2 * o->pad_h - o->kernel_h) / o->stride) + 1;
    *width = floor((o->width + 2 * o->pad_w - o->kernel_w) / o->stride) + 1;
}

static double window(const struct op *o)
{
    double height, width;

    operator_window(o, &height, &width);
    return height * width;
}

static double none(const struct op *o)
{
    (void)o;
    return 0;
}

static double conv_weights(const struct op *o)
{
    return o->in / o->groups * o->out * o->kernel_h * o->kernel_w;
}

static double conv_parameters(const struct op *o)
{
    return conv_weights(o) + (o->bias ? o->out : 0);
}

static double conv_macs(const struct op *o)
{
    return conv_weights(o) * window(o);
}

static double conv_in(const struct op *o)
{
    return o->in * o->height * o->width;
}

static double conv_out(const struct op *o)
{
    return o->out * window(o);
}

static double linear_parameters(const struct op *o)
{
    return (o->shared ? 0 : o->in * o->out) + (o->bias ? o->out : 0);
}

static double linear_macs(const struct op *o)
{
    return o->rows * o->in * o->out;
}

static double linear_in(const struct op *o)
{
    return o->rows * o->in;
}

static double linear_out(const struct op *o)
{
    return o->rows * o->out;
}

static double matmul_macs(const struct op *o)
{
    return o->batch * o->m * o->n * o->k;
}

static double matmul_in(const struct op *o)
{
    return o->batch * o->k * (o->m + o->n);
}

static double matmul_out(const struct op *o)
{
    return o->batch * o->m * o->n;
}

static double image_parameters(const struct op *o)
{
    return 2 * o->channels;
}

static double image_size(const struct op *o)
{
    return o->channels * o->height * o->width;
}

static double pool_out(const struct op *o)
{
    return o->channels * window(o);
}

static double row_parameters(const struct op *o)
{
    return 2 * o->width;
}

static double row_size(const struct op *o)
{
    return o->rows * o->width;
}

static double embedding_parameters(const struct op *o)
{
    return o->shared ? 0 : o->vocabulary * o->width;
}

/* Four gates of either product and the state; the state and what is shown of it. */
static double cell_in(const struct op *o)
{
    return 9 * o->width;
}

static double cell_out(const struct op *o)
{
    return 2 * o->width;
}

static double each(const struct op *o)
{
    return o->elements;
}

static double each_two(const struct op *o)
{
    return 2 * o->elements;
}

/* ---- the table ---- */

typedef double op_count(const struct op *);

/* What a backward pass needs: the input, the result, and more a byte of the result's elements (the
 * mask of a dropout, indices of maxima, the four gates of a cell and its state's tanh). */
struct op_type {
    const char *name;
    const struct field *fields;
    bool windowed; /* kernel and pad */
    bool keeps_in, keeps_out;
    double more;
    op_count *parameters, *macs, *in, *out;
};

static const struct op_type types[OP_KINDS] = {
    [OP_CONV] = {"conv", conv_fields, true, true, false, 0, conv_parameters, conv_macs, conv_in,
                 conv_out},
    [OP_LINEAR] = {"linear", linear_fields, false, true, false, 0, linear_parameters, linear_macs,
                   linear_in, linear_out},
    [OP_MATMUL] = {"matmul", matmul_fields, false, true, false, 0, none, matmul_macs, matmul_in,
                   matmul_out},
    [OP_BATCH_NORM] = {"batch_norm", image_fields, false, true, false, 0, image_parameters, none,
                       image_size, image_size},
    [OP_LAYER_NORM] = {"layer_norm", row_fields, false, true, false, 0, row_parameters, none,
                       row_size, row_size},
    [OP_SOFTMAX] = {"softmax", row_fields, false, false, true, 0, none, none, row_size, row_size},
    [OP_CROSS_ENTROPY] = {"cross_entropy", row_fields, false, false, true, 0, none, none, row_size,
                          row_size},
    [OP_MAX_POOL] = {"max_pool", pool_fields, true, true, false, 8, none, none, image_size,
                     pool_out},
    [OP_AVG_POOL] = {"avg_pool", pool_fields, true, true, false, 0, none, none, image_size,
                     pool_out},
    [OP_EMBEDDING] = {"embedding", embedding_fields, false, false, false, 0, embedding_parameters,
                      none, row_size, row_size},
    [OP_LSTM_CELL] = {"lstm_cell", cell_fields, false, false, true, 10, none, none, cell_in,
                      cell_out},
    [OP_RELU] = {"relu", each_fields, false, false, true, 0, none, none, each, each},
    [OP_GELU] = {"gelu", each_fields, false, true, false, 0, none, none, each, each},
    [OP_TANH] = {"tanh", each_fields, false, false, true, 0, none, none, each, each},
    [OP_SIGMOID] = {"sigmoid", each_fields, false, false, true, 0, none, none, each, each},
    [OP_DROPOUT] = {"dropout", each_fields, false, false, false, 1, none, none, each, each},
    [OP_ADD] = {"add", each_fields, false, false, false, 0, none, none, each_two, each},
    [OP_MUL] = {"mul", each_fields, false, true, false, 0, none, none, each_two, each},
    [OP_ADD_SCALAR] = {"add_scalar", each_fields, false, false, false, 0, none, none, each, each},
    [OP_MUL_SCALAR] = {"mul_scalar", each_fields, false, false, false, 0, none, none, each, each},
    [OP_POW_SCALAR] = {"pow_scalar", each_fields, false, true, false, 0, none, none, each, each},
    [OP_MAX_SCALAR] = {"max_scalar", each_fields, false, true, false, 0, none, none, each, each},
    [OP_MASK] = {"mask", each_fields, false, false, false, 0, none, none, each, each},
    [OP_COPY] = {"copy", each_fields, false, false, false, 0, none, none, each, each},
    [OP_CONCAT] = {"concat", each_fields, false, false, false, 0, none, none, each, each},
};

const char *operator_name(enum op_kind kind)
{
    return types[kind].name;
}

const struct field *operator_fields(enum op_kind kind)
{
    return types[kind].fields;
}

bool operator_windowed(enum op_kind kind)
{
    return types[kind].windowed;
}

double operator_macs(const struct op *o)
{
    return types[o->kind].macs(o);
}

double operator_elements_in(const struct op *o)
{
    return types[o->kind].in(o);
}

double operator_elements_out(const struct op *o)
{
    return types[o->kind].out(o);
}

double operator_parameters(const struct op *o)
{
    return types[o->kind].parameters(o);
}

double operator_tensors(const struct op *o)
{
    switch (o->kind) {
    case OP_BATCH_NORM:
    case OP_LAYER_NORM:
        return 2;
    case OP_CONV:
    case OP_LINEAR:
    case OP_EMBEDDING:
        return (o->shared ? 0 : 1) + (o->bias ? 1 : 0);
    default:
        return 0;
    }
}

/* ---- sums over a list ---- */

double operators_parameters(const struct op_list *l)
{
    double sum = 0;

    for (size_t i = 0; i < l->n; i++)
        sum += operator_parameters(&l->op[i]) * l->op[i].times;
    return sum;
}

double operators_tensors(const struct op_list *l)
{
    double sum = 0;

    for (size_t i = 0; i < l->n; i++)
        sum += operator_tensors(&l->op[i]) * l->op[i].times;
    return sum;
}

double operators_macs(const struct op_list *l)
{
    double sum = 0;

    for (size_t i = 0; i < l->n; i++)
        sum += operator_macs(&l->op[i]) * l->op[i].times * l->op[i].steps;
    return sum;
}

/* A tensor that is kept twice is one: the result of the operator above as the input of this one. */
double operators_activation_bytes(const struct op_list *l)
{
    double sum = 0, above = 0;

    for (size_t i = 0; i < l->n; i++) {
        const struct op *o = &l->op[i];
        const struct op_type *t = &types[o->kind];
        double in = t->keeps_in && !o->branch ? fmax(t->in(o)-above, 0) : 0;

        above = t->keeps_out ? t->out(o) : 0;
        sum += (4 * (in + above) + t->more * t->out(o)) * o->times * o->steps;
    }
    return sum;
}
