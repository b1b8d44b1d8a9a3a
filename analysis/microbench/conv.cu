/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions by cuDNN, NCHW: forward, and backward by data and by filter, each with the algorithm
 * that cuDNN finds to be the fastest with a workspace of 1 GiB at most. fp32 on plain arithmetic
 * units, tf32 and fp16 on tensor cores where cuDNN uses them; sums in 32 bits.
 */
#include <string.h>

#include "analysis/microbench/cudnn.cuh"

#ifdef MB_CUDNN

struct shape {
    int n, c, h, w, k, r, s, pad_h, pad_w, stride_h, stride_w;
    int p, q; /* height and width of the output */
};

enum kind { FORWARD, DATA, FILTER };

/* cuDNN's words for a case, and where the tensors are in a set. */
struct conv {
    struct shape shape;
    enum kind kind;
    enum mb_precision precision;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t how;
    size_t x_at, w_at, y_at;
    cudnnConvolutionFwdAlgo_t forward;
    cudnnConvolutionBwdDataAlgo_t data;
    cudnnConvolutionBwdFilterAlgo_t filter;
    void *space;
    size_t space_size;
};

static const size_t most_space = (size_t)1 << 30;

/* ---- setting up ---- */

static enum mb_status describe(struct conv *v, struct mb_result *r)
{
    const struct shape *s = &v->shape;
    cudnnDataType_t type = v->precision == MB_FP16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
    cudnnMathType_t math = CUDNN_TENSOR_OP_MATH;

#if CUDNN_MAJOR >= 8
    math = v->precision == MB_FP32 ? CUDNN_FMA_MATH : CUDNN_TENSOR_OP_MATH;
#else
    math = v->precision == MB_FP32 ? CUDNN_DEFAULT_MATH : CUDNN_TENSOR_OP_MATH;
#endif
    MB_TRY_CUDNN(r, cudnnCreateTensorDescriptor, &v->x);
    MB_TRY_CUDNN(r, cudnnCreateTensorDescriptor, &v->y);
    MB_TRY_CUDNN(r, cudnnCreateFilterDescriptor, &v->w);
    MB_TRY_CUDNN(r, cudnnCreateConvolutionDescriptor, &v->how);
    MB_TRY_CUDNN(r, cudnnSetTensor4dDescriptor, v->x, CUDNN_TENSOR_NCHW, type, s->n, s->c, s->h,
                 s->w);
    MB_TRY_CUDNN(r, cudnnSetTensor4dDescriptor, v->y, CUDNN_TENSOR_NCHW, type, s->n, s->k, s->p,
                 s->q);
    MB_TRY_CUDNN(r, cudnnSetFilter4dDescriptor, v->w, type, CUDNN_TENSOR_NCHW, s->k, s->c, s->r,
                 s->s);
    MB_TRY_CUDNN(r, cudnnSetConvolution2dDescriptor, v->how, s->pad_h, s->pad_w, s->stride_h,
                 s->stride_w, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    MB_TRY_CUDNN(r, cudnnSetConvolutionMathType, v->how, math);
    return MB_DONE;
}

static void forget(struct conv *v)
{
    if (v->x)
        cudnnDestroyTensorDescriptor(v->x);
    if (v->y)
        cudnnDestroyTensorDescriptor(v->y);
    if (v->w)
        cudnnDestroyFilterDescriptor(v->w);
    if (v->how)
        cudnnDestroyConvolutionDescriptor(v->how);
}

/* The first of what a find returns is the fastest; it may be one that failed, if all did. */
template <class Perf>
static enum mb_status take(struct conv *v, const Perf *found, int n, struct mb_result *r)
{
    if (n < 1) {
        snprintf(r->why, sizeof r->why, "cuDNN finds no algorithm");
        return MB_SKIPPED;
    }
    if (found[0].status != CUDNN_STATUS_SUCCESS) {
        enum mb_status status = mb_cudnn_status(found[0].status, "find", r);

        return status == MB_BROKEN ? MB_SKIPPED : status;
    }
    MB_TRY_CUDNN(r, cudnnSetConvolutionMathType, v->how, found[0].mathType);
    v->space_size = found[0].memory;
    return MB_DONE;
}

static enum mb_status find(struct conv *v, char *set, struct mb_result *r)
{
    void *x = set + v->x_at, *w = set + v->w_at, *y = set + v->y_at;
    size_t size = v->space_size;
    int n = 0;
    enum mb_status status;

