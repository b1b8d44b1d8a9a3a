/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the rebuilt time lines, and compares the sums with the metrics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/mem.h"
#include "tests/property/check.h"

static void same_time(struct check *c, const struct metric_value *v, enum metric_id id,
                      sim_area want)
{
    CHECK(c, v[id].defined && v[id].time == want, "%s is %.12g ns, by records %.12g (%.12g more)",
          metric_defs[id].name, (double)v[id].time, (double)want, (double)(v[id].time - want));
}

static void same_number(struct check *c, const struct metric_value *v, enum metric_id id,
                        double want)
{
    CHECK(c, v[id].defined && fabs(v[id].number - want) <= 1e-12 * fabs(want),
          "%s is %.17g, by records %.17g", metric_defs[id].name, v[id].number, want);
}

static void same_or_none(struct check *c, const struct metric_value *v, enum metric_id id, bool has,
                         sim_area want)
{
    CHECK(c, v[id].defined == has, "%s is %sdefined", metric_defs[id].name, has ? "not " : "");
    if (has)
        same_time(c, v, id, want);
}

/* ---- GPUs ---- */

static int by_gpu_and_time(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->gpu != y->gpu)
        return (x->gpu > y->gpu) - (x->gpu < y->gpu);
    return (x->from > y->from) - (x->from < y->from);
}

/* No GPU does two things at a time; what is left of [0, end] is idle. */
static sim_area idle_time(struct check *c, sim_time end)
{
    sim_area idle = 0;
    size_t i = 0;

    if (c->n_pieces)
        qsort(c->piece, c->n_pieces, sizeof(*c->piece), by_gpu_and_time);
    for (gpu_id g = 0; g < c->w->n_gpus; g++) {
        sim_time at = 0;
        for (; i < c->n_pieces && c->piece[i].gpu == g; i++) {
            CHECK(c, check_shared(c) || c->piece[i].from >= at, "GPU %u is used twice at %lld", g,
                  (long long)c->piece[i].from);
            idle += c->piece[i].from - at;
            at = c->piece[i].to;
        }
        CHECK(c, at <= end, "GPU %u is used at %lld, after the end", g, (long long)at);
        idle += end - at;
    }
    return idle;
}

static sim_time last_use(const struct check *c)
{
    sim_time end = c->now;

    for (size_t i = 0; i < c->n_pieces; i++)
        end = c->piece[i].use != USE_SETUP && c->piece[i].to > end ? c->piece[i].to : end;
    for (gpu_id g = 0; g < c->w->n_gpus; g++)
        end = c->ready[g] > end ? c->ready[g] : end;
    return end;
}

static void gpu_times(struct check *c, const struct metric_value *v)
{
    sim_area sum[USES] = {0};
    sim_time end = last_use(c);
    sim_area idle = idle_time(c, end);

    for (size_t i = 0; i < c->n_pieces; i++)
        sum[c->piece[i].use] += c->piece[i].to - c->piece[i].from;
    same_time(c, v, M_END, end);
    same_time(c, v, M_GPU_USEFUL, sum[USE_RUN] - c->lost);
    same_time(c, v, M_GPU_LOST, c->lost);
    same_time(c, v, M_GPU_SETUP, sum[USE_SETUP]);
    same_time(c, v, M_GPU_SAVE, sum[USE_SAVE]);
    if (check_shared(c)) {
        sim_area rest = (sim_area)end * c->w->n_gpus - (sim_area)(c->active + 0.5);
        same_time(c, v, M_GPU_IDLE, rest > 0 ? rest : 0);
        return;
    }
    same_time(c, v, M_GPU_IDLE, idle);
    CHECK(c, sum[USE_RUN] + sum[USE_SETUP] + sum[USE_SAVE] + idle == (sim_area)end * c->w->n_gpus,
          "the GPU times do not sum to GPUs * end");
}

/* ---- jobs ---- */

static const struct job_row *row_of(struct check *c, uint32_t number)
{
    for (size_t i = 0; i < c->n_rows; i++)
        if (c->row[i].number == number)
            return &c->row[i];
    check_fail(c, "job %u has no row", number);
    return NULL;
}

