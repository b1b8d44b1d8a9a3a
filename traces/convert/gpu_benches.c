/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpu_benches OUT TYPE STREAM LAUNCH - memory bandwidth and launch time of one GPU, from
 * gpu-benches. NVIDIA only.
 *
 * Of the bandwidths the rows with at least 90 % of the threads that the GPU can hold, which is what
 * a full kernel meets; below that latency limits them. A kernel's time is that of one of 10,000 in
 * a queue or a graph, the best of six block sizes, for kernels that move up to 256 KiB. The source
 * has it as whole GB/s, 24 to 246 of them, so that a time is good to 2 %.
 */
#include "traces/convert/microbench.h"

#define FULL      90.0
#define MOST_MOVE (256.0 * 1024)

static const struct origin benches = {"te42kyfo/gpu-benches",
                                      "1c36d509ee717dca9215c27135fa1e611bb03ed1", "GPL-3.0"};

static const struct bench_gpu gpus[] = {
    {"V100", "V100", "V100", 0, 80, 1530, 15.67, 125},
    {"A100-40GB", "A100", "A100 40 GB", 40, 108, 1410, 19.49, 312},
    {"A100-80GB", "A100-80", "A100 80 GB", 80, 108, 1410, 19.49, 312},
    {"A40", "A40", "A40", 48, 84, 1740, 37.4, 150},
    {"L40", "L40", "L40", 48, 142, 2490, 90.5, 181},
    {"H100-PCIe", "H100-PCIe", "H100 PCIe", 80, 114, 1755, 51.2, 756},
    {"H200", "H200", "H200", 141, 132, 1980, 66.9, 989},
    {.theirs = NULL},
};

static const char *const stream_columns[] = {"occupancy_pct", "rate", NULL};
static const char *const launch_columns[] = {"bytes", "time", NULL};
static const char *const stream_wanted[] = {"gpu",        "occupancy_pct", "init_GBps", "read_GBps",
                                            "scale_GBps", "triad_GBps",    NULL};
static const char *const launch_wanted[] = {"gpu", "mode", "bytes_moved", "best_time_us", NULL};
static const char *const kinds[] = {"init", "read", "scale", "triad"};
enum { KINDS = 4, FIRST_KIND = 2 };

static const struct name modes[] = {{"launch", "stream"}, {"cuda_graph", "graph"}, {NULL, NULL}};
enum { MODES = 2 };

struct bench {
    const struct bench_gpu *gpu;
    struct bench_series stream[KINDS], launch[MODES];
};

static bool read_stream(struct csv *csv, struct bench *b)
{
    double row[2];

    if (!cell_is(csv, csv_column(csv, "gpu"), b->gpu->theirs))
        return true;
    if (!csv_real(csv, csv_column(csv, "occupancy_pct"), 0, 100, &row[0]))
        return false;
    for (int i = 0; i < KINDS && row[0] >= FULL; i++) {
        if (!csv_real(csv, csv_column(csv, stream_wanted[FIRST_KIND + i]), 1, 1e6, &row[1]))
            return false;
        bench_add(&b->stream[i], row, NULL);
    }
    return true;
}

static bool read_launch(struct csv *csv, struct bench *b)
{
    double row[2];

    if (!cell_is(csv, csv_column(csv, "gpu"), b->gpu->theirs))
        return true;
    for (int i = 0; i < MODES; i++) {
        if (!cell_is(csv, csv_column(csv, "mode"), modes[i].theirs))
            continue;
        if (!csv_real(csv, csv_column(csv, "bytes_moved"), 1, 1e15, &row[0]) ||
            !csv_real(csv, csv_column(csv, "best_time_us"), 1e-3, 1e9, &row[1]))
            return false;
        if (row[0] <= MOST_MOVE)
            bench_add(&b->launch[i], row, NULL);
    }
    return true;
}

static bool read_table(struct diag *diag, const char *path, const char *const *wanted,
                       struct bench *b, bool (*read)(struct csv *, struct bench *))
{
    struct csv *csv = csv_open(diag, path);
    int got = -1;
    bool good = csv && csv_require(csv, wanted);

    while (good && (got = csv_next(csv)) == 1)
        good = read(csv, b);
    csv_close(csv);
    return good && got == 0;
}

static void put_all(struct bench *b, struct out *out)
{
    static const struct bench_pair software[] = {
        {"method", "double precision; stream kernels at full occupancy, 10,000 queued kernels"},
        {NULL, NULL}};
    const char *comma = "";

    bench_head(out, b->gpu, &benches, NULL, software);
    for (int i = 0; i < KINDS; i++) {
        bench_put(out, &b->stream[i], &comma);
        bench_drop(&b->stream[i]);
    }
    for (int i = 0; i < MODES; i++) {
        bench_put(out, &b->launch[i], &comma);
        bench_drop(&b->launch[i]);
    }
    bench_end(out);
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct bench b = {.gpu = bench_find(gpus, input[0])};
    bool good;

    if (!b.gpu)
        return diag_error(diag, (struct mark){.src = NULL}, "no GPU type '%s'", input[0]);
    for (int i = 0; i < KINDS; i++)
        b.stream[i] =
            (struct bench_series){"stream", kinds[i], "fp64", "GB/s", .columns = stream_columns};
    for (int i = 0; i < MODES; i++)
        b.launch[i] =
            (struct bench_series){"launch", modes[i].ours, "", "us", .columns = launch_columns};
    good = read_table(diag, input[1], stream_wanted, &b, read_stream) &&
           read_table(diag, input[2], launch_wanted, &b, read_launch);
    put_all(&b, out);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 3, "gpu_benches OUT TYPE STREAM LAUNCH", convert);
}
