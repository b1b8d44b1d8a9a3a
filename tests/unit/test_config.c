/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A configuration that is fine, what it amounts to, and each way to spoil it with the complaint it
 * earns. */
#include <math.h>

#include "sim/model/config.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

enum { RUN, CLUSTER, COST, OVERHEADS, CURVES, ROWS, FITS, FILES };

static const struct {
    const char *name, *text;
} files[FILES] = {
    [RUN] = {"run.yaml", "about: a run\n"
                         "cluster: cluster.yaml\n"
                         "cost: cost.yaml\n"
                         "overheads: overheads.yaml\n"
                         "trace: jobs.csv\n"
                         "experiments:\n"
                         "  - name: study\n"
                         "    curves: curves.yaml\n"
                         "    model: [small, large]\n"
                         "    batch: [32, 64]\n"
                         "    trials: 8\n"
                         "    good_best: 2\n"
                         "    tuner: run_all\n"
                         "policy: [fifo, 'las[quantum_s=60]']\n"
                         "seed: 3\n"
                         "seeds: 2\n"},
    [CLUSTER] = {"cluster.yaml",
                 "gpu_types:\n"
                 "  fast: {memory_gib: 16}\n"
                 "  slow: {}\n"
                 "nodes:\n"
                 "  - {type: fast, gpus: 2, host_memory_gib: 4, input_samples_per_s: 900}\n"
                 "  - {type: slow, gpus: 3, count: 2, speed: 0.5, speed_sigma: 0.1}\n"},
    [COST] =
        {"cost.yaml",
         "form: affine\n"
         "models:\n"
         "  small: {parameters: 1e6, samples_per_epoch: 1000, batch: 100}\n"
         "  large: {parameters: 1e9, optimizer_slots: 2, samples_per_epoch: 1000, batch: 100}\n"
         "fits: fits.csv\n"
         "sync: [{model: small, gpu: fast, node_base_s: 0.5}]\n"
         "stacks: [ours, theirs]\n"},
    [OVERHEADS] = {"overheads.yaml", "start_s: 10\nsave_s: 0.5\nrestore_s: 0.25\nhost_gbps: 12\n"},
    [CURVES] = {"curves.yaml", "metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: rows.csv\n"},
    [ROWS] = {"rows.csv", "trial,epoch,metric\n0,1,0.1\n1,1,0.2\n2,1,0.3\n3,1,0.4\n4,1,0.5\n5,1,0."
                          "6\n6,1,0.7\n7,1,0.8\n"
                          "8,1,0.9\n8,2,0.1\n"},
    [FITS] =
        {"fits.csv",
         "model,gpu,stack,alpha_s,beta_s\nsmall,fast,ours,0.1,0.001\nsmall,slow,theirs,0.2,0.002\n"
         "large,fast,ours,0.5,0.01\nlarge,slow,ours,1,0.02\n"},
};

/* ---- complaints ---- */

