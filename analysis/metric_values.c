/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics by name, and how each follows from the tallies. */
#include <math.h>
#include <string.h>

#include "analysis/metrics_state.h"

const struct metric_def metric_defs[METRICS] = {
    [M_JOBS] = {"jobs", METRIC_COUNT, BETTER_NONE, "jobs submitted"},
    [M_DONE] = {"done", METRIC_COUNT, BETTER_NONE, "jobs whose work is done"},
    [M_KILLED] = {"killed", METRIC_COUNT, BETTER_NONE,
                  "trials ended by their tuner or with their experiment"},
    [M_REJECTED] = {"rejected", METRIC_COUNT, BETTER_NONE, "jobs turned away by the policy"},
    [M_UNFINISHED] = {"unfinished", METRIC_COUNT, BETTER_NONE, "jobs alive at the end of the run"},
    [M_JCT_MEAN] = {"jct_mean_s", METRIC_TIME, BETTER_LOWER,
                    "completion - submission, mean over jobs done"},
    [M_JCT_P50] = {"jct_p50_s", METRIC_TIME, BETTER_LOWER, "its median"},
    [M_JCT_P90] = {"jct_p90_s", METRIC_TIME, BETTER_LOWER, "its 90th percentile"},
    [M_JCT_P99] = {"jct_p99_s", METRIC_TIME, BETTER_LOWER, "its 99th percentile"},
    [M_JCT_MAX] = {"jct_max_s", METRIC_TIME, BETTER_LOWER, "its maximum"},
    [M_WAIT_MEAN] = {"wait_mean_s", METRIC_TIME, BETTER_LOWER,
                     "JCT less set-up and progress, mean over jobs done"},
    [M_WAIT_P50] = {"wait_p50_s", METRIC_TIME, BETTER_LOWER, "its median"},
    [M_WAIT_P99] = {"wait_p99_s", METRIC_TIME, BETTER_LOWER, "its 99th percentile"},
    [M_WAIT_MAX] = {"wait_max_s", METRIC_TIME, BETTER_LOWER, "its maximum"},
    [M_SLOWDOWN_MEAN] = {"bounded_slowdown_mean", METRIC_NUMBER, BETTER_LOWER,
                         "max(1, JCT / max(run_s, 10 s)), mean over jobs done; run_s: of jobs.csv"},
    [M_SLOWDOWN_MAX] = {"bounded_slowdown_max", METRIC_NUMBER, BETTER_LOWER, "its maximum"},
    [M_MAKESPAN] = {"makespan_s", METRIC_TIME, BETTER_LOWER,
                    "last end - first submission, if every job has ended"},
    [M_END] = {"end_s", METRIC_TIME, BETTER_NONE, "when the run ended, last save included"},
    [M_GPUS] = {"gpus", METRIC_COUNT, BETTER_NONE, "GPUs of the cluster"},
    [M_GPU_BUSY_SHARE] =
        {"gpu_busy_share", METRIC_NUMBER, BETTER_HIGHER,
         "GPU time in progress / (GPUs * makespan, or time until the run was cut); a shared GPU's "
         "once for each job on it"},
    [M_GPU_HELD_SHARE] = {"gpu_held_share", METRIC_NUMBER, BETTER_NONE,
                          "GPU time held by jobs / the same"},
    [M_GPU_USEFUL] = {"gpu_useful_s", METRIC_GPU_TIME, BETTER_NONE,
                      "GPU time whose progress was kept"},
    [M_GPU_LOST] = {"gpu_lost_s", METRIC_GPU_TIME, BETTER_LOWER,
                    "GPU time whose progress was discarded"},
    [M_GPU_SETUP] = {"gpu_setup_s", METRIC_GPU_TIME, BETTER_LOWER,
                     "GPU time in starting, restoring, relocating"},
    [M_GPU_SAVE] = {"gpu_save_s", METRIC_GPU_TIME, BETTER_LOWER,
                    "GPU time in saving suspended state"},
    [M_GPU_IDLE] = {"gpu_idle_s", METRIC_GPU_TIME, BETTER_LOWER,
                    "the rest up to end_s; of shared GPUs the time in which no job computes"},
    [M_STARTS] = {"starts", METRIC_COUNT, BETTER_NONE, "times a job took GPUs"},
    [M_PREEMPTIONS] = {"preemptions", METRIC_COUNT, BETTER_NONE, "times the policy took them away"},
    [M_RELOCATIONS] = {"relocations", METRIC_COUNT, BETTER_NONE,
                       "starts with state from another node"},
    [M_LOST_PER_JOB] = {"overhead_mean_s", METRIC_TIME, BETTER_LOWER,
                        "GPU time in set-up, saves and lost progress, a job"},
    [M_REFUSALS] = {"refusals", METRIC_COUNT, BETTER_LOWER, "acts that were refused"},
    [M_TOLD] = {"predictions", METRIC_COUNT, BETTER_NONE,
                "starts on a GPU type where the job had not been measured"},
    [M_TOLD_ERROR_MEAN] = {"prediction_error_mean", METRIC_NUMBER, BETTER_NONE,
                           "|predicted - true| / true of their rates, mean"},
    [M_TOLD_ERROR_MAX] = {"prediction_error_max", METRIC_NUMBER, BETTER_NONE, "its maximum"},
    [M_EXPERIMENTS] = {"experiments", METRIC_COUNT, BETTER_NONE, "HPO studies that began"},
    [M_TRIALS] = {"trials", METRIC_COUNT, BETTER_NONE, "their trials that were submitted"},
    [M_GOOD_TRIALS] = {"good_trials", METRIC_COUNT, BETTER_NONE, "good ones among them (eq. 8)"},
    [M_HPO_MEAN_GOOD] =
        {"hpo_mean_good_s", METRIC_TIME, BETTER_LOWER,
         "end of a good trial - begin of its experiment, mean; mean over experiments (eq. 28)"},
    [M_HPO_FIRST_GOOD] = {"hpo_first_good_s", METRIC_TIME, BETTER_LOWER,
                          "the same for the first good trial"},
    [M_HPO_ALL_GOOD] =
        {"hpo_all_good_s", METRIC_TIME, BETTER_LOWER,
         "the same for the last good trial, if all of them are done, submitted or not"},
    [M_HPO_TARGET] = {"hpo_target_s", METRIC_TIME, BETTER_LOWER,
                      "until the target metric is first reported"},
    [M_HPO_REGRET] = {"hpo_regret_s", METRIC_TIME, BETTER_LOWER,
                      "area under the regret of the best metric so far, until the deadline or the "
                      "end of the run"},
    [M_HPO_REGRET_LEFT] =
        {"hpo_regret_left", METRIC_NUMBER, BETTER_LOWER,
         "regret at its end: 1 before training, 0 at the best last metric of all recordings"},
    [M_HPO_BEST] = {"hpo_best_metric", METRIC_NUMBER, BETTER_NONE,
                    "best metric reported, of the first experiment"},
    [M_ALONE_MAX] =
        {"slowdown_max", METRIC_NUMBER, BETTER_LOWER,
         "shared GPUs: (end - first start) / completion alone (eq. 22), largest of jobs done"},
    [M_ALONE_MEAN] = {"slowdown_mean", METRIC_NUMBER, BETTER_LOWER, "its mean"},
    [M_ALONE_STD] = {"slowdown_std", METRIC_NUMBER, BETTER_LOWER,
                     "its standard deviation over the jobs done"},
    [M_ALONE_JAIN] = {"slowdown_jain", METRIC_NUMBER, BETTER_HIGHER,
                      "its Jain index, (sum S)^2 / (n sum S^2); 1: all alike"},
    [M_GPU_ACTIVE_SHARE] =
        {"gpu_active_share", METRIC_NUMBER, BETTER_HIGHER,
         "shared GPUs: their time with a job computing (eq. 25) / (GPUs * makespan, or time until "
         "the run was cut)"},
    [M_GPU_WORK_SHARE] = {"gpu_work_share", METRIC_NUMBER, BETTER_HIGHER,
                          "shared GPUs: work done / the most that they could do in that time, jobs "
                          "beside each other"},
    [M_SPLITS] = {"splits", METRIC_COUNT, BETTER_NONE,
                  "shared GPUs: times a job's batch was split anew"},
    [M_RESIZES] = {"resizes", METRIC_COUNT, BETTER_NONE,
                   "shared GPUs: times a job that held some was given others"},
};

