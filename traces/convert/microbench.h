/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * microbench.h - what the converters of microbenchmarks share: series of rows, the rules that set
 * rows aside, and the way out as JSON of the schema `hetune-microbench` (traces/README.md).
 *
 * The result, a time or a rate, is the last column. Rules stand in the order in which a row meets
 * them: the first one that takes it is the one that is named.
 */
#ifndef TRACES_MICROBENCH_H
#define TRACES_MICROBENCH_H

#include "traces/convert/convert.h"

#define BENCH_SLOWER    "over 3 times as slow as one at least as large in every size"
#define BENCH_PEAK      "over 1.1 times the peak rate"
#define BENCH_SLOWER_BY 3.0
#define BENCH_PEAK_BY   1.1

struct bench_gpu {
    const char *theirs, *type, *product;
    int memory_gib; /* nominal figures of the vendor; 0: not known of the card that was measured */
    int sms, clock_mhz;
    double fp32, tensor; /* peak, TFLOP/s; tensor 0: none */
};

struct bench_pair {
    const char *name, *value;
};

struct bench_series {
    const char *op, *kind, *precision, *unit;
    const char *const *columns; /* ended by NULL */
    double *cell;
    const char **why; /* of each row: the rule that sets it aside, or NULL */
    size_t n, cap_cell, cap_why;
};

static inline size_t bench_width(const struct bench_series *s)
{
    size_t n = 0;

    while (s->columns[n])
        n++;
    return n;
}

static inline const double *bench_row(const struct bench_series *s, size_t row)
{
    return s->cell + row * bench_width(s);
}

static inline double bench_result(const struct bench_series *s, size_t row)
{
    return bench_row(s, row)[bench_width(s) - 1];
}

/* why: the rule that sets the row aside, or NULL. */
static inline void bench_add(struct bench_series *s, const double *row, const char *why)
{
    size_t width = bench_width(s);

    for (size_t i = 0; i < width; i++) {
        s->cell = mem_room(s->cell, s->n * width + i, &s->cap_cell, sizeof *s->cell);
        s->cell[s->n * width + i] = row[i];
    }
    s->why = mem_room(s->why, s->n, &s->cap_why, sizeof *s->why);
    s->why[s->n++] = why;
}

static inline void bench_drop(struct bench_series *s)
{
    mem_drop(s->cell);
    mem_drop(s->why);
}

/* Whether row b is at least as large as a in the first columns and equal in those behind them. */
static inline bool bench_covers(const double *b, const double *a, size_t sizes, size_t equal)
{
    for (size_t i = 0; i < sizes; i++)
        if (b[i] < a[i])
            return false;
    for (size_t i = sizes; i < sizes + equal; i++)
        if (b[i] != a[i])
            return false;
    return true;
}

/* Sets aside what takes over three times as long as more of the same work. */
static inline void bench_slower(struct bench_series *s, size_t sizes, size_t equal)
{
    size_t width = bench_width(s);

    for (size_t i = 0; i < s->n; i++) {
        const double *a = s->cell + i * width, *b = s->cell;

        for (size_t j = 0; !s->why[i] && j < s->n; j++, b += width)
            if (a[width - 1] > BENCH_SLOWER_BY * b[width - 1] && bench_covers(b, a, sizes, equal))
                s->why[i] = BENCH_SLOWER;
    }
}

/* Keeps the first, and each nth behind it, of the rows that no rule has taken. */
static inline void bench_thin(struct bench_series *s, size_t nth)
{
    size_t width = bench_width(s), used = 0, kept = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (!s->why[i] && used++ % nth)
            continue;
        memmove(s->cell + kept * width, s->cell + i * width, width * sizeof *s->cell);
        s->why[kept++] = s->why[i];
    }
    s->n = kept;
}

/* Everything before the series. software ends with name NULL; entries without a value are passed
 * over. */
static inline void bench_head(struct out *out, const struct bench_gpu *gpu,
                              const struct origin *from, const char *note,
                              const struct bench_pair *software)
{
    const char *comma = "";

    out_printf(out, "{\n  \"schema\": \"hetune-microbench\",\n  \"version\": 1,\n");
    out_printf(out, "  \"gpu\": {\"type\": \"%s\", \"product\": \"%s\"", gpu->type, gpu->product);
    if (gpu->memory_gib)
        out_printf(out, ", \"memory_gib\": %d", gpu->memory_gib);
    out_printf(out, ", \"sms\": %d, \"clock_mhz\": %d},\n", gpu->sms, gpu->clock_mhz);
    out_printf(out, "  \"origin\": {\"source\": \"%s\", \"commit\": \"%s\", \"licence\": \"%s\"",
               from->repository, from->commit, from->licence);
    if (note) {
        out_text(out, ", \"note\": ");
        out_json(out, note);
    }
    out_text(out, "},\n  \"software\": {");
    for (; software->name; software++) {
        if (!software->value)
            continue;
        out_printf(out, "%s\"%s\": ", comma, software->name);
        out_json(out, software->value);
        comma = ", ";
    }
    out_text(out, "},\n  \"series\": [");
}

/* The rows that a rule has taken, or (NULL) none. */
static inline void bench_rows(struct out *out, const struct bench_series *s, const char *why)
{
    size_t width = bench_width(s);
    const char *comma = "";

    out_text(out, "[");
    for (size_t i = 0; i < s->n; i++) {
        if (s->why[i] != why)
            continue;
        out_printf(out, "%s\n      [", comma);
        for (size_t j = 0; j + 1 < width; j++)
            out_printf(out, "%.15g, ", bench_row(s, i)[j]);
        out_printf(out, "%.6g]", bench_result(s, i));
        comma = ",";
    }
    out_text(out, "]");
}

static inline void bench_asides(struct out *out, const struct bench_series *s)
{
    const char *open = ",\n      \"set_aside\": [";
    bool any = false;

    for (size_t i = 0; i < s->n; i++) {
        size_t first = 0;

        while (s->why[first] != s->why[i])
            first++;
        if (!s->why[i] || first < i)
            continue;
        out_printf(out, "%s{\"rule\": \"%s\", \"rows\": ", any ? ", " : open, s->why[i]);
        bench_rows(out, s, s->why[i]);
        out_text(out, "}");
        any = true;
    }
    out_text(out, any ? "]" : "");
}

/* One series, if it has rows. *comma: "" before the first. */
static inline void bench_put(struct out *out, const struct bench_series *s, const char **comma)
{
    if (!s->n)
        return;
    out_printf(out, "%s\n    {\"op\": \"%s\", \"kind\": \"%s\", ", *comma, s->op, s->kind);
    out_printf(out, "\"precision\": \"%s\", \"unit\": \"%s\",\n      \"columns\": [", s->precision,
               s->unit);
    for (size_t i = 0; s->columns[i]; i++)
        out_printf(out, "%s\"%s\"", i ? ", " : "", s->columns[i]);
    out_text(out, "],\n      \"rows\": ");
    bench_rows(out, s, NULL);
    bench_asides(out, s);
    out_text(out, "}");
    *comma = ",";
}

static inline void bench_end(struct out *out)
{
    out_text(out, "]\n}\n");
}

static inline const struct bench_gpu *bench_find(const struct bench_gpu *gpu, const char *type)
{
    while (gpu->theirs && strcmp(gpu->type, type) != 0)
        gpu++;
    return gpu->theirs ? gpu : NULL;
}

#endif
