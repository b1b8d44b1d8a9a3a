/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune predict: what a step takes on a calibrated GPU, and where the time goes. */
#include <math.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/print.h"
#include "sim/model/rows.h"
#include "sim/model/step_model.h"
#include "sim/text/conf.h"
#include "sim/text/csv.h"

static const struct option_row options[] = {
    {'m', "model", "NAME", "a list of operators of configs/models", offsetof(struct args, model),
     0},
    {'g', "gpu", "TYPE", "a calibration of configs/costs/gpus", offsetof(struct args, gpu), 0},
    {'b', "batch", "SAMPLES", "on each GPU", offsetof(struct args, batch), 0},
    {'n', "gpus", "N", "GPUs of one node (1)", offsetof(struct args, gpus), 0},
    {'p', "precision", "FORMAT", "fp32, tf32, fp16 or bf16 (fp32)",
     offsetof(struct args, precision), 0},
    {0, "stack", "NAME", "software stack of configs/costs/stacks.yaml (default)",
     offsetof(struct args, stack), 0},
    {0, "mode", "MODE", "training or inference (training)", offsetof(struct args, mode), 0},
    {0, "questions", "FILE.csv",
     "answer each row: columns model, gpu, batch, and gpus, precision, stack, mode if there",
     offsetof(struct args, questions), 0},
    {0, "costs", "DIR", "the folder of models and costs (configs)", offsetof(struct args, costs),
     0},
    OPTION_JSON,
    OPTION_HELP,
    OPTION_END,
};

/* ---- questions ---- */

struct asked {
    const char *model, *gpu, *stack;
    double batch;
    int64_t gpus;
    int precision, mode;
};

static const char *const modes[] = {"training", "inference", NULL};

static const struct field asked_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct asked, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_TEXT, "gpu", offsetof(struct asked, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_REAL, "batch", offsetof(struct asked, batch), NULL, 1, 1 << 23, NULL, "samples"},
    {FIELD_INT, "gpus", offsetof(struct asked, gpus), "1", 1, 1024, NULL, "GPUs of one node"},
    {FIELD_CHOICE, "precision", offsetof(struct asked, precision), "fp32", 0, 0, precision_names,
     "of the products"},
    {FIELD_TEXT, "stack", offsetof(struct asked, stack), "default", 0, 0, NULL, "software stack"},
    {FIELD_CHOICE, "mode", offsetof(struct asked, mode), "training", 0, 0, modes, "what is run"},
    {.type = FIELD_END},
};

static struct step_question question(const struct asked *q)
{
    return (struct step_question){.model = q->model,
                                  .gpu = q->gpu,
                                  .stack = q->stack,
                                  .samples = q->batch,
                                  .gpus = (int)q->gpus,
                                  .precision = (enum precision)q->precision,
                                  .inference = q->mode == 1};
}

static void put_option(struct arena *a, struct tree *map, const char *key, const char *value)
{
    static const struct source from = {"the command line", NULL, 0, 1};

    if (value)
        tree_add(a, map, tree_scalar(a, (struct mark){&from, 0, 0}, key, strlen(key)),
                 tree_scalar(a, (struct mark){0}, value, strlen(value)));
}

static bool any_of(const struct args *a)
{
    return a->model || a->gpu || a->batch || a->gpus || a->precision || a->stack || a->mode ||
           a->json;
}

static bool wants(struct diag *d, const struct args *a)
{
    if (a->n_words)
        return diag_error(d, (struct mark){0},
                          "predict: '%.40s' is no option; see hetune predict --help", a->word[0]);
    if (a->questions && any_of(a))
        return diag_error(d, (struct mark){0},
                          "predict: --questions goes with no option but --costs: each row has its "
                          "own");
    if (!a->questions && !(a->model && a->gpu && a->batch))
        return diag_error(d, (struct mark){0},
                          "predict: wanted --model, --gpu and --batch, or --questions FILE.csv");
    return true;
}

