/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outcomes and targets as text for people: lines while the suite runs, and docs/bench.md. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "tests/perf/bench.h"

#define COLUMNS 12
#define CELL    96

/* Three digits, without an exponent. */
static const char *three(char *buf, double x)
{
    if (isnan(x) || x == 0)
        return "-";
    int after = x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2;
    snprintf(buf, 24, "%.*f", after, x);
    return buf;
}

/* A promise in short: "T1 <= 120 (80)". */
static void say_target(char *buf, size_t size, const struct target_result *t)
{
    char must[24], stretch[24];

    if (!t->id[0])
        snprintf(buf, size, "%s", "");
    else if (isnan(t->stretch))
        snprintf(buf, size, "%s %s %s: %s", t->id, t->up ? ">=" : "<=", three(must, t->must),
                 verdict_names[t->verdict]);
    else
        snprintf(buf, size, "%s %s %s (%s): %s", t->id, t->up ? ">=" : "<=", three(must, t->must),
                 three(stretch, t->stretch), verdict_names[t->verdict]);
}

static double per_hold(const struct outcome *o)
{
    return o->cal > 0 ? o->best / o->cal : NAN;
}

/* The first half is enough to see a difference. */
static const char *half(char *buf, uint64_t digest)
{
    snprintf(buf, 24, "%08llx", (unsigned long long)(digest >> 32));
    return digest ? buf : "-";
}

/* ---- lines ---- */

void table_head(FILE *f)
{
    fprintf(f, "%-24s %-17s %9s %9s %7s %7s %6s %7s %8s  %s\n", "case", "units", "ns best",
            "median", "/ hold", "anchor", "instr", "RSS MiB", "digest",
            "target: must (stretch), note");
}

void table_row(FILE *f, const struct outcomes *all, const struct outcome *o)
{
    char cell[7][24], units[40], target[96];
    struct target_result t = targets_of_case(all, o);

    say_target(target, sizeof(target), &t);
    snprintf(units, sizeof(units), "%.0f %s", o->units, o->unit);
    fprintf(f, "%-24s %-17s %9s %9s %7s %7s %6s %7s %8s  %s%s%s%s%s\n", o->name, units,
            three(cell[0], o->best), three(cell[1], o->median), three(cell[2], per_hold(o)),
            three(cell[3], o->anchor), three(cell[4], o->instructions),
            three(cell[5], (double)o->rss_kib / 1024), half(cell[6], o->digest), target,
            target[0] && o->note[0] ? "; " : "", o->note, o->fault[0] ? "  WRONG: " : "", o->fault);
    fflush(f);
}

void table_targets(FILE *f, const struct outcomes *all)
{
    fprintf(f, "\n%-5s %-58s %9s %9s %9s  %s\n", "", "target", "value", "must", "stretch",
            "verdict");
    for (size_t i = 0; i < targets_count(); i++) {
        struct target_result t = targets_get(all, i);
        char cell[3][24];
        if (t.verdict != VERDICT_NONE)
            fprintf(f, "%-5s %-58s %9s %9s %9s  %s %s\n", t.id, t.what, three(cell[0], t.value),
                    three(cell[1], t.must), three(cell[2], t.stretch), t.unit,
                    verdict_names[t.verdict]);
    }
}

/* ---- Markdown, with columns of even width ---- */

struct grid {
    size_t rows, cap;
    unsigned columns;
    char (*row)[COLUMNS][CELL];
    unsigned left; /* bit c: column c is flush left */
};

static void add_row(struct grid *g, unsigned columns, ...)
{
    va_list ap;

    g->row = mem_room(g->row, g->rows, &g->cap, sizeof(*g->row));
    g->columns = columns;
    va_start(ap, columns);
    for (unsigned c = 0; c < columns; c++)
        snprintf(g->row[g->rows][c], CELL, "%s", va_arg(ap, const char *));
    va_end(ap);
    g->rows++;
}

static void put_line(const struct grid *g, struct out *o, size_t r, const int *width)
{
    for (unsigned c = 0; c < g->columns; c++)
        out_printf(o, g->left >> c & 1 ? "| %-*s " : "| %*s ", width[c], g->row[r][c]);
    out_text(o, "|\n");
}

