/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/population_fit.h"

void population_fit_print(struct out *o, const struct population_fit *f)
{
    out_printf(o, "%u trials: %u learned, %u diverged; losses of %s%s\n", f->curves->trials,
               f->learned, f->diverged, f->population->log ? "the logarithm of " : "",
               f->population->name);
    out_text(o, "family       trials  tail error p50  p90      error p50  best for\n");
    for (uint32_t i = 0; i < FIT_FAMILIES; i++) {
        const struct family_score *s = &f->score[i];
        out_printf(o, "%-12s %6u  %-14.4f  %-7.4f  %-9.4f  %u%s\n", s->family->name, s->trials,
                   s->tail_p50, s->tail_p90, s->rmse_p50, s->best,
                   i == f->chosen ? "  (chosen)" : "");
    }
}

#define A_LINE 10u /* numbers */

static void put_list(struct out *o, const char *key, const double *x, uint32_t n)
{
    out_printf(o, "%s: [", key);
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            out_text(o, i % A_LINE ? ", " : ",\n    ");
        out_printf(o, "%.4g", x[i]);
    }
    out_text(o, "]\n");
}

static void put_class(struct out *o, const char *key, const struct population_class *c)
{
    out_printf(o, "%s: # final, progress, shape, noise\n", key);
    for (uint32_t i = 0; i < c->n; i++) {
        const double *e = c->example[i];
        out_printf(o, "  - [%.5g, %.5g, %.5g, %.4g]\n", e[TRAIT_FINAL], e[TRAIT_PROGRESS],
                   e[TRAIT_SHAPE], e[TRAIT_NOISE]);
    }
}

void population_write(struct out *o, const struct population_fit *f, const char *from)
{
    const struct population *p = f->population;

    out_text(o, "# Made by `hetune curves fit`; keys: docs/formats.md.\nmade_from: ");
    out_json(o, from);
    out_printf(o, "\ntrials: %u\nmetric: ", f->curves->trials);
    out_json(o, p->name);
    out_printf(o, "\nbetter: %s\ninitial: %.10g\nideal: %.10g\nworst: %.10g\nscale: %s\n",
               p->falls ? "lower" : "higher", p->start, p->ideal, p->worst,
               p->log ? "log" : "linear");
    out_printf(o, "epochs: %u\nfamily: %s\ndiverged_share: %.6g\n", p->epochs,
               p->learning.family->name, p->diverged_share);
    for (int i = 0; i < COMMONS; i++)
        put_list(o, common_names[i], p->common[i], p->epochs);
    put_class(o, "learned", &p->learning);
    if (!p->diverged.n)
        return;
    put_class(o, "diverged", &p->diverged);
    put_list(o, "length", p->length.q, p->length.n);
}
