/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of runs, as SVG in the page. */
#include <math.h>
#include <string.h>

#include "analysis/report_page.h"
#include "analysis/report_run.h"

#define MOST_RUNS 6u /* policies with figures */
#define PIECES    3000u
#define HEIGHT    150

static void put_seconds(struct out *o, double s)
{
    if (s >= 2 * 86400)
        out_printf(o, "%.1f d", s / 86400);
    else if (s >= 2 * 3600)
        out_printf(o, "%.1f h", s / 3600);
    else
        out_printf(o, "%.*f s", s < 10 ? 2 : 0, s);
}

/* From 0 to the end of the run, below a figure of this height. */
static void put_time_axis(struct out *o, int y, sim_time end)
{
    for (int i = 0; i <= 4; i++) {
        out_printf(o, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", 160 * i, y,
                   i == 0   ? "start"
                   : i == 4 ? "end"
                            : "middle");
        put_seconds(o, (double)end / 1e9 * i / 4);
        out_text(o, "</text>");
    }
    out_char(o, '\n');
}

static void begin_figure(struct out *o, int height, const char *about)
{
    out_printf(
        o, "<figure><svg viewBox=\"0 0 640 %d\" width=\"640\" role=\"img\" aria-label=\"%s\">\n",
        height, about);
}

/* ---- JCTs ---- */

static void put_curve(struct out *o, const struct run_drawn *r, uint32_t from, uint32_t to,
                      uint32_t number)
{
    uint64_t sum = 0;

    out_printf(o, "<path class=\"ln c%u\"%s d=\"M0 %d", number % 8,
               number >= 8 ? " stroke-dasharray=\"4 2\"" : "", HEIGHT);
    for (uint32_t b = from; b < to; b++) {
        if (r->jct[b] == 0)
            continue;
        sum += r->jct[b];
        out_printf(o, "H%.1fV%.1f", 640.0 * (b + 1 - from) / (to - from),
                   HEIGHT * (1 - (double)sum / (double)r->done));
    }
    out_text(o, "H640\"/>\n");
}

static void put_key(struct out *o, const struct comparison *c, const struct run_drawn *r,
                    uint32_t n)
{
    out_text(o, "<svg viewBox=\"0 0 640 ");
    out_printf(o, "%u\" width=\"640\">", 16 * n);
    for (uint32_t i = 0, y = 0; i < n; i++) {
        if (!r[i].there)
            continue;
        out_printf(o, "<path class=\"ln c%u\" d=\"M0 %uh30\"/><text x=\"36\" y=\"%u\">", i % 8,
                   y + 8, y + 12);
        page_text(o, c->policy[i].label, REPORT_LABEL);
        out_text(o, "</text>");
        y += 16;
    }
    out_text(o, "</svg>\n");
}

static void put_jcts(struct out *o, const struct comparison *c, const struct run_drawn *r,
                     uint32_t n)
{
    uint32_t from = RUN_DECADES * RUN_BINS, to = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < RUN_DECADES * RUN_BINS; b++)
            if (r[i].jct[b] > 0) {
                from = b < from ? b : from;
                to = b + 1 > to ? b + 1 : to;
            }
    if (from >= to)
        return;
    out_text(o, "<h3>Job completion times</h3>\n");
    begin_figure(o, HEIGHT + 20, "distribution of job completion times by policy");
    out_printf(o, "<path class=\"ax\" d=\"M0 0V%dH640M0 %dH640\"/>\n", HEIGHT, HEIGHT / 2);
    for (uint32_t i = 0; i < n; i++)
        if (r[i].done > 0)
            put_curve(o, &r[i], from, to, i);
    for (int i = 0; i <= 4; i++) {
        out_printf(o, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", 160 * i, HEIGHT + 15,
                   i == 0   ? "start"
                   : i == 4 ? "end"
                            : "middle");
        put_seconds(o, pow(10, (from + (to - from) / 4.0 * i) / RUN_BINS - 3));
        out_text(o, "</text>");
    }
    out_text(o, "</svg>\n");
    put_key(o, c, r, n);
    out_text(o, "<figcaption>Share of the done jobs, from 0 to all, whose JCT is at most so long "
                "(logarithmic, in steps of 3.7 %); the line is a half.</figcaption></figure>\n");
}

