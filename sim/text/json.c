/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two passes: a scanner finds what cJSON would let pass and notes where each key and value begins;
 * then cJSON parses, and its nodes, in the order of the text, take the notes as their marks.
 */
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "sim/base/bug.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"
#include "sim/base/utf8.h"
#include "sim/text/check.h"
#include "sim/text/json.h"

#define FILE_MAX   ((size_t)64 << 20)
#define NUMBER_MAX 60 /* cJSON cuts numbers off at 63 characters */

struct spot {
    uint32_t line, col;
};

struct reader {
    struct arena *arena;
    struct diag *diag;
    const struct source *src;
    const char *s, *end; /* the text without byte order mark */
    const char *at;      /* how far it is scanned, and ... */
    const char *counted; /* ... how far its characters are counted */
    struct spot spot;    /* of counted */
    size_t depth;
    struct spot *notes;
    size_t noted, room;
    size_t taken; /* notes that have become marks */
    struct tree_keys *keys;
};

static struct mark mark_of(const struct reader *r, struct spot spot)
{
    return (struct mark){.src = r->src, .line = spot.line, .col = spot.col};
}

static struct spot spot_of(struct reader *r, const char *at)
{
    const char *lf;

    while ((lf = memchr(r->counted, '\n', (size_t)(at - r->counted)))) {
        r->counted = lf + 1;
        r->spot.line++;
        r->spot.col = 1;
    }
    r->spot.col += (uint32_t)utf8_count(r->counted, (size_t)(at - r->counted));
    r->counted = at;
    return r->spot;
}

static bool fault(struct reader *r, const char *at, const char *what)
{
    return diag_error(r->diag, mark_of(r, spot_of(r, at)), "%s", what);
}

static void note(struct reader *r, const char *at)
{
    r->notes = mem_room(r->notes, r->noted, &r->room, sizeof *r->notes);
    r->notes[r->noted++] = spot_of(r, at);
}

static bool scan_string(struct reader *r)
{
    const char *start = r->at++;

    note(r, start);
    for (; r->at < r->end && *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < 0x20)
            return fault(r, r->at, "a line end or a tab in a string; write \\n or \\t");
        if (*r->at != '\\')
            continue;
        if (r->end - r->at > 5 && memcmp(r->at, "\\u0000", 6) == 0)
            return fault(r, r->at, "a NUL character in a string");
        r->at++;
    }
    if (r->at >= r->end)
        return fault(r, start, "a string that is not closed");
    r->at++;
    return true;
}

static const char *skip_digits(const char *s, const char *end)
{
    while (s < end && *s >= '0' && *s <= '9')
        s++;
    return s;
}

/* Whether a token is a number as JSON defines it; *whole: without point and exponent. */
static bool is_number(const char *s, const char *end, bool *whole)
{
    const char *start;

    s += s < end && *s == '-';
    start = s;
    s = skip_digits(s, end);
    if (s == start || (*start == '0' && s - start > 1))
        return false;
    *whole = s == end;
    if (s < end && *s == '.') {
        start = ++s;
        s = skip_digits(s, end);
        if (s == start)
            return false;
    }
    if (s < end && (*s == 'e' || *s == 'E')) {
        s++;
        s += s < end && (*s == '+' || *s == '-');
        start = s;
        s = skip_digits(s, end);
        if (s == start)
            return false;
    }
    return s == end;
}

/* A double holds the whole number exactly. */
static bool is_exact(const char *s, size_t len)
{
    int64_t v;
    double x;

    if (num_int(s, len, &v) != NUM_OK)
        return false;
    x = (double)v;
    return x < 0x1p63 && (int64_t)x == v;
}

