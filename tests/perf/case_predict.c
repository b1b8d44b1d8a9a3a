/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Step times from calibrations: every model of configs/models on every GPU of configs/costs/gpus.
 * predict.plan reads nothing: lists and calibrations are there, plans are made; predict.step asks
 * plans for batches; predict.kept asks the cost form that runs use, which keeps its answers.
 */
#include <dirent.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_heapsort.h>

#include "sim/base/file.h"
#include "sim/model/cost.h"
#include "sim/model/step_model.h"
#include "sim/model/world.h"
#include "tests/perf/bench.h"

enum { MOST = 64, BATCHES = 9 }; /* 1 .. 256 */
enum variant { PLAN, STEP, KEPT };

struct predict {
    enum variant variant;
    struct arena *arena, *plans;
    struct diag *diag;
    char root[512];
    const char *gpu[MOST], *model[MOST];
    uint32_t n_gpus, n_models;
    struct step_library *library;
    const struct step_plan *plan[MOST * MOST];
    uint32_t n_plans;
    const struct cost_model *form;
    void *self; /* its */
    struct model m[MOST];
    struct gpu_type t[MOST];
};

/* The tree that this program was built in: the nearest folder above it with configs. */
static bool find_root(char *root, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", root, size - 32);

    while (n > 0) {
        while (n > 0 && root[n - 1] != '/')
            n--;
        strcpy(root + n, "configs/costs/stacks.yaml");
        if (n > 0 && file_there(root)) {
            strcpy(root + n, "configs");
            return true;
        }
        n--;
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the YAML files of a folder, in order. */
static uint32_t names_of(struct arena *a, const char *path, const char **name)
{
    DIR *dir = opendir(path);
    uint32_t n = 0;

    for (struct dirent *e; dir && n < MOST && (e = readdir(dir));) {
        size_t len = strlen(e->d_name);
        if (len > 5 && strcmp(e->d_name + len - 5, ".yaml") == 0)
            name[n++] = arena_text(a, e->d_name, len - 5);
    }
    if (dir)
        closedir(dir);
    gsl_heapsort(name, n, sizeof(*name), by_name);
    return n;
}

static const struct step_setting setting = {FP32, true, true, false};

/* Makes all plans in an arena; those of GPUs without fits in fp32 are left out. */
static void make_plans(struct predict *p, struct arena *a)
{
    p->n_plans = 0;
    for (uint32_t m = 0; m < p->n_models; m++)
        for (uint32_t g = 0; g < p->n_gpus; g++) {
            const struct op_list *list =
                step_library_model(p->library, p->diag, (struct mark){0}, p->model[m]);
            const struct gpu_cost *cost =
                step_library_gpu(p->library, p->diag, (struct mark){0}, p->gpu[g]);
            const struct step_plan *plan =
                list && cost ? step_plan_make(a, list, cost, &setting) : NULL;
            if (plan && !plan->missing)
                p->plan[p->n_plans++] = plan;
        }
}

static bool load_form(struct predict *p)
{
    const struct cost_model *const *c = cost_models;
    struct tree *conf = tree_map(p->arena, (struct mark){0});

    while (*c && strcmp((*c)->name, "operators") != 0)
        c++;
    for (uint32_t m = 0; m < p->n_models; m++)
        p->m[m].name = p->model[m];
    for (uint32_t g = 0; g < p->n_gpus; g++)
        p->t[g].name = p->gpu[g];
    tree_add(p->arena, conf, tree_scalar(p->arena, (struct mark){0}, "library", 7),
             tree_scalar(p->arena, (struct mark){0}, p->root, strlen(p->root)));
    p->form = *c;
    p->self = arena_get(p->arena, (*c)->state_size);
    return (*c)->load(p->self, p->arena, p->diag, conf, p->m, p->n_models, p->t, p->n_gpus);
}

static void *open_predict(const struct bench_case *c, struct outcome *o)
{
    struct predict *p = mem_get(sizeof(*p));

    p->variant = (enum variant)c->variant;
    p->arena = arena_new();
    p->plans = arena_new();
    p->diag = diag_new(stderr);
    if (!find_root(p->root, sizeof(p->root))) {
        snprintf(o->note, sizeof(o->note), "no folder above this program has configs/costs");
        return NULL;
    }
    const char *gpus = arena_printf(p->arena, "%s/costs/gpus", p->root);
    const char *models = arena_printf(p->arena, "%s/models", p->root);
    p->n_gpus = names_of(p->arena, gpus, p->gpu);
    p->n_models = names_of(p->arena, models, p->model);
    p->library = step_library_open(p->arena, p->diag, gpus, models,
                                   arena_printf(p->arena, "%s/costs/stacks.yaml", p->root));
    if (!p->library || (p->variant == KEPT && !load_form(p))) {
        snprintf(o->fault, sizeof(o->fault), "the calibrations cannot be read");
        return p;
    }
    make_plans(p, p->plans);
    return p;
}

static void pass_plans(struct predict *p, struct outcome *o)
{
    make_plans(p, p->plans);
    o->units = p->n_plans;
    arena_reset(p->plans);
}

static void pass_steps(struct predict *p, struct outcome *o)
{
    double sum = 0;

    o->units = (double)p->n_plans * BATCHES;
    for (uint32_t i = 0; i < p->n_plans; i++)
        for (int b = 0; b < BATCHES; b++)
            sum += step_plan_gpu(p->plan[i], 1 << b);
    if (!(sum > 0))
        snprintf(o->fault, sizeof(o->fault), "steps take %g s", sum);
}

static void pass_kept(struct predict *p, struct outcome *o)
{
    double sum = 0;

    o->units = (double)p->n_models * p->n_gpus * BATCHES;
    for (uint32_t m = 0; m < p->n_models; m++)
        for (type_id t = 0; t < p->n_gpus; t++)
            for (int b = 0; b < BATCHES; b++)
                sum += p->form->step(p->self, m, t, 1 << b).busy;
    if (!(sum > 0))
        snprintf(o->fault, sizeof(o->fault), "steps take %g s", sum);
}

static void pass_predict(void *self, struct outcome *o)
{
    struct predict *p = self;

    if (o->fault[0])
        return;
    if (p->variant == PLAN)
        pass_plans(p, o);
    else if (p->variant == STEP)
        pass_steps(p, o);
    else
        pass_kept(p, o);
}

static void close_predict(void *self, struct outcome *o)
{
    struct predict *p = self;

    if (!o->fault[0])
        snprintf(o->note, sizeof(o->note), "%u models, %u GPUs", p->n_models, p->n_gpus);
    arena_free(p->arena);
    arena_free(p->plans);
    mem_drop(p);
}

#define PREDICT(v)                                                                                 \
    .variant = v, .reps = 15, .open = open_predict, .pass = pass_predict, .close = close_predict

const struct bench_case predict_cases[] = {
    {.name = "predict.plan", .unit = "plan", PREDICT(PLAN)},
    {.name = "predict.step", .unit = "step", PREDICT(STEP)},
    {.name = "predict.kept", .unit = "step", PREDICT(KEPT)},
    {.name = NULL},
};
