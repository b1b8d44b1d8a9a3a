/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "analysis/compare_cases.h"
#include "tests/unit/capture.h"

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(fabs(a), 1e-3);
}

/* ---- tables of results ---- */

static void add(struct results *all, const char *label, uint64_t seed, double jct_s, double busy)
{
    struct result *r = results_add(all);

    r->label = label;
    r->predictor = "exact";
    r->world = "w";
    r->ended = "drained";
    r->path = "DIR";
    r->seed = seed;
    r->digest = all->n; /* no two runs are alike */
    if (!isnan(jct_s))
        r->value[M_JCT_MEAN] = (struct metric_value){true, (sim_area)(jct_s * 1e9), 0};
    if (!isnan(busy))
        r->value[M_GPU_BUSY_SHARE] = (struct metric_value){true, 0, busy};
    r->value[M_RELOCATIONS] = (struct metric_value){true, 0, seed == 1 ? 2 : 0};
    r->value[M_REFUSALS] = (struct metric_value){true, 0, label[0] == 'd' ? 1 : 0};
}

static const struct policy_change *find(const struct comparison *c, const char *label)
{
    const struct policy_change *found = NULL;

    for (uint32_t i = 0; i < c->n; i++)
        if (strcmp(c->policy[i].label, label) == 0)
            found = &c->policy[i];
    cr_assert(found, "%s is not there", label);
    return found;
}

Test(compare, calls)
{
    static const struct {
        const char *label;
        uint32_t seeds;
        enum call jct, busy;
        double change; /* of JCT */
    } want[] = {
        {"base", 4, CALL_SAME, CALL_SAME, 0},    {"fast", 4, CALL_BETTER, CALL_WORSE, -0.5},
        {"slow", 4, CALL_WORSE, CALL_BETTER, 1}, {"luck", 4, CALL_UNCLEAR, CALL_UNCLEAR, 0.0025},
        {"same", 4, CALL_SAME, CALL_SAME, 0},    {"once", 1, CALL_UNCLEAR, CALL_UNCLEAR, -0.2},
        {"none", 2, CALL_NONE, CALL_NONE, NAN},  {"done", 2, CALL_UNCLEAR, CALL_UNCLEAR, -0.1},
    };
    struct capture *c = capture_new();
    struct results all = {0};
    struct comparison table;

    for (uint64_t s = 1; s <= 4; s++) {
        double x = 95 + 2 * (double)s,
               wobble = (double)(s % 2) * 2 - 1; /* 97, 99, 101, 103: mean 100 */
        add(&all, "base", s, x, 0.5);
        add(&all, "fast", s, x / 2, 0.25);
        add(&all, "slow", s, 2 * x, 1);
        add(&all, "luck", s, x + 20 * wobble + (s == 4), 0.5 + 0.1 * wobble);
        add(&all, "same", s, x, 0.5);
        if (s > 2)
            add(&all, "none", s, NAN, NAN);
        if (s <= 2)
            add(&all, "done", s, x * (s == 1 ? 0.85 : 0.95) - 0.05, s == 1 ? 0.4 : 0.6);
    }
    add(&all, "once", 2, 79.2, 0.6);
    add(&all, "once", 9, 1, 1);
    cr_assert(compare(c->arena, c->diag, &all, NULL, &table));
    cr_assert_eq(table.n, sizeof want / sizeof *want);
    cr_assert_str_eq(table.policy[0].label, "base");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct policy_change *p = find(&table, want[i].label);
        const struct metric_change *jct = &p->metric[M_JCT_MEAN],
                                   *busy = &p->metric[M_GPU_BUSY_SHARE];
        cr_expect_eq(p->seeds, want[i].seeds, "%s", want[i].label);
        cr_expect(jct->call == want[i].jct && busy->call == want[i].busy, "%s: %d, %d",
                  want[i].label, jct->call, busy->call);
        cr_expect(near(jct->change.mean, want[i].change), "%s: %.12g", want[i].label,
                  jct->change.mean);
        cr_expect_eq(p->metric[M_RELOCATIONS].call, CALL_NONE,
                     "there is no better or worse number of relocations");
    }
    /* Nothing is relative to 0, and two zeros are the same. */
    cr_expect_eq(find(&table, "done")->metric[M_REFUSALS].change.n, 0);
    cr_expect_eq(find(&table, "done")->metric[M_REFUSALS].call, CALL_NONE);
    cr_expect_eq(find(&table, "fast")->metric[M_REFUSALS].call, CALL_SAME);
    results_free(&all);
    capture_free(c);
}

/* Where there is no interval there is no verdict. */
Test(compare, no_interval)
{
    static const double base[] = {1, 2, 3}, other[] = {2, 4, 6.5};
    struct capture *c = capture_new();
    struct results all = {0};
    struct comparison table;

    for (uint64_t s = 0; s < 3; s++) {
        add(&all, "base", s, base[s], NAN);
        add(&all, "other", s, other[s], NAN);
    }
    cr_assert(compare(c->arena, c->diag, &all, NULL, &table));
    const struct metric_change *m = &find(&table, "other")->metric[M_JCT_MEAN];
    cr_assert(near(m->change.mean, 13. / 12) && isnan(m->change.low) && m->call == CALL_UNCLEAR);
    results_free(&all);
    capture_free(c);
}