static const struct config_case {
    int file;
    const char *find, *by; /* in that file */
    const char *set;       /* an override, or NULL */
    const char *errors;
} cases[] = {
    {RUN, "policy:", "policies:", NULL,
     "run.yaml:14:1: error: unknown key 'policies' in the run\n"
     "run.yaml:1:1: error: key 'policy' is missing in the run"},
    {RUN, "policy: [fifo, 'las[quantum_s=60]']\n", "", NULL,
     "run.yaml:1:1: error: key 'policy' is missing in the run"},
    {RUN, "[fifo, 'las[quantum_s=60]']", "[]", NULL,
     "run.yaml:14:9: error: policy: an empty list; wanted NAME[param=value,...] or a list of them"},
    {RUN, "[fifo, 'las[quantum_s=60]']", "{fifo: 1}", NULL,
     "run.yaml:14:9: error: policy: a map; wanted NAME[param=value,...] or a list of them"},
    {RUN, "[fifo,", "['las[quantum_s=60.0]',", NULL,
     "run.yaml:14:33: error: policy: 'las[quantum_s=60]' is named twice"},
    {RUN, "[fifo,", "[fofi,", NULL, "run.yaml:14:10: error: unknown policy 'fofi'"},
    {RUN, "[fifo,", "[gandiva,", NULL, "run.yaml:14:10: error: unknown policy 'gandiva'"},
    {RUN, "quantum_s=60", "quantum=60", NULL,
     "run.yaml:14:21: error: unknown key 'quantum' in policy las (did you mean 'quantum_s'?)"},
    {RUN, "quantum_s=60", "quantum_s=0", NULL,
     "run.yaml:14:31: error: quantum_s: 0 is below the minimum, 1"},
    {RUN, "cluster: cluster.yaml\n", "", NULL,
     "run.yaml:1:1: error: key 'cluster' is missing in the run"},
    {RUN, "cluster.yaml", "absent.yaml", NULL,
     "absent.yaml: cannot open: No such file or directory"},
    {RUN, "cluster.yaml", "''", NULL,
     "run.yaml:2:10: error: nothing; wanted a map or the name of a file"},
    {RUN, "cluster.yaml", "{from: [a]}", NULL,
     "run.yaml:2:17: error: from: a list; wanted the name of a file"},
    {RUN, "jobs.csv", "'-'", NULL,
     "run.yaml:5:8: error: trace: standard input can be read once; this is for 4 runs"},
    {RUN, "trace: jobs.csv\n", "", "experiments=[]",
     "run.yaml:1:1: error: there is nothing to run: the run has neither a trace nor experiments"},
    {RUN, "about:", "predictor: exat\nabout:", NULL,
     "run.yaml:1:12: error: unknown predictor 'exat' (did you mean 'exact'?)"},
    {RUN, "", "", "overheads.strat_s=1",
     "-s:1:11: error: unknown key 'strat_s' in the overheads (did you mean 'start_s'?)"},

    {CLUSTER, "gpu_types:\n  fast: {memory_gib: 16}\n  slow: {}\n", "", NULL,
     "cluster.yaml:1:1: error: key 'gpu_types' is missing in the cluster"},
    {CLUSTER, "{memory_gib: 16}", "{memory_gib: -1}", NULL,
     "cluster.yaml:2:22: error: memory_gib: -1 is below the minimum, 0"},
    {CLUSTER, "gpu_types:\n  fast: {memory_gib: 16}\n  slow: {}\n", "gpu_types: [fast]\n", NULL,
     "cluster.yaml:1:12: error: gpu_types: a list; wanted a map of GPU types"},
    {CLUSTER, "gpu_types:\n  fast: {memory_gib: 16}\n  slow: {}\n", "gpu_types: {}\n", NULL,
     "cluster.yaml:1:12: error: gpu_types: an empty map; wanted a map of GPU types"},
    {CLUSTER, "type: slow", "type: slwo", NULL,
     "cluster.yaml:6:12: error: type: 'slwo' is not among the gpu_types (did you mean 'slow'?)"},
    {CLUSTER, "type: fast", "type: tpu", NULL,
     "cluster.yaml:5:12: error: type: 'tpu' is not among the gpu_types"},
    {CLUSTER, "gpus: 3", "gpus: 65", NULL,
     "cluster.yaml:6:24: error: gpus: 65 is above the maximum, 64"},
    {CLUSTER, "count: 2", "count: 262144", NULL,
     "cluster.yaml:6:5: error: nodes: more than 262144 nodes or 4194304 GPUs"},
    {CLUSTER, "nodes:\n", "nodes: fast\nrest:\n", NULL,
     "cluster.yaml:5:1: error: unknown key 'rest' in the cluster\n"
     "cluster.yaml:4:8: error: nodes: a text; wanted a list of nodes"},
    {CLUSTER, "", "", "cluster.nodes=[]",
     "-s:1:15: error: nodes: an empty list; wanted a list of nodes"},
    {CLUSTER, "", "", "cluster.nodes=4", "-s:1:15: error: nodes: a text; wanted a list of nodes"},

    {COST, "form: affine", "form: afine", NULL,
     "cost.yaml:1:7: error: unknown cost model 'afine' (did you mean 'affine'?)"},
    {COST, "fits: fits.csv", "fits: {a: 1}", NULL,
     "cost.yaml:5:7: error: fits: a map; wanted a file or a list"},
    {COST, "fits: fits.csv",
     "fits: [{model: small, gpu: fast, alpha_s: 1, beta_s: 0, stack: ours}, "
     "{model: small, gpu: fast, alpha_s: 2, beta_s: 0, stack: ours}]",
     NULL,
     "cost.yaml:5:71: error: a second step time of small on fast from stack ours: `stacks` must "
     "say which counts"},
    {COST, "stacks: [ours, theirs]\n", "", NULL, NULL},
    {COST, "fits: fits.csv",
     "fits: [{model: small, gpu: fast, alpha_s: 0, beta_s: 0, stack: ours}]", NULL,
     "cost.yaml:5:8: error: the step time of small on fast is 0"},
    {COST, "fits: fits.csv", "fits: [{model: small, gpu: fast, alpha_s: 1}]", NULL,
     "cost.yaml:5:8: error: key 'beta_s' is missing in fits"},
    {COST, "node_base_s: 0.5}]",
     "node_base_s: 0.5, stack: ours}, {model: small, gpu: fast, stack: ours}]", NULL,
     "cost.yaml:6:66: error: a second synchronisation of small on fast"},
    {COST, "stacks: [ours, theirs]", "stacks: ours", NULL,
     "cost.yaml:7:9: error: stacks: a text; wanted a list of names"},
    {COST, "stacks: [ours, theirs]", "stacks: [ours, [theirs]]", NULL,
     "cost.yaml:7:16: error: stacks: a list; wanted a name"},
    {COST, "models:\n", "models: [x]\nold:\n", NULL,
     "cost.yaml:3:1: error: unknown key 'old' in the cost\n"
     "cost.yaml:2:9: error: models: a list; wanted a map of DL models"},
    {COST, "batch: 100}\n  large", "batch: 0}\n  large", NULL,
     "cost.yaml:3:60: error: batch: 0 is below the minimum, 1"},
    {COST, "samples_per_epoch: 1000, batch: 100}\n  large",
     "samples_per_epoch: 1000000000001, batch: 100}\n  large", NULL,
     "cost.yaml:3:47: error: samples_per_epoch: 1000000000001 is above the maximum, 1000000000000"},
    {COST, "", "", "cost.models=[x]", "-s:1:13: error: models: a list; wanted a map of DL models"},
    {FITS, "large,slow,ours,1,0.02\n", "large,slow,ours,1,0.02\nlarge,slow,ours,1,0.02\n", NULL,
     "fits.csv:6:1: error: a second step time of large on slow from stack ours: `stacks` must say "
     "which counts"},
    {FITS, "ours,1,0.02", "ours,-1,0.02", NULL,
     "fits.csv:5:17: error: alpha_s: -1 is below the minimum, 0"},
    {FITS, "alpha_s,", "alpha,", NULL,
     "fits.csv:1:1: error: column 'alpha_s' is missing (is it 'alpha'?)"},
    {FITS, "gpu,", "card,", NULL, "fits.csv:1:1: error: column 'gpu' is missing"},

    {RUN, "model: [small, large]", "model: [small, lagre]", NULL,
     "run.yaml:9:20: error: model: unknown model 'lagre' (did you mean 'large'?)"},
    {RUN, "    model: [small, large]\n", "", NULL,
     "run.yaml:7:5: error: key 'model' is missing in the experiment"},
    {RUN, "model: [small, large]", "model: []", NULL,
     "run.yaml:9:12: error: model: an empty list; wanted a value or a list of values"},
    {RUN, "model: [small, large]", "model: [[small]]", NULL,
     "run.yaml:9:12: error: model: a list; wanted a value or a list of values"},
    {RUN, "batch: [32, 64]", "batch: {a: 1}", NULL,
     "run.yaml:10:12: error: batch: a map; wanted a value or a list of values"},
    {RUN, "batch: [32, 64]", "batch: [32, 0]", NULL,
     "run.yaml:10:17: error: batch: 0 is below the minimum, 1"},
    {RUN, "trials: 8", "trials: 10", NULL,
     "run.yaml:11:13: error: trials: 10; only 9 were recorded"},
    {RUN, "good_best: 2", "good_best: 9", NULL,
     "run.yaml:12:16: error: good_best: 9; there are 8 trials"},
    {RUN, "good_best: 2", "end: target", NULL,
     "run.yaml:12:10: error: end: `target` needs the key target"},
    {RUN, "tuner: run_all", "tuner: run_al", NULL,
     "run.yaml:13:12: error: unknown tuner 'run_al' (did you mean 'run_all'?)"},
    {RUN, "tuner: run_all", "tuner: 'run_all[at_once=-1]'", NULL,
     "run.yaml:13:29: error: at_once: -1 is below the minimum, 0"},
    {RUN, "    trials: 8\n", "    trials: 8\n    gpus: 33\n", NULL,
     "run.yaml:7:5: error: experiment study: no GPU type of the cluster can run small with batch "
     "32 on 33 GPUs"},
    {COST, "optimizer_slots: 2,", "optimizer_slots: 2, memory_fixed_mib: 20000,",
     "experiments.0.model=large", NULL},
    {CLUSTER, "slow: {}", "slow: {memory_gib: 1}", "cost.models.large.memory_fixed_mib=17000",
     "run.yaml:7:5: error: experiment study: no GPU type of the cluster can run large with batch "
     "32 on 1 GPU"},
    {RUN, "experiments:\n", "experiments: study\nold:\n", NULL,
     "run.yaml:7:1: error: unknown key 'old' in the run\n"
     "run.yaml:6:14: error: experiments: a text; wanted a list"},
    {RUN, "", "", "experiments={a: 1}", "-s:1:13: error: experiments: a map; wanted a list"},
    {RUN, "curves: curves.yaml", "curves: absent.yaml", NULL,
     "absent.yaml: cannot open: No such file or directory"},
};