static void put_grid(struct grid *g, struct out *o)
{
    int width[COLUMNS] = {0};

    for (size_t r = 0; r < g->rows; r++)
        for (unsigned c = 0; c < g->columns; c++)
            width[c] = (int)strlen(g->row[r][c]) > width[c] ? (int)strlen(g->row[r][c]) : width[c];
    put_line(g, o, 0, width);
    for (unsigned c = 0; c < g->columns; c++) {
        out_text(o, "|");
        for (int i = 0; i < width[c] + 1; i++)
            out_char(o, '-');
        out_char(o, g->left >> c & 1 ? '-' : ':');
    }
    out_text(o, "|\n");
    for (size_t r = 1; r < g->rows; r++)
        put_line(g, o, r, width);
    mem_drop(g->row);
}

static void put_targets(struct out *o, const struct outcomes *all)
{
    struct grid g = {.left = 1 << 0 | 1 << 1 | 1 << 5 | 1 << 6};

    add_row(&g, 7, "target", "what", "value", "must", "stretch", "unit", "verdict");
    for (size_t i = 0; i < targets_count(); i++) {
        struct target_result t = targets_get(all, i);
        char cell[3][24];
        add_row(&g, 7, t.id, t.what, three(cell[0], t.value), three(cell[1], t.must),
                three(cell[2], t.stretch), t.unit, verdict_names[t.verdict]);
    }
    put_grid(&g, o);
}

static void put_cases(struct out *o, const struct outcomes *all)
{
    struct grid g = {.left = 1 << 0 | 1 << 2 | 1 << 10};

    add_row(&g, 11, "case", "units", "unit", "best ns", "median ns", "/ hold", "anchor ns",
            "instructions", "RSS MiB", "digest", "note");
    for (size_t i = 0; i < all->n; i++) {
        const struct outcome *x = &all->item[i];
        char cell[7][24], units[24];
        snprintf(units, sizeof(units), "%.0f", x->units);
        add_row(&g, 11, x->name, units, x->unit, three(cell[0], x->best), three(cell[1], x->median),
                three(cell[2], per_hold(x)), three(cell[3], x->anchor),
                three(cell[4], x->instructions), three(cell[5], (double)x->rss_kib / 1024),
                half(cell[6], x->digest), x->fault[0] ? x->fault : x->note);
    }
    put_grid(&g, o);
}

static bool all_fine(const struct outcomes *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->item[i].fault[0])
            return false;
    return true;
}

static const char how_targets[] =
    "Value is from the best of the repetitions. A target is *missed*, *reached*, or reached with "
    "its\n"
    "*stretch*; one without a value needs a case that runs only if it is asked for.\n\n";

static const char how_cases[] =
    "CPU time a unit: the best and the median of 5 or more repetitions after a warm-up; one cold "
    "pass\n"
    "where memory matters or a pass takes long. `/ hold` is the best in units of the calibration "
    "kernel\n"
    "cal.hold4, measured in the same process; the anchor is the least that could do the same; the\n"
    "digest is the first half of a hash over all results.\n\n";

static const char reproduce[] =
    "\n## Reproduce\n\n"
    "    make bench                                    # all of this, under 4 minutes\n"
    "    build/bench --quick                           # about 1 minute, as lines\n"
    "    build/bench pre.las2 e2e                      # cases whose names begin so\n"
    "    build/bench --json > after.json               # what a comparison reads\n"
    "    build/bench compare before.json after.json    # fails on a regression\n"
    "    tests/perf/icount.sh                          # instructions only; wants valgrind\n\n"
    "`compare` fails on another digest, 3 % more instructions, 5 % (and 256 KiB) more memory, or "
    "25 %\n"
    "more time in units of cal.hold4. Jobs are made from seeded streams by operations that IEEE "
    "754\n"
    "rounds the same everywhere, so digests of different machines can be compared. What a case "
    "does\n"
    "is said at the head of its file, `tests/perf/case_*.c`.\n";

void table_markdown(struct out *o, const struct outcomes *all, const char *machine)
{
    out_text(
        o, "# Benchmarks\n\nMade by `make bench`, which measures and writes this page anew, on\n");
    out_printf(o, "%s.\n\n## Targets\n\n", machine);
    out_text(o, how_targets);
    put_targets(o, all);
    out_text(o, "\nT22, the same output from naive and fast, streaming and batch, checked and "
                "unchecked runs: ");
    out_text(o, all_fine(all) ? "yes, and every sum is what it must be.\n"
                              : "NO, see the notes below.\n");
    out_text(o, "\n## Cases\n\n");
    out_text(o, how_cases);
    put_cases(o, all);
    out_text(o, reproduce);
}
