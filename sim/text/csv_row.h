/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv_row.h - rows of cells from a file, a part of csv.c: the header row is a row like any other.
 *
 * The reader looks at the masks of special bytes only (csv_scan.h). The row at hand always lies
 * whole in the buffer; all places in it are counted from its start, because a refill moves it to
 * the front of the buffer.
 */
#ifndef SIM_CSV_ROW_H
#define SIM_CSV_ROW_H

#include "sim/text/csv.h"
#include "sim/text/csv_scan.h"

#define COLUMNS_MAX 4096

enum row { ROW_BAD = -1, ROW_END, ROW_READ };

struct cell {
    uint32_t start, len;
};

struct csv {
    struct diag *diag;
    struct arena *arena;
    const char *path;
    int fd;
    bool ended;  /* nothing more will be read */
    bool broken; /* reading failed: reported */

    char *buf; /* CSV_BLOCK bytes longer than size */
    size_t size, end;
    size_t scanned;   /* bytes that went into masks */
    size_t block;     /* where bit 0 of special stands */
    uint64_t special; /* special bytes that are not yet looked at */
    size_t high_end;  /* behind the last byte that may not be ASCII */

    size_t row;         /* the row's start in buf */
    size_t taken;       /* its bytes with the line end; 0: not yet known */
    uint32_t line_ends; /* in the bytes taken */
    uint64_t rows;
    bool quoted;       /* it holds quoted cells */
    struct source src; /* its text */
    char *raw;         /* a copy of the text of a row with quoted cells */
    char fault[80];
    size_t fault_at;

    size_t columns;
    const char **name;
    struct source header;
    size_t cells;
    struct cell cell[COLUMNS_MAX + 2 + CSV_BLOCK]; /* a block is looked at whole */
};

/* The next row, of any number of cells. */
enum row csv_row_read(struct csv *);

bool csv_row_is_empty(const struct csv *); /* an empty line */

/* The next line as src, whatever it holds; a line over 1 MiB or a read error leaves a fault. */
void csv_row_pass(struct csv *);

/* Makes what was read the past. */
void csv_row_leave(struct csv *);

/* The byte at a place of the row that may lie behind what has been read; -1: the end. */
int csv_row_peek(struct csv *, size_t at);

/* Remembers what is wrong; csv_row_report passes over the rest of the line and says it. */
enum row csv_row_fault(struct csv *, size_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
enum row csv_row_report(struct csv *);

#endif