static struct config *load(struct scratch *s, struct capture *c, const struct config_case *k)
{
    for (int i = 0; i < FILES; i++)
        scratch_write(s, files[i].name,
                      k && i == k->file ? scratch_replace(c->arena, files[i].text, k->find, k->by)
                                        : files[i].text);
    struct override set = {k ? k->set : NULL, 1, NULL, NULL};

    return config_load(c->arena, c->diag, "run.yaml", &set, set.text ? 1 : 0, NULL);
}

Test(config, complaints)
{
    struct scratch s;

    scratch_enter(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture *c = capture_new();
        struct config *config = load(&s, c, &cases[i]);
        const char *wanted = cases[i].errors ? cases[i].errors : "";
        cr_expect_eq(config == NULL, cases[i].errors != NULL, "'%s' for '%s'", cases[i].by,
                     cases[i].find);
        cr_expect_str_eq(capture_lines(c), wanted, "'%s' for '%s':\n%s", cases[i].by, cases[i].find,
                         capture_all(c));
        capture_free(c);
    }
    scratch_leave(&s);
}

/* ---- what a good one amounts to ---- */

Test(config, values)
{
    struct scratch s;
    struct capture *c = capture_new();

    scratch_enter(&s);
    struct config *k = load(&s, c, NULL);
    cr_assert(k, "%s", capture_all(c));
    const struct world *w = &k->base;
    cr_assert(w->n_types == 2 && w->n_nodes == 3 && w->n_gpus == 8 && w->n_models == 2);
    cr_assert(w->type[0].gpus == 2 && w->type[1].gpus == 6 &&
              w->type[0].memory == 16 * 1073741824.0 && w->type[1].memory == 0);
    cr_assert(w->node[2].first == 5 && w->node[2].gpus == 3 && w->node[2].type == 1);
    cr_assert(w->node[0].host_memory == 4 * 1073741824.0 && w->node[0].input_rate == 900 &&
              w->node[1].input_rate == 0);
    cr_assert(!w->nominal && w->gpu[1].speed == 1 && w->gpu[2].speed == 0.5 &&
              w->gpu[4].node == 1 && w->gpu[5].node == 2);
    cr_assert(w->overheads.start == 10 * SIM_SECOND && w->overheads.save == SIM_SECOND / 2 &&
              w->overheads.restore == SIM_SECOND / 4 && w->overheads.host == 12e9 &&
              w->overheads.network == 0);
    cr_assert(w->model[1].optimizer_slots == 2 && w->model[0].optimizer_slots == 1 &&
              w->model[1].parameters == 1e9);
    cr_assert(w->preempt_at == PREEMPT_STEP && w->keeps == KEEP_STATE &&
              w->suspend_to == SUSPEND_HOST && w->jitter == 0);
    cr_assert(k->seed == 3 && k->seeds == 2 && k->until == SIM_NEVER && k->n_policies == 2 &&
              !k->count_refusals);
    cr_assert_str_eq(k->policy[1].label, "las[quantum_s=60]");
    cr_assert_str_eq(k->policy[1].slug, "las-quantum_s-60");
    cr_assert_str_eq(k->trace, "jobs.csv");
    static const char *const inputs[] = {"run.yaml",       "cluster.yaml", "cost.yaml",
                                         "overheads.yaml", "jobs.csv",     "fits.csv",
                                         "curves.yaml",    "rows.csv"};
    cr_assert_eq(k->n_inputs, sizeof inputs / sizeof *inputs);
    for (uint32_t i = 0; i < k->n_inputs; i++)
        cr_assert_str_eq(k->input[i], inputs[i]);
    scratch_leave(&s);
    capture_free(c);
}

