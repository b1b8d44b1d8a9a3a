/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One case in a child process: made ready, warmed up, timed again and again, reported through a
 * pipe. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/rng.h"
#include "tests/perf/bench.h"
#include "tests/perf/pass.h"

#define MOST_REPS 32

static double seconds(bool wall)
{
    struct timespec t;

    clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) void bench_pass(const struct bench_case *c, void *self, struct outcome *o)
{
    c->pass(self, o);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void wrong(struct outcome *o, const char *what)
{
    if (!o->fault[0])
        snprintf(o->fault, sizeof(o->fault), "%s", what);
}

static void repeat(const struct bench_case *c, void *self, struct outcome *o)
{
    double ns[MOST_REPS] = {0};
    unsigned reps = c->once ? 1 : c->reps;
    uint64_t digest = 0;

    BUG_ON(reps == 0 || reps > MOST_REPS);
    if (!c->once) {
        bench_pass(c, self, o);
        digest = o->digest;
    }
    for (unsigned i = 0; i < reps; i++) {
        double from = seconds(c->wall);
        bench_pass(c, self, o);
        ns[i] = (seconds(c->wall) - from) * 1e9 / o->units;
        if (!c->once && o->digest != digest)
            wrong(o, "the digest differs from one repetition to the next");
    }
    qsort(ns, reps, sizeof(*ns), by_size);
    o->reps = reps;
    o->best = ns[0];
    o->median = reps & 1 ? ns[reps / 2] : (ns[reps / 2 - 1] + ns[reps / 2]) / 2;
}

static void measure(const struct bench_case *c, struct outcome *o)
{
    struct rusage ru;
    void *self = c->open(c, o);

    if (!self)
        return;
    double before = meter_cal();
    repeat(c, self, o);
    o->cal = fmin(before, meter_cal());
    getrusage(c->wall ? RUSAGE_CHILDREN : RUSAGE_SELF, &ru);
    o->rss_kib = ru.ru_maxrss;
    c->close(self, o);
}

static bool read_all(int fd, void *buf, size_t size)
{
    size_t at = 0;

    while (at < size) {
        ssize_t n = read(fd, (char *)buf + at, size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static _Noreturn void be_child(const struct bench_case *c, struct outcome *o, int fd)
{
    signal(SIGINT, SIG_DFL);
    measure(c, o);
    _exit(write(fd, o, sizeof(*o)) == (ssize_t)sizeof(*o) ? 0 : 1);
}

bool meter_case(const struct bench_case *c, struct outcome *o)
{
    struct outcome got;
    int fd[2], status = 0;

    *o = (struct outcome){0};
    snprintf(o->name, sizeof(o->name), "%s", c->name);
    snprintf(o->unit, sizeof(o->unit), "%s", c->unit);
    fflush(NULL);
    pid_t pid = pipe(fd) == 0 ? fork() : -1;
    if (pid == 0)
        be_child(c, o, fd[1]);
    if (pid < 0) {
        wrong(o, "no process could be made");
        return true;
    }
    close(fd[1]);
    if (read_all(fd[0], &got, sizeof(got)))
        *o = got;
    else
        wrong(o, "the case did not come to its end");
    close(fd[0]);
    waitpid(pid, &status, 0);
    return !(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

uint64_t meter_bytes(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint64_t h = 0, word[512];
    size_t n;

    if (!f)
        return 0;
    do {
        memset(word, 0, sizeof(word));
        n = fread(word, 1, sizeof(word), f);
        for (size_t i = 0; i < (n + 7) / 8; i++)
            h = rng_mix(h, word[i]);
        h = rng_mix(h, n);
    } while (n == sizeof(word));
    fclose(f);
    return h;
}
