/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/story_text.h"

#include <math.h>
#include <string.h>

#include "sim/base/utf8.h"

void say_safe(struct out *o, const char *s)
{
    size_t len = strlen(s), n;
    uint32_t c;

    for (; len > 0; s += n, len -= n) {
        n = utf8_get(s, len, &c);
        if (n > 0 && utf8_shows(c))
            out_bytes(o, s, n);
        else
            out_char(o, '?');
        n = n ? n : 1;
    }
}

/* ---- numbers ---- */

/* So many decimals, without zeros at the end. */
static void put_fixed(struct out *o, double x, int decimals)
{
    char text[64];
    int n = snprintf(text, sizeof(text), "%.*f", decimals, x);

    while (decimals > 0 && n > 0 && text[n - 1] == '0')
        n--;
    if (decimals > 0 && n > 0 && text[n - 1] == '.')
        n--;
    out_bytes(o, text, (size_t)n);
}

void say_real(struct out *o, double x)
{
    double a = fabs(x);

    if (a != 0 && (a < 0.001 || a >= 1e7))
        out_printf(o, "%.3e", x);
    else
        put_fixed(o, x, a >= 1000 ? 0 : a >= 100 ? 1 : a >= 10 ? 2 : a >= 1 ? 3 : 4);
}

static void put_units(struct out *o, double s)
{
    uint64_t whole = (uint64_t)(s + 0.5);

    if (s >= 2 * 86400)
        out_printf(o, " (%llu d %llu h)", (unsigned long long)(whole / 86400),
                   (unsigned long long)(whole % 86400 / 3600));
    else if (s >= 3600)
        out_printf(o, " (%llu h %llu min)", (unsigned long long)(whole / 3600),
                   (unsigned long long)(whole % 3600 / 60));
    else if (s >= 120)
        out_printf(o, " (%llu min %llu s)", (unsigned long long)(whole / 60),
                   (unsigned long long)(whole % 60));
}

void say_time(struct out *o, sim_time t)
{
    double s = (double)t / 1e9;

    put_fixed(o, s, s >= 10000 ? 0 : s >= 100 ? 1 : s >= 10 ? 2 : 3);
    out_text(o, " s");
    put_units(o, s);
}

void say_clock(struct out *o, sim_time t)
{
    out_printf(o, "%10.1f s", (double)t / 1e9);
}

void say_count(struct out *o, uint64_t n, const char *one, const char *many)
{
    out_printf(o, "%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

/* ---- GPUs and jobs ---- */

static void put_ranges(struct out *o, const struct share *s, uint32_t n)
{
    for (uint32_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && s[k].gpu == s[i].gpu + (k - i); k++)
            ;
        out_printf(o, k - i > 1 ? "%s%u-%u" : "%s%u", i ? " " : "", s[i].gpu, s[k - 1].gpu);
    }
}

/* Types and nodes, if they are one type, and few nodes. */
static void put_place(struct out *o, const struct story_cluster *c, const struct share *s,
                      uint32_t n, const char *between)
{
    uint32_t first = story_node_of(c, s[0].gpu), last = first, nodes = 1;

    if (first == NODE_UNKNOWN)
        return;
    bool one_type = true;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t k = story_node_of(c, s[i].gpu);
        one_type &= k != NODE_UNKNOWN && strcmp(c->node[k].type, c->node[first].type) == 0;
        nodes += k != last;
        last = k;
    }
    out_text(o, between);
    if (one_type) {
        say_safe(o, c->node[first].type);
        out_text(o, ", ");
    }
    if (nodes == 1)
        out_printf(o, "node %u", first);
    else
        out_printf(o, "in %u nodes", nodes);
}

void say_gpus(struct out *o, const struct story_cluster *c, const struct share *s, uint32_t n)
{
    if (n == 0) {
        out_text(o, "no GPU");
        return;
    }
    if (n == 1)
        out_printf(o, "GPU %u (", s[0].gpu);
    else
        out_printf(o, "%u GPUs (", n);
    if (n > 1)
        put_ranges(o, s, n);
    if (n == 1 && story_node_of(c, s[0].gpu) == NODE_UNKNOWN)
        out_text(o, "alone");
    put_place(o, c, s, n, n > 1 ? "; " : "");
    out_char(o, ')');
}

void say_jobs(struct out *o, const uint32_t *job, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out_printf(o, "%sjob %u", i == 0 ? "" : i + 1 < n ? ", " : " and ", job[i]);
}

void say_run(struct out *o, const struct story_run_facts *f)
{
    say_safe(o, f->result->label);
    out_printf(o, "%s, seed %llu, ", f->result->oracle ? " (oracle)" : "",
               (unsigned long long)f->result->seed);
    say_safe(o, *f->config ? f->config : "a configuration without a name");
    out_text(o, "; ");
    say_safe(o, f->result->path);
    out_char(o, '\n');
}
