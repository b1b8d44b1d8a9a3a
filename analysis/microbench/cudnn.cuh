/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cudnn.cuh - what the benchmarks by cuDNN share, if it was there when they were built.
 */
#ifndef MICROBENCH_CUDNN_CUH
#define MICROBENCH_CUDNN_CUH

#include "analysis/microbench/timing.cuh"

#ifdef MB_CUDNN
#include <cudnn.h>

/* What cuDNN does not support, or has no memory for, is skipped. */
inline enum mb_status mb_cudnn_status(cudnnStatus_t code, const char *call, struct mb_result *r)
{
    bool cannot = false;

    if (code == CUDNN_STATUS_SUCCESS)
        return MB_DONE;
#if CUDNN_MAJOR >= 9
    cannot = code / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000;
#else
    cannot = code == CUDNN_STATUS_NOT_SUPPORTED || code == CUDNN_STATUS_ARCH_MISMATCH;
#endif
    if (code == CUDNN_STATUS_ALLOC_FAILED)
        snprintf(r->why, sizeof r->why, "not enough memory");
    else
        snprintf(r->why, sizeof r->why, "%s: %s", call, cudnnGetErrorString(code));
    return cannot || code == CUDNN_STATUS_ALLOC_FAILED ? MB_SKIPPED : MB_BROKEN;
}

#define MB_TRY_CUDNN(result, call, ...)                                                            \
    do {                                                                                           \
        enum mb_status status_ = mb_cudnn_status(call(__VA_ARGS__), #call, result);                \
        if (status_ != MB_DONE)                                                                    \
            return status_;                                                                        \
    } while (0)

/* One handle on our stream; made when first asked for. */
inline enum mb_status mb_cudnn_handle(cudnnHandle_t *handle, struct mb_result *r)
{
    static cudnnHandle_t one;

    if (!one) {
        MB_TRY_CUDNN(r, cudnnCreate, &one);
        MB_TRY_CUDNN(r, cudnnSetStream, one, mb_dev.stream);
    }
    *handle = one;
    return MB_DONE;
}

#else

inline enum mb_status mb_no_cudnn(struct mb_result *r)
{
    snprintf(r->why, sizeof r->why, "built without cuDNN");
    return MB_SKIPPED;
}

#endif
#endif
