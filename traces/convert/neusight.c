/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * neusight OUT TYPE CONV LINEAR BMM ELEMENTWISE HELDOUT - operators of PyTorch on one GPU, from
 * NeuSight's data set. All are fp32 with TF32 off, forward passes.
 *
 * Of L4, A100-80-PCIe and H100 there is only what the authors held out, and convolutions of the
 * A100-80-PCIe; of the other GPUs the held-out rows are not taken, as they repeat the operators.
 *
 * Rules that set rows aside: a linear or a batched product over 1.1 times the nominal peak rate
 * (none); over three times as slow as more of the same work in the same series (6 linear, 28
 * convolutions). Then every fourth row that no rule has taken, from the first on, is kept of
 * batched products and of what works by elements, so that a file has less than a megabyte; linear,
 * convolutions and what was held out are whole.
 *
 * A tensor of B x H is B * H elements for what works by elements, and B rows of H for softmax and
 * layer norm. The convolutions are 3 x 3 with stride 1 and padding 1, images and filters square.
 */
#include "traces/convert/microbench.h"

#define THIN 4

static const struct origin neusight = {"sitar-lab/NeuSight",
                                       "6945927d9afcca2b9daf021f8395e53edc5b4eef", "MIT"};

static const struct bench_gpu gpus[] = {
    {"Tesla V100-PCIE-32GB", "V100", "Tesla V100-PCIE-32GB", 32, 80, 1370, 14.03, 0},
    {"Tesla P100-PCIE-16GB", "P100", "Tesla P100-PCIE-16GB", 16, 56, 1328, 9.52, 0},
    {"Tesla T4", "T4", "Tesla T4", 16, 40, 1590, 8.14, 0},
    {"Tesla P4", "P4", "Tesla P4", 8, 40, 1113, 5.7, 0},
    {"NVIDIA A100-PCIE-40GB", "A100", "A100-PCIE-40GB", 40, 108, 1410, 19.49, 0},
    {"NVIDIA A100 80GB PCIe", "A100-80-PCIe", "A100 80GB PCIe", 80, 108, 1410, 19.49, 0},
    {"NVIDIA L4", "L4", "L4", 24, 60, 2040, 31.33, 0},
    {"NVIDIA H100 80GB HBM3", "H100", "H100 80GB HBM3", 80, 132, 1980, 66.91, 0},
    {.theirs = NULL},
};
/* Of which the held-out rows are all that there is, but for convolutions. */
static const char *const held_out[] = {"A100-80-PCIe", "L4", "H100", NULL};

static const char *const conv_columns[] = {
    "n", "c", "h", "w", "k", "r", "s", "pad_h", "pad_w", "stride_h", "stride_w", "time", NULL};
static const char *const linear_columns[] = {"m", "n", "k", "time", NULL};
static const char *const bmm_columns[] = {"batch", "m", "n", "k", "time", NULL};
static const char *const flat_columns[] = {"elements", "time", NULL};
static const char *const rows_columns[] = {"rows", "width", "time", NULL};

static const struct op {
    const char *theirs, *op, *kind;
    const char *const *columns;
    size_t sizes, equal; /* columns of each sort, for the rule */
    bool thin;
} ops[] = {
    {"conv", "conv", "forward", conv_columns, 5, 6, false},
    {"linear", "linear", "", linear_columns, 3, 0, false},
    {"bmm", "bmm", "", bmm_columns, 4, 0, true},
    {"add", "elementwise", "add", flat_columns, 1, 0, true},
    {"mul", "elementwise", "mul", flat_columns, 1, 0, true},
    {"div", "elementwise", "div", flat_columns, 1, 0, true},
    {"pow", "elementwise", "pow", flat_columns, 1, 0, true},
    {"addu", "elementwise", "add_scalar", flat_columns, 1, 0, true},
    {"mulu", "elementwise", "mul_scalar", flat_columns, 1, 0, true},
    {"divu", "elementwise", "div_scalar", flat_columns, 1, 0, true},
    {"powu", "elementwise", "pow_scalar", flat_columns, 1, 0, true},
    {"relu", "elementwise", "relu", flat_columns, 1, 0, true},
    {"gelu", "elementwise", "gelu", flat_columns, 1, 0, true},
    {"tanh", "elementwise", "tanh", flat_columns, 1, 0, true},
    {"softmax", "softmax", "forward", rows_columns, 2, 0, true},
    {"ln", "layer_norm", "forward", rows_columns, 2, 0, true},
};
enum { OPS = sizeof ops / sizeof *ops, CONV = 0, LINEAR, BMM };

struct bench {
    const struct bench_gpu *gpu;
    struct bench_series series[OPS];
};

static const char *const conv_wanted[] = {"device",   "batch",  "in_ch",   "out_ch",     "kernel",
                                          "input_hw", "stride", "padding", "latency_ms", NULL};
static const char *const product_wanted[] = {"device", "B", "M", "N", "K", "latency_ms", NULL};
static const char *const flat_wanted[] = {"device", "op", "B", "H", "latency_ms", NULL};
static const char *const mixed_wanted[] = {"device", "op", "B",          "M", "N",
                                           "K",      "H",  "latency_ms", NULL};

