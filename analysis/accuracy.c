/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/accuracy.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/model/paths.h"
#include "sim/model/rows.h"
#include "sim/text/conf.h"
#include "sim/text/yaml.h"

static const struct field split_fields[] = {
    {FIELD_TEXT, "fit_gpus", offsetof(struct accuracy, fit_gpus), NULL, 0, 0, NULL,
     "types of GPU whose steps may be fitted, set apart by blanks"},
    {.type = FIELD_END},
};

static const struct field group_fields[] = {
    {FIELD_TEXT, "name", offsetof(struct accuracy_group, name), NULL, 0, 0, NULL, "as reported"},
    {FIELD_TEXT, "models", offsetof(struct accuracy_group, models), NULL, 0, 0, NULL,
     "DL models, set apart by blanks"},
    {FIELD_TEXT, "precisions", offsetof(struct accuracy_group, precisions), NULL, 0, 0, NULL,
     "precisions as measured, set apart by blanks"},
    {.type = FIELD_END},
};

struct form {
    const char *stack, *gpu, *is, *precision;
};
static const struct field form_fields[] = {
    {FIELD_TEXT, "stack", offsetof(struct form, stack), NULL, 0, 0, NULL, "measuring parties"},
    {FIELD_TEXT, "gpu", offsetof(struct form, gpu), NULL, 0, 0, NULL, "its name for the GPU"},
    {FIELD_TEXT, "is", offsetof(struct form, is), NULL, 0, 0, NULL, "the calibration"},
    {FIELD_TEXT, "precision", offsetof(struct form, precision), "", 0, 0, NULL,
     "what its fp32 is there"},
    {.type = FIELD_END},
};

/* A row of step_times.csv or whole_steps.csv. */
struct measured {
    const char *model, *gpu, *precision, *stack;
    int mode;
    int64_t gpus, per_gpu, batch, use;
    double step_s;
};
static const char *const modes[] = {"training", "inference", NULL};

static const struct field measured_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct measured, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_TEXT, "gpu", offsetof(struct measured, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_TEXT, "precision", offsetof(struct measured, precision), NULL, 0, 0, NULL, "fp32, ..."},
    {FIELD_TEXT, "stack", offsetof(struct measured, stack), NULL, 0, 0, NULL, "measuring party"},
    {FIELD_CHOICE, "mode", offsetof(struct measured, mode), "training", 0, 0, modes,
     "what was run"},
    {FIELD_INT, "gpus", offsetof(struct measured, gpus), "1", 1, 1e6, NULL, "GPUs of the job"},
    {FIELD_INT, "batch_per_gpu", offsetof(struct measured, per_gpu), "0", 0, 1e9, NULL, "samples"},
    {FIELD_INT, "batch", offsetof(struct measured, batch), "0", 0, 1e9, NULL, "samples"},
    {FIELD_REAL, "step_s", offsetof(struct measured, step_s), NULL, 1e-9, 1e6, NULL, "s"},
    {FIELD_INT, "use", offsetof(struct measured, use), "1", 0, 1, NULL, "0: a rule sets it aside"},
    {.type = FIELD_END},
};

struct reading {
    struct arena *arena;
    struct diag *diag;
    struct accuracy *acc;
    struct form *form;
    uint32_t n_forms;
    size_t stacks_cap, groups_cap, forms_cap, points_cap;
};

static bool take_stack(void *user, struct mark at, const void *row)
{
    struct reading *r = user;
    struct accuracy *x = r->acc;

    (void)at;
    x->stack = arena_room(r->arena, x->stack, x->n_stacks, &r->stacks_cap, sizeof(*x->stack));
    memcpy(&x->stack[x->n_stacks++], row, sizeof(*x->stack));
    return true;
}

static bool take_group(void *user, struct mark at, const void *row)
{
    struct reading *r = user;
    struct accuracy *x = r->acc;

    (void)at;
    x->group = arena_room(r->arena, x->group, x->n_groups, &r->groups_cap, sizeof(*x->group));
    memcpy(&x->group[x->n_groups++], row, sizeof(*x->group));
    return true;
}

static bool take_form(void *user, struct mark at, const void *row)
{
    struct reading *r = user;

    (void)at;
    r->form = arena_room(r->arena, r->form, r->n_forms, &r->forms_cap, sizeof(*r->form));
    memcpy(&r->form[r->n_forms++], row, sizeof(*r->form));
    return true;
}

