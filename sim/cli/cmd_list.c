/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune list: what there is to choose from, with parameters, from the tables the code runs on. */
#include <string.h>

#include "analysis/metrics.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"
#include "sim/model/config.h"
#include "sim/model/predictor.h"

static const struct option_row options[] = {OPTION_LIB, OPTION_JSON, OPTION_HELP, OPTION_END};

/* One thing of a list; fields may be NULL. */
struct thing {
    const char *name, *about;
    const struct field *fields;
};

/* The i-th thing of a list; its name is NULL behind the last. */
typedef struct thing nth_thing(const struct plugs *, int i);

static struct thing nth_policy(const struct plugs *plugs, int i)
{
    int n = 0;

    while (plugs->policy[n])
        n++;
    const struct policy *p = i < n ? plugs->policy[i] : builtin_policies[i - n];
    return p ? (struct thing){p->name, p->about, p->params} : (struct thing){0};
}

static struct thing nth_predictor(const struct plugs *plugs, int i)
{
    const struct predictor *p = predictors[i];

    (void)plugs;
    return p ? (struct thing){p->name, p->about, p->params} : (struct thing){0};
}

static struct thing nth_tuner(const struct plugs *plugs, int i)
{
    int n = 0;

    while (plugs->tuner[n])
        n++;
    const struct tuner *t = i < n ? plugs->tuner[i] : builtin_tuners[i - n];
    return t ? (struct thing){t->name, t->about, t->params} : (struct thing){0};
}

static struct thing nth_cost_model(const struct plugs *plugs, int i)
{
    const struct cost_model *c = cost_models[i];

    (void)plugs;
    return c ? (struct thing){c->name, c->about, NULL} : (struct thing){0};
}

static struct thing nth_contention(const struct plugs *plugs, int i)
{
    const struct contention *c = contentions[i];

    (void)plugs;
    return c ? (struct thing){c->name, c->about, NULL} : (struct thing){0};
}

static struct thing nth_metric(const struct plugs *plugs, int i)
{
    (void)plugs;
    return i < METRICS ? (struct thing){metric_defs[i].name, metric_defs[i].about, NULL}
                       : (struct thing){0};
}

static struct thing nth_section(const struct plugs *plugs, int i)
{
    const struct config_section *s = &config_sections[i];

    (void)plugs;
    return (struct thing){s->name, s->about, s->fields};
}

static const struct {
    const char *name;
    nth_thing *nth;
} lists[] = {{"policies", nth_policy},
             {"predictors", nth_predictor},
             {"tuners", nth_tuner},
             {"cost_models", nth_cost_model},
             {"contentions", nth_contention},
             {"metrics", nth_metric},
             {"keys", nth_section}};

#define N_LISTS   (sizeof(lists) / sizeof(*lists))
#define THERE_ARE "there are policies, predictors, tuners, cost_models, contentions, metrics, keys"

static void put_text(struct out *o, const struct thing *t)
{
    out_printf(o, "%s - %s\n", t->name, t->about);
    if (t->fields)
        conf_help(o, t->fields, "    ");
}

static void put_json(struct out *o, const struct thing *t, bool first)
{
    out_text(o, first ? "  {\"name\": " : ",\n  {\"name\": ");
    out_json(o, t->name);
    out_text(o, ", \"about\": ");
    out_json(o, t->about);
    if (t->fields) {
        out_text(o, ", \"parameters\": ");
        conf_help_json(o, t->fields);
    }
    out_char(o, '}');
}

static void print_list(nth_thing *nth, const struct plugs *plugs, bool json)
{
    struct out *o = out_memory();
    struct thing t;

    out_text(o, json ? "[\n" : "");
    for (int i = 0; (t = nth(plugs, i)).name; i++) {
        if (json)
            put_json(o, &t, i == 0);
        else
            put_text(o, &t);
    }
    out_text(o, json ? "\n]\n" : "");
    print_out(o);
}

static bool list(const char *name, const struct plugs *plugs, bool json, struct diag *d)
{
    struct diag_near near = {.word = name};

    for (size_t i = 0; i < N_LISTS; i++) {
        diag_consider(&near, lists[i].name);
        if (strcmp(lists[i].name, name) == 0) {
            print_list(lists[i].nth, plugs, json);
            return true;
        }
    }
    return diag_unknown(d, (struct mark){0}, near.nearest, "list: unknown list '%.40s'%s", name,
                        near.nearest ? "" : "; " THERE_ARE);
}

static const char *choice(uint32_t i)
{
    return i < N_LISTS ? lists[i].name : NULL;
}

static int run(const struct args *a, struct diag *d)
{
    struct plugs plugs = {0};
    bool ok = a->n_words == 1 ||
              diag_error(d, (struct mark){0}, "list: wanted one thing to list; " THERE_ARE);

    for (uint32_t i = 0; ok && i < a->n_library; i++)
        ok = plug_load(&plugs, d, a->library[i]);
    ok = ok && list(a->word[0], &plugs, a->json, d);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_list = {
    .name = "list",
    .words = "policies|predictors|...",
    .about = "what there is to choose from, with parameters and defaults",
    .examples = "  hetune list policies\n  hetune list keys --json\n",
    .options = options,
    .run = run,
    .choice = choice,
};
