/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <pthread.h>

#include "tests/unit/capture.h"

#include "sim/text/csv.h"
#include "sim/text/csv_scan.h"

/* A file as "a|b|c;" for each row, cells in the order of the columns; "!" for a row reported. */
static const char *read_file(struct capture *c, const char *path, size_t *left)
{
    struct csv *csv = csv_open(c->diag, path);
    char *text = arena_get(c->arena, 4096), *to = text;
    int got;

    while (csv && (got = csv_next(csv)) != 0 && to - text < 2048) {
        for (size_t col = 0; got > 0 && col < csv_columns(csv); col++) {
            size_t len;
            const char *cell = csv_cell(csv, (int)col, &len);

            to += sprintf(to, "%s%.*s", col ? "|" : "", (int)len, cell);
        }
        to += sprintf(to, "%s", got > 0 ? ";" : "!");
    }
    *left = csv ? (size_t)csv_row(csv) : 0;
    csv_close(csv);
    return text;
}

struct csv_case {
    const char *name, *text;
    size_t len; /* 0: up to the NUL */
    const char *rows;
    const char *errors; /* FILE is the file's name */
};

static const struct csv_case cases[] = {
    {"plain", "a,b\n1,2\n3,4\n", 0, "1|2;3|4;", ""},
    {"no last line end", "a,b\n1,2", 0, "1|2;", ""},
    {"header only", "a,b\n", 0, "", ""},
    {"header without line end", "a,b", 0, "", ""},
    {"CRLF", "a,b\r\n1,2\r\n\r\n", 0, "1|2;", ""},
    {"byte order mark",
     "\xEF\xBB\xBF"
     "a,b\n1,2\n",
     0, "1|2;", ""},
    {"comments", "# x,\"y\n# z\na,b\n1,2\n#3,4\n", 0, "1|2;#3|4;", ""},
    {"mark and comment", "\xEF\xBB\xBF# \xC3\xA4\na\n1\n", 0, "1;", ""},
    {"empty lines at the end", "a,b\n1,2\n\n\n\n", 0, "1|2;", ""},
    {"empty cells", "a,b,c\n,,\n,2,\n", 0, "||;|2|;", ""},
    {"one column", "a\n1\n\"\"\n2\n", 0, "1;;2;", ""},
    {"quotes", "a,b\n\"x,y\",\"z\"\n\"\",\"\"\"\"\n", 0, "x,y|z;|\";", ""},
    {"doubled quotes", "a,b\n\"say \"\"x\"\" \",\"\"\"\"\"\"\n", 0, "say \"x\" |\"\";", ""},
    {"quoted lines", "a,b\n\"x\ny\r\nz\",2\n3,4\n", 0, "x\ny\r\nz|2;3|4;", ""},
    {"quoted to the end", "a,b\n1,\"x\"", 0, "1|x;", ""},
    {"quoted header", "\"a,1\",\"b\"\"\"\n1,2\n", 0, "1|2;", ""},
    {"quoted before CRLF", "a,b\n1,\"x\"\r\n2,\"y\"\r\n", 0, "1|x;2|y;", ""},
    {"blanks are kept", "a,b\n 1 ,\t2\n", 0, " 1 |\t2;", ""},
    {"UTF-8", "a,b\n\xC3\xA4,\xE2\x82\xAC\n", 0, "\xC3\xA4|\xE2\x82\xAC;", ""},
    {"hash in a row", "a,b\n#1,2\n", 0, "#1|2;", ""},
    {"control characters pass", "a\n\x1B[0m\n", 0, "\x1B[0m;", ""},

    {"empty file", "", 0, "", "FILE:1:1: error: no line with the names of the columns"},
    {"only a mark", "\xEF\xBB\xBF", 0, "",
     "FILE:1:1: error: no line with the names of the columns"},
    {"only comments", "# a\n# b\n", 0, "",
     "FILE:3:1: error: no line with the names of the columns"},
    {"empty header", "\na,b\n", 0, "",
     "FILE:1:1: error: an empty line; wanted the names of the columns"},
    {"UTF-16 LE",
     "\xFF\xFE"
     "a\0,\0",
     6, "", "FILE:1:1: error: the text is UTF-16; wanted UTF-8"},
    {"UTF-16 BE", "\xFE\xFF\0a", 4, "", "FILE:1:1: error: the text is UTF-16; wanted UTF-8"},
    {"gzip", "\x1F\x8B\x08\0\n", 5, "",
     "FILE:1:1: error: the file is packed by gzip; unpack it first"},
    {"UTF-16 without mark", "a\0,\0b\0", 6, "", "FILE:1:2: error: a NUL character"},
    {"column without name", "a,,c\n", 0, "", "FILE:1:3: error: a column without a name"},
    {"last column without name", "a,b,\n", 0, "", "FILE:1:5: error: a column without a name"},
    {"quoted column without name", "a,\"\"\n", 0, "", "FILE:1:4: error: a column without a name"},
    {"repeated column", "a,b,a\n", 0, "",
     "FILE:1:5: error: column 'a' appears twice; the first is column 1"},
    {"two repeated columns", "# x\na,b,b,a\n", 0, "",
     "FILE:2:5: error: column 'b' appears twice; the first is column 2\n"
     "FILE:2:7: error: column 'a' appears twice; the first is column 1"},
    {"lone CR in the header", "a,b\r1,2\r", 0, "",
     "FILE:1:4: error: a carriage return without a line feed"},
    {"open quote in the header", "\"a,b\n1,2\n", 0, "",
     "FILE:1:1: error: a quote that is not closed"},
    {"bad UTF-8 in the header", "a,\xFF\n", 0, "", "FILE:1:3: error: byte 0xFF is not valid UTF-8"},
    {"control character in a comment", "# \x1B\na\n", 0, "",
     "FILE:1:3: error: character U+001B is not allowed in a text"},
    {"bad UTF-8 in a comment", "# x\n# \xC3\na\n", 0, "",
     "FILE:2:3: error: byte 0xC3 is not valid UTF-8"},

    {"a cell too few", "a,b,c\n1,2,3\n1,2\n1,2,3\n", 0, "1|2|3;!1|2|3;",
     "FILE:3:4: error: 2 cells in this row; the header has 3"},
    {"a cell too many", "a,b\n1,2,3\n4,5\n", 0, "!4|5;",
     "FILE:2:5: error: 3 cells in this row; the header has 2"},
    {"a comma too many", "a,b\r\n1,2,\r\n", 0, "!",
     "FILE:2:5: error: 3 cells in this row; the header has 2"},
    {"too few before CRLF", "a,b\r\n1\r\n", 0, "!",
     "FILE:2:2: error: 1 cell in this row; the header has 2"},
    {"blank line", "a,b\n \n", 0, "!", "FILE:2:2: error: 1 cell in this row; the header has 2"},
    {"empty line between rows", "a,b\n1,2\n\n3,4\n5,6\n", 0, "1|2;!5|6;",
     "FILE:4:1: error: empty lines before this row"},
    {"NUL", "a,b\n1,\0002\n3,4\n", 13, "!3|4;", "FILE:2:3: error: a NUL character"},
    {"NUL in quotes", "a,b\n1,\"\0\"\n3,4\n", 14, "!3|4;", "FILE:2:4: error: a NUL character"},
    {"bad UTF-8", "a,b\n1,x\xC3(\n3,4\n", 0, "!3|4;",
     "FILE:2:4: error: byte 0xC3 is not valid UTF-8"},
    {"overlong UTF-8", "a,b\n\xC3\xA4,\xC0\xAF\n", 0, "!",
     "FILE:2:3: error: byte 0xC0 is not valid UTF-8"},
    {"surrogate", "a\n\xED\xA0\x80\n", 0, "!", "FILE:2:1: error: byte 0xED is not valid UTF-8"},
    {"cut UTF-8 at the end", "a\nx\xE2\x82", 0, "!",
     "FILE:2:2: error: byte 0xE2 is not valid UTF-8"},
    {"lone CR", "a,b\n1\r,2\n3,4\n", 0, "!3|4;",
     "FILE:2:2: error: a carriage return without a line feed"},
    {"lone CR at the end", "a,b\n1,2\r", 0, "!",
     "FILE:2:4: error: a carriage return without a line feed"},
    {"CR CR LF", "a,b\n1,2\r\r\n3,4\n", 0, "!3|4;",
     "FILE:2:4: error: a carriage return without a line feed"},
    {"lone CR in quotes", "a,b\n\"1\r\",2\n3,4\n", 0, "!3|4;",
     "FILE:2:3: error: a carriage return without a line feed"},
    {"open quote", "a,b\n1,2\n3,\"4\n5,6\n", 0, "1|2;!",
     "FILE:3:3: error: a quote that is not closed"},
    {"open quote at the end", "a,b\n1,\"", 0, "!", "FILE:2:3: error: a quote that is not closed"},
    {"open doubled quote", "a,b\n1,\"\"\"\n", 0, "!",
     "FILE:2:3: error: a quote that is not closed"},
    {"quote inside", "a,b\n1,x\"y\"\n3,4\n", 0, "!3|4;",
     "FILE:2:4: error: a quote inside of a cell that has none in front"},
    {"quote behind a blank", "a,b\n1, \"y\"\n", 0, "!",
     "FILE:2:4: error: a quote inside of a cell that has none in front"},
    {"text behind a quote", "a,b\n\"1\"x,2\n3,4\n", 0, "!3|4;",
     "FILE:2:4: error: text behind a closing quote"},
    {"blank behind a quote", "a,b\n1,\"2\" \n", 0, "!",
     "FILE:2:6: error: text behind a closing quote"},
    {"fault behind quoted lines", "a,b\n\"x\n\n\xC3\xA4\",y\"\n3,4\n", 0, "!3|4;",
     "FILE:4:5: error: a quote inside of a cell that has none in front"},
    {"lines after quoted lines", "a,b\n\"x\ny\",\"\nz\"\n1\n", 0, "x\ny|\nz;!",
     "FILE:5:2: error: 1 cell in this row; the header has 2"},
    {"many faults", "a,b\n1\n2\n3,4\n5\n", 0, "!!3|4;!",
     "FILE:2:2: error: 1 cell in this row; the header has 2\n"
     "FILE:3:2: error: 1 cell in this row; the header has 2\n"
     "FILE:5:2: error: 1 cell in this row; the header has 2"},
    {"comment behind the header", "a,b\n# no\n", 0, "!",
     "FILE:2:5: error: 1 cell in this row; the header has 2"},
    {"tabs instead of commas", "a\tb\n1,2\n", 0, "!",
     "FILE:2:3: error: 2 cells in this row; the header has 1"},
};

