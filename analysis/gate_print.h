/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate_print.h - the verdicts of a gate in the formats that people and CI systems read.
 *
 * Labels and names of cases are foreign text: each format escapes them in its own way, and what
 * does not show becomes U+FFFD.
 */
#ifndef ANALYSIS_GATE_PRINT_H
#define ANALYSIS_GATE_PRINT_H

#include "analysis/gate.h"
#include "sim/text/out.h"

struct gate_report {
    struct arena *arena;
    const struct gate *gate;
    const char *baseline; /* the file */
};

struct gate_format {
    const char *name;
    void (*put)(struct out *, const struct gate_report *);
};
extern const struct gate_format gate_formats[]; /* ended by a name of NULL */

/* What an update changes: a line for each. */
void gate_put_diff(struct out *, const struct gate_report *);

enum gate_escape {
    ESCAPE_PLAIN,
    ESCAPE_XML,
    ESCAPE_MARKDOWN, /* in HTML's <code>, in a table */
    ESCAPE_MESSAGE,  /* of a GitHub workflow command */
    ESCAPE_PROPERTY  /* of one */
};
void gate_put(struct out *, const char *s, enum gate_escape);

void gate_put_json(struct out *, const struct gate_report *);
void gate_put_junit(struct out *, const struct gate_report *);
void gate_put_smaller(struct out *, const struct gate_report *);
void gate_put_bigger(struct out *, const struct gate_report *);

#endif
