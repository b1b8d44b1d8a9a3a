/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <time.h>

#include "tests/unit/capture.h"

#include "sim/text/yaml.h"

/* A tree on one line: quoted scalars in quotes, the mark of each node behind @ if wanted. */
static const char *shown(struct capture *c, const struct tree *t, bool marks)
{
    const char *at = marks ? arena_printf(c->arena, "@%u:%u", t->at.line, t->at.col) : "";
    const char *text = "";

    if (t->kind == TREE_SCALAR)
        return arena_printf(c->arena, t->quoted ? "'%s'%s" : "%s%s", t->text, at);
    for (size_t i = 0; i < t->n; i++) {
        const char *item = shown(c, t->item[i], marks);

        if (t->kind == TREE_MAP)
            item = arena_printf(c->arena, "%s: %s", shown(c, t->key[i], marks), item);
        text = arena_printf(c->arena, "%s%s%s", text, i ? ", " : "", item);
    }
    return arena_printf(c->arena, t->kind == TREE_MAP ? "{%s}%s" : "[%s]%s", text, at);
}

static const struct {
    const char *text, *tree;
} good[] = {
    {"", "{}"},
    {"\n\n", "{}"},
    {"# nothing\n", "{}"},
    {"---\n", "{}"},
    {"---\n...\n", "{}"},
    {"\xEF\xBB\xBF", "{}"},
    {"a: 1\n", "{a: 1}"},
    {"a: 1", "{a: 1}"},
    {"\xEF\xBB\xBF"
     "a: 1\n",
     "{a: 1}"},
    {"a: 1\r\nb:\r\n  - x\r\n", "{a: 1, b: [x]}"},
    {"%YAML 1.2\n---\na: 1\n", "{a: 1}"},
    {"just text", "just text"},
    {"[]", "[]"},
    {"{}", "{}"},
    {"{a: 1, b: [2, '3', \"4\"], c: {}}", "{a: 1, b: [2, '3', '4'], c: {}}"},
    {"a:\nb: ~\nc: null\nd: ''\n", "{a: , b: ~, c: null, d: ''}"},
    {"a: no\nb: 010\nc: 0x1F\nd: 1:30\ne: .nan\nf: 1_000\n",
     "{a: no, b: 010, c: 0x1F, d: 1:30, e: .nan, f: 1_000}"},
    {"a: |\n  two\n  lines\nb: >\n  fol\n  ded\n", "{a: 'two\nlines\n', b: 'fol ded\n'}"},
    {"a: \"\\x41\\u00e4\\t\"\n", "{a: 'A\xC3\xA4\t'}"},
    {"'quoted': 1\n\"k\": 2\n", "{'quoted': 1, 'k': 2}"},
    {"a: &x {b: 1}\nc: *x\nd: [*x, *x]\n", "{a: {b: 1}, c: {b: 1}, d: [{b: 1}, {b: 1}]}"},
    {"a: &x 1\nb: *x\n", "{a: 1, b: 1}"},
    {"&k a: 1\nb: *k\n", "{a: 1, b: a}"},
    {"a: &x []\nb: &y [*x]\nc: *y\n", "{a: [], b: [[]], c: [[]]}"},
    {"? a\n: 1\n", "{a: 1}"},
    {"? a\n", "{a: }"},
    {"a: {x: 1}\nb: {x: 2}\n", "{a: {x: 1}, b: {x: 2}}"},
    {"gr\xC3\xBC\xC3\x9F"
     "e: \xE2\x82\xAC\n",
     "{gr\xC3\xBC\xC3\x9F"
     "e: \xE2\x82\xAC}"},
    {"'<<': 1\n", "{'<<': 1}"},
    {"a: b # comment\n", "{a: b}"},
    {"a: 'it''s'\n", "{a: 'it's'}"},
    {"a: x\ty\n", "{a: x\ty}"},
};

