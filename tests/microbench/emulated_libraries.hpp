/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * emulated_libraries.hpp - the calls of cuBLAS, cuDNN and NCCL that the microbenchmarks make, by
 * the definition. Products and convolutions go through every input once, unlike the checks, which
 * go through the terms of single outputs.
 */
#ifndef EMULATED_LIBRARIES_HPP
#define EMULATED_LIBRARIES_HPP

#include "tests/microbench/emulated.hpp"

/* Elements of any of the three types. */
enum cudaDataType { CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF };

inline float emu_get(const void *p, cudaDataType t, int64_t i)
{
    return t == CUDA_R_16F    ? __half2float(((const __half *)p)[i])
           : t == CUDA_R_16BF ? __bfloat162float(((const __nv_bfloat16 *)p)[i])
                              : ((const float *)p)[i];
}
inline void emu_put(void *p, cudaDataType t, int64_t i, float v)
{
    if (t == CUDA_R_16F)
        ((__half *)p)[i] = __float2half(v);
    else if (t == CUDA_R_16BF)
        ((__nv_bfloat16 *)p)[i] = __float2bfloat16(v);
    else
        ((float *)p)[i] = v;
}

/* ---- cuBLAS ---- */

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS,
    CUBLAS_STATUS_NOT_SUPPORTED,
    CUBLAS_STATUS_ARCH_MISMATCH,
    CUBLAS_STATUS_ALLOC_FAILED
};
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT };
enum { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };
typedef struct emu_blas *cublasHandle_t;