static bool scan_number(struct reader *r)
{
    const char *start = r->at;
    bool whole;
    size_t len;
    double x;

    note(r, start);
    while (r->at < r->end && strchr("0123456789+-.eE", *r->at))
        r->at++;
    len = (size_t)(r->at - start);
    if (!is_number(start, r->at, &whole))
        return fault(r, start, "a number that JSON does not know");
    if (len > NUMBER_MAX)
        return fault(r, start, "a number of more than 60 characters");
    if (num_real(start, len, &x) != NUM_OK)
        return fault(r, start, "a number that is too large");
    if (whole && !is_exact(start, len))
        return fault(r, start, "a whole number that is too large to be held exactly");
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool scan_word(struct reader *r)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *start = r->at;
    char shown[CHECK_SHOWN];
    size_t len;

    note(r, start);
    while (r->at < r->end && is_letter(*r->at))
        r->at++;
    len = (size_t)(r->at - start);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == len && memcmp(start, words[i], len) == 0)
            return true;
    return fault(r, start,
                 arena_printf(r->arena, "'%s' is not true, false or null, nor in quotes",
                              check_shown(shown, start, len)));
}

/* A bracket, comma, colon or blank. */
static bool scan_mark(struct reader *r)
{
    char c = *r->at;

    if (!strchr("[]{},: \t\r\n", c))
        return fault(r, r->at, "a character that has no place in JSON outside of a string");
    if (c == '[' || c == '{') {
        note(r, r->at);
        if (++r->depth > TREE_DEPTH)
            return fault(r, r->at, "nested deeper than 64");
    }
    r->depth -= r->depth && (c == ']' || c == '}');
    r->at++;
    return true;
}

static bool scan(struct reader *r)
{
    bool fine = true;

    while (fine && r->at < r->end) {
        char c = *r->at;

        if (c == '"')
            fine = scan_string(r);
        else if (c == '-' || (c >= '0' && c <= '9'))
            fine = scan_number(r);
        else if (is_letter(c))
            fine = scan_word(r);
        else
            fine = scan_mark(r);
    }
    return fine;
}

static struct mark next_mark(struct reader *r)
{
    BUG_ON(r->taken >= r->noted || !r->notes); /* the scanner notes one for every node */
    return mark_of(r, r->notes[r->taken++]);
}

static struct tree *number(struct reader *r, struct mark at, double x)
{
    char buf[NUM_MAX];
    size_t len;

    if (x < 0x1p63 && fabs(x) <= 0x1p63 && x == (double)(int64_t)x)
        len = num_put_int(buf, (int64_t)x);
    else
        len = num_put_real(buf, x);
    return tree_scalar(r->arena, at, buf, len);
}

static struct tree *scalar(struct reader *r, struct mark at, const cJSON *j)
{
    const char *text = cJSON_IsNull(j) ? "null" : cJSON_IsTrue(j) ? "true" : "false";
    struct tree *t;

    if (cJSON_IsNumber(j))
        return number(r, at, j->valuedouble);
    if (cJSON_IsString(j))
        text = j->valuestring;
    t = tree_scalar(r->arena, at, text, strlen(text));
    t->quoted = cJSON_IsString(j);
    return t;
}

static struct tree *key(struct reader *r, const struct tree *map, const char *text)
{
    struct tree *k = tree_scalar(r->arena, next_mark(r), text, strlen(text)), *before;

    k->quoted = true;
    before = tree_keys_find(r->keys, map, k->text, k->len);
    if (before)
        diag_error(r->diag, k->at, "key '%s' appears twice; the first is at line %u", k->text,
                   before->at.line);
    else
        tree_keys_add(r->keys, map, k);
    return k;
}

static struct tree *build(struct reader *r, const cJSON *j)
{
    struct mark at = next_mark(r);
    struct tree *t;

    if (!cJSON_IsArray(j) && !cJSON_IsObject(j))
        return scalar(r, at, j);
    t = cJSON_IsObject(j) ? tree_map(r->arena, at) : tree_list(r->arena, at);
    for (const cJSON *item = j->child; item; item = item->next) {
        if (cJSON_IsObject(j)) {
            struct tree *k = key(r, t, item->string);

            tree_add(r->arena, t, k, build(r, item));
        } else {
            tree_append(r->arena, t, build(r, item));
        }
    }
    return t;
}

