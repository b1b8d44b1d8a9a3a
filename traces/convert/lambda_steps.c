/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lambda_steps OUT V1 V0 - one-GPU step times from Lambda's throughput tables.
 *
 * step = batch / throughput. Left out, because no step time follows from them: rows without a batch
 * size, and tasks whose throughput counts tokens, frames or audio samples while the batch counts
 * sequences or clips (gnmt, transformerxl, tacotron2, waveglow). The mixed release v1_v2mix repeats
 * v1. Every machine of a GPU type is a measurement of its own; laptop types are left out.
 */
#include "traces/convert/convert.h"

static const struct origin lambda = {"lambdal/deeplearning-benchmark",
                                     "aa5addb6a53675a649a80036dad548f1c27cbcc4", "none"};

static const struct name models[] = {{"resnet50", "resnet50-imagenet"},
                                     {"ssd", "ssd-coco"},
                                     {"bert_base_squad", "bert-base-squad"},
                                     {"bert_large_squad", "bert-large-squad"},
                                     {"ncf", "ncf-ml20m"},
                                     {NULL, NULL}};

static const struct name v1_gpus[] = {{"LambdaCloud V100 16GB", "V100"},
                                      {"Quadro RTX 8000", "RTX8000"},
                                      {"RTX 3090", "3090"},
                                      {"RTX 4090", "4090"},
                                      {"RTX A6000", "A6000"},
                                      {"RTX 6000 Ada", "RTX6000Ada"},
                                      {"LambdaCloud A10", "A10"},
                                      {"LambdaCloud A100 40GB PCIe", "A100-PCIe"},
                                      {"A100 80GB PCIe", "A100-80-PCIe"},
                                      {"A100 80GB SXM4", "A100-80"},
                                      {"H100 80GB PCIe Gen5", "H100-PCIe"},
                                      {"LambdaCloud H100 80GB PCIe Gen5", "H100-PCIe"},
                                      {"H100 80GB SXM5", "H100"},
                                      {"1CC H100 80GB SXM5", "H100"},
                                      {"Dell H100 80GB SXM5", "H100"},
                                      {"DellTexas H100 80GB SXM5", "H100"},
                                      {"RAIDZ1 H100 80GB SXM5", "H100"},
                                      {"SMC H100 80GB SXM5", "H100"},
                                      {NULL, NULL}};

static const struct name v0_gpus[] = {{"1080Ti", "1080Ti"},
                                      {"2080Ti", "2080Ti"},
                                      {"3070", "3070"},
                                      {"3080", "3080"},
                                      {"3090", "3090"},
                                      {"V100", "V100"},
                                      {"TitanRTX", "TitanRTX"},
                                      {"QuadroRTX5000", "RTX5000"},
                                      {"QuadroRTX6000", "RTX6000"},
                                      {"LambdaCloud_1xQuadroRTX6000", "RTX6000"},
                                      {"QuadroRTX8000", "RTX8000"},
                                      {"A4000", "A4000"},
                                      {"A4500", "A4500"},
                                      {"A5000", "A5000"},
                                      {"A5500", "A5500"},
                                      {"A6000", "A6000"},
                                      {"LambdaCloud_A6000", "A6000"},
                                      {"A40", "A40"},
                                      {"A100_PCIe", "A100-PCIe"},
                                      {"A100_SXM4", "A100"},
                                      {"A100_p4", "A100"},
                                      {"A100_80GB_PCIe", "A100-80-PCIe"},
                                      {"A100_80GB_SXM4", "A100-80"},
                                      {NULL, NULL}};

/* The cards on which "fp32" ran as it is called; on later ones it means TF32. */
static const char *const before_tf32[] = {"1080Ti",  "2080Ti",  "V100",    "TitanRTX",
                                          "RTX5000", "RTX6000", "RTX8000", NULL};

struct release {
    const char *name, *gpu_column, *batch_column;
    const struct name *gpus;
    const char *mixed; /* its word for mixed precision */
    const char *stack, *mixed_stack;
};

static const struct release releases[] = {
    {"v1", "gpu", "total_batch", v1_gpus, "fp16", "lambda-v1", "lambda-v1-fp16"},
    {"v0", "system_dir", "batch_as_logged", v0_gpus, "amp", "lambda-v0", "lambda-v0-amp"},
};

struct table {
    struct csv *csv;
    int release, precision, gpu, gpus, task, batch, throughput;
};

static bool open_table(struct diag *diag, const char *path, const struct release *rel,
                       struct table *t)
{
    const char *wanted[] = {"release", "precision",       rel->gpu_column, "num_gpus",
                            "task",    rel->batch_column, "throughput",    NULL};

    t->csv = csv_open(diag, path);
    if (!t->csv || !csv_require(t->csv, wanted)) {
        csv_close(t->csv);
        return false;
    }
    t->release = csv_column(t->csv, "release");
    t->precision = csv_column(t->csv, "precision");
    t->gpu = csv_column(t->csv, rel->gpu_column);
    t->gpus = csv_column(t->csv, "num_gpus");
    t->task = csv_column(t->csv, "task");
    t->batch = csv_column(t->csv, rel->batch_column);
    t->throughput = csv_column(t->csv, "throughput");
    return true;
}

static const char *full_precision(const char *gpu)
{
    for (const char *const *p = before_tf32; *p; p++)
        if (strcmp(*p, gpu) == 0)
            return "fp32";
    return "tf32";
}

/* Whether the row is of a kind that is kept; fills in all but the numbers. */
static bool row_kind(const struct table *t, const struct release *rel, struct step_row *r)
{
    bool mixed = cell_is(t->csv, t->precision, rel->mixed);

    r->model = cell_name(t->csv, t->task, models);
    r->gpu = cell_name(t->csv, t->gpu, rel->gpus);
    if (!r->model || !r->gpu || !(mixed || cell_is(t->csv, t->precision, "fp32")))
        return false;
    r->precision = mixed ? rel->mixed : full_precision(r->gpu);
    r->stack = mixed ? rel->mixed_stack : rel->stack;
    return cell_is(t->csv, t->release, rel->name) && cell_is(t->csv, t->gpus, "1") &&
           !cell_is(t->csv, t->batch, "");
}

static bool convert_table(struct diag *diag, const char *path, const struct release *rel,
                          struct out *out)
{
    struct table t;
    bool good = true;
    int got = -1;

    if (!open_table(diag, path, rel, &t))
        return false;
    while (good && (got = csv_next(t.csv)) == 1) {
        struct step_row r = {.gpus = 1, .nodes = 1};
        double throughput;

        if (!row_kind(&t, rel, &r))
            continue;
        good = csv_int(t.csv, t.batch, 1, 100000000, &r.batch) &&
               csv_real(t.csv, t.throughput, 1e-6, 1e15, &throughput);
        if (!good)
            break;
        r.step_s = (double)r.batch / throughput;
        put_step(out, &r, &lambda);
    }
    csv_close(t.csv);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    out_text(out, STEP_COLUMNS);
    return convert_table(diag, input[0], &releases[0], out) &&
           convert_table(diag, input[1], &releases[1], out);
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "lambda_steps OUT V1 V0", convert);
}
