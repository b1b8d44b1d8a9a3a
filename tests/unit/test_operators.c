/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <math.h>

#include "sim/base/file.h"
#include "sim/model/operators.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

#define HEAD "parameters: 1\nmacs: 1\ninput_bytes: 4\noperators:\n"

static struct op_list *load(struct capture *c, const char *text)
{
    struct scratch files;

    scratch_enter(&files);
    scratch_write(&files, "m.yaml", text);
    struct op_list *l = operators_load(c->arena, c->diag, "m.yaml");
    scratch_leave(&files);
    return l;
}

/* ---- counts of one operator, by hand ---- */

static const struct count_case {
    const char *line;
    double parameters, tensors, macs, in, out, kept;
} counts[] = {
    {"conv, in: 3, out: 64, kernel: 7, stride: 2, pad: 3, height: 224, width: 224", 9408, 1,
     118013952, 150528, 802816, 602112},
    {"conv, in: 4, out: 6, kernel: [1, 3], pad: [0, 1], height: 5, width: 7, groups: 2, bias: true",
     42, 2, 1260, 140, 210, 560},
    {"conv, in: 1, out: 1, kernel: 2, stride: 2, height: 5, width: 4", 4, 1, 16, 20, 4, 80},
    {"conv, in: 1, out: 1, kernel: 1, height: 1, width: 1, branch: true", 1, 1, 1, 1, 1, 0},
    {"linear, rows: 2, in: 3, out: 5, bias: true", 20, 2, 30, 6, 10, 24},
    {"linear, rows: 2, in: 3, out: 5, shared: true", 0, 0, 30, 6, 10, 24},
    {"linear, rows: 2, in: 3, out: 5, shared: true, bias: true", 5, 1, 30, 6, 10, 24},
    {"linear, rows: 1, in: 3, out: 5, steps: 7", 15, 1, 105, 3, 5, 84},
    {"linear, rows: 1, in: 3, out: 5, steps: 7, times: 2", 30, 2, 210, 3, 5, 168},
    {"matmul, batch: 2, m: 3, n: 5, k: 7", 0, 0, 210, 112, 30, 448},
    {"batch_norm, channels: 3, height: 4, width: 5", 6, 2, 0, 60, 60, 240},
    {"layer_norm, rows: 3, width: 5", 10, 2, 0, 15, 15, 60},
    {"softmax, rows: 3, width: 5", 0, 0, 0, 15, 15, 60},
    {"cross_entropy, rows: 3, width: 5, training: true", 0, 0, 0, 15, 15, 60},
    {"max_pool, channels: 2, kernel: 3, stride: 2, pad: 1, height: 6, width: 6", 0, 0, 0, 72, 18,
     432},
    {"avg_pool, channels: 2, kernel: 6, height: 6, width: 6", 0, 0, 0, 72, 2, 288},
    {"embedding, rows: 3, width: 5, vocabulary: 11", 55, 1, 0, 15, 15, 0},
    {"embedding, rows: 3, width: 5, vocabulary: 11, shared: true", 0, 0, 0, 15, 15, 0},
    {"lstm_cell, width: 5, steps: 3", 0, 0, 0, 45, 10, 420},
    {"relu, elements: 6", 0, 0, 0, 6, 6, 24},
    {"gelu, elements: 6", 0, 0, 0, 6, 6, 24},
    {"tanh, elements: 6", 0, 0, 0, 6, 6, 24},
    {"sigmoid, elements: 6", 0, 0, 0, 6, 6, 24},
    {"dropout, elements: 6, training: true, times: 3", 0, 0, 0, 6, 6, 18},
    {"add, elements: 6", 0, 0, 0, 12, 6, 0},
    {"mul, elements: 6", 0, 0, 0, 12, 6, 48},
    {"add_scalar, elements: 6", 0, 0, 0, 6, 6, 0},
    {"mul_scalar, elements: 6", 0, 0, 0, 6, 6, 0},
    {"pow_scalar, elements: 6", 0, 0, 0, 6, 6, 24},
    {"max_scalar, elements: 6", 0, 0, 0, 6, 6, 24},
    {"mask, elements: 6", 0, 0, 0, 6, 6, 0},
    {"copy, elements: 6", 0, 0, 0, 6, 6, 0},
    {"concat, elements: 1e3", 0, 0, 0, 1000, 1000, 0},
};

Test(operators, counts)
{
    bool seen[OP_KINDS] = {false};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct count_case *e = &counts[i];
        struct capture *c = capture_new();
        struct op_list *l = load(c, arena_printf(c->arena, HEAD "  - {op: %s}\n", e->line));
        cr_assert(l && l->n == 1, "%s: %s", e->line, capture_all(c));
        cr_expect_eq(operators_parameters(l), e->parameters, "%s: parameters", e->line);
        cr_expect_eq(operators_tensors(l), e->tensors, "%s: tensors", e->line);
        cr_expect_eq(operators_macs(l), e->macs, "%s: macs", e->line);
        cr_expect_eq(operator_elements_in(l->op), e->in, "%s: in", e->line);
        cr_expect_eq(operator_elements_out(l->op), e->out, "%s: out", e->line);
        cr_expect_eq(operators_activation_bytes(l), e->kept, "%s: kept", e->line);
        cr_expect_eq(l->op->at.line, 5);
        cr_expect_eq(strncmp(e->line, operator_name(l->op->kind), strcspn(e->line, ",")), 0);
        seen[l->op->kind] = true;
        capture_free(c);
    }
    for (int i = 0; i < OP_KINDS; i++)
        cr_expect(seen[i], "%s is in no case", operator_name((enum op_kind)i));
}