/* The text with the file's name for each FILE. */
static const char *named(struct capture *c, const char *text, const char *path)
{
    const char *all = "", *at;

    while ((at = strstr(text, "FILE"))) {
        all = arena_printf(c->arena, "%s%.*s%s", all, (int)(at - text), text, path);
        text = at + 4;
    }
    return arena_printf(c->arena, "%s%s", all, text);
}

struct feeder {
    const char *text;
    size_t len;
    int fd;
};

/* One byte a time, so that each place of the text is once the end of a read. */
static void *feed(void *arg)
{
    struct feeder *f = arg;

    for (size_t i = 0; i < f->len; i++)
        if (write(f->fd, f->text + i, 1) != 1)
            break;
    close(f->fd);
    return NULL;
}

static void expect_case(const struct csv_case *k, struct capture *c, const char *path)
{
    size_t rows, good = 0;
    const char *text = read_file(c, path, &rows), *errors = named(c, k->errors, path);

    for (const char *s = k->rows; *s; s++)
        good += *s == ';';
    cr_expect_str_eq(text, k->rows, "%s: '%s'", k->name, text);
    cr_expect_str_eq(capture_lines(c), errors, "%s:\n%s", k->name, capture_all(c));
    cr_expect_eq(rows, good, "%s", k->name);
}

