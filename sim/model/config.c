/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/config.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/model/predictor.h"
#include "sim/model/paths.h"
#include "sim/text/num.h"
#include "sim/text/yaml.h"

struct run_conf {
    const char *about, *trace, *predictor;
    int64_t seed, seeds, max_rounds;
    sim_time until;
    double jitter, step_jitter, shake;
    int fidelity, alone;
    const char *ties;
    int preempt_at, keeps, suspend_to, refusals;
    bool events, jobs, series;
};

static const char *const boundaries[] = {"now", "step", "epoch", NULL};
static const char *const fidelities[] = {"fluid", "step", NULL};
static const char *const alones[] = {"same_split", "best_split", NULL};
static const char *const kept[] = {"state", "checkpoint", NULL};
static const char *const places[] = {"host", "storage", NULL};
static const char *const refusals[] = {"strict", "count", NULL};

#define AT(member) offsetof(struct run_conf, member)
static const struct field run_fields[] = {
    {FIELD_TEXT, "about", AT(about), "", 0, 0, NULL, "for people"},
    {FIELD_TEXT, "trace", AT(trace), "", 0, 0, NULL,
     "CSV file of plain jobs; - reads standard input"},
    {FIELD_TEXT, "predictor", AT(predictor), "exact", 0, 0, NULL,
     "what policies are told about rates: `hetune list predictors`"},
    {FIELD_INT, "seed", AT(seed), "1", 0, 9e15, NULL, "of all random streams"},
    {FIELD_INT, "seeds", AT(seeds), "1", 1, 1e6, NULL,
     "runs of each policy, with seed, seed+1, ..."},
    {FIELD_SECONDS, "until_s", AT(until), "0", 0, 4e9, NULL,
     "stop at this time; 0: when every job has ended"},
    {FIELD_REAL, "jitter", AT(jitter), "0", 0, 1, NULL,
     "sigma of the log-normal factor on a job's step time (eq. 4)"},
    {FIELD_CHOICE, "fidelity", AT(fidelity), "fluid", 0, 0, fidelities,
     "clusters that share GPUs: fluid: mean rates of the jobs on them, solved together; step: "
     "every "
     "step of every replica, one by one"},
    {FIELD_REAL, "step_jitter", AT(step_jitter), "0", 0, 1, NULL,
     "fidelity step: sigma of the log-normal factor on each step (eq. 4)"},
    {FIELD_CHOICE, "alone", AT(alone), "same_split", 0, 0, alones,
     "clusters that share GPUs: the shares with which completion alone is reckoned, on the GPUs of "
     "its first start (eq. 22)"},
    {FIELD_REAL, "shake", AT(shake), "0", 0, 0.99, NULL,
     "input shaking: each gap between submissions and each duration of the trace is changed by up "
     "to "
     "this part, anew for each seed"},
    {FIELD_TEXT, "ties", AT(ties), "file", 0, 0, NULL,
     "order of jobs that the trace submits in one instant: file, random (anew for each seed), or a "
     "seed of its own"},
    {FIELD_CHOICE, "preempt_at", AT(preempt_at), "step", 0, 0, boundaries,
     "what a preempted job may finish before it stops"},
    {FIELD_CHOICE, "keeps", AT(keeps), "state", 0, 0, kept,
     "state: a preempted job is suspended; checkpoint: it is killed and goes on from its last "
     "epoch"},
    {FIELD_CHOICE, "suspend_to", AT(suspend_to), "host", 0, 0, places,
     "where suspended state lies"},
    {FIELD_CHOICE, "refusals", AT(refusals), "strict", 0, 0, refusals,
     "a refused act ends the run, or is counted"},
    {FIELD_INT, "max_rounds", AT(max_rounds), "10000", 1, 1e9, NULL,
     "decision rounds allowed in one instant"},
    {FIELD_BOOL, "write_events", AT(events), "true", 0, 0, NULL, "events.csv: every record"},
    {FIELD_BOOL, "write_jobs", AT(jobs), "true", 0, 0, NULL, "jobs.csv: one row a job"},
    {FIELD_BOOL, "write_series", AT(series), "true", 0, 0, NULL,
     "series.csv: GPUs and jobs over time"},
    {.type = FIELD_END},
};

static const struct field from_fields[] = {
    {FIELD_TEXT, "from", 0, "", 0, 0, NULL,
     "a file that holds the map; the keys beside this one are put over it"},
    {.type = FIELD_END},
};