/* ---- utilisation ---- */

static void put_area(struct out *o, const char *class, const double *value, double most)
{
    out_printf(o, "<path class=\"%s\" d=\"M0 %d", class, HEIGHT);
    double last = -1;
    for (uint32_t i = 0; i < RUN_WIDTH; i++) {
        double y = HEIGHT * (1 - fmin(1, value[i] / most));
        if (fabs(y - last) < 0.3)
            continue;
        out_printf(o, "H%uV%.1f", i, y);
        last = y;
    }
    out_printf(o, "H640V%dZ\"/>\n", HEIGHT);
}

static void put_use(struct out *o, const struct run_drawn *r)
{
    uint32_t most = 1, last = UINT32_MAX;

    for (uint32_t i = 0; i < RUN_WIDTH; i++)
        most = r->waiting[i] > most ? r->waiting[i] : most;
    begin_figure(o, HEIGHT + 20, "GPUs at work and jobs waiting against time");
    put_area(o, "held", r->held, r->gpus);
    put_area(o, "run", r->running, r->gpus);
    out_text(o, "<path class=\"ln c0\" d=\"M0 ");
    out_printf(o, "%.1f", HEIGHT * (1 - (double)r->waiting[0] / most));
    for (uint32_t i = 0; i < RUN_WIDTH; i++)
        if (r->waiting[i] != last) {
            last = r->waiting[i];
            out_printf(o, "H%uV%.1f", i, HEIGHT * (1 - (double)last / most));
        }
    out_printf(o, "H640\"/><path class=\"ax\" d=\"M0 0V%dH640V0Z\"/>\n", HEIGHT);
    put_time_axis(o, HEIGHT + 15, r->end);
    out_printf(o,
               "</svg>\n<figcaption>%s, of %u; jobs waiting (line), the top is "
               "%u.</figcaption></figure>\n",
               r->shared ? "Work done on GPUs (blue) and GPUs on which some job computes (yellow)"
                         : "GPUs in progress (blue) and held (yellow)",
               r->gpus, most);
}

/* ---- Gantt ---- */

static const char *const doing_class[] = {[RUN_GOOD] = "good",
                                          [RUN_OTHER] = "other",
                                          [RUN_SETUP] = "setup",
                                          [RUN_SAVE] = "save",
                                          [RUN_LOST] = "lost"};
static const char *const doing_words[] = {[RUN_GOOD] = "progress",
                                          [RUN_OTHER] = "progress",
                                          [RUN_SETUP] = "set-up",
                                          [RUN_SAVE] = "save",
                                          [RUN_LOST] = "lost progress"};

/* A line of a GPU is parted into its seats. */
static void put_piece(struct out *o, const struct run_drawn *r, const struct run_piece *p, int line)
{
    int seat = line / (int)r->seats;
    double x = (double)p->from / (double)r->end * RUN_WIDTH;
    double w = (double)(p->to - p->from) / (double)r->end * RUN_WIDTH;

    out_printf(o,
               "<rect class=\"%s\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"><title>job %u",
               doing_class[p->what], x, (int)p->first * line + (int)p->seat * seat, w,
               r->seats > 1 ? seat - 1 : (int)(p->last - p->first + 1) * line - 1, p->job);
    if (p->name) {
        out_text(o, " '");
        page_text(o, p->name, 64);
        out_char(o, '\'');
    }
    out_printf(o, ", %s, ", doing_words[p->what]);
    put_seconds(o, (double)p->from / 1e9);
    out_text(o, " to ");
    put_seconds(o, (double)p->to / 1e9);
    out_text(o, "</title></rect>\n");
}