static const struct {
    const char *text, *tree;
} marked[] = {
    {"a: 1\nb:\n  - x\n  - {y: 'z'}\n",
     "{a@1:1: 1@1:4, b@2:1: [x@3:5, {y@4:6: 'z'@4:9}@4:5]@3:3}@1:1"},
    {"\xEF\xBB\xBF"
     "a: 1\n",
     "{a@1:1: 1@1:4}@1:1"},
    {"\xC3\xA4\xC3\xB6: \xE2\x82\xAC\n", "{\xC3\xA4\xC3\xB6@1:1: \xE2\x82\xAC@1:5}@1:1"},
    {"a: &x 5\nb: *x\n", "{a@1:1: 5@1:4, b@2:1: 5@1:4}@1:1"},
    {"a:\r\n  b: 1\r\n", "{a@1:1: {b@2:3: 1@2:6}@2:3}@1:1"},
};

static struct tree *parse(struct capture *c, const char *text, size_t len)
{
    return yaml_parse(c->arena, c->diag, capture_source(c, text, len));
}

Test(yaml, trees)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct capture *c = capture_new();
        struct tree *t = parse(c, good[i].text, strlen(good[i].text));

        cr_expect(t && strcmp(shown(c, t, false), good[i].tree) == 0, "%s\n%s\n%s", good[i].text,
                  t ? shown(c, t, false) : "refused", capture_all(c));
        cr_expect_eq(diag_errors(c->diag), 0);
        capture_free(c);
    }
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
        struct capture *c = capture_new();
        struct tree *t = parse(c, marked[i].text, strlen(marked[i].text));

        cr_expect(t && strcmp(shown(c, t, true), marked[i].tree) == 0, "%s\n%s", marked[i].text,
                  t ? shown(c, t, true) : "refused");
        capture_free(c);
    }
}

