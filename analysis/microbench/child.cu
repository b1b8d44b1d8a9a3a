/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a child process does: makes a context, or keeps the GPU busy beside others and tells how
 * much it got done. Loops: a square matrix product of 2048 in fp32, bound by arithmetic, and a sum
 * of two tensors of 64 MiB, bound by memory.
 */
#include <string.h>

#include "analysis/microbench/timing.cuh"

enum { SIDE = 2048, ELEMENTS = 1 << 24 };

static const double warm_up = 0.4, window = 1.2, after = 0.4; /* seconds */

__global__ static void add(const float4 *a, const float4 *b, float4 *c, int64_t n)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        float4 x = a[i], y = b[i];

        c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
}

static enum mb_status context(struct mb_result *r)
{
    double begun = mb_seconds();

    MB_TRY(r, cudaFree(NULL)); /* the usual way to have the context made now */
    MB_TRY(r, cudaDeviceSynchronize());
    printf("%.9g\n", mb_seconds() - begun);
    return MB_DONE;
}

static enum mb_status once(bool gemm, float *a, float *b, float *c, struct mb_result *r)
{
    const float one = 1, zero = 0;

    if (gemm)
        return mb_cublas_status(cublasSgemm(mb_dev.cublas, CUBLAS_OP_N, CUBLAS_OP_N, SIDE, SIDE,
                                            SIDE, &one, a, SIDE, b, SIDE, &zero, c, SIDE),
                                r);
    MB_LAUNCH(add, mb_blocks(ELEMENTS / 4), MB_THREADS, (const float4 *)a, (const float4 *)b,
              (float4 *)c, ELEMENTS / 4);
    return mb_launched(r);
}

/* Counts what is done between warm_up and window behind it. Two calls are queued at a time, so that
 * the GPU has always one to do. */
static enum mb_status work(bool gemm, float *a, float *b, float *c, struct mb_result *r)
{
    double begun = mb_seconds(), first = 0, last = 0;
    int64_t n = 0;
    cudaEvent_t done[2];
    enum mb_status status = MB_DONE;

    MB_TRY(r, cudaEventCreateWithFlags(&done[0], cudaEventDisableTiming));
    MB_TRY(r, cudaEventCreateWithFlags(&done[1], cudaEventDisableTiming));
    for (int64_t i = 0; status == MB_DONE; i++) {
        double at;

        status = once(gemm, a, b, c, r);
        MB_TRY(r, cudaEventRecord(done[i % 2], mb_dev.stream));
        if (i == 0)
            continue;
        MB_TRY(r, cudaEventSynchronize(done[(i - 1) % 2]));
        at = mb_seconds() - begun;
        if (at >= warm_up && at < warm_up + window) {
            n += first > 0; /* the first one only starts the clock */
            last = at;
            first = first > 0 ? first : at;
        }
        if (at >= warm_up + window + after)
            break;
    }
    if (status == MB_DONE && n > 0)
        printf("%.9g\n", (double)n / (last - first));
    else if (status == MB_DONE)
        printf("error too slow to be measured\n");
    return status;
}

static enum mb_status busy(bool gemm, struct mb_result *r)
{
    size_t bytes = gemm ? (size_t)SIDE * SIDE * 4 : (size_t)ELEMENTS * 4;
    struct mb_effort effort = {3, 1};
    struct mb_gpu gpu = {};
    char line[16];
    char *at;
    enum mb_status status = mb_device_find(&gpu, r);

    if (status == MB_DONE)
        status = mb_device_open(&gpu, &effort, r);
    if (status != MB_DONE)
        return status;
    MB_TRY(r, cudaMalloc((void **)&at, 3 * bytes));
    status = mb_fill(at, (int64_t)(3 * bytes / 4), MB_FP32, -1, 1, r);
    if (status == MB_DONE)
        status = once(gemm, (float *)at, (float *)(at + bytes), (float *)(at + 2 * bytes), r);
    if (status != MB_DONE)
        return status;
    MB_TRY(r, cudaDeviceSynchronize());
    printf("ready\n");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        return MB_DONE; /* nobody wants it any more */
    status = work(gemm, (float *)at, (float *)(at + bytes), (float *)(at + 2 * bytes), r);
    cudaFree(at);
    return status;
}

int mb_child(const char *what)
{
    struct mb_result r = {};
    enum mb_status status = MB_BROKEN;

    if (strcmp(what, "context") == 0)
        status = context(&r);
    else if (strcmp(what, "gemm") == 0 || strcmp(what, "stream") == 0)
        status = busy(strcmp(what, "gemm") == 0, &r);
    else
        snprintf(r.why, sizeof r.why, "no such work: %.60s", what);
    if (status != MB_DONE)
        printf("error %s\n", r.why);
    fflush(stdout);
    return status != MB_DONE;
}