/* Individual speeds: one log-normal factor for each GPU and seed, where it is asked for. */
static void check_speeds(const struct config *k, struct arena *a)
{
    double sum = 0, squares = 0;
    enum { SEEDS = 2000 };

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct world *w = config_world(k, a, seed);
        cr_assert(w->gpu[0].speed == 1 && w->gpu[1].speed == 1 && w->seed == seed);
        for (gpu_id g = 2; g < 8; g++) {
            double x = log(w->gpu[g].speed / 0.5);
            sum += x;
            squares += x * x;
        }
    }
    cr_assert(fabs(sum / (6 * SEEDS)) < 4 * 0.1 / sqrt(6 * SEEDS), "%g", sum / (6 * SEEDS));
    cr_assert(fabs(sqrt(squares / (6 * SEEDS)) / 0.1 - 1) < 0.03, "%g",
              sqrt(squares / (6 * SEEDS)));
    cr_assert_eq(config_world(k, a, 5)->gpu[3].speed, config_world(k, a, 5)->gpu[3].speed);
}

/* Recordings without repetition; as many trials of each kind; the best by the last epoch are good.
 */
static void check_trials(const struct experiment *x, bool first)
{
    uint32_t of_kind[2][2] = {{0, 0}, {0, 0}}, good = 0;
    bool used[9] = {false};
    double worst_good = 2, best_other = -1;

    cr_assert_eq(x->n_trials, 8);
    for (uint32_t t = 0; t < 8; t++) {
        const struct trial_spec *spec = &x->trial[t];
        double last = curve_at(x->curves, spec->curve, curve_epochs(x->curves, spec->curve));
        cr_assert(spec->curve < 9 && !used[spec->curve] && (!first || spec->curve == t));
        used[spec->curve] = true;
        cr_assert(spec->model < 2 && (spec->batch == 32 || spec->batch == 64));
        of_kind[spec->model][spec->batch == 64]++;
        good += spec->good;
        if (spec->good)
            worst_good = fmin(worst_good, last);
        else
            best_other = fmax(best_other, last);
    }
    cr_assert(good == 2 && worst_good >= best_other);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(of_kind[i / 2][i % 2], 2);
}