static const struct {
    const char *text;
    size_t len; /* 0: up to the NUL */
    const char *errors;
} bad[] = {
    {"a: 1\nb: 2\na: 3\n", 0, "t:3:1: error: key 'a' appears twice; the first is at line 1"},
    {"a: 1\n'a': 2\n", 0, "t:2:1: error: key 'a' appears twice; the first is at line 1"},
    {"x: {k: 1, k: 2}\n", 0, "t:1:11: error: key 'k' appears twice; the first is at line 1"},
    {"a: 1\na: 2\nb: {c: 1, c: 2}\na: 3\n", 0,
     "t:2:1: error: key 'a' appears twice; the first is at line 1\n"
     "t:3:11: error: key 'c' appears twice; the first is at line 3\n"
     "t:4:1: error: key 'a' appears twice; the first is at line 1"},
    {"a: &x 1\nb: &x 2\n", 0, "t:2:4: error: anchor '&x' appears twice; the first is at line 1"},
    {"a: &x {}\nb: &x []\n", 0, "t:2:4: error: anchor '&x' appears twice; the first is at line 1"},
    {"a: *x\n", 0, "t:1:4: error: alias '*x' names no anchor before it"},
    {"a: *x\nb: &x 1\n", 0, "t:1:4: error: alias '*x' names no anchor before it"},
    {"a: &x [*x]\n", 0, "t:1:8: error: alias '*x' stands inside of what it names"},
    {"&x a: *x\n*x : 1\n", 0, "t:2:1: error: a key that is no plain text"},
    {"a: !!int 5\n", 0, "t:1:4: error: tag 'tag:yaml.org,2002:int': tags are not read"},
    {"a: !x 5\nb: !<y> [1]\nc: !z {}\n", 0,
     "t:1:4: error: tag '!x': tags are not read\n"
     "t:2:4: error: tag 'y': tags are not read\n"
     "t:3:4: error: tag '!z': tags are not read"},
    {"a: !! 5\n", 0, "t:1:6: error: did not find expected tag URI (while parsing a tag, line 1)"},
    {"a: 1\n<<: {b: 2}\n", 0, "t:2:1: error: key '<<': merge keys are not read"},
    {": 1\n", 0, "t:1:1: error: did not find expected key (while parsing a block mapping, line 1)"},
    {"?\n: 1\n", 0, "t:1:2: error: an empty key"},
    {"{: 1}\n", 0,
     "t:1:2: error: did not find expected node content "
     "(while parsing a flow node, line 1)"},
    {"{? : 1}\n", 0, "t:1:4: error: an empty key"},
    {"'': 1\n", 0, "t:1:1: error: an empty key"},
    {"[a]: 1\n", 0, "t:1:1: error: a key that is no plain text"},
    {"{a: 1}: 2\n", 0, "t:1:1: error: a key that is no plain text"},
    {"? - a\n: 1\n", 0, "t:1:3: error: a key that is no plain text"},
    {"a: 1\n---\nb: 2\n", 0, "t:2:1: error: a second document; wanted one"},
    {"a: 1\n...\n---\n", 0, "t:3:1: error: a second document; wanted one"},
    {"a: \"x\\0y\"\n", 0, "t:1:4: error: a NUL character in a text"},
    {"\"k\\0\": 1\n", 0, "t:1:1: error: a NUL character in a text"},
    {"a: x\0y\n", 7, "t:1:5: error: character U+0000 is not allowed in a text"},
    {"a: 1\nb: \x01\n", 0, "t:2:4: error: character U+0001 is not allowed in a text"},
    {"a: \x1B[0m\n", 0, "t:1:4: error: character U+001B is not allowed in a text"},
    {"a: \x7F\n", 0, "t:1:4: error: character U+007F is not allowed in a text"},
    {"a: \xC2\x85\n", 0, "t:1:4: error: character U+0085 is not allowed in a text"},
    {"a: \xE2\x80\xA8\n", 0, "t:1:4: error: character U+2028 is not allowed in a text"},
    {"a: x\xEF\xBB\xBF\n", 0, "t:1:5: error: character U+FEFF is not allowed in a text"},
    {"a: \xEF\xBF\xBF\n", 0, "t:1:4: error: character U+FFFF is not allowed in a text"},
    {"a: \xC3\xA4\xFF\n", 0, "t:1:5: error: byte 0xFF is not valid UTF-8"},
    {"a: 1\n# \xC3(\n", 0, "t:2:3: error: byte 0xC3 is not valid UTF-8"},
    {"a: \xED\xA0\x80\n", 0, "t:1:4: error: byte 0xED is not valid UTF-8"},
    {"a: \xE2\x82", 0, "t:1:4: error: byte 0xE2 is not valid UTF-8"},
    {"\xFF\xFE"
     "a\0:\0",
     6, "t:1:1: error: the text is UTF-16; wanted UTF-8"},
    {"\xFE\xFF\0a\0:", 6, "t:1:1: error: the text is UTF-16; wanted UTF-8"},
    {"a\0:\0 \0"
     "1\0",
     8, "t:1:2: error: character U+0000 is not allowed in a text"},
    {"a: 1\rb: 2\r", 0, "t:1:5: error: a carriage return without a line feed"},
    {"a: 1\r\r\n", 0, "t:1:5: error: a carriage return without a line feed"},
    {"a: 1\r", 0, "t:1:5: error: a carriage return without a line feed"},
    {"a: [1, 2\n", 0,
     "t:2:1: error: did not find expected ',' or ']' (while parsing a flow sequence, line 1)"},
    {"a: {b: 1\nc: 2\n", 0,
     "t:2:2: error: did not find expected ',' or '}' (while parsing a flow mapping, line 1)"},
    {"a: ]\n", 0,
     "t:1:4: error: did not find expected node content "
     "(while parsing a block node, line 1)"},
    {"a: 'x\n", 0,
     "t:2:1: error: found unexpected end of stream (while scanning a quoted scalar, line 1)"},
    {"a: \"\\q\"\n", 0,
     "t:1:5: error: found unknown escape character "
     "(while parsing a quoted scalar, line 1)"},
    {"a: \"\\uD800\"\n", 0,
     "t:1:7: error: found invalid Unicode character escape code "
     "(while parsing a quoted scalar, line 1)"},
    {"a: 1\n b: 2\n", 0, "t:2:3: error: mapping values are not allowed in this context"},
    {"a: b: c\n", 0, "t:1:5: error: mapping values are not allowed in this context"},
    {"a:\n\tb: 1\n", 0,
     "t:2:1: error: found character that cannot start any token "
     "(while scanning for the next token, line 2)"},
    {"a: @x\n", 0,
     "t:1:4: error: found character that cannot start any token "
     "(while scanning for the next token, line 1)"},
    {"a: `x\n", 0,
     "t:1:4: error: found character that cannot start any token "
     "(while scanning for the next token, line 1)"},
    {"- a\nb: 1\n", 0,
     "t:2:1: error: did not find expected '-' indicator "
     "(while parsing a block collection, line 1)"},
    {"a: 1\nb\n", 0,
     "t:3:1: error: could not find expected ':' (while scanning a simple key, line 2)"},
    {"%FOO\n---\na: 1\n", 0,
     "t:1:5: error: found unknown directive name (while scanning a directive, line 1)"},
    {"%YAML 2.0\n---\na: 1\n", 0, "t:1:1: error: found incompatible YAML document"},
    {"a: & x\n", 0,
     "t:1:5: error: did not find expected alphabetic or numeric character "
     "(while scanning an anchor, line 1)"},
    {"a: |9x\n", 0,
     "t:1:6: error: did not find expected comment or line break "
     "(while scanning a block scalar, line 1)"},
    {"a: 'x' y\n", 0,
     "t:1:8: error: did not find expected key (while parsing a block mapping, line 1)"},
    {"{a: 1}}\n", 0, "t:1:7: error: text behind the end of the value"},
    {"a: *\n", 0,
     "t:1:5: error: did not find expected alphabetic or numeric character "
     "(while scanning an alias, line 1)"},
    {"a: !<x\n", 0, "t:1:7: error: did not find the expected '>' (while scanning a tag, line 1)"},
    {"--- a\n--- b\n", 0, "t:2:1: error: a second document; wanted one"},
    {"a: -\n", 0, "t:1:4: error: block sequence entries are not allowed in this context"},
    {"a: ? b\n", 0, "t:1:4: error: mapping keys are not allowed in this context"},
    {"a: [1 2: 3}\n", 0,
     "t:1:11: error: did not find expected ',' or ']' "
     "(while parsing a flow sequence, line 1)"},
    {"[a, b]]\n", 0, "t:1:7: error: text behind the end of the value"},
    {"key without colon\nother: 1\n", 0,
     "t:2:6: error: mapping values are not allowed in this context"},
};