static void one_row(struct check *c, uint32_t number)
{
    const struct seen_job *j = &c->job[number];
    const struct job_row *row = row_of(c, number);

    if (!row)
        return;
    CHECK(c, row->submit == j->submit && row->end == j->end && row->gpus == j->gpus,
          "job %u: another job", number);
    CHECK(c, row->run == j->run && row->setup == j->setup && row->lost == j->lost,
          "job %u: run %lld setup %lld lost %lld, by records %lld %lld %lld", number,
          (long long)row->run, (long long)row->setup, (long long)row->lost, (long long)j->run,
          (long long)j->setup, (long long)j->lost);
    CHECK(c,
          row->starts == j->starts && row->preemptions == j->preemptions &&
              row->relocations == j->relocations && row->epochs == j->epoch,
          "job %u: other counts", number);
    CHECK(c,
          row->first_start == j->started && row->alone == j->alone && row->splits == j->splits &&
              row->resizes == j->resizes,
          "job %u: other counts of shares, or another start", number);
    CHECK(c, row->wait >= 0, "job %u: waits %lld", number, (long long)row->wait);
    CHECK(c, row->end - row->submit == row->run + row->setup + row->wait,
          "job %u: JCT %lld is not wait %lld + setup %lld + run %lld", number,
          (long long)(row->end - row->submit), (long long)row->wait, (long long)row->setup,
          (long long)row->run);
}

static void job_times(struct check *c, const struct metric_value *v)
{
    sim_area jct = 0, in_system = 0;
    sim_time most = 0;
    uint32_t done = 0;

    CHECK(c, c->n_rows == c->n_jobs, "%zu rows of %zu jobs", c->n_rows, c->n_jobs);
    for (size_t i = 0; i < c->n_jobs; i++) {
        const struct seen_job *j = &c->job[i];
        sim_time t = j->end - j->submit;
        one_row(c, (uint32_t)i);
        in_system += t;
        if (j->ended != record_name[REC_END])
            continue;
        done++;
        jct += t;
        most = t > most ? t : most;
    }
    CHECK(c, in_system == c->in_system,
          "Little: the sum of times in the system is not the integral of the jobs in it");
    same_number(c, v, M_DONE, done);
    same_or_none(c, v, M_JCT_MEAN, done > 0, done ? (jct + done / 2) / done : 0);
    same_or_none(c, v, M_JCT_MAX, done > 0, most);
}

/* ---- counts ---- */

static void counts(struct check *c, const struct metric_value *v)
{
    uint32_t killed = 0, rejected = 0, alive = 0, starts = 0, preemptions = 0, moves = 0;
    sim_time first = c->n_jobs ? c->job[0].submit : 0;
    sim_area held = 0;

    for (size_t i = 0; i < c->n_jobs; i++) {
        const struct seen_job *j = &c->job[i];
        killed += j->ended == record_name[REC_KILL];
        rejected += j->ended == record_name[REC_REJECT];
        alive += !j->ended;
        starts += j->starts;
        preemptions += j->preemptions;
        moves += j->relocations;
    }
    same_number(c, v, M_JOBS, (double)c->n_jobs);
    same_number(c, v, M_KILLED, killed);
    same_number(c, v, M_REJECTED, rejected);
    same_number(c, v, M_UNFINISHED, alive);
    same_number(c, v, M_STARTS, starts);
    same_number(c, v, M_PREEMPTIONS, preemptions);
    same_number(c, v, M_RELOCATIONS, moves);
    same_number(c, v, M_REFUSALS, (double)c->refusals);
    same_number(c, v, M_TOLD, (double)c->told);
    if (c->told)
        same_number(c, v, M_TOLD_ERROR_MEAN, c->told_sum / (double)c->told);
    sim_time makespan = c->last_end - first;
    sim_time window = alive ? c->now - first : makespan;
    bool has = v[M_DONE].number + killed > 0 && alive == 0 && makespan > 0;
    same_or_none(c, v, M_MAKESPAN, has, makespan);
    held = c->held;
    if (c->n_jobs > 0 && window > 0)
        same_number(c, v, M_GPU_HELD_SHARE, (double)held / (double)window / c->w->n_gpus);
    if (c->shares && c->n_jobs > 0 && window > 0) {
        same_number(c, v, M_GPU_ACTIVE_SHARE, c->active / (double)window / c->w->n_gpus);
        same_number(c, v, M_GPU_WORK_SHARE, c->work / (double)window / c->w->n_gpus);
    }
}

