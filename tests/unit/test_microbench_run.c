/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/microbench_run.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

#include <glob.h>
#include <math.h>

#define RUN                                                                                        \
    "{\"schema\": \"hetune-microbench\", \"version\": 1,\n"                                        \
    "\"gpu\": {\"type\": \"V100\", \"product\": \"Tesla V100\", \"memory_gib\": 16},\n"            \
    "\"origin\": {\"source\": \"a/b\", \"commit\": \"c\", \"licence\": \"MIT\"},\n"                \
    "\"software\": {\"cuda\": \"9.0\"},\n"                                                         \
    "\"series\": [\n"                                                                              \
    "{\"op\": \"gemm\", \"kind\": \"\", \"precision\": \"fp32\", \"unit\": \"us\",\n"              \
    "\"columns\": [\"m\", \"n\", \"k\", \"ta\", \"tb\", \"time\"],\n"                              \
    "\"rows\": [\n"                                                                                \
    "[1760, 16, 1760, 0, 1, 58],\n"                                                                \
    "[5124, 9124, 2560, 1, 0, 16500.5]],\n"                                                        \
    "\"set_aside\": [{\"rule\": \"slow\", \"rows\": [[1, 1, 1, 0, 0, 0]]}]},\n"                    \
    "{\"op\": \"stream\", \"kind\": \"triad\", \"unit\": \"GB/s\",\n"                              \
    "\"columns\": [\"occupancy_pct\", \"rate\", \"spread\"], \"rows\": [[50, 814, 0.02]]}]}\n"

