/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bug.h - for what can only be a fault of this program.
 *
 * BUG("%u is no state", s) prints "hetune: bug at FILE:LINE: ..." to standard error and aborts;
 * BUG_ON(condition) does so when the condition holds. Both are kept in release builds.
 */
#ifndef SIM_BUG_H
#define SIM_BUG_H

#include <stdio.h>

#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
#define BUG_ON(cond)                                                                               \
    do {                                                                                           \
        if (__builtin_expect(!!(cond), 0))                                                         \
            BUG("%s", #cond);                                                                      \
    } while (0)

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Who adds to a report of this thread what was going on; NULL: nobody. */
void bug_context(void (*tell)(const void *self, FILE *), const void *self);

#endif