/* ---- slowdowns ---- */

static void near_number(struct check *c, const struct metric_value *v, enum metric_id id,
                        double want)
{
    CHECK(c, v[id].defined && fabs(v[id].number - want) <= 1e-9 * fmax(1, fabs(want)),
          "%s is %.17g, by records %.17g", metric_defs[id].name, v[id].number, want);
}

/* Eq. 22 of the jobs that are done. */
static void slowdowns(struct check *c, const struct metric_value *v)
{
    double sum = 0, squares = 0, most = 0, n = 0, splits = 0, resizes = 0, var = 0;

    for (size_t i = 0; i < c->n_jobs; i++) {
        const struct seen_job *j = &c->job[i];
        splits += j->splits;
        resizes += j->resizes;
        if (j->ended != record_name[REC_END] || j->alone == 0)
            continue;
        double s = (double)(j->end - j->started) / (double)j->alone;
        n++;
        sum += s;
        squares += s * s;
        most = s > most ? s : most;
    }
    for (size_t i = 0; i < c->n_jobs; i++) {
        const struct seen_job *j = &c->job[i];
        if (j->ended != record_name[REC_END] || j->alone == 0)
            continue;
        double d = (double)(j->end - j->started) / (double)j->alone - sum / n;
        var += d * d / n;
    }
    CHECK(c, v[M_SPLITS].defined == c->shares, "metrics of shared GPUs are %sdefined",
          c->shares ? "not " : "");
    if (!c->shares)
        return;
    same_number(c, v, M_SPLITS, splits);
    same_number(c, v, M_RESIZES, resizes);
    CHECK(c, v[M_ALONE_MAX].defined == (n > 0), "slowdowns of %g jobs", n);
    if (n == 0)
        return;
    near_number(c, v, M_ALONE_MAX, most);
    near_number(c, v, M_ALONE_MEAN, sum / n);
    near_number(c, v, M_ALONE_STD, sqrt(var));
    near_number(c, v, M_ALONE_JAIN, squares > 0 ? sum * sum / (n * squares) : 1);
}

/* ---- experiments ---- */

struct hpo {
    uint32_t good, done;
    sim_area sum;
    sim_time first, last;
};

static struct hpo hpo_of(const struct check *c, uint32_t x)
{
    struct hpo h = {.first = SIM_NEVER};

    for (uint32_t k = 0; k < c->w->experiment[x].n_trials; k++)
        h.good += c->w->experiment[x].trial[k].good;
    for (size_t i = 0; i < c->n_jobs; i++) {
        const struct seen_job *j = &c->job[i];
        if (j->experiment != x || !j->good)
            continue;
        if (j->ended != record_name[REC_END])
            continue;
        sim_time t = j->end - c->study[x].begin;
        h.done++;
        h.sum += t;
        h.first = t < h.first ? t : h.first;
        h.last = t > h.last ? t : h.last;
    }
    return h;
}

/* In parts: what was gained when, and what is left until the end. */
static void regrets(struct check *c, const struct metric_value *v)
{
    double area = 0, left = 0;
    bool some = true;

    for (uint32_t x = 0; x < c->n_studies; x++) {
        const struct seen_study *s = &c->study[x];
        some &= s->trials > 0 && (s->falls ? s->goal < s->start : s->goal > s->start);
        some &= s->deadline == 0 || s->closed;
        area += s->gained + s->left * (double)((s->deadline ? s->deadline : c->now) - s->begin);
        left += s->left;
    }
    CHECK(c, v[M_HPO_REGRET].defined == some && v[M_HPO_REGRET_LEFT].defined == some, "regret");
    if (!some)
        return;
    area /= c->n_studies;
    CHECK(c, fabs((double)v[M_HPO_REGRET].time - area) <= 1 + 1e-9 * area,
          "regret %.12g, not %.12g", (double)v[M_HPO_REGRET].time, area);
    near_number(c, v, M_HPO_REGRET_LEFT, left / c->n_studies);
}