inline cublasStatus_t cublasCreate(cublasHandle_t *h)
{
    *h = (cublasHandle_t)malloc(1);
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t h)
{
    free(h);
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t)
{
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetProperty(int which, int *v)
{
    *v = 1 + which;
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *,
    const void *a, cudaDataType type, int lda, long long by_a, const void *b, cudaDataType, int ldb,
    long long by_b, const void *, void *c, cudaDataType, int ldc, long long by_c, int batch,
    cublasComputeType_t, cublasGemmAlgo_t)
{
    std::vector<float> column((size_t)m);

    if (lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    for (int e = 0; e < batch && !emu_dropped("cublasGemm"); e++)
        for (int j = 0; j < n; j++) {
            std::fill(column.begin(), column.end(), 0.f);
            for (int l = 0; l < k; l++) {
                float v =
                    emu_get(b, type, e * by_b + (tb ? j + (int64_t)l * ldb : l + (int64_t)j * ldb));

                for (int i = 0; i < m; i++)
                    column[(size_t)i] +=
                        v * emu_get(a, type,
                                    e * by_a + (ta ? l + (int64_t)i * lda : i + (int64_t)l * lda));
            }
            for (int i = 0; i < m; i++)
                emu_put(c, type, e * by_c + i + (int64_t)j * ldc, column[(size_t)i]);
        }
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                                   int m, int n, int k, const void *one, const void *a,
                                   cudaDataType ty, int lda, const void *b, cudaDataType, int ldb,
                                   const void *zero, void *c, cudaDataType, int ldc,
                                   cublasComputeType_t how, cublasGemmAlgo_t algo)
{
    return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, one, a, ty, lda, 0, b, ty, ldb, 0, zero,
                                      c, ty, ldc, 0, 1, how, algo);
}
/* Of the loop beside other processes, whose result nobody reads: it takes its time only. */
inline cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                  int, const float *, const float *, int, const float *, int,
                                  const float *, float *, int)
{
    struct timespec t = {0, 5000000};

    nanosleep(&t, NULL);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- cuDNN ---- */

#define CUDNN_MAJOR 9

enum cudnnStatus_t {
    CUDNN_STATUS_SUCCESS = 0,
    CUDNN_STATUS_NOT_SUPPORTED = 3000,
    CUDNN_STATUS_ALLOC_FAILED = 4003
};
enum cudnnDataType_t { CUDNN_DATA_FLOAT = CUDA_R_32F, CUDNN_DATA_HALF = CUDA_R_16F };
enum cudnnMathType_t { CUDNN_TENSOR_OP_MATH, CUDNN_FMA_MATH, CUDNN_DEFAULT_MATH };
enum { CUDNN_TENSOR_NCHW, CUDNN_CROSS_CORRELATION };
enum cudnnBatchNormMode_t { CUDNN_BATCHNORM_SPATIAL };
enum cudnnConvolutionFwdAlgo_t { EMU_FORWARD = 1 };
enum cudnnConvolutionBwdDataAlgo_t { EMU_DATA = 1 };
enum cudnnConvolutionBwdFilterAlgo_t { EMU_FILTER = 1 };

struct emu_tensor {
    cudnnDataType_t type;
    int d[7]; /* n c h w, k c r s, or pads and strides */
};
typedef emu_tensor *cudnnTensorDescriptor_t, *cudnnFilterDescriptor_t,
    *cudnnConvolutionDescriptor_t;
typedef struct emu_dnn *cudnnHandle_t;
template <class Algo> struct emu_perf {
    Algo algo;
    cudnnStatus_t status;
    size_t memory;
    cudnnMathType_t mathType;
};
typedef emu_perf<cudnnConvolutionFwdAlgo_t> cudnnConvolutionFwdAlgoPerf_t;
typedef emu_perf<cudnnConvolutionBwdDataAlgo_t> cudnnConvolutionBwdDataAlgoPerf_t;
typedef emu_perf<cudnnConvolutionBwdFilterAlgo_t> cudnnConvolutionBwdFilterAlgoPerf_t;

#define EMU_DNN(head, body)                                                                        \
    inline cudnnStatus_t head                                                                      \
    {                                                                                              \
        body;                                                                                      \
        return CUDNN_STATUS_SUCCESS;                                                               \
    }

EMU_DNN(cudnnCreate(cudnnHandle_t *h), *h = (cudnnHandle_t)malloc(1))
EMU_DNN(cudnnSetStream(cudnnHandle_t, cudaStream_t), )
inline size_t cudnnGetVersion()
{
    return 91002;
}
inline const char *cudnnGetErrorString(cudnnStatus_t)
{
    return "an emulated error";
}
EMU_DNN(cudnnCreateTensorDescriptor(emu_tensor **t), *t = new emu_tensor())
EMU_DNN(cudnnCreateFilterDescriptor(emu_tensor **t), *t = new emu_tensor())
EMU_DNN(cudnnCreateConvolutionDescriptor(emu_tensor **t), *t = new emu_tensor())
EMU_DNN(cudnnDestroyTensorDescriptor(emu_tensor *t), delete t)
EMU_DNN(cudnnDestroyFilterDescriptor(emu_tensor *t), delete t)
EMU_DNN(cudnnDestroyConvolutionDescriptor(emu_tensor *t), delete t)
EMU_DNN(cudnnSetConvolutionMathType(emu_tensor *, cudnnMathType_t), )
inline cudnnStatus_t cudnnSetTensor4dDescriptor(emu_tensor *t, int, cudnnDataType_t type, int n,
                                                int c, int h, int w)
{
    *t = {type, {n, c, h, w}};
    return CUDNN_STATUS_SUCCESS;
}
inline cudnnStatus_t cudnnSetFilter4dDescriptor(emu_tensor *t, cudnnDataType_t type, int, int k,
                                                int c, int r, int s)
{
    *t = {type, {k, c, r, s}};
    return CUDNN_STATUS_SUCCESS;
}
inline cudnnStatus_t cudnnSetConvolution2dDescriptor(emu_tensor *t, int ph, int pw, int sh, int sw,
                                                     int, int, int, cudnnDataType_t type)
{
    *t = {type, {ph, pw, sh, sw}};
    return CUDNN_STATUS_SUCCESS;
}
EMU_DNN(cudnnDeriveBNTensorDescriptor(emu_tensor *to, emu_tensor *of, cudnnBatchNormMode_t),
        *to = *of)

enum emu_way { EMU_TO_Y, EMU_TO_X, EMU_TO_W };

/* Every product of the convolution once, added to where it belongs. */
inline cudnnStatus_t emu_conv(emu_way way, const emu_tensor *xd, void *x, const emu_tensor *wd,
                              void *w, const emu_tensor *cd, const emu_tensor *yd, void *y)
{
    const int *X = xd->d, *W = wd->d, *Y = yd->d, *C = cd->d;
    cudaDataType t = (cudaDataType)xd->type;
    auto size = [](const int *d) { return (size_t)d[0] * d[1] * d[2] * d[3]; };
    std::vector<float> sum(size(way == EMU_TO_Y ? Y : way == EMU_TO_X ? X : W), 0.f);

    if (X[1] != W[1] || Y[0] != X[0] || Y[1] != W[0] ||
        Y[2] != (X[2] + 2 * C[0] - W[2]) / C[2] + 1 || Y[3] != (X[3] + 2 * C[1] - W[3]) / C[3] + 1)
        return CUDNN_STATUS_NOT_SUPPORTED;
    for (int64_t e = 0; e < (int64_t)size(Y); e++) {
        int q = (int)(e % Y[3]), p = (int)(e / Y[3] % Y[2]), k = (int)(e / Y[3] / Y[2] % Y[1]);
        int64_t n = e / Y[3] / Y[2] / Y[1];

        for (int64_t l = 0; l < (int64_t)W[1] * W[2] * W[3]; l++) {
            int s = (int)(l % W[3]), r = (int)(l / W[3] % W[2]), c = (int)(l / W[3] / W[2]);
            int i = p * C[2] + r - C[0], j = q * C[3] + s - C[1];
            int64_t at_x = ((n * X[1] + c) * X[2] + i) * X[3] + j;
            int64_t at_w = (int64_t)k * W[1] * W[2] * W[3] + l;

            if (i < 0 || j < 0 || i >= X[2] || j >= X[3])
                continue;
            if (way == EMU_TO_Y)
                sum[(size_t)e] += emu_get(x, t, at_x) * emu_get(w, t, at_w);
            else if (way == EMU_TO_X)
                sum[(size_t)at_x] += emu_get(y, t, e) * emu_get(w, t, at_w);
            else
                sum[(size_t)at_w] += emu_get(y, t, e) * emu_get(x, t, at_x);
        }
    }
    for (size_t i = 0; i < sum.size() && !emu_dropped("cudnnConvolution"); i++)
        emu_put(way == EMU_TO_Y ? y : way == EMU_TO_X ? x : w, t, (int64_t)i, sum[i]);
    return CUDNN_STATUS_SUCCESS;
}

inline cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t, const float *, emu_tensor *xd, void *x,
                                             emu_tensor *wd, void *w, emu_tensor *cd,
                                             cudnnConvolutionFwdAlgo_t algo, void *, size_t,
                                             const float *, emu_tensor *yd, void *y)
{
    return algo == EMU_FORWARD ? emu_conv(EMU_TO_Y, xd, x, wd, w, cd, yd, y)
                               : CUDNN_STATUS_NOT_SUPPORTED;
}
inline cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t, const float *, emu_tensor *wd,
                                                  void *w, emu_tensor *yd, void *y, emu_tensor *cd,
                                                  cudnnConvolutionBwdDataAlgo_t algo, void *,
                                                  size_t, const float *, emu_tensor *xd, void *x)
{
    return algo == EMU_DATA ? emu_conv(EMU_TO_X, xd, x, wd, w, cd, yd, y)
                            : CUDNN_STATUS_NOT_SUPPORTED;
}
inline cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t, const float *, emu_tensor *xd,
                                                    void *x, emu_tensor *yd, void *y,
                                                    emu_tensor *cd,
                                                    cudnnConvolutionBwdFilterAlgo_t algo, void *,
                                                    size_t, const float *, emu_tensor *wd, void *w)
{
    return algo == EMU_FILTER ? emu_conv(EMU_TO_W, xd, x, wd, w, cd, yd, y)
                              : CUDNN_STATUS_NOT_SUPPORTED;
}

