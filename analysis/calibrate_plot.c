/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of a calibration: what was measured against what the fits make of it. */
#include "analysis/calibrate.h"
#include "analysis/plot_scatter.h"

/* Classes that are one series in a picture. */
static const char *const series_names[] = {
    "matrix product",  "linear layer",       "batched product",    "convolution 1x1",
    "convolution 3x3", "convolution, other", "memory-bound kernel"};
#define SERIES (sizeof(series_names) / sizeof(*series_names))

static uint32_t series_of(enum op_class class)
{
    if (class <= CLASS_BMM)
        return (uint32_t) class;
    if (class < CLASS_CONV_3X3_FORWARD)
        return 3;
    if (class < CLASS_CONV_OTHER_FORWARD)
        return 4;
    return class < CLASS_ELEMENTWISE ? 5 : 6;
}

static bool is_flop(const struct calib_point *p)
{
    return p->amount[TERM_FLOP] > 0;
}

static bool draw(struct arena *a, struct diag *d, const struct plot_request *r,
                 const struct calibration *c, const struct scatter *like, int by)
{
    struct scatter_point *point = arena_get(a, (c->n_points + 1) * sizeof(*point));
    struct scatter s = *like;

    for (size_t i = 0; i < c->n_points; i++) {
        const struct calib_point *p = &c->point[i];
        double error = 100 * (p->fitted / p->measured - 1);
        if (by < 0)
            point[s.n++] =
                (struct scatter_point){series_of(p->class), p->measured, p->fitted, p->at_floor};
        else if (is_flop(p) == (by == 0))
            point[s.n++] = (struct scatter_point){series_of(p->class),
                                                  p->amount[by == 0 ? TERM_FLOP : TERM_READ], error,
                                                  p->at_floor};
    }
    s.label = (const char **)arena_get(a, sizeof(series_names));
    for (uint32_t i = 0; i < SERIES; i++)
        s.label[i] = series_names[i];
    s.n_labels = SERIES;
    s.point = point;
    return s.n == 0 || plot_scatter(a, d, r, &s);
}

bool calibration_plot(struct arena *a, struct diag *d, const struct plot_request *r,
                      const struct calibration *c)
{
    static const struct scatter pictures[] = {
        {.name = "calibration_fit",
         .about = "times of kernels: measured and fitted; hollow: too short to be fitted",
         .x = "measured (s)",
         .y = "fitted (s)"},
        {.name = "calibration_flop",
         .about = "errors of the fits by the kernels' size",
         .x = "FLOP of a kernel",
         .y = "error of the fit (%)",
         .errors = true},
        {.name = "calibration_bytes",
         .about = "errors of the fits by the kernels' size",
         .x = "bytes of a kernel",
         .y = "error of the fit (%)",
         .errors = true},
    };

    for (int i = 0; i < 3; i++)
        if (!draw(a, d, r, c, &pictures[i], i - 1))
            return false;
    return plot_can_draw(a, d);
}
