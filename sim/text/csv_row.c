/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/base/utf8.h"
#include "sim/text/csv_row.h"

#define FIRST_BUFFER ((size_t)256 << 10)
#define ROW_MAX      ((size_t)1 << 20)
#define NOWHERE      SIZE_MAX

enum row csv_row_fault(struct csv *c, size_t at, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(c->fault, sizeof c->fault, fmt, args);
    va_end(args);
    c->fault_at = at;
    return ROW_BAD;
}

/* Moves the row at hand to the front. block may lie before it: unsigned arithmetic carries that. */
static void slide(struct csv *c)
{
    if (!c->row)
        return;
    memmove(c->buf, c->buf + c->row, c->end - c->row);
    c->end -= c->row;
    c->scanned -= c->row;
    c->block -= c->row;
    c->high_end = c->high_end > c->row ? c->high_end - c->row : 0;
    c->row = 0;
}

static enum row too_long(struct csv *c)
{
    return csv_row_fault(c, 0, "a row of more than 1 MiB");
}

static bool refill(struct csv *c)
{
    ptrdiff_t n;

    if (c->ended)
        return false;
    slide(c);
    if (c->end > ROW_MAX) {
        c->ended = true;
        too_long(c);
        return false;
    }
    if (c->end == c->size) {
        c->size = c->size ? c->size * 2 : FIRST_BUFFER;
        c->buf = mem_grow(c->buf, c->size + CSV_BLOCK);
    }
    n = file_read(c->diag, c->fd, c->path, c->buf + c->end, c->size - c->end);
    c->broken = n < 0;
    c->ended = n <= 0;
    c->end += n > 0 ? (size_t)n : 0;
    return n > 0;
}

static bool scan_block(struct csv *c)
{
    uint64_t valid = UINT64_MAX;
    struct csv_masks m;
    size_t n = CSV_BLOCK;

    if (c->scanned == c->end && !refill(c))
        return false;
    if (c->end - c->scanned < CSV_BLOCK) {
        n = c->end - c->scanned;
        valid = (UINT64_C(1) << n) - 1;
    }
    m = csv_scan(c->buf + c->scanned);
    c->block = c->scanned;
    c->special = m.special & valid;
    c->scanned += n;
    if (m.high & valid)
        c->high_end = c->scanned;
    return true;
}

/* The place in the row of the next special byte of the block. */
static inline size_t take_special(struct csv *c)
{
    size_t at = c->block + (size_t)__builtin_ctzll(c->special) - c->row;

    c->special &= c->special - 1;
    return at;
}

/* The same of all that is to come; NOWHERE: the end of the data, or a fault. */
static size_t next_special(struct csv *c)
{
    while (!c->special)
        if (!scan_block(c))
            return NOWHERE;
    return take_special(c);
}

static inline char byte_at(const struct csv *c, size_t at)
{
    return c->buf[c->row + at];
}

int csv_row_peek(struct csv *c, size_t at)
{
    while (c->row + at >= c->end)
        if (!refill(c))
            return -1;
    return (unsigned char)byte_at(c, at);
}

static void end_cell(struct csv *c, size_t from, size_t end)
{
    c->cell[c->cells++] = (struct cell){(uint32_t)from, (uint32_t)(end - from)};
}

/* Ends cells as long as commas are the next special bytes of the block: the path that is hot. */
static inline size_t pass_commas(struct csv *c, size_t from)
{
    struct cell *first = c->cell + c->cells, *cell = first;
    const char *row = c->buf + c->row;
    size_t block = c->block - c->row;
    uint64_t special = c->special;

    for (; special; special &= special - 1) {
        size_t at = block + (size_t)__builtin_ctzll(special);

        if (row[at] != ',')
            break;
        *cell++ = (struct cell){(uint32_t)from, (uint32_t)(at - from)};
        from = at + 1;
    }
    c->special = special;
    c->cells += (size_t)(cell - first);
    return from;
}

static enum row too_many(struct csv *c)
{
    return csv_row_fault(c, c->cell[COLUMNS_MAX].start, "more than %d columns", COLUMNS_MAX);
}

static enum row end_row(struct csv *c, size_t taken)
{
    c->taken = taken;
    c->line_ends++;
    return ROW_READ;
}

static enum row lone_cr(struct csv *c, size_t at)
{
    return csv_row_fault(c, at, "a carriage return without a line feed");
}

/* The quote that closes the one at open; NOWHERE: a fault. */
static size_t closing_quote(struct csv *c, size_t open)
{
    size_t at;

    while ((at = next_special(c)) != NOWHERE) {
        char what = byte_at(c, at);

        if (what == '"' && csv_row_peek(c, at + 1) != '"')
            return at;
        if (what == '"') {
            next_special(c);
        } else if (what == '\n') {
            c->line_ends++;
        } else if (what == '\0') {
            csv_row_fault(c, at, "a NUL character");
            return NOWHERE;
        } else if (what == '\r' && csv_row_peek(c, at + 1) != '\n') {
            lone_cr(c, at);
            return NOWHERE;
        }
    }
    if (!c->broken)
        csv_row_fault(c, open, "a quote that is not closed");
    return NOWHERE;
}

