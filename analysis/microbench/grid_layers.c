/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grids of matrix products, convolutions and batch normalisation.
 *
 * They bracket the shapes of DeepBench (training) and NeuSight: the smallest and the largest of
 * each dimension there lie within these, and the irregular sizes there have a like here.
 */
#include <string.h>

#include "analysis/microbench/grid.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const enum mb_precision all[] = {MB_FP32, MB_TF32, MB_FP16, MB_BF16};

/* A case of over 2.5e12 operations takes too long on a slow GPU. */
static const double most_flop = 2.5e12;

static bool fits(const struct mb_gpu *gpu, enum mb_precision p, double flop, double elements)
{
    return flop <= most_flop && elements * (double)mb_bytes(p) <= (double)gpu->memory / 2;
}

/* ---- matrix products ---- */

static void gemm(struct mb_grid *g, const struct mb_gpu *gpu, enum mb_precision p,
                 const int64_t *mnk, int ta, int tb)
{
    double m = (double)mnk[0], n = (double)mnk[1], k = (double)mnk[2];
    int64_t dim[] = {mnk[0], mnk[1], mnk[2], ta, tb};

    if (fits(gpu, p, 2 * m * n * k, m * k + k * n + m * n))
        mb_grid_add(g, "", p, dim, 5);
}

/* What DeepBench has beside powers of two: sizes of layers that are no multiples of 8, inner
 * dimensions of hundreds of thousands, recurrent layers with small batches. */
static const int64_t odd[][3] = {
    {35, 8457, 1760},    {35, 8457, 4096},    {5124, 700, 2048},  {5124, 9124, 2560},
    {7680, 1, 2560},     {512, 8, 500000},    {1024, 16, 500000}, {512, 48000, 2816},
    {8448, 24000, 2816}, {6144, 48000, 2048}, {1760, 7000, 1760}, {3072, 128, 1024},
    {2561, 2561, 2561},  {4095, 4095, 4095},  {3000, 3000, 3000}, {777, 333, 999}};

void mb_plan_gemm(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const int64_t m[] = {1, 32, 256, 1024, 4096, 16384},
                         n[] = {1, 8, 64, 512, 2048, 8192, 65536},
                         k[] = {2, 64, 512, 2048, 8192, 65536, 524288};
    static const int layout[][2] = {{0, 0}, {0, 1}, {1, 0}};

    for (size_t p = 0; p < COUNT(all); p++) {
        if (!mb_can(gpu, all[p]))
            continue;
        for (size_t i = 0; i < COUNT(m) * COUNT(n) * COUNT(k); i++) {
            int64_t mnk[] = {m[i / COUNT(k) / COUNT(n)], n[i / COUNT(k) % COUNT(n)],
                             k[i % COUNT(k)]};
            /* Each shape in one layout, so that each layout meets each size. */
            const int *t = layout[(i / COUNT(k) / COUNT(n) + i / COUNT(k) + i) % COUNT(layout)];

            gemm(g, gpu, all[p], mnk, t[0], t[1]);
        }
        for (size_t i = 0; i < COUNT(odd); i++)
            for (size_t t = 0; t < COUNT(layout); t++)
                gemm(g, gpu, all[p], odd[i], layout[t][0], layout[t][1]);
    }
}

void mb_plan_bmm(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const int64_t batch[] = {1, 8, 64, 256, 1088};
    static const int64_t shape[][3] = {
        /* Attention: scores, and scores times values, by length of sequence and width of heads. */
        {128, 128, 64},
        {128, 64, 128},
        {512, 512, 64},
        {512, 64, 512},
        {1024, 1024, 64},
        {1024, 64, 1024},
        {2048, 2048, 128},
        {2048, 128, 2048},
        {1, 1024, 64},
        {1, 64, 1024},
        /* All sides alike, and one short side. */
        {16, 16, 16},
        {64, 64, 64},
        {256, 256, 256},
        {1088, 1088, 1088},
        {1088, 1088, 2},
        {1088, 1, 1088},
        {7, 1, 2},
        {33, 65, 129},
        {500, 500, 500}};

    for (size_t p = 0; p < COUNT(all); p++)
        for (size_t b = 0; b < COUNT(batch) && mb_can(gpu, all[p]); b++)
            for (size_t s = 0; s < COUNT(shape); s++) {
                int64_t dim[] = {batch[b], shape[s][0], shape[s][1], shape[s][2]};
                double m = (double)dim[1], n = (double)dim[2], k = (double)dim[3];

                if (fits(gpu, all[p], 2 * (double)batch[b] * m * n * k,
                         (double)batch[b] * (m * k + k * n + m * n)))
                    mb_grid_add(g, "", all[p], dim, 4);
            }
}

