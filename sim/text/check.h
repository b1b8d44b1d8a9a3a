/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.h - complaints that all formats share, in the same words.
 */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "sim/base/diag.h"
#include "sim/text/num.h"

/*
 * A text file in UTF-8, with or without a byte order mark, that holds no control characters but
 * tabs and line ends (LF or CR LF) and no Unicode line separators. False: reported.
 */
bool check_text(struct diag *, const struct source *);

enum check_kind { CHECK_WHOLE, CHECK_REAL, CHECK_TIME };

/* "a whole number", "a number", "a time in seconds" */
const char *check_wanted(enum check_kind);

/* A token as a message shows it: cut where it is long. Returns buf. */
#define CHECK_SHOWN 48
const char *check_shown(char buf[CHECK_SHOWN], const char *token, size_t len);

/* Report what is wrong with a number and return false. what: the key or the column. */
bool check_fault(struct diag *, struct mark, const char *what, const char *token, size_t len,
                 enum check_kind, enum num_fault);
bool check_below(struct diag *, struct mark, const char *what, const char *token, size_t len,
                 const char *minimum);
bool check_above(struct diag *, struct mark, const char *what, const char *token, size_t len,
                 const char *maximum);

#endif
