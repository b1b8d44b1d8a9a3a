/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot_scatter.h"

#include <math.h>

#include "analysis/plot_kinds.h"

#define LABEL_LONGEST 30u
#define ERROR_MOST    100.0 /* %: what is beyond is drawn at the edge */

static uint32_t count_of(const struct scatter *s, uint32_t series)
{
    uint32_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->point[i].series == series;
    return n;
}

/* The first block: the series that have points; returns how many. */
static uint32_t put_labels(struct arena *a, const struct scatter *s, struct plot_data *d)
{
    uint32_t n = 0;

    out_text(d->out, "number\tlabel\tpoints\n");
    for (uint32_t k = 0; k < s->n_labels; k++) {
        uint32_t points = count_of(s, k);
        if (points == 0)
            continue;
        out_int(d->out, ++n);
        plot_cell_text(d, plot_clean(a, s->label[k], LABEL_LONGEST));
        out_printf(d->out, "\t%u\n", points);
    }
    return n;
}

static void put_series(const struct scatter *s, struct plot_data *d, uint32_t series, double *range)
{
    uint32_t all = count_of(s, series), every = (all + SCATTER_MOST - 1) / SCATTER_MOST, at = 0;

    if (all == 0)
        return;
    plot_block(d, "fitted\tx\ty");
    for (size_t i = 0; i < s->n; i++) {
        const struct scatter_point *p = &s->point[i];
        if (p->series != series || at++ % every != 0)
            continue;
        range[0] = fmin(range[0], s->errors ? p->x : fmin(p->x, p->y));
        range[1] = fmax(range[1], s->errors ? p->x : fmax(p->x, p->y));
        range[2] = s->errors ? fmax(range[2], fabs(p->y)) : 0;
        out_int(d->out, p->fitted);
        plot_cell(d, p->x);
        plot_cell(d, p->y);
        out_char(d->out, '\n');
    }
}

bool plot_scatter(struct arena *a, struct diag *diag, const struct plot_request *r,
                  const struct scatter *s)
{
    const struct plot_kind kind = {.name = s->name, .about = s->about, .script = "scatter"};
    struct plot_data d = {.out = out_create(diag, arena_printf(a, "%s/%s.tsv", r->out, s->name))};
    double range[3] = {INFINITY, 0, 0}; /* least, most x, or of both; largest error */

    if (!d.out)
        return false;
    plot_count(&d, "policies", put_labels(a, s, &d));
    for (uint32_t k = 0; k < s->n_labels; k++)
        put_series(s, &d, k, range);
    plot_text(&d, "x_title", s->x);
    plot_text(&d, "y_title", s->y);
    plot_count(&d, "errors", s->errors);
    plot_number(&d, "least", range[0] < range[1] ? range[0] : range[1] / 2);
    plot_number(&d, "most", range[1]);
    plot_number(&d, "edge", fmin(ERROR_MOST, fmax(25, 1.05 * range[2])));
    if (!out_commit(d.out) || !plot_write_script(r, diag, s->name, &kind, &d))
        return false;
    const char *program = plot_program(a);
    return !program || plot_draw(a, diag, program, r, s->name);
}