Test(csv, cases)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct csv_case *k = &cases[i];
        size_t len = k->len ? k->len : strlen(k->text);
        struct capture *c = capture_new();
        const char *path = capture_file(c, k->text, len);

        expect_case(k, c, path);
        unlink(path);
        capture_free(c);
    }
}

Test(csv, byte_by_byte)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct csv_case *k = &cases[i];
        struct feeder f = {.text = k->text, .len = k->len ? k->len : strlen(k->text)};
        struct capture *c = capture_new();
        pthread_t thread;
        int ends[2];

        cr_assert_eq(pipe(ends), 0);
        f.fd = ends[1];
        cr_assert_eq(pthread_create(&thread, NULL, feed, &f), 0);
        expect_case(k, c, arena_printf(c->arena, "/dev/fd/%d", ends[0]));
        pthread_join(thread, NULL);
        close(ends[0]);
        capture_free(c);
    }
}

static uint64_t draw(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* Both scanners agree, and so do rows written and read whose cells lie anywhere in a block. */
Test(csv, scanning)
{
    static const char bytes[] = ",\"\n\r\0aZ09 \x7F\x80\xFF";
    uint64_t x = 88172645463325252;
    char block[CSV_BLOCK];

    for (int i = 0; i < 100000; i++) {
        for (size_t k = 0; k < sizeof block; k++)
            block[k] = i % 2 ? (char)draw(&x) : bytes[draw(&x) % (sizeof bytes - 1)];
        cr_assert_eq(csv_scan(block).special, csv_scan_plain(block).special);
        cr_assert_eq(csv_scan(block).high, csv_scan_plain(block).high);
    }
}

#define ROWS    40000
#define COLUMNS 5

/* The text of a cell, from its place alone. */
static size_t cell_text(uint64_t row, uint64_t col, char *text)
{
    static const char *const parts[] = {
        "",      "7",      "abc",         "x,y",
        "\"q\"", "l1\nl2", "gr\xC3\xBCn", "a long text without anything special in it, almost"};
    uint64_t x = (row + 1) * 2654435761 + col * 40503;

    draw(&x);
    return (size_t)sprintf(text, "%s%s", parts[draw(&x) % 8], parts[draw(&x) % 8]);
}

static void write_cell(FILE *f, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text; text++)
        fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', f);
}

