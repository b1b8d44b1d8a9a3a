/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/step_plan.h"

#include <math.h>
#include <string.h>

#include "sim/base/bug.h"

/* What fits that are carried over are off: a V100's on six GPUs that have their own
 * (tests/calibration). */
#define CARRIED_SIGMA 0.22

const char *const step_part_names[] = {"convolutions", "products",  "norms", "elementwise",
                                       "layout",       "optimizer", NULL};

/* ---- a kernel for each pass of each operator, at some number of samples ---- */

struct kernel_sketch {
    enum op_class class;
    enum step_part part;
    double amount[TERMS], count;
};

struct sketch {
    const struct step_setting *setting;
    const struct gpu_cost *cost;
    double samples, bytes; /* of an activation */
    struct kernel_sketch *kernel;
    size_t n, cap;
};

static struct kernel_sketch *add(struct sketch *s, enum op_class class, enum step_part part,
                                 double count)
{
    s->kernel = mem_room(s->kernel, s->n, &s->cap, sizeof(*s->kernel));
    struct kernel_sketch *k = &s->kernel[s->n++];
    *k = (struct kernel_sketch){.class = class, .part = part, .count = count};
    return k;
}

/* A kernel that only moves so many elements a sample, and some bytes whatever the batch. */
static void moves(struct sketch *s, enum op_class class, enum step_part part, double elements,
                  double fixed_bytes, double count)
{
    struct kernel_sketch *k = add(s, class, part, count);

    memory_terms(s->samples * elements * s->bytes + fixed_bytes, 0, k->amount);
}

/*
 * Tensor cores read channels last. A stack whose tensors are NCHW transposes what goes into and
 * comes out of each convolution: two passes over both, in each pass over the layer. The recorded
 * convolutions do without: they run at the memory's speed on one pass over their operands.
 */
static void transposes(struct sketch *s, const struct op *o, double count)
{
    double both = operator_elements_in(o) + operator_elements_out(o);

    if (s->setting->transposes && s->setting->precision != FP32)
        moves(s, CLASS_ELEMENTWISE, PART_LAYOUT, 2 * both, 0, count);
}

static void conv(struct sketch *s, const struct op *o, double count)
{
    struct conv_shape c = {.n = s->samples,
                           .c = o->in,
                           .h = o->height,
                           .w = o->width,
                           .k = o->out,
                           .r = o->kernel_h,
                           .s = o->kernel_w,
                           .groups = o->groups,
                           .strided = o->stride > 1};
    int passes = s->setting->training ? 3 : 1;

    operator_window(o, &c.p, &c.q);
    for (int pass = 0; pass < passes; pass++) {
        if (pass == PASS_BACKWARD_DATA && o->first)
            continue;
        struct kernel_sketch *k = add(s, conv_class(&c, (enum conv_pass)pass), PART_CONV, count);
        conv_terms(&c, (enum conv_pass)pass, s->bytes, k->amount);
        transposes(s, o, count);
    }
    if (o->bias)
        moves(s, CLASS_ELEMENTWISE, PART_ELEMENTWISE, 2 * operator_elements_out(o), 0, count);
    if (o->bias && s->setting->training)
        moves(s, CLASS_ELEMENTWISE, PART_ELEMENTWISE, operator_elements_out(o), 0, count);
}

static void product(struct sketch *s, enum op_class class, double batch, double m, double n,
                    double k, double count)
{
    gemm_terms(batch, m, n, k, s->bytes, add(s, class, PART_PRODUCT, count)->amount);
}

static void linear(struct sketch *s, const struct op *o, double count)
{
    enum precision p = s->setting->precision;
    enum op_class class = s->cost->fit[CLASS_LINEAR][p] ? CLASS_LINEAR : CLASS_GEMM;
    double m = s->samples * o->rows;

    product(s, class, 1, m, o->out, o->in, count);
    if (!s->setting->training)
        return;
    product(s, class, 1, m, o->in, o->out, count);
    product(s, class, 1, o->in, o->out, m, count);
    if (o->bias)
        moves(s, CLASS_ELEMENTWISE, PART_ELEMENTWISE, o->rows * o->out, 0, count);
}

