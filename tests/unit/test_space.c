/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hyper-parameters of recorded sets: what the trials file becomes; complaints are in
 * tests/bad/space.t. */
#include <math.h>

#include "sim/model/config.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

#define SET                                                                                        \
    "metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n"                           \
    "trials_file: trials.csv\n"
#define ROWS "trial,epoch,metric\n0,1,0.5\n1,1,0.6\n2,1,0.7\n3,1,0.8\n"
#define TRIALS                                                                                     \
    "trial,lr,depth,kind,batch\n0,0.001,2,tanh,64\n1,0.1,3,relu,\n2,0.01,8,elu,128\n3,1,4,relu,"   \
    "64\n"

static void write_set(struct scratch *files, const char *space, const char *trials)
{
    FILE *f = fopen("set.yaml", "w");

    fprintf(f, SET "%s", space);
    fclose(f);
    files->name[files->n++] = "set.yaml";
    scratch_write(files, "curves.csv", ROWS);
    scratch_write(files, "trials.csv", trials);
}

static void check_axis(const struct curves *c, uint32_t axis, const char *name,
                       const double wanted[4])
{
    cr_expect_str_eq(c->axis[axis], name);
    for (uint32_t k = 0; k < 4; k++)
        cr_expect(fabs(c->point[k * c->axes + axis] - wanted[k]) < 1e-12, "%s of %u: %.17g", name,
                  k, c->point[k * c->axes + axis]);
}

/* Numbers by their logarithms where they span more than a factor of 10, names by their order. */
Test(space, axes_from_0_to_1)
{
    struct scratch files;
    struct capture *c = capture_new();

    scratch_enter(&files);
    write_set(&files, "space: [lr, depth, kind]\n", TRIALS);
    struct curves *set = curves_load(c->arena, c->diag, "set.yaml");
    scratch_leave(&files);
    cr_assert(set, "%s", capture_all(c));
    cr_assert_eq(set->axes, 3);
    cr_expect_str_eq(set->trials_file, "trials.csv");
    check_axis(set, 0, "lr", (double[]){0, 2. / 3, 1. / 3, 1});
    check_axis(set, 1, "depth", (double[]){0, 1. / 6, 1, 1. / 3});
    check_axis(set, 2, "kind", (double[]){1, 0.5, 0, 0.5});
    cr_expect(set->batch[0] == 64 && set->batch[1] == 0 && set->batch[2] == 128);
    capture_free(c);
}

/* Exactly a factor of 10 is not more than one, and what is not positive has no logarithm. */
Test(space, linear_where_logarithms_do_not_help)
{
    struct scratch files;
    struct capture *c = capture_new();

    scratch_enter(&files);
    write_set(&files, "space: [wd, x]\n", "x,trial,wd\n10,0,0\n100,1,0.5\n55,2,1000\n10,3,250\n");
    struct curves *set = curves_load(c->arena, c->diag, "set.yaml");
    scratch_leave(&files);
    cr_assert(set && !set->batch, "%s", capture_all(c));
    check_axis(set, 0, "wd", (double[]){0, 0.0005, 1, 0.25});
    check_axis(set, 1, "x", (double[]){0, 1, 0.5, 0});
    capture_free(c);
}

Test(space, of_none)
{
    struct scratch files;
    struct capture *c = capture_new();

    scratch_enter(&files);
    write_set(&files, "", TRIALS);
    struct curves *set = curves_load(c->arena, c->diag, "set.yaml");
    scratch_leave(&files);
    cr_assert(set && set->axes == 0 && set->batch, "%s", capture_all(c));
    capture_free(c);
}

#define RUN                                                                                        \
    "cluster: {gpu_types: {fast: {}}, nodes: [{type: fast, gpus: 2}]}\n"                           \
    "cost:\n"                                                                                      \
    "  models: {small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}}\n"                  \
    "  fits: [{model: small, gpu: fast, alpha_s: 0.1, beta_s: 0.001}]\n"                           \
    "experiments:\n"                                                                               \
    "  - {name: study, curves: set.yaml, model: small, batch: recorded}\n"                         \
    "policy: fifo\n"

/* Whatever the seed draws, a trial trains with the batch its curve was recorded with. */
Test(space, recorded_batches)
{
    struct scratch files;
    struct capture *c = capture_new();
    static const uint32_t batch[] = {64, 32, 128, 100};

    scratch_enter(&files);
    write_set(&files, "", "trial,batch\n0,64\n1,32\n2,128\n3,100\n");
    scratch_write(&files, "run.yaml", RUN);
    struct config *conf = config_load(c->arena, c->diag, "run.yaml", NULL, 0, NULL);
    scratch_leave(&files);
    cr_assert(conf, "%s", capture_all(c));
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct world *w = config_world(conf, c->arena, seed);
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t b = batch[w->experiment[0].trial[k].curve];
            cr_expect_eq(w->experiment[0].trial[k].batch, b);
            cr_expect_eq(world_trial(w, 0, k, 0).per_epoch, (1000 + b - 1) / b);
        }
    }
    capture_free(c);
}