Test(yaml, complaints)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct capture *c = capture_new();
        struct tree *t = parse(c, bad[i].text, bad[i].len ? bad[i].len : strlen(bad[i].text));

        cr_expect_null(t, "%s", bad[i].text);
        cr_expect_str_eq(capture_lines(c), bad[i].errors, "%s\n%s", bad[i].text, capture_lines(c));
        capture_free(c);
    }
}

/* libyaml would need minutes for so many levels; they must be refused at once. */
#define DEEP 100000

/* prefix + times * unit + suffix */
static const struct {
    const char *name, *prefix, *unit;
    size_t times;
    const char *suffix, *errors;
} limits[] = {
    {"lists in each other", "", "[", DEEP, "", "t:1:65: error: nested deeper than 64"},
    {"maps in each other", "", "{a: ", DEEP, "", "t:1:257: error: nested deeper than 64"},
    {"dashes", "", "- ", DEEP, "", "t:1:129: error: nested deeper than 64"},
    {"lists by lines", "", "[\n", DEEP, "", "t:65:1: error: nested deeper than 64"},
    {"maps and lists", "", "- {a: [", DEEP, "",
     "t:1:8: error: did not find expected node content (while parsing a flow node, line 1)"},
    {"question marks", "", "? ", DEEP, "", "t:1:3: error: a key that is no plain text"},
    {"1 MiB", "a: ", "0123456789abcdef", 65535, "0123456789abc", ""},
    {"1 MiB and a byte", "a: ", "0123456789abcdef", 65535, "0123456789abcd",
     "t: error: a text of more than 1 MiB"},
    {"100,000 values", "[", "1,", 99998, "1]", ""},
    {"100,001 values", "[", "1,", 99999, "1]",
     "t:1:200000: error: more than 100000 values, aliases followed"},
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

Test(yaml, limits)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct capture *c = capture_new();
        const char *middle = capture_repeat(c, limits[i].unit, limits[i].times);
        const char *text =
            arena_printf(c->arena, "%s%s%s", limits[i].prefix, middle, limits[i].suffix);
        double start = now();
        struct tree *t = parse(c, text, strlen(text));

        cr_expect(limits[i].times != DEEP || now() - start < 0.5, "%s: slow", limits[i].name);
        cr_expect_eq(t == NULL, *limits[i].errors != '\0', "%s", limits[i].name);
        cr_expect_str_eq(capture_lines(c), limits[i].errors, "%s:\n%s", limits[i].name,
                         capture_lines(c));
        capture_free(c);
    }
}

