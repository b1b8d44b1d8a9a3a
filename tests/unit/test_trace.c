/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/model/trace.h"
#include "tests/laws/world_small.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

/* Nodes of 4 and of 8 GPUs. If they are two types, vgg16 has no step time on the second. */
static struct small *make_world(uint32_t types)
{
    struct small *s = small_new(1);

    for (uint32_t t = 0; t < types; t++)
        small_type(s);
    small_nodes(s, 0, 1, 4);
    small_nodes(s, types - 1, 1, 8);
    small_model(s, 1e6, 1e3, 1000);
    small_model(s, 2e6, 1e3, 999);
    if (types > 1)
        s->cost->alpha[1][1] = NAN;
    s->world.model[1].memory_fixed = 10e9;
    s->world.model[1].memory_per_sample = 1e9;
    for (type_id t = 0; t < types; t++)
        s->world.type[t].memory = t == 0 ? 40e9 : 20e9;
    return s;
}

static const struct trace_case {
    uint32_t types;
    const char *text, *jobs, *errors;
} cases[] = {
    /* submit, GPUs, work, steps of an epoch, model, batch, epochs, name; '!': reported */
    {1, "submit_s,gpus,duration_s\n0,1,10\n", "0 1 10000000000;", ""},
    {1, "submit_s,gpus,duration_s\n", "", ""},
    {1, "gpus,job_id,duration_s,submit_s\n8,a b,0.000000001,0.5\n1,,3,0.5\n",
     "500000000 8 1 a b;500000000 1 3000000000;", ""},
    {1, "submit_s,gpus,duration_s,user\n4611686018.427387904,1,4611686018.427387904,me\n",
     "4611686018427387904 1 4611686018427387904;", ""},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,resnet18,64,2\n1,4,vgg16,100,1\n",
     "0 1 32/16 resnet18*64 2;1000000000 4 10/10 vgg16*100 1;", ""},
    {2,
     "submit_s,gpus,model,batch,epochs\n0,2,resnet18,1000,3\n0,1,resnet18,1001,3\n0,1,vgg16,7,"
     "1000000\n",
     "0 2 3/1 resnet18*1000 3;0 1 3/1 resnet18*1001 3;0 1 143000000/143 vgg16*7 1000000;", ""},
    {1,
     "submit_s,gpus,duration_s,model,batch,epochs\n0,1,5,,,\n0,1,,resnet18,500,1\n0,1,7,resnet18,"
     "500,1\n",
     "0 1 5000000000;0 1 2/2 resnet18*500 1;0 1 7000000000;", ""},

    {1, "submit_s,gpus\n0,1\n", "?", "trace.csv:1:1: error: column 'duration_s' is missing"},
    {1, "submit_s,gpu,duration_s\n", "?",
     "trace.csv:1:1: error: column 'gpus' is missing (is it 'gpu'?)"},
    {1, "submit_s,gpus,model,batch\n", "?", "trace.csv:1:1: error: column 'epochs' is missing"},
    {1, "submit_s,gpus,duration_s\n5,1,1\n4.999999999,1,1\n", "5000000000 1 1000000000;!",
     "trace.csv:3:1: error: submit_s: earlier than the row before; rows must be in order of "
     "submission"},
    {1, "submit_s,gpus,duration_s\n-1,1,1\n", "!",
     "trace.csv:2:1: error: submit_s: -1 is below the minimum, 0"},
    {1, "submit_s,gpus,duration_s\n0,0,1\n", "!",
     "trace.csv:2:3: error: gpus: 0 is below the minimum, 1"},
    {1, "submit_s,gpus,duration_s\n0,13,1\n", "!",
     "trace.csv:2:3: error: gpus: 13 can never be had: the cluster has at most 12 GPUs of one "
     "type"},
    {2, "submit_s,gpus,model,batch,epochs\n0,9,resnet18,64,1\n", "!",
     "trace.csv:2:3: error: gpus: 9 can never be had: the cluster has at most 8 GPUs of one type"},
    {1, "submit_s,gpus,duration_s\n0,1,0\n", "!",
     "trace.csv:2:5: error: duration_s: 0 is below the minimum, 0.000000001"},
    {1, "submit_s,gpus,duration_s\n0,1,eight\n", "!",
     "trace.csv:2:5: error: duration_s: 'eight' is not a time in seconds, as in 90 or 0.5"},
    {1, "submit_s,gpus,duration_s\n0,1,\n", "!",
     "trace.csv:2:5: error: duration_s: empty; wanted a time in seconds"},
    {2, "submit_s,gpus,duration_s\n0,1,10\n", "!",
     "trace.csv:2:5: error: duration_s: a duration is on one GPU type, and the cluster has 2; give "
     "model, batch and epochs"},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,resnet-18,64,1\n", "!",
     "trace.csv:2:5: error: model: unknown model 'resnet-18' (did you mean 'resnet18'?)"},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,,64,1\n", "!",
     "trace.csv:2:5: error: model: unknown model ''"},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,alexnet,64,1\n", "!",
     "trace.csv:2:5: error: model: unknown model 'alexnet'"},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,resnet18,0,1\n", "!",
     "trace.csv:2:14: error: batch: 0 is below the minimum, 1"},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,resnet18,8388609,1\n", "!",
     "trace.csv:2:14: error: batch: 8388609 is above the maximum, 8388608"},
    {1, "submit_s,gpus,model,batch,epochs\n0,4,resnet18,3,1\n", "!",
     "trace.csv:2:14: error: batch: 3 samples cannot be shared by 4 GPUs"},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,resnet18,64,1000001\n", "!",
     "trace.csv:2:17: error: epochs: 1000001 is above the maximum, 1000000"},
    {1,
     "submit_s,gpus,duration_s,job_id\n0,1,1,"
     "12345678901234567890123456789012345678901234567890123456789012345\n",
     "!", "trace.csv:2:7: error: job_id: 65 bytes; wanted at most 64"},
    {1,
     "submit_s,gpus,duration_s,job_id\n0,1,1,"
     "1234567890123456789012345678901234567890123456789012345678901234\n",
     "0 1 1000000000 1234567890123456789012345678901234567890123456789012345678901234;", ""},
    {1, "submit_s,gpus,duration_s\n0,1,1\n0,1\n", "0 1 1000000000;!",
     "trace.csv:3:4: error: 2 cells in this row; the header has 3"},
    /* what can run nowhere would wait for ever */
    {1, "submit_s,gpus,model,batch,epochs\n0,1,vgg16,30,1\n", "0 1 34/34 vgg16*30 1;", ""},
    {1, "submit_s,gpus,model,batch,epochs\n0,1,vgg16,31,1\n", "!",
     "trace.csv:2:11: error: batch: 31 samples of vgg16 on 1 GPU do not fit the memory of any GPU "
     "type of this cluster"},
    {2, "submit_s,gpus,model,batch,epochs\n0,4,vgg16,120,1\n0,5,vgg16,64,1\n",
     "0 4 9/9 vgg16*120 1;!",
     "trace.csv:3:5: error: model: the cost model knows no step time of vgg16 on 5 GPUs of one "
     "type of this cluster"},
};

