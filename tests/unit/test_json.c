/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/capture.h"

#include "sim/text/json.h"
#include "sim/text/yaml.h"

static const char *printed(struct capture *c, const struct tree *t, int indent)
{
    struct out *o = out_memory();
    const char *text;
    size_t len;

    json_tree(o, t, indent);
    text = out_data(o, &len);
    text = arena_text(c->arena, text, len);
    out_drop(o);
    return text;
}

static struct tree *parse(struct capture *c, const char *text, size_t len)
{
    return json_parse(c->arena, c->diag, capture_source(c, text, len ? len : strlen(text)));
}

static const struct {
    const char *text, *json;
} good[] = {
    {"1", "1"},
    {"-0", "0"},
    {"-0.0", "0"},
    {"1.50", "1.5"},
    {"1e3", "1000"},
    {"1E-7", "1e-7"},
    {"0.1", "0.1"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"9007199254740992", "9007199254740992"},
    {"9007199254740994", "9007199254740994"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"4611686018427387904", "4611686018427387904"},
    {"1e300", "1e300"},
    {"1e-999", "0"},
    {"true", "true"},
    {" false ", "false"},
    {"null", "null"},
    {"\"\"", "\"\""},
    {"\"1\"", "\"1\""},
    {"\"true\"", "\"true\""},
    {"\"a\\\"b\\\\c\\/d\\n\\t\\u00e4\\ud83d\\ude00\"",
     "\"a\\\"b\\\\c/d\\n\\t\xC3\xA4\xF0\x9F\x98\x80\""},
    {"\"\\\\u0000\"", "\"\\\\u0000\""},
    {"\xEF\xBB\xBF[1]", "[1]"},
    {"[]", "[]"},
    {"{}", "{}"},
    {"[1, \"x\", null,\r\n\t3]", "[1, \"x\", null, 3]"},
    {"{\"a\":1,\"b\":[{\"c\":[]},2]}",
     "{\n  \"a\": 1,\n  \"b\": [\n    {\n      \"c\": []\n    },\n    2\n  ]\n}"},
    {"{\"A\":1,\"a\":2}", "{\n  \"A\": 1,\n  \"a\": 2\n}"},
    {"[{\"a\":1},{\"a\":2}]", "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]"},
};

Test(json, trees)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct capture *c = capture_new();
        struct tree *t = parse(c, good[i].text, 0);

        cr_expect(t && strcmp(printed(c, t, 0), good[i].json) == 0, "%s\n%s\n%s", good[i].text,
                  t ? printed(c, t, 0) : "refused", capture_all(c));
        capture_free(c);
    }
}