/* What was too narrow or too much, where it fills at least half of the time. */
static void put_thinned(struct out *o, const struct run_drawn *r, uint32_t gpus, int line)
{
    bool any = false;

    for (uint32_t g = 0; g < gpus; g++)
        for (uint32_t i = 0, k; i < RUN_WIDTH / 2; i = k) {
            for (k = i; k < RUN_WIDTH / 2 && r->busy[g][k] >= 0.5F; k++)
                ;
            if (k > i) {
                out_printf(o, "%sM%u %.1fH%u", any ? "" : "<path class=\"many\" d=\"", 2 * i,
                           (int)g * line + (line - 1) / 2.0, 2 * k);
                any = true;
            }
            k = k > i ? k : i + 1;
        }
    if (any)
        out_printf(o, "\" stroke-width=\"%d\"/>\n", line - 1);
}

static void put_gantt(struct out *o, const struct run_drawn *r)
{
    uint32_t gpus = r->gpus < RUN_GPUS ? r->gpus : RUN_GPUS;
    int line = gpus <= 16 ? 14 : gpus <= 32 ? 8 : 6, least = (gpus <= 16 ? 6 : 4) * (int)r->seats;

    line = r->seats > 1 && line < least + 2 ? least + 2 : line;
    int height = (int)gpus * line;

    out_printf(o,
               "<figure><svg class=\"zoom\" viewBox=\"0 0 640 %d\" width=\"640\" height=\"%d\" "
               "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"GPUs against time\">\n",
               height, height);
    put_thinned(o, r, gpus, line);
    for (uint32_t i = 0; i < r->n_pieces; i++)
        put_piece(o, r, &r->piece[i], line);
    out_text(o, "</svg>\n<svg viewBox=\"0 0 640 20\" width=\"640\">");
    put_time_axis(o, 15, r->end);
    out_printf(o,
               "</svg>\n<figcaption>GPUs 0 to %u, one line each%s, from the top: %s, set-up "
               "(yellow), save (violet), lost progress (red).",
               gpus - 1, r->seats > 1 ? ", parted among the jobs that share it" : "",
               r->trials ? "progress of good trials (dark blue) and of others (light blue)"
                         : "progress (light blue)");
    if (r->gpus > gpus)
        out_printf(o, " %u further GPUs are not shown.", r->gpus - gpus);
    if (r->thinned > 0)
        out_printf(o, " %llu pieces are too narrow or too many to be told apart: grey.",
                   (unsigned long long)r->thinned);
    out_printf(o, " <span class=\"range\" data-end=\"%.3f\"></span></figcaption></figure>\n",
               (double)r->end / 1e9);
}

/* ---- all of them ---- */

static void put_figures(struct out *o, const struct report_case *rc, const struct run_drawn *r,
                        uint32_t n)
{
    put_jcts(o, &rc->c, r, n);
    for (uint32_t i = 0; i < n; i++) {
        if (!r[i].there || r[i].gpus == 0 || r[i].end <= 0)
            continue;
        out_text(o, "<h3>");
        page_label(o, &rc->c.policy[i]);
        out_text(o, "</h3>\n");
        put_use(o, &r[i]);
        put_gantt(o, &r[i]);
    }
}

bool page_runs(struct arena *a, struct diag *d, struct out *o, const struct report_case *rc)
{
    uint32_t n = rc->c.n < MOST_RUNS ? rc->c.n : MOST_RUNS, there = 0;
    struct run_drawn *r = mem_get(n * sizeof(*r));
    bool ok = true;

    for (uint32_t i = 0; ok && i < n; i++) {
        ok = run_draw(a, d, results_first(&rc->of, rc->c.policy[i].label), PIECES / n, &r[i]);
        there += r[i].there;
    }
    out_text(o, "<h2 id=\"runs\">Runs</h2>\n<p>Of each policy the run with the lowest seed: one "
                "run shows how, not how much.");
    if (rc->c.n > n)
        out_printf(o, " The first %u of %u policies are shown.", n, rc->c.n);
    if (there < n)
        out_printf(o, " %u of %u runs have no events.csv and no figure.", n - there, n);
    out_text(o, "</p>\n");
    if (ok)
        put_figures(o, rc, r, n);
    for (uint32_t i = 0; i < n; i++)
        run_drawn_free(&r[i]);
    mem_drop(r);
    return ok;
}