static const char *read_jobs(struct capture *c, struct trace *t, const struct world *w)
{
    const char *text = "";
    struct job_spec j;
    int got = 0;

    while (t && (got = t->next(t, &j)) > 0) {
        text = arena_printf(c->arena, "%s%lld %u %lld", text, (long long)j.submit, j.gpus,
                            (long long)j.work);
        if (j.model != NO_MODEL)
            text = arena_printf(c->arena, "%s/%lld %s*%u %u", text, (long long)j.per_epoch,
                                w->model[j.model].name, j.batch, j.epochs);
        text = arena_printf(c->arena, "%s%s%s;", text, j.name ? " " : "", j.name ? j.name : "");
        cr_assert_eq(j.experiment, NO_EXPERIMENT);
    }
    if (t)
        t->close(t);
    return arena_printf(c->arena, "%s%s", text, !t ? "?" : got < 0 ? "!" : "");
}

Test(trace, cases)
{
    struct scratch files;

    scratch_enter(&files);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct small *s = make_world(cases[i].types);
        struct capture *c = capture_new();
        scratch_write(&files, "trace.csv", cases[i].text);
        const char *jobs = read_jobs(c, trace_csv(c->diag, "trace.csv", &s->world), &s->world);
        cr_expect_str_eq(jobs, cases[i].jobs, "%s: %s", cases[i].text, jobs);
        cr_expect_str_eq(capture_lines(c), cases[i].errors, "%s:\n%s", cases[i].text,
                         capture_all(c));
        capture_free(c);
        small_free(s);
    }
    scratch_leave(&files);
}

/* Rows are numbered, so that a job's noise does not depend on what stands in front of it in other
 * runs. */
Test(trace, rows_and_files)
{
    struct scratch files;
    struct small *s = make_world(1);
    struct capture *c = capture_new();
    struct job_spec j;

    scratch_enter(&files);
    scratch_write(&files, "trace.csv",
                  "# by hand\nsubmit_s,gpus,duration_s\n0,1,1\n0,1,1\n0,1,1\n");
    struct trace *t = trace_csv(c->diag, "trace.csv", &s->world);
    for (uint32_t row = 0; row < 3; row++) {
        cr_assert_eq(t->next(t, &j), 1);
        cr_assert_eq(j.trial, row);
    }
    cr_assert_eq(t->next(t, &j), 0);
    t->close(t);
    cr_assert_null(trace_csv(c->diag, "absent.csv", &s->world));
    cr_assert_str_eq(capture_lines(c), "absent.csv: cannot open: No such file or directory", "%s",
                     capture_all(c));
    scratch_leave(&files);
    capture_free(c);
    small_free(s);
}
