/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/bug.h"

/* By thread: what is simulated side by side does not meet here. */
static _Thread_local struct {
    void (*tell)(const void *self, FILE *);
    const void *self;
} context;

void bug_context(void (*tell)(const void *self, FILE *), const void *self)
{
    context.tell = tell;
    context.self = self;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
    va_list args;

    fflush(NULL);
    fprintf(stderr, "hetune: bug at %s:%d: ", file, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    if (context.tell)
        context.tell(context.self, stderr);
    abort();
}
