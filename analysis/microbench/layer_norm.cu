/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layer normalisation over rows: own kernels, 16 bytes a load. Backward takes two: one for the
 * input's gradient, a block a row, which computes the moments again; one for those of scale and
 * shift, which adds up rows by column, with the clearing of its result before. Scale, shift and
 * their gradients are fp32 and shared by all sets.
 */
#include <string.h>

#include "analysis/microbench/rows.cuh"

enum { STRIP = 64 }; /* rows that a block of column_sums adds up */

/* The mean of a row and the reciprocal of its deviation, in every thread. */
template <class T> __device__ void moments(const T *x, int64_t width, float *mean, float *scale)
{
    typedef mb_pack<T> pack;
    float sum = 0, squares = 0;

    for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
        pack v = ((const pack *)x)[i];

        for (int l = 0; l < pack::N; l++)
            sum += mb_float(v.v[l]);
    }
    *mean = mb_over_block<false>(sum) / (float)width;
    for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
        pack v = ((const pack *)x)[i];

        for (int l = 0; l < pack::N; l++)
            squares += (mb_float(v.v[l]) - *mean) * (mb_float(v.v[l]) - *mean);
    }
    *scale = rsqrtf(mb_over_block<false>(squares) / (float)width + MB_TINY);
}

template <class T>
__global__ void normalise(const T *x, const float *g, const float *b, T *y, int64_t rows,
                          int64_t width)
{
    typedef mb_pack<T> pack;

    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const T *in = x + row * width;
        float mean, scale;

        moments(in, width, &mean, &scale);
        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = ((const pack *)in)[i];

            for (int l = 0; l < pack::N; l++) {
                int64_t at = i * pack::N + l;

                mb_set(&v.v[l], (mb_float(v.v[l]) - mean) * scale * g[at] + b[at]);
            }
            ((pack *)(y + row * width))[i] = v;
        }
    }
}

/* dx = scale (d - mean of d - xhat * mean of d xhat), with d = dy g. stats: mean and scale by row,
 * for the sums by column. */
template <class T>
__global__ void input_gradient(const T *x, const float *g, const T *dy, T *dx, float *stats,
                               int64_t rows, int64_t width)
{
    typedef mb_pack<T> pack;

    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const T *in = x + row * width, *up = dy + row * width;
        float mean, scale, plain = 0, along = 0;

        moments(in, width, &mean, &scale);
        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = ((const pack *)in)[i], u = ((const pack *)up)[i];

            for (int l = 0; l < pack::N; l++) {
                float d = mb_float(u.v[l]) * g[i * pack::N + l];

                plain += d;
                along += d * (mb_float(v.v[l]) - mean) * scale;
            }
        }
        plain = mb_over_block<false>(plain) / (float)width;
        along = mb_over_block<false>(along) / (float)width;
        for (int64_t i = threadIdx.x; i < width / pack::N; i += blockDim.x) {
            pack v = ((const pack *)in)[i], u = ((const pack *)up)[i];

            for (int l = 0; l < pack::N; l++)
                mb_set(&v.v[l], scale * (mb_float(u.v[l]) * g[i * pack::N + l] - plain -
                                         (mb_float(v.v[l]) - mean) * scale * along));
            ((pack *)(dx + row * width))[i] = v;
        }
        if (threadIdx.x == 0) {
            stats[2 * row] = mean;
            stats[2 * row + 1] = scale;
        }
    }
}

/* A thread a column, a block a strip of rows. dg: width sums of dy xhat, then width sums of dy. */
template <class T>
__global__ void column_sums(const T *x, const T *dy, const float *stats, float *dg, int64_t rows,
                            int64_t width)
{
    int64_t tiles = (width + blockDim.x - 1) / blockDim.x, strips = (rows + STRIP - 1) / STRIP;

    for (int64_t job = blockIdx.x; job < tiles * strips; job += gridDim.x) {
        int64_t column = job % tiles * blockDim.x + threadIdx.x, row = job / tiles * STRIP;
        int64_t end = row + STRIP < rows ? row + STRIP : rows;
        float scales = 0, shifts = 0;

        if (column >= width)
            continue;
        for (; row < end; row++) {
            float d = mb_float(dy[row * width + column]);

            scales += d * (mb_float(x[row * width + column]) - stats[2 * row]) * stats[2 * row + 1];
            shifts += d;
        }
        atomicAdd(&dg[column], scales);
        atomicAdd(&dg[width + column], shifts);
    }
}

/* ---- launches ---- */

struct shared_part {
    float *g, *b, *dg; /* scale, shift; gradients of both */
};

template <class T>
static enum mb_status compute_as(const struct mb_rows *m, char *set, const struct shared_part *s,
                                 struct mb_result *r)
{
    unsigned threads = mb_row_threads(m->width / mb_pack<T>::N), blocks = mb_row_blocks(m->rows);
    const T *x = (const T *)(set + m->x), *dy = (const T *)(set + m->dy);
    T *y = (T *)(set + m->y);
    float *stats = (float *)(set + m->y + (m->bytes() + 255) / 256 * 256);
    int64_t tiles = (m->width + MB_THREADS - 1) / MB_THREADS * ((m->rows + STRIP - 1) / STRIP);