static int group_of(const struct accuracy *x, const struct measured *m, const char *precision)
{
    for (uint32_t i = 0; i < x->n_groups; i++)
        if (stack_word(x->group[i].models, m->model) &&
            stack_word(x->group[i].precisions, precision))
            return (int)i;
    return -1;
}

static bool calibrated(struct reading *r, const char *gpu)
{
    return file_there(arena_printf(r->arena, "%s/%s.yaml", r->acc->gpus, gpu));
}

/* A place that outlives the reader of its file. */
static struct mark lasting(struct arena *a, struct mark at)
{
    struct source *src = arena_get(a, sizeof(*src));

    if (!at.src)
        return at;
    *src = (struct source){arena_text(a, at.src->name, strlen(at.src->name)), NULL, 0, 1};
    return (struct mark){src, at.line, at.col};
}

static bool take_measured(void *user, struct mark at, const void *row)
{
    struct reading *r = user;
    struct accuracy *x = r->acc;
    const struct measured *m = row;
    const char *form = m->gpu, *precision = m->precision;

    for (uint32_t i = 0; i < r->n_forms; i++) {
        const struct form *f = &r->form[i];
        if (!stack_word(f->stack, m->stack) || strcmp(f->gpu, m->gpu) != 0)
            continue;
        form = f->is;
        if (*f->precision && strcmp(precision, "fp32") == 0)
            precision = f->precision;
    }
    int group = group_of(x, m, precision);
    if (!m->use || m->gpus != 1)
        return true;
    if (group < 0 || !calibrated(r, form)) {
        x->passed_over++;
        return true;
    }
    if (precision_named(precision) < 0)
        return diag_error(r->diag, at,
                          "precision: '%.20s' cannot be predicted; wanted fp32, tf32, "
                          "fp16, amp or bf16",
                          precision);
    if (!m->batch && !m->per_gpu)
        return diag_error(r->diag, at,
                          "wanted the samples of the step, in column batch or "
                          "batch_per_gpu");
    x->point = arena_room(r->arena, x->point, x->n_points, &r->points_cap, sizeof(*x->point));
    x->point[x->n_points++] =
        (struct accuracy_point){.model = m->model,
                                .gpu = m->gpu,
                                .stack = m->stack,
                                .form = form,
                                .samples = (double)(m->batch ? m->batch : m->per_gpu),
                                .measured = m->step_s,
                                .precision = precision_named(precision),
                                .group = group,
                                .inference = m->mode == 1,
                                .fitted = stack_word(x->fit_gpus, m->gpu),
                                .at = lasting(r->arena, at)};
    return true;
}

static bool read_points(struct reading *r, const struct tree *root)
{
    struct tree *files = tree_get(root, "points");
    bool ok = true;

    if (!files || files->kind != TREE_LIST)
        return diag_error(r->diag, files ? files->at : root->at,
                          "points: wanted a list of files of measured steps");
    for (size_t i = 0; i < files->n; i++) {
        struct measured row = {0};
        ok &= rows_take(r->arena, r->diag, files->item[i], measured_fields, "points", take_measured,
                        r, &row);
    }
    return ok;
}

static const char *folder(struct reading *r, struct tree *root, const char *key)
{
    struct tree *t = tree_get(root, key);

    if (!t || t->kind != TREE_SCALAR) {
        diag_error(r->diag, root->at, "%s: wanted a folder", key);
        return NULL;
    }
    return path_of(r->arena, t);
}

/* What parties that are not listed go by. */
static void add_default(struct reading *r, int precision)
{
    struct stack s = {.name = "default",
                      .covers = "",
                      .models = "",
                      .like = "",
                      .precision = precision,
                      .factor = 1,
                      .transposes = true,
                      .optimizer = true,
                      .host_parameters = "",
                      .sigma = 0.1};

    take_stack(r, (struct mark){0}, &s);
}