/* A find: the one algorithm, and a workspace that is a tenth of what there may be. */
template <class Algo> cudnnStatus_t emu_find(int *n, emu_perf<Algo> *found, size_t space)
{
    *n = 1;
    *found = {(Algo)1, CUDNN_STATUS_SUCCESS, space / 10, CUDNN_FMA_MATH};
    return CUDNN_STATUS_SUCCESS;
}
inline cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t, emu_tensor *, void *,
                                                            emu_tensor *, void *, emu_tensor *,
                                                            emu_tensor *, void *, int, int *n,
                                                            cudnnConvolutionFwdAlgoPerf_t *found,
                                                            void *, size_t space)
{
    return emu_find(n, found, space);
}
inline cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t, emu_tensor *, void *, emu_tensor *, void *, emu_tensor *, emu_tensor *, void *,
    int, int *n, cudnnConvolutionBwdDataAlgoPerf_t *found, void *, size_t space)
{
    return emu_find(n, found, space);
}
inline cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t, emu_tensor *, void *, emu_tensor *, void *, emu_tensor *, emu_tensor *, void *,
    int, int *n, cudnnConvolutionBwdFilterAlgoPerf_t *found, void *, size_t space)
{
    return emu_find(n, found, space);
}

/* Calls with each element of a channel: its place. */
template <class F> void emu_channel(const int *d, int c, F f)
{
    for (int64_t n = 0; n < d[0]; n++)
        for (int64_t i = 0; i < (int64_t)d[2] * d[3]; i++)
            f((n * d[1] + c) * d[2] * d[3] + i);
}

