/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/plot_sweep.h"

#define LABEL_LONGEST 30u /* characters of a policy's label in a picture */

struct plotter {
    const struct plot_request *request;
    struct plot_set set;
    struct plots *plots;
    const char *program; /* gnuplot; NULL: there is none */
    uint32_t done, all;
};

void plots_free(struct plots *p)
{
    mem_drop(p->plot);
    *p = (struct plots){0};
}

/* ---- what is wanted ---- */

static bool unknown_kind(struct diag *d, const char *word)
{
    struct diag_near near = {.word = word};
    char all[512] = "; wanted ";

    for (uint32_t i = 0; plot_kinds[i].name; i++) {
        diag_consider(&near, plot_kinds[i].name);
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "",
                 plot_kinds[i].name);
    }
    return diag_unknown(d, (struct mark){0}, near.nearest, "plot: unknown kind '%.40s'%s", word,
                        near.nearest ? "" : all);
}

static bool is_of_sweep(const struct plot_kind *k)
{
    return k->each == PLOT_OF_SWEEP || k->each == PLOT_OF_EACH_AXIS;
}

static bool is_wanted(const struct plotter *p, const struct plot_kind *k)
{
    const struct plot_request *r = p->request;

    if (is_of_sweep(k) != (r->sweep != NULL))
        return false;
    for (uint32_t i = 0; i < r->n_kinds; i++)
        if (strcmp(r->kind[i], k->name) == 0)
            return true;
    return r->n_kinds == 0 && (p->set.shared || !k->shared);
}

static bool check_kinds(struct diag *d, const struct plot_request *r)
{
    bool ok = true;

    for (uint32_t i = 0; i < r->n_kinds; i++) {
        const struct plot_kind *k = plot_kinds;
        while (k->name && strcmp(k->name, r->kind[i]) != 0)
            k++;
        if (!k->name)
            ok = unknown_kind(d, r->kind[i]);
        else if (is_of_sweep(k) != (r->sweep != NULL))
            ok = diag_error(d, (struct mark){0}, "plot: %s shows %s", k->name,
                            r->sweep ? "runs; this is the folder of a sweep"
                                     : "a sweep; wanted the folder of one");
    }
    return ok;
}

static bool take_metric(struct diag *d, const char *word, enum metric_id *id)
{
    struct diag_near near = {.word = word};

    for (int i = 0; i < METRICS; i++) {
        diag_consider(&near, metric_defs[i].name);
        if (strcmp(metric_defs[i].name, word) != 0)
            continue;
        *id = (enum metric_id)i;
        return true;
    }
    return diag_unknown(d, (struct mark){0}, near.nearest, "plot: unknown metric '%.40s'%s", word,
                        near.nearest ? "" : "; `hetune list metrics` has them");
}

/* Those that were asked for, or the share of the cluster that makes progress. */
static bool take_metrics(struct plot_set *s, const struct plot_request *r)
{
    if (r->sweep && r->n_metrics > 1)
        return diag_error(s->diag, (struct mark){0}, "plot: --metric: of a sweep one at a time");

    enum metric_id *metric = arena_get(s->arena, (r->n_metrics + 1) * sizeof(*metric));
    bool ok = true;

    metric[0] = M_GPU_BUSY_SHARE;
    for (uint32_t i = 0; i < r->n_metrics; i++)
        ok &= take_metric(s->diag, r->metric[i], &metric[i]);
    s->metric = metric;
    s->n_metrics = r->n_metrics > 0 ? r->n_metrics : 1;
    return ok;
}

/* ---- what is there ---- */

static bool gather_runs(struct plot_set *s, const struct plot_request *r)
{
    if (!compare(s->arena, s->diag, r->results, r->baseline, &s->cmp))
        return false;
    s->first = arena_get(s->arena, s->cmp.n * sizeof(*s->first));
    for (uint32_t i = 0; i < s->cmp.n; i++)
        s->first[i] = results_first(r->results, s->cmp.policy[i].label);
    return true;
}

/* Of sweeps of experiments the HPO time is what is asked for first, of shared GPUs the largest
 * slowdown. */
static bool gather_sweep(struct plot_set *s, const struct plot_request *r)
{
    enum metric_id *metric = arena_get(s->arena, sizeof(*metric));

    if (!plot_sweep_load(s, r))
        return false;
    *metric = M_JCT_MEAN;
    for (uint32_t i = 0; i < s->sweep->n; i++)
        if (s->sweep->point[i].result.value[M_HPO_MEAN_GOOD].defined)
            *metric = M_HPO_MEAN_GOOD;
    for (uint32_t i = 0; i < s->sweep->n && *metric == M_JCT_MEAN; i++)
        if (s->sweep->point[i].result.value[M_ALONE_MAX].defined)
            *metric = M_ALONE_MAX;
    s->metric = r->n_metrics ? s->metric : metric;
    return true;
}

static bool is_axis(const struct plot_set *s, uint32_t x)
{
    return s->sweep->axis[x].same_as == x && s->sweep->axis[x].n > 1;
}

/* Pictures of a kind. */
static uint32_t count_of(const struct plot_set *s, const struct plot_kind *k)
{
    uint32_t axes = 0;

    for (uint32_t x = 0; s->sweep && x < s->sweep->n_axes; x++)
        axes += is_axis(s, x);
    return k->each == PLOT_OF_EACH_AXIS ? axes : k->each == PLOT_OF_EACH_RUN ? s->cmp.n : 1;
}

