/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory bandwidth by footprint: own kernels, fp32, 16 bytes a load. The footprint is that of all
 * arrays of a kind together, and is passed over so often that a launch moves 256 MiB at least;
 * nothing rotates here, so that a small footprint shows L2 and a large one memory. All threads
 * share all passes, so that a small one keeps the whole GPU busy; loads go past the caches of the
 * multiprocessors.
 *
 *   init  a = s            copy   c = a            triad  a = b + s c
 *   read  sum of a         scale  b = s c          dot    sum of a b
 */
#include <string.h>

#include "analysis/microbench/timing.cuh"

enum kind { INIT, READ, SCALE, COPY, TRIAD, DOT, KINDS };

static const struct {
    const char *name;
    int arrays;
} kinds[KINDS] = {{"init", 1}, {"read", 1}, {"scale", 2}, {"copy", 2}, {"triad", 3}, {"dot", 2}};

__device__ static float4 load(const float4 *p)
{
    return __ldcg(p);
}

__device__ static float4 blend(float4 b, float s, float4 c)
{
    return make_float4(b.x + s * c.x, b.y + s * c.y, b.z + s * c.z, b.w + s * c.w);
}

/* Element i of a pass. What is summed up goes into *sum. */
template <enum kind KIND>
__device__ void element(float4 *a, float4 *b, float4 *c, int64_t i, float s, float *sum)
{
    float4 v, w;

    switch (KIND) {
    case INIT:
        a[i] = make_float4(s, s, s, s);
        break;
    case READ:
        v = load(&a[i]);
        *sum += (v.x + v.y) + (v.z + v.w);
        break;
    case SCALE:
    case COPY:
        v = load(&b[i]);
        a[i] = KIND == COPY ? v : make_float4(s * v.x, s * v.y, s * v.z, s * v.w);
        break;
    case TRIAD:
        a[i] = blend(load(&b[i]), s, load(&c[i]));
        break;
    default:
        v = load(&a[i]);
        w = load(&b[i]);
        *sum += (v.x * w.x + v.y * w.y) + (v.z * w.z + v.w * w.w);
    }
}

/* n: packs of an array. sums: one value a thread; in all kinds, so that no pass is left out. */
template <enum kind KIND>
__global__ void pass_over(float4 *a, float4 *b, float4 *c, int64_t n, int passes, float s,
                          float *sums)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x, on = step % n,
            first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, i = first % n;
    float sum = 0;

    for (int64_t at = first; at < n * passes; at += step) {
        element<KIND>(a, b, c, i, s, &sum);
        i += on;
        i -= i < n ? 0 : n;
    }
    sums[first] = sum;
}

struct arrays {
    enum kind kind;
    int64_t packs;
    unsigned blocks;
    int passes;
    float4 *a, *b, *c;
    float *sums;
};

static const float factor = 0.5f;

static enum mb_status compute(const struct arrays *x, int passes, struct mb_result *r)
{
#define PASS_OVER(KIND)                                                                            \
    MB_LAUNCH(pass_over<KIND>, x->blocks, MB_THREADS, x->a, x->b, x->c, x->packs, passes, factor,  \
              x->sums)
    switch (x->kind) {
    case INIT:
        PASS_OVER(INIT);
        break;
    case READ:
        PASS_OVER(READ);
        break;
    case SCALE:
        PASS_OVER(SCALE);
        break;
    case COPY:
        PASS_OVER(COPY);
        break;
    case TRIAD:
        PASS_OVER(TRIAD);
        break;
    default:
        PASS_OVER(DOT);
    }
#undef PASS_OVER
    return mb_launched(r);
}

/* ---- the check: after one pass over arrays of 4, 2 and 3 ---- */

static enum mb_status check(const struct arrays *x, struct mb_result *r)
{
    static const double wants[KINDS] = {0.5, 4,   1,
                                        2,   3.5, 8}; /* of an element, or its part of the sum */
    std::vector<float> got;
    size_t n = 4 * (size_t)x->packs, ends = n < 4096 ? n : 4096;
    double want = wants[x->kind], sum = 0;
    bool sums = x->kind == READ || x->kind == DOT;
    enum mb_status status = compute(x, 1, r);

    if (status == MB_DONE && sums)
        status = mb_download(x->sums, (size_t)x->blocks * MB_THREADS, MB_FP32, &got, r);
    for (size_t i = 0; i < got.size(); i++)
        sum += (double)got[i];
    if (status != MB_DONE || sums)
        return status != MB_DONE || mb_near(sum, want * (double)n, MB_FP32, want * (double)n)
                   ? status
                   : mb_wrong("sum", 0, sum, want * (double)n, r);
    for (int end = 0; end < 2; end++) {
        status = mb_download((const float *)x->a + (end ? n - ends : 0), ends, MB_FP32, &got, r);
        for (size_t i = 0; i < ends && status == MB_DONE; i++)
            if ((double)got[i] != want)
                status = mb_wrong("element", (int64_t)i, (double)got[i], want, r);
        if (status != MB_DONE)
            return status;
    }
    return MB_DONE;
}

enum mb_status mb_run_stream(const struct mb_case *c, struct mb_result *r)
{
    struct arrays x = {};
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    enum mb_status status;
    size_t place[3];
    double moved;
    int n;

    while (strcmp(kinds[x.kind].name, c->kind) != 0)
        x.kind = (enum kind)(x.kind + 1);
    n = kinds[x.kind].arrays;
    x.packs = c->dim[0] / n / (int64_t)sizeof(float4);
    moved = (double)(x.packs * n) * sizeof(float4);
    x.passes = moved < 0x1p28 ? (int)(0x1p28 / moved) + 1 : 1;
    x.blocks = mb_blocks(x.packs * x.passes);
    for (int i = 0; i < 3; i++)
        place[i] = i < n ? layout.add((size_t)x.packs * sizeof(float4)) : place[0];
    size_t sums = layout.add((size_t)x.blocks * MB_THREADS * sizeof(float));
    status = mb_rotor_get(&layout, true, 0, NULL, &rotor, r);
    if (status != MB_DONE)
        return status;
    x.a = (float4 *)(rotor.base + place[0]);
    x.b = (float4 *)(rotor.base + place[1]);
    x.c = (float4 *)(rotor.base + place[2]);
    x.sums = (float *)(rotor.base + sums);
    for (int i = 0; i < n && status == MB_DONE; i++)
        status = mb_fill(rotor.base + place[i], 4 * x.packs, MB_FP32, i ? (float)(i + 1) : 4,
                         i ? (float)(i + 1) : 4, r);
    if (status == MB_DONE)
        status = check(&x, r);
    if (status == MB_DONE)
        status = mb_measure([&](int64_t) { return compute(&x, x.passes, r); }, r);
    if (status == MB_DONE)
        r->value = moved * x.passes / r->value;
    return status;
}