/* Levels of `times` aliases of the level before: 10^levels values in a few lines. */
static const char *bomb(struct capture *c, int levels, int times)
{
    const char *text = "l0: &l0 x\n";

    for (int i = 1; i <= levels; i++) {
        text = arena_printf(c->arena, "%sl%d: &l%d [", text, i, i);
        for (int k = 0; k < times; k++)
            text = arena_printf(c->arena, "%s%s*l%d", text, k ? ", " : "", i - 1);
        text = arena_printf(c->arena, "%s]\n", text);
    }
    return text;
}

Test(yaml, aliases)
{
    struct capture *c = capture_new();
    const char *text = bomb(c, 10, 10);
    struct tree *t;

    cr_expect_null(parse(c, text, strlen(text)));
    cr_expect_str_eq(capture_lines(c), "t:6:45: error: more than 100000 values, aliases followed");
    capture_free(c);
    c = capture_new();
    text = bomb(c, 70, 1);
    cr_expect_null(parse(c, text, strlen(text)));
    cr_expect_str_eq(capture_lines(c), "t:65:12: error: nested deeper than 64");
    capture_free(c);
    c = capture_new();
    t = parse(c, "a: &x {k: 1}\nb: *x\n", 19);
    cr_assert_not_null(t);
    tree_put(c->arena, t->item[0], t->item[0]->key[0], t);
    cr_expect_str_eq(tree_get(t->item[1], "k")->text, "1", "a copy is changed apart");
    capture_free(c);
}

Test(yaml, files)
{
    struct capture *c = capture_new();
    const char *path = capture_file(c, "a: 1\na: 2\n", 10);
    struct source *option = capture_source(c, "x.\xC3\xA4=[1, {b: 2]", 15);
    struct tree *t;

    cr_expect_null(yaml_load(c->arena, c->diag, path));
    unlink(path);
    cr_expect_null(yaml_load(c->arena, c->diag, path));
    cr_expect_null(yaml_load(c->arena, c->diag, "/"));
    option->name = "-s";
    option->first_line = 3;
    cr_expect_null(yaml_parse_from(c->arena, c->diag, option, 5));
    cr_expect_str_eq(capture_all(c),
                     arena_printf(c->arena,
                                  "%s:2:1: error: key 'a' appears twice; the first is at line 1\n"
                                  "    2 | a: 2\n"
                                  "      | ^\n"
                                  "%s: cannot open: No such file or directory\n"
                                  "/: cannot read: Is a directory\n"
                                  "-s:3:14: error: did not find expected ',' or '}' "
                                  "(while parsing a flow mapping, line 3)\n"
                                  "    3 | x.\xC3\xA4=[1, {b: 2]\n"
                                  "      |              ^\n",
                                  path, path));
    path = capture_file(c, "a: 1\n", 5);
    t = yaml_load(c->arena, c->diag, path);
    cr_expect(t && strcmp(shown(c, t, true), "{a@1:1: 1@1:4}@1:1") == 0);
    cr_expect_str_eq(t->at.src->name, path);
    unlink(path);
    capture_free(c);
}
