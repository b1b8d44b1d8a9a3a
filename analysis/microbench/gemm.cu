/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrix products by cuBLAS: C (m x n) = A (m x k) B (k x n), column-major as in cuBLAS and
 * DeepBench; ta and tb: A and B lie transposed. Sums in 32 bits; C in the precision of the inputs.
 */
#include "analysis/microbench/timing.cuh"

struct product {
    enum mb_precision precision;
    int64_t batch, m, n, k;
    int ta, tb;
    size_t a, b, c; /* places in a set */
};

static cudaDataType type_of(enum mb_precision p)
{
    return p == MB_FP16 ? CUDA_R_16F : p == MB_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

static enum mb_status multiply(const struct product *p, char *set, struct mb_result *r)
{
    const float one = 1, zero = 0;
    cudaDataType type = type_of(p->precision);
    cublasComputeType_t compute =
        p->precision == MB_TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    cublasOperation_t a = p->ta ? CUBLAS_OP_T : CUBLAS_OP_N, b = p->tb ? CUBLAS_OP_T : CUBLAS_OP_N;
    int m = (int)p->m, n = (int)p->n, k = (int)p->k, lda = p->ta ? k : m, ldb = p->tb ? n : k;

    if (p->batch == 1)
        return mb_cublas_status(cublasGemmEx(mb_dev.cublas, a, b, m, n, k, &one, set + p->a, type,
                                             lda, set + p->b, type, ldb, &zero, set + p->c, type, m,
                                             compute, CUBLAS_GEMM_DEFAULT),
                                r);
    return mb_cublas_status(cublasGemmStridedBatchedEx(
                                mb_dev.cublas, a, b, m, n, k, &one, set + p->a, type, lda,
                                p->m * p->k, set + p->b, type, ldb, p->k * p->n, &zero, set + p->c,
                                type, m, p->m * p->n, (int)p->batch, compute, CUBLAS_GEMM_DEFAULT),
                            r);
}

/* ---- the check ---- */

/* One block a sample: one element of C, in double precision, by the definition. */
template <class T>
__global__ void sample_product(const T *a, const T *b, const T *c, struct product p,
                               struct mb_sample *out)
{
    __shared__ double sum[MB_THREADS], square[MB_THREADS];
    int64_t size = p.m * p.n, elements = p.batch * size;
    /* Spread over C with the last element among them. */
    int64_t at = gridDim.x == 1 ? 0 : (elements - 1) * blockIdx.x / (gridDim.x - 1);
    int64_t e = at / size, i = at % size % p.m, j = at % size / p.m;
    unsigned t = threadIdx.x;

    a += e * p.m * p.k;
    b += e * p.k * p.n;
    sum[t] = square[t] = 0;
    for (int64_t l = t; l < p.k; l += blockDim.x) {
        double v = (double)mb_float(a[p.ta ? i * p.k + l : l * p.m + i]) *
                   (double)mb_float(b[p.tb ? l * p.n + j : j * p.k + l]);

        sum[t] += v;
        square[t] += v * v;
    }
    mb_sum_up(sum, square);
    if (t == 0)
        out[blockIdx.x] = {(double)mb_float(c[at]), sum[0], sqrt(square[0])};
}

template <class T>
static enum mb_status check_as(const struct product *p, char *set, struct mb_result *r)
{
    MB_LAUNCH(sample_product<T>, MB_SAMPLES, MB_THREADS, (const T *)(set + p->a),
              (const T *)(set + p->b), (const T *)(set + p->c), *p, mb_dev.samples);
    return mb_judge_samples(p->precision, (double)p->k, false, r);
}

static enum mb_status check(const struct product *p, char *set, struct mb_result *r)
{
    return p->precision == MB_FP16   ? check_as<__half>(p, set, r)
           : p->precision == MB_BF16 ? check_as<__nv_bfloat16>(p, set, r)
                                     : check_as<float>(p, set, r);
}

/* ---- the benchmarks ---- */

static enum mb_status run(struct product *p, struct mb_result *r)
{
    size_t size = mb_size(p->precision), batch = (size_t)p->batch;
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    enum mb_status status;

    p->a = layout.add(batch * (size_t)(p->m * p->k) * size);
    p->b = layout.add(batch * (size_t)(p->k * p->n) * size);
    p->c = layout.add(batch * (size_t)(p->m * p->n) * size);
    status = mb_rotor_get(&layout, false, 0, NULL, &rotor, r);
    if (status == MB_DONE)
        status = mb_fill(rotor.base, rotor.elements(p->precision), p->precision, -1, 1, r);
    if (status == MB_DONE)
        status = multiply(p, rotor.set(0), r);
    if (status == MB_DONE)
        status = check(p, rotor.set(0), r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return multiply(p, rotor.set(i), r); }, r);
}

enum mb_status mb_run_gemm(const struct mb_case *c, struct mb_result *r)
{
    struct product p = {c->precision,   1, c->dim[0], c->dim[1], c->dim[2], (int)c->dim[3],
                        (int)c->dim[4], 0, 0,         0};

    return run(&p, r);
}

enum mb_status mb_run_bmm(const struct mb_case *c, struct mb_result *r)
{
    struct product p = {c->precision, c->dim[0], c->dim[1], c->dim[2], c->dim[3], 0, 0, 0, 0, 0};

    return run(&p, r);
}