static bool any_shared(const struct plot_set *s)
{
    bool any = false;

    for (uint32_t i = 0; s->sweep && i < s->sweep->n; i++)
        any |= metric_applies(s->sweep->point[i].result.value, M_ALONE_MAX);
    for (uint32_t i = 0; !s->sweep && i < s->results->n; i++)
        any |= metric_applies(s->results->result[i].value, M_ALONE_MAX);
    return any;
}

static const enum metric_id shared_metric[] = {M_GPU_ACTIVE_SHARE};

static bool gather(struct plotter *p, struct arena *a, struct diag *d)
{
    const struct plot_request *r = p->request;
    struct plot_set *s = &p->set;

    *s = (struct plot_set){.arena = a, .diag = d, .results = r->results, .width = r->width};
    if (!take_metrics(s, r) || !(r->sweep ? gather_sweep(s, r) : gather_runs(s, r)))
        return false;
    s->shared = any_shared(s);
    if (s->shared && r->n_metrics == 0 && !r->sweep)
        s->metric = shared_metric;
    s->label = plot_labels(a, &s->cmp, LABEL_LONGEST);
    for (const struct plot_kind *k = plot_kinds; k->name; k++)
        p->all += is_wanted(p, k) ? count_of(s, k) : 0;
    return true;
}

/* Makes a folder and its parents. */
static bool make_folder(struct arena *a, struct diag *d, const char *folder)
{
    char *path = arena_text(a, folder, strlen(folder));

    for (char *at = path + 1; at[-1]; at++) {
        char was = *at;
        if (was != '/' && was != '\0')
            continue;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return diag_io(d, path, errno, "make the folder");
        *at = was;
    }
    return true;
}

/* ---- one picture ---- */

/* The policies that the picture is about. */
static void put_labels(const struct plot_set *s, struct plot_data *data, const struct plot_kind *k,
                       uint32_t policy)
{
    bool one = k->each == PLOT_OF_EACH_RUN;
    uint32_t from = one ? policy : 0, to = one ? policy + 1 : s->cmp.n;

    out_text(data->out, "number\tlabel\tpolicy\tseed\n");
    for (uint32_t p = from; p < to; p++) {
        out_int(data->out, p + 1 - from);
        plot_cell_text(data, s->label[p]);
        plot_cell_text(data, plot_clean(s->arena, s->cmp.policy[p].label, PLOT_TEXT));
        out_printf(data->out, "\t%llu\n", (unsigned long long)s->first[p]->seed);
    }
    plot_count(data, "policies", to - from);
    plot_count(data, "seeds", s->cmp.policy[0].seeds);
}

static bool finish(struct plotter *p, const struct plot_kind *k, const char *name,
                   struct plot_data *data)
{
    const struct plot_set *s = &p->set;

    if (!out_commit(data->out) || !plot_write_script(p->request, s->diag, name, k, data))
        return false;
    return !p->program || plot_draw(s->arena, s->diag, p->program, p->request, name);
}

static bool draw_one(struct plotter *p, const struct plot_kind *k, uint32_t policy, uint32_t number)
{
    const struct plot_set *s = &p->set;
    const char *name =
        count_of(s, k) > 1 ? arena_printf(s->arena, "%s_%u", k->name, number) : k->name;
    bool is_run = k->each == PLOT_OF_EACH_RUN;
    struct plot_data data = {
        .out = out_create(s->diag, arena_printf(s->arena, "%s/%s.tsv", p->request->out, name))};

    if (!data.out)
        return false;
    if (!p->request->progress(p->request->user, k->name, p->done++, p->all)) {
        out_drop(data.out);
        return false;
    }
    put_labels(s, &data, k, policy);
    bool ok = k->write(s, policy, &data);
    if (ok && !data.left_out)
        ok = finish(p, k, name, &data);
    else
        out_drop(data.out);
    if (ok && data.left_out && p->request->n_kinds > 0)
        ok = diag_error(s->diag, (struct mark){0}, "plot: %s cannot be drawn: %s", k->name,
                        data.left_out);
    p->plots->plot = mem_room(p->plots->plot, p->plots->n, &p->plots->cap, sizeof(*p->plots->plot));
    p->plots->plot[p->plots->n++] =
        (struct plot_done){.kind = k->name,
                           .about = k->about,
                           .name = name,
                           .label = is_run ? s->cmp.policy[policy].label : NULL,
                           .seed = is_run ? s->first[policy]->seed : 0,
                           .left_out = data.left_out};
    return ok;
}

static bool draw_kind(struct plotter *p, const struct plot_kind *k)
{
    const struct plot_set *s = &p->set;
    uint32_t n = k->each == PLOT_OF_EACH_AXIS ? s->sweep->n_axes : count_of(s, k);

    for (uint32_t i = 0, number = 1; i < n; i++)
        if ((k->each != PLOT_OF_EACH_AXIS || is_axis(s, i)) && !draw_one(p, k, i, number++))
            return false;
    return true;
}

bool plot_all(struct arena *a, struct diag *d, const struct plot_request *r, struct plots *out)
{
    struct plotter p = {.request = r, .plots = out, .program = plot_program(a)};

    if (!check_kinds(d, r) || !gather(&p, a, d) || !make_folder(a, d, r->out))
        return false;
    for (const struct plot_kind *k = plot_kinds; k->name; k++) {
        if (is_wanted(&p, k) && !draw_kind(&p, k))
            return false;
    }
    return plot_can_draw(a, d);
}
