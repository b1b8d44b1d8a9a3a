/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/utf8.h"

#define PRINTED_ERRORS 20
#define LINE_MAX       160 /* characters of a complaint's line, ... */
#define MESSAGE_LEAST  80  /* ... of which a message keeps this */
#define QUOTE_MAX      100 /* characters of a quoted line */
#define WORD_MAX       64

struct diag {
    FILE *out;
    unsigned errors, io_errors;
};

struct diag *diag_new(FILE *out)
{
    struct diag *d = mem_get(sizeof *d);

    d->out = out;
    return d;
}

void diag_free(struct diag *d)
{
    mem_drop(d);
}

unsigned diag_errors(const struct diag *d)
{
    return d->errors;
}

unsigned diag_io_errors(const struct diag *d)
{
    return d->io_errors;
}

bool diag_full(const struct diag *d)
{
    return d->errors >= PRINTED_ERRORS;
}

/* Prints up to max characters of foreign text; returns the bytes they took. */
static size_t put_clean(FILE *out, const char *s, size_t len, size_t max)
{
    size_t at = 0;

    for (size_t i = 0; i < max && at < len; i++) {
        uint32_t c;
        size_t n = utf8_get(s + at, len - at, &c);

        if (n && utf8_shows(c))
            fwrite(s + at, 1, n, out);
        else
            fputc(n && c == '\t' ? ' ' : '?', out);
        at += n ? n : 1;
    }
    return at;
}

/* The same, ended by "..." where it does not fit. */
static void put_cut(FILE *out, const char *s, size_t max)
{
    size_t len = strlen(s);

    if (utf8_count(s, len) <= max) {
        put_clean(out, s, len, max);
        return;
    }
    put_clean(out, s, len, max - 3);
    fputs("...", out);
}

/* "NAME:LINE:COL: ", as far as known; returns its characters. */
static size_t put_place(FILE *out, struct mark at)
{
    char numbers[32];
    size_t len;

    if (!at.src)
        return 0;
    len = strlen(at.src->name);
    put_clean(out, at.src->name, len, len);
    numbers[0] = '\0';
    if (at.line && at.col)
        snprintf(numbers, sizeof numbers, ":%u:%u", at.line, at.col);
    else if (at.line)
        snprintf(numbers, sizeof numbers, ":%u", at.line);
    return utf8_count(at.src->name, len) + (size_t)fprintf(out, "%s: ", numbers);
}

struct mark diag_place(const struct source *src, size_t at)
{
    const char *line = src->text + utf8_order_mark(src->text, src->len), *lf, *end = src->text + at;
    struct mark place = {.src = src, .line = src->first_line, .col = 1};

    while (line < end && (lf = memchr(line, '\n', (size_t)(end - line)))) {
        line = lf + 1;
        place.line++;
    }
    if (line < end)
        place.col += (uint32_t)utf8_count(line, (size_t)(end - line));
    return place;
}

/* The line that a mark stands in, without its end and a byte order mark; NULL: not at hand. */
static const char *find_line(struct mark at, size_t *len)
{
    const char *s, *end, *stop;

    if (!at.src || !at.src->text || at.line < at.src->first_line)
        return NULL;
    s = at.src->text;
    end = s + at.src->len;
    s += utf8_order_mark(s, at.src->len);
    for (uint32_t line = at.src->first_line; line < at.line; line++) {
        s = memchr(s, '\n', (size_t)(end - s));
        if (!s)
            return NULL;
        s++;
    }
    stop = memchr(s, '\n', (size_t)(end - s));
    if (!stop)
        stop = end;
    if (stop > s && stop[-1] == '\r')
        stop--;
    *len = (size_t)(stop - s);
    return s;
}

static size_t skip_characters(const char *s, size_t len, size_t count)
{
    size_t at = 0;

    for (; count && at < len; count--) {
        uint32_t c;
        size_t n = utf8_get(s + at, len - at, &c);

        at += n ? n : 1;
    }
    return at;
}

