/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * deepbench OUT TYPE GEMM CONV ALL_REDUCE SPECS - matrix products, convolutions and all-reduce of
 * one GPU of DeepBench.
 *
 * Rules that set rows aside, in this order:
 * - a pass of a convolution over ten times as slow as both others of its layer (cuDNN 6 without a
 *   fast algorithm: 13 rows, all backward data with fp16 storage on the P100);
 * - a product, or a convolution with a 1 x 1 filter, which no algorithm makes cheaper, over 1.1
 *   times the nominal peak rate (11 rows, with fp16 storage on the P100: they did not compute in
 *   fp32 as the sheet says);
 * - over three times as slow as more of the same work in the same series (7 products; 5
 *   convolutions, three of which are repeats of a layer that ran four times as fast);
 * - an all-reduce that is not NCCL's (16 rows).
 *
 * Over eight GPUs do not sit in one machine (no run by one process has more), so those rows of
 * all-reduce are a kind of their own. Where the source has two figures of a layer, both are kept.
 */
#include "traces/convert/microbench.h"

#define PASSES      "over 10 times as slow as the other passes of the layer"
#define NOT_NCCL    "not NCCL"
#define PASSES_BY   10.0
#define ONE_MACHINE 8

static const struct origin deepbench = {"baidu-research/DeepBench",
                                        "da81ba7820739e2e506dc27f382d15be5479f98f", "Apache-2.0"};

static const struct bench_gpu gpus[] = {
    {"M40", "M40", "Tesla M40", 0, 24, 1114, 6.84, 0},
    {"TitanX-Maxwell", "TitanX-Maxwell", "GeForce GTX Titan X", 12, 24, 1089, 6.69, 0},
    {"TitanX-Pascal", "TitanX-Pascal", "Titan X (Pascal)", 12, 28, 1531, 10.97, 0},
    {"TitanXp", "TitanXp", "Titan Xp", 12, 30, 1582, 12.15, 0},
    {"GTX1080Ti", "1080Ti", "GeForce GTX 1080 Ti", 11, 28, 1582, 11.34, 0},
    {"P100-PCIe", "P100", "Tesla P100-PCIE", 0, 56, 1303, 9.34, 0},
    {"V100-DGX1", "V100", "Tesla V100-SXM2", 0, 80, 1530, 15.67, 125.3},
    {"T4", "T4", "Tesla T4", 16, 40, 1590, 8.14, 65.1},
    {.theirs = NULL},
};

static const struct name precisions[] = {{"fp32", "fp32"},
                                         {"fp16_tensorcore", "fp16"},
                                         {"fp16_storage_fp32_math", "fp16_storage"},
                                         {NULL, NULL}};
enum { PRECISIONS = 3 };

enum { FORWARD, BACKWARD_DATA, BACKWARD_FILTER, PASS_COUNT };
static const char *const pass_names[] = {"forward", "backward_data", "backward_filter"};
static const char *const pass_columns[] = {"fwd_ms", "bwd_data_ms", "bwd_filter_ms"};

static const char *const gemm_columns[] = {"m", "n", "k", "ta", "tb", "time", NULL};
static const char *const conv_columns[] = {
    "n", "c", "h", "w", "k", "r", "s", "pad_h", "pad_w", "stride_h", "stride_w", "time", NULL};
static const char *const reduce_columns[] = {"bytes", "gpus", "time", NULL};

static const char *const gemm_wanted[] = {"gpu",    "precision", "M",       "N", "K",
                                          "transA", "transB",    "time_ms", NULL};
/* The sizes in the order of conv_columns, behind them the output. */
static const char *const conv_wanted[] = {"N",        "C",        "H",     "W",     "K",
                                          "filter_h", "filter_w", "pad_h", "pad_w", "stride_h",
                                          "stride_w", "P",        "Q",     NULL};
enum { CONV_SIZES = 11, CONV_P = CONV_SIZES, CONV_Q, CONV_READ };
enum { CONV_N, CONV_C, CONV_K = 4, CONV_R, CONV_S };
static const char *const others_wanted[] = {"gpu",         "precision",     "fwd_ms",
                                            "bwd_data_ms", "bwd_filter_ms", NULL};
static const char *const reduce_wanted[] = {"gpu",     "n_floats",  "n_gpus",
                                            "time_ms", "algorithm", NULL};
static const char *const specs_wanted[] = {"gpu", "field", "value", NULL};

