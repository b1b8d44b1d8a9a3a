/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts for machines: JSON, JUnit XML, the JSON of benchmark-action. */
#include <math.h>

#include "analysis/gate_print.h"

/* ---- JSON ---- */

static void put_pair(struct out *o, const char *before, const char *key, const char *value)
{
    out_printf(o, "%s\"%s\": ", before, key);
    if (value)
        out_json(o, value);
    else
        out_text(o, "null");
}

static void put_real(struct out *o, const char *key, double x)
{
    out_printf(o, ", \"%s\": ", key);
    out_real(o, x);
}

static void put_item(struct out *o, const struct gate_item *i)
{
    put_pair(o, "    {", "case", i->name);
    put_pair(o, ", ", "policy", i->policy);
    put_pair(o, ", ", "predictor", i->predictor);
    put_pair(o, ", ", "check", i->what);
    put_pair(o, ", ", "verdict", gate_verdict_name[i->verdict]);
    out_printf(o, ", \"fails\": %s", i->fails ? "true" : "false");
    put_pair(o, ", ", "old", i->old);
    put_pair(o, ", ", "new", i->new);
    put_real(o, "old_mean", i->old_mean);
    put_real(o, "new_mean", i->new_mean);
    put_real(o, "change_low", i->change.low);
    put_real(o, "change_high", i->change.high);
    out_printf(o, ", \"seeds\": %u", i->change.n);
    put_pair(o, ", ", "why", i->why);
    out_char(o, '}');
}

void gate_put_json(struct out *o, const struct gate_report *r)
{
    const struct gate *g = r->gate;

    out_text(o, "{\n  \"schema\": 1");
    put_pair(o, ",\n  ", "baseline", r->baseline);
    out_printf(o, ",\n  \"passed\": %s,\n  \"failed\": %u", g->failed ? "false" : "true",
               g->failed);
    for (int v = 0; v < GATE_VERDICTS; v++)
        out_printf(o, "%s\"%s\": %u", v ? ", " : ",\n  \"verdicts\": {", gate_verdict_name[v],
                   g->count[v]);
    out_text(o, "},\n  \"checks\": [\n");
    for (uint32_t i = 0; i < g->n; i++) {
        put_item(o, &g->item[i]);
        out_text(o, i + 1 < g->n ? ",\n" : "\n");
    }
    out_text(o, "  ]\n}\n");
}

/* ---- JUnit ---- */

static void put_attribute(struct out *o, const char *key, const char *value)
{
    out_printf(o, " %s=\"", key);
    gate_put(o, value, ESCAPE_XML);
    out_char(o, '"');
}

static void put_case(struct out *o, const struct gate_report *r, const struct gate_item *i)
{
    const char *element = i->fails                  ? "failure"
                          : i->verdict == GATE_NEW  ? "skipped"
                          : i->verdict == GATE_SAME ? NULL
                                                    : "system-out";
    const char *message = gate_message(r->arena, i);

    out_text(o, "    <testcase");
    put_attribute(o, "classname", i->title);
    put_attribute(o, "name", i->what);
    if (!element) {
        out_text(o, "/>\n");
    } else if (!i->fails && i->verdict != GATE_NEW) {
        out_printf(o, "><system-out>%s: ", gate_verdict_name[i->verdict]);
        gate_put(o, message, ESCAPE_XML);
        out_text(o, "</system-out></testcase>\n");
    } else {
        out_printf(o, "><%s", element);
        if (i->fails)
            put_attribute(o, "type", gate_verdict_name[i->verdict]);
        put_attribute(o, "message", message);
        out_text(o, "/></testcase>\n");
    }
}

/* The items of one case and policy; how many they are. */
static uint32_t put_suite(struct out *o, const struct gate_report *r, const struct gate_item *item,
                          uint32_t most)
{
    uint32_t n = 0, failed = 0, skipped = 0;

    for (; n < most && item[n].group == item->group; n++) {
        failed += item[n].fails;
        skipped += item[n].verdict == GATE_NEW;
    }
    out_text(o, "  <testsuite");
    put_attribute(o, "name", item->title);
    out_printf(o, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n", n, failed,
               skipped);
    for (uint32_t i = 0; i < n; i++)
        put_case(o, r, &item[i]);
    out_text(o, "  </testsuite>\n");
    return n;
}

void gate_put_junit(struct out *o, const struct gate_report *r)
{
    const struct gate *g = r->gate;

    out_printf(o,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hetune check\" "
               "tests=\"%u\" failures=\"%u\" errors=\"0\">\n",
               g->n, g->failed);
    for (uint32_t i = 0; i < g->n;)
        i += put_suite(o, r, &g->item[i], g->n - i);
    out_text(o, "</testsuites>\n");
}

/* ---- benchmark-action: {name, unit, value, range, extra}, by which direction is better ---- */

static const char *unit_of(const struct metric_def *def)
{
    static const char *const units[] = {[METRIC_COUNT] = "count",
                                        [METRIC_TIME] = "s",
                                        [METRIC_GPU_TIME] = "GPU s",
                                        [METRIC_NUMBER] = "ratio"};

    return units[def->kind];
}

static bool put_value(struct out *o, struct arena *a, const struct gate_group *g, int id,
                      bool first)
{
    double *x = arena_get(a, (g->n + 1) * sizeof(*x));
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n; i++) {
        const struct metric_value *v = &g->run[i].result.value[id];
        if (!g->run[i].fault && v->defined)
            x[n++] = gate_number(id, v);
    }
    if (n == 0)
        return false;
    const struct interval mean = interval_of(x, n);
    put_pair(o, first ? "\n  {" : ",\n  {", "name",
             arena_printf(a, "%s, %s with %s: %s", g->name, g->policy, g->predictor,
                          metric_defs[id].name));
    put_pair(o, ", ", "unit", unit_of(&metric_defs[id]));
    put_real(o, "value", mean.mean);
    if (!isnan(mean.high))
        put_pair(o, ", ", "range", arena_printf(a, "\xC2\xB1 %.6g", mean.high - mean.mean));
    put_pair(o, ", ", "extra", arena_printf(a, "mean of %u seeds; world %s", n, g->world));
    out_char(o, '}');
    return true;
}

static void put_values(struct out *o, const struct gate_report *r, enum metric_better better)
{
    const struct gate_runs *runs = r->gate->runs;
    bool first = true;

    out_char(o, '[');
    for (uint32_t g = 0; g < runs->n_groups; g++)
        for (int id = 0; id < METRICS; id++)
            if (metric_defs[id].better == better &&
                put_value(o, r->arena, &runs->group[g], id, first))
                first = false;
    out_text(o, "\n]\n");
}

void gate_put_smaller(struct out *o, const struct gate_report *r)
{
    put_values(o, r, BETTER_LOWER);
}

void gate_put_bigger(struct out *o, const struct gate_report *r)
{
    put_values(o, r, BETTER_HIGHER);
}