/* ---- convolutions ---- */

struct layer {
    const char *net; /* for the reader */
    int c, h, w, k, r, s, pad_h, pad_w, stride_h, stride_w;
};

#define SQUARE(net, c, side, k, filter, pad, stride)                                               \
    {                                                                                              \
        net, c, side, side, k, filter, filter, pad, pad, stride, stride                            \
    }

static const struct layer layers[] = {SQUARE("ResNet, CIFAR", 3, 32, 16, 3, 1, 1),
                                      SQUARE("ResNet, CIFAR", 16, 32, 16, 3, 1, 1),
                                      SQUARE("ResNet, CIFAR", 32, 16, 32, 3, 1, 1),
                                      SQUARE("ResNet, CIFAR", 64, 8, 64, 3, 1, 1),
                                      SQUARE("ResNet-18, CIFAR", 64, 32, 64, 3, 1, 1),
                                      SQUARE("ResNet-18, CIFAR", 128, 16, 128, 3, 1, 1),
                                      SQUARE("ResNet-18, CIFAR", 512, 4, 512, 3, 1, 1),
                                      SQUARE("ResNet-50", 3, 224, 64, 7, 3, 2),
                                      SQUARE("ResNet-50", 64, 56, 64, 1, 0, 1),
                                      SQUARE("ResNet-50", 64, 56, 64, 3, 1, 1),
                                      SQUARE("ResNet-50", 64, 56, 256, 1, 0, 1),
                                      SQUARE("ResNet-50", 256, 56, 64, 1, 0, 1),
                                      SQUARE("ResNet-50", 256, 56, 512, 1, 0, 2),
                                      SQUARE("ResNet-50", 128, 56, 128, 3, 1, 2),
                                      SQUARE("ResNet-50", 128, 28, 128, 3, 1, 1),
                                      SQUARE("ResNet-50", 128, 28, 512, 1, 0, 1),
                                      SQUARE("ResNet-50", 512, 28, 128, 1, 0, 1),
                                      SQUARE("ResNet-50", 512, 28, 1024, 1, 0, 2),
                                      SQUARE("ResNet-50", 256, 14, 256, 3, 1, 1),
                                      SQUARE("ResNet-50", 256, 14, 1024, 1, 0, 1),
                                      SQUARE("ResNet-50", 1024, 14, 256, 1, 0, 1),
                                      SQUARE("ResNet-50", 1024, 14, 2048, 1, 0, 2),
                                      SQUARE("ResNet-50", 512, 7, 512, 3, 1, 1),
                                      SQUARE("ResNet-50", 512, 7, 2048, 1, 0, 1),
                                      SQUARE("ResNet-50", 2048, 7, 512, 1, 0, 1),
                                      SQUARE("VGG-16", 3, 224, 64, 3, 1, 1),
                                      SQUARE("VGG-16", 64, 224, 64, 3, 1, 1),
                                      SQUARE("VGG-16", 128, 112, 128, 3, 1, 1),
                                      SQUARE("VGG-16", 256, 56, 256, 3, 1, 1),
                                      SQUARE("VGG-16", 512, 28, 512, 3, 1, 1),
                                      SQUARE("VGG-16", 512, 14, 512, 3, 1, 1),
                                      SQUARE("AlexNet", 3, 224, 64, 11, 2, 4),
                                      SQUARE("AlexNet", 64, 27, 192, 5, 2, 1),
                                      SQUARE("AlexNet", 192, 13, 384, 3, 1, 1),
                                      SQUARE("AlexNet", 384, 13, 256, 3, 1, 1),
                                      SQUARE("Inception-v3", 32, 149, 32, 3, 0, 1),
                                      SQUARE("Inception-v3", 80, 73, 192, 3, 0, 1),
                                      SQUARE("Inception-v3", 48, 35, 64, 5, 2, 1),
                                      SQUARE("Inception-v3", 288, 35, 384, 3, 0, 2),
                                      {"Inception-v3", 128, 17, 17, 192, 1, 7, 0, 3, 1, 1},
                                      {"Inception-v3", 192, 17, 17, 192, 7, 1, 3, 0, 1, 1},
                                      {"Inception-v3", 384, 8, 8, 384, 1, 3, 0, 1, 1, 1},
                                      SQUARE("Inception-v3", 2048, 8, 320, 1, 0, 1),
                                      SQUARE("DenseNet-121", 128, 56, 32, 3, 1, 1),
                                      SQUARE("DenseNet-121", 256, 28, 128, 1, 0, 1),
                                      SQUARE("DenseNet-121", 128, 14, 32, 3, 1, 1),
                                      SQUARE("DenseNet-121", 1024, 7, 128, 1, 0, 1),
                                      /* Speech: the extremes of DeepBench. */
                                      {"Deep Speech", 1, 161, 700, 32, 5, 20, 0, 0, 2, 2},
                                      {"Deep Speech", 32, 79, 341, 32, 5, 10, 0, 0, 2, 2},
                                      {"Deep Speech", 1, 6, 300, 16, 3, 3, 1, 1, 1, 1}};

