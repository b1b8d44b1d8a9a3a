/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <time.h>

#include "analysis/microbench/timing.cuh"
#include "analysis/microbench/nvml.h"

#ifdef MB_CUDNN
#include <cudnn.h>
#endif
#ifdef MB_NCCL
#include <nccl.h>
#endif

struct mb_device mb_dev;

/* ---- errors ---- */

enum mb_status mb_cuda_status(cudaError_t code, const char *call, struct mb_result *r)
{
    (void)cudaGetLastError(); /* is seen: it shall not be taken for that of the next call */
    if (code == cudaErrorMemoryAllocation) {
        snprintf(r->why, sizeof r->why, "not enough memory");
        return MB_SKIPPED;
    }
    if (code == cudaErrorNotSupported) {
        snprintf(r->why, sizeof r->why, "not supported");
        return MB_SKIPPED;
    }
    snprintf(r->why, sizeof r->why, "%.*s: %s", (int)strcspn(call, "("), call,
             cudaGetErrorString(code));
    return MB_BROKEN;
}

enum mb_status mb_cublas_status(cublasStatus_t code, struct mb_result *r)
{
    bool cannot = code == CUBLAS_STATUS_NOT_SUPPORTED || code == CUBLAS_STATUS_ARCH_MISMATCH;
    bool full = code == CUBLAS_STATUS_ALLOC_FAILED;

    if (code == CUBLAS_STATUS_SUCCESS)
        return MB_DONE;
    if (cannot || full)
        snprintf(r->why, sizeof r->why, full ? "not enough memory" : "cuBLAS: not supported");
    else
        snprintf(r->why, sizeof r->why, "cuBLAS: status %d", (int)code);
    return cannot || full ? MB_SKIPPED : MB_BROKEN;
}

enum mb_status mb_wrong(const char *what, int64_t i, double got, double want, struct mb_result *r)
{
    snprintf(r->why, sizeof r->why, "wrong result: %s %lld is %.6g instead of %.6g", what,
             (long long)i, got, want);
    return MB_WRONG;
}

enum mb_status mb_judge_samples(enum mb_precision p, double terms, bool winograd,
                                struct mb_result *r)
{
    MB_TRY(r, cudaGetLastError());
    MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
    return mb_judge(mb_dev.samples, MB_SAMPLES, p, terms, winograd, r);
}

/* ---- the device ---- */

/* CUDA's numbers: 12080 is 12.8. */
static void put_version(char *text, int version)
{
    if (version > 0)
        snprintf(text, 16, "%d.%d", version / 1000, version % 1000 / 10);
}

static void find_versions(struct mb_gpu *gpu)
{
    int v = 0, minor = 0, patch = 0;

    if (cudaRuntimeGetVersion(&v) == cudaSuccess)
        put_version(gpu->cuda, v);
    if (cudaDriverGetVersion(&v) == cudaSuccess)
        put_version(gpu->driver_cuda, v);
    if (cublasGetProperty(MAJOR_VERSION, &v) == CUBLAS_STATUS_SUCCESS &&
        cublasGetProperty(MINOR_VERSION, &minor) == CUBLAS_STATUS_SUCCESS &&
        cublasGetProperty(PATCH_LEVEL, &patch) == CUBLAS_STATUS_SUCCESS)
        snprintf(gpu->cublas, sizeof gpu->cublas, "%d.%d.%d", v, minor, patch);
#ifdef MB_CUDNN
    size_t c = cudnnGetVersion();
    size_t major = c >= 90000 ? 10000 : 1000;

    snprintf(gpu->cudnn, sizeof gpu->cudnn, "%u.%u.%u", (unsigned)(c / major),
             (unsigned)(c % major / 100), (unsigned)(c % 100));
#endif
#ifdef MB_NCCL
    if (ncclGetVersion(&v) == ncclSuccess)
        snprintf(gpu->nccl, sizeof gpu->nccl, "%d.%d.%d", v / 10000, v / 100 % 100, v % 100);
#endif
}

static int attribute(enum cudaDeviceAttr which)
{
    int v = 0;

    return cudaDeviceGetAttribute(&v, which, 0) == cudaSuccess ? v : 0;
}

enum mb_status mb_device_find(struct mb_gpu *gpu, struct mb_result *r)
{
    struct cudaDeviceProp prop;
    struct mb_nvml nvml;
    cudaError_t code = cudaGetDeviceCount(&gpu->gpus);

    if (code != cudaSuccess || gpu->gpus < 1) {
        snprintf(r->why, sizeof r->why, "no CUDA device: %s; a GPU and its driver are wanted",
                 code != cudaSuccess ? cudaGetErrorString(code) : "none is visible");
        return MB_BROKEN;
    }
    MB_TRY(r, cudaGetDeviceProperties(&prop, 0));
    snprintf(gpu->product, sizeof gpu->product, "%s", prop.name);
    gpu->cc = 10 * prop.major + prop.minor;
    gpu->sms = prop.multiProcessorCount;
    gpu->memory = (int64_t)prop.totalGlobalMem;
    gpu->l2 = prop.l2CacheSize;
    gpu->clock_mhz = attribute(cudaDevAttrClockRate) / 1000;
    if (cudaDeviceGetPCIBusId(gpu->pci, sizeof gpu->pci, 0) != cudaSuccess)
        gpu->pci[0] = '\0';
    mb_nvml_read(gpu->pci, &nvml);
    gpu->nvlink = nvml.nvlink;
    find_versions(gpu);
    return MB_DONE;
}

