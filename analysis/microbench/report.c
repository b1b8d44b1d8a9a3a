/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/microbench/report.h"
#include "analysis/microbench/samples.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { DIGITS = 5 };

static const struct {
    const char *unit;
    double times;
    bool is_time;
} units[] = {{"ns", 1e9, true}, {"us", 1e6, true},     {"ms", 1e3, true},
             {"s", 1, true},    {"GB/s", 1e-9, false}, {"1", 1, false}};

bool mb_is_time(const char *unit)
{
    for (size_t i = 0; i < COUNT(units); i++)
        if (strcmp(unit, units[i].unit) == 0)
            return units[i].is_time;
    return false;
}

double mb_in_unit(double value, const char *unit)
{
    for (size_t i = 0; i < COUNT(units); i++)
        if (strcmp(unit, units[i].unit) == 0)
            return value * units[i].times;
    return NAN;
}

/* ---- names of GPUs ---- */

/* The first row whose parts are all in the product's name. */
static const char *const types[][3] = {{"A100", "80GB", "A100-80"},
                                       {"A100", "", "A100"},
                                       {"H100", "PCIe", "H100-PCIe"},
                                       {"H100", "", "H100"},
                                       {"H200", "", "H200"},
                                       {"GTX 1080 Ti", "", "1080Ti"},
                                       {"TITAN Xp", "", "TitanXp"},
                                       {"TITAN X (Pascal)", "", "TitanX-Pascal"},
                                       {"GTX TITAN X", "", "TitanX-Maxwell"},
                                       {"V100", "", "V100"},
                                       {"P100", "", "P100"},
                                       {"L40S", "", "L40S"},
                                       {"L40", "", "L40"},
                                       {"L4", "", "L4"},
                                       {"A40", "", "A40"},
                                       {"T4", "", "T4"},
                                       {"P4", "", "P4"},
                                       {"M40", "", "M40"},
                                       {"K80", "", "K80"}};

/* Whether a word begins with the part and ends where a letter or a digit would make it another. */
static bool has(const char *product, const char *part)
{
    size_t len = strlen(part);

    for (const char *at = product; len && (at = strstr(at, part)); at++)
        if ((at == product || !isalnum((unsigned char)at[-1])) &&
            (!isalnum((unsigned char)at[len])))
            return true;
    return len == 0;
}

void mb_gpu_type(const char *product, char *type, size_t size)
{
    const char *from = product;
    size_t n = 0;

    for (size_t i = 0; i < COUNT(types); i++)
        if (has(product, types[i][0]) && has(product, types[i][1])) {
            snprintf(type, size, "%s", types[i][2]);
            return;
        }
    for (size_t skip; (skip = strncmp(from, "NVIDIA ", 7) == 0    ? 7
                              : strncmp(from, "GeForce ", 8) == 0 ? 8
                              : strncmp(from, "Tesla ", 6) == 0   ? 6
                                                                  : 0);
         from += skip)
        ;
    for (; *from && n + 1 < size; from++)
        type[n++] = *from == ' ' ? '-' : *from;
    type[n] = '\0';
}

/* ---- JSON ---- */

static void member(struct out *o, const char *before, const char *key, const char *text)
{
    out_text(o, before);
    out_json(o, key);
    out_text(o, ": ");
    out_json(o, text);
}

static void write_gpu(struct out *o, const struct mb_gpu *gpu)
{
    char type[64];

    mb_gpu_type(gpu->product, type, sizeof type);
    member(o, "  \"gpu\": {", "type", type);
    member(o, ", ", "product", gpu->product);
    out_printf(o, ", \"memory_gib\": %.4g, \"sms\": %d, \"clock_mhz\": %d},\n",
               (double)gpu->memory / 0x1p30, gpu->sms, gpu->clock_mhz);
}

void mb_report_begin(struct out *o, const struct mb_run_facts *run)
{
    out_text(o, "{\n  \"schema\": \"hetune-microbench\", \"version\": 1,\n");
    write_gpu(o, run->gpu);
    member(o, "  \"origin\": {", "source", "hetune");
    member(o, ", ", "commit", run->commit);
    member(o, ", ", "licence", "GPL-3.0-or-later");
    out_text(o, "},\n  \"software\": {");
    for (size_t i = 0; i < run->facts; i++)
        member(o, i ? ",\n    " : "\n    ", run->software[i].key, run->software[i].text);
    out_text(o, "\n  },\n  \"series\": [");
}

static void write_row(struct out *o, const struct mb_format *f, const struct mb_case *c,
                      const struct mb_outcome *is)
{
    out_char(o, '[');
    for (size_t i = 0; f->columns[i]; i++) {
        out_int(o, c->dim[i]);
        out_text(o, ", ");
    }
    out_real(o, mb_round(mb_in_unit(is->value, f->unit), DIGITS));
    if (!f->once) {
        out_text(o, ", ");
        out_real(o, mb_round(is->spread, 3));
    }
    out_char(o, ']');
}

static void write_head(struct out *o, const struct mb_format *f, const struct mb_case *c)
{
    member(o, "\n    {", "op", f->op);
    member(o, ", ", "kind", c->kind);
    member(o, ", ", "precision", mb_precision_name(c->precision));
    member(o, ", ", "unit", f->unit);
    out_text(o, ",\n     \"columns\": [");
    for (size_t i = 0; f->columns[i]; i++) {
        out_json(o, f->columns[i]);
        out_text(o, ", ");
    }
    out_printf(o, "\"%s\"%s],\n     \"rows\": [", mb_is_time(f->unit) ? "time" : "rate",
               f->once ? "" : ", \"spread\"");
}

void mb_report_series(struct out *o, const struct mb_format *f, const struct mb_grid *g,
                      const struct mb_outcome *is, bool *any)
{
    const struct mb_case *open = NULL;

    for (size_t i = 0; i < g->n; i++) {
        const struct mb_case *c = &g->cases[i];
        bool goes_on = open && strcmp(open->kind, c->kind) == 0 && open->precision == c->precision;

        if (!is[i].done)
            continue;
        if (!goes_on) {
            out_text(o, open ? "]}," : *any ? "," : "");
            write_head(o, f, c);
        }
        out_text(o, goes_on ? ",\n       " : "\n       ");
        write_row(o, f, c, &is[i]);
        open = c;
        *any = true;
    }
    if (open)
        out_text(o, "]}");
}

void mb_report_end(struct out *o)
{
    out_text(o, "\n  ]\n}\n");
}