Test(csv, large_file)
{
    struct capture *c = capture_new();
    const char *path = capture_file(c, "", 0);
    FILE *f = fopen(path, "w");
    char text[256];
    struct csv *csv;

    fputs("a,b,c,d,e\n", f);
    for (uint64_t row = 0; row < ROWS; row++) {
        for (uint64_t col = 0; col < COLUMNS; col++) {
            cell_text(row, col, text);
            write_cell(f, text);
            fputs(col + 1 < COLUMNS ? "," : row % 2 ? "\n" : "\r\n", f);
        }
    }
    fclose(f);
    csv = csv_open(c->diag, path);
    cr_assert(csv && csv_columns(csv) == COLUMNS);
    for (uint64_t row = 0; row < ROWS; row++) {
        cr_assert_eq(csv_next(csv), 1, "%s", capture_all(c));
        cr_assert_eq(csv_row(csv), row + 1);
        for (uint64_t col = 0; col < COLUMNS; col++) {
            size_t len, want = cell_text(row, col, text);
            const char *cell = csv_cell(csv, (int)col, &len);

            cr_assert(len == want && memcmp(cell, text, len) == 0, "row %d", (int)row);
        }
    }
    cr_expect_eq(csv_next(csv), 0);
    cr_expect_eq(csv_next(csv), 0);
    csv_close(csv);
    unlink(path);
    capture_free(c);
}

/* prefix + times * unit + suffix as a file; the rows and errors wanted */
static const struct {
    const char *name, *prefix, *unit;
    size_t times;
    const char *suffix;
    size_t rows;
    const char *errors;
} limits[] = {
    {"a row of 1 MiB", "a,b\n1,", "0123456789abcdef", 65535, "0123456789abc\n3,4\n", 2, ""},
    {"a row of 1 MiB and a byte", "a,b\n1,", "0123456789abcdef", 65535, "0123456789abcd\n3,4\n", 1,
     "FILE:2:1: error: a row of more than 1 MiB"},
    {"a row of 8 MiB", "a,b\n1,", "0123456789abcdef", 524288, "\n3,4\n", 0,
     "FILE:2:1: error: a row of more than 1 MiB"},
    {"a header of 8 MiB", "a", "0123456789abcdef", 524288, "\n3,4\n", 0,
     "FILE:1:1: error: a row of more than 1 MiB"},
    {"a comment of 8 MiB", "# ", "0123456789abcdef", 524288, "\na\n", 0,
     "FILE:1:1: error: a row of more than 1 MiB"},
    {"an open quote before 8 MiB", "a,b\n1,2\n3,\"", "0123456789,bcde\n", 524288, "", 1,
     "FILE:3:3: error: a quote that is not closed"},
    {"a million columns", "a", ",b", 500000, "\n1,2\n", 0,
     "FILE:1:8193: error: more than 4096 columns"},
    {"a million cells", "a,b\n1,2\n", "1,", 500000, "1\n3,4\n", 2,
     "FILE:3:8193: error: more than 4096 columns"},
    {"a million empty lines", "a,b\n1,2\n", "\n", 1000000, "", 1, ""},
    {"a million empty lines between", "a,b\n1,2\n", "\n", 1000000, "1,2\n", 1,
     "FILE:1000003:1: error: empty lines before this row"},
};

