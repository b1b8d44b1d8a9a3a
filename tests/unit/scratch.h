/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scratch.h - a folder of its own for a test that reads files by name: short names in messages.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "sim/base/mem.h"

#define SCRATCH_MOST 32

struct scratch {
    char folder[32], before[4096];
    const char *name[SCRATCH_MOST];
    size_t n;
};

/* Makes the folder and goes there. */
static inline void scratch_enter(struct scratch *s)
{
    *s = (struct scratch){.folder = "/tmp/hetune-test-XXXXXX"};
    cr_assert(getcwd(s->before, sizeof s->before) && mkdtemp(s->folder) && chdir(s->folder) == 0);
}

/* Writes a file, whole. Its name stays good for the caller to keep. */
static inline void scratch_write(struct scratch *s, const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", name);
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->name[i], name) == 0)
            return;
    cr_assert(s->n < SCRATCH_MOST);
    s->name[s->n++] = name;
}

static inline void scratch_leave(struct scratch *s)
{
    for (size_t i = 0; i < s->n; i++)
        unlink(s->name[i]);
    cr_assert(chdir(s->before) == 0 && rmdir(s->folder) == 0);
}

/* A text with the first `find` in it replaced; it must be there. */
static inline const char *scratch_replace(struct arena *a, const char *text, const char *find,
                                          const char *by)
{
    const char *at = strstr(text, find);

    cr_assert(at, "'%s' is not in the text", find);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, by, at + strlen(find));
}

#endif