static const struct {
    const char *text;
    size_t len;
    const char *errors;
} bad[] = {
    {"{\"a\": 1, \"a\": 2}", 0, "t:1:10: error: key 'a' appears twice; the first is at line 1"},
    {"{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2},\n \"a\": 2}", 0,
     "t:2:16: error: key 'c' appears twice; the first is at line 2\n"
     "t:3:2: error: key 'a' appears twice; the first is at line 1"},
    {"{\"\\u0061\": 1, \"a\": 2}", 0,
     "t:1:15: error: key 'a' appears twice; the first is at line 1"},
    {"[1e999]", 0, "t:1:2: error: a number that is too large"},
    {"[1, -1e999]", 0, "t:1:5: error: a number that is too large"},
    {"[9007199254740993]", 0, "t:1:2: error: a whole number that is too large to be held exactly"},
    {"[9223372036854775807]", 0,
     "t:1:2: error: a whole number that is too large to be held exactly"},
    {"[100000000000000000000]", 0,
     "t:1:2: error: a whole number that is too large to be held exactly"},
    {"[0.00000000000000000000000000000000000000000000000000000000000001]", 0,
     "t:1:2: error: a number of more than 60 characters"},
    {"[01]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[1.]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[1.e3]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[-]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[1e]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[1e+]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[--1]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[1-2]", 0, "t:1:2: error: a number that JSON does not know"},
    {"\"a\\u0000b\"", 0, "t:1:3: error: a NUL character in a string"},
    {"\"a\\\\\\u0000b\"", 0, "t:1:5: error: a NUL character in a string"},
    {"[\"a\0b\"]", 7, "t:1:4: error: character U+0000 is not allowed in a text"},
    {"[1,\0 2]", 7, "t:1:4: error: character U+0000 is not allowed in a text"},
    {"[\"a\tb\"]", 0, "t:1:4: error: a line end or a tab in a string; write \\n or \\t"},
    {"[\"a\nb\"]", 0, "t:1:4: error: a line end or a tab in a string; write \\n or \\t"},
    {"[\"a\x1B\"]", 0, "t:1:4: error: character U+001B is not allowed in a text"},
    {"[\"\xC3\xA4\xFF\"]", 0, "t:1:4: error: byte 0xFF is not valid UTF-8"},
    {"[1,\v2]", 0, "t:1:4: error: character U+000B is not allowed in a text"},
    {"\xFF\xFE[\0]\0", 6, "t:1:1: error: the text is UTF-16; wanted UTF-8"},
    {"[\n\"abc", 0, "t:2:1: error: a string that is not closed"},
    {"[\"abc\\", 0, "t:1:2: error: a string that is not closed"},
    {"[\"abc\\\"]", 0, "t:1:2: error: a string that is not closed"},
    {"1 2", 0, "t:1:3: error: text behind the value; wanted one value"},
    {"{}\n{}\n", 0, "t:2:1: error: text behind the value; wanted one value"},
    {"[1]]", 0, "t:1:4: error: text behind the value; wanted one value"},
    {"true false", 0, "t:1:6: error: text behind the value; wanted one value"},
    {"{a: 1}", 0, "t:1:2: error: 'a' is not true, false or null, nor in quotes"},
    {"[truex]", 0, "t:1:2: error: 'truex' is not true, false or null, nor in quotes"},
    {"[tru]", 0, "t:1:2: error: 'tru' is not true, false or null, nor in quotes"},
    {"[True]", 0, "t:1:2: error: 'True' is not true, false or null, nor in quotes"},
    {"[NaN]", 0, "t:1:2: error: 'NaN' is not true, false or null, nor in quotes"},
    {"[-Infinity]", 0, "t:1:2: error: a number that JSON does not know"},
    {"[0x10]", 0, "t:1:3: error: 'x' is not true, false or null, nor in quotes"},
    {"[1_000]", 0, "t:1:3: error: '_' is not true, false or null, nor in quotes"},
    {"[\xEF\xBC\x95]", 0, "t:1:2: error: '\xEF\xBC\x95' is not true, false or null, nor in quotes"},
    {"{'a': 1}", 0, "t:1:2: error: a character that has no place in JSON outside of a string"},
    {"[+1]", 0, "t:1:2: error: a character that has no place in JSON outside of a string"},
    {"[.5]", 0, "t:1:2: error: a character that has no place in JSON outside of a string"},
    {"[1, // x\n2]", 0, "t:1:5: error: a character that has no place in JSON outside of a string"},
};

/* What cJSON refuses itself: all with the same words, and where. */
static const struct {
    const char *text;
    uint32_t line, col;
} no_json[] = {
    {"", 1, 1},
    {"  ", 1, 2},
    {"[1,]", 1, 4},
    {"{\"a\":1,}", 1, 8},
    {"[1 2]", 1, 4},
    {"{\"a\" 1}", 1, 6},
    {"[\n1,\n\n,2]", 4, 1},
    {"[\"\\x\"]", 1, 3},
    {"[\"\\ud800\"]", 1, 3},
    {"{\"a\":}", 1, 6},
    {"{1: 2}", 1, 3},
    {"[", 1, 1},
    {"[1", 1, 2},
    {"{\"a\":1", 1, 6},
    {"[1}", 1, 3},
    {"\xEF\xBB\xBF[}]", 1, 2},
    {"[1:2]", 1, 3},
    {",", 1, 1},
};

#define NO_JSON "this is not JSON; wanted a value, or ',' or a bracket between values"

