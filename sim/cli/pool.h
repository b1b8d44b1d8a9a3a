/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.h - work in processes of its own, so many at a time: what dies takes nothing with it.
 */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct pool;

/* ended(user, task, status): a task's process has ended, with a status as waitpid gives it. */
struct pool *pool_new(uint32_t processes, void (*ended)(void *user, void *task, int status),
                      void *user);
void pool_free(struct pool *); /* waits for all first */

/* Waits until there is room, then runs work(user, task) in a new process, which ends with the
 * number it returns. false: no process could be made (errno). task: handed back to ended(). */
bool pool_start(struct pool *, int (*work)(void *user, void *task), void *task);

/* Waits until all have ended. */
void pool_wait(struct pool *);

#endif