/* A map of the options, so that the same table checks them and the rows of a file. */
static bool ask(struct arena *a, struct diag *d, const struct args *args, struct asked *out)
{
    struct tree *map = tree_map(a, (struct mark){0});

    put_option(a, map, "model", args->model);
    put_option(a, map, "gpu", args->gpu);
    put_option(a, map, "batch", args->batch);
    put_option(a, map, "gpus", args->gpus);
    put_option(a, map, "precision", args->precision);
    put_option(a, map, "stack", args->stack);
    put_option(a, map, "mode", args->mode);
    return conf_fill(a, d, map, asked_fields, NULL, "predict", out);
}

/* ---- one answer ---- */

static void put_share(struct out *o, const char *what, double s, double of)
{
    if (s > 0)
        out_printf(o, "  %-14s %10.3f ms %5.1f %%\n", what, 1e3 * s, 100 * s / of);
}

static void put_notes(struct out *o, const struct asked *q, const struct step_answer *r)
{
    if (!r->stack_known)
        out_printf(o, "note: no stack '%s' is known in %s; the default one stands for it\n",
                   q->stack, precision_names[q->precision]);
    if (r->guess.extrapolated > 0.005)
        out_printf(o,
                   "note: %.0f %% of the kernels' time is extrapolated: larger or smaller than any "
                   "measured\n",
                   100 * r->guess.extrapolated);
    if (r->guess.carried > 0.005)
        out_printf(o, "note: %.0f %% of it is carried over from another GPU\n",
                   100 * r->guess.carried);
    if (r->memory > r->capacity)
        out_printf(o, "note: it does not fit: %.1f GiB of %.1f GiB\n", r->memory / (1 << 30),
                   r->capacity / (1 << 30));
}

static void put_text(struct out *o, const struct asked *q, const struct step_answer *r)
{
    double f = r->stack->factor;

    out_printf(o, "%s on ", q->model);
    if (q->gpus > 1)
        out_printf(o, "%lld x ", (long long)q->gpus);
    out_printf(o, "%s, %g sample%s%s%s, %s, stack %s\n", q->gpu, q->batch, q->batch > 1 ? "s" : "",
               q->gpus > 1 ? " each" : "", q->mode ? ", inference" : "",
               precision_names[q->precision], r->stack->name);
    out_printf(o, "step %.3f ms (80 %%: %.3f to %.3f), %.1f samples/s\n", 1e3 * r->s, 1e3 * r->low,
               1e3 * r->high, (double)q->gpus * q->batch / r->s);
    for (int i = 0; i < STEP_PARTS; i++)
        put_share(o, step_part_names[i], f * r->guess.part[i], r->s);
    put_share(o, "host", fmax(0, r->host - r->kernels), r->s);
    put_share(o, "gaps", r->gap, r->s);
    put_share(o, "transfer", r->transfer, r->s);
    put_share(o, "all-reduce", r->sync, r->s);
    out_printf(o, "memory %.2f GiB\n", r->memory / (1 << 30));
    put_notes(o, q, r);
}

static void put_json(struct out *o, const struct asked *q, const struct step_answer *r)
{
    out_text(o, "{\"model\": ");
    out_json(o, q->model);
    out_text(o, ", \"gpu\": ");
    out_json(o, q->gpu);
    out_printf(o,
               ", \"batch\": %g, \"gpus\": %lld, \"precision\": \"%s\", \"mode\": \"%s\", "
               "\"stack\": ",
               q->batch, (long long)q->gpus, precision_names[q->precision], modes[q->mode]);
    out_json(o, r->stack->name);
    out_printf(o, ", \"stack_known\": %s, \"step_s\": %.6g, \"low_s\": %.6g, \"high_s\": %.6g",
               r->stack_known ? "true" : "false", r->s, r->low, r->high);
    for (int i = 0; i < STEP_PARTS; i++)
        out_printf(o, ", \"%s_s\": %.6g", step_part_names[i], r->stack->factor * r->guess.part[i]);
    out_printf(o,
               ", \"host_s\": %.6g, \"gap_s\": %.6g, \"transfer_s\": %.6g, \"all_reduce_s\": %.6g, "
               "\"memory_bytes\": %.0f, \"extrapolated\": %.3f, \"carried_over\": %.3f}\n",
               r->host, r->gap, r->transfer, r->sync, r->memory, r->guess.extrapolated,
               r->guess.carried);
}

/* ---- a file of questions ---- */

