/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One step of an optimiser over all weights: own fused kernels, fp32, 16 bytes a load.
 */
#include <string.h>

#include "analysis/microbench/timing.cuh"

enum rule { SGD, MOMENTUM, ADAM };

template <enum rule RULE> __device__ void step(float g, float *w, float *m, float *v)
{
    float by = g;

    if (RULE == MOMENTUM)
        by = *m = MB_DECAY * *m + g;
    if (RULE == ADAM) {
        *m = MB_DECAY * *m + (1 - MB_DECAY) * g;
        *v = MB_DECAY_2 * *v + (1 - MB_DECAY_2) * g * g;
        by = *m / (sqrtf(*v) + MB_TINY);
    }
    *w -= MB_RATE * by;
}

/* n is a multiple of 4. */
template <enum rule RULE>
__global__ void update(const float *gradient, float *weight, float *first, float *second, int64_t n)
{
    typedef mb_pack<float> pack;
    int64_t by = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / pack::N; i += by) {
        pack g = ((const pack *)gradient)[i], w = ((pack *)weight)[i], m = {}, v = {};

        if (RULE != SGD)
            m = ((pack *)first)[i];
        if (RULE == ADAM)
            v = ((pack *)second)[i];
        for (int l = 0; l < pack::N; l++)
            step<RULE>(g.v[l], &w.v[l], &m.v[l], &v.v[l]);
        ((pack *)weight)[i] = w;
        if (RULE != SGD)
            ((pack *)first)[i] = m;
        if (RULE == ADAM)
            ((pack *)second)[i] = v;
    }
}

struct weights {
    const char *kind;
    int64_t n;
    size_t part; /* bytes of one array: gradient, weight, first, second lie behind each other */
};

static enum mb_status compute(const struct weights *w, char *set, struct mb_result *r)
{
    float *g = (float *)set, *x = (float *)(set + w->part), *m = (float *)(set + 2 * w->part),
          *v = (float *)(set + 3 * w->part);
    unsigned blocks = mb_blocks(w->n / 4);

    if (strcmp(w->kind, "sgd") == 0)
        MB_LAUNCH(update<SGD>, blocks, MB_THREADS, g, x, m, v, w->n);
    else if (strcmp(w->kind, "momentum") == 0)
        MB_LAUNCH(update<MOMENTUM>, blocks, MB_THREADS, g, x, m, v, w->n);
    else
        MB_LAUNCH(update<ADAM>, blocks, MB_THREADS, g, x, m, v, w->n);
    return mb_launched(r);
}

/* Both ends of an array, behind each other. */
static enum mb_status ends(const struct weights *w, const char *array, std::vector<float> *to,
                           struct mb_result *r)
{
    size_t n = (size_t)(w->n < 1024 ? w->n : 1024);
    std::vector<float> tail;
    enum mb_status status = mb_download(array, n, MB_FP32, to, r);

    if (status == MB_DONE)
        status = mb_download(array + ((size_t)w->n - n) * 4, n, MB_FP32, &tail, r);
    to->insert(to->end(), tail.begin(), tail.end());
    return status;
}

static enum mb_status check(const struct weights *w, char *set, struct mb_result *r)
{
    std::vector<float> before[4], after;
    enum mb_status status = MB_DONE;

    for (size_t a = 0; a < 4 && status == MB_DONE; a++)
        status = ends(w, set + a * w->part, &before[a], r);
    if (status == MB_DONE)
        status = compute(w, set, r);
    if (status == MB_DONE)
        status = ends(w, set + w->part, &after, r);
    for (size_t i = 0; status == MB_DONE && i < after.size(); i++) {
        double x[3] = {(double)before[1][i], (double)before[2][i], (double)before[3][i]};

        mb_ref_optimizer(w->kind, (double)before[0][i], x);
        if (!mb_near((double)after[i], x[0], MB_FP32, 1))
            status = mb_wrong("weight", (int64_t)i, (double)after[i], x[0], r);
    }
    return status;
}

enum mb_status mb_run_optimizer(const struct mb_case *c, struct mb_result *r)
{
    struct weights w = {c->kind, c->dim[0], 0};
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    enum mb_status status;

    for (int a = 0; a < 4; a++)
        layout.add((size_t)w.n * 4);
    w.part = layout.size / 4;
    status = mb_rotor_get(&layout, false, 0, NULL, &rotor, r);
    if (status == MB_DONE)
        status = mb_fill(rotor.base, rotor.elements(MB_FP32), MB_FP32, 0.1f, 1, r);
    if (status == MB_DONE)
        status = check(&w, rotor.set(0), r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return compute(&w, rotor.set(i), r); }, r);
}