/* The first `find` of RUN replaced by `by`. */
static const struct run_case {
    const char *find, *by, *errors;
} cases[] = {
    {"", "", ""},
    {", \"memory_gib\": 16", "", ""},
    {"\"memory_gib\": 16", "\"memory_gib\": 16, \"sms\": 80, \"clock_mhz\": 1530", ""},
    {"\"MIT\"", "\"MIT\", \"note\": \"x\"", ""},
    {"\"triad\", ", "\"triad\", \"precision\": \"\", ", ""},
    {"1760, 0, 1, 58", "1760, 0, 1, 1e-300", ""},

    {"{\"schema\": \"hetune-microbench\", ", "{",
     "r.json:1:1: error: this is no microbenchmark run; wanted \"schema\": \"hetune-microbench\""},
    {"hetune-microbench", "hetune-sweep",
     "r.json:1:12: error: schema: 'hetune-sweep'; wanted 'hetune-microbench'"},
    {"\"version\": 1", "\"version\": 2",
     "r.json:1:44: error: version: 2; this hetune reads version 1"},
    {", \"version\": 1", "", "r.json:1:1: error: key 'version' is missing in the run"},
    {"\"version\": 1", "\"version\": [1]",
     "r.json:1:44: error: version: a list; this hetune reads version 1"},
    {"\"software\"", "\"sofware\"",
     "r.json:4:1: error: unknown key 'sofware' in the run (did you mean 'software'?)\n"
     "r.json:1:1: error: key 'software' is missing in the run"},
    {"{\"cuda\": \"9.0\"}", "[]", "r.json:4:13: error: software: an empty list; wanted a map"},
    {"{\"cuda\": \"9.0\"}", "{\"cuda\": {}}",
     "r.json:4:22: error: software: an empty map; wanted a text"},
    {"\"type\": \"V100\", ", "", "r.json:2:8: error: key 'type' is missing in gpu"},
    {"\"V100\"", "\"\"", "r.json:2:17: error: type: empty; wanted the name of a type of GPU"},
    {"\"memory_gib\": 16", "\"memory_gib\": \"16\"",
     "r.json:2:64: error: memory_gib: '16' in quotes is a text; wanted a number"},
    {"\"memory_gib\": 16", "\"memory\": 16", "r.json:2:50: error: unknown key 'memory' in gpu"},
    {", \"licence\": \"MIT\"", "", "r.json:3:11: error: key 'licence' is missing in origin"},

    {"\"gemm\"", "\"gem\"",
     "r.json:6:8: error: op: 'gem' is no known operator (did you mean 'gemm'?)"},
    {"\"op\": \"gemm\", ", "", "r.json:6:1: error: key 'op' is missing in a series"},
    {"\"kind\": \"\"", "\"kind\": \"big\"", "r.json:6:24: error: kind: 'big'; gemm has none"},
    {"\"triad\"", "\"traid\"",
     "r.json:12:26: error: kind: 'traid' is no choice (did you mean 'triad'?)"},
    {"\"fp32\"", "\"pf32\"",
     "r.json:6:41: error: precision: 'pf32' is no choice (did you mean 'fp32'?)"},
    {"\"precision\": \"fp32\", ", "",
     "r.json:6:1: error: precision: '' is none of fp64, fp32, tf32, fp16, bf16, fp16_storage, fp8"},
    {", \"unit\": \"us\"", "", "r.json:6:1: error: key 'unit' is missing in a series"},
    {"\"us\"", "\"hours\"",
     "r.json:6:57: error: unit: 'hours' is none of s, ms, us, ns, GB/s, TFLOP/s, 1"},
    {"\"us\"", "\"1\"", "r.json:6:57: error: unit: '1'; gemm is measured in times or rates"},
    {"\"op\": \"stream\", \"kind\": \"triad\"", "\"op\": \"shared\", \"kind\": \"mps\"",
     "r.json:12:41: error: unit: 'GB/s'; shared is measured in 1"},
    {"\"us\"", "\"TFLOP/s\"", "r.json:7:12: error: columns: 'time', but the unit is one of a rate"},
    {"\"GB/s\"", "\"s\"", "r.json:13:12: error: columns: 'rate', but the unit is one of a time"},

    {"\"columns\": [\"m\", \"n\", \"k\", \"ta\", \"tb\", \"time\"],", "",
     "r.json:6:1: error: key 'columns' is missing in a series"},
    {"\"ta\"", "[]", "r.json:7:28: error: columns: an empty list; wanted a name"},
    {"\"ta\", ", "", "r.json:7:12: error: columns: 'ta' is missing; gemm needs it"},
    {"\"time\"", "\"spread\"",
     "r.json:7:12: error: columns: no result; wanted one, 'time' or 'rate'"},
    {"\"spread\"", "\"time\"",
     "r.json:13:12: error: columns: two results; wanted one, 'time' or 'rate'"},
    {"\"ta\"", "\"m\"", "r.json:7:28: error: columns: 'm' appears twice"},
    {"\"time\"", "\"tiem\"",
     "r.json:7:40: error: columns: gemm has no 'tiem' (did you mean 'time'?)"},

    {"[1760, 16, 1760, 0, 1, 58]", "[1760, 16, 1760, 0, 58]",
     "r.json:9:1: error: 5 numbers in this row; there are 6 columns"},
    {"[1760, 16, 1760, 0, 1, 58]", "[1760, 16, 1760, 0, 1, 58, 7]",
     "r.json:9:1: error: 7 numbers in this row; there are 6 columns"},
    {"[1760, 16, 1760, 0, 1, 58]", "58", "r.json:9:1: error: rows: a text; wanted a list"},
    {", 58]", ", -58]", "r.json:9:24: error: time: -58; wanted more than 0"},
    {", 58]", ", 0]", "r.json:9:24: error: time: 0; wanted more than 0"},
    {", 58]", ", null]", "r.json:9:24: error: time: nothing; wanted a number"},
    {", 58]", ", \"inf\"]", "r.json:9:24: error: time: 'inf' in quotes is a text; wanted a number"},
    {", 58]", ", 1e999]", "r.json:9:24: error: a number that is too large"},
    {"[1760, 16", "[1760.5, 16", "r.json:9:2: error: m: '1760.5' is not a whole number"},
    {"[1760, 16", "[0, 16", "r.json:9:2: error: m: 0 is below the minimum, 1"},
    {"[1760, 16", "[9e15, 1e16",
     "r.json:9:8: error: n: 10000000000000000 is above the maximum, "
     "9007199254740992"},
    {"0, 1, 58", "0, -1, 58", "r.json:9:21: error: tb: -1 is below the minimum, 0"},
    {"[50, 814", "[101, 814", "r.json:13:59: error: occupancy_pct: 101 is above the maximum, 100"},
    {"0.02", "-0.02", "r.json:13:68: error: spread: -0.02 is below the minimum, 0"},
    {"[[50, 814, 0.02]]", "[]", "r.json:13:57: error: rows: there are none"},
    {"\"rows\": [[50, 814, 0.02]]", "\"rows\": 7",
     "r.json:13:57: error: rows: a text; wanted a list"},

    {"\"rule\": \"slow\", ", "", "r.json:11:15: error: key 'rule' is missing in set_aside"},
    {"\"slow\"", "\"\"", "r.json:11:24: error: rule: empty; wanted the name of a rule"},
    {"[[1, 1, 1, 0, 0, 0]]", "[[1, 1, 1, 0, 0]]",
     "r.json:11:41: error: 5 numbers in this row; there are 6 columns"},
    {"[[1, 1, 1, 0, 0, 0]]", "[[1, 1, 1, 0, 0, \"x\"]]",
     "r.json:11:57: error: time: 'x' in quotes is a text; wanted a number"},
    {"[{\"rule\"", "{}, \"x\": [{\"rule\"", "r.json:11:18: error: unknown key 'x' in a series"},
    {", \"rows\": [[1, 1, 1, 0, 0, 0]]", "",
     "r.json:11:15: error: key 'rows' is missing in set_aside"},
    {"\"op\": \"stream\", \"kind\": \"triad\", \"unit\": \"GB/s\",\n\"columns\": "
     "[\"occupancy_pct\", \"rate\", \"spread\"], \"rows\": [[50, 814, 0.02]]",
     "\"op\": \"gemm\", \"kind\": \"\", \"precision\": \"fp32\", \"unit\": \"s\", \"columns\": "
     "[\"m\", \"n\", \"k\", \"ta\", \"tb\", \"time\"], \"rows\": [[1, 1, 1, 0, 0, 1]]",
     "r.json:12:1: error: a second series 'gemm' of the same kind and precision; the first is at "
     "line 6"},
};