Test(compare, baselines_and_errors)
{
    struct capture *c = capture_new();
    struct results all = {0};
    struct comparison table;

    cr_assert(!compare(c->arena, c->diag, &all, NULL, &table));
    add(&all, "b", 1, 10, 1);
    add(&all, "a", 1, 5, 1);
    add(&all, "a", 2, 5, 1);
    cr_assert(compare(c->arena, c->diag, &all, "a", &table) && table.n == 2);
    cr_assert_str_eq(table.policy[0].label, "a");
    cr_assert(near(table.policy[1].metric[M_JCT_MEAN].change.mean, 1));
    cr_assert(!compare(c->arena, c->diag, &all, "c", &table));
    add(&all, "a", 2, 6, 1);
    all.result[3].path = "AGAIN";
    cr_assert(!compare(c->arena, c->diag, &all, NULL, &table));
    all.result[3].seed = 3;
    all.result[3].world = "v";
    cr_assert(!compare(c->arena, c->diag, &all, NULL, &table));
    all.result[3].ended = "refused";
    cr_assert(!compare(c->arena, c->diag, &all, NULL, &table));
    cr_assert_str_eq(
        capture_lines(c),
        "error: there is nothing to compare\n"
        "error: there is no run of the baseline 'c'\n"
        "error: a with seed 2 is there twice: in DIR and in AGAIN\n"
        "error: the runs are not of one world: b (w) and a (v) differ in inputs or configuration\n"
        "error: AGAIN: a run that ended as 'refused' is not compared",
        "%s", capture_all(c));
    results_free(&all);
    capture_free(c);
}

/* Seeds that change nothing are no observations: without an interval there is no verdict. */
Test(compare, runs_that_are_alike)
{
    struct capture *c = capture_new();
    struct results all = {0};
    struct comparison table;

    for (uint64_t s = 1; s <= 3; s++) {
        add(&all, "base", s, 10, 1);
        add(&all, "other", s, 5, 1);
        add(&all, "luck", s, 5 + (double)s, 1);
    }
    for (uint32_t i = 0; i < all.n; i++)
        if (all.result[i].label[0] != 'l')
            all.result[i].digest = (uint64_t)all.result[i].label[0];
    cr_assert(compare(c->arena, c->diag, &all, "base", &table));
    const struct policy_change *other = find(&table, "other"), *luck = find(&table, "luck");
    const struct metric_change *m = &other->metric[M_JCT_MEAN];
    cr_assert(other->alike && other->runs == 3 && m->value.n == 1 && m->change.n == 1);
    cr_assert(near(m->change.mean, -0.5) && isnan(m->change.low) && m->call == CALL_UNCLEAR);
    m = &luck->metric[M_JCT_MEAN];
    cr_assert(!luck->alike && m->value.n == 3 && m->change.n == 3 && m->call != CALL_UNCLEAR);
    results_free(&all);
    capture_free(c);
}

Test(compare, predictors_tell_runs_apart)
{
    struct capture *c = capture_new();
    struct results all = {0};

    add(&all, "a", 1, 10, 1);
    add(&all, "a", 1, 11, 1);
    results_tell_apart(&all, c->arena);
    cr_assert_str_eq(all.result[0].label, "a");
    all.result[1].predictor = "noisy[sigma=1]";
    results_tell_apart(&all, c->arena);
    cr_assert_str_eq(all.result[0].label, "a with exact");
    cr_assert_str_eq(all.result[1].label, "a with noisy[sigma=1]");
    results_free(&all);
    capture_free(c);
}

static const char *const axes[] = {"load", "gpus"};
static const char *const low[] = {"0.5", "8"}, *const high[] = {"0.9", "8"},
                         *const again[] = {"0.5", "8"};
static const struct result_case case_low = {2, axes, low}, case_high = {2, axes, high},
                                case_again = {2, axes, again};

static void add_in(struct results *all, const struct result_case *in, const char *label,
                   uint64_t seed, double jct_s)
{
    add(all, label, seed, jct_s, NAN);
    all->result[all->n - 1].in = in;
    all->result[all->n - 1].world = in == &case_high ? "v" : "w";
}

/* Equal axes are one case, wherever they were read; runs without axes are another. */
Test(compare, cases)
{
    struct capture *c = capture_new();
    struct results all = {0};
    struct compared table;

    add_in(&all, &case_low, "a", 1, 10);
    add_in(&all, &case_high, "a", 1, 40);
    add_in(&all, &case_high, "b", 1, 60);
    add_in(&all, &case_again, "b", 1, 5);
    add_in(&all, NULL, "b", 1, 3);
    cr_assert(compare_cases(c->arena, c->diag, &all, &(struct compare_asked){0}, &table) &&
              table.n == 3);
    cr_assert(table.of[0].in == &case_low && table.of[0].c.n == 2);
    cr_assert(near(table.of[0].c.policy[1].metric[M_JCT_MEAN].change.mean, -0.5));
    cr_assert(near(table.of[1].c.policy[1].metric[M_JCT_MEAN].change.mean, 0.5));
    cr_assert(!table.of[2].in && table.of[2].c.n == 0 && table.n_notes == 1);
    compared_free(&table);
    /* The first policy is the baseline even where its points are lost. */
    all.first = "b";
    all.lost = mem_room(all.lost, 0, &all.lost_cap, sizeof(*all.lost));
    all.lost[all.n_lost++] = (struct lost_point){"b", "2", "crashed", "\033[1m\nline 2", &case_low};
    cr_assert(compare_cases(c->arena, c->diag, &all, &(struct compare_asked){0}, &table) &&
              table.n_notes == 2);
    cr_assert_str_eq(table.of[0].c.policy[0].label, "b");
    cr_assert_str_eq(table.note[0], "1 of 6 points has no values and is not compared:");
    cr_assert_str_eq(table.note[1], "  load=0.5, gpus=8, b, seed 2: crashed: ?[1m");
    compared_free(&table);
    cr_assert(!compare_cases(c->arena, c->diag, &all, &(struct compare_asked){"c", false}, &table));
    compared_free(&table);
    results_free(&all);
    capture_free(c);
}