const struct config_section config_sections[] = {
    {"run",
     "configs/runs/*.yaml: the run itself; besides these: cluster, cost, overheads, draw, policy, "
     "experiments",
     run_fields},
    {"cluster, cost, overheads, draw", "maps, or names of files that hold them; in a map also",
     from_fields},
    {"cluster.gpu_types.NAME", "a GPU type", gpu_type_fields},
    {"cluster.nodes[]", "a group of equal nodes", node_fields},
    {"cluster.sharing",
     "GPUs that several jobs hold at the same time; besides these: pairs, pair_stacks (software "
     "stacks that count, the preferred first), slices",
     sharing_fields},
    {"cluster.sharing.pairs[]",
     "contention pairs: a measured speed; pairs may also be a CSV file with these columns",
     pair_fields},
    {"cluster.sharing.slices[]",
     "contention partition: a measured speed; slices may also be a CSV file", slice_fields},
    {"cost",
     "what a step costs; besides these: models, and what the form has; form affine: fits, sync, "
     "stacks (software stacks that count, the preferred first)",
     cost_fields},
    {"cost, form operators", "besides these: measured, stacks (whose measured steps count)",
     op_cost_fields},
    {"cost.models.NAME", "a DL model", model_fields},
    {"cost.fits[]", "a measured step time; fits may also be a CSV file with these columns",
     fit_fields},
    {"cost.measured[]",
     "form operators: a measured step, which counts instead of a prediction; measured may also be "
     "a CSV file with these columns",
     measured_step_fields},
    {"cost.sync[]", "what synchronising replicas takes; sync may also be a CSV file", sync_fields},
    {"overheads", "what moving a job costs", overhead_fields},
    {"draw",
     "plain jobs that are drawn for each seed, instead of a trace; besides these: jobs, steps, "
     "gpus "
     "(a value or a list), models (likewise; without it all of cost.models), gpu_weights (how "
     "often "
     "each GPU of the cluster is wanted, drawn without replacement; without it jobs do not care)",
     draw_fields},
    {"draw.jobs, draw.steps", "how many, uniform with both ends; or just a number",
     draw_range_fields},
    {"experiments[]",
     "an HPO study; besides these: model and batch (a value or a list; batch also `recorded`), "
     "tuner",
     experiment_fields},
    {"population",
     "a file that `population` of an experiment names; besides these: lists of numbers "
     "(docs/formats.md)",
     population_fields},
    {"curves", "a file that `curves` of an experiment names; it may also say where they are from",
     curve_fields},
    {NULL, NULL, NULL},
};

/* ---- references and overrides ---- */

enum { CLUSTER, COST, OVERHEADS, DRAW, REFERENCES };
static const char *const references[REFERENCES + 1] = {"cluster", "cost", "overheads", "draw"};

struct loading {
    struct config *c;
    struct arena *arena;
    struct diag *diag;
    bool failed;           /* a file could not be read */
    bool lost[REFERENCES]; /* and these parts with it */
};

bool config_input(struct config *c, struct diag *d, const char *path)
{
    uint32_t most = sizeof(c->input) / sizeof(*c->input) - 1;

    for (uint32_t i = 0; i < c->n_inputs; i++)
        if (strcmp(c->input[i], path) == 0)
            return true;
    if (c->n_inputs == most)
        return diag_error(d, (struct mark){0}, "%s: more than %u input files", path, most);
    c->input[c->n_inputs++] = path;
    return true;
}

static struct tree *load_map(struct loading *l, const struct tree *name)
{
    const char *path = path_of(l->arena, name);
    struct tree *map = *path ? yaml_load(l->arena, l->diag, path) : NULL;

    if (!*path)
        diag_error(l->diag, name->at, "nothing; wanted a map or the name of a file");

    l->failed |= !map || !config_input(l->c, l->diag, path);
    return map;
}

/* Puts the map of a file in the place of its name. */
static struct tree *expand(void *user, const char *key, struct tree *node)
{
    bool is_reference = false;

    for (int i = 0; references[i]; i++)
        is_reference |= strcmp(references[i], key) == 0;
    return is_reference ? load_map(user, node) : NULL;
}

/* A map with the key `from`: the map of that file, with the other keys put over it. */
static struct tree *merge(struct loading *l, struct tree *map)
{
    struct tree *from = tree_get(map, "from");