static void matmul(struct sketch *s, const struct op *o, double count)
{
    double batch = s->samples * o->batch;

    product(s, CLASS_BMM, batch, o->m, o->n, o->k, count);
    if (!s->setting->training)
        return;
    product(s, CLASS_BMM, batch, o->m, o->k, o->n, count);
    product(s, CLASS_BMM, batch, o->k, o->n, o->m, count);
}

/* Passes over the elements of the result, forward and backward, of kernels that only move them. */
static const struct {
    double forward, backward;
    enum op_class class;
    enum step_part part;
} passes[OP_KINDS] = {
    [OP_BATCH_NORM] = {3, 5, CLASS_BATCH_NORM, PART_NORM},
    [OP_LAYER_NORM] = {2, 3, CLASS_LAYER_NORM, PART_NORM},
    [OP_SOFTMAX] = {2, 3, CLASS_SOFTMAX, PART_NORM},
    [OP_CROSS_ENTROPY] = {3, 2, CLASS_SOFTMAX, PART_NORM},
    [OP_MAX_POOL] = {1, 2, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_AVG_POOL] = {1, 1, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_EMBEDDING] = {2, 3, CLASS_EMBEDDING, PART_ELEMENTWISE},
    [OP_LSTM_CELL] = {9, 12, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_RELU] = {2, 3, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_GELU] = {2, 3, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_TANH] = {2, 3, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_SIGMOID] = {2, 3, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_DROPOUT] = {2.25, 2.25, CLASS_ELEMENTWISE, PART_ELEMENTWISE}, /* a byte of mask */
    [OP_ADD] = {3, 3, CLASS_ELEMENTWISE,
                PART_ELEMENTWISE}, /* back: both branches' gradients meet */
    [OP_MUL] = {3, 6, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_ADD_SCALAR] = {2, 0, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_MUL_SCALAR] = {2, 2, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_POW_SCALAR] = {2, 3, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_MAX_SCALAR] = {2, 3, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_MASK] = {2, 2, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_COPY] = {2, 2, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
    [OP_CONCAT] = {2, 2, CLASS_ELEMENTWISE, PART_ELEMENTWISE},
};

static void other(struct sketch *s, const struct op *o, double count)
{
    enum op_class class = passes[o->kind].class;
    enum step_part part = passes[o->kind].part;
    bool pool = o->kind == OP_MAX_POOL || o->kind == OP_AVG_POOL;
    double size = operator_elements_out(o), read = pool ? operator_elements_in(o) : 0;
    /* The gradient of a table is as large as the table. */
    double table = o->kind == OP_EMBEDDING ? 4 * o->vocabulary * o->width : 0;

    moves(s, class, part, read + passes[o->kind].forward * size, 0, count);
    if (s->setting->training && passes[o->kind].backward > 0)
        moves(s, class, part, read + passes[o->kind].backward * size, table, count);
}

static void draw_operator(struct sketch *s, const struct op *o)
{
    double count = o->times * o->steps;

    if (o->training && !s->setting->training)
        return;
    switch (o->kind) {
    case OP_CONV:
        conv(s, o, count);
        break;
    case OP_LINEAR:
        linear(s, o, count);
        break;
    case OP_MATMUL:
        matmul(s, o, count);
        break;
    default:
        other(s, o, count);
    }
}

/* SGD with momentum: reads weights, gradients and momenta, writes weights and momenta. */
static void optimizer(struct sketch *s, const struct op_list *l)
{
    double bytes = 4 * operators_parameters(l), tensors = operators_tensors(l);

    if (s->setting->training && s->setting->optimizer && tensors > 0)
        moves(s, CLASS_OPTIMIZER, PART_OPTIMIZER, 0, 5 * bytes / tensors, tensors);
    /* Weights into half precision, gradients back. */
    if (s->bytes < 4 && tensors > 0)
        moves(s, CLASS_ELEMENTWISE, PART_LAYOUT, 0, 1.5 * bytes / tensors,
              tensors * (s->setting->training ? 2 : 1));
}

static void draw(struct sketch *s, const struct op_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        draw_operator(s, &l->op[i]);
    optimizer(s, l);
}

/* ---- prices ---- */

/* The fit of a class; what only moves bytes goes by the nearest class that was measured. */
static const struct op_fit *find_fit(const struct gpu_cost *c, enum op_class class,
                                     enum precision p)
{
    const struct op_fit *own = c->fit[class][class < CLASS_ELEMENTWISE ? p : FP32];

    if (own)
        return own;
    if (class <= CLASS_BMM)
        return c->fit[CLASS_GEMM][p] ? c->fit[CLASS_GEMM][p] : c->fit[CLASS_LINEAR][p];
    if (class < CLASS_ELEMENTWISE)
        return NULL;
    return c->fit[CLASS_ELEMENTWISE][FP32] ? c->fit[CLASS_ELEMENTWISE][FP32]
                                           : c->fit[CLASS_STREAM][FP32];
}

static double price(const struct op_fit *f, const double amount[TERMS], bool fixed)
{
    double t = fixed ? -f->latency : 0;

    for (int i = 0; i < TERMS; i++)
        t += f->price[i] * amount[i];
    return t;
}

/* Amounts are linear in the samples: those of one and of two tell both coefficients. */
static void settle(const struct kernel_sketch *one, const struct kernel_sketch *two,
                   const struct op_fit *f, struct step_kernel *out)
{
    double fixed[TERMS], each[TERMS];

    for (int i = 0; i < TERMS; i++) {
        each[i] = two->amount[i] - one->amount[i];
        fixed[i] = one->amount[i] - each[i];
    }
    *out = (struct step_kernel){.alpha = price(f, fixed, true),
                                .beta = price(f, each, false),
                                .floor = f->floor,
                                .count = one->count,
                                .work_0 = terms_work(one->amount) -
                                          (terms_work(two->amount) - terms_work(one->amount)),
                                .work_1 = terms_work(two->amount) - terms_work(one->amount),
                                .fit = f,
                                .part = one->part};
}

struct step_plan *step_plan_make(struct arena *a, const struct op_list *l,
                                 const struct gpu_cost *cost, const struct step_setting *setting)
{
    struct sketch one = {setting, cost, 1, precision_bytes(setting->precision), NULL, 0, 0};
    struct sketch two = one;
    struct step_plan *p = arena_get(a, sizeof(*p));

    two.samples = 2;
    draw(&one, l);
    draw(&two, l);
    BUG_ON(one.n != two.n || (one.n > 0 && (!one.kernel || !two.kernel)));
    p->kernel = arena_get(a, (one.n + 1) * sizeof(*p->kernel));
    p->input_bytes = l->input_bytes;
    p->parameter_bytes = 4 * operators_parameters(l);
    for (size_t i = 0; i < one.n; i++) {
        const struct op_fit *f = find_fit(cost, one.kernel[i].class, setting->precision);
        if (f)
            settle(&one.kernel[i], &two.kernel[i], f, &p->kernel[p->n++]);
        else
            p->missing = op_class_names[one.kernel[i].class];
        p->launches += one.kernel[i].count;
    }
    mem_drop(one.kernel);
    mem_drop(two.kernel);
    return p;
}

static double kernel_time(const struct step_kernel *k, double samples)
{
    return k->count * fmax(k->floor, k->alpha + k->beta * samples);
}

double step_plan_gpu(const struct step_plan *p, double samples)
{
    double sum = 0;

    for (uint32_t i = 0; i < p->n; i++)
        sum += kernel_time(&p->kernel[i], samples);
    return sum;
}

void step_plan_guess(const struct step_plan *p, double samples, struct step_guess *g)
{
    double spread[CLASSES] = {0}, variance = 0;

    *g = (struct step_guess){0};
    for (uint32_t i = 0; i < p->n; i++) {
        const struct step_kernel *k = &p->kernel[i];
        double t = kernel_time(k, samples), size = k->work_0 + k->work_1 * samples;
        g->gpu += t;
        g->part[k->part] += t;
        g->extrapolated += size < k->fit->flop_min || size > k->fit->flop_max ? t : 0;
        g->carried += *k->fit->from ? t : 0;
        /* Kernels of a class err together, others apart; 1.48: a Gaussian's sigma by its median. */
        spread[k->fit->class] += t * k->fit->p50 * 1.4826;
    }
    for (int class = 0; class < CLASSES; class ++)
        variance += spread[class] * spread[class];
    if (g->gpu > 0) {
        g->sigma = sqrt(variance) / g->gpu;
        g->extrapolated /= g->gpu;
        g->carried /= g->gpu;
        g->sigma = hypot(g->sigma, CARRIED_SIGMA * g->carried);
    }
}
