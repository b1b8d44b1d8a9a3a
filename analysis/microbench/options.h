/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.h - the command line of the microbenchmarks.
 */
#ifndef MICROBENCH_OPTIONS_H
#define MICROBENCH_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum mb_ask { MB_ASK_RUN, MB_ASK_HELP, MB_ASK_LIST, MB_ASK_CHILD, MB_ASK_WRONG };

struct mb_options {
    const char *out;   /* the file to write */
    const char *only;  /* names with commas between; NULL: all */
    const char *child; /* what a child process shall do */
    bool quick;
    double minutes;
};

/* MB_ASK_WRONG: one line on err says what. */
enum mb_ask mb_options_read(int argc, char **argv, struct mb_options *, FILE *err);

/* Whether a name is among the names wanted. */
bool mb_options_wanted(const struct mb_options *, const char *name);

/* The first word of --only that is none of the names; NULL if there is none. Good until the next
 * call. */
const char *mb_options_unknown(const struct mb_options *, const char *const *names, size_t n);

void mb_options_help(FILE *);

#endif