/* The quoted line: of a long one, the part around the caret. */
static void put_quote(FILE *out, struct mark at)
{
    size_t len, from = 0, shown, caret = at.col;
    const char *s = find_line(at, &len);
    int margin;

    if (!s)
        return;
    margin = fprintf(out, "%5u | ", at.line);
    if (at.col > QUOTE_MAX - 10 && utf8_count(s, len) > QUOTE_MAX) {
        size_t skipped = at.col - QUOTE_MAX / 2;

        from = skip_characters(s, len, skipped);
        caret = at.col - skipped + 3;
        fputs("...", out);
    }
    shown = from + put_clean(out, s + from, len - from, QUOTE_MAX);
    fputs(shown < len ? "...\n" : "\n", out);
    if (at.col)
        fprintf(out, "%*s%*s\n", margin, "| ", (int)caret, "^");
}

__attribute__((format(printf, 4, 0))) static void complain(FILE *out, struct mark at,
                                                           const char *kind, const char *fmt,
                                                           va_list args)
{
    char text[4096];
    size_t place;

    place = put_place(out, at) + (size_t)fprintf(out, "%s: ", kind);
    vsnprintf(text, sizeof text, fmt, args);
    put_cut(out, text, place + MESSAGE_LEAST < LINE_MAX ? LINE_MAX - place : MESSAGE_LEAST);
    fputc('\n', out);
    if (at.line)
        put_quote(out, at);
}

bool diag_error(struct diag *d, struct mark at, const char *fmt, ...)
{
    va_list args;

    d->errors++;
    if (!d->out || d->errors > PRINTED_ERRORS)
        return false;
    va_start(args, fmt);
    complain(d->out, at, "error", fmt, args);
    va_end(args);
    return false;
}

void diag_note(struct diag *d, struct mark at, const char *fmt, ...)
{
    va_list args;

    if (!d->out || d->errors > PRINTED_ERRORS)
        return;
    va_start(args, fmt);
    complain(d->out, at, "note", fmt, args);
    va_end(args);
}

bool diag_io(struct diag *d, const char *path, int errnum, const char *doing)
{
    d->io_errors++;
    if (d->out && d->io_errors <= PRINTED_ERRORS) {
        put_clean(d->out, path, strlen(path), strlen(path));
        fprintf(d->out, ": cannot %s: %s\n", doing, strerror(errnum));
    }
    return false;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Damerau-Levenshtein distance (optimal string alignment) without regard to case: row i of the
 * table is made from the two rows before it.
 */
static size_t distance(const char *a, size_t alen, const char *b, size_t blen)
{
    size_t rows[3][WORD_MAX + 1];

    for (size_t j = 0; j <= blen; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= alen; i++) {
        size_t *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= blen; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);

            row[j] = least(least(up[j], row[j - 1]) + 1, up[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], up2[j - 2] + 1);
        }
    }
    return rows[alen % 3][blen];
}

void diag_consider(struct diag_near *near, const char *candidate)
{
    size_t len = strlen(near->word), clen = strlen(candidate), d;

    if (len > WORD_MAX || clen > WORD_MAX)
        return;
    d = distance(near->word, len, candidate, clen);
    if (near->nearest ? d < near->distance : d < len && d <= (len / 3 > 1 ? len / 3 : 1)) {
        near->nearest = candidate;
        near->distance = d;
    }
}

const char *diag_nearest(const char *word, const char *const *candidates)
{
    struct diag_near near = {.word = word};

    for (; *candidates; candidates++)
        diag_consider(&near, *candidates);
    return near.nearest;
}

bool diag_unknown(struct diag *d, struct mark at, const char *nearest, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (nearest)
        return diag_error(d, at, "%s (did you mean '%s'?)", text, nearest);
    return diag_error(d, at, "%s", text);
}
