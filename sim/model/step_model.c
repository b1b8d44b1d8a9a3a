/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/step_model.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"

#define HOST_BANDWIDTH 12e9 /* B/s where no copy was measured: pinned, PCIe 3 x16 */
#define CONTEXT_BYTES  (700.0 * 1024 * 1024) /* CUDA context and the libraries' workspaces */
#define IN_80          1.2816                /* standard deviations */

struct known_plan {
    const struct op_list *model;
    const struct gpu_cost *gpu;
    struct step_setting setting;
    struct step_plan *plan;
};

struct known_model {
    const char *name;
    struct op_list *list;
};

struct step_library {
    struct arena *arena;
    const char *gpus, *models;
    struct stack_table stacks;
    struct gpu_cost **gpu;
    struct known_model *model;
    struct known_plan *plan;
    size_t n_gpus, n_models, n_plans, gpus_cap, models_cap, cap;
};

struct step_library *step_library_with(struct arena *a, const char *gpus, const char *models,
                                       const struct stack_table *stacks)
{
    struct step_library *l = arena_get(a, sizeof(*l));

    l->arena = a;
    l->gpus = gpus;
    l->models = models;
    l->stacks = *stacks;
    return l;
}

struct step_library *step_library_open(struct arena *a, struct diag *d, const char *gpus,
                                       const char *models, const char *stacks)
{
    struct stack_table t = {0};

    return stacks_load(a, d, stacks, &t) ? step_library_with(a, gpus, models, &t) : NULL;
}

/* Names become paths: they must not lead elsewhere. */
static bool plain(const char *name)
{
    return *name &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
                        "+") == strlen(name) &&
           *name != '.';
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What a folder has of *.yaml, sorted and ended by NULL; without the ending. */
static const char *const *names_in(struct arena *a, const char *folder)
{
    const char **name = NULL;
    size_t n = 0, cap = 0;
    DIR *dir = opendir(folder);

    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t len = strlen(e->d_name);
        if (len <= 5 || strcmp(e->d_name + len - 5, ".yaml") != 0)
            continue;
        name = mem_room(name, n, &cap, sizeof(*name));
        name[n++] = arena_text(a, e->d_name, len - 5);
    }
    if (dir)
        closedir(dir);
    const char **all = arena_get(a, (n + 1) * sizeof(*all));
    if (n)
        memcpy(all, name, n * sizeof(*all));
    mem_drop(name);
    qsort(all, n, sizeof(*all), by_name);
    return all;
}

/* The one that starts with the word, else the one that is spelt most like it; NULL: none. */
static const char *meant(const char *word, const char *const *name)
{
    for (size_t i = 0; *word && name[i]; i++)
        if (strncmp(name[i], word, strlen(word)) == 0)
            return name[i];
    return diag_nearest(word, name);
}

static const char *joined(struct arena *a, const char *const *name)
{
    const char *text = *name ? *name : "none";

    while (*name && *++name)
        text = arena_printf(a, "%s, %s", text, *name);
    return text;
}

static const char *find_file(struct step_library *l, struct diag *d, struct mark at,
                             const char *folder, const char *name, const char *what)
{
    const char *path = arena_printf(l->arena, "%s/%s.yaml", folder, name);

    if (plain(name) && file_there(path))
        return path;
    const char *const *there = names_in(l->arena, folder);
    const char *near = meant(name, there);
    if (near)
        diag_unknown(d, at, near, "unknown %s '%.60s'", what, name);
    else
        diag_error(d, at, "unknown %s '%.60s'; %.80s has %s", what, name, folder,
                   joined(l->arena, there));
    return NULL;
}

const struct gpu_cost *step_library_gpu(struct step_library *l, struct diag *d, struct mark at,
                                        const char *name)
{
    for (size_t i = 0; i < l->n_gpus; i++)
        if (strcmp(l->gpu[i]->gpu, name) == 0)
            return l->gpu[i];
    const char *path = find_file(l, d, at, l->gpus, name, "GPU type");
    struct gpu_cost *g = path ? gpu_cost_load(l->arena, d, path) : NULL;
    if (g && strcmp(g->gpu, name) != 0) {
        diag_error(d, at, "%s is a calibration of %s", path, g->gpu);
        return NULL;
    }
    if (g) {
        l->gpu = arena_room(l->arena, l->gpu, l->n_gpus, &l->gpus_cap, sizeof(struct gpu_cost *));
        l->gpu[l->n_gpus++] = g;
    }
    return g;
}

const struct op_list *step_library_model(struct step_library *l, struct diag *d, struct mark at,
                                         const char *name)
{
    for (size_t i = 0; i < l->n_models; i++)
        if (strcmp(l->model[i].name, name) == 0)
            return l->model[i].list;
    const char *path = find_file(l, d, at, l->models, name, "model");
    struct op_list *list = path ? operators_load(l->arena, d, path) : NULL;
    if (list) {
        l->model = arena_room(l->arena, l->model, l->n_models, &l->models_cap, sizeof(*l->model));
        l->model[l->n_models++] =
            (struct known_model){arena_text(l->arena, name, strlen(name)), list};
    }
    return list;
}

static bool same_setting(const struct step_setting *a, const struct step_setting *b)
{
    return a->precision == b->precision && a->training == b->training &&
           a->optimizer == b->optimizer && a->transposes == b->transposes;
}

