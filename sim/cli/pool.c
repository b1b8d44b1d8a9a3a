/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/pool.h"

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <signal.h>

#include "sim/base/mem.h"

struct worker {
    pid_t pid; /* 0: none */
    void *task;
};

struct pool {
    uint32_t n, busy;
    struct worker *worker;
    void (*ended)(void *user, void *task, int status);
    void *user;
};

struct pool *pool_new(uint32_t processes, void (*ended)(void *user, void *task, int status),
                      void *user)
{
    struct pool *p = mem_get(sizeof(*p));

    p->n = processes;
    p->worker = mem_get(processes * sizeof(*p->worker));
    p->ended = ended;
    p->user = user;
    return p;
}

void pool_free(struct pool *p)
{
    pool_wait(p);
    mem_drop(p->worker);
    mem_drop(p);
}

static void reap(struct pool *p)
{
    int status;
    pid_t pid;

    do
        pid = waitpid(-1, &status, 0);
    while (pid < 0 && errno == EINTR);
    for (uint32_t i = 0; i < p->n; i++) {
        struct worker *w = &p->worker[i];
        if (pid <= 0 || w->pid != pid)
            continue;
        w->pid = 0;
        p->busy--;
        p->ended(p->user, w->task, status);
        return;
    }
    BUG_ON(pid < 0);
}

void pool_wait(struct pool *p)
{
    while (p->busy > 0)
        reap(p);
}

bool pool_start(struct pool *p, int (*work)(void *user, void *task), void *task)
{
    pid_t parent = getpid();
    uint32_t i = 0;

    while (p->busy == p->n)
        reap(p);
    while (p->worker[i].pid != 0)
        i++;
    fflush(NULL); /* or the child would print it again */
    pid_t pid = fork();
    if (pid < 0)
        return false;
    if (pid == 0) {
        /* It does not outlive whoever waits for it. */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
            _exit(1);
        int code = work(p->user, task);
        fflush(NULL);
        _exit(code);
    }
    p->worker[i] = (struct worker){pid, task};
    p->busy++;
    return true;
}