static bool read_split(struct reading *r, const char *path)
{
    static const char *const also[] = {"about", "gpus",   "models",  "points", "stacks",
                                       "forms", "groups", "sharing", NULL};
    struct accuracy *x = r->acc;
    struct tree *root = yaml_load(r->arena, r->diag, path);
    struct stack stack = {0};
    struct accuracy_group group = {0};
    struct form form = {0};

    if (!root || !conf_fill(r->arena, r->diag, root, split_fields, also, "the split", x))
        return false;
    x->gpus = folder(r, root, "gpus");
    x->models = folder(r, root, "models");
    x->sharing = tree_get(root, "sharing");
    if (!x->gpus || !x->models)
        return false;
    bool ok = rows_take(r->arena, r->diag, tree_get(root, "stacks"), stack_fields, "stacks",
                        take_stack, r, &stack);
    ok &= rows_take(r->arena, r->diag, tree_get(root, "groups"), group_fields, "groups", take_group,
                    r, &group);
    ok &= rows_take(r->arena, r->diag, tree_get(root, "forms"), form_fields, "forms", take_form, r,
                    &form);
    if (!ok || !read_points(r, root))
        return false;
    add_default(r, FP32);
    add_default(r, FP16);
    struct stack *given = arena_get(r->arena, x->n_stacks * sizeof(*given));
    memcpy(given, x->stack, x->n_stacks * sizeof(*given));
    x->given = given;
    if (x->n_points == 0)
        return diag_error(r->diag, root->at,
                          "no measured step is of a group and on a calibrated GPU");
    return true;
}

bool accuracy_predict(struct diag *d, struct accuracy *x)
{
    bool ok = true;

    for (uint32_t i = 0; i < x->n_points; i++) {
        struct accuracy_point *p = &x->point[i];
        struct step_question q = {
            p->model, p->form, p->stack, p->samples, 1, (enum precision)p->precision, p->inference};
        ok &= step_answer(x->library, d, p->at, &q, &p->answer);
    }
    return ok;
}

/* Steps of kernels that their GPU was not calibrated for are passed over: tensor cores it has not.
 * false: a model or a calibration cannot be read. */
static bool drop_unpredictable(struct diag *d, struct accuracy *x)
{
    struct diag *quiet = diag_new(NULL);
    uint32_t n = 0;
    bool read = true;

    for (uint32_t i = 0; read && i < x->n_points; i++) {
        struct accuracy_point *p = &x->point[i];
        struct step_setting s = {(enum precision)p->precision, !p->inference, true, true};
        read = step_library_model(x->library, d, p->at, p->model) &&
               step_library_gpu(x->library, d, p->at, p->form);
        if (read && step_library_plan(x->library, quiet, p->at, p->model, p->form, &s))
            x->point[n++] = *p;
    }
    x->passed_over += x->n_points - n;
    x->n_points = n;
    diag_free(quiet);
    return read &&
           (n > 0 || diag_error(d, (struct mark){0},
                                "no measured step can be predicted: the calibrations have no fits "
                                "in their precisions"));
}

#define SATURATED 0.75 /* of the best samples/s of a series */

/* A series: one model, GPU, party, precision and mode, by batch. */
static void mark_saturated(struct accuracy *x)
{
    for (uint32_t i = 0; i < x->n_points; i++) {
        struct accuracy_point *p = &x->point[i];
        double best = 0;
        for (uint32_t j = 0; j < x->n_points; j++) {
            const struct accuracy_point *q = &x->point[j];
            if (strcmp(p->model, q->model) == 0 && strcmp(p->gpu, q->gpu) == 0 &&
                strcmp(p->stack, q->stack) == 0 && p->precision == q->precision &&
                p->inference == q->inference)
                best = fmax(best, q->samples / q->measured);
        }
        p->saturated = p->samples / p->measured >= SATURATED * best;
    }
}

struct accuracy *accuracy_run(struct arena *a, struct diag *d, const char *path)
{
    struct accuracy *x = arena_get(a, sizeof(*x));
    struct reading r = {.arena = a, .diag = d, .acc = x};

    if (!read_split(&r, path))
        return NULL;
    x->library =
        step_library_with(a, x->gpus, x->models, &(struct stack_table){x->stack, x->n_stacks});
    if (!drop_unpredictable(d, x))
        return NULL;
    mark_saturated(x);
    if (!accuracy_predict(d, x) || !accuracy_fit(a, d, x, NULL) || !accuracy_predict(d, x))
        return NULL;
    return x;
}
