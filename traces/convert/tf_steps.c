/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tf_steps OUT TABLE - one-GPU step times from TensorFlow's benchmark page of May 2017.
 *
 * Rows with synthetic input are set aside, since training reads real data; the machines are
 * measurements of one stack.
 */
#include "traces/convert/convert.h"

static const struct origin tensorflow = {"tensorflow/tensorflow",
                                         "5984ffefd320c5d71b801ee06079a51b91ea42c0", "Apache-2.0"};

static const struct name models[] = {{"InceptionV3", "inception3-imagenet"},
                                     {"ResNet-50", "resnet50-imagenet"},
                                     {"ResNet-152", "resnet152-imagenet"},
                                     {"AlexNet", "alexnet-imagenet"},
                                     {"VGG16", "vgg16-imagenet"},
                                     {NULL, NULL}};
static const struct name gpus[] = {{"P100-SXM2", "P100"}, {"K80", "K80"}, {NULL, NULL}};

enum { GPU, MODEL, BATCH, GPUS, DATA, RATE, COLUMNS };
static const char *const columns[] = {"gpu",          "model", "batch_per_gpu", "num_gpus", "data",
                                      "images_per_s", NULL};

static bool convert_row(struct csv *csv, const int *col, struct out *out)
{
    struct step_row r = {.gpus = 1, .nodes = 1, .precision = "fp32", .stack = "tf-2017"};
    double rate;

    r.model = cell_name(csv, col[MODEL], models);
    r.gpu = cell_name(csv, col[GPU], gpus);
    if (!r.model || !r.gpu || !cell_is(csv, col[GPUS], "1"))
        return true;
    if (!csv_int(csv, col[BATCH], 1, 100000, &r.batch) ||
        !csv_real(csv, col[RATE], 1e-6, 1e9, &rate))
        return false;
    r.step_s = (double)r.batch / rate;
    r.reason = cell_is(csv, col[DATA], "synthetic") ? "synthetic input" : NULL;
    put_step(out, &r, &tensorflow);
    return true;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct csv *csv = csv_open(diag, input[0]);
    int col[COLUMNS], got = -1;
    bool good = csv && csv_require(csv, columns);

    out_text(out, STEP_COLUMNS);
    for (int i = 0; good && i < COLUMNS; i++)
        col[i] = csv_column(csv, columns[i]);
    while (good && (got = csv_next(csv)) == 1)
        good = convert_row(csv, col, out);
    csv_close(csv);
    return good && got == 0;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "tf_steps OUT TABLE", convert);
}
