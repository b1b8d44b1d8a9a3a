/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Embedding tables, fp32: own kernels. Forward gathers rows; backward adds each row of the gradient
 * to that of its word, by atomics, into a table that is not cleared between repeats. The words are
 * drawn uniformly; the table is shared by all sets, so that what of it stays in L2 does so.
 */
#include <string.h>

#include "analysis/microbench/timing.cuh"

__global__ static void gather(const int *word, const float *table, float *y, int64_t rows,
                              int64_t width)
{
    typedef mb_pack<float> pack;
    int64_t by = (int64_t)gridDim.x * blockDim.x, packs = width / pack::N;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < rows * packs; i += by)
        ((pack *)y)[i] = ((const pack *)table)[word[i / packs] * packs + i % packs];
}

__global__ static void scatter(const int *word, float *table, const float *dy, int64_t rows,
                               int64_t width)
{
    int64_t by = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < rows * width; i += by)
        atomicAdd(&table[word[i / width] * width + i % width], dy[i]);
}

struct embedding {
    bool back;
    int64_t rows, width, words;
    size_t word, y; /* places in a set; y is dy when going back */
    float *table;
};

static enum mb_status compute(const struct embedding *e, char *set, struct mb_result *r)
{
    const int *word = (const int *)(set + e->word);
    float *y = (float *)(set + e->y);

    if (e->back)
        MB_LAUNCH(scatter, mb_blocks(e->rows * e->width), MB_THREADS, word, e->table, y, e->rows,
                  e->width);
    else
        MB_LAUNCH(gather, mb_blocks(e->rows * e->width / 4), MB_THREADS, word, e->table, y, e->rows,
                  e->width);
    return mb_launched(r);
}

/* Of the last row: forward, what its word has in the table; backward, the first element of the sum
 * over all rows of the same word. The table was cleared before the only call, if going back. */
static enum mb_status check(const struct embedding *e, char *set, struct mb_result *r)
{
    std::vector<int> word((size_t)e->rows);
    std::vector<float> entry, y;
    size_t last = (size_t)e->rows - 1, width = (size_t)e->width;
    double want = 0, size = 0;
    enum mb_status status;

    MB_TRY(r, cudaMemcpyAsync(word.data(), set + e->word, word.size() * sizeof(int),
                              cudaMemcpyDeviceToHost, mb_dev.stream));
    MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
    status = mb_download(e->table + (size_t)word[last] * width, width, MB_FP32, &entry, r);
    if (status == MB_DONE)
        status = mb_download(set + e->y + last * width * 4, width, MB_FP32, &y, r);
    for (size_t i = 0; i < width && status == MB_DONE && !e->back; i++)
        if (y[i] != entry[i])
            status = mb_wrong("element", (int64_t)i, (double)y[i], (double)entry[i], r);
    for (size_t row = 0; row <= last && status == MB_DONE && e->back; row++)
        if (word[row] == word[last]) {
            status = mb_download(set + e->y + row * width * 4, 1, MB_FP32, &y, r);
            want += status == MB_DONE ? (double)y[0] : 0;
            size += 1;
        }
    if (status == MB_DONE && e->back && !mb_near((double)entry[0], want, MB_FP32, size))
        status = mb_wrong("gradient of word", word[last], (double)entry[0], want, r);
    return status;
}

static enum mb_status prepare(struct embedding *e, struct mb_rotor *rotor, struct mb_result *r)
{
    struct mb_layout layout = {};
    size_t table = (size_t)(e->words * e->width) * 4;
    char *beside;
    enum mb_status status;

    e->word = layout.add((size_t)e->rows * sizeof(int));
    e->y = layout.add((size_t)(e->rows * e->width) * 4);
    status = mb_rotor_get(&layout, false, table, &beside, rotor, r);
    if (status != MB_DONE)
        return status;
    e->table = (float *)beside;
    status = mb_fill(rotor->base, rotor->elements(MB_FP32), MB_FP32, -1, 1, r);
    if (status == MB_DONE)
        status = mb_fill(beside, e->words * e->width, MB_FP32, -1, 1, r);
    for (int64_t i = 0; i < rotor->sets && status == MB_DONE; i++)
        status = mb_fill_int((int *)(rotor->set(i) + e->word), e->rows, (int)e->words, r);
    if (status == MB_DONE && e->back)
        MB_TRY(r, cudaMemsetAsync(beside, 0, table, mb_dev.stream));
    return status;
}

enum mb_status mb_run_embedding(const struct mb_case *c, struct mb_result *r)
{
    struct embedding e = {
        strcmp(c->kind, "backward") == 0, c->dim[0], c->dim[1], c->dim[2], 0, 0, NULL};
    struct mb_rotor rotor;
    enum mb_status status = prepare(&e, &rotor, r);

    if (status == MB_DONE)
        status = compute(&e, rotor.set(0), r);
    if (status == MB_DONE)
        status = check(&e, rotor.set(0), r);
    if (status != MB_DONE)
        return status;
    return mb_measure([&](int64_t i) { return compute(&e, rotor.set(i), r); }, r);
}
