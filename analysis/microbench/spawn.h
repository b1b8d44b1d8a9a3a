/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spawn.h - child processes of this program, each with a CUDA context of its own.
 */
#ifndef MICROBENCH_SPAWN_H
#define MICROBENCH_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct mb_child {
    pid_t pid;
    int to, from; /* its standard input and output */
};

/* This program with --child WORK and, unless NULL, the folder of an MPS daemon. False: why. */
bool mb_spawn(struct mb_child *, const char *work, const char *mps, char *why, size_t size);

/* Its next line without the end; false, with why, if there is none within so many seconds or it
 * begins with "error ". */
bool mb_hear(struct mb_child *, double seconds, char *line, size_t size, char *why,
             size_t why_size);
void mb_tell(struct mb_child *, const char *line);

/* Waits, and ends it by force if it does not end. Fine for one that is zero. */
void mb_reap(struct mb_child *);

/* An MPS daemon with a folder of its own; NULL, with why: there is none on this machine or it does
 * not start. */
const char *mb_mps_start(char *why, size_t size);
void mb_mps_stop(void);

#endif
