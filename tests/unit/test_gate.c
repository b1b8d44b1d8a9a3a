/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "analysis/gate.h"
#include "tests/laws/history.h"
#include "tests/unit/capture.h"

static void add_run(struct gate_runs *all, const char *name, const char *label, uint64_t seed)
{
    all->run = mem_room(all->run, all->n, &all->cap, sizeof(*all->run));
    all->run[all->n++] = (struct gate_run){
        .name = name,
        .result = {.label = label, .predictor = "exact", .world = "w", .seed = seed, .path = "DIR"},
    };
}

/* ---- tolerances ---- */

static const char *baseline_with(struct capture *c, const char *tolerance)
{
    const char *text = arena_printf(
        c->arena,
        "{\"schema\": 1, \"version\": \"0\", \"tolerances\": {\"digest\": {\"check\": \"none\"}, "
        "\"counts\": {\"check\": \"none\"}, \"default\": {\"check\": \"none\"}, "
        "\"jct_mean_s\": %s}, \"runs\": [{\"case\": \"a\", \"policy\": \"p\", \"predictor\": "
        "\"exact\", \"world\": \"w\", \"seeds\": [1, 2, 3], \"digests\": [\"0000000000000001\", "
        "\"0000000000000002\", \"0000000000000003\"], \"metrics\": {\"jobs\": [1, 1, 1], "
        "\"jct_mean_s\": [100, 200, 300]}}]}",
        tolerance);

    return capture_file(c, text, strlen(text));
}

Test(gate, tolerances)
{
    static const struct {
        const char *tolerance;
        double jct[3]; /* NAN: no value */
        int verdict;   /* -1: it is not checked */
        bool fails;
    } cases[] = {
        {"{\"relative\": 0.01}", {100, 200, 300}, GATE_SAME, false},
        {"{\"relative\": 0.01}", {101, 202, 303}, GATE_WITHIN, false},
        {"{\"relative\": 0.0099}", {101, 202, 303}, GATE_WORSE, true},
        {"{\"absolute\": 2}", {101, 202, 303}, GATE_WITHIN, false},
        {"{\"absolute\": 1.9}", {101, 202, 303}, GATE_WORSE, true},
        {"{\"absolute\": 2, \"relative\": 0.001}", {101, 202, 303}, GATE_WITHIN, false},
        {"{\"absolute\": 0.1, \"relative\": 0.01}", {101, 202, 303}, GATE_WITHIN, false},
        {"{\"relative\": 0.001}", {99, 198, 297}, GATE_BETTER, false},
        {"{\"relative\": 0.001, \"better\": \"fail\"}", {99, 198, 297}, GATE_BETTER, true},
        {"{\"relative\": 0.001, \"better\": \"fail\"}", {101, 198, 301}, GATE_SAME, false},
        {"{\"relative\": 0.001}", {120, 190, 305}, GATE_WORSE, true},
        {"{\"relative\": 0.001, \"unclear\": \"pass\"}", {120, 190, 305}, GATE_UNCLEAR, false},
        {"{\"relative\": 0.001, \"unclear\": \"pass\"}", {110, 210, 310}, GATE_WORSE, true},
        {"{\"relative\": 0.001, \"unclear\": \"pass\"}", {91, 189, 290}, GATE_BETTER, false},
        {"{\"relative\": 0.5}", {NAN, 200, 300}, GATE_CHANGED, true},
        {"{\"check\": \"exact\", \"relative\": 0.5}", {100, 200, 300}, GATE_SAME, false},
        {"{\"check\": \"exact\", \"relative\": 0.5}", {101, 199, 300}, GATE_CHANGED, true},
        {"{\"check\": \"exact\"}", {100, 200, NAN}, GATE_CHANGED, true},
        {"{\"check\": \"none\", \"relative\": 0.5}", {1, 2, 3}, -1, false},
        {"{\"about\": \"as before\"}", {1, 2, 3}, -1, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct capture *c = capture_new();
        const char *path = baseline_with(c, cases[i].tolerance);
        struct gate_runs runs = {0};
        struct baseline b;
        struct gate gate;
        cr_assert(baseline_read(c->arena, c->diag, path, &b), "%s", capture_all(c));
        for (uint32_t k = 0; k < 3; k++) {
            double x = cases[i].jct[k];
            add_run(&runs, "a", "p", k + 1);
            runs.run[k].result.value[M_JCT_MEAN] =
                (struct metric_value){!isnan(x), isnan(x) ? 0 : (sim_area)(x * 1e9), 0};
        }
        cr_assert(gate_runs_group(&runs, c->diag) &&
                  gate_check(c->arena, c->diag, &b, &runs, 0, &gate));
        cr_assert_eq(gate.item[0].verdict, GATE_SAME, "runs");
        cr_assert_eq(gate.n, cases[i].verdict < 0 ? 1 : 2, "case %zu: %u checks", i, gate.n);
        if (cases[i].verdict >= 0) {
            cr_assert_eq((int)gate.item[1].verdict, cases[i].verdict, "case %zu: %s", i,
                         gate_verdict_name[gate.item[1].verdict]);
            cr_assert_eq(gate.item[1].fails, cases[i].fails, "case %zu", i);
        }
        unlink(path);
        gate_free(&gate);
        gate_runs_free(&runs);
        capture_free(c);
    }
}

/* ---- 1,000 rebuilds, and 1 % ---- */

#define WORLDS 1000

/* Simulates them all, each a case of its own. */
static void simulate(struct capture *c, struct gate_runs *runs)
{
    static const struct small_shape shape = {3, 4, 3, 8, 2, 8, true, true, true, true};
    static const char *const labels[] = {"fifo", "srtf", "las[quantum_s=1]", "hermes"};

    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        const char *label = labels[seed % 4];
        struct small *s = small_random(seed, &shape);
        struct history *h = history_of(s, label);
        add_run(runs, arena_printf(c->arena, "world %llu", (unsigned long long)seed), label, seed);
        struct result *r = &runs->run[runs->n - 1].result;
        r->digest = h->digest;
        memcpy(r->value, h->value, sizeof(h->value));
        history_free(h);
        small_free(s);
    }
    cr_assert(gate_runs_group(runs, c->diag));
}