struct bench {
    const struct bench_gpu *gpu;
    struct arena *arena;
    struct bench_series gemm[PRECISIONS], conv[PRECISIONS][PASS_COUNT], one, many;
    struct bench_pair software[8];
};

/* The place of the row's precision in the table; -1: a row of another GPU, -2: reported. */
static int row_precision(struct diag *diag, const struct csv *csv, const struct bench *b)
{
    int gpu = csv_column(csv, "gpu"), precision = csv_column(csv, "precision");

    if (!cell_is(csv, gpu, b->gpu->theirs))
        return -1;
    for (int i = 0; i < PRECISIONS; i++)
        if (cell_is(csv, precision, precisions[i].theirs))
            return i;
    diag_error(diag, csv_mark(csv, precision), "a precision that is not known");
    return -2;
}

static double peak_rate(const struct bench *b, int precision)
{
    return strcmp(precisions[precision].ours, "fp16") == 0 ? b->gpu->tensor : b->gpu->fp32;
}

/* Floating point operations, milliseconds. */
static bool over_peak(const struct bench *b, int precision, double flop, double ms)
{
    return flop / ms / 1e9 > BENCH_PEAK_BY * peak_rate(b, precision);
}

static bool read_gemm(struct diag *diag, struct csv *csv, struct bench *b)
{
    static const char *const sizes[] = {"M", "N", "K"};
    int p = row_precision(diag, csv, b);
    double row[6];

    if (p < 0)
        return p == -1;
    for (int i = 0; i < 3; i++)
        if (!csv_real(csv, csv_column(csv, sizes[i]), 1, 1e9, &row[i]))
            return false;
    row[3] = cell_is(csv, csv_column(csv, "transA"), "T");
    row[4] = cell_is(csv, csv_column(csv, "transB"), "T");
    if (!csv_real(csv, csv_column(csv, "time_ms"), 1e-6, 1e9, &row[5]))
        return false;
    bench_add(&b->gemm[p], row,
              over_peak(b, p, 2 * row[0] * row[1] * row[2], row[5]) ? BENCH_PEAK : NULL);
    return true;
}

/* The rule that takes one pass of a layer, or NULL. Times that were not measured are 0. */
static const char *conv_rule(const struct bench *b, int precision, const double *layer,
                             const double *ms, int pass)
{
    double one = ms[(pass + 1) % PASS_COUNT], two = ms[(pass + 2) % PASS_COUNT];
    double flop = 2 * layer[CONV_N] * layer[CONV_C] * layer[CONV_K] * layer[CONV_P] * layer[CONV_Q];

    if (one > 0 && two > 0 && ms[pass] > PASSES_BY * fmax(one, two))
        return PASSES;
    if (layer[CONV_R] * layer[CONV_S] == 1 && over_peak(b, precision, flop, ms[pass]))
        return BENCH_PEAK;
    return NULL;
}

static bool read_conv(struct diag *diag, struct csv *csv, struct bench *b)
{
    int p = row_precision(diag, csv, b);
    double layer[CONV_READ], row[CONV_SIZES + 1], ms[PASS_COUNT] = {0};

    if (p < 0)
        return p == -1;
    for (int i = 0; i < CONV_READ; i++)
        if (!csv_real(csv, csv_column(csv, conv_wanted[i]), 0, 1e9, &layer[i]))
            return false;
    for (int pass = 0; pass < PASS_COUNT; pass++) {
        int col = csv_column(csv, pass_columns[pass]);

        if (!cell_is(csv, col, "") && !csv_real(csv, col, 1e-6, 1e9, &ms[pass]))
            return false;
    }
    memcpy(row, layer, CONV_SIZES * sizeof *row);
    for (int pass = 0; pass < PASS_COUNT; pass++) {
        row[CONV_SIZES] = ms[pass];
        if (ms[pass] > 0)
            bench_add(&b->conv[p][pass], row, conv_rule(b, p, layer, ms, pass));
    }
    return true;
}

static bool read_reduce(struct diag *diag, struct csv *csv, struct bench *b)
{
    double row[3];
    const char *algorithm;
    bool nccl;

    (void)diag;
    if (!cell_is(csv, csv_column(csv, "gpu"), b->gpu->theirs))
        return true;
    if (!csv_real(csv, csv_column(csv, "n_floats"), 1, 1e12, &row[0]) ||
        !csv_real(csv, csv_column(csv, "n_gpus"), 2, 1e6, &row[1]) ||
        !csv_real(csv, csv_column(csv, "time_ms"), 1e-6, 1e9, &row[2]))
        return false;
    row[0] *= 4;
    algorithm = cell_text(b->arena, csv, csv_column(csv, "algorithm"));
    nccl = strncmp(algorithm, "NCCL", 4) == 0;
    bench_add(row[1] > ONE_MACHINE ? &b->many : &b->one, row, nccl ? NULL : NOT_NCCL);
    return true;
}