    if (v->kind == FORWARD) {
        cudnnConvolutionFwdAlgoPerf_t found[1];

        MB_TRY_CUDNN(r, cudnnFindConvolutionForwardAlgorithmEx, v->handle, v->x, x, v->w, w, v->how,
                     v->y, y, 1, &n, found, v->space, size);
        status = take(v, found, n, r);
        v->forward = found[0].algo;
    } else if (v->kind == DATA) {
        cudnnConvolutionBwdDataAlgoPerf_t found[1];

        MB_TRY_CUDNN(r, cudnnFindConvolutionBackwardDataAlgorithmEx, v->handle, v->w, w, v->y, y,
                     v->how, v->x, x, 1, &n, found, v->space, size);
        status = take(v, found, n, r);
        v->data = found[0].algo;
    } else {
        cudnnConvolutionBwdFilterAlgoPerf_t found[1];

        MB_TRY_CUDNN(r, cudnnFindConvolutionBackwardFilterAlgorithmEx, v->handle, v->x, x, v->y, y,
                     v->how, v->w, w, 1, &n, found, v->space, size);
        status = take(v, found, n, r);
        v->filter = found[0].algo;
    }
    return status;
}

static enum mb_status compute(const struct conv *v, char *set, struct mb_result *r)
{
    const float one = 1, zero = 0;
    void *x = set + v->x_at, *w = set + v->w_at, *y = set + v->y_at;

    if (v->kind == FORWARD)
        MB_TRY_CUDNN(r, cudnnConvolutionForward, v->handle, &one, v->x, x, v->w, w, v->how,
                     v->forward, v->space, v->space_size, &zero, v->y, y);
    else if (v->kind == DATA)
        MB_TRY_CUDNN(r, cudnnConvolutionBackwardData, v->handle, &one, v->w, w, v->y, y, v->how,
                     v->data, v->space, v->space_size, &zero, v->x, x);
    else
        MB_TRY_CUDNN(r, cudnnConvolutionBackwardFilter, v->handle, &one, v->x, x, v->y, y, v->how,
                     v->filter, v->space, v->space_size, &zero, v->w, w);
    return MB_DONE;
}

/* ---- the check: single elements of the result by the definition, a block each ---- */

/* x[n, c] at the place under tap (a, b) of output (p, q); 0 in the padding. */
template <class T>
__device__ double under(const T *x, const struct shape *s, int64_t image, int channel, int p, int q,
                        int a, int b)
{
    int i = p * s->stride_h - s->pad_h + a, j = q * s->stride_w - s->pad_w + b;

    if (i < 0 || j < 0 || i >= s->h || j >= s->w)
        return 0;
    return (double)mb_float(x[((image * s->c + channel) * s->h + i) * s->w + j]);
}

template <class T>
__device__ double weight(const T *w, const struct shape *s, int k, int c, int a, int b)
{
    return (double)mb_float(w[(((int64_t)k * s->c + c) * s->r + a) * s->s + b]);
}

template <class T>
__device__ double at_output(const T *y, const struct shape *s, int64_t n, int k, int p, int q)
{
    return (double)mb_float(y[((n * s->k + k) * s->p + p) * s->q + q]);
}

/* Term l of the sum for element `at` of what the kind computes. */
template <class T>
__device__ double term(const T *x, const T *w, const T *y, const struct shape *s, enum kind kind,
                       int64_t at, int64_t l)
{
    if (kind == FORWARD) {
        int q = (int)(at % s->q), p = (int)(at / s->q % s->p), k = (int)(at / s->q / s->p % s->k);
        int b = (int)(l % s->s), a = (int)(l / s->s % s->r), c = (int)(l / s->s / s->r);

        return under(x, s, at / s->q / s->p / s->k, c, p, q, a, b) * weight(w, s, k, c, a, b);
    }
    if (kind == DATA) {
        int j = (int)(at % s->w), i = (int)(at / s->w % s->h), c = (int)(at / s->w / s->h % s->c);
        int b = (int)(l % s->s), a = (int)(l / s->s % s->r), k = (int)(l / s->s / s->r);
        int down = i + s->pad_h - a, right = j + s->pad_w - b;
        int p = down / s->stride_h, q = right / s->stride_w;

        if (down < 0 || right < 0 || down % s->stride_h || right % s->stride_w || p >= s->p ||
            q >= s->q)
            return 0;
        return at_output(y, s, at / s->w / s->h / s->c, k, p, q) * weight(w, s, k, c, a, b);
    }
    int b = (int)(at % s->s), a = (int)(at / s->s % s->r), c = (int)(at / s->s / s->r % s->c),
        k = (int)(at / s->s / s->r / s->c);
    int q = (int)(l % s->q), p = (int)(l / s->q % s->p);
    int64_t image = l / s->q / s->p;

    return under(x, s, image, c, p, q, a, b) * at_output(y, s, image, k, p, q);
}

template <class T>
__global__ void sample_conv(const T *x, const T *w, const T *y, struct shape s, enum kind kind,
                            const T *result, int64_t elements, int64_t terms, struct mb_sample *out)
{
    __shared__ double sum[MB_THREADS], square[MB_THREADS];
    int64_t at = gridDim.x == 1 ? 0 : (elements - 1) * blockIdx.x / (gridDim.x - 1);
    unsigned t = threadIdx.x;

    sum[t] = square[t] = 0;
    for (int64_t l = t; l < terms; l += blockDim.x) {
        double v = term(x, w, y, &s, kind, at, l);

        sum[t] += v;
        square[t] += v * v;
    }
    mb_sum_up(sum, square);
    if (t == 0)
        out[blockIdx.x] = {(double)mb_float(result[at]), sum[0], sqrt(square[0])};
}

template <class T>
static enum mb_status check_as(const struct conv *v, char *set, struct mb_result *r)
{
    const struct shape *s = &v->shape;
    const T *x = (const T *)(set + v->x_at), *w = (const T *)(set + v->w_at),
            *y = (const T *)(set + v->y_at);
    int64_t xs = (int64_t)s->n * s->c * s->h * s->w, ws = (int64_t)s->k * s->c * s->r * s->s,
            ys = (int64_t)s->n * s->k * s->p * s->q;
    int64_t elements = v->kind == FORWARD ? ys : v->kind == DATA ? xs : ws;
    int64_t terms = v->kind == FORWARD ? ws / s->k : v->kind == DATA ? ws / s->c : ys / s->k;