enum mb_status mb_device_open(const struct mb_gpu *gpu, const struct mb_effort *effort,
                              struct mb_result *r)
{
    enum mb_status status;

    mb_dev.gpu = *gpu;
    mb_dev.effort = *effort;
    MB_TRY(r, cudaSetDevice(0));
    MB_TRY(r, cudaStreamCreate(&mb_dev.stream));
    MB_TRY(r, cudaEventCreate(&mb_dev.begin));
    MB_TRY(r, cudaEventCreate(&mb_dev.end));
    MB_TRY(r, cudaMallocHost((void **)&mb_dev.samples, MB_SAMPLES * sizeof *mb_dev.samples));
    status = mb_cublas_status(cublasCreate(&mb_dev.cublas), r);
    if (status == MB_DONE)
        status = mb_cublas_status(cublasSetStream(mb_dev.cublas, mb_dev.stream), r);
    return status;
}

void mb_device_close(void)
{
    if (mb_dev.cublas)
        cublasDestroy(mb_dev.cublas);
    cudaFreeHost(mb_dev.samples);
    cudaFree(mb_dev.memory);
    mb_dev = (struct mb_device){};
}

unsigned mb_blocks(int64_t items)
{
    int64_t wanted = (items + MB_THREADS - 1) / MB_THREADS, most = 16 * (int64_t)mb_dev.gpu.sms;

    return (unsigned)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

/* ---- elements ---- */

/* Bits that look random, of a place (the finaliser of MurmurHash3). */
__device__ static unsigned scramble(unsigned v)
{
    v = (v ^ v >> 16) * 0x85ebca6bu;
    v = (v ^ v >> 13) * 0xc2b2ae35u;
    return v ^ v >> 16;
}

template <class T> __global__ void fill(T *to, int64_t n, float low, float high)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mb_set(&to[i], low + (high - low) * 0x1p-24f * (float)(scramble((unsigned)i) >> 8));
}

__global__ static void fill_int(int *to, int64_t n, int below)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        to[i] = (int)(scramble((unsigned)i) % (unsigned)below);
}

enum mb_status mb_fill(void *to, int64_t n, enum mb_precision p, float low, float high,
                       struct mb_result *r)
{
    if (p == MB_FP16)
        MB_LAUNCH(fill<__half>, mb_blocks(n), MB_THREADS, (__half *)to, n, low, high);
    else if (p == MB_BF16)
        MB_LAUNCH(fill<__nv_bfloat16>, mb_blocks(n), MB_THREADS, (__nv_bfloat16 *)to, n, low, high);
    else
        MB_LAUNCH(fill<float>, mb_blocks(n), MB_THREADS, (float *)to, n, low, high);
    return mb_launched(r);
}

enum mb_status mb_fill_int(int *to, int64_t n, int below, struct mb_result *r)
{
    MB_LAUNCH(fill_int, mb_blocks(n), MB_THREADS, to, n, below);
    return mb_launched(r);
}

template <class T>
static enum mb_status download(const T *from, size_t n, std::vector<float> *to, struct mb_result *r)
{
    std::vector<T> as(n);

    MB_TRY(r,
           cudaMemcpyAsync(as.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost, mb_dev.stream));
    MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
    to->resize(n);
    for (size_t i = 0; i < n; i++)
        (*to)[i] = mb_float(as[i]);
    return MB_DONE;
}

enum mb_status mb_download(const void *from, size_t n, enum mb_precision p, std::vector<float> *to,
                           struct mb_result *r)
{
    return p == MB_FP16   ? download((const __half *)from, n, to, r)
           : p == MB_BF16 ? download((const __nv_bfloat16 *)from, n, to, r)
                          : download((const float *)from, n, to, r);
}

/* ---- memory ---- */

enum mb_status mb_rotor_get(const struct mb_layout *layout, bool once, size_t beside, char **extra,
                            struct mb_rotor *rotor, struct mb_result *r)
{
    size_t cover = 3 * (size_t)mb_dev.gpu.l2, stride = layout->size ? layout->size : 256;
    size_t sets = once || stride >= cover ? 1 : (cover + stride - 1) / stride;
    size_t all;

    /* Two at least, so that what a case has just written is not what it reads next; if there is
     * memory for two. */
    if (!once && sets < 2 && (double)stride * 2.5 < (double)mb_dev.gpu.memory)
        sets = 2;
    all = sets * stride + beside;
    if (mb_dev.memory_size < all) {
        cudaFree(mb_dev.memory);
        mb_dev.memory = NULL;
        mb_dev.memory_size = 0;
        MB_TRY(r, cudaMalloc((void **)&mb_dev.memory, all));
        mb_dev.memory_size = all;
    }
    *rotor = (struct mb_rotor){mb_dev.memory, stride, (int64_t)sets};
    if (extra)
        *extra = mb_dev.memory + sets * stride;
    return MB_DONE;
}

/* ---- timing ---- */

__global__ static void wait_cycles(long long cycles)
{
    long long begun = clock64();

    while (clock64() - begun < cycles)
        ;
}

void mb_hold(double us)
{
    MB_LAUNCH(wait_cycles, 1, 1, (long long)(us * mb_dev.gpu.clock_mhz));
}

double mb_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