static const char *const answer_columns =
    ",step_s,low_s,high_s,samples_per_s,host_bound,extrapolated,carried_over,stack_used";

static bool is_answer(struct arena *a, const char *column)
{
    return strstr(arena_printf(a, "%s,", answer_columns), arena_printf(a, ",%s,", column)) != NULL;
}

static void put_row(struct out *o, struct arena *a, struct csv *csv)
{
    for (size_t i = 0; i < csv_columns(csv); i++) {
        size_t len;
        const char *cell = csv_cell(csv, (int)i, &len);
        if (i > 0)
            out_char(o, ',');
        out_csv(o, arena_text(a, cell, len));
    }
}

static void put_answer(struct out *o, const struct asked *q, const struct step_answer *r)
{
    out_printf(o, ",%.6g,%.6g,%.6g,%.6g,%d,%.3f,%.3f,%s\n", r->s, r->low, r->high,
               (double)q->gpus * q->batch / r->s, r->host > r->kernels, r->guess.extrapolated,
               r->guess.carried, r->stack->name);
}

static bool answer_row(struct arena *a, struct diag *d, struct step_library *l, struct csv *csv,
                       struct out *o)
{
    struct asked q = {0};
    struct step_answer r;

    if (!conf_fill(a, d, rows_map(a, csv, asked_fields), asked_fields, NULL, "the question", &q))
        return false;
    struct step_question sq = question(&q);
    if (!step_answer(l, d, csv_mark(csv, 0), &sq, &r))
        return false;
    put_row(o, a, csv);
    put_answer(o, &q, &r);
    return true;
}

/* The columns of the questions, then those of the answers: none may be both. */
static bool put_head(struct arena *a, struct diag *d, struct csv *csv, struct out *o)
{
    static const char *const wanted[] = {"model", "gpu", "batch", NULL};

    if (!csv || !csv_require(csv, wanted))
        return false;
    for (size_t i = 0; i < csv_columns(csv); i++) {
        const char *name = csv_name(csv, (int)i);
        if (is_answer(a, name))
            return diag_error(d, csv_mark(csv, (int)i),
                              "column '%.40s' is one of the answers; wanted another name", name);
        out_text(o, i ? "," : "");
        out_csv(o, name);
    }
    out_text(o, answer_columns);
    out_char(o, '\n');
    return true;
}

static bool answer_file(struct arena *a, struct diag *d, struct step_library *l, const char *path)
{
    struct csv *csv = csv_open(d, path);
    struct out *o = out_memory();
    bool head = put_head(a, d, csv, o), ok = head;
    int got;

    while (head && !diag_full(d) && (got = csv_next(csv)) != 0)
        ok &= got > 0 && answer_row(a, d, l, csv, o);
    if (head && diag_io_errors(d) == 0)
        print_out(o);
    else
        out_drop(o);
    csv_close(csv);
    return ok;
}

static bool answer_one(struct arena *a, struct diag *d, struct step_library *l,
                       const struct args *args)
{
    struct asked q = {0};
    struct step_answer r;

    if (!ask(a, d, args, &q))
        return false;
    struct step_question sq = question(&q);
    if (!step_answer(l, d, (struct mark){0}, &sq, &r))
        return false;
    struct out *o = out_memory();
    if (args->json)
        put_json(o, &q, &r);
    else
        put_text(o, &q, &r);
    print_out(o);
    return true;
}

static int run(const struct args *args, struct diag *d)
{
    const char *dir = args->costs ? args->costs : "configs";
    struct arena *a = arena_new();
    bool ok = wants(d, args);
    struct step_library *l = ok ? step_library_open(a, d, arena_printf(a, "%s/costs/gpus", dir),
                                                    arena_printf(a, "%s/models", dir),
                                                    arena_printf(a, "%s/costs/stacks.yaml", dir))
                                : NULL;

    ok = l && (args->questions ? answer_file(a, d, l, args->questions) : answer_one(a, d, l, args));
    arena_free(a);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_predict = {
    .name = "predict",
    .words = "",
    .about = "the step time of a DL model on a calibrated GPU, and where it goes",
    .examples = "  hetune predict --model resnet50-imagenet --gpu V100 --batch 64\n"
                "  hetune predict --questions questions.csv\n",
    .options = options,
    .run = run,
};