    MB_LAUNCH(sample_conv<T>, MB_SAMPLES, MB_THREADS, x, w, y, *s, v->kind,
              v->kind == FORWARD ? y
              : v->kind == DATA  ? x
                                 : w,
              elements, terms, mb_dev.samples);
    return mb_judge_samples(v->precision, (double)terms, true, r);
}

/* ---- the benchmark ---- */

static enum mb_status run(struct conv *v, struct mb_result *r)
{
    const struct shape *s = &v->shape;
    size_t size = mb_size(v->precision);
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    char *space;
    enum mb_status status;

    v->x_at = layout.add((size_t)s->n * s->c * s->h * s->w * size);
    v->w_at = layout.add((size_t)s->k * s->c * s->r * s->s * size);
    v->y_at = layout.add((size_t)s->n * s->k * s->p * s->q * size);
    v->space_size =
        most_space < (size_t)mb_dev.gpu.memory / 8 ? most_space : (size_t)mb_dev.gpu.memory / 8;
    status = mb_rotor_get(&layout, false, v->space_size, &space, &rotor, r);
    v->space = space;
    if (status == MB_DONE)
        status = mb_fill(rotor.base, rotor.elements(v->precision), v->precision, -1, 1, r);
    if (status == MB_DONE)
        status = describe(v, r);
    /* The find writes results; the check is of the set behind it, which it has not touched, if
     * there is one: results of a find are computed from the same inputs. */
    if (status == MB_DONE)
        status = find(v, rotor.set(0), r);
    if (status == MB_DONE)
        status = compute(v, rotor.set(1), r);
    if (status == MB_DONE)
        status = v->precision == MB_FP16 ? check_as<__half>(v, rotor.set(1), r)
                                         : check_as<float>(v, rotor.set(1), r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return compute(v, rotor.set(i), r); }, r);
}

enum mb_status mb_run_conv(const struct mb_case *c, struct mb_result *r)
{
    struct conv v = {};
    struct shape *s = &v.shape;
    int d[MB_DIMS];
    enum mb_status status;

    for (int i = 0; i < MB_DIMS; i++)
        d[i] = (int)c->dim[i];
    *s = (struct shape){d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], 0, 0};
    s->p = (s->h + 2 * s->pad_h - s->r) / s->stride_h + 1;
    s->q = (s->w + 2 * s->pad_w - s->s) / s->stride_w + 1;
    v.precision = c->precision;
    v.kind = strcmp(c->kind, "forward") == 0         ? FORWARD
             : strcmp(c->kind, "backward_data") == 0 ? DATA
                                                     : FILTER;
    status = mb_cudnn_handle(&v.handle, r);
    if (status == MB_DONE)
        status = run(&v, r);
    forget(&v);
    return status;
}

#else

enum mb_status mb_run_conv(const struct mb_case *, struct mb_result *r)
{
    return mb_no_cudnn(r);
}

#endif
