/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/bug.h"

void bug_at(const char *file, int line, const char *fmt, ...)
{
    va_list args;

    fflush(NULL);
    fprintf(stderr, "hetune: bug at %s:%d: ", file, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
