/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/print.h"

#include <errno.h>
#include <string.h>

#include "analysis/compare_print.h"
#include "analysis/compare_table.h"
#include "analysis/rundir.h"

#define RUNS_NAMED 20u

/* stdio forgets why it failed. */
static int failed;

void print_out(struct out *o)
{
    size_t len;
    const char *text = out_data(o, &len);

    errno = 0;
    if ((fwrite(text, 1, len, stdout) != len || fflush(stdout) != 0) && !failed)
        failed = errno;
    out_drop(o);
}

bool print_one_run(struct diag *d, const char *command, const struct results *r, const char *path)
{
    if (r->n == 1)
        return true;
    diag_error(d, (struct mark){0}, "%s: %s holds %u runs; name one of them", command, path, r->n);
    for (uint32_t i = 0; i < r->n && i < RUNS_NAMED; i++)
        diag_note(d, (struct mark){0}, "%s: %s, seed %llu", r->result[i].path, r->result[i].label,
                  (unsigned long long)r->result[i].seed);
    if (r->n > RUNS_NAMED)
        diag_note(d, (struct mark){0}, "and %u more", r->n - RUNS_NAMED);
    return false;
}

int print_end(void)
{
    errno = 0;
    if (fflush(stdout) != 0 && !failed)
        failed = errno;
    return ferror(stdout) && !failed ? EIO : failed;
}

static bool was_cut(const struct result *r)
{
    return strcmp(r->ended, "until") == 0;
}

static void put_lines(struct out *o, const struct result *r)
{
    out_printf(o, "%s%s, seed %llu, %s\n", r->label, r->oracle ? " (oracle)" : "",
               (unsigned long long)r->seed, r->ended);
    if (was_cut(r))
        out_text(o, "  note: cut at until_s before all jobs were gone; times are of the jobs done "
                    "by then\n");
    for (int i = 0; i < METRICS; i++) {
        if (!r->value[i].defined || (r->value[i].number == 0 && r->value[i].time == 0))
            continue;
        out_printf(o, "  %-24s ", metric_defs[i].name);
        metric_write(o, &metric_defs[i], &r->value[i]);
        out_char(o, '\n');
    }
    out_text(o, "  digest                   ");
    out_hex(o, r->digest);
    out_char(o, '\n');
}

void print_result(const struct result *r, bool json)
{
    struct out *o = out_memory();

    if (json)
        summary_write(o, r->value, r->digest, r->ended);
    else
        put_lines(o, r);
    print_out(o);
}

/* ---- comparisons ---- */

static bool read_metrics(const struct args *args, struct diag *d, enum metric_id *ids, uint32_t *n)
{
    for (uint32_t i = 0; i < args->n_metrics; i++) {
        struct diag_near near = {.word = args->metric[i]};
        int id = 0;
        while (id < METRICS && strcmp(metric_defs[id].name, args->metric[i]) != 0)
            diag_consider(&near, metric_defs[id++].name);
        if (id == METRICS)
            return diag_unknown(d, (struct mark){0}, near.nearest, "unknown metric '%.40s'%s",
                                args->metric[i],
                                near.nearest ? "" : "; hetune list metrics has all of them");
        bool again = false;
        for (uint32_t k = 0; k < *n; k++)
            again = again || ids[k] == (enum metric_id)id;
        if (!again)
            ids[(*n)++] = (enum metric_id)id;
    }
    return true;
}

static bool read_holm(const struct args *args, struct diag *d, enum holm *holm)
{
    bool on = args->holm && strcmp(args->holm, "on") == 0;

    *holm = !args->holm ? HOLM_FROM_THREE : on ? HOLM_ON : HOLM_OFF;
    return !args->holm || on || strcmp(args->holm, "off") == 0 ||
           diag_error(d, (struct mark){0}, "--holm '%.40s'; wanted on or off", args->holm);
}

static bool read_warmup(const struct args *args, struct diag *d)
{
    return !args->warmup || strcmp(args->warmup, "mser5") == 0 ||
           diag_error(d, (struct mark){0}, "--warmup '%.40s'; wanted mser5", args->warmup);
}

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN, FORMAT_LATEX };

static bool read_format(const struct args *args, struct diag *d, enum format *format)
{
    static const char *const names[] = {"text", "csv", "json", "markdown", "latex", NULL};
    int i = 0;

    if (args->json && (args->format || args->stats || args->n_metrics > 0))
        return diag_error(d, (struct mark){0},
                          "--json has all metrics, and nothing is chosen with it; wanted --format "
                          "json");
    while (args->format && names[i] && strcmp(names[i], args->format) != 0)
        i++;
    *format = (enum format)i;
    return names[i] || diag_unknown(d, (struct mark){0}, diag_nearest(args->format, names),
                                    "--format '%.40s'; wanted text, csv, json, markdown or latex",
                                    args->format);
}

/* What a table has no place for. */
static void put_aside(const struct compared *c)
{
    struct out *o = out_memory();
    size_t len;

    compare_notes(o, c, "");
    const char *text = out_data(o, &len);
    fwrite(text, 1, len, stderr);
    out_drop(o);
}

static void put_rows(struct out *o, struct arena *a, const struct compare_rows *rows,
                     enum format format)
{
    switch (format) {
    case FORMAT_TEXT:
        compare_text(o, a, rows, cli_color());
        break;
    case FORMAT_CSV:
        compare_csv(o, a, rows);
        put_aside(rows->of);
        break;
    case FORMAT_JSON:
        compare_rows_json(o, a, rows);
        break;
    case FORMAT_MARKDOWN:
        compare_markdown(o, a, rows);
        break;
    case FORMAT_LATEX:
        compare_latex(o, a, rows);
        break;
    }
}

int print_comparison(struct arena *a, struct diag *d, const struct results *r,
                     const struct args *args)
{
    enum metric_id ids[CLI_MOST];
    struct compare_asked asked = {args->baseline, args->warmup != NULL};
    struct compared c = {0};
    enum holm holm = HOLM_FROM_THREE;
    enum format format = FORMAT_TEXT;
    uint32_t n = 0;
    bool ok = read_metrics(args, d, ids, &n) && read_holm(args, d, &holm) &&
              read_format(args, d, &format) && read_warmup(args, d) &&
              compare_cases(a, d, r, &asked, &c);

    if (ok) {
        struct out *o = out_memory();
        if (args->json) {
            compare_holm(a, &c, NULL, 0, holm);
            compared_note_makespan(a, &c);
            compare_json(o, &c);
        } else {
            struct compare_rows rows = compare_rows(a, &c, ids, n, holm, args->stats);
            put_rows(o, a, &rows, format);
        }
        print_out(o);
    }
    compared_free(&c);
    return ok ? EXIT_FINE : cli_exit(d, EXIT_USAGE);
}
