/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of rows, and softmax over rows: own kernels, a block a row, 16 bytes a load. A row is read
 * again for each pass, which caches serve; widths are multiples of 8.
 */
#include <string.h>

#include "analysis/microbench/rows.cuh"

template <class T> __global__ void sum_rows(const T *x, T *y, int64_t rows, int64_t width)
{
    typedef mb_pack<T> pack;

    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const pack *in = (const pack *)(x + row * width);
        float sum = 0;

        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = in[i];

            for (int l = 0; l < pack::N; l++)
                sum += mb_float(v.v[l]);
        }
        sum = mb_over_block<false>(sum);
        if (threadIdx.x == 0)
            mb_set(&y[row], sum);
    }
}

template <class T> __global__ void softmax(const T *x, T *y, int64_t rows, int64_t width)
{
    typedef mb_pack<T> pack;

    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const pack *in = (const pack *)(x + row * width);
        pack *out = (pack *)(y + row * width);
        float most = -INFINITY, sum = 0;

        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = in[i];

            for (int l = 0; l < pack::N; l++)
                most = fmaxf(most, mb_float(v.v[l]));
        }
        most = mb_over_block<true>(most);
        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = in[i];

            for (int l = 0; l < pack::N; l++)
                sum += expf(mb_float(v.v[l]) - most);
        }
        sum = mb_over_block<false>(sum);
        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = in[i];

            for (int l = 0; l < pack::N; l++)
                mb_set(&v.v[l], expf(mb_float(v.v[l]) - most) / sum);
            out[i] = v;
        }
    }
}

/* dx = y (dy - sum of y dy); dx is written over x's place. */
template <class T>
__global__ void softmax_back(const T *y, const T *dy, T *dx, int64_t rows, int64_t width)
{
    typedef mb_pack<T> pack;

    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const pack *out = (const pack *)(y + row * width), *grad = (const pack *)(dy + row * width);
        float dot = 0;

        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = out[i], g = grad[i];

            for (int l = 0; l < pack::N; l++)
                dot += mb_float(v.v[l]) * mb_float(g.v[l]);
        }
        dot = mb_over_block<false>(dot);
        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = out[i], g = grad[i];

            for (int l = 0; l < pack::N; l++)
                mb_set(&v.v[l], mb_float(v.v[l]) * (mb_float(g.v[l]) - dot));
            ((pack *)(dx + row * width))[i] = v;
        }
    }
}

/* ---- launches ---- */

template <class T>
static enum mb_status compute_as(const struct mb_rows *m, char *set, struct mb_result *r)
{
    unsigned threads = mb_row_threads(m->width / mb_pack<T>::N), blocks = mb_row_blocks(m->rows);
    T *x = (T *)(set + m->x), *y = (T *)(set + m->y), *dy = (T *)(set + m->dy);

    if (strcmp(m->kind, "sum") == 0)
        MB_LAUNCH(sum_rows<T>, blocks, threads, x, y, m->rows, m->width);
    else if (strcmp(m->kind, "forward") == 0)
        MB_LAUNCH(softmax<T>, blocks, threads, x, y, m->rows, m->width);
    else
        MB_LAUNCH(softmax_back<T>, blocks, threads, y, dy, x, m->rows, m->width);
    return mb_launched(r);
}

static enum mb_status compute(const struct mb_rows *m, char *set, struct mb_result *r)
{
    return m->precision == MB_FP16 ? compute_as<__half>(m, set, r) : compute_as<float>(m, set, r);
}

/* ---- checks, of the first and the last row ---- */

static enum mb_status check_sum(const struct mb_rows *m, char *set, int64_t row,
                                struct mb_result *r)
{
    std::vector<float> x, y;
    enum mb_status status = mb_row(m, set + m->x, row, &x, r);

    if (status == MB_DONE)
        status =
            mb_download(set + m->y + (size_t)row * mb_size(m->precision), 1, m->precision, &y, r);
    if (status == MB_DONE) {
        double want = mb_ref_sum(x.data(), x.size());

        if (!mb_near((double)y[0], want, m->precision, sqrt((double)m->width)))
            status = mb_wrong("sum", row, (double)y[0], want, r);
    }
    return status;
}

static enum mb_status check_softmax(const struct mb_rows *m, char *set, int64_t row,
                                    struct mb_result *r)
{
    bool back = strcmp(m->kind, "backward") == 0;
    std::vector<float> in, grad, got;
    std::vector<double> want((size_t)m->width);
    enum mb_status status = mb_row(m, set + (back ? m->y : m->x), row, &in, r);

    if (status == MB_DONE && back)
        status = mb_row(m, set + m->dy, row, &grad, r);
    if (status == MB_DONE)
        status = mb_row(m, set + (back ? m->x : m->y), row, &got, r);
    if (status != MB_DONE)
        return status;
    if (back)
        mb_ref_softmax_back(in.data(), grad.data(), in.size(), want.data());
    else
        mb_ref_softmax(in.data(), in.size(), want.data());
    /* Backward from random outputs, whose weighted sum grows with the root of the width. */
    return mb_compare_row(m, row, got, want, back ? sqrt((double)m->width) : 1. / (double)m->width,
                          r);
}

static enum mb_status check(const struct mb_rows *m, char *set, struct mb_result *r)
{
    auto one = strcmp(m->kind, "sum") == 0 ? check_sum : check_softmax;
    enum mb_status status = one(m, set, 0, r);

    return status == MB_DONE ? one(m, set, m->rows - 1, r) : status;
}

static enum mb_status run(struct mb_rows *m, bool back, struct mb_result *r)
{
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    enum mb_status status;

    m->x = layout.add(m->bytes());
    m->y = layout.add(strcmp(m->kind, "sum") == 0 ? (size_t)m->rows * mb_size(m->precision)
                                                  : m->bytes());
    m->dy = back ? layout.add(m->bytes()) : 0;
    status = mb_rotor_get(&layout, false, 0, NULL, &rotor, r);
    if (status == MB_DONE)
        status = mb_fill(rotor.base, rotor.elements(m->precision), m->precision, -1, 1, r);
    if (status == MB_DONE)
        status = compute(m, rotor.set(0), r);
    if (status == MB_DONE)
        status = check(m, rotor.set(0), r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return compute(m, rotor.set(i), r); }, r);
}

enum mb_status mb_run_reduce(const struct mb_case *c, struct mb_result *r)
{
    struct mb_rows m = {c->kind, c->precision, c->dim[0], c->dim[1], 0, 0, 0};

    return run(&m, false, r);
}

enum mb_status mb_run_softmax(const struct mb_case *c, struct mb_result *r)
{
    struct mb_rows m = {c->kind, c->precision, c->dim[0], c->dim[1], 0, 0, 0};

    return run(&m, strcmp(c->kind, "backward") == 0, r);
}