Test(csv, limits)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct capture *c = capture_new();
        const char *middle = capture_repeat(c, limits[i].unit, limits[i].times);
        const char *text =
            arena_printf(c->arena, "%s%s%s", limits[i].prefix, middle, limits[i].suffix);
        const char *path = capture_file(c, text, strlen(text));
        struct csv *csv = csv_open(c->diag, path);
        size_t rows = 0;

        for (int got = 1; csv && got; rows += got > 0)
            got = csv_next(csv);
        cr_expect_eq(rows, limits[i].rows, "%s: %zu rows", limits[i].name, rows);
        cr_expect_str_eq(capture_lines(c), named(c, limits[i].errors, path), "%s:\n%s",
                         limits[i].name, capture_lines(c));
        csv_close(csv);
        unlink(path);
        capture_free(c);
    }
}

enum what { INT, REAL, SECONDS };

static const struct {
    enum what what;
    const char *column;
    double value;      /* NAN: refused */
    const char *error; /* behind "FILE:3:" */
} values[] = {
    {INT, "ok_int", 42, NULL},
    {INT, "negative", -7, NULL},
    {REAL, "ok_int", 42, NULL},
    {REAL, "ok_real", 0.25, NULL},
    {REAL, "negative", -7, NULL},
    {SECONDS, "ok_real", 250000000, NULL},
    {SECONDS, "ok_int", 42e9, NULL},
    {INT, "text", NAN, "20: error: text: 'eight' is not a whole number"},
    {INT, "ok_real", NAN, "4: error: ok_real: '0.25' is not a whole number"},
    {INT, "empty", NAN, "26: error: empty: empty; wanted a whole number"},
    {INT, "huge", NAN, "27: error: huge: 1001 is above the maximum, 1000"},
    {INT, "tiny", NAN, "32: error: tiny: -1001 is below the minimum, -1000"},
    {REAL, "text", NAN, "20: error: text: 'eight' is not a number"},
    {REAL, "empty", NAN, "26: error: empty: empty; wanted a number"},
    {REAL, "huge", NAN, "27: error: huge: 1001 is above the maximum, 1000"},
    {REAL, "tiny", NAN, "32: error: tiny: -1001 is below the minimum, -1000"},
    {REAL, "range", NAN, "38: error: range: 1e999 is too large"},
    {SECONDS, "text", NAN, "20: error: text: 'eight' is not a time in seconds, as in 90 or 0.5"},
    {SECONDS, "clock", NAN, "44: error: clock: '1:30' is not a time in seconds, as in 90 or 0.5"},
    {SECONDS, "empty", NAN, "26: error: empty: empty; wanted a time in seconds"},
    {SECONDS, "huge", NAN, "27: error: huge: 1001 is above the maximum, 1000"},
    {SECONDS, "tiny", NAN, "32: error: tiny: -1001 is below the minimum, -1000"},
    {SECONDS, "fine", NAN, "49: error: fine: 0.0000000001 is finer than a nanosecond"},
    {INT, "range", NAN, "38: error: range: '1e999' is not a whole number"},
    {INT, "quoted", 5, NULL},
    {INT, "wide", NAN, "66: error: wide: '\xEF\xBC\x95' is not a whole number"},
    {INT, "long", NAN, "68: error: long: 100000000000000000000 is too large"},
    {INT, "blank", NAN, "90: error: blank: ' 5' is not a whole number"},
    {REAL, "nan", NAN, "93: error: nan: 'nan' is not a number"},
    {INT, "none", NAN, "1: error: : empty; wanted a whole number"},
};

