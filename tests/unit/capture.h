/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * capture.h - what a test of a loader needs: an arena, complaints as a text, and files to read.
 */
#ifndef TESTS_CAPTURE_H
#define TESTS_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"

struct capture {
    struct arena *arena;
    struct diag *diag;
    FILE *out;
    char *text;
    size_t len;
};

static inline struct capture *capture_new(void)
{
    struct capture *c = mem_get(sizeof *c);

    c->out = open_memstream(&c->text, &c->len);
    c->arena = arena_new();
    c->diag = diag_new(c->out);
    return c;
}

static inline void capture_free(struct capture *c)
{
    diag_free(c->diag);
    arena_free(c->arena);
    fclose(c->out);
    mem_drop(c->text);
    mem_drop(c);
}

/* All that was printed. */
static inline const char *capture_all(struct capture *c)
{
    fflush(c->out);
    return c->text;
}

/* The same without the quoted lines and the last line end. Good as long as the arena. */
static inline const char *capture_lines(struct capture *c)
{
    const char *s = capture_all(c);
    char *kept = arena_get(c->arena, c->len + 1), *to = kept;

    while (*s) {
        size_t len = strcspn(s, "\n") + 1;

        if (*s != ' ' && !(*s >= '0' && *s <= '9')) {
            memcpy(to, s, len);
            to += len;
        }
        s += len;
    }
    if (to > kept)
        to[-1] = '\0';
    return kept;
}

/* A source named "t" of a text with a NUL behind it. */
static inline struct source *capture_source(struct capture *c, const char *text, size_t len)
{
    struct source *src = arena_get(c->arena, sizeof *src);

    src->name = "t";
    src->text = arena_text(c->arena, text, len);
    src->len = len;
    src->first_line = 1;
    return src;
}

/* A new file with a text; its name is good as long as the arena. The test unlinks it. */
static inline const char *capture_file(struct capture *c, const char *text, size_t len)
{
    char *path = arena_printf(c->arena, "/tmp/hetune-test-XXXXXX");
    int fd = mkstemp(path);

    cr_assert(fd >= 0);
    cr_assert(write(fd, text, len) == (ssize_t)len);
    close(fd);
    return path;
}

/* The same many times: for texts that are too long to be written down. */
static inline char *capture_repeat(struct capture *c, const char *text, size_t times)
{
    size_t len = strlen(text);
    char *all = arena_get(c->arena, len * times + 1);

    for (size_t i = 0; i < times; i++)
        memcpy(all + i * len, text, len);
    return all;
}

#endif
