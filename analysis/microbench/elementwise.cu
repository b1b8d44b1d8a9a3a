/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Elementwise operators: own grid-stride kernels, 16 bytes a load, computed in 32 bits.
 */
#include <string.h>

#include "analysis/microbench/timing.cuh"

struct op_add {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct op_mul {
    __device__ float operator()(float a, float b) const { return a * b; }
};
struct op_div {
    __device__ float operator()(float a, float b) const { return a / b; }
};
struct op_pow {
    __device__ float operator()(float a, float b) const { return powf(a, b); }
};
struct op_relu {
    __device__ float operator()(float a, float) const { return a > 0 ? a : 0; }
};
struct op_tanh {
    __device__ float operator()(float a, float) const { return tanhf(a); }
};
struct op_gelu {
    __device__ float operator()(float a, float) const
    {
        return 0.5f * a * (1 + erff(a * 0.70710678f));
    }
};

/* y = op(a, b), or op(a, scalar) without a b. */
template <class T, class Op> __global__ void apply(const T *a, const T *b, T *y, int64_t n, Op op)
{
    typedef mb_pack<T> pack;
    int64_t step = (int64_t)gridDim.x * blockDim.x, packs = n / pack::N,
            first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (int64_t i = first; i < packs; i += step) {
        pack x = ((const pack *)a)[i], z = b ? ((const pack *)b)[i] : x;

        for (int l = 0; l < pack::N; l++)
            mb_set(&x.v[l], op(mb_float(x.v[l]), b ? mb_float(z.v[l]) : MB_SCALAR));
        ((pack *)y)[i] = x;
    }
    for (int64_t i = packs * pack::N + first; i < n; i += step)
        mb_set(&y[i], op(mb_float(a[i]), b ? mb_float(b[i]) : MB_SCALAR));
}

struct operands {
    const char *kind;
    enum mb_precision precision;
    int64_t n;
    bool two;
    size_t a, b, y; /* places in a set */
};

template <class T, class Op>
static enum mb_status launch(const struct operands *o, char *set, struct mb_result *r)
{
    MB_LAUNCH((apply<T, Op>), mb_blocks(o->n / mb_pack<T>::N), MB_THREADS, (const T *)(set + o->a),
              o->two ? (const T *)(set + o->b) : (const T *)NULL, (T *)(set + o->y), o->n, Op());
    return mb_launched(r);
}

template <class T>
static enum mb_status compute_as(const struct operands *o, char *set, struct mb_result *r)
{
    const char *k = o->kind;

    return strncmp(k, "add", 3) == 0   ? launch<T, op_add>(o, set, r)
           : strncmp(k, "mul", 3) == 0 ? launch<T, op_mul>(o, set, r)
           : strncmp(k, "div", 3) == 0 ? launch<T, op_div>(o, set, r)
           : strncmp(k, "pow", 3) == 0 ? launch<T, op_pow>(o, set, r)
           : strcmp(k, "relu") == 0    ? launch<T, op_relu>(o, set, r)
           : strcmp(k, "gelu") == 0    ? launch<T, op_gelu>(o, set, r)
                                       : launch<T, op_tanh>(o, set, r);
}

static enum mb_status compute(const struct operands *o, char *set, struct mb_result *r)
{
    return o->precision == MB_FP16 ? compute_as<__half>(o, set, r) : compute_as<float>(o, set, r);
}

/* The first and the last elements. */
static enum mb_status check(const struct operands *o, char *set, struct mb_result *r)
{
    size_t size = mb_size(o->precision), n = (size_t)(o->n < 2048 ? o->n : 2048);

    for (size_t from = 0;; from = (size_t)o->n - n) {
        std::vector<float> a, b, y;
        enum mb_status status = mb_download(set + o->a + from * size, n, o->precision, &a, r);

        if (status == MB_DONE && o->two)
            status = mb_download(set + o->b + from * size, n, o->precision, &b, r);
        if (status == MB_DONE)
            status = mb_download(set + o->y + from * size, n, o->precision, &y, r);
        for (size_t i = 0; i < n && status == MB_DONE; i++) {
            double want = mb_ref_elementwise(o->kind, (double)a[i], o->two ? (double)b[i] : 0);

            if (!mb_near((double)y[i], want, o->precision, 1))
                status = mb_wrong("element", (int64_t)(from + i), (double)y[i], want, r);
        }
        if (status != MB_DONE || from + n == (size_t)o->n)
            return status;
    }
}

enum mb_status mb_run_elementwise(const struct mb_case *c, struct mb_result *r)
{
    struct operands o = {c->kind, c->precision, c->dim[0], false, 0, 0, 0};
    size_t bytes = (size_t)o.n * mb_size(o.precision);
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    enum mb_status status;

    o.two = strlen(c->kind) == 3; /* add mul div pow */
    o.a = layout.add(bytes);
    o.b = o.two ? layout.add(bytes) : 0;
    o.y = layout.add(bytes);
    status = mb_rotor_get(&layout, false, 0, NULL, &rotor, r);
    if (status == MB_DONE) /* positive for pow; relu and its like get both signs */
        status = mb_fill(rotor.base, rotor.elements(o.precision), o.precision,
                         strlen(c->kind) == 4 ? -2 : 0.5f, 2, r);
    if (status == MB_DONE)
        status = compute(&o, rotor.set(0), r);
    if (status == MB_DONE)
        status = check(&o, rotor.set(0), r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return compute(&o, rotor.set(i), r); }, r);
}