    if (!from)
        return map;
    if (from->kind != TREE_SCALAR) {
        l->failed = true;
        diag_error(l->diag, from->at, "from: %s; wanted the name of a file", tree_kind_name(from));
        return map;
    }
    struct tree *base = load_map(l, from);
    for (size_t i = 0; base && i < map->n; i++)
        if (map->item[i] != from)
            tree_put(l->arena, base, map->key[i], map->item[i]);
    return base;
}

/* All of them, but what is wrong in the tree before they are applied is not looked for. */
static bool override_all(struct loading *l, const struct override *overrides, uint32_t n)
{
    bool ok = true;

    for (uint32_t i = 0; i < n && !l->failed; i++)
        ok &= conf_override(l->arena, l->diag, l->c->root, &overrides[i], expand, l);
    return ok && !l->failed;
}

static bool resolve(struct loading *l)
{
    struct tree *root = l->c->root;
    bool ok = true;

    for (int i = 0; i < REFERENCES; i++) {
        struct tree *node = tree_get(root, references[i]);
        if (!node)
            continue;
        l->failed = false;
        struct tree *map = node->kind == TREE_SCALAR ? load_map(l, node) : merge(l, node);
        l->lost[i] = l->failed;
        ok &= !l->failed;
        if (!l->failed)
            tree_put(l->arena, root,
                     tree_scalar(l->arena, node->at, references[i], strlen(references[i])), map);
    }
    return ok;
}

/* ---- policies ---- */

static bool same_label_before(const struct config *c, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (c->policy[k].slug && strcmp(c->policy[k].slug, c->policy[i].slug) == 0)
            return true;
    return false;
}

static bool load_policies(struct loading *l)
{
    struct config *c = l->c;
    struct tree *t = tree_get(c->root, "policy");
    bool ok = true;

    if (!t)
        return diag_error(l->diag, c->root->at, "key 'policy' is missing in the run");
    if (t->kind == TREE_MAP || (t->kind == TREE_LIST && t->n == 0))
        return diag_error(l->diag, t->at,
                          "policy: %s; wanted NAME[param=value,...] or a list of them",
                          tree_kind_name(t));
    c->n_policies = t->kind == TREE_LIST ? (uint32_t)t->n : 1;
    c->policy = arena_get(l->arena, c->n_policies * sizeof(*c->policy));
    for (uint32_t i = 0; i < c->n_policies; i++) {
        struct tree *label = t->kind == TREE_LIST ? t->item[i] : t;
        if (!plug_policy(c->plugs, l->arena, l->diag, label, &c->policy[i]))
            ok = false;
        else if (same_label_before(c, i))
            ok = diag_error(l->diag, label->at, "policy: '%s' is named twice", c->policy[i].label);
    }
    return ok;
}

/* ---- the whole ---- */

static bool take_ties(struct loading *l, const char *ties)
{
    struct world *w = &l->c->base;
    int64_t seed = 0;

    w->random_ties = strcmp(ties, "file") != 0;
    if (!w->random_ties || strcmp(ties, "random") == 0)
        return true;
    if (num_int(ties, strlen(ties), &seed) != NUM_OK || seed < 0)
        return diag_error(l->diag, tree_get(l->c->root, "ties")->at,
                          "ties: '%.40s' is neither file, random nor a seed", ties);
    w->ties_seed = (uint64_t)seed + 1;
    return true;
}

static bool take_run(struct loading *l)
{
    static const char *const parts[] = {"cluster", "cost",        "overheads", "draw",
                                        "policy",  "experiments", NULL};
    struct config *c = l->c;
    struct run_conf r;

    if (!conf_fill(l->arena, l->diag, c->root, run_fields, parts, "the run", &r))
        return false;
    c->about = r.about;
    c->seed = r.seed;
    c->seeds = r.seeds;
    c->until = r.until > 0 ? r.until : SIM_NEVER;
    c->max_rounds = r.max_rounds;
    c->count_refusals = r.refusals == 1;
    c->write_events = r.events;
    c->write_jobs = r.jobs;
    c->write_series = r.series;
    c->predictor = tree_get(c->root, "predictor");
    c->base.jitter = r.jitter;
    c->base.shake = r.shake;
    c->base.step_jitter = r.step_jitter;
    c->base.fidelity = (enum fidelity)r.fidelity;
    c->base.alone = (enum alone)r.alone;
    if (!take_ties(l, r.ties))
        return false;
    c->base.preempt_at = (enum preempt_at)r.preempt_at;
    c->base.keeps = (enum preempt_keeps)r.keeps;
    c->base.suspend_to = (enum suspend_to)r.suspend_to;
    if (*r.trace) {
        c->trace = path_of(l->arena, tree_get(c->root, "trace"));
        return config_input(c, l->diag, c->trace);
    }
    return true;
}

