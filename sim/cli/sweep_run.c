/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/sweep_run.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/cli/pool.h"
#include "sim/cli/runner.h"
#include "sim/cli/stop.h"

#define STALE_S 60 /* a file of a point is written in less */

/* What a process is to do; all that its parent needs once it has died is its own copy. */
struct task {
    struct point point;
    const struct planned *planned; /* good in the child */
};

struct running {
    struct sweep_job *job;
    struct pool *pool;
    struct arena *arena; /* for the rows that are looked at */
    struct sweep_count count;
    uint64_t done, mine; /* points of this shard */
    bool stuck;          /* files cannot be written */
};

/* ---- in the child ---- */

/* The first complaint without its word `error`. */
static const char *first_line(struct arena *a, const char *text)
{
    const char *from = strstr(text, "error: ");
    size_t len = strcspn(text, "\n");

    if (from && from < text + len && from == text)
        text += strlen("error: ");
    return arena_text(a, text, strcspn(text, "\n"));
}

static const char *folder_of(const struct running *x, const struct task *t)
{
    return x->job->keep_runs
               ? arena_printf(t->planned->arena, "%s/runs/%s", x->job->dir, t->planned->hash)
               : NULL;
}

/* A run whose complaints are kept as the reason of its row. */
static int carry_out(const struct running *x, struct task *t, const char **said)
{
    const struct planned *p = t->planned;
    char *text = NULL;
    size_t len;
    FILE *listen = open_memstream(&text, &len);
    struct diag *diag = diag_new(listen);
    struct runner r = {.config = p->config,
                       .arena = p->arena,
                       .diag = diag,
                       .quiet = true,
                       .silent = true,
                       .paranoid = x->job->paranoid,
                       .identity = *p->identity,
                       .command = "a point of a sweep"};
    struct outcome out;
    int code = runner_one(&r, p->policy, p->seed, folder_of(x, t), &out);

    diag_free(diag);
    fclose(listen);
    *said = first_line(p->arena, text);
    t->point.result = out.result;
    t->point.reason = code == EXIT_POLICY ? out.reason : code == EXIT_USAGE ? *said : "";
    return code;
}

static int work(void *user, void *task)
{
    const struct running *x = user;
    struct task *t = task;
    const char *said;
    int code = carry_out(x, t, &said);

    if (code == EXIT_IO)
        fprintf(stderr, "%s\n", said);
    if (code != EXIT_FINE && code != EXIT_POLICY && code != EXIT_USAGE)
        return code;
    t->point.status = code == EXIT_FINE     ? POINT_COMPLETE
                      : code == EXIT_POLICY ? POINT_POLICY
                                            : POINT_INPUT;
    return point_write(x->job->diag, point_path(t->planned->arena, x->job->dir, t->point.hash),
                       &t->point)
               ? EXIT_FINE
               : EXIT_IO;
}

/* ---- in the parent ---- */

static const char *copy(const char *text)
{
    size_t n = strlen(text) + 1;

    return memcpy(mem_get(n), text, n);
}

static void free_copy(const char *text)
{
    mem_drop((void *)(uintptr_t)text);
}

static struct task *task_new(const struct sweep *s, const struct planned *p)
{
    struct task *t = mem_get(sizeof(*t));

    t->planned = p;
    t->point.hash = copy(p->hash);
    t->point.reason = "";
    t->point.result = (struct result){.label = copy(p->policy->label),
                                      .world = copy(p->identity->world),
                                      .predictor = "",
                                      .position = p->at[s->policy],
                                      .oracle = p->policy->policy->flags & POLICY_ORACLE,
                                      .seed = p->seed};
    return t;
}

static void task_free(struct task *t)
{
    free_copy(t->point.hash);
    free_copy(t->point.result.label);
    free_copy(t->point.result.world);
    mem_drop(t);
}

static bool is_stop(int number)
{
    return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

/* A process that died has a row as well. */
static void note_crash(struct running *x, struct task *t, int number)
{
    char why[80];

    snprintf(why, sizeof(why), "its process died of signal %d (%s)", number, strsignal(number));
    t->point.status = number == SIGKILL ? POINT_KILLED : POINT_CRASHED;
    t->point.reason = why;
    x->stuck |=
        !point_write(x->job->diag, point_path(x->arena, x->job->dir, t->point.hash), &t->point);
}

static void count_row(struct running *x, const char *hash)
{
    struct point p;

    arena_reset(x->arena);
    sweep_row(x->arena, x->job->diag, x->job->dir, hash, &p, &x->count);
    x->done++;
    cli_progress(x->job->quiet, "points", (double)x->done, (double)x->mine);
}

static void ended(void *user, void *task, int status)
{
    struct running *x = user;
    struct task *t = task;
    bool stopped = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SIGNAL;

    if (WIFSIGNALED(status) && !(stop_asked() && is_stop(WTERMSIG(status))))
        note_crash(x, t, WTERMSIG(status));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_IO)
        x->stuck = true;
    if (!stopped && !x->stuck)
        count_row(x, t->point.hash);
    task_free(t);
}

bool sweep_row(struct arena *a, struct diag *d, const char *dir, const char *hash, struct point *p,
               struct sweep_count *count)
{
    enum point_found found = point_find(a, d, dir, hash, p);

    if (found == POINT_THERE)
        count->by_status[p->status]++;
    else if (found == POINT_MISSING)
        count->missing++;
    else
        count->damaged++;
    return found == POINT_THERE;
}

/* Whether a point has what is wanted of it. */
static bool is_done(struct running *x, const char *hash)
{
    struct sweep_count seen = {0};
    struct point p;

    arena_reset(x->arena);
    return sweep_row(x->arena, x->job->diag, x->job->dir, hash, &p, &seen) &&
           p.status != POINT_KILLED && (p.status == POINT_COMPLETE || !x->job->retry);
}

static bool visit(void *user, const struct planned *p)
{
    struct running *x = user;
    struct sweep_job *job = x->job;

    if (p->number % job->shards != job->shard)
        return true;
    if (stop_asked() || x->stuck)
        return false;
    if (is_done(x, p->hash)) {
        count_row(x, p->hash);
        return true;
    }
    return pool_start(x->pool, work, task_new(job->sweep, p)) ||
           diag_io(job->diag, "a new process", errno, "make");
}

/* What a killed process has left; others may be writing now. */
static void sweep_out(const char *dir)
{
    DIR *d = opendir(dir);
    struct timespec now;
    struct stat st;

    if (!d)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (strstr(e->d_name, ".tmp-") && fstatat(dirfd(d), e->d_name, &st, 0) == 0 &&
            now.tv_sec - st.st_mtime > STALE_S)
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
}

int sweep_run(struct sweep_job *job, struct sweep_count *count)
{
    struct running x = {.job = job, .arena = arena_new()};
    struct arena *a = arena_new();
    const char *points = arena_printf(a, "%s/points", job->dir);

    x.mine = job->points / job->shards + (job->shard < job->points % job->shards);
    sweep_out(points);
    stop_watch();
    x.pool = pool_new(job->processes, ended, &x);
    bool ok = sweep_each(job->sweep, job->diag, job->plugs, job->libraries, visit, &x);
    pool_free(x.pool);
    x.stuck |= !out_settle(job->diag, points);
    arena_free(a);
    arena_free(x.arena);
    cli_progress_end(job->quiet);
    *count = x.count;
    if (stop_asked())
        return EXIT_SIGNAL + stop_asked();
    return x.stuck ? EXIT_IO : cli_exit(job->diag, ok ? EXIT_FINE : EXIT_USAGE);
}
