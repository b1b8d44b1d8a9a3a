/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch normalisation in training by cuDNN, NCHW, one mean and variance a channel; backward from
 * the moments that forward saves. Scale, shift and their gradients are fp32 and shared by all sets.
 */
#include <string.h>

#include "analysis/microbench/cudnn.cuh"

#ifdef MB_CUDNN

struct norm {
    bool back;
    enum mb_precision precision;
    int n, c, h, w;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t data, channel;
    size_t x, y, dy;        /* places in a set; backward writes the input's gradient to y */
    float *g, *b, *dg, *db; /* scale, shift, their gradients */
    float *mean, *scale;    /* saved by forward: of the set that it was last run on */
};

static const cudnnBatchNormMode_t mode = CUDNN_BATCHNORM_SPATIAL;

static enum mb_status forward(const struct norm *v, char *set, struct mb_result *r)
{
    const float one = 1, zero = 0;

    MB_TRY_CUDNN(r, cudnnBatchNormalizationForwardTraining, v->handle, mode, &one, &zero, v->data,
                 set + v->x, v->data, set + v->y, v->channel, v->g, v->b, 0, NULL, NULL,
                 (double)MB_TINY, v->mean, v->scale);
    return MB_DONE;
}

static enum mb_status compute(const struct norm *v, char *set, struct mb_result *r)
{
    const float one = 1, zero = 0;

    if (!v->back)
        return forward(v, set, r);
    MB_TRY_CUDNN(r, cudnnBatchNormalizationBackward, v->handle, mode, &one, &zero, &one, &zero,
                 v->data, set + v->x, v->data, set + v->dy, v->data, set + v->y, v->channel, v->g,
                 v->dg, v->db, (double)MB_TINY, v->mean, v->scale);
    return MB_DONE;
}

/* ---- the check: a channel is a row of layer normalisation with one scale and one shift ---- */

static enum mb_status fetch(const struct norm *v, const char *from, int channel,
                            std::vector<float> *to, struct mb_result *r)
{
    size_t plane = (size_t)v->h * v->w;
    enum mb_status status = MB_DONE;

    to->clear();
    for (int image = 0; image < v->n && status == MB_DONE; image++) {
        std::vector<float> part;

        status =
            mb_download(from + ((size_t)image * v->c + channel) * plane * mb_size(v->precision),
                        plane, v->precision, &part, r);
        to->insert(to->end(), part.begin(), part.end());
    }
    return status;
}

static enum mb_status check(const struct norm *v, char *set, int channel, struct mb_result *r)
{
    std::vector<float> x, dy, y, g, b;
    std::vector<double> want;
    enum mb_status status = fetch(v, set + v->x, channel, &x, r);

    if (status == MB_DONE)
        status = fetch(v, set + v->y, channel, &y, r);
    if (status == MB_DONE && v->back)
        status = fetch(v, set + v->dy, channel, &dy, r);
    if (status == MB_DONE)
        status = mb_download(v->g + channel, 1, MB_FP32, &g, r);
    if (status == MB_DONE)
        status = mb_download(v->b + channel, 1, MB_FP32, &b, r);
    if (status != MB_DONE)
        return status;
    want.resize(x.size());
    g.assign(x.size(), g[0]);
    b.assign(x.size(), b[0]);
    if (v->back)
        mb_ref_layer_norm_back(x.data(), g.data(), dy.data(), x.size(), want.data());
    else
        mb_ref_layer_norm(x.data(), g.data(), b.data(), x.size(), want.data());
    for (size_t i = 0; i < want.size(); i++)
        if (!mb_near((double)y[i], want[i], v->precision, 10))
            return mb_wrong("element", (int64_t)i, (double)y[i], want[i], r);
    return MB_DONE;
}

/* ---- the benchmark ---- */

static enum mb_status describe(struct norm *v, struct mb_result *r)
{
    MB_TRY_CUDNN(r, cudnnCreateTensorDescriptor, &v->data);
    MB_TRY_CUDNN(r, cudnnCreateTensorDescriptor, &v->channel);
    MB_TRY_CUDNN(r, cudnnSetTensor4dDescriptor, v->data, CUDNN_TENSOR_NCHW,
                 v->precision == MB_FP16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT, v->n, v->c, v->h,
                 v->w);
    MB_TRY_CUDNN(r, cudnnDeriveBNTensorDescriptor, v->channel, v->data, mode);
    return MB_DONE;
}

static enum mb_status prepare(struct norm *v, struct mb_rotor *rotor, struct mb_result *r)
{
    size_t bytes = (size_t)v->n * v->c * v->h * v->w * mb_size(v->precision), c = (size_t)v->c;
    struct mb_layout layout = {};
    char *beside;
    enum mb_status status;

    v->x = layout.add(bytes);
    v->y = layout.add(bytes);
    v->dy = v->back ? layout.add(bytes) : 0;
    status = mb_rotor_get(&layout, false, 6 * c * sizeof(float), &beside, rotor, r);
    if (status != MB_DONE)
        return status;
    v->g = (float *)beside;
    v->b = v->g + c;
    v->dg = v->b + c;
    v->db = v->dg + c;
    v->mean = v->db + c;
    v->scale = v->mean + c;
    status = mb_fill(rotor->base, rotor->elements(v->precision), v->precision, -1, 1, r);
    if (status == MB_DONE)
        status = mb_fill(beside, 6 * (int64_t)c, MB_FP32, 0.5f, 1.5f, r);
    return status;
}

static enum mb_status run(struct norm *v, struct mb_result *r)
{
    struct mb_rotor rotor;
    enum mb_status status = prepare(v, &rotor, r);

    if (status == MB_DONE)
        status = describe(v, r);
    if (status == MB_DONE)
        status = forward(v, rotor.set(0), r);
    if (status == MB_DONE && v->back)
        status = compute(v, rotor.set(0), r);
    for (int channel = 0; channel < v->c && status == MB_DONE; channel += v->c - 1)
        status = check(v, rotor.set(0), channel, r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return compute(v, rotor.set(i), r); }, r);
}

enum mb_status mb_run_batch_norm(const struct mb_case *c, struct mb_result *r)
{
    struct norm v = {};
    enum mb_status status;

    v.back = strcmp(c->kind, "backward") == 0;
    v.precision = c->precision;
    v.n = (int)c->dim[0];
    v.c = (int)c->dim[1];
    v.h = (int)c->dim[2];
    v.w = (int)c->dim[3];
    status = mb_cudnn_handle(&v.handle, r);
    if (status == MB_DONE)
        status = run(&v, r);
    if (v.data)
        cudnnDestroyTensorDescriptor(v.data);
    if (v.channel)
        cudnnDestroyTensorDescriptor(v.channel);
    return status;
}

#else

enum mb_status mb_run_batch_norm(const struct mb_case *, struct mb_result *r)
{
    return mb_no_cudnn(r);
}

#endif