    if (strcmp(m->kind, "forward") == 0) {
        MB_LAUNCH(normalise<T>, blocks, threads, x, s->g, s->b, y, m->rows, m->width);
        return mb_launched(r);
    }
    MB_LAUNCH(input_gradient<T>, blocks, threads, x, s->g, dy, y, stats, m->rows, m->width);
    MB_TRY(r, cudaMemsetAsync(s->dg, 0, 2 * (size_t)m->width * sizeof(float), mb_dev.stream));
    MB_LAUNCH(column_sums<T>, mb_row_blocks(tiles), MB_THREADS, x, dy, stats, s->dg, m->rows,
              m->width);
    return mb_launched(r);
}

static enum mb_status compute(const struct mb_rows *m, char *set, const struct shared_part *s,
                              struct mb_result *r)
{
    return m->precision == MB_FP16 ? compute_as<__half>(m, set, s, r)
                                   : compute_as<float>(m, set, s, r);
}

/* ---- checks ---- */

static enum mb_status check_row(const struct mb_rows *m, char *set, const struct shared_part *s,
                                int64_t row, struct mb_result *r)
{
    size_t width = (size_t)m->width;
    bool back = strcmp(m->kind, "backward") == 0;
    std::vector<float> x, dy, y, g, b;
    std::vector<double> want(width);
    enum mb_status status = mb_row(m, set + m->x, row, &x, r);

    if (status == MB_DONE)
        status = mb_row(m, set + m->y, row, &y, r);
    if (status == MB_DONE)
        status = mb_download(s->g, width, MB_FP32, &g, r);
    if (status == MB_DONE)
        status = mb_download(s->b, width, MB_FP32, &b, r);
    if (status == MB_DONE && back)
        status = mb_row(m, set + m->dy, row, &dy, r);
    if (status != MB_DONE)
        return status;
    if (back)
        mb_ref_layer_norm_back(x.data(), g.data(), dy.data(), width, want.data());
    else
        mb_ref_layer_norm(x.data(), g.data(), b.data(), width, want.data());
    return mb_compare_row(m, row, y, want, 5, r);
}

/* The gradients of scale and shift, at both ends: sums of columns. For few rows, as each is
 * fetched. */
static enum mb_status check_columns(const struct mb_rows *m, char *set, const struct shared_part *s,
                                    struct mb_result *r)
{
    size_t width = (size_t)m->width, place[] = {0, width - 1, width, 2 * width - 1};
    double want[4] = {0, 0, 0, 0};
    std::vector<float> x, up, sums, ones(width, 1), zeros(width, 0);
    std::vector<double> plain(width);
    enum mb_status status = mb_download(s->dg, 2 * width, MB_FP32, &sums, r);

    for (int64_t i = 0; i < m->rows && status == MB_DONE; i++) {
        status = mb_row(m, set + m->x, i, &x, r);
        if (status == MB_DONE)
            status = mb_row(m, set + m->dy, i, &up, r);
        if (status != MB_DONE)
            break;
        mb_ref_layer_norm(x.data(), ones.data(), zeros.data(), width, plain.data());
        for (int e = 0; e < 4; e++)
            want[e] += (double)up[place[e] % width] * (e < 2 ? plain[place[e]] : 1);
    }
    for (int e = 0; e < 4 && status == MB_DONE; e++) {
        double got = (double)sums[place[e]];

        if (!mb_near(got, want[e], MB_FP32, 4 * sqrt((double)m->rows)))
            status = mb_wrong("column's gradient", e, got, want[e], r);
    }
    return status;
}

static enum mb_status check(const struct mb_rows *m, char *set, const struct shared_part *s,
                            struct mb_result *r)
{
    enum mb_status status = check_row(m, set, s, 0, r);

    if (status == MB_DONE)
        status = check_row(m, set, s, m->rows - 1, r);
    if (status == MB_DONE && strcmp(m->kind, "backward") == 0 && m->rows <= 256)
        status = check_columns(m, set, s, r);
    return status;
}

enum mb_status mb_run_layer_norm(const struct mb_case *c, struct mb_result *r)
{
    struct mb_rows m = {c->kind, c->precision, c->dim[0], c->dim[1], 0, 0, 0};
    size_t width = (size_t)m.width;
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    struct shared_part s;
    char *beside;
    enum mb_status status;

    m.x = layout.add(m.bytes());
    m.y = layout.add(m.bytes());
    layout.add((size_t)m.rows * 2 * sizeof(float)); /* stats, behind y */
    m.dy = strcmp(c->kind, "backward") == 0 ? layout.add(m.bytes()) : 0;
    status = mb_rotor_get(&layout, false, 4 * width * sizeof(float), &beside, &rotor, r);
    if (status != MB_DONE)
        return status;
    s = (struct shared_part){(float *)beside, (float *)beside + width, (float *)beside + 2 * width};
    status = mb_fill(rotor.base, rotor.elements(m.precision), m.precision, -1, 1, r);
    if (status == MB_DONE)
        status = mb_fill(beside, 4 * m.width, MB_FP32, 0.5f, 1.5f, r);
    if (status == MB_DONE)
        status = compute(&m, rotor.set(0), &s, r);
    if (status == MB_DONE)
        status = check(&m, rotor.set(0), &s, r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return compute(&m, rotor.set(i), &s, r); }, r);
}
