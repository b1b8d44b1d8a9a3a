/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * whole_steps OUT NEUSIGHT ORION - whole steps, training and inference, of models that have a list
 * of operators: NeuSight's latencies of transformers and sums of the kernels that Orion profiled.
 *
 * Set aside: several GPUs and fused kernels (NeuSight's variants), mixtures of experts. Orion's
 * times are sums of kernel durations: no gaps between kernels, no input.
 */
#include "traces/convert/convert.h"

static const struct origin neusight = {"sitar-lab/NeuSight",
                                       "6945927d9afcca2b9daf021f8395e53edc5b4eef", "MIT"};
static const struct origin orion = {"eth-easl/orion", "aded65dda4b5e6104133bec31f54f170315df217",
                                    "MIT"};

struct whole {
    const char *model, *gpu, *mode, *stack, *reason;
    int64_t batch;
    double step_s;
};

static void put_whole(struct out *out, const struct whole *w, const struct origin *from)
{
    out_printf(out, "%s,%s,%lld,%s,fp32,%.6g,%s,%d,%s,%s,%s,%s\n", w->model, w->gpu,
               (long long)w->batch, w->mode, w->step_s, w->stack, w->reason == NULL,
               w->reason ? w->reason : "", from->repository, from->commit, from->licence);
}

static const struct name gpus[] = {{"Tesla_P4", "P4"},
                                   {"Tesla_P100-PCIE-16GB", "P100"},
                                   {"Tesla_T4", "T4"},
                                   {"Tesla_V100-PCIE-32GB", "V100"},
                                   {"NVIDIA_L4", "L4"},
                                   {"NVIDIA_A100-PCIE-40GB", "A100"},
                                   {"NVIDIA_A100-SXM4-40GB", "A100-SXM4"},
                                   {"NVIDIA_A100_80GB_PCIe", "A100-80-PCIe"},
                                   {"NVIDIA_H100_80GB_HBM3", "H100"},
                                   {NULL, NULL}};

static const struct name models[] = {
    {"bert_large", "bert-large-512"}, {"gpt2_large", "gpt2-large-1024"},
    {"gpt3_xl", "gpt3-xl-2048"},      {"gpt3_27", "gpt3-27-2048"},
    {"opt_13", "opt-13-2048"},        {"switch4", "switch-4"},
    {"switchxl4", "switch-xl-4"},     {NULL, NULL}};

static const struct name modes[] = {{"train", "training"}, {"inf", "inference"}, {NULL, NULL}};

/* ---- NeuSight ---- */

enum { DEVICE, MODEL, MODE, BATCH, VARIANT, LATENCY, COLUMNS };
static const char *const columns[] = {"device",  "model",  "mode", "batch",
                                      "variant", "e2e_ms", NULL};

static const char *aside(const struct csv *csv, const int *col, const char *model)
{
    if (strncmp(model, "switch", 6) == 0)
        return "mixture of experts: no list of its operators";
    if (cell_is(csv, col[VARIANT], "fusion"))
        return "fused kernels";
    return cell_is(csv, col[VARIANT], "") ? NULL : "several GPUs";
}

static bool neusight_row(struct csv *csv, const int *col, struct out *out)
{
    struct whole w = {.model = cell_name(csv, col[MODEL], models),
                      .gpu = cell_name(csv, col[DEVICE], gpus),
                      .mode = cell_name(csv, col[MODE], modes),
                      .stack = "neusight"};
    double ms;

    if (!w.model || !w.gpu || !w.mode)
        return true;
    if (!csv_int(csv, col[BATCH], 1, 100000, &w.batch) ||
        !csv_real(csv, col[LATENCY], 1e-6, 1e9, &ms))
        return false;
    w.step_s = ms * 1e-3;
    w.reason = aside(csv, col, w.model);
    put_whole(out, &w, &neusight);
    return true;
}

static bool convert_neusight(struct diag *diag, const char *path, struct out *out)
{
    struct csv *csv = csv_open(diag, path);
    int col[COLUMNS], got = -1;
    bool good = csv && csv_require(csv, columns);

    for (int i = 0; good && i < COLUMNS; i++)
        col[i] = csv_column(csv, columns[i]);
    while (good && (got = csv_next(csv)) == 1)
        good = neusight_row(csv, col, out);
    csv_close(csv);
    return good && got == 0;
}

/* ---- Orion: the kernels of an iteration stand together ---- */

static const struct name orion_models[] = {
    {"resnet50", "resnet50-imagenet"}, {"resnet101", "resnet101-imagenet"}, {NULL, NULL}};
static const struct name orion_modes[] = {
    {"train_iter", "training"}, {"inference_fwd", "inference"}, {NULL, NULL}};

static void put_sum(struct out *out, const struct whole *w)
{
    if (w->model)
        put_whole(out, w, &orion);
}

static bool convert_orion(struct diag *diag, const char *path, struct out *out)
{
    static const char *const wanted[] = {"model", "batch", "mode", "duration_ns", NULL};
    struct csv *csv = csv_open(diag, path);
    struct whole sum = {0};
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1) {
        struct whole w = {.model = cell_name(csv, csv_column(csv, "model"), orion_models),
                          .gpu = "V100",
                          .mode = cell_name(csv, csv_column(csv, "mode"), orion_modes),
                          .stack = "orion"};
        double ns = 0;
        good = csv_int(csv, csv_column(csv, "batch"), 1, 100000, &w.batch) &&
               csv_real(csv, csv_column(csv, "duration_ns"), 0, 1e12, &ns);
        if (w.model != sum.model || w.mode != sum.mode || w.batch != sum.batch) {
            put_sum(out, &sum);
            sum = w;
        }
        sum.step_s += ns * 1e-9;
    }
    put_sum(out, &sum);
    csv_close(csv);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    out_text(out, "model,gpu,batch,mode,precision,step_s,stack,use,reason,source,commit,licence\n");
    return convert_neusight(diag, input[0], out) && convert_orion(diag, input[1], out);
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "whole_steps OUT NEUSIGHT ORION", convert);
}