/* Passes over a quoted cell; the next special byte is what ends it. */
static bool pass_quotes(struct csv *c, size_t open)
{
    size_t close = closing_quote(c, open);
    int behind;

    c->quoted = true;
    if (close == NOWHERE)
        return false;
    behind = csv_row_peek(c, close + 1);
    if (behind == ',' || behind == '\n' || behind == '\r' || behind == -1)
        return true;
    csv_row_fault(c, close + 1, "text behind a closing quote");
    return false;
}

static enum row end_of_data(struct csv *c, size_t from)
{
    size_t len = c->end - c->row;

    if (c->fault[0] || c->broken)
        return ROW_BAD;
    if (!len)
        return ROW_END;
    end_cell(c, from, len);
    return end_row(c, len);
}

static enum row scan_row(struct csv *c)
{
    size_t from = 0, at;

    while (c->special || scan_block(c)) {
        from = pass_commas(c, from);
        if (c->cells > COLUMNS_MAX)
            return too_many(c);
        if (!c->special)
            continue;
        at = take_special(c);
        switch (byte_at(c, at)) {
        case '\n':
            end_cell(c, from, at);
            return end_row(c, at + 1);
        case '\r':
            if (csv_row_peek(c, at + 1) != '\n')
                return lone_cr(c, at);
            end_cell(c, from, at);
            next_special(c);
            return end_row(c, at + 2);
        case '"':
            if (at > from)
                return csv_row_fault(c, at, "a quote inside of a cell that has none in front");
            if (!pass_quotes(c, at))
                return ROW_BAD;
            break;
        default:
            return csv_row_fault(c, at, "a NUL character");
        }
    }
    return end_of_data(c, from);
}

static void show_row(struct csv *c)
{
    c->src.text = c->buf + c->row;
    c->src.len = c->taken;
}

void csv_row_pass(struct csv *c)
{
    size_t at;

    while ((at = next_special(c)) != NOWHERE && byte_at(c, at) != '\n')
        ;
    end_row(c, at == NOWHERE ? c->end - c->row : at + 1);
    show_row(c);
}

void csv_row_leave(struct csv *c)
{
    c->row += c->taken;
    c->src.first_line += c->line_ends;
    c->taken = 0;
    c->line_ends = 0;
    c->cells = 0;
    c->quoted = false;
    c->fault[0] = '\0';
}

enum row csv_row_report(struct csv *c)
{
    if (c->broken)
        return ROW_BAD;
    if (!c->taken)
        csv_row_pass(c);
    diag_error(c->diag, diag_place(&c->src, c->fault_at), "%s", c->fault);
    return ROW_BAD;
}

/* The text in quotes, each two quotes in it made one; returns its length. */
static uint32_t unquote(char *s, uint32_t len)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < len; i++) {
        s[n++] = s[i];
        i += s[i] == '"';
    }
    return n;
}

/* Marks are places in the row as it stood in the file, so that its text is kept. */
static void unquote_cells(struct csv *c)
{
    char *row = c->buf + c->row;

    c->raw = mem_grow(c->raw, c->taken);
    memcpy(c->raw, row, c->taken);
    c->src.text = c->raw;
    for (size_t i = 0; i < c->cells; i++) {
        struct cell *cell = &c->cell[i];

        if (cell->len && row[cell->start] == '"') {
            cell->start++;
            cell->len = unquote(row + cell->start, cell->len - 2);
        }
    }
}

static enum row check_utf8(struct csv *c)
{
    size_t at = utf8_valid(c->src.text, c->src.len);

    if (at == c->src.len)
        return ROW_READ;
    return csv_row_fault(c, at, "byte 0x%02X is not valid UTF-8", (unsigned char)c->src.text[at]);
}

enum row csv_row_read(struct csv *c)
{
    enum row got;

    csv_row_leave(c);
    got = scan_row(c);
    if (got != ROW_READ)
        return got;
    show_row(c);
    if (c->taken > ROW_MAX)
        return too_long(c);
    if (c->high_end > c->row && check_utf8(c) == ROW_BAD)
        return ROW_BAD;
    if (c->quoted)
        unquote_cells(c);
    return ROW_READ;
}

bool csv_row_is_empty(const struct csv *c)
{
    return c->taken && c->cells == 1 && c->cell[0].len == 0 && !c->quoted;
}

static enum row wrong_cells(struct csv *c)
{
    size_t last = c->taken;

    while (last && strchr("\r\n", c->src.text[last - 1]))
        last--;
    return csv_row_fault(c, c->cells > c->columns ? c->cell[c->columns].start : last,
                         "%zu cell%s in this row; the header has %zu", c->cells,
                         c->cells == 1 ? "" : "s", c->columns);
}

int csv_next(struct csv *c)
{
    bool blank = false;
    enum row got;

    while ((got = csv_row_read(c)) == ROW_READ && csv_row_is_empty(c))
        blank = true;
    if (got == ROW_READ && blank)
        got = csv_row_fault(c, 0, "empty lines before this row");
    else if (got == ROW_READ && c->cells != c->columns)
        got = wrong_cells(c);
    if (got == ROW_BAD)
        return csv_row_report(c);
    c->rows += got == ROW_READ;
    return got;
}