/* A tensor that two operators keep is one. */
Test(operators, kept_once)
{
    struct capture *c = capture_new();
    struct op_list *l = load(c, "about: two\n" HEAD "  - {op: relu, elements: 16}\n"
                                "  - {op: matmul, batch: 1, m: 4, n: 2, k: 4}\n"
                                "  - {op: linear, rows: 4, in: 2, out: 3}\n"
                                "  - {op: linear, rows: 4, in: 2, out: 3, branch: true}\n"
                                "  - {op: relu, elements: 12}\n"
                                "  - {op: gelu, elements: 6}\n");

    cr_assert(l, "%s", capture_all(c));
    cr_expect_eq(operators_activation_bytes(l), 4 * (16 + 8 + 8 + 0 + 12 + 0));
    cr_expect_str_eq(l->about, "two");
    cr_expect(l->parameters == 1 && l->macs == 1 && l->input_bytes == 4);
    capture_free(c);
}

/* ---- files that are wrong ---- */

#define CONV "  - {op: conv, in: 4, out: 4, height: 8, width: 8, "

static const struct error_case {
    const char *text, *errors;
} errors[] = {
    {HEAD "  - {op: convv, in: 3}\n",
     "m.yaml:5:10: error: op: 'convv' is no choice (did you mean 'conv'?)"},
    {HEAD "  - {op: [conv], in: 3}\n",
     "m.yaml:5:10: error: op: a list; wanted one of conv, linear, matmul, batch_norm, layer_norm, "
     "softmax, cross_entropy, max_pool, avg_pool, embedding, lstm_cell,..."},
    {HEAD "  - {elements: 3}\n", "m.yaml:5:5: error: key 'op' is missing in the operator"},
    {HEAD "  - relu\n", "m.yaml:5:5: error: operator: a text; wanted a map"},
    {HEAD "  - {op: relu, element: 3}\n", "m.yaml:5:16: error: unknown key 'element' in the "
                                          "operator relu (did you mean 'elements'?)\n"
                                          "m.yaml:5:5: error: key 'elements' is missing in the "
                                          "operator relu"},
    {HEAD "  - {op: relu, elements: 3, kernel: 3}\n",
     "m.yaml:5:29: error: unknown key 'kernel' in the operator relu"},
    {HEAD CONV "kernal: 3}\n",
     "m.yaml:5:52: error: unknown key 'kernal' in the operator conv (did you mean 'kernel'?)"},
    {HEAD "  - {op: relu, elements: 0}\n",
     "m.yaml:5:26: error: elements: 0 is below the minimum, 1"},
    {HEAD "  - {op: relu, elements: -8}\n",
     "m.yaml:5:26: error: elements: -8 is below the minimum, 1"},
    {HEAD "  - {op: relu, elements: 1000000001}\n",
     "m.yaml:5:26: error: elements: 1000000001 is above the maximum, 1000000000"},
    {HEAD "  - {op: relu, elements: 2.5}\n",
     "m.yaml:5:26: error: elements: '2.5' is not a whole number"},
    {HEAD "  - {op: relu, elements: '2'}\n",
     "m.yaml:5:26: error: elements: '2' in quotes is a text; wanted a number"},
    {HEAD "  - {op: relu, elements: 2, times: 0}\n",
     "m.yaml:5:36: error: times: 0 is below the minimum, 1"},
    {HEAD "  - {op: relu, elements: 2, steps: 2}\n",
     "m.yaml:5:29: error: unknown key 'steps' in the operator relu"},
    {HEAD CONV "pad: 1}\n", "m.yaml:5:5: error: key 'kernel' is missing in the operator"},
    {HEAD CONV "kernel: 0}\n", "m.yaml:5:60: error: kernel: 0 is below the minimum, 1"},
    {HEAD CONV "kernel: 3, pad: -1}\n", "m.yaml:5:68: error: pad: -1 is below the minimum, 0"},
    {HEAD CONV "kernel: [3]}\n",
     "m.yaml:5:60: error: kernel: a list of 1; wanted a whole number or [height, width]"},
    {HEAD CONV "kernel: [3, x]}\n", "m.yaml:5:64: error: kernel: 'x' is not a whole number"},
    {HEAD CONV "kernel: {h: 3}}\n", "m.yaml:5:60: error: kernel: a map; wanted a whole number"},
    {HEAD CONV "kernel: 11, pad: 1}\n",
     "m.yaml:5:60: error: kernel: 11 is more than the height of the input with its padding, 10"},
    {HEAD CONV "kernel: [8, 9]}\n",
     "m.yaml:5:60: error: kernel: 9 is more than the width of the input with its padding, 8"},
    {HEAD CONV "kernel: 3, groups: 3}\n",
     "m.yaml:5:71: error: groups: 3; wanted a divisor of in, 4, and of out, 4"},
    {HEAD CONV "kernel: 3, bias: yes}\n",
     "m.yaml:5:69: error: bias: 'yes' is neither true nor false"},

    {HEAD "  - {op: linear, rows: 1e9, in: 1e9, out: 1}\n",
     "m.yaml:5:3: error: operators: 1e+18 multiply-adds; wanted no more than 2^53"},
    {HEAD "  - {op: embedding, rows: 1, vocabulary: 1e9, width: 1e8}\n",
     "m.yaml:5:3: error: operators: 1e+17 parameters; wanted no more than 2^53"},
    {HEAD "  - {op: relu, elements: 1e9, times: 1e7}\n",
     "m.yaml:5:3: error: operators: 4e+16 bytes kept; wanted no more than 2^53"},

    {"parameters: 1\nmacs: 1\ninput_bytes: 4\n",
     "m.yaml:1:1: error: operators: nothing; wanted a list of operators"},
    {"parameters: 1\nmacs: 1\ninput_bytes: 4\noperators: []\n",
     "m.yaml:4:12: error: operators: an empty list; wanted a list of operators"},
    {"parameters: 1\nmacs: 1\ninput_bytes: 4\noperators: {op: relu}\n",
     "m.yaml:4:12: error: operators: a map; wanted a list of operators"},
    {"parameters: 1.5\nmacs: 0\ninput_bytes: 4\noperators: []\n",
     "m.yaml:2:7: error: macs: 0 is below the minimum, 1"},
    {"parameters: 1.5\nmacs: 1\ninput_bytes: 4\noperators: []\n",
     "m.yaml:1:13: error: parameters: '1.5' is not a whole number"},
    {"macs: 1\ninput_byte: 4\noperators: []\n",
     "m.yaml:2:1: error: unknown key 'input_byte' in the list of operators (did you mean "
     "'input_bytes'?)\n"
     "m.yaml:1:1: error: key 'parameters' is missing in the list of operators\n"
     "m.yaml:1:1: error: key 'input_bytes' is missing in the list of operators"},
    {"- 1\n", "m.yaml:1:1: error: the list of operators: a list; wanted a map"},
};

