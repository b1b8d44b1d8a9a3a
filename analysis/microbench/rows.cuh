/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.cuh - kernels that take a block a row: sums over a block, and how many threads a row gets.
 */
#ifndef MICROBENCH_ROWS_CUH
#define MICROBENCH_ROWS_CUH

#include "analysis/microbench/timing.cuh"

/* The sum, or the largest, of v over all threads of a block, in every thread. At most 1024 threads,
 * a multiple of 32; all must call. */
template <bool MOST> __device__ float mb_over_block(float v)
{
    __shared__ float part[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    for (int by = 16; by; by /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, v, by);

        v = MOST ? fmaxf(v, other) : v + other;
    }
    __syncthreads(); /* the parts of the call before are read */
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    v = part[0];
    for (unsigned i = 1; i < warps; i++)
        v = MOST ? fmaxf(v, part[i]) : v + part[i];
    return v;
}

/* Threads for rows of so many packs. */
inline unsigned mb_row_threads(int64_t packs)
{
    int64_t wanted = (packs + 31) / 32 * 32;

    return wanted < MB_THREADS ? (unsigned)wanted : (unsigned)MB_THREADS;
}

/* Blocks for so many rows of a grid-stride kernel. */
inline unsigned mb_row_blocks(int64_t rows)
{
    int64_t most = 32 * (int64_t)mb_dev.gpu.sms;

    return (unsigned)(rows < most ? rows : most);
}

/* A matrix of rows: the shape, and the places of its inputs and outputs in a set. */
struct mb_rows {
    const char *kind;
    enum mb_precision precision;
    int64_t rows, width;
    size_t x, y, dy; /* places in a set */

    size_t bytes(void) const { return (size_t)(rows * width) * mb_size(precision); }
};

/* One row of an array, as floats. */
inline enum mb_status mb_row(const struct mb_rows *m, const char *array, int64_t row,
                             std::vector<float> *to, struct mb_result *r)
{
    return mb_download(array + (size_t)(row * m->width) * mb_size(m->precision), (size_t)m->width,
                       m->precision, to, r);
}

/* A row against what it should be; scale: the size of what is summed up for an element. */
inline enum mb_status mb_compare_row(const struct mb_rows *m, int64_t row,
                                     const std::vector<float> &got, const std::vector<double> &want,
                                     double scale, struct mb_result *r)
{
    for (size_t i = 0; i < want.size(); i++)
        if (!mb_near((double)got[i], want[i], m->precision, scale))
            return mb_wrong("element", row * m->width + (int64_t)i, (double)got[i], want[i], r);
    return MB_DONE;
}

#endif