static void studies(struct check *c, const struct metric_value *v)
{
    sim_area mean = 0, first = 0, all = 0, target = 0;
    bool some = true, whole = true, reached = true;
    uint32_t n = c->n_studies, trials = 0;

    same_number(c, v, M_EXPERIMENTS, n);
    for (uint32_t x = 0; x < n; x++) {
        struct hpo h = hpo_of(c, x);
        trials += c->study[x].trials;
        some &= h.done > 0;
        whole &= h.good > 0 && h.done == h.good;
        reached &= c->study[x].target_at != SIM_NEVER;
        mean += h.done ? h.sum / h.done : 0;
        first += h.done ? h.first : 0;
        all += h.last;
        target +=
            c->study[x].target_at == SIM_NEVER ? 0 : c->study[x].target_at - c->study[x].begin;
    }
    if (n == 0)
        return;
    same_number(c, v, M_TRIALS, trials);
    same_or_none(c, v, M_HPO_MEAN_GOOD, some, mean / n);
    same_or_none(c, v, M_HPO_FIRST_GOOD, some, first / n);
    same_or_none(c, v, M_HPO_ALL_GOOD, whole, all / n);
    same_or_none(c, v, M_HPO_TARGET, reached, target / n);
    regrets(c, v);
    if (!isnan(c->study[0].best))
        same_number(c, v, M_HPO_BEST, c->study[0].best);
}

static void compare(struct check *c)
{
    struct metric_value v[METRICS];

    metrics_values(c->metrics, v);
    gpu_times(c, v);
    job_times(c, v);
    counts(c, v);
    slowdowns(c, v);
    studies(c, v);
}

/* ---- one world ---- */

static void take_row(void *user, const struct job_row *row)
{
    struct check *c = user;

    c->row = mem_room(c->row, c->n_rows, &c->cap_rows, sizeof(*c->row));
    c->row[c->n_rows++] = *row;
}

struct check *check_new(const struct random_world *r, struct coverage *coverage)
{
    struct check *c = mem_get(sizeof(*c));

    c->sink.take = check_take;
    c->r = r;
    c->w = &r->world;
    c->coverage = coverage;
    c->arena = arena_new();
    c->load = arena_get(c->arena, c->w->n_gpus * sizeof(*c->load));
    c->met[COVER_SHARED] = check_shared(c);
    c->ready = arena_get(c->arena, c->w->n_gpus * sizeof(*c->ready));
    c->metrics = metrics_new(&(struct metrics_hooks){.job = take_row, .user = c});
    c->last_end = c->last_report = -1;
    c->met[COVER_STEPS] = check_steps(c);
    c->rejected_at = -1;
    return c;
}

uint32_t check_sinks(struct check *c, struct sink **out)
{
    out[0] = &c->sink;
    out[1] = metrics_sink(c->metrics);
    return 2;
}

static void add_coverage(const struct check *c)
{
    struct coverage *v = c->coverage;
    const char *name = c->r->policy.policy->name;
    uint32_t p = 0;

    for (int i = 0; i < COVERS; i++)
        v->worlds[i] += c->met[i];
    while (v->policy[p] && strcmp(v->policy[p], name) != 0)
        p++;
    BUG_ON(p + 1 >= MOST_POLICIES);
    v->policy[p] = name;
    v->of_policy[p]++;
    for (uint32_t i = 0; i < c->r->world.n_experiments; i++)
        for (uint32_t t = 0; builtin_tuners[t]; t++)
            v->of_tuner[t] +=
                c->study[i].open && c->r->world.experiment[i].tuner == builtin_tuners[t];
}

bool check_finish(struct check *c, uint64_t digest)
{
    CHECK(c, c->finished, "there is no end");
    CHECK(c, metrics_digest(c->metrics) == digest, "the metrics have another digest");
    if (!c->failed)
        compare(c);
    add_coverage(c);
    bool ok = !c->failed;
    metrics_free(c->metrics);
    mem_drop(c->job);
    mem_drop(c->row);
    mem_drop(c->piece);
    arena_free(c->arena);
    mem_drop(c);
    return ok;
}
