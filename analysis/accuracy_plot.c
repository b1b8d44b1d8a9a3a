/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of how far predictions are off. */
#include <string.h>

#include "analysis/accuracy.h"
#include "analysis/plot_scatter.h"

/* Names as series, in the order in which they come. */
struct names {
    const char **name;
    uint32_t n;
};

static uint32_t number_of(struct names *x, const char *name)
{
    uint32_t i = 0;

    while (i < x->n && strcmp(x->name[i], name) != 0)
        i++;
    if (i == x->n)
        x->name[x->n++] = name;
    return i;
}

static struct names group_names(struct arena *a, const struct accuracy *x)
{
    struct names names = {arena_get(a, (x->n_groups + 1) * sizeof(*names.name)), x->n_groups};

    for (uint32_t i = 0; i < x->n_groups; i++)
        names.name[i] = x->group[i].name;
    return names;
}

static bool draw_steps(struct arena *a, struct diag *d, const struct plot_request *r,
                       const struct accuracy *x)
{
    struct scatter_point *point = arena_get(a, (x->n_points + 1) * sizeof(*point));
    struct names gpus = {arena_get(a, (x->n_points + 1) * sizeof(*gpus.name)), 0};

    for (uint32_t i = 0; i < x->n_points; i++) {
        const struct accuracy_point *p = &x->point[i];
        point[i] =
            (struct scatter_point){number_of(&gpus, p->gpu), p->measured, p->answer.s, p->fitted};
    }
    return plot_scatter(a, d, r,
                        &(struct scatter){.name = "accuracy",
                                          .about = "step times, predicted and measured; hollow: "
                                                   "on the GPU that stacks are fitted on",
                                          .x = "measured step (s)",
                                          .y = "predicted step (s)",
                                          .label = gpus.name,
                                          .n_labels = gpus.n,
                                          .point = point,
                                          .n = x->n_points});
}

static bool draw_errors(struct arena *a, struct diag *d, const struct plot_request *r,
                        const struct accuracy *x)
{
    struct scatter_point *point = arena_get(a, (x->n_points + 1) * sizeof(*point));
    struct names groups = group_names(a, x);

    for (uint32_t i = 0; i < x->n_points; i++) {
        const struct accuracy_point *p = &x->point[i];
        point[i] = (struct scatter_point){(uint32_t)p->group, p->samples, 100 * accuracy_error(p),
                                          p->fitted};
    }
    return plot_scatter(a, d, r,
                        &(struct scatter){.name = "accuracy_error",
                                          .about = "error of predicted step times by batch size",
                                          .x = "samples on a GPU",
                                          .y = "error of the prediction (%)",
                                          .errors = true,
                                          .label = groups.name,
                                          .n_labels = groups.n,
                                          .point = point,
                                          .n = x->n_points});
}

static bool draw_ratios(struct arena *a, struct diag *d, const struct plot_request *r,
                        const struct accuracy *x)
{
    size_t n = accuracy_ratio_list(x, NULL);
    struct accuracy_ratio *pair = arena_get(a, (n + 1) * sizeof(*pair));
    struct scatter_point *point = arena_get(a, (n + 1) * sizeof(*point));
    struct names groups = group_names(a, x);

    accuracy_ratio_list(x, pair);
    for (size_t i = 0; i < n; i++)
        point[i] = (struct scatter_point){(uint32_t)pair[i].a->group,
                                          pair[i].a->measured / pair[i].b->measured,
                                          pair[i].a->answer.s / pair[i].b->answer.s, false};
    return n == 0 ||
           plot_scatter(a, d, r,
                        &(struct scatter){.name = "accuracy_ratios",
                                          .about = "ratios of step times between two types of GPU",
                                          .x = "measured ratio of step times",
                                          .y = "predicted ratio",
                                          .label = groups.name,
                                          .n_labels = groups.n,
                                          .point = point,
                                          .n = n});
}

bool accuracy_plot(struct arena *a, struct diag *d, const struct plot_request *r,
                   const struct accuracy *x)
{
    return draw_steps(a, d, r, x) && draw_errors(a, d, r, x) && draw_ratios(a, d, r, x) &&
           plot_can_draw(a, d);
}