static struct tree *parse(struct reader *r)
{
    unsigned errors = diag_errors(r->diag);
    const char *stop = NULL;
    struct tree *root;
    cJSON *j;

    j = cJSON_ParseWithLengthOpts(r->s, (size_t)(r->end - r->s), &stop, 0);
    if (!j) {
        diag_error(r->diag, diag_place(r->src, (size_t)(stop - r->src->text)),
                   "this is not JSON; wanted a value, or ',' or a bracket between values");
        return NULL;
    }
    root = build(r, j);
    cJSON_Delete(j);
    while (stop < r->end && strchr(" \t\r\n", *stop))
        stop++;
    if (stop < r->end)
        diag_error(r->diag, diag_place(r->src, (size_t)(stop - r->src->text)),
                   "text behind the value; wanted one value");
    return diag_errors(r->diag) == errors ? root : NULL;
}

struct tree *json_parse(struct arena *a, struct diag *d, const struct source *src)
{
    size_t mark = utf8_order_mark(src->text, src->len);
    struct reader r = {.arena = a, .diag = d, .src = src, .end = src->text + src->len};
    struct tree *root = NULL;

    if (!check_text(d, src))
        return NULL;
    r.s = r.at = r.counted = src->text + mark;
    r.spot = (struct spot){src->first_line, 1};
    r.keys = tree_keys_new();
    if (scan(&r))
        root = parse(&r);
    tree_keys_free(r.keys);
    mem_drop(r.notes);
    return root;
}

struct tree *json_load(struct arena *a, struct diag *d, const char *path)
{
    const struct source *src = file_load(a, d, path, FILE_MAX);

    return src ? json_parse(a, d, src) : NULL;
}

/* "true" for true, True and TRUE, and so on; NULL: neither that nor false. */
static const char *truth(const char *text)
{
    static const char *const words[][3] = {{"true", "True", "TRUE"}, {"false", "False", "FALSE"}};

    for (size_t i = 0; i < 6; i++)
        if (strcmp(text, words[i / 3][i % 3]) == 0)
            return words[i / 3][0];
    return NULL;
}

static void put_scalar(struct out *o, const struct tree *t)
{
    const char *word = truth(t->text);
    int64_t n;
    double x;
    bool whole;

    if (t->quoted)
        out_json(o, t->text);
    else if (tree_is_null(t))
        out_text(o, "null");
    else if (word)
        out_text(o, word);
    else if (num_int(t->text, t->len, &n) == NUM_OK)
        out_int(o, n);
    else if (num_real(t->text, t->len, &x) != NUM_OK)
        out_json(o, t->text);
    else if (is_number(t->text, t->text + t->len, &whole))
        out_bytes(o, t->text, t->len);
    else
        out_real(o, x);
}

static bool is_flat(const struct tree *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->kind == TREE_MAP || t->item[i]->kind != TREE_SCALAR)
            return false;
    return true;
}

void json_tree(struct out *o, const struct tree *t, int indent)
{
    bool flat = is_flat(t);

    if (t->kind == TREE_SCALAR) {
        put_scalar(o, t);
        return;
    }
    out_char(o, t->kind == TREE_MAP ? '{' : '[');
    for (size_t i = 0; i < t->n; i++) {
        if (i)
            out_text(o, flat ? ", " : ",");
        if (!flat)
            out_printf(o, "\n%*s", indent + 2, "");
        if (t->kind == TREE_MAP) {
            out_json(o, t->key[i]->text);
            out_text(o, ": ");
        }
        json_tree(o, t->item[i], indent + 2);
    }
    if (!flat)
        out_printf(o, "\n%*s", indent, "");
    out_char(o, t->kind == TREE_MAP ? '}' : ']');
}