Test(json, complaints)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct capture *c = capture_new();

        cr_expect_null(parse(c, bad[i].text, bad[i].len), "%s", bad[i].text);
        cr_expect_str_eq(capture_lines(c), bad[i].errors, "%s\n%s", bad[i].text, capture_lines(c));
        capture_free(c);
    }
    for (size_t i = 0; i < sizeof no_json / sizeof *no_json; i++) {
        struct capture *c = capture_new();

        cr_expect_null(parse(c, no_json[i].text, 0), "%s", no_json[i].text);
        cr_expect_str_eq(
            capture_lines(c),
            arena_printf(c->arena, "t:%u:%u: error: %s", no_json[i].line, no_json[i].col, NO_JSON),
            "%s\n%s", no_json[i].text, capture_lines(c));
        capture_free(c);
    }
}

/* YAML scalars as JSON */
static const struct {
    const char *yaml, *json;
} scalars[] = {
    {"010", "10"},
    {"+5", "5"},
    {"-0", "0"},
    {"+1.5", "1.5"},
    {"01.50", "1.5"},
    {"1.50", "1.50"},
    {"4611686018.427387904", "4611686018.427387904"},
    {"True", "true"},
    {"FALSE", "false"},
    {"~", "null"},
    {"Null", "null"},
    {"'~'", "\"~\""},
    {"'5'", "\"5\""},
    {"no", "\"no\""},
    {"tRue", "\"tRue\""},
    {"0x10", "\"0x10\""},
    {".5", "\".5\""},
    {"1e999", "\"1e999\""},
    {".inf", "\".inf\""},
    {"99999999999999999999", "99999999999999999999"},
    {"1:30", "\"1:30\""},
    {"a\"b", "\"a\\\"b\""},
};

Test(json, writing)
{
    struct capture *c = capture_new();
    struct tree *t;

    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        const char *yaml = arena_printf(c->arena, "[%s]", scalars[i].yaml);

        t = yaml_parse(c->arena, c->diag, capture_source(c, yaml, strlen(yaml)));
        cr_assert_not_null(t);
        cr_expect_str_eq(printed(c, t, 0), arena_printf(c->arena, "[%s]", scalars[i].json));
    }
    t = parse(c, "{\"a\": [1, {}], \"b\\n\": 2}", 0);
    cr_expect_str_eq(printed(c, t, 4), "{\n      \"a\": [\n        1,\n        {}\n      ],\n"
                                       "      \"b\\n\": 2\n    }");
    cr_expect(tree_get(t, "a")->at.line == 1 && tree_get(t, "a")->at.col == 7);
    cr_expect(t->key[1]->at.col == 16 && t->item[1]->at.col == 23);
    t = parse(c, "[1,\n\xC2\xA0\"\", [2]]", 0);
    cr_expect_null(t);
    t = parse(c, "[\"\xC3\xA4\", 2,\n   {\"x\": [3]}]", 0);
    cr_expect(t->item[1]->at.line == 1 && t->item[1]->at.col == 7);
    t = tree_get(t->item[2], "x");
    cr_expect(t->item[0]->at.line == 2 && t->item[0]->at.col == 11);
    capture_free(c);
}

Test(json, limits)
{
    struct capture *c = capture_new();
    const char *deep = capture_repeat(c, "[", 100000), *path, *fine;

    cr_expect_null(parse(c, deep, 0));
    cr_expect_str_eq(capture_lines(c), "t:1:65: error: nested deeper than 64");
    fine = arena_printf(c->arena, "%.64s%s", deep, capture_repeat(c, "]", 64));
    cr_expect_not_null(parse(c, fine, 0));
    fine = arena_printf(c->arena, "[%s1]", capture_repeat(c, "[],{},", 100000));
    cr_expect_not_null(parse(c, fine, 0));
    path = capture_file(c, "{\"a\": 1}\n", 9);
    cr_expect_not_null(json_load(c->arena, c->diag, path));
    cr_expect_eq(truncate(path, (64 << 20) + 1), 0);
    cr_expect_null(json_load(c->arena, c->diag, path));
    unlink(path);
    cr_expect(strstr(capture_all(c), "error: the file is larger than 64 MiB, the most that is "));
    cr_expect_null(json_load(c->arena, c->diag, path));
    cr_expect_eq(diag_io_errors(c->diag), 1);
    capture_free(c);
}