static bool same_trials(const struct world *a, const struct world *b)
{
    return memcmp(a->experiment[0].trial, b->experiment[0].trial, 8 * sizeof(struct trial_spec)) ==
           0;
}

Test(config, draws)
{
    static const struct config_case first = {RUN, "trials: 8", "trials: 8\n    draw: first", NULL,
                                             NULL},
                                    metric = {RUN, "good_best: 2",
                                              "good_best: 0\n    good_metric: 0.7", NULL, NULL};
    struct scratch s;
    struct capture *c = capture_new();

    scratch_enter(&s);
    const struct config *k = load(&s, c, NULL), *in_order = load(&s, c, &first),
                        *by_metric = load(&s, c, &metric);
    cr_assert(k && in_order && by_metric, "%s", capture_all(c));
    check_speeds(k, c->arena);
    for (uint64_t seed = 0; seed < 100; seed++) {
        const struct world *w = config_world(k, c->arena, seed);
        check_trials(&w->experiment[0], false);
        check_trials(&config_world(in_order, c->arena, seed)->experiment[0], true);
        cr_assert(same_trials(w, config_world(k, c->arena, seed)));
        cr_assert(!same_trials(w, config_world(k, c->arena, seed + 1000)));
        const struct experiment *x = &config_world(by_metric, c->arena, seed)->experiment[0];
        for (uint32_t t = 0; t < 8; t++)
            cr_assert_eq(x->trial[t].good,
                         x->trial[t].curve == 6 || x->trial[t].curve == 7); /* 0.7 and 0.8 */
    }
    scratch_leave(&s);
    capture_free(c);
}

/* More of something than there is room for. */
Test(config, limits)
{
    struct scratch s;
    struct capture *c = capture_new();
    const char *types = "", *studies = "", *dots = "";

    for (int i = 0; i < 65; i++) {
        types = arena_printf(c->arena, "%s  t%d: {}\n", types, i);
        studies = arena_printf(c->arena, "%s  - {name: s, curves: %scurves.yaml, model: small}\n",
                               studies, dots);
        dots = arena_printf(c->arena, "./%s", dots);
    }
    struct config_case many[] = {{CLUSTER, "  slow: {}\n", types, NULL, NULL},
                                 {RUN, "experiments:\n", "experiments:\n", NULL, NULL}};
    many[1].by = arena_printf(c->arena, "experiments:\n%s", studies);

    scratch_enter(&s);
    cr_assert(!load(&s, c, &many[0]));
    cr_assert_str_eq(capture_lines(c), "cluster.yaml:2:3: error: gpu_types: 66; wanted at most 64",
                     "%s", capture_all(c));
    cr_assert(!load(&s, c, &many[1]));
    cr_assert(strstr(capture_lines(c), "rows.csv: more than 63 input files"), "%s", capture_all(c));
    scratch_leave(&s);
    capture_free(c);
}