static const char value_file[] =
    "# values\n"
    "ok_int,ok_real,negative,note,text,empty,huge,tiny,range,clock,fine,quoted,wide,long,blank,"
    "nan\n"
    "42,0.25,-7,\"a,\"\"b\",eight,,1001,-1001,1e999,1:30,0.0000000001,\"5\",\xEF\xBC\x95,"
    "100000000000000000000, 5,nan\n";

static bool read_value(struct csv *csv, enum what what, int col, double *value)
{
    sim_time t = 0;
    int64_t n = 0;
    bool fine;

    if (what == REAL)
        return csv_real(csv, col, -1000, 1000, value);
    if (what == INT)
        fine = csv_int(csv, col, -1000, 1000, &n);
    else
        fine = csv_seconds(csv, col, -1000 * SIM_SECOND, 1000 * SIM_SECOND, &t);
    *value = what == INT ? (double)n : (double)t;
    return fine;
}

Test(csv, values)
{
    static const char *const have[] = {"ok_int", "nan", NULL};
    static const char *const want[] = {"ok_nit", "text", "gpus", NULL};
    struct capture *c = capture_new();
    const char *path = capture_file(c, value_file, strlen(value_file)), *expect = "";
    struct csv *csv = csv_open(c->diag, path);
    size_t len = 1;

    cr_assert(csv && csv_next(csv) == 1);
    cr_expect(csv_require(csv, have));
    cr_expect_str_eq(capture_all(c), "");
    cr_expect_not(csv_require(csv, want));
    cr_expect_str_eq(capture_lines(c),
                     named(c,
                           "FILE:2:1: error: column 'ok_nit' is missing (is it 'ok_int'?)\n"
                           "FILE:2:1: error: column 'gpus' is missing",
                           path));
    cr_expect(csv_column(csv, "note") == 3 && csv_column(csv, "no") == -1);
    cr_expect_str_eq(csv_name(csv, 15), "nan");
    csv_cell(csv, -1, &len);
    cr_expect_eq(len, 0);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct capture *one = capture_new();
        struct csv *again = csv_open(one->diag, path);
        double v = NAN;
        bool fine;

        cr_assert_eq(csv_next(again), 1);
        fine = read_value(again, values[i].what, csv_column(again, values[i].column), &v);
        cr_expect_eq(fine, !values[i].error, "%s", values[i].column);
        cr_expect(!fine || v == values[i].value, "%s: %g", values[i].column, v);
        expect = values[i].error ? arena_printf(c->arena, "%s:3:%s", path, values[i].error) : "";
        cr_expect_str_eq(capture_lines(one), expect, "%s: %s", values[i].column, capture_all(one));
        csv_close(again);
        capture_free(one);
    }
    cr_expect(csv_mark(csv, 3).line == 3 && csv_mark(csv, 3).col == 13);
    csv_close(csv);
    unlink(path);
    cr_expect_null(csv_open(c->diag, path));
    cr_expect_null(csv_open(c->diag, "/tmp"));
    cr_expect_eq(diag_io_errors(c->diag), 2);
    csv_close(NULL);
    capture_free(c);
}

Test(csv, most_columns)
{
    struct capture *c = capture_new();
    char *text = arena_get(c->arena, 100000), *to = text;
    const char *path;
    struct csv *csv;

    for (int i = 0; i < 4096; i++)
        to += sprintf(to, i ? ",c%d" : "c%d", i);
    *to++ = '\n';
    for (int i = 0; i < 4096; i++)
        to += sprintf(to, i ? ",%d" : "%d", i);
    path = capture_file(c, text, (size_t)(to - text));
    csv = csv_open(c->diag, path);
    cr_assert(csv && csv_columns(csv) == 4096 && csv_next(csv) == 1);
    for (int i = 0; i < 4096; i++) {
        int64_t v;

        cr_assert(csv_int(csv, i, 0, 4096, &v) && v == i);
    }
    csv_close(csv);
    unlink(path);
    capture_free(c);
}
