/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inequalities between schedules, exact on every sample path. */
#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define WORLDS    SMALL_WORLDS(200)
#define LENGTH(x) (sizeof(x) / sizeof *(x))

static sim_time jct(const struct history *s, uint32_t number)
{
    const struct record *arrive = history_find(s, REC_ARRIVE, number),
                        *end = history_find(s, REC_END, number);

    cr_assert(arrive && end, "job %u has not ended", number);
    return end->t - arrive->t;
}

/* ---- strict FIFO on interchangeable GPUs: more room, less work, nobody starts later ---- */

static const struct small_shape gangs = {1, 4, 4, 14, 6, 0, false, false, false, false};

static uint32_t some(const struct small *s, uint32_t n)
{
    return (uint32_t)(s->world.seed * 2654435761u % n);
}

/* Each returns which job is gone; UINT32_MAX: none. */
static uint32_t one_gpu_more(struct small *s)
{
    small_nodes(s, 0, 1, 1);
    return UINT32_MAX;
}

static uint32_t shorter_job(struct small *s)
{
    struct job_spec *j = &s->job[some(s, s->n_jobs)];

    j->work = (j->work + 1) / 2;
    return UINT32_MAX;
}

static uint32_t smaller_job(struct small *s)
{
    struct job_spec *j = &s->job[some(s, s->n_jobs)];

    j->gpus -= j->gpus > 1;
    return UINT32_MAX;
}

static uint32_t one_job_less(struct small *s)
{
    uint32_t gone = some(s, s->n_jobs);

    s->n_jobs--;
    for (uint32_t i = gone; i < s->n_jobs; i++)
        s->job[i] = s->job[i + 1];
    return gone;
}

/* In how many of the worlds some job starts later after a change for the better. */
static uint32_t anomalies(uint32_t (*change)(struct small *), const char *label)
{
    uint32_t n = 0;

    for (uint64_t seed = 0; seed < 5 * WORLDS; seed++) {
        struct small *s = small_random(seed, &gangs);
        struct history *before = history_of(s, label);
        uint32_t all = s->n_jobs, gone = change(s);
        struct history *after = history_of(s, label);
        bool later = false;
        for (uint32_t i = 0, k = 0; i < all; i++) {
            if (i == gone)
                continue;
            later |= history_find(after, REC_START, k++)->t > history_find(before, REC_START, i)->t;
        }
        n += later;
        history_free(before);
        history_free(after);
        small_free(s);
    }
    return n;
}

Test(order, fifo_is_monotone)
{
    static uint32_t (*const changes[])(struct small *) = {one_gpu_more, shorter_job, smaller_job,
                                                          one_job_less};

    for (size_t i = 0; i < LENGTH(changes); i++) {
        cr_assert_eq(anomalies(changes[i], "fifo"), 0, "change %zu", i);
        /* Others are not (Graham's anomalies): the worlds are such that it would show. */
        cr_assert_gt(anomalies(changes[i], "fifo[skip_ahead=true]"), 0, "change %zu", i);
        cr_assert_gt(anomalies(changes[i], "sjf"), 0, "change %zu", i);
    }
}

/* ---- one GPU without overheads: the work is done at the same time whoever schedules ---- */

static void free_and_whole(struct small *s)
{
    s->world.keeps = KEEP_STATE;
    s->until = SIM_NEVER;
}

static sim_time last_end(const struct history *s)
{
    sim_time last = 0;

    for (uint32_t i = 0; i < s->n; i++)
        if (s->record[i].kind == REC_END)
            last = s->record[i].t;
    return last;
}

/* FIFO has the least maximum of JCT, SRTF the least mean; the makespan is the same. */
static void check_one_gpu(const struct small *s, bool durations)
{
    struct history *fifo = history_of(s, "fifo"), *srtf = history_of(s, "srtf");

    for (const struct law_policy *p = law_policies; p->label; p++) {
        struct history *history = history_of(s, p->label);
        sim_area sum = 0, least = 0;
        sim_time most = 0, most_fifo = 0;
        for (uint32_t j = 0; j < s->n_jobs; j++) {
            sum += jct(history, j);
            least += jct(srtf, j);
            most = jct(history, j) > most ? jct(history, j) : most;
            most_fifo = jct(fifo, j) > most_fifo ? jct(fifo, j) : most_fifo;
        }
        cr_assert_eq(last_end(history), last_end(fifo), "world %llu, %s: makespan",
                     (unsigned long long)s->world.seed, p->label);
        cr_assert(most >= most_fifo, "world %llu, %s: largest JCT",
                  (unsigned long long)s->world.seed, p->label);
        cr_assert(sum >= least || !durations, "world %llu, %s: mean JCT",
                  (unsigned long long)s->world.seed, p->label);
        history_free(history);
    }
    history_free(fifo);
    history_free(srtf);
}

Test(order, one_gpu)
{
    static const struct small_shape shapes[] = {{1, 1, 1, 12, 1, 0, false, true, false, false},
                                                {1, 1, 1, 10, 1, 0, true, true, false, false}};

    for (uint64_t seed = 0; seed < 2 * WORLDS; seed++) {
        struct small *s = small_random(seed, &shapes[seed % 2]);
        free_and_whole(s);
        check_one_gpu(s, seed % 2 == 0);
        small_free(s);
    }
}

/* ---- list schedules of jobs of one GPU on m GPUs ---- */

/* No GPU is free while a job waits. */
static void check_work_conserving(const struct small *s, const struct history *history,
                                  const char *label)
{
    uint32_t waiting = 0, free = s->world.n_gpus;

    for (uint32_t i = 0; i < history->n; i++) {
        const struct record *r = &history->record[i];
        waiting += (r->kind == REC_ARRIVE || r->kind == REC_PREEMPT);
        waiting -= r->kind == REC_START;
        free += r->kind == REC_END || r->kind == REC_PREEMPT ? r->n : 0;
        free -= r->kind == REC_START ? r->n : 0;
        bool last = i + 1 == history->n || history->record[i + 1].t > r->t;
        cr_assert(!last || waiting == 0 || free == 0,
                  "world %llu, %s: %u wait, %u GPUs are free at %lld",
                  (unsigned long long)s->world.seed, label, waiting, free, (long long)r->t);
    }
}

/* While a job waits all GPUs do other work: m * wait <= work of the others. */
static void check_graham(const struct small *s, const struct history *history, const char *label)
{
    sim_area all = 0;

    for (uint32_t j = 0; j < s->n_jobs; j++)
        all += s->job[j].work;
    for (uint32_t j = 0; j < s->n_jobs; j++)
        cr_assert((sim_area)s->world.n_gpus * (jct(history, j) - s->job[j].work) <=
                      all - s->job[j].work,
                  "world %llu, %s, job %u", (unsigned long long)s->world.seed, label, j);
}

Test(order, list_schedules)
{
    static const struct small_shape shapes[] = {{1, 4, 4, 20, 1, 0, false, false, false, false},
                                                {1, 4, 4, 20, 1, 0, false, true, true, false}};

    for (uint64_t seed = 0; seed < 2 * WORLDS; seed++) {
        struct small *s = small_random(seed, &shapes[seed % 2]);
        free_and_whole(s);
        for (const struct law_policy *p = law_policies; p->label; p++) {
            if (!(p->is & IS_GREEDY))
                continue;
            struct history *history = history_of(s, p->label);
            check_work_conserving(s, history, p->label);
            if (seed % 2 == 0)
                check_graham(s, history, p->label);
            history_free(history);
        }
        small_free(s);
    }
}
