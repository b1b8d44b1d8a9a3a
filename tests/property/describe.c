/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "tests/property/worlds.h"

static void moving(const struct world *w, FILE *out)
{
    static const char *const at[] = {"now", "step", "epoch"},
                             *const keeps[] = {"state", "checkpoint"},
                             *const to[] = {"host", "storage"};
    const struct overheads *o = &w->overheads;

    fprintf(out, "preempt_at %s, keeps %s, suspend_to %s\n", at[w->preempt_at], keeps[w->keeps],
            to[w->suspend_to]);
    fprintf(out,
            "ns: start %lld save %lld restore %lld image %lld replica %lld; bytes/s: host %g "
            "network %g write %g read %g\n",
            (long long)o->start, (long long)o->save, (long long)o->restore, (long long)o->image,
            (long long)o->replica, o->host, o->network, o->disk_write, o->disk_read);
}

static void cluster(const struct world *w, FILE *out)
{
    for (type_id t = 0; t < w->n_types; t++)
        if (w->type[t].host > 0 || w->type[t].context > 0)
            fprintf(out, "%s: host %g bytes/s, context %lld ns\n", w->type[t].name, w->type[t].host,
                    (long long)w->type[t].context);
    for (node_id n = 0; n < w->n_nodes; n++) {
        const struct node *k = &w->node[n];
        fprintf(out, "node %u: %s (%g bytes), GPUs %u..%u, host memory %g, input %g, speeds", n,
                w->type[k->type].name, w->type[k->type].memory, k->first, k->first + k->gpus - 1,
                k->host_memory, k->input_rate);
        for (uint32_t i = 0; i < k->gpus; i++)
            fprintf(out, " %g", w->gpu[k->first + i].speed);
        fprintf(out, "\n");
    }
}

static void sharing(const struct world *w, FILE *out)
{
    if (w->residents < 2)
        return;
    fprintf(out, "%u residents a GPU, %s, %s, step jitter %g, alone %s, eta", w->residents,
            w->contention->name, w->fidelity == FIDELITY_STEP ? "step" : "fluid", w->step_jitter,
            w->alone == ALONE_BEST_SPLIT ? "best_split" : "same_split");
    for (type_id t = 0; t < w->n_types; t++)
        fprintf(out, " %s %g", w->type[t].name, w->type[t].eta);
    fprintf(out, "\n");
}

static double step_s(const struct world *w, uint32_t m, type_id t, double samples)
{
    struct step_parts part = w->cost->step(w->cost_self, m, t, samples);

    return step_compute(&part);
}

static void models(const struct world *w, FILE *out)
{
    for (uint32_t m = 0; m < w->n_models; m++) {
        const struct model *k = &w->model[m];
        fprintf(out,
                "model %u: %g bytes of state, %lld samples an epoch, GPU memory %g + %g a sample; "
                "ns of a step:",
                m, world_state_bytes(w, m), (long long)k->samples_per_epoch, k->memory_fixed,
                k->memory_per_sample);
        for (type_id t = 0; t < w->n_types; t++)
            fprintf(out, " %s %g + %g, gap %g", w->type[t].name, step_s(w, m, t, 0) * 1e9,
                    (step_s(w, m, t, 100) - step_s(w, m, t, 0)) * 1e7,
                    w->cost->step(w->cost_self, m, t, 1).gap * 1e9);
        fprintf(out, "\n");
    }
}

static void jobs(const struct random_world *r, FILE *out)
{
    for (uint32_t i = 0; i < r->n_jobs; i++) {
        const struct job_spec *s = &r->job[i];
        fprintf(out, "job at %lld: %u GPUs, work %lld", (long long)s->submit, s->gpus,
                (long long)s->work);
        if (s->model != NO_MODEL)
            fprintf(out, " steps of model %u, batch %u, %lld an epoch", s->model, s->batch,
                    (long long)s->per_epoch);
        if (s->asked)
            fprintf(out, ", on GPUs %llx", (unsigned long long)s->asked);
        fprintf(out, "\n");
    }
    if (r->breaks)
        fprintf(out, "then the trace breaks off\n");
}

static void experiments(const struct world *w, FILE *out)
{
    static const char *const ends[] = {"all_done", "first_good", "all_good", "target"};

    for (uint32_t i = 0; i < w->n_experiments; i++) {
        const struct experiment *x = &w->experiment[i];
        fprintf(out, "experiment %u at %lld: tuner %s, end %s, target %g%s, %u GPUs each\n", i,
                (long long)x->submit, x->tuner->name, ends[x->end], x->target,
                x->curves->falls ? ", falling" : "", x->gpus);
        if (x->deadline > 0)
            fprintf(out, "  ends after %lld ns\n", (long long)x->deadline);
        if (x->budget > 0)
            fprintf(out, "  ends after %.0f GPU ns\n", (double)x->budget);
        for (uint32_t k = 0; k < x->n_trials; k++) {
            struct job_spec s = world_trial(w, i, k, 0);
            fprintf(out, "  trial %u%s: model %u, batch %u, %lld steps an epoch:", k,
                    x->trial[k].good ? " (good)" : "", s.model, s.batch, (long long)s.per_epoch);
            uint32_t n = curve_epochs(x->curves, x->trial[k].curve);
            for (uint32_t e = 1; e <= n; e++)
                fprintf(out, " %g", curve_at(x->curves, x->trial[k].curve, e));
            fprintf(out, "%s\n", n < s.epochs ? ", and it breaks" : "");
        }
    }
}

void world_describe(const struct random_world *r, FILE *out)
{
    const struct world *w = &r->world;

    fprintf(out,
            "seed %llu, scale %lld ns, policy %s, predictor %s, %s, max_rounds %u, jitter %g\n",
            (unsigned long long)r->seed, (long long)r->scale, r->policy.label, r->predictor,
            r->setup.count_refusals ? "refusals are counted" : "strict", r->setup.max_rounds,
            w->jitter);
    if (r->setup.until != SIM_NEVER)
        fprintf(out, "until %lld\n", (long long)r->setup.until);
    moving(w, out);
    cluster(w, out);
    sharing(w, out);
    models(w, out);
    jobs(r, out);
    experiments(w, out);
}
