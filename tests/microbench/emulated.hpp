/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * emulated.hpp - as much of CUDA as the microbenchmarks use, on the CPU, for tests where no GPU is.
 *
 * A kernel's threads run as fibers, block after block, so that barriers, shuffles and shared memory
 * mean what they mean; calls are done when they return. The times are those of the emulation and
 * say nothing.
 *
 * The device says that it has 4 MiB, which keeps grids short; it gives up to EMU_LIMIT bytes (256
 * MiB). Further environment: EMU_GPUS, how many devices (1); EMU_DROP, a word: kernels and library
 * calls with it in their name do nothing, which a check ought to notice.
 */
#ifndef EMULATED_HPP
#define EMULATED_HPP

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ static

struct emu_dim {
    unsigned x;
};
inline emu_dim gridDim, blockDim, blockIdx, threadIdx;

enum { EMU_MEMORY = 4 << 20, EMU_MHZ = 1000 };

inline bool emu_dropped(const char *name)
{
    const char *word = getenv("EMU_DROP");

    return word && strstr(name, word);
}

/* ---- threads ---- */

/* Fibers are made once and then wait for the next block; they switch by _setjmp, which is quick. */
struct emu_fiber {
    jmp_buf at;
    bool made, done;
};
inline emu_fiber emu_fibers[1024];
inline jmp_buf emu_home;
inline std::function<void()> emu_kernel;

/* In a fiber: back to emu_block, until that comes here again. */
inline void emu_yield()
{
    unsigned t = threadIdx.x;

    if (_setjmp(emu_fibers[t].at) == 0)
        _longjmp(emu_home, 1);
    threadIdx.x = t;
}

inline void emu_enter()
{
    for (unsigned t = threadIdx.x;; emu_yield()) {
        emu_kernel();
        emu_fibers[t].done = true;
    }
}

inline void emu_resume(unsigned t)
{
    emu_fiber *f = &emu_fibers[t];
    ucontext_t begin;

    threadIdx.x = t;
    if (_setjmp(emu_home))
        return;
    if (f->made)
        _longjmp(f->at, 1);
    f->made = true;
    getcontext(&begin);
    begin.uc_stack.ss_size = 64 << 10;
    begin.uc_stack.ss_sp = malloc(begin.uc_stack.ss_size);
    makecontext(&begin, emu_enter, 0);
    setcontext(&begin);
}

/* All threads of a block, each up to its next barrier, until all are done. */
inline void emu_block(unsigned threads)
{
    for (unsigned t = 0; t < threads; t++)
        emu_fibers[t].done = false;
    for (unsigned left = threads; left;)
        for (unsigned t = left = 0; t < threads; t++)
            if (!emu_fibers[t].done) {
                emu_resume(t);
                left += !emu_fibers[t].done;
            }
}

inline void __syncthreads()
{
    emu_yield();
}

inline float __shfl_xor_sync(unsigned, float v, int by)
{
    static float all[1024];
    unsigned t = threadIdx.x;
    float other;

    all[t] = v;
    __syncthreads();
    other = all[t ^ (unsigned)by];
    __syncthreads();
    return other;
}

/* ---- launches: at once, or into a graph that is being recorded ---- */

typedef std::vector<std::function<void()>> *cudaGraph_t, *cudaGraphExec_t;
inline cudaGraph_t emu_recorded;

inline void emu_launch(const char *name, unsigned blocks, unsigned threads,
                       const std::function<void()> &kernel)
{
    auto run = [=]() {
        emu_kernel = kernel;
        gridDim.x = blocks;
        blockDim.x = threads;
        for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
            emu_block(threads);
    };

    if (emu_dropped(name))
        return;
    if (emu_recorded)
        emu_recorded->push_back(run);
    else
        run();
}

