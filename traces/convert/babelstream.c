/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * babelstream OUT TYPE TABLE - memory bandwidth of older GPUs: the best of the repeats of each
 * kernel in double precision, decimal GB/s. Only the runs with CUDA, of which there is one by
 * version of the benchmark.
 *
 * The K80 (one of its two GPUs) with ECC off is set aside, four rows: clusters have it on.
 */
#include "traces/convert/microbench.h"

#define ECC_OFF "ECC off"

static const struct origin babelstream = {
    "UoB-HPC/BabelStream", "57637d572532fc028b6c0964944f1afc27ff5436", "BabelStream"};

/* In the column `path`, as devices are not always named. */
static const struct bench_gpu gpus[] = {
    {"k80", "K80", "Tesla K80", 12, 13, 875, 4.37, 0},
    {"titan_x", "TitanX-Maxwell", "GeForce GTX Titan X", 12, 24, 1089, 6.69, 0},
    {"titanxp", "TitanXp", "Titan Xp", 12, 30, 1582, 12.15, 0},
    {.theirs = NULL},
};

static const struct name kernels[] = {{"Copy", "copy"},   {"Mul", "scale"}, {"Add", "add"},
                                      {"Triad", "triad"}, {"Dot", "dot"},   {NULL, NULL}};
enum { KERNELS = 5 };

static const char *const columns[] = {"rate", NULL};
static const char *const wanted[] = {"path", "implementation", "kernel", "GBps_best", NULL};

static bool read_row(struct arena *arena, struct csv *csv, const struct bench_gpu *gpu,
                     struct bench_series *series)
{
    const char *path = cell_text(arena, csv, csv_column(csv, "path"));
    double rate;

    if (!strstr(path, gpu->theirs) || !cell_is(csv, csv_column(csv, "implementation"), "cuda"))
        return true;
    for (int i = 0; i < KERNELS; i++) {
        if (!cell_is(csv, csv_column(csv, "kernel"), kernels[i].theirs))
            continue;
        if (!csv_real(csv, csv_column(csv, "GBps_best"), 1, 1e6, &rate))
            return false;
        bench_add(&series[i], &rate, strstr(path, "ecc-off") ? ECC_OFF : NULL);
    }
    return true;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    static const struct bench_pair software[] = {
        {"method", "BabelStream with CUDA, best of the repeats"}, {NULL, NULL}};
    const struct bench_gpu *gpu = bench_find(gpus, input[0]);
    struct arena *arena = arena_new();
    struct csv *csv = csv_open(diag, input[1]);
    struct bench_series series[KERNELS];
    const char *comma = "";
    int got = -1;
    bool good = csv && csv_require(csv, wanted);

    if (good && !gpu)
        good = diag_error(diag, (struct mark){.src = NULL}, "no GPU type '%s'", input[0]);
    for (int i = 0; i < KERNELS; i++)
        series[i] =
            (struct bench_series){"stream", kernels[i].ours, "fp64", "GB/s", .columns = columns};
    while (good && (got = csv_next(csv)) == 1)
        good = read_row(arena, csv, gpu, series);
    if (good && got == 0)
        bench_head(out, gpu, &babelstream, NULL, software);
    for (int i = 0; i < KERNELS; i++) {
        bench_put(out, &series[i], &comma);
        bench_drop(&series[i]);
    }
    bench_end(out);
    csv_close(csv);
    arena_free(arena);
    return good && got == 0;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "babelstream OUT TYPE TABLE", convert);
}
