/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run of 20 jobs on 8 GPUs costs from fork to exit, as a process; `true` is the least there
 * is. */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/perf/bench.h"
#include "tests/perf/jobs.h"

#define PROCESSES 8 /* of one repetition */

extern char **environ;

struct start {
    char program[512], run[4], config[10];
    char *argv[4];
    posix_spawn_file_actions_t files;
};

static bool write_config(struct diag *d)
{
    struct shape s = {.gpus = 8, .load = 0.9, .mu = 7, .sigma = 1.5};
    struct out *o = out_create(d, "tiny.yaml");

    if (!o)
        return false;
    out_text(o, "cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, count: 1, gpus: 8}]}\n"
                "trace: tiny.csv\npolicy: fifo\n");
    return out_commit(o) && jobs_csv(d, "tiny.csv", s, 20, "job_id");
}

static bool spawn(struct start *s, char *const *argv)
{
    pid_t pid;
    int status;

    return posix_spawn(&pid, argv[0], &s->files, NULL, argv, environ) == 0 &&
           waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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

/* The program beside this one, in buf; false: there is none. */
static bool find_hetune(char *buf, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", buf, size - 8);

    while (n > 0 && buf[n - 1] != '/')
        n--;
    if (n > 0)
        snprintf(buf + n, size - (size_t)n, "hetune");
    return n > 0 && access(buf, X_OK) == 0;
}

static void *open_start(const struct bench_case *c, struct outcome *o)
{
    struct start *s = mem_get(sizeof(*s));
    struct diag *d = diag_new(stderr);

    (void)c;
    *s = (struct start){.run = "run", .config = "tiny.yaml"};
    if (!find_hetune(s->program, sizeof(s->program))) {
        snprintf(o->note, sizeof(o->note), "hetune is not beside this program");
        return NULL;
    }
    if (!write_config(d)) {
        snprintf(o->fault, sizeof(o->fault), "no configuration could be written");
        return NULL;
    }
    s->argv[0] = s->program;
    s->argv[1] = s->run;
    s->argv[2] = s->config;
    posix_spawn_file_actions_init(&s->files);
    posix_spawn_file_actions_addopen(&s->files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    o->anchor = nothing(s);
    diag_free(d);
    return s;
}

static void pass_start(void *self, struct outcome *o)
{
    struct start *s = self;

    for (int i = 0; i < PROCESSES; i++)
        if (!spawn(s, s->argv))
            snprintf(o->fault, sizeof(o->fault), "hetune failed");
    o->units = PROCESSES;
    snprintf(o->note, sizeof(o->note), "wall time; true: %.2f ms", o->anchor / 1e6);
}

static void close_start(void *self, struct outcome *o)
{
    struct start *s = self;

    (void)o;
    posix_spawn_file_actions_destroy(&s->files);
    mem_drop(s);
}

const struct bench_case start_cases[] = {
    {.name = "start.tiny",
     .unit = "process",
     .reps = 15,
     .wall = true,
     .open = open_start,
     .pass = pass_start,
     .close = close_start},
    {.name = NULL},
};