static bool read_spec(struct diag *diag, struct csv *csv, struct bench *b)
{
    static const struct name fields[] = {{"CUDA Version", "cuda"},
                                         {"Cudnn Version", "cudnn"},
                                         {"Nvidia Driver", "driver"},
                                         {"OpenMPI Version", "mpi"},
                                         {"CPU Model", "cpu"},
                                         {"Motherboard", "board"},
                                         {NULL, NULL}};
    const char *name = cell_name(csv, csv_column(csv, "field"), fields);
    int value = csv_column(csv, "value");

    (void)diag;
    if (!name || !cell_is(csv, csv_column(csv, "gpu"), b->gpu->theirs) || cell_is(csv, value, "") ||
        cell_is(csv, value, "-"))
        return true;
    for (size_t i = 0; fields[i].ours; i++)
        if (strcmp(fields[i].ours, name) == 0)
            b->software[i] = (struct bench_pair){name, cell_text(b->arena, csv, value)};
    return true;
}

static bool read_table(struct diag *diag, const char *path, const char *const *wanted,
                       const char *const *also, struct bench *b,
                       bool (*read)(struct diag *, struct csv *, struct bench *))
{
    struct csv *csv = csv_open(diag, path);
    int got = -1;
    bool good = csv && csv_require(csv, wanted) && (!also || csv_require(csv, also));

    while (good && (got = csv_next(csv)) == 1)
        good = read(diag, csv, b);
    csv_close(csv);
    return good && got == 0;
}

static void name_series(struct bench *b)
{
    for (int p = 0; p < PRECISIONS; p++) {
        const char *ours = precisions[p].ours;

        b->gemm[p] = (struct bench_series){"gemm", "", ours, "ms", .columns = gemm_columns};
        for (int pass = 0; pass < PASS_COUNT; pass++)
            b->conv[p][pass] = (struct bench_series){"conv", pass_names[pass], ours, "ms",
                                                     .columns = conv_columns};
    }
    b->one = (struct bench_series){"all_reduce", "pcie", "", "ms", .columns = reduce_columns};
    b->many =
        (struct bench_series){"all_reduce", "pcie_nodes", "", "ms", .columns = reduce_columns};
    for (size_t i = 0; i < sizeof b->software / sizeof *b->software - 1; i++)
        b->software[i].name = "";
    b->software[6] = (struct bench_pair){
        "method",
        "kernels alone, without gaps between them; convolutions by the fastest algorithm"};
    b->software[7].name = NULL;
}

static void put_all(struct bench *b, struct out *out)
{
    const char *comma = "";

    bench_head(out, b->gpu, &deepbench, NULL, b->software);
    for (int p = 0; p < PRECISIONS; p++) {
        bench_slower(&b->gemm[p], 3, 2);
        bench_put(out, &b->gemm[p], &comma);
        bench_drop(&b->gemm[p]);
    }
    for (int p = 0; p < PRECISIONS; p++)
        for (int pass = 0; pass < PASS_COUNT; pass++) {
            bench_slower(&b->conv[p][pass], 5, 6);
            bench_put(out, &b->conv[p][pass], &comma);
            bench_drop(&b->conv[p][pass]);
        }
    bench_put(out, &b->one, &comma);
    bench_put(out, &b->many, &comma);
    bench_drop(&b->one);
    bench_drop(&b->many);
    bench_end(out);
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct bench b = {.gpu = bench_find(gpus, input[0])};
    bool good;

    if (!b.gpu)
        return diag_error(diag, (struct mark){.src = NULL}, "no GPU type '%s'", input[0]);
    b.arena = arena_new();
    name_series(&b);
    good = read_table(diag, input[1], gemm_wanted, NULL, &b, read_gemm) &&
           read_table(diag, input[2], conv_wanted, others_wanted, &b, read_conv) &&
           read_table(diag, input[3], reduce_wanted, NULL, &b, read_reduce) &&
           read_table(diag, input[4], specs_wanted, NULL, &b, read_spec);
    put_all(&b, out);
    arena_free(b.arena);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 5, "deepbench OUT TYPE GEMM CONV ALL_REDUCE SPECS", convert);
}