Test(operators, errors)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct capture *c = capture_new();
        cr_expect_null(load(c, errors[i].text), "%s", errors[i].text);
        cr_expect_str_eq(capture_lines(c), errors[i].errors);
        capture_free(c);
    }
}

Test(operators, absent)
{
    struct capture *c = capture_new();

    cr_expect_null(operators_load(c->arena, c->diag, "/nowhere/m.yaml"));
    cr_expect_str_eq(capture_lines(c), "/nowhere/m.yaml: cannot open: No such file or directory");
    capture_free(c);
}

/* ---- the models of the tree ---- */

/* Executions of a training step's forward pass. */
static double executions(const struct op_list *l)
{
    double sum = 0;

    for (size_t i = 0; i < l->n; i++)
        sum += l->op[i].times * l->op[i].steps;
    return sum;
}

/* Counts are as published, and as the table of the folder says. */
static void check_model(const char *file, const char *table)
{
    struct capture *c = capture_new();
    const char *path = arena_printf(c->arena, "configs/models/%s", file);
    struct op_list *l = operators_load(c->arena, c->diag, path);

    cr_assert(l, "%s", capture_all(c));
    double parameters = operators_parameters(l), macs = operators_macs(l);
    cr_expect_eq(parameters, l->parameters, "%s: %.0f parameters, %.0f published", path, parameters,
                 l->parameters);
    cr_expect_lt(fabs(macs / l->macs - 1), 0.01, "%s: %.0f macs, %.0f published", path, macs,
                 l->macs);
    const char *row =
        arena_printf(c->arena, "| %.*s | %.0f | %.0f | %.0f | %.0f | %+.2f %% | %.1f |\n",
                     (int)strlen(file) - 5, file, executions(l), operators_tensors(l), parameters,
                     macs, 100 * (macs / l->macs - 1), operators_activation_bytes(l) / 1e6);
    cr_expect(strstr(table, row), "configs/models/README.md lacks this row:\n%s", row);
    capture_free(c);
}

Test(operators, models)
{
    struct capture *c = capture_new();
    struct source *table = file_load(c->arena, c->diag, "configs/models/README.md", 1 << 20);
    DIR *folder = opendir("configs/models");
    int n = 0;

    cr_assert(folder && table, "%s", capture_all(c));
    for (struct dirent *e; (e = readdir(folder));) {
        size_t len = strlen(e->d_name);
        if (len < 5 || strcmp(e->d_name + len - 5, ".yaml") != 0)
            continue;
        check_model(e->d_name, table->text);
        n++;
    }
    closedir(folder);
    cr_expect_eq(n, 25, "%d models", n);
    capture_free(c);
}
