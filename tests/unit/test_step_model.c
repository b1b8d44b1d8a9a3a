/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicted steps: a tiny model on a tiny GPU by hand. */
#include <math.h>
#include <sys/stat.h>

#include "sim/model/cost.h"
#include "sim/model/step_model.h"
#include "sim/model/world.h"
#include "sim/text/yaml.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

static const char model_yaml[] = "parameters: 20\nmacs: 15\ninput_bytes: 12\noperators:\n"
                                 "  - {op: linear, rows: 1, in: 3, out: 5, bias: true}\n"
                                 "  - {op: relu, elements: 5}\n";

static const char gpu_yaml[] =
    "gpu: G\nmemory_gib: 1\nfits:\n"
    "  - {op: linear, precision: fp32, points: 9, launch_s: 1e-5, latency_s: 4e-6, flop_s: 1e-9, "
    "read_s: 1e-9, write_s: 2e-9, weight_s: 3e-9, floor_s: 1e-6, err_p50: 0.1, err_p90: 0.2, "
    "work_min: 30, work_max: 300}\n"
    "  - {op: elementwise, precision: fp32, points: 9, launch_s: 5e-6, read_s: 1e-8, err_p50: "
    "0.05, err_p90: 0.2, work_min: 20, work_max: 1e6, from: H}\n"
    "figures:\n"
    "  - {name: copy h2d_pinned, value: 1e7, unit: B/s}\n"
    "  - {name: all_reduce pcie hop, value: 1e-6, unit: s}\n"
    "  - {name: all_reduce pcie bus, value: 1e6, unit: B/s}\n";

static const char stacks_yaml[] =
    "stacks:\n"
    "  - {stack: default, factor: 2, host_s: 5e-6, gap_s: 1e-6, sigma: 0.1}\n"
    "  - {stack: slow_host, covers: a b, host_s: 2e-5, sigma: 0.1}\n"
    "  - {stack: far, host_parameters: other tiny, sigma: 0}\n"
    "  - {stack: frozen, optimizer: false, sigma: 0}\n";

/* Seconds of the kernels of a training step with b samples, by part. */
#define PRODUCTS(b)    (18.48e-6 + 258e-9 * (b))
#define ELEMENTWISE(b) (15e-6 + 1200e-9 * (b))
#define OPTIMIZER      14e-6
#define KERNELS(b)     (PRODUCTS(b) + ELEMENTWISE(b) + OPTIMIZER)

struct room {
    struct capture *c;
    struct scratch files;
    struct step_library *library;
};

static struct room enter(void)
{
    struct room r = {.c = capture_new()};

    scratch_enter(&r.files);
    scratch_write(&r.files, "tiny.yaml", model_yaml);
    scratch_write(&r.files, "G.yaml", gpu_yaml);
    scratch_write(&r.files, "stacks.yaml", stacks_yaml);
    r.library = step_library_open(r.c->arena, r.c->diag, ".", ".", "stacks.yaml");
    cr_assert(r.library, "%s", capture_all(r.c));
    return r;
}

static void leave(struct room *r)
{
    scratch_leave(&r->files);
    capture_free(r->c);
}

static struct step_answer ask(struct room *r, struct step_question q)
{
    struct step_answer a;

