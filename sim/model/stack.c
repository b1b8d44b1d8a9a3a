/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/stack.h"

#include <stddef.h>
#include <string.h>

#include "sim/model/gpu_cost.h"
#include "sim/model/rows.h"
#include "sim/text/conf.h"
#include "sim/text/yaml.h"

const struct field stack_fields[] = {
    {FIELD_TEXT, "stack", offsetof(struct stack, name), NULL, 0, 0, NULL,
     "its name; `default` stands for all that are not listed"},
    {FIELD_TEXT, "covers", offsetof(struct stack, covers), "", 0, 0, NULL,
     "measuring parties that it is the stack of, set apart by blanks"},
    {FIELD_TEXT, "models", offsetof(struct stack, models), "", 0, 0, NULL,
     "models that the row is of, set apart by blanks; none: all"},
    {FIELD_TEXT, "like", offsetof(struct stack, like), "", 0, 0, NULL,
     "the stack whose factor and gap it has: another host with the same software"},
    {FIELD_CHOICE, "precision", offsetof(struct stack, precision), "fp32", 0, 0, precision_names,
     "fp16: mixed precision"},
    {FIELD_REAL, "factor", offsetof(struct stack, factor), "1", 0.01, 100, NULL,
     "of the kernels' time"},
    {FIELD_REAL, "host_s", offsetof(struct stack, host), "0", 0, 1, NULL,
     "a kernel launch on the host, beside the GPU's work, s"},
    {FIELD_REAL, "gap_s", offsetof(struct stack, gap), "0", 0, 1, NULL,
     "a kernel launch in which the GPU stands still, s"},
    {FIELD_BOOL, "transposes", offsetof(struct stack, transposes), "true", 0, 0, NULL,
     "its tensors are NCHW: tensor-core convolutions are wrapped in transposes"},
    {FIELD_BOOL, "optimizer", offsetof(struct stack, optimizer), "true", 0, 0, NULL,
     "a training step updates the weights"},
    {FIELD_TEXT, "host_parameters", offsetof(struct stack, host_parameters), "", 0, 0, NULL,
     "models whose weights lie in host memory, set apart by blanks"},
    {FIELD_REAL, "sigma", offsetof(struct stack, sigma), "0.1", 0, 10, NULL,
     "relative spread around the factor"},
    {FIELD_INT, "points", offsetof(struct stack, points), "0", 0, 1e9, NULL,
     "measurements that it was fitted to"},
    {.type = FIELD_END},
};

bool stack_word(const char *words, const char *word)
{
    size_t len = strlen(word), n;

    for (const char *w = words; *w; w += n + (w[n] == ' ')) {
        n = strcspn(w, " ");
        if (n == len && memcmp(w, word, n) == 0)
            return true;
    }
    return false;
}

struct loading {
    struct diag *diag;
    struct stack *row;
    struct stack_table *table;
};

static bool take_stack(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    const struct stack *s = row;

    for (uint32_t i = 0; i < l->table->n; i++)
        if (strcmp(l->row[i].name, s->name) == 0 && l->row[i].precision == s->precision &&
            strcmp(l->row[i].models, s->models) == 0)
            return diag_error(l->diag, at, "a second row of stack '%s' in %s", s->name,
                              precision_names[s->precision]);
    l->row[l->table->n++] = *s;
    return true;
}

bool stacks_load(struct arena *a, struct diag *d, const char *path, struct stack_table *t)
{
    static const struct field none[] = {{.type = FIELD_END}};
    static const char *const also[] = {"about", "stacks", NULL};
    struct tree *root = yaml_load(a, d, path), *rows = tree_get(root, "stacks");
    struct stack row = {0};
    struct loading l = {d, NULL, t};

    *t = (struct stack_table){0};
    if (!root || !conf_fill(a, d, root, none, also, "the stacks", &row))
        return false;
    if (!rows)
        return diag_error(d, root->at, "no `stacks`; wanted a list of software stacks");
    l.row = arena_get(a, (rows->n + 1) * sizeof(*l.row));
    t->row = l.row;
    return rows_take(a, d, rows, stack_fields, "stacks", take_stack, &l, &row);
}

static bool is_of(const struct stack *s, const char *name, const char *model)
{
    return (strcmp(s->name, name) == 0 || stack_word(s->covers, name)) &&
           (!*s->models || stack_word(s->models, model));
}

const struct stack *stack_find(const struct stack_table *t, const char *name, const char *model,
                               int precision, bool *known)
{
    const struct stack *other = NULL;
    int p = precision == BF16 ? FP16 : precision == TF32 ? FP32 : precision;

    for (uint32_t i = 0; i < t->n; i++) {
        const struct stack *s = &t->row[i];
        *known = true;
        if (s->precision == p && name && is_of(s, name, model))
            return s;
        if (s->precision == p && strcmp(s->name, "default") == 0)
            other = s;
    }
    *known = other && (!name || strcmp(name, "default") == 0);
    return other;
}