static bool size(struct csv *csv, const char *name, double *x)
{
    return csv_real(csv, csv_column(csv, name), 0, 1e9, x);
}

static bool take_conv(struct csv *csv, struct bench *b, int op)
{
    double batch, in, out, kernel, hw, stride, padding, ms;

    (void)op;
    if (!size(csv, "batch", &batch) || !size(csv, "in_ch", &in) || !size(csv, "out_ch", &out) ||
        !size(csv, "kernel", &kernel) || !size(csv, "input_hw", &hw) ||
        !size(csv, "stride", &stride) || !size(csv, "padding", &padding) ||
        !size(csv, "latency_ms", &ms))
        return false;
    bench_add(
        &b->series[CONV],
        (double[]){batch, in, hw, hw, out, kernel, kernel, padding, padding, stride, stride, ms},
        NULL);
    return true;
}

/* Linear and batched products. */
static bool take_product(struct csv *csv, struct bench *b, int op)
{
    double row[5], flop = 2;
    static const char *const names[] = {"B", "M", "N", "K", "latency_ms"};

    for (int i = 0; i < 5; i++)
        if (!size(csv, names[i], &row[i]))
            return false;
    for (int i = 0; i < 4; i++)
        flop *= row[i];
    bench_add(&b->series[op], op == LINEAR ? row + 1 : row,
              flop / row[4] / 1e9 > BENCH_PEAK_BY * b->gpu->fp32 ? BENCH_PEAK : NULL);
    return true;
}

static bool take_flat(struct csv *csv, struct bench *b, int op)
{
    double row[3];

    if (!size(csv, "B", &row[0]) || !size(csv, "H", &row[1]) || !size(csv, "latency_ms", &row[2]))
        return false;
    if (ops[op].columns == flat_columns)
        row[1] *= row[0];
    bench_add(&b->series[op], ops[op].columns == flat_columns ? row + 1 : row, NULL);
    return true;
}

/* What is measured in tables of several operators. */
static bool take_named(struct csv *csv, struct bench *b, int op)
{
    int named = csv_column(csv, "op");

    for (op = LINEAR; op < OPS; op++)
        if (cell_is(csv, named, ops[op].theirs))
            return op <= BMM ? take_product(csv, b, op) : take_flat(csv, b, op);
    return csv_int(csv, named, 0, 0, &(int64_t){0}); /* reported: no name is a number */
}

static bool read_table(struct diag *diag, const char *path, const char *const *wanted,
                       struct bench *b, bool (*take)(struct csv *, struct bench *, int), int op)
{
    struct csv *csv = csv_open(diag, path);
    int got = -1, device;
    bool good = csv && csv_require(csv, wanted);

    device = good ? csv_column(csv, "device") : -1;
    while (good && (got = csv_next(csv)) == 1)
        if (cell_is(csv, device, b->gpu->theirs))
            good = take(csv, b, op);
    csv_close(csv);
    return good && got == 0;
}

static bool is_held_out(const struct bench *b)
{
    const char *const *type = held_out;

    while (*type && strcmp(*type, b->gpu->type) != 0)
        type++;
    return *type != NULL;
}

static bool read_all(struct diag *diag, char **input, struct bench *b)
{
    return read_table(diag, input[0], conv_wanted, b, take_conv, CONV) &&
           (is_held_out(b) ? read_table(diag, input[4], mixed_wanted, b, take_named, 0)
                           : read_table(diag, input[1], product_wanted, b, take_product, LINEAR) &&
                                 read_table(diag, input[2], product_wanted, b, take_product, BMM) &&
                                 read_table(diag, input[3], flat_wanted, b, take_named, 0));
}

static void put_all(struct bench *b, struct out *out)
{
    static const struct bench_pair software[] = {
        {"pytorch", "2.1.0"},
        {"cuda", "12.1"},
        {"method", "time of one operator as PyTorch runs it, launch included; TF32 off"},
        {NULL, NULL}};
    static const char note[] = "all but convolutions: what the authors held out";
    const char *comma = "";

    bench_head(out, b->gpu, &neusight, is_held_out(b) ? note : NULL, software);
    for (int i = 0; i < OPS; i++) {
        bench_slower(&b->series[i], ops[i].sizes, ops[i].equal);
        if (ops[i].thin && !is_held_out(b))
            bench_thin(&b->series[i], THIN);
        bench_put(out, &b->series[i], &comma);
        bench_drop(&b->series[i]);
    }
    bench_end(out);
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct bench b = {.gpu = bench_find(gpus, input[0])};
    bool good;

    if (!b.gpu)
        return diag_error(diag, (struct mark){.src = NULL}, "no GPU type '%s'", input[0]);
    for (int i = 0; i < OPS; i++)
        b.series[i] =
            (struct bench_series){ops[i].op, ops[i].kind, "fp32", "ms", .columns = ops[i].columns};
    good = read_all(diag, input + 1, &b);
    put_all(&b, out);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 6, "neusight OUT TYPE CONV LINEAR BMM ELEMENTWISE HELDOUT",
                        convert);
}
