/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/file.h"
#include "sim/text/check.h"
#include "sim/text/csv_row.h"

static bool complain_at_start(struct csv *c, const char *what)
{
    struct mark at = {.src = &c->src, .line = c->src.first_line, .col = 1};

    return diag_error(c->diag, at, "%s", what);
}

/* A byte order mark of UTF-8 is no part of the text; others, and gzip, are known by two bytes. */
static bool pass_order_mark(struct csv *c)
{
    int first = csv_row_peek(c, 0), second = csv_row_peek(c, 1);

    if ((first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF))
        return complain_at_start(c, "the text is UTF-16; wanted UTF-8");
    if (first == 0x1F && second == 0x8B)
        return complain_at_start(c, "the file is packed by gzip; unpack it first");
    if (first == 0xEF && second == 0xBB && csv_row_peek(c, 2) == 0xBF)
        c->row = c->scanned = 3;
    return !c->broken;
}

/* Lines that start with '#'. */
static bool pass_comments(struct csv *c)
{
    while (csv_row_peek(c, 0) == '#') {
        csv_row_pass(c);
        if (c->fault[0] || c->broken) {
            csv_row_report(c);
            return false;
        }
        if (!check_text(c->diag, &c->src))
            return false;
        csv_row_leave(c);
    }
    return !c->broken;
}

static bool take_name(struct csv *c, size_t col)
{
    const struct cell *cell = &c->cell[col];
    const char *name = arena_text(c->arena, c->buf + c->row + cell->start, cell->len);
    struct mark at = diag_place(&c->src, cell->start);
    int earlier = csv_column(c, name);

    if (!cell->len)
        return diag_error(c->diag, at, "a column without a name");
    if (earlier >= 0)
        return diag_error(c->diag, at, "column '%s' appears twice; the first is column %d", name,
                          earlier + 1);
    c->name[c->columns++] = name;
    return true;
}

/* The header's text is kept for complaints about missing columns. */
static bool take_header(struct csv *c)
{
    bool fine = true;

    c->name = arena_get(c->arena, c->cells * sizeof *c->name);
    for (size_t col = 0; col < c->cells; col++)
        fine = take_name(c, col) && fine;
    c->header = c->src;
    c->header.text = arena_text(c->arena, c->src.text, c->src.len);
    return fine;
}

static bool read_header(struct csv *c)
{
    enum row got;

    if (!pass_order_mark(c) || !pass_comments(c))
        return false;
    got = csv_row_read(c);
    if (got == ROW_BAD)
        return csv_row_report(c) == ROW_READ;
    if (got == ROW_END)
        return complain_at_start(c, "no line with the names of the columns");
    if (csv_row_is_empty(c))
        return complain_at_start(c, "an empty line; wanted the names of the columns");
    return take_header(c);
}

struct csv *csv_open(struct diag *d, const char *path)
{
    int fd = file_open(d, path);
    struct csv *c;

    if (fd < 0)
        return NULL;
    c = mem_get(sizeof *c);
    c->diag = d;
    c->arena = arena_new();
    c->path = arena_text(c->arena, path, strlen(path));
    c->fd = fd;
    c->src.name = file_name(c->path);
    c->src.first_line = 1;
    if (read_header(c))
        return c;
    csv_close(c);
    return NULL;
}

void csv_close(struct csv *c)
{
    if (!c)
        return;
    file_close(c->fd);
    arena_free(c->arena);
    mem_drop(c->buf);
    mem_drop(c->raw);
    mem_drop(c);
}

int csv_column(const struct csv *c, const char *name)
{
    for (size_t col = 0; col < c->columns; col++)
        if (strcmp(c->name[col], name) == 0)
            return (int)col;
    return -1;
}

size_t csv_columns(const struct csv *c)
{
    return c->columns;
}

const char *csv_name(const struct csv *c, int col)
{
    return col < 0 ? "" : c->name[col];
}

bool csv_require(struct csv *c, const char *const *names)
{
    const char **have = arena_get(c->arena, (c->columns + 1) * sizeof *have);
    struct mark at = {.src = &c->header, .line = c->header.first_line, .col = 1};
    bool fine = true;

    memcpy(have, c->name, c->columns * sizeof *have);
    for (; *names; names++) {
        const char *near = diag_nearest(*names, have);

        if (csv_column(c, *names) >= 0)
            continue;
        fine = diag_error(c->diag, at,
                          near ? "column '%s' is missing (is it '%s'?)" : "column '%s' is missing",
                          *names, near);
    }
    return fine;
}

uint64_t csv_row(const struct csv *c)
{
    return c->rows;
}

const char *csv_cell(const struct csv *c, int col, size_t *len)
{
    *len = col < 0 ? 0 : c->cell[col].len;
    return col < 0 ? "" : c->buf + c->row + c->cell[col].start;
}

struct mark csv_mark(const struct csv *c, int col)
{
    return diag_place(&c->src, col < 0 ? 0 : c->cell[col].start);
}

static bool bad_number(struct csv *c, int col, enum check_kind kind, enum num_fault fault)
{
    size_t len;
    const char *s = csv_cell(c, col, &len);

    return check_fault(c->diag, csv_mark(c, col), csv_name(c, col), s, len, kind, fault);
}

static bool beyond_bound(struct csv *c, int col, bool below, const char *bound)
{
    size_t len;
    const char *s = csv_cell(c, col, &len);

    return (below ? check_below : check_above)(c->diag, csv_mark(c, col), csv_name(c, col), s, len,
                                               bound);
}

/* Apart from csv_int, whose common case then needs no registers saved. */
__attribute__((noinline)) static bool any_int(struct csv *c, int col, int64_t min, int64_t max,
                                              int64_t *out)
{
    char bound[NUM_MAX + 1];
    size_t len;
    const char *s = csv_cell(c, col, &len);
    enum num_fault fault = num_int(s, len, out);

    if (fault != NUM_OK)
        return bad_number(c, col, CHECK_WHOLE, fault);
    if (*out >= min && *out <= max)
        return true;
    bound[num_put_int(bound, *out < min ? min : max)] = '\0';
    return beyond_bound(c, col, *out < min, bound);
}

bool csv_int(struct csv *c, int col, int64_t min, int64_t max, int64_t *out)
{
    size_t len;
    const char *s = csv_cell(c, col, &len);

    if (num_plain(s, len, out) && *out >= min && *out <= max)
        return true;
    return any_int(c, col, min, max, out);
}

bool csv_real(struct csv *c, int col, double min, double max, double *out)
{
    char bound[NUM_MAX + 1];
    size_t len;
    const char *s = csv_cell(c, col, &len);
    enum num_fault fault = num_real(s, len, out);

    if (fault != NUM_OK)
        return bad_number(c, col, CHECK_REAL, fault);
    if (*out >= min && *out <= max)
        return true;
    bound[num_put_real(bound, *out < min ? min : max)] = '\0';
    return beyond_bound(c, col, *out < min, bound);
}

bool csv_seconds(struct csv *c, int col, sim_time min, sim_time max, sim_time *out)
{
    char bound[NUM_MAX + 1];
    size_t len;
    const char *s = csv_cell(c, col, &len);
    enum num_fault fault = num_seconds(s, len, out);

    if (fault != NUM_OK)
        return bad_number(c, col, CHECK_TIME, fault);
    if (*out >= min && *out <= max)
        return true;
    bound[num_put_seconds(bound, *out < min ? min : max)] = '\0';
    return beyond_bound(c, col, *out < min, bound);
}