    q.model = "tiny";
    q.gpu = "G";
    q.gpus = q.gpus ? q.gpus : 1;
    cr_assert(step_answer(r->library, r->c->diag, (struct mark){0}, &q, &a), "%s",
              capture_all(r->c));
    return a;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

Test(step_model, by_hand)
{
    struct room r = enter();
    struct step_answer a = ask(&r, (struct step_question){.samples = 10});

    cr_expect(near(a.guess.gpu, KERNELS(10)), "%g", a.guess.gpu);
    cr_expect(near(a.guess.part[PART_PRODUCT], PRODUCTS(10)), "%g", a.guess.part[PART_PRODUCT]);
    cr_expect(near(a.guess.part[PART_ELEMENTWISE], ELEMENTWISE(10)));
    cr_expect(near(a.guess.part[PART_OPTIMIZER], OPTIMIZER));
    cr_expect(a.launches == 8 && a.stack_known && a.sync == 0 && a.transfer == 0);
    cr_expect(near(a.kernels, 2 * KERNELS(10)) && near(a.host, 40e-6) && near(a.gap, 8e-6));
    cr_expect(near(a.s, 2 * KERNELS(10) + 8e-6), "%g", a.s);

    /* The host is slower than the GPU; a party that a stack covers; one that nobody knows. */
    a = ask(&r, (struct step_question){.samples = 10, .stack = "b"});
    cr_expect(near(a.s, 160e-6) && a.stack_known, "%g", a.s);
    a = ask(&r, (struct step_question){.samples = 10, .stack = "unheard"});
    cr_expect(near(a.s, 2 * KERNELS(10) + 8e-6) && !a.stack_known);

    /* Weights go up and gradients down, 80 bytes each. */
    a = ask(&r, (struct step_question){.samples = 10, .stack = "far"});
    cr_expect(near(a.transfer, 16e-6) && near(a.s, KERNELS(10) + 16e-6));

    a = ask(&r, (struct step_question){.samples = 10, .stack = "frozen"});
    cr_expect(near(a.s, PRODUCTS(10) + ELEMENTWISE(10)));

    a = ask(&r, (struct step_question){.samples = 10, .stack = "frozen", .inference = true});
    cr_expect(near(a.s, 11.18e-6 + 482e-9 * 10), "%g", a.s);
    leave(&r);
}

/* Eq. C5 and eq. 3. */
Test(step_model, several_gpus)
{
    struct room r = enter();

    for (int g = 2; g <= 8; g *= 2) {
        struct step_answer a = ask(&r, (struct step_question){.samples = 10, .gpus = g});
        double ring = 2 * (g - 1) * 1e-6 + 2.0 * (g - 1) / g * 80 / 1e6;
        double compute = 2 * KERNELS(10);
        double both = pow(pow(compute, 1.75) + pow(ring, 1.75), 1 / 1.75);
        cr_expect(near(a.s, both + 8e-6), "%d GPUs: %g, wanted %g", g, a.s, both + 8e-6);
    }
    leave(&r);
}

Test(step_model, quality)
{
    struct room r = enter();
    struct step_answer a = ask(&r, (struct step_question){.samples = 10});
    double all = KERNELS(10), moved = ELEMENTWISE(10) + OPTIMIZER;
    double sigma =
        hypot(hypot(0.1 * PRODUCTS(10), 0.05 * moved) * 1.4826 / all, 0.22 * moved / all);

    cr_expect_eq(a.guess.extrapolated, 0);
    cr_expect(near(a.guess.carried, moved / all));
    cr_expect(near(a.guess.sigma, sigma), "%g, wanted %g", a.guess.sigma, sigma);
    cr_expect(near(a.high / a.s, exp(1.2816 * hypot(sigma, 0.1))) &&
              near(a.low * a.high, a.s * a.s));
    a = ask(&r, (struct step_question){.samples = 11});
    cr_expect(near(a.guess.extrapolated, PRODUCTS(11) / KERNELS(11)));
    leave(&r);
}

/* Weights, gradients and momenta; what relu and the product keep, and the input. */
Test(step_model, memory)
{
    struct room r = enter();
    struct step_answer one = ask(&r, (struct step_question){.samples = 1}),
                       three = ask(&r, (struct step_question){.samples = 3});
    const struct op_list *l = step_library_model(r.library, r.c->diag, (struct mark){0}, "tiny");
    double each = operators_activation_bytes(l) + 12;

    cr_expect(near(three.memory - one.memory, 2 * each));
    cr_expect(near(one.memory, 3 * 80 + 700 * 1024.0 * 1024 + each));
    cr_expect_eq(one.capacity, 1024.0 * 1024 * 1024);
    leave(&r);
}

/* ---- the cost form ---- */

static const char measured_csv[] = "model,gpu,batch_per_gpu,step_s,stack,gpus,use,precision\n"
                                   "tiny,G,10,0.5,x,1,1,fp32\n"
                                   "tiny,G,10,0.25,y,1,1,fp32\n"
                                   "tiny,G,20,7,x,2,1,fp32\n"
                                   "tiny,G,30,7,x,1,0,fp32\n"
                                   "tiny,G,40,7,x,1,1,amp\n"
                                   "tiny,G,50,7,z,1,1,fp32\n"
                                   "big,G,60,7,x,1,1,fp32\n";

static const struct cost_model *operators_form(void)
{
    const struct cost_model *const *c = cost_models;

    while (strcmp((*c)->name, "operators") != 0)
        c++;
    return *c;
}

Test(step_model, cost_form)
{
    struct room r = enter();
    const struct cost_model *form = operators_form();
    const struct model models[] = {{.name = "tiny"}};
    const struct gpu_type types[] = {{.name = "G"}};
    void *self = arena_get(r.c->arena, form->state_size);

    cr_assert(mkdir("models", 0700) == 0 && mkdir("costs", 0700) == 0 &&
              mkdir("costs/gpus", 0700) == 0);
    cr_assert(rename("tiny.yaml", "models/tiny.yaml") == 0 &&
              rename("G.yaml", "costs/gpus/G.yaml") == 0 &&
              rename("stacks.yaml", "costs/stacks.yaml") == 0);
    scratch_write(&r.files, "m.csv", measured_csv);
    scratch_write(&r.files, "c.yaml",
                  "form: operators\nlibrary: .\nmeasured: m.csv\nstacks: [y, x]\n"
                  "network_gbps: 0.001\n");
    struct tree *conf = yaml_load(r.c->arena, r.c->diag, "c.yaml");
    cr_assert(conf && form->load(self, r.c->arena, r.c->diag, conf, models, 1, types, 1), "%s",
              capture_all(r.c));

    /* What was measured counts, the preferred stack first, with the parts of the prediction. */
    struct step_parts p = form->step(self, 0, 0, 10);
    double predicted = 2 * KERNELS(10) + 8e-6;
    cr_expect(near(step_compute(&p) + p.gap, 0.25), "%g", step_compute(&p) + p.gap);
    cr_expect(near(p.gap, 0.25 * 8e-6 / predicted) && near(p.floor, 0.25 * 40e-6 / predicted));
    cr_expect_eq(form->basis(self, 0, 0, 10), BASIS_MEASURED);
    cr_expect(form->range(self, 0, 0).min == 10 && form->range(self, 0, 0).max == 10);
    /* Rows of several GPUs, set aside, of another precision or stack do not. Twice: from memory. */
    for (int again = 0; again < 2; again++)
        for (double b = 20; b <= 50; b += 10) {
            p = form->step(self, 0, 0, b);
            cr_expect(near(p.busy, 2 * KERNELS(b)) && near(p.floor, 40e-6) && near(p.gap, 8e-6));
            cr_expect_eq(form->basis(self, 0, 0, b), BASIS_EXTRAPOLATED);
        }
    cr_expect_eq(form->basis(self, 0, 0, 5), BASIS_CARRIED);
    p = form->step(self, 0, 0, 2.5);
    cr_expect(near(p.busy, 2 * KERNELS(2.5)));
    p = form->step(self, 0, 0, 1e6);
    cr_expect(near(p.busy, 2 * KERNELS(1e6)));

    struct sync_cost s = form->sync(self, 0, 0);
    cr_expect(near(s.node_base_s, 82e-6), "%g", s.node_base_s);
    cr_expect(near(s.node_base_s + 6 * s.node_per_gpu_s, 14e-6 + 1.75 * 80e-6));
    cr_expect(near(s.cluster_base_s, 80e-6) && near(s.cluster_per_gpu_s, 10e-6));
    cr_expect_eq(s.overlap, 1.75);

    for (const char *const *f = form->files(self); *f; f++)
        cr_expect(access(*f, R_OK) == 0, "%s", *f);
    cr_assert(rename("models/tiny.yaml", "tiny.yaml") == 0 &&
              rename("costs/gpus/G.yaml", "G.yaml") == 0 &&
              rename("costs/stacks.yaml", "stacks.yaml") == 0 && rmdir("costs/gpus") == 0 &&
              rmdir("costs") == 0 && rmdir("models") == 0);
    leave(&r);
}