static const char *write_baseline(struct capture *c, const struct gate_runs *runs)
{
    const char *path = capture_file(c, "", 0);
    struct baseline b;

    baseline_new(c->arena, &b);
    for (uint32_t g = 0; g < runs->n_groups; g++)
        baseline_put(c->arena, &b, &runs->group[g]);
    cr_assert(baseline_write(c->arena, c->diag, path, &b), "%s", capture_all(c));
    return path;
}

/* All JCTs times `by`; how many of them have one. */
static uint32_t plant(struct gate_runs *runs, double by)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < runs->n; i++) {
        struct metric_value *v = &runs->run[i].result.value[M_JCT_MEAN];
        v->time = (sim_area)((double)v->time * by);
        n += v->defined;
    }
    return n;
}

Test(gate, rebuilds)
{
    struct capture *c = capture_new();
    struct gate_runs first = {0}, again = {0};
    struct baseline b;
    struct gate gate;

    simulate(c, &first);
    const char *path = write_baseline(c, &first);
    cr_assert(baseline_read(c->arena, c->diag, path, &b), "%s", capture_all(c));
    cr_assert_eq(b.n, WORLDS);

    simulate(c, &again);
    cr_assert(gate_check(c->arena, c->diag, &b, &again, 0, &gate));
    cr_assert_eq(gate.failed, 0);
    cr_assert_eq(gate.count[GATE_SAME], WORLDS * (M_ALONE_MAX + 2));
    gate_free(&gate);

    uint32_t n = plant(&again, 1.01);
    cr_assert_gt(n, WORLDS * 9 / 10);
    cr_assert(gate_check(c->arena, c->diag, &b, &again, 0, &gate));
    cr_assert_eq(gate.count[GATE_WORSE], n);
    cr_assert_eq(gate.failed, n);
    gate_free(&gate);

    plant(&again, 0.98);
    cr_assert(gate_check(c->arena, c->diag, &b, &again, 0, &gate));
    cr_assert_eq(gate.count[GATE_BETTER], n);
    cr_assert_eq(gate.failed, 0);
    gate_free(&gate);
    unlink(path);
    gate_runs_free(&first);
    gate_runs_free(&again);
    capture_free(c);
}
