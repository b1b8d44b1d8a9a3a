/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons as JSON: all metrics of all policies. */
#include "analysis/compare_print.h"

static void put_interval(struct out *o, const char *key, const struct interval *x)
{
    out_printf(o, "\"%s\": {\"mean\": ", key);
    out_real(o, x->mean);
    out_text(o, ", \"low\": ");
    out_real(o, x->low);
    out_text(o, ", \"high\": ");
    out_real(o, x->high);
    out_printf(o, ", \"n\": %u}", x->n);
}

static void put_policy(struct out *o, const struct policy_change *p)
{
    bool first = true;

    out_text(o, "    {\"policy\": ");
    out_json(o, p->label);
    out_printf(o, ", \"oracle\": %s, \"seeds\": %u, \"alike\": %s, \"metrics\": {",
               p->oracle ? "true" : "false", p->seeds, p->alike ? "true" : "false");
    for (int id = 0; id < METRICS; id++) {
        if (p->metric[id].value.n == 0)
            continue;
        out_printf(o, "%s\n      \"%s\": {", first ? "" : ",", metric_defs[id].name);
        put_interval(o, "value", &p->metric[id].value);
        out_text(o, ", ");
        put_interval(o, "change", &p->metric[id].change);
        out_text(o, ", \"call\": ");
        out_json(o, call_word[p->metric[id].call]);
        out_char(o, '}');
        first = false;
    }
    out_text(o, "}}");
}

static void put_comparison(struct out *o, const struct comparison *c)
{
    out_text(o, "  \"baseline\": ");
    out_json(o, c->policy[0].label);
    out_text(o, ",\n  \"interval\": \"95 %; values: Student; changes: ratio of means, Fieller, "
                "paired by seed\",\n  \"policies\": [\n");
    for (uint32_t p = 0; p < c->n; p++) {
        put_policy(o, &c->policy[p]);
        out_text(o, p + 1 < c->n ? ",\n" : "\n");
    }
    out_text(o, "  ]");
}

void compare_json_case(struct out *o, const struct result_case *in)
{
    out_text(o, "\"case\": {");
    for (uint32_t i = 0; in && i < in->n; i++) {
        out_text(o, i ? ", " : "");
        out_json(o, in->axis[i]);
        out_text(o, ": ");
        out_json(o, in->value[i]);
    }
    out_char(o, '}');
}

static void put_cases(struct out *o, const struct compared *c)
{
    const char *between = "";

    out_text(o, "  \"cases\": [");
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->of[i].c.n == 0)
            continue;
        out_printf(o, "%s{\n  ", between);
        compare_json_case(o, c->of[i].in);
        out_text(o, ",\n");
        put_comparison(o, &c->of[i].c);
        out_text(o, "\n  }");
        between = ", ";
    }
    out_text(o, "]");
}

void compare_json_notes(struct out *o, const struct compared *c)
{
    if (c->n_notes == 0)
        return;
    out_text(o, ",\n  \"notes\": [");
    for (uint32_t i = 0; i < c->n_notes; i++) {
        out_text(o, i ? ", " : "");
        out_json(o, c->note[i]);
    }
    out_char(o, ']');
}

void compare_json(struct out *o, const struct compared *c)
{
    out_text(o, "{\n  \"schema\": 1,\n");
    if (c->n == 1 && !c->of[0].in)
        put_comparison(o, &c->of[0].c);
    else
        put_cases(o, c);
    compare_json_notes(o, c);
    out_text(o, "\n}\n");
}
