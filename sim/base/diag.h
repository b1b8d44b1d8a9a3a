/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diag.h - complaints about the user's input, with the place and the line.
 *
 *   configs/runs/a.yaml:12:11: error: gpus: 0 is below the minimum, 1
 *      12 |     gpus: 0
 *         |           ^
 *
 * A complaint is one line of at most 160 characters plus the quoted line and a caret. Up to 20
 * errors are printed; later ones are only counted. Control characters of foreign text are printed
 * as '?', so that no escape sequence reaches a terminal.
 */
#ifndef SIM_DIAG_H
#define SIM_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A text that marks point into: a whole file, the current line of a stream, an -s option. */
struct source {
    const char *name; /* as the user named it; "-s" for overrides */
    const char *text; /* may be NULL: nothing is quoted */
    size_t len;
    uint32_t first_line; /* the number of the first line in text, from 1 */
};

struct mark {
    const struct source *src; /* NULL: no place is known */
    uint32_t line, col;       /* from 1, columns in characters; 0: unknown */
};

/* The place of a byte of a source. */
struct mark diag_place(const struct source *, size_t at);

struct diag;

struct diag *diag_new(FILE *out); /* out NULL: count only */
void diag_free(struct diag *);

/*
 * Both return false, so that a loader can `return diag_error(...)`. diag_io says
 * "PATH: cannot DOING: reason".
 */
bool diag_error(struct diag *, struct mark at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool diag_io(struct diag *, const char *path, int errnum, const char *doing);

void diag_note(struct diag *, struct mark at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

unsigned diag_errors(const struct diag *); /* input errors so far */
unsigned diag_io_errors(const struct diag *);
bool diag_full(const struct diag *); /* 20 errors: the caller should give up */

/*
 * The candidate nearest to a mistyped word: start with {.word = WORD}, show it every candidate;
 * nearest is one of them, or NULL if none is near.
 */
struct diag_near {
    const char *word, *nearest;
    size_t distance;
};
void diag_consider(struct diag_near *, const char *candidate);
/* The same for candidates that end with NULL. */
const char *diag_nearest(const char *word, const char *const *candidates);

/* An error about a word that is not known, and behind it the word that may be meant, or nothing if
 * that is NULL. */
bool diag_unknown(struct diag *, struct mark at, const char *nearest, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