#define MB_LAUNCH(kernel, blocks, threads, ...)                                                    \
    emu_launch(#kernel, (unsigned)(blocks), (unsigned)(threads), [=]() { kernel(__VA_ARGS__); })

/* ---- what kernels call ---- */

struct alignas(16) float4 {
    float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}
inline float4 __ldcg(const float4 *p)
{
    return *p;
}
inline void atomicAdd(float *to, float v)
{
    *to += v;
}
inline float rsqrtf(float v)
{
    return 1 / sqrtf(v);
}
inline double emu_seconds()
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
inline long long clock64()
{
    return (long long)(1e6 * EMU_MHZ * emu_seconds());
}

/* 1 sign, 5 bits of exponent, 10 of fraction; what is too large becomes infinite. */
struct __half {
    uint16_t bits;
};
inline float __half2float(__half h)
{
    int exponent = h.bits >> 10 & 31, fraction = h.bits & 1023;
    float v = exponent == 31 ? fraction ? NAN : INFINITY
              : exponent     ? ldexpf((float)(1024 + fraction), exponent - 25)
                             : ldexpf((float)fraction, -24);

    return h.bits >> 15 ? -v : v;
}
inline __half __float2half(float f)
{
    float v = fabsf(f);
    uint16_t sign = signbit(f) ? 0x8000 : 0;
    int exponent = v < 0x1p-14f ? -14 : ilogbf(v);
    int units;

    if (!(v < 65520))
        return {(uint16_t)(sign | (isnan(f) ? 0x7e00 : 0x7c00))};
    /* In units of the last bit; 2048 of them carry into the exponent as they ought to. */
    units = (int)nearbyintf(ldexpf(v, 10 - exponent));
    return {(uint16_t)(sign | (units < 1024 ? units : ((exponent + 14) << 10) + units))};
}

struct __nv_bfloat16 {
    uint16_t bits;
};
inline float __bfloat162float(__nv_bfloat16 b)
{
    uint32_t bits = (uint32_t)b.bits << 16;
    float f;

    memcpy(&f, &bits, 4);
    return f;
}
inline __nv_bfloat16 __float2bfloat16(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, 4);
    return {(uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

/* ---- the runtime ---- */

enum cudaError_t {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorNotSupported,
    cudaErrorPeerAccessAlreadyEnabled
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr { cudaDevAttrClockRate };
enum { cudaStreamCaptureModeThreadLocal, cudaEventDisableTiming };
typedef struct emu_stream *cudaStream_t;
typedef double *cudaEvent_t;
struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount, l2CacheSize;
    size_t totalGlobalMem;
};

#define EMU_DOES(head, body)                                                                       \
    inline cudaError_t head                                                                        \
    {                                                                                              \
        body;                                                                                      \
        return cudaSuccess;                                                                        \
    }

inline const char *cudaGetErrorString(cudaError_t)
{
    return "an emulated error";
}

inline const cudaDeviceProp emu_prop = {"Emulated", 8, 0, 2, 4096, EMU_MEMORY};
inline std::map<void *, size_t> emu_held; /* by place: bytes of the device's memory */
inline size_t emu_used;

inline cudaError_t cudaMalloc(void **p, size_t size)
{
    const char *limit = getenv("EMU_LIMIT");

    if (emu_used + size > (limit ? strtoull(limit, NULL, 10) : 256 << 20))
        return cudaErrorMemoryAllocation;
    *p = aligned_alloc(256, (size + 255) / 256 * 256);
    memset(*p, 0xff, size); /* fresh memory is no number */
    emu_held[*p] = size;
    emu_used += size;
    return cudaSuccess;
}
EMU_DOES(cudaFree(void *p), emu_used -= emu_held.count(p) ? emu_held[p] : 0; emu_held.erase(p);
         free(p))
EMU_DOES(cudaMallocHost(void **p, size_t size), *p = malloc(size))
EMU_DOES(cudaFreeHost(void *p), free(p))
EMU_DOES(cudaGetLastError(), )
EMU_DOES(cudaGetDeviceCount(int *n), *n = getenv("EMU_GPUS") ? atoi(getenv("EMU_GPUS")) : 1)
EMU_DOES(cudaGetDeviceProperties(cudaDeviceProp *p, int), *p = emu_prop)
EMU_DOES(cudaDeviceGetAttribute(int *v, cudaDeviceAttr, int), *v = 1000 * EMU_MHZ)
EMU_DOES(cudaDeviceGetPCIBusId(char *to, int, int), *to = '\0')
EMU_DOES(cudaRuntimeGetVersion(int *v), *v = 12080)
EMU_DOES(cudaDriverGetVersion(int *v), *v = 13000)
EMU_DOES(cudaSetDevice(int), )
EMU_DOES(cudaDeviceSynchronize(), )
EMU_DOES(cudaDeviceCanAccessPeer(int *can, int, int), *can = 1)
EMU_DOES(cudaStreamCreate(cudaStream_t *s), *s = NULL)
EMU_DOES(cudaStreamDestroy(cudaStream_t), )
EMU_DOES(cudaStreamSynchronize(cudaStream_t), )
EMU_DOES(cudaEventCreate(cudaEvent_t *e), *e = new double())
EMU_DOES(cudaEventCreateWithFlags(cudaEvent_t *e, int), *e = new double())
EMU_DOES(cudaEventRecord(cudaEvent_t e, cudaStream_t), *e = emu_seconds())
EMU_DOES(cudaEventSynchronize(cudaEvent_t), )
EMU_DOES(cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b),
         *ms = (float)(1e3 * (*b - *a)))
EMU_DOES(cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t), memset(p, v, n))
EMU_DOES(cudaMemset(void *p, int v, size_t n), memset(p, v, n))
EMU_DOES(cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind), memcpy(to, from, n))

/* The kind is looked at: which side a place is on is known. */
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind,
                                   cudaStream_t)
{
    auto on_device = [](const void *p) {
        auto above = emu_held.upper_bound((void *)p);

        return above != emu_held.begin() &&
               (char *)p < (char *)std::prev(above)->first + std::prev(above)->second;
    };

    if (on_device(to) != (kind != cudaMemcpyDeviceToHost) ||
        on_device(from) != (kind != cudaMemcpyHostToDevice))
        return cudaErrorNotSupported;
    if (!emu_dropped("cudaMemcpyAsync"))
        memcpy(to, from, n);
    return cudaSuccess;
}
EMU_DOES(cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t n, cudaStream_t),
         if (!emu_dropped("cudaMemcpyPeerAsync")) memcpy(to, from, n))

/* As with CUDA, once is enough: twice is an error. */
inline cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned)
{
    static bool enabled[16];

    return std::exchange(enabled[peer], true) ? cudaErrorPeerAccessAlreadyEnabled : cudaSuccess;
}

EMU_DOES(cudaStreamBeginCapture(cudaStream_t, int),
         emu_recorded = new std::vector<std::function<void()>>())
EMU_DOES(cudaStreamEndCapture(cudaStream_t, cudaGraph_t *g), *g = emu_recorded; emu_recorded = NULL)
EMU_DOES(cudaGraphInstantiateWithFlags(cudaGraphExec_t *e, cudaGraph_t g, int),
         *e = new std::vector<std::function<void()>>(*g))
EMU_DOES(cudaGraphDestroy(cudaGraph_t g), delete g)
EMU_DOES(cudaGraphExecDestroy(cudaGraphExec_t e), delete e)
EMU_DOES(cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t),
         if (!emu_dropped("cudaGraphLaunch")) for (auto &kernel
                                                   : *e) kernel())

#endif
