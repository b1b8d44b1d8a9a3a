/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/print.h"

#include <string.h>

#include "analysis/compare_print.h"
#include "analysis/rundir.h"

void print_out(struct out *o)
{
    size_t len;
    const char *text = out_data(o, &len);

    fwrite(text, 1, len, stdout);
    out_drop(o);
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

int print_comparison(struct arena *a, struct diag *d, const struct results *r,
                     const struct args *args)
{
    struct compared c;

    if (!compare_cases(a, d, r, args->baseline, &c)) {
        compared_free(&c);
        return EXIT_USAGE;
    }
    struct out *o = out_memory();
    if (args->json)
        compare_json(o, &c);
    else
        compare_text(o, a, &c, cli_color());
    print_out(o);
    compared_free(&c);
    return EXIT_FINE;
}