inline cudnnStatus_t cudnnBatchNormalizationForwardTraining(cudnnHandle_t, cudnnBatchNormMode_t,
                                                            const float *, const float *,
                                                            emu_tensor *td, void *x, emu_tensor *,
                                                            void *y, emu_tensor *, float *g,
                                                            float *b, double, void *, void *,
                                                            double tiny, float *mean, float *scale)
{
    cudaDataType t = (cudaDataType)td->type;

    for (int c = 0; c < td->d[1]; c++) {
        double n = (double)td->d[0] * td->d[2] * td->d[3], m = 0, v = 0;

        emu_channel(td->d, c, [&](int64_t i) { m += emu_get(x, t, i) / n; });
        emu_channel(td->d, c, [&](int64_t i) { v += pow(emu_get(x, t, i) - m, 2) / n; });
        mean[c] = (float)m;
        scale[c] = (float)(1 / sqrt(v + tiny));
        if (!emu_dropped("cudnnBatchNormalizationForward"))
            emu_channel(td->d, c, [&](int64_t i) {
                emu_put(y, t, i, (float)((emu_get(x, t, i) - m) / sqrt(v + tiny)) * g[c] + b[c]);
            });
    }
    return CUDNN_STATUS_SUCCESS;
}

inline cudnnStatus_t cudnnBatchNormalizationBackward(cudnnHandle_t, cudnnBatchNormMode_t,
                                                     const float *, const float *, const float *,
                                                     const float *, emu_tensor *td, void *x,
                                                     emu_tensor *, void *dy, emu_tensor *, void *dx,
                                                     emu_tensor *, float *g, float *dg, float *db,
                                                     double, float *mean, float *scale)
{
    cudaDataType t = (cudaDataType)td->type;

    for (int c = 0; c < td->d[1]; c++) {
        double n = (double)td->d[0] * td->d[2] * td->d[3], along = 0, plain = 0;
        auto hat = [&](int64_t i) { return (emu_get(x, t, i) - mean[c]) * scale[c]; };

        emu_channel(td->d, c, [&](int64_t i) {
            plain += emu_get(dy, t, i);
            along += emu_get(dy, t, i) * hat(i);
        });
        dg[c] = (float)along;
        db[c] = (float)plain;
        if (!emu_dropped("cudnnBatchNormalizationBackward"))
            emu_channel(td->d, c, [&](int64_t i) {
                emu_put(dx, t, i,
                        (float)(g[c] * scale[c] *
                                (emu_get(dy, t, i) - plain / n - hat(i) * along / n)));
            });
    }
    return CUDNN_STATUS_SUCCESS;
}

/* ---- NCCL: what is asked for between begin and end of a group is done at its end ---- */

enum ncclResult_t { ncclSuccess };
enum { ncclFloat, ncclSum };
typedef struct emu_comm *ncclComm_t;

inline std::vector<std::pair<float *, size_t>> emu_group;

inline ncclResult_t ncclGetVersion(int *v)
{
    *v = 22803;
    return ncclSuccess;
}
inline const char *ncclGetErrorString(ncclResult_t)
{
    return "an emulated error";
}
inline ncclResult_t ncclCommInitAll(ncclComm_t *c, int n, const int *)
{
    for (int i = 0; i < n; i++)
        c[i] = (ncclComm_t)malloc(1);
    return ncclSuccess;
}
inline ncclResult_t ncclCommDestroy(ncclComm_t c)
{
    free(c);
    return ncclSuccess;
}
inline ncclResult_t ncclGroupStart()
{
    emu_group.clear();
    return ncclSuccess;
}
inline ncclResult_t ncclAllReduce(const float *, float *to, size_t n, int, int, ncclComm_t,
                                  cudaStream_t)
{
    emu_group.push_back({to, n});
    return ncclSuccess;
}
inline ncclResult_t ncclGroupEnd()
{
    for (size_t i = 0; i < emu_group[0].second && !emu_dropped("ncclAllReduce"); i++) {
        float sum = 0;

        for (auto &g : emu_group)
            sum += g.first[i];
        for (auto &g : emu_group)
            g.first[i] = sum;
    }
    return ncclSuccess;
}

#endif