Test(microbench_run, cases)
{
    struct scratch files;

    scratch_enter(&files);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture *c = capture_new();
        const char *text = scratch_replace(c->arena, RUN, cases[i].find, cases[i].by);

        scratch_write(&files, "r.json", text);
        cr_expect((run_load(c->arena, c->diag, "r.json") != NULL) == !*cases[i].errors, "%s",
                  cases[i].by);
        cr_expect_str_eq(capture_lines(c), cases[i].errors, "case %zu, %s:\n%s", i, cases[i].by,
                         capture_lines(c));
        capture_free(c);
    }
    scratch_leave(&files);
}

Test(microbench_run, no_series)
{
    struct capture *c = capture_new();
    struct scratch files;
    const char *start = strstr(RUN, "\"series\"");

    scratch_enter(&files);
    scratch_write(&files, "r.json",
                  arena_printf(c->arena, "%.*s\"series\": []}\n", (int)(start - RUN), RUN));
    cr_expect_null(run_load(c->arena, c->diag, "r.json"));
    cr_expect_str_eq(capture_lines(c), "r.json:5:11: error: series: there are none");
    scratch_leave(&files);
    capture_free(c);
}

Test(microbench_run, values)
{
    struct capture *c = capture_new();
    struct scratch files;
    const struct series *s;
    struct run *run;

    scratch_enter(&files);
    scratch_write(&files, "r.json", RUN);
    run = run_load(c->arena, c->diag, "r.json");
    scratch_leave(&files);
    cr_assert(run);
    cr_expect_str_eq(run->gpu.type, "V100");
    cr_expect(run->gpu.memory_gib == 16 && run->gpu.sms == 0 && isnan(run->gpu.clock_mhz));
    cr_expect_str_eq(run->origin.licence, "MIT");
    cr_expect_str_eq(run->origin.note, "");
    cr_assert_eq(run->softwares, 1);
    cr_expect_str_eq(run->software[0], "cuda");
    cr_expect_str_eq(run->software[1], "9.0");
    cr_assert_eq(run->count, 2);

    s = run_series(run, "gemm", NULL, "fp32");
    cr_assert(s && s == &run->series[0]);
    cr_expect(s->rows == 2 && s->columns == 6 && s->result == 5 && !s->is_rate);
    cr_expect(s->asides == 1 && s->aside_rows == 1 && s->aside[0].rows == 1);
    cr_expect_str_eq(s->aside[0].rule, "slow");
    cr_expect(s->at.line == 6 && s->row_at[1].line == 10 && s->row_at[1].col == 1);
    cr_expect(series_cell(s, 0, 5) == 58e-6 && series_cell(s, 1, 5) == 16500.5e-6);
    cr_expect(series_cell(s, 1, (size_t)series_column(s, "n")) == 9124);
    cr_expect_eq(series_column(s, "batch"), -1);

    s = run_series(run, "stream", "triad", "");
    cr_assert(s);
    cr_expect(s->is_rate && s->result == 1 && series_cell(s, 0, 1) == 814e9);
    cr_expect(series_cell(s, 0, 2) == 0.02 && s->asides == 0 && s->aside_rows == 0);
    cr_expect_null(run_series(run, "gemm", NULL, "fp16"));
    cr_expect_null(run_series(run, "stream", NULL, NULL));
    capture_free(c);
}

/* Everything that the converters have made. The tests run in the root of the tree. */
Test(microbench_run, tree)
{
    struct capture *c = capture_new();
    size_t rows = 0, aside = 0;
    glob_t found;

    cr_assert_eq(glob("traces/microbench/*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const struct run *run = run_load(c->arena, c->diag, found.gl_pathv[i]);

        cr_assert(run, "%s", capture_all(c));
        for (size_t j = 0; j < run->count; j++) {
            rows += run->series[j].rows;
            aside += run->series[j].aside_rows;
        }
    }
    cr_expect(rows >= 123869, "%zu", rows);
    cr_expect(aside >= 90, "%zu", aside);
    globfree(&found);
    capture_free(c);
}