static int64_t side_out(int64_t in, int64_t pad, int64_t filter, int64_t stride)
{
    return (in + 2 * pad - filter) / stride + 1;
}

static void conv(struct mb_grid *g, const struct mb_gpu *gpu, const char *kind, enum mb_precision p,
                 const struct layer *l, int64_t images)
{
    int64_t dim[] = {images, l->c,     l->h,     l->w,        l->k,       l->r,
                     l->s,   l->pad_h, l->pad_w, l->stride_h, l->stride_w};
    double outs = (double)(images * l->k * side_out(l->h, l->pad_h, l->r, l->stride_h) *
                           side_out(l->w, l->pad_w, l->s, l->stride_w));
    double taps = (double)l->c * l->r * l->s;

    /* A third of what may be used for the tensors: the rest is for the library's workspace. */
    if (fits(gpu, p, 2 * outs * taps,
             3 * (outs + (double)(images * l->c * l->h * l->w) + taps * l->k)))
        mb_grid_add(g, kind, p, dim, MB_DIMS);
}

void mb_plan_conv(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"forward", "backward_data", "backward_filter"};
    static const enum mb_precision some[] = {MB_FP32, MB_TF32, MB_FP16};
    static const int64_t images[] = {1, 4, 16, 64, 256};

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t p = 0; p < COUNT(some); p++)
            for (size_t l = 0; l < COUNT(layers) && mb_can(gpu, some[p]); l++)
                for (size_t i = 0; i < COUNT(images); i++)
                    /* Nobody needs the gradient of the images or of the sound. */
                    if (k != 1 || layers[l].c > 3)
                        conv(g, gpu, kinds[k], some[p], &layers[l], images[i]);
}

void mb_plan_batch_norm(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"forward", "backward"};
    static const enum mb_precision some[] = {MB_FP32, MB_FP16};
    static const int64_t images[] = {4, 32, 128},
                         map[][2] = {{16, 32},  {64, 112}, {64, 56},   {256, 56}, {128, 28},
                                     {512, 28}, {256, 14}, {1024, 14}, {512, 7},  {2048, 7}};

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t p = 0; p < COUNT(some); p++)
            for (size_t i = 0; i < COUNT(images) && mb_can(gpu, some[p]); i++)
                for (size_t m = 0; m < COUNT(map); m++) {
                    int64_t dim[] = {images[i], map[m][0], map[m][1], map[m][1]};

                    if (fits(gpu, some[p], 0, 4. * (double)(dim[0] * dim[1] * dim[2] * dim[3])))
                        mb_grid_add(g, kinds[k], some[p], dim, 4);
                }
}
