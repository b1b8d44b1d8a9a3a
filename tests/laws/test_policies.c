/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must not matter to a policy, apart from what must not matter to the engine. */
#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define WORLDS 1000

/* The last type of the cluster becomes the first; nodes and GPUs keep their places. */
static void reverse_types(struct small *s)
{
    struct world *w = &s->world;
    uint32_t last = w->n_types - 1;
    struct small_cost old = *s->cost;
    struct gpu_type type[SMALL_KINDS];

    for (type_id t = 0; t <= last; t++)
        type[t] = w->type[t];
    for (type_id t = 0; t <= last; t++) {
        w->type[t] = type[last - t];
        for (int m = 0; m < SMALL_KINDS; m++) {
            s->cost->alpha[m][t] = old.alpha[m][last - t];
            s->cost->beta[m][t] = old.beta[m][last - t];
        }
    }
    for (node_id k = 0; k < w->n_nodes; k++)
        w->node[k].type = last - w->node[k].type;
}

/* Policies that bind jobs to GPUs know ties only between GPUs, and those go by their numbers. */
Test(policies, order_of_types)
{
    static const struct small_shape shape = {4, 6, 3, 8, 1, 12, true, false, true, true};

    for (uint64_t seed = 0; seed < WORLDS; seed++)
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct small *s[2];
            struct history *history[2];
            for (int i = 0; i < 2 && p->is & IS_BOUND; i++) {
                s[i] = small_random(seed, &shape);
                s[i]->predictor = seed % 2 ? "exact" : "reference_table";
                if (i == 1)
                    reverse_types(s[i]);
                history[i] = history_of(s[i], p->label);
            }
            if (!(p->is & IS_BOUND))
                continue;
            const char *differ = history_differs(history[0], history[1], SIM_NEVER);
            cr_assert(!differ, "world %llu, %s: %s", (unsigned long long)seed, p->label, differ);
            for (int i = 0; i < 2; i++) {
                history_free(history[i]);
                small_free(s[i]);
            }
        }
}
