/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run of 20 jobs on 8 GPUs costs from fork to exit, as a process; `true` is the least there is. */
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

#include "tests/perf/bench.h"
#include "tests/perf/jobs.h"

#define PROCESSES 8                     /* of one repetition */

extern char **environ;

struct start {
    char *argv[4];
    posix_spawn_file_actions_t files;
};

static bool write_config(struct diag *d, struct arena *a)
{
    struct shape s = {.gpus = 8, .load = 0.9, .mu = 7, .sigma = 1.5};
    struct out *o = out_create(d, bench_temp("tiny.yaml"));

    if (!o || !jobs_csv(d, bench_temp("tiny.csv"), s, 20, "job_id"))
        return false;
    out_text(o, arena_printf(a, "cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, count: 1, gpus: 8}]}\n"
                                "trace: tiny.csv\npolicy: fifo\n"));
    return out_commit(o);
}

static bool spawn(struct start *s, char *const *argv)
{
    pid_t pid;
    int status;

    return posix_spawn(&pid, argv[0], &s->files, NULL, argv, environ) == 0 && waitpid(pid, &status, 0) == pid &&
           WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ns of the fastest of some processes that do nothing. */
static double nothing(struct start *s)
{
    static char path[] = "/bin/true";
    char *argv[] = {path, NULL};
    double best = 1e18;

    for (int i = 0; i < 64; i++) {
        double from = now();
        if (!spawn(s, argv))
            return 0;
        best = now() - from < best ? now() - from : best;
    }
    return best;
}

static char *word(struct arena *a, const char *text) { return arena_printf(a, "%s", text); }

static void *open_start(const struct bench_case *c, struct outcome *o)
{
    struct arena *a = arena_new();
    struct start *s = arena_get(a, sizeof(*s));
    struct diag *d = diag_new(stderr);

    (void)c;
    if (access(bench_hetune(), X_OK) != 0) {
        snprintf(o->note, sizeof(o->note), "there is no %.60s", bench_hetune());
        return NULL;
    }
    if (!write_config(d, a)) {
        snprintf(o->fault, sizeof(o->fault), "no configuration could be written");
        return NULL;
    }
    s->argv[0] = word(a, bench_hetune());
    s->argv[1] = word(a, "run");
    s->argv[2] = word(a, bench_temp("tiny.yaml"));
    posix_spawn_file_actions_init(&s->files);
    posix_spawn_file_actions_addopen(&s->files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    o->anchor = nothing(s);
    return s;
}

static void pass_start(void *self, struct outcome *o)
{
    struct start *s = self;

    for (int i = 0; i < PROCESSES; i++)
        if (!spawn(s, s->argv))
            snprintf(o->fault, sizeof(o->fault), "%s failed", bench_hetune());
    o->units = PROCESSES;
    snprintf(o->note, sizeof(o->note), "wall time; true: %.2f ms", o->anchor / 1e6);
}

static void close_start(void *self, struct outcome *o)
{
    (void)o;
    posix_spawn_file_actions_destroy(&((struct start *)self)->files);
}

const struct bench_case start_cases[] = {
    {.name = "start.tiny", .unit = "process", .reps = 15, .wall = true, .open = open_start, .pass = pass_start,
     .close = close_start},
    {.name = NULL},
};
