/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv.h - rows of a CSV file (RFC 4180), streamed, with marks.
 *
 * The first line names the columns; lines that start with '#' before it are passed over. "-" reads
 * standard input. Memory does not grow with the file. Refused, each with its place: rows over
 * 1 MiB, more than 4,096 columns, repeated or empty column names, rows with a cell too many or too
 * few, empty lines between rows, an unbalanced quote (the mark is the opening quote), NUL, invalid
 * UTF-8, a lone CR. A byte order mark, CRLF, a missing last line end and empty lines at the end are
 * accepted. Values are cells as written, quotes removed.
 */
#ifndef SIM_CSV_H
#define SIM_CSV_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/types.h"

struct csv;

struct csv *csv_open(struct diag *, const char *path); /* NULL: reported */
void csv_close(struct csv *);                          /* NULL is fine */

int csv_column(const struct csv *, const char *name); /* -1: there is none */
size_t csv_columns(const struct csv *);
const char *csv_name(const struct csv *, int col); /* "" for -1 */

/* Reports which of the wanted columns (ended by NULL) are missing, and names that are near. */
bool csv_require(struct csv *, const char *const *names);

/*
 * 1: a row; 0: the end; -1: reported. After -1 the reader may go on to find more faults: it starts
 * again at the next line, or is at its end if there is no telling where that would be.
 */
int csv_next(struct csv *);
uint64_t csv_row(const struct csv *); /* data rows read so far */

/* All good until the next csv_next. A column of -1 is an empty cell. */
const char *csv_cell(const struct csv *, int col, size_t *len); /* not ended by NUL */
struct mark csv_mark(const struct csv *, int col);

/* A cell as a value within min..max; false: reported with the column's name. */
bool csv_int(struct csv *, int col, int64_t min, int64_t max, int64_t *out);
bool csv_real(struct csv *, int col, double min, double max, double *out);
bool csv_seconds(struct csv *, int col, sim_time min, sim_time max, sim_time *out);

#endif