bool metric_applies(const struct metric_value *values, int id)
{
    return !metric_is_shared(id) || values[M_SPLITS].defined;
}

double metrics_slowdown(sim_time jct, sim_time run)
{
    if (run < 10 * SIM_SECOND)
        run = 10 * SIM_SECOND;
    return jct > run ? (double)jct / (double)run : 1;
}

uint64_t metrics_digest(const struct metrics *m)
{
    return m->digest;
}

const char *metrics_ended(const struct metrics *m)
{
    return m->ended;
}

static void set_time(struct metric_value *v, sim_area ns)
{
    *v = (struct metric_value){true, ns, 0};
}
static void set_number(struct metric_value *v, double x)
{
    *v = (struct metric_value){true, 0, x};
}

static void set_dist(struct metrics *m, struct metric_value *v)
{
    static const struct {
        enum metric_id id;
        double p;
    } jct[] = {{M_JCT_P50, 0.5}, {M_JCT_P90, 0.9}, {M_JCT_P99, 0.99}, {M_JCT_MAX, 1}},
      wait[] = {{M_WAIT_P50, 0.5}, {M_WAIT_P99, 0.99}, {M_WAIT_MAX, 1}};

    if (m->n_done == 0)
        return;
    set_time(&v[M_JCT_MEAN], dist_mean(&m->jct));
    set_time(&v[M_WAIT_MEAN], dist_mean(&m->wait));
    for (size_t i = 0; i < sizeof(jct) / sizeof(*jct); i++)
        set_time(&v[jct[i].id], dist_quantile(&m->jct, jct[i].p));
    for (size_t i = 0; i < sizeof(wait) / sizeof(*wait); i++)
        set_time(&v[wait[i].id], dist_quantile(&m->wait, wait[i].p));
    set_number(&v[M_SLOWDOWN_MEAN], m->slowdown_sum / (double)m->n_done);
    set_number(&v[M_SLOWDOWN_MAX], m->slowdown_max);
}

