/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune list: what there is to choose from, with parameters, from the tables the code runs on. */
#include <string.h>

#include "analysis/metrics.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"
#include "sim/model/config.h"
#include "sim/model/predictor.h"

static const struct option_row options[] = {OPTION_LIB, OPTION_HELP, OPTION_END};

static void put_thing(struct out *o, const char *name, const char *about, const struct field *fields)
{
    out_printf(o, "%s - %s\n", name, about);
    if (fields)
        conf_help(o, fields, "    ");
}

static void list_policies(struct out *o, const struct plugs *plugs)
{
    for (int i = 0; plugs->library[i]; i++)
        put_thing(o, plugs->library[i]->name, plugs->library[i]->about, plugs->library[i]->params);
    for (int i = 0; builtin_policies[i]; i++)
        put_thing(o, builtin_policies[i]->name, builtin_policies[i]->about, builtin_policies[i]->params);
}

static void list_predictors(struct out *o, const struct plugs *plugs)
{
    (void)plugs;
    for (int i = 0; predictors[i]; i++)
        put_thing(o, predictors[i]->name, predictors[i]->about, predictors[i]->params);
}

static void list_tuners(struct out *o, const struct plugs *plugs)
{
    (void)plugs;
    for (int i = 0; builtin_tuners[i]; i++)
        put_thing(o, builtin_tuners[i]->name, builtin_tuners[i]->about, builtin_tuners[i]->params);
}

static void list_costs(struct out *o, const struct plugs *plugs)
{
    (void)plugs;
    for (int i = 0; cost_models[i]; i++)
        put_thing(o, cost_models[i]->name, cost_models[i]->about, NULL);
}

static void list_metrics(struct out *o, const struct plugs *plugs)
{
    (void)plugs;
    for (int i = 0; i < METRICS; i++)
        out_printf(o, "%-24s %s\n", metric_defs[i].name, metric_defs[i].about);
}

static void list_keys(struct out *o, const struct plugs *plugs)
{
    (void)plugs;
    for (int i = 0; config_sections[i].name; i++)
        put_thing(o, config_sections[i].name, config_sections[i].about, config_sections[i].fields);
}

static const struct {
    const char *name;
    void (*list)(struct out *, const struct plugs *);
} lists[] = {{"policies", list_policies}, {"predictors", list_predictors}, {"tuners", list_tuners},
             {"cost_models", list_costs}, {"metrics", list_metrics},       {"keys", list_keys}};

#define N_LISTS (sizeof(lists) / sizeof(*lists))

static bool list(const char *name, const struct plugs *plugs, struct diag *d)
{
    const char *names[N_LISTS + 1] = {0};

    for (size_t i = 0; i < N_LISTS; i++) {
        names[i] = lists[i].name;
        if (strcmp(lists[i].name, name) == 0) {
            struct out *o = out_memory();
            lists[i].list(o, plugs);
            print_out(o);
            return true;
        }
    }
    const char *near = diag_nearest(name, names);
    return diag_error(d, (struct mark){0}, "list: unknown list '%.40s'%s%s%s", name, near ? " (did you mean '" : "",
                      near ? near : "", near ? "'?)" : "; there are policies, predictors, tuners, cost_models, metrics, keys");
}

static int run(const struct args *a, struct diag *d)
{
    struct plugs plugs = {0};
    bool ok = a->n_words == 1 || diag_error(d, (struct mark){0}, "list: wanted what to list: policies, predictors, tuners, "
                                            "cost_models, metrics or keys");

    for (uint32_t i = 0; ok && i < a->n_library; i++)
        ok = plug_load(&plugs, d, a->library[i]);
    ok = ok && list(a->word[0], &plugs, d);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_list = {
    .name = "list",
    .words = "policies|predictors|...",
    .about = "what there is to choose from, with parameters and defaults",
    .examples = "  hetune list policies\n  hetune list keys\n",
    .options = options,
    .run = run,
};