const struct step_plan *step_library_plan(struct step_library *l, struct diag *d, struct mark at,
                                          const char *model, const char *gpu,
                                          const struct step_setting *setting)
{
    const struct op_list *list = step_library_model(l, d, at, model);
    const struct gpu_cost *cost = list ? step_library_gpu(l, d, at, gpu) : NULL;

    if (!cost)
        return NULL;
    for (size_t i = 0; i < l->n_plans; i++) {
        const struct known_plan *k = &l->plan[i];
        if (k->model == list && k->gpu == cost && same_setting(&k->setting, setting))
            return k->plan;
    }
    struct step_plan *plan = step_plan_make(l->arena, list, cost, setting);
    if (plan->missing) {
        diag_error(d, at, "%s on %s: the calibration has no fit of %s in %s", model, gpu,
                   plan->missing, precision_names[setting->precision]);
        return NULL;
    }
    l->plan = arena_room(l->arena, l->plan, l->n_plans, &l->cap, sizeof(*l->plan));
    l->plan[l->n_plans++] = (struct known_plan){list, cost, *setting, plan};
    return plan;
}

/* The first of some figures that a GPU has; NAN: none. */
static double first_figure(const struct gpu_cost *g, const char *const *name)
{
    double value = NAN;

    for (; *name && isnan(value); name++)
        value = gpu_cost_figure(g, *name);
    return value;
}

/* Where no all-reduce was measured, a ring is as fast as a copy from GPU to GPU. */
double step_all_reduce(const struct gpu_cost *g, double bytes, int gpus)
{
    static const char *const hops[] = {"all_reduce nvlink hop", "all_reduce nvswitch hop",
                                       "all_reduce pcie hop", NULL};
    static const char *const buses[] = {"all_reduce nvlink bus",
                                        "all_reduce nvswitch bus",
                                        "all_reduce pcie bus",
                                        "peer nvswitch",
                                        "peer nvlink_2",
                                        "peer pcie",
                                        NULL};
    double hop = first_figure(g, hops), bus = first_figure(g, buses);

    if (gpus < 2)
        return 0;
    return 2 * (gpus - 1) * (isnan(hop) ? 0 : hop) + 2.0 * (gpus - 1) / gpus * bytes / bus;
}

static double host_bandwidth(const struct gpu_cost *g)
{
    double rate = gpu_cost_figure(g, "copy h2d_pinned");

    return isnan(rate) ? HOST_BANDWIDTH : rate;
}

/* Weights, gradients, momenta; what the backward pass needs; inputs; the context. */
static double memory(const struct op_list *l, const struct step_question *q)
{
    double parameters = 4 * operators_parameters(l);
    double half = precision_bytes(q->precision) / 4;

    if (q->inference)
        return parameters + CONTEXT_BYTES + q->samples * l->input_bytes;
    return 3 * parameters + CONTEXT_BYTES +
           q->samples * (operators_activation_bytes(l) * half + l->input_bytes);
}

static void put_together(const struct step_question *q, const struct gpu_cost *g,
                         const struct step_plan *p, struct step_answer *a)
{
    const struct stack *s = a->stack;
    double sigma;

    a->kernels = s->factor * a->guess.gpu;
    a->host = s->host * p->launches;
    a->gap = s->gap * p->launches;
    a->launches = p->launches;
    a->transfer = stack_word(s->host_parameters, q->model) && !q->inference
                      ? 2 * p->parameter_bytes / host_bandwidth(g)
                      : 0;
    double compute = fmax(a->kernels, a->host);
    double sync = q->inference ? 0 : step_all_reduce(g, p->parameter_bytes, q->gpus);
    a->sync =
        sync > 0
            ? pow(pow(compute, STEP_OVERLAP) + pow(sync, STEP_OVERLAP), 1 / STEP_OVERLAP) - compute
            : sync;
    a->s = compute + a->sync + a->gap + a->transfer;
    sigma = sqrt(a->guess.sigma * a->guess.sigma + s->sigma * s->sigma);
    a->low = a->s * exp(-IN_80 * sigma);
    a->high = a->s * exp(IN_80 * sigma);
}

bool step_answer(struct step_library *l, struct diag *d, struct mark at,
                 const struct step_question *q, struct step_answer *out)
{
    *out = (struct step_answer){0};
    out->stack = stack_find(&l->stacks, q->stack, q->model, (int)q->precision, &out->stack_known);
    if (!out->stack)
        return diag_error(d, at, "there is no stack '%.40s' in %s, and no default one",
                          q->stack ? q->stack : "default", precision_names[q->precision]);
    struct step_setting setting = {q->precision, !q->inference, out->stack->optimizer,
                                   out->stack->transposes};
    const struct step_plan *p = step_library_plan(l, d, at, q->model, q->gpu, &setting);
    if (!p)
        return false;
    const struct gpu_cost *g = step_library_gpu(l, d, at, q->gpu);
    step_plan_guess(p, q->samples, &out->guess);
    put_together(q, g, p, out);
    if (isnan(out->s))
        return diag_error(d, at, "%s has no figure of an all-reduce: %d GPUs cannot be predicted",
                          q->gpu, q->gpus);
    out->memory = memory(step_library_model(l, d, at, q->model), q);
    out->capacity = g->memory_gib * 1024 * 1024 * 1024;
    return true;
}