static bool take_cluster(struct loading *l)
{
    struct config *c = l->c;
    struct tree *cluster = tree_get(c->root, "cluster");

    if (!cluster)
        return diag_error(l->diag, c->root->at, "key 'cluster' is missing in the run");
    return load_cluster(c, l->arena, l->diag, cluster);
}

/* What goes wrong in one part does not keep the others from being read, unless they build on it. */
static bool take_parts(struct loading *l)
{
    struct config *c = l->c;
    struct arena *a = l->arena;
    struct diag *d = l->diag;
    struct tree *overheads = tree_get(c->root, "overheads"), *draw = tree_get(c->root, "draw");
    bool ok = !l->lost[CLUSTER] && take_cluster(l), cost = false;

    if (!l->lost[COST])
        cost = load_cost(c, a, d, tree_get(c->root, "cost"));
    ok &= cost;
    c->base.tried = arena_get(a, c->base.n_models + 1);
    if (!l->lost[CLUSTER])
        ok &= load_sharing(c, a, d, tree_get(tree_get(c->root, "cluster"), "sharing"));
    if (overheads && !l->lost[OVERHEADS])
        ok &= load_overheads(c, a, d, overheads);
    if (draw && !l->lost[DRAW] && !l->lost[CLUSTER] && cost)
        ok &= load_draw(c, a, d, draw);
    ok &= load_policies(l);
    if (cost || c->base.n_models > 0)
        ok &= load_experiments(c, a, d, tree_get(c->root, "experiments"));
    return ok;
}

/* What only a configuration without faults can be asked. */
static bool check_whole(struct loading *l)
{
    struct config *c = l->c;

    if (c->trace && strcmp(c->trace, "-") == 0 && c->seeds * c->n_policies > 1)
        return diag_error(l->diag, tree_get(c->root, "trace")->at,
                          "trace: standard input can be read once; this is for %lld runs",
                          (long long)c->seeds * c->n_policies);
    if (c->trace && c->draw)
        return diag_error(l->diag, tree_get(c->root, "draw")->at,
                          "draw: the run has a trace, too; wanted one of them");
    if (c->base.fidelity == FIDELITY_STEP && c->base.residents < 2)
        return diag_error(l->diag, tree_get(c->root, "fidelity")->at,
                          "fidelity: step needs a cluster with sharing");
    if (!c->trace && !c->draw && c->n_experiments == 0)
        return diag_error(l->diag, c->root->at,
                          "there is nothing to run: the run has neither a trace nor experiments");
    return experiments_can_run(c, l->diag) && draw_can_run(c, l->diag) &&
           belief_open(l->arena, l->diag, c->predictor, &c->base) != NULL;
}

struct config *config_load(struct arena *a, struct diag *d, const char *path,
                           const struct override *overrides, uint32_t n_overrides,
                           const struct plugs *plugs)
{
    struct config *c = arena_get(a, sizeof(*c));
    struct loading l = {.c = c, .arena = a, .diag = d};

    c->path = path;
    c->plugs = plugs;
    c->root = yaml_load(a, d, path);
    if (!c->root || !config_input(c, d, path) || !override_all(&l, overrides, n_overrides))
        return NULL;
    bool ok = resolve(&l);
    ok &= take_run(&l);
    if (c->root->kind != TREE_MAP)
        return NULL;
    ok &= take_parts(&l);
    return ok && check_whole(&l) ? c : NULL;
}

struct world *config_world(const struct config *c, struct arena *a, uint64_t seed)
{
    struct world *w = arena_get(a, sizeof(*w));

    *w = c->base;
    w->seed = seed;
    w->gpu = arena_get(a, w->n_gpus * sizeof(*w->gpu));
    for (gpu_id g = 0; g < w->n_gpus; g++) {
        double sigma = c->speed_sigma[c->base.gpu[g].node];
        w->gpu[g] = c->base.gpu[g];
        if (sigma > 0) {
            gsl_rng *r = rng_stream(seed, "gpu-speed", g);
            w->gpu[g].speed *= exp(sigma * gsl_ran_gaussian(r, 1));
            gsl_rng_free(r);
        }
    }
    draw_experiments(c, a, w);
    return w;
}