static void set_gpu_times(struct metrics *m, struct metric_value *v)
{
    sim_time end = m->latest_ready > m->now ? m->latest_ready : m->now;
    sim_time makespan = m->last_end - m->first;
    sim_time window = m->n_alive ? m->now - m->first : makespan;
    sim_area used = m->useful + m->lost + m->setup + m->save;

    set_time(&v[M_END], end);
    set_time(&v[M_GPU_USEFUL], m->useful);
    set_time(&v[M_GPU_LOST], m->lost);
    set_time(&v[M_GPU_SETUP], m->setup);
    set_time(&v[M_GPU_SAVE], m->save);
    if (m->shared)
        used = (sim_area)(m->active + 0.5);
    sim_area idle = (sim_area)end * m->gpus - used;
    set_time(&v[M_GPU_IDLE], idle > 0 ? idle : 0);
    if (m->n_jobs > 0)
        set_time(&v[M_LOST_PER_JOB], (m->lost + m->setup + m->save) / (sim_area)m->n_jobs);
    if (m->n_done + m->n_killed > 0 && m->n_alive == 0 && makespan > 0)
        set_time(&v[M_MAKESPAN], makespan);
    if (m->n_jobs == 0 || window <= 0)
        return;
    set_number(&v[M_GPU_BUSY_SHARE], (double)(m->useful + m->lost) / (double)window / m->gpus);
    set_number(&v[M_GPU_HELD_SHARE], (double)m->held_area / (double)window / m->gpus);
    if (!m->shared)
        return;
    set_number(&v[M_GPU_ACTIVE_SHARE], m->active / (double)window / m->gpus);
    set_number(&v[M_GPU_WORK_SHARE], m->work / (double)window / m->gpus);
}

static void set_slowdowns(const struct metrics *m, struct metric_value *v)
{
    double n = (double)m->alone.n, mean = m->alone.mean;
    double variance = m->alone.n > 0 ? m->alone.squares / n : 0;

    set_number(&v[M_SPLITS], (double)m->n_splits);
    set_number(&v[M_RESIZES], (double)m->n_resizes);
    if (m->alone.n == 0)
        return;
    set_number(&v[M_ALONE_MAX], m->alone.max);
    set_number(&v[M_ALONE_MEAN], mean);
    set_number(&v[M_ALONE_STD], sqrt(variance));
    double squares = mean * mean + variance; /* 0: no job took any time */
    set_number(&v[M_ALONE_JAIN], squares > 0 ? mean * mean / squares : 1);
}

void metrics_values(struct metrics *m, struct metric_value *v)
{
    const struct {
        enum metric_id id;
        uint64_t n;
    } counts[] = {{M_JOBS, m->n_jobs},         {M_DONE, m->n_done},
                  {M_KILLED, m->n_killed},     {M_REJECTED, m->n_rejected},
                  {M_UNFINISHED, m->n_alive},  {M_GPUS, m->gpus},
                  {M_STARTS, m->n_starts},     {M_PREEMPTIONS, m->n_preempts},
                  {M_RELOCATIONS, m->n_moves}, {M_REFUSALS, m->n_refusals},
                  {M_TOLD, m->n_told}};

    memset(v, 0, METRICS * sizeof(*v));
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        set_number(&v[counts[i].id], (double)counts[i].n);
    set_dist(m, v);
    set_gpu_times(m, v);
    if (m->n_told > 0) {
        set_number(&v[M_TOLD_ERROR_MEAN], m->told_sum / (double)m->n_told);
        set_number(&v[M_TOLD_ERROR_MAX], m->told_max);
    }
    if (m->shared)
        set_slowdowns(m, v);
    studies_values(&m->studies, v);
}
