/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * device.cuh - what the CUDA parts share: the stream, memory that rotates, checks.
 *
 * Every benchmark first computes once and checks what came out, then measures. Functions that
 * return an enum mb_status leave the reason in the result.
 */
#ifndef MICROBENCH_DEVICE_CUH
#define MICROBENCH_DEVICE_CUH

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <vector>

#include "analysis/microbench/microbench.h"
#include "analysis/microbench/reference.h"
#include "analysis/microbench/samples.h"

struct mb_device {
    struct mb_gpu gpu;
    struct mb_effort effort;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cublasHandle_t cublas;
    char *memory; /* of the case; grows when a case needs more */
    size_t memory_size;
    struct mb_sample *samples; /* MB_SAMPLES of them, for both host and device */
};

enum { MB_SAMPLES = 64 };

extern struct mb_device mb_dev;

/* ---- errors ---- */

/* Out of memory and what this GPU does not support are no errors of ours. */
enum mb_status mb_cuda_status(cudaError_t, const char *call, struct mb_result *);
enum mb_status mb_cublas_status(cublasStatus_t, struct mb_result *);

#define MB_TRY(result, call)                                                                       \
    do {                                                                                           \
        cudaError_t code_ = (call);                                                                \
        if (code_ != cudaSuccess)                                                                  \
            return mb_cuda_status(code_, #call, result);                                           \
    } while (0)

/* Launches are written so that other means than the compiler's <<< >>> can do it. */
#ifndef MB_LAUNCH
#define MB_LAUNCH(kernel, blocks, threads, ...)                                                    \
    kernel<<<(unsigned)(blocks), (unsigned)(threads), 0, mb_dev.stream>>>(__VA_ARGS__)
#endif

enum { MB_THREADS = 256 };

/* Blocks for so many items of work by grid-stride kernels: not more than the GPU can hold. */
unsigned mb_blocks(int64_t items);

/* ---- elements ---- */

__host__ __device__ inline float mb_float(float v)
{
    return v;
}
__host__ __device__ inline float mb_float(__half v)
{
    return __half2float(v);
}
__host__ __device__ inline float mb_float(__nv_bfloat16 v)
{
    return __bfloat162float(v);
}
__host__ __device__ inline void mb_set(float *to, float v)
{
    *to = v;
}
__host__ __device__ inline void mb_set(__half *to, float v)
{
    *to = __float2half(v);
}
__host__ __device__ inline void mb_set(__nv_bfloat16 *to, float v)
{
    *to = __float2bfloat16(v);
}

/* 16 bytes that are loaded and stored at once. */
template <class T> struct alignas(16) mb_pack {
    enum { N = 16 / sizeof(T) };
    T v[16 / sizeof(T)];
};

/* Of a precision: 4 or 2. */
inline size_t mb_size(enum mb_precision p)
{
    return p == MB_FP16 || p == MB_BF16 ? 2 : 4;
}

/* Elements in [low, high), pseudo-random by place and seed. */
enum mb_status mb_fill(void *to, int64_t n, enum mb_precision, float low, float high,
                       struct mb_result *);
/* Integers in [0, below). */
enum mb_status mb_fill_int(int *to, int64_t n, int below, struct mb_result *);
/* n elements from the device, as floats. */
enum mb_status mb_download(const void *from, size_t n, enum mb_precision, std::vector<float> *to,
                           struct mb_result *);

/* ---- memory that rotates ---- */

/*
 * One set of operands after another, so many that they are three times the L2 together: a case that
 * takes the next set each time finds nothing of its own in the cache. The memory belongs to the
 * case; the next mb_rotor_get takes it.
 */
struct mb_rotor {
    char *base;
    size_t stride;
    int64_t sets;

    char *set(int64_t i) const { return base + (size_t)(i % sets) * stride; }
    /* All bytes, as elements of a precision. */
    int64_t elements(enum mb_precision p) const
    {
        return (int64_t)((size_t)sets * stride / mb_size(p));
    }
};

/* Parts of a set: each call gives the place of so many bytes, aligned to 256. */
struct mb_layout {
    size_t size;

    size_t add(size_t bytes)
    {
        size_t at = size;

        size += (bytes + 255) / 256 * 256;
        return at;
    }
};

/* Sets of so many bytes; `once`: a single one. `beside`: bytes behind them, of `extra`, for what
 * all sets share. MB_SKIPPED if the memory does not suffice. */
enum mb_status mb_rotor_get(const struct mb_layout *, bool once, size_t beside, char **extra,
                            struct mb_rotor *, struct mb_result *);

/* ---- checks ---- */

/* Of a block's MB_THREADS numbers each: their sums, in sum[0] and square[0], for every thread. */
__device__ inline void mb_sum_up(double *sum, double *square)
{
    unsigned t = threadIdx.x;

    __syncthreads();
    for (unsigned half = MB_THREADS / 2; half; half /= 2) {
        if (t < half) {
            sum[t] += sum[t + half];
            square[t] += square[t + half];
        }
        __syncthreads();
    }
}

/* Whether the kernel just launched was accepted. */
inline enum mb_status mb_launched(struct mb_result *r)
{
    MB_TRY(r, cudaGetLastError());
    return MB_DONE;
}

/* MB_WRONG, with what is at index i. */
enum mb_status mb_wrong(const char *what, int64_t i, double got, double want, struct mb_result *);

/* The samples that a checking kernel has written to mb_dev.samples, judged. */
enum mb_status mb_judge_samples(enum mb_precision, double terms, bool winograd, struct mb_result *);

#endif
