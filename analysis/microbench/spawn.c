/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/microbench/spawn.h"

static const char daemon_name[] = "nvidia-cuda-mps-control";
static char folder[64]; /* of the running MPS daemon */

/* ---- children ---- */

static void use_mps(const char *pipes)
{
    setenv("CUDA_MPS_PIPE_DIRECTORY", pipes, 1);
    setenv("CUDA_MPS_LOG_DIRECTORY", pipes, 1);
}

/* In the child. */
static _Noreturn void become(const int in[2], const int out[2], const char *work, const char *mps)
{
    char self[] = "/proc/self/exe", option[] = "--child", name[32];
    char *args[] = {self, option, name, NULL};

    snprintf(name, sizeof name, "%s", work);
    /* Without a daemon's folder CUDA would look for one at the usual place. */
    use_mps(mps ? mps : "/nonexistent");
    dup2(in[0], 0);
    dup2(out[1], 1);
    execv(self, args);
    _exit(127);
}

bool mb_spawn(struct mb_child *c, const char *work, const char *mps, char *why, size_t size)
{
    int in[2], out[2];

    *c = (struct mb_child){0};
    if (pipe2(in, O_CLOEXEC) != 0) {
        snprintf(why, size, "no pipe: %s", strerror(errno));
        return false;
    }
    if (pipe2(out, O_CLOEXEC) != 0 || (c->pid = fork()) < 0) {
        snprintf(why, size, "no process: %s", strerror(errno));
        close(in[0]);
        close(in[1]);
        c->pid = 0;
        return false;
    }
    if (c->pid == 0)
        become(in, out, work, mps);
    close(in[0]);
    close(out[1]);
    c->to = in[1];
    c->from = out[0];
    return true;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool mb_hear(struct mb_child *c, double seconds, char *line, size_t size, char *why,
             size_t why_size)
{
    double until = now() + seconds;
    size_t n = 0;

    for (;;) {
        struct pollfd p = {.fd = c->from, .events = POLLIN};
        double left = until - now();
        char byte;

        if (left <= 0 || poll(&p, 1, (int)(1e3 * left) + 1) == 0) {
            snprintf(why, why_size, "a child process says nothing for %.0f s", seconds);
            return false;
        }
        if (read(c->from, &byte, 1) != 1) {
            snprintf(why, why_size, "a child process ended without a result");
            return false;
        }
        if (byte == '\n')
            break;
        if (n + 1 < size)
            line[n++] = byte;
    }
    line[n] = '\0';
    if (strncmp(line, "error ", 6) != 0)
        return true;
    snprintf(why, why_size, "a child process: %s", line + 6);
    return false;
}

void mb_tell(struct mb_child *c, const char *line)
{
    /* One that has ended is noticed when it is heard. */
    if (write(c->to, line, strlen(line)) < 0 || write(c->to, "\n", 1) < 0)
        return;
}

void mb_reap(struct mb_child *c)
{
    double until = now() + 10;

    if (c->pid <= 0)
        return;
    close(c->to);
    close(c->from);
    while (waitpid(c->pid, NULL, WNOHANG) == 0) {
        if (now() > until)
            kill(c->pid, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    *c = (struct mb_child){0};
}

/* ---- the MPS daemon ---- */

/* Its control program with an option, or a line for it to read. Returns its exit code. */
static int control(const char *option, const char *line)
{
    int in[2], code;
    pid_t pid;

    if (pipe2(in, O_CLOEXEC) != 0 || (pid = fork()) < 0)
        return -1;
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

        use_mps(folder);
        dup2(in[0], 0);
        dup2(null, 1);
        dup2(null, 2);
        execlp(daemon_name, daemon_name, option, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    code = line && write(in[1], line, strlen(line)) < 0 ? -1 : 0;
    close(in[1]);
    if (waitpid(pid, &code, 0) != pid)
        return -1;
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

static void remove_folder(void)
{
    DIR *dir = opendir(folder);

    for (struct dirent *e; dir && (e = readdir(dir));)
        unlinkat(dirfd(dir), e->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(folder);
    folder[0] = '\0';
}

const char *mb_mps_start(char *why, size_t size)
{
    int code;

    snprintf(folder, sizeof folder, "/tmp/microbench-mps-XXXXXX");
    if (!mkdtemp(folder)) {
        snprintf(why, size, "no folder for MPS: %s", strerror(errno));
        folder[0] = '\0';
        return NULL;
    }
    code = control("-d", NULL);
    if (code == 0)
        return folder;
    snprintf(why, size, code == 127 ? "%s is not installed" : "%s does not start", daemon_name);
    remove_folder();
    return NULL;
}

void mb_mps_stop(void)
{
    if (!folder[0])
        return;
    control(NULL, "quit\n");
    remove_folder();
}
