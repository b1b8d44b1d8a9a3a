/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <signal.h>
#include <stddef.h>

#include "tests/unit/capture.h"

#include "sim/text/conf.h"
#include "sim/text/json.h"
#include "sim/text/yaml.h"

struct run {
    bool preempt;
    int64_t gpus;
    double load, target;
    sim_time quantum;
    const char *trace, *note;
    int order;
};

static const char *const orders[] = {"submit", "size", "none", NULL};

#define AT(member) offsetof(struct run, member)

static const struct field fields[] = {
    {FIELD_BOOL, "preempt", AT(preempt), "true", 0, 0, NULL, "may stop jobs"},
    {FIELD_INT, "gpus", AT(gpus), "8", 1, 1024, NULL, "GPUs"},
    {FIELD_REAL, "load", AT(load), "0.5", 0, 1, NULL, "offered load"},
    {FIELD_REAL_OR_NONE, "target", AT(target), "none", -1e300, 1e300, NULL, "metric to reach"},
    {FIELD_SECONDS, "quantum", AT(quantum), "60", 0.001, 86400, NULL, "length of a slice, s"},
    {FIELD_TEXT, "trace", AT(trace), NULL, 0, 0, NULL, "the jobs"},
    {FIELD_TEXT, "note", AT(note), "", 0, 0, NULL, "for people"},
    {FIELD_CHOICE, "order", AT(order), "submit", 0, 0, orders, "what comes first"},
    {.type = FIELD_END},
};

static const char *const also[] = {"policy", "cluster", NULL};

static struct tree *yaml(struct capture *c, const char *text)
{
    struct tree *t = yaml_parse(c->arena, c->diag, capture_source(c, text, strlen(text)));

    cr_assert_not_null(t, "%s", capture_all(c));
    return t;
}

static const char *json(struct capture *c, const struct tree *t)
{
    struct out *o = out_memory();
    const char *text;
    size_t len;

    json_tree(o, t, 0);
    text = out_data(o, &len);
    text = arena_text(c->arena, text, len);
    out_drop(o);
    return text;
}

Test(conf, fill)
{
    struct capture *c = capture_new();
    struct tree *t = yaml(c, "trace: 12\ngpus: 010\nload: 1e-1\npolicy: [x]\nquantum: 0.1\n");
    struct run r;

    cr_assert(conf_fill(c->arena, c->diag, t, fields, also, "the run", &r));
    cr_expect(r.preempt && r.gpus == 10 && r.load == 0.1 && isnan(r.target));
    cr_expect(r.quantum == 100000000 && r.order == 0);
    cr_expect_str_eq(r.trace, "12");
    cr_expect_str_eq(r.note, "");
    cr_expect_str_eq(json(c, t), "{\n  \"trace\": 12,\n  \"gpus\": 10,\n  \"load\": 1e-1,\n"
                                 "  \"policy\": [\"x\"],\n  \"quantum\": 0.1,\n"
                                 "  \"preempt\": true,\n  \"target\": \"none\",\n"
                                 "  \"note\": \"\",\n  \"order\": \"submit\"\n}");
    memset(&r, 0, sizeof r);
    cr_expect(conf_fill(c->arena, c->diag, t, fields, also, "the run", &r), "twice");
    cr_expect(r.gpus == 10 && r.order == 0 && isnan(r.target));
    t = yaml(c, "{trace: 'a', preempt: False, order: size, target: -2.5, note: no, gpus: 1024}");
    cr_assert(conf_fill(c->arena, c->diag, t, fields, NULL, "the run", &r));
    cr_expect(!r.preempt && r.order == 1 && r.target == -2.5 && r.gpus == 1024);
    cr_expect_str_eq(r.note, "no");
    cr_expect(conf_fill(c->arena, c->diag, NULL, fields + 7, NULL, "the run", &r));
    cr_expect_not(conf_fill(c->arena, c->diag, NULL, fields, NULL, "the run", &r));
    cr_expect_str_eq(capture_all(c), "error: key 'trace' is missing in the run\n");
    capture_free(c);
}

static const struct {
    const char *text, *errors; /* behind "t:1:" */
} bad[] = {
    {"{gpus: eight, trace: x}", "8: error: gpus: 'eight' is not a whole number"},
    {"{gpus: 0, trace: x}", "8: error: gpus: 0 is below the minimum, 1"},
    {"{gpus: 1025, trace: x}", "8: error: gpus: 1025 is above the maximum, 1024"},
    {"{gpus: 1e3, trace: x}", "8: error: gpus: '1e3' is not a whole number"},
    {"{gpus: 8.0, trace: x}", "8: error: gpus: '8.0' is not a whole number"},
    {"{gpus: 1_000, trace: x}", "8: error: gpus: '1_000' is not a whole number"},
    {"{gpus: 0x10, trace: x}", "8: error: gpus: '0x10' is not a whole number"},
    {"{gpus: '8', trace: x}", "8: error: gpus: '8' in quotes is a text; wanted a whole number"},
    {"{gpus: , trace: x}", "8: error: gpus: nothing; wanted a whole number"},
    {"{gpus: ~, trace: x}", "8: error: gpus: nothing; wanted a whole number"},
    {"{gpus: null, trace: x}", "8: error: gpus: nothing; wanted a whole number"},
    {"{gpus: '', trace: x}", "8: error: gpus: '' in quotes is a text; wanted a whole number"},
    {"{gpus: [8], trace: x}", "8: error: gpus: a list; wanted a whole number"},
    {"{gpus: {a: 8}, trace: x}", "8: error: gpus: a map; wanted a whole number"},
    {"{gpus: 9223372036854775808, trace: x}", "8: error: gpus: 9223372036854775808 is too large"},
    {"{gpus: \xEF\xBC\x95, trace: x}", "8: error: gpus: '\xEF\xBC\x95' is not a whole number"},
    {"{load: -0.1, trace: x}", "8: error: load: -0.1 is below the minimum, 0"},
    {"{load: 1.5, trace: x}", "8: error: load: 1.5 is above the maximum, 1"},
    {"{load: .nan, trace: x}", "8: error: load: '.nan' is not a number"},
    {"{load: .inf, trace: x}", "8: error: load: '.inf' is not a number"},
    {"{load: 1e999, trace: x}", "8: error: load: 1e999 is too large"},
    {"{load: none, trace: x}", "8: error: load: 'none' is not a number"},
    {"{load: \"1\", trace: x}", "8: error: load: '1' in quotes is a text; wanted a number"},
    {"{target: 'none', trace: x}",
     "10: error: target: 'none' in quotes is a text; wanted a number"},
    {"{target: nine, trace: x}", "10: error: target: 'nine' is not a number"},
    {"{target: , trace: x}", "10: error: target: nothing; wanted a number or none"},
    {"{quantum: 1:30, trace: x}",
     "11: error: quantum: '1:30' is not a time in seconds, as in 90 or 0.5"},
    {"{quantum: 5m, trace: x}",
     "11: error: quantum: '5m' is not a time in seconds, as in 90 or 0.5"},
    {"{quantum: 1e2, trace: x}",
     "11: error: quantum: '1e2' is not a time in seconds, as in 90 or 0.5"},
    {"{quantum: 0.0009, trace: x}", "11: error: quantum: 0.0009 is below the minimum, 0.001"},
    {"{quantum: -1, trace: x}", "11: error: quantum: -1 is below the minimum, 0.001"},
    {"{quantum: 86400.000000001, trace: x}",
     "11: error: quantum: 86400.000000001 is above the maximum, 86400"},
    {"{quantum: 1.0000000001, trace: x}",
     "11: error: quantum: 1.0000000001 is finer than a nanosecond"},
    {"{quantum: 99999999999, trace: x}", "11: error: quantum: 99999999999 is too large"},
    {"{quantum: '60', trace: x}",
     "11: error: quantum: '60' in quotes is a text; wanted a time in seconds"},
    {"{preempt: yes, trace: x}", "11: error: preempt: 'yes' is neither true nor false"},
    {"{preempt: off, trace: x}", "11: error: preempt: 'off' is neither true nor false"},
    {"{preempt: 1, trace: x}", "11: error: preempt: '1' is neither true nor false"},
    {"{preempt: 'true', trace: x}",
     "11: error: preempt: 'true' in quotes is a text; wanted true or false"},
    {"{preempt: [], trace: x}", "11: error: preempt: an empty list; wanted true or false"},
    {"{order: sizes, trace: x}", "9: error: order: 'sizes' is no choice (did you mean 'size'?)"},
    {"{order: fifo, trace: x}", "9: error: order: 'fifo' is none of submit, size, none"},
    {"{order: , trace: x}", "9: error: order: nothing; wanted one of submit, size, none"},
    {"{trace: }", "9: error: trace: nothing; wanted a text"},
    {"{trace: [a]}", "9: error: trace: a list; wanted a text"},
    {"{trace: x, polcy: a}", "12: error: unknown key 'polcy' in the run (did you mean 'policy'?)"},
    {"{trace: x, qunatum: 1}",
     "12: error: unknown key 'qunatum' in the run (did you mean 'quantum'?)"},
    {"{trace: x, color: red}", "12: error: unknown key 'color' in the run"},
    {"{gpus: 8}", "1: error: key 'trace' is missing in the run"},
    {"[a]", "1: error: the run: a list; wanted a map"},
    {"text", "1: error: the run: a text; wanted a map"},
    {"'text'", "1: error: the run: a text in quotes; wanted a map"},
    {"~", "1: error: the run: nothing; wanted a map"},
    {"{gpus: 11111111112222222222333333333344444444445555555555x, trace: y}",
     "8: error: gpus: '1111111111222222222233333333334444444444...' is not a whole number"},
    {"{gpus: x, load: y, Trace: z}",
     "20: error: unknown key 'Trace' in the run (did you mean 'trace'?)\n"
     "t:1:8: error: gpus: 'x' is not a whole number\n"
     "t:1:17: error: load: 'y' is not a number\n"
     "t:1:1: error: key 'trace' is missing in the run"},
};

Test(conf, complaints)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct capture *c = capture_new();
        struct tree *t = yaml(c, bad[i].text);
        struct run r;

        cr_expect_not(conf_fill(c->arena, c->diag, t, fields, also, "the run", &r));
        cr_expect_str_eq(capture_lines(c), arena_printf(c->arena, "t:1:%s", bad[i].errors),
                         "%s\n%s", bad[i].text, capture_lines(c));
        capture_free(c);
    }
}

#define WANTED "; wanted NAME or NAME[param=value,...]"

static const struct {
    const char *label;
    const char *json;          /* NULL: refused, ... */
    const char *name_or_error; /* ... for this reason, behind "t:1:" */
} labels[] = {
    {"las", "{}", "las"},
    {"my-policy_2.so", "{}", "my-policy_2.so"},
    {"./dir/x.so[a=1]", "{\n  \"a\": 1\n}", "./dir/x.so"},
    {"las[a=1]", "{\n  \"a\": 1\n}", "las"},
    {"las[a=1,b=x]", "{\n  \"a\": 1,\n  \"b\": \"x\"\n}", "las"},
    {"las[a=1,b=x[y=2,z=3]]", "{\n  \"a\": 1,\n  \"b\": \"x[y=2,z=3]\"\n}", "las"},
    {"a[b=c[d=e[f=g]],h=1]", "{\n  \"b\": \"c[d=e[f=g]]\",\n  \"h\": 1\n}", "a"},
    {"a[b=x=y]", "{\n  \"b\": \"x=y\"\n}", "a"},
    {"a[b=two words]", "{\n  \"b\": \"two words\"\n}", "a"},
    {"a[b='1']", "{\n  \"b\": \"1\"\n}", "a"},
    {"a[b='x, ]y',c=2]", "{\n  \"b\": \"x, ]y\",\n  \"c\": 2\n}", "a"},
    {"a[b='it''s']", "{\n  \"b\": \"it's\"\n}", "a"},
    {"a[b='']", "{\n  \"b\": \"\"\n}", "a"},
    {"a[b=it's]", "{\n  \"b\": \"it's\"\n}", "a"},
    {"a[b=x[c=']']]", "{\n  \"b\": \"x[c=']']\"\n}", "a"},
    {"", NULL, "4: error: a name is missing" WANTED},
    {"[a=1]", NULL, "4: error: a name is missing" WANTED},
    {" las", NULL, "4: error: a name is missing" WANTED},
    {"las ", NULL, "7: error: there is text behind the name" WANTED},
    {"las [a=1]", NULL, "7: error: there is text behind the name" WANTED},
    {"las=1", NULL, "7: error: there is text behind the name" WANTED},
    {"las,fifo", NULL, "7: error: there is text behind the name" WANTED},
    {"las]", NULL, "7: error: there is text behind the name" WANTED},
    {"las[]", NULL, "8: error: the name of a parameter is missing" WANTED},
    {"las[", NULL, "8: error: the name of a parameter is missing" WANTED},
    {"las[a]", NULL, "9: error: '=' is missing behind the name of a parameter" WANTED},
    {"las[a=]", NULL, "10: error: a value is missing" WANTED},
    {"las[a=", NULL, "10: error: a value is missing" WANTED},
    {"las[a=,b=1]", NULL, "10: error: a value is missing" WANTED},
    {"las[a=1", NULL, "11: error: ']' is missing behind the parameters" WANTED},
    {"las[a=1,]", NULL, "12: error: the name of a parameter is missing" WANTED},
    {"las[,a=1]", NULL, "8: error: the name of a parameter is missing" WANTED},
    {"las[=1]", NULL, "8: error: the name of a parameter is missing" WANTED},
    {"las[a=1]x", NULL, "12: error: there is text behind the label" WANTED},
    {"las[a=1][b=2]", NULL, "12: error: there is text behind the label" WANTED},
    {"las[a=1]]", NULL, "12: error: there is text behind the label" WANTED},
    {"las[ a=1]", NULL, "8: error: there is a blank before the name of a parameter" WANTED},
    {"las[a =1]", NULL, "9: error: '=' is missing behind the name of a parameter" WANTED},
    {"las[a= 1]", NULL, "10: error: there is a blank beside a value" WANTED},
    {"las[a=1 ]", NULL, "11: error: there is a blank beside a value" WANTED},
    {"las[a=1, b=2]", NULL, "12: error: there is a blank before the name of a parameter" WANTED},
    {"las[a=1,a=2]", NULL, "12: error: parameter 'a' appears twice"},
    {"las[a=x[b=1]", NULL, "16: error: ']' is missing behind the parameters" WANTED},
    {"las[a=x[b=1", NULL, "10: error: a bracket is not closed" WANTED},
    {"las[a=x[b=']]", NULL, "10: error: a bracket is not closed" WANTED},
    {"las[a='x]", NULL, "10: error: a quote is not closed" WANTED},
    {"las[a='x'y]", NULL, "13: error: ']' is missing behind the parameters" WANTED},
    {"l\xC3\xA4s[\xC3\xB6=]", NULL, "10: error: a value is missing" WANTED},
};

Test(conf, labels)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        struct capture *c = capture_new();
        struct mark at = {capture_source(c, "p: x", 4), 1, 4};
        struct tree *scalar = tree_scalar(c->arena, at, labels[i].label, strlen(labels[i].label));
        struct tree *map;
        const char *name = "";

        scalar->quoted = !*labels[i].label;
        scalar->at.col -= scalar->quoted;
        map = conf_label(c->arena, c->diag, scalar, &name);
        cr_expect_eq(map != NULL, labels[i].json != NULL, "%s", labels[i].label);
        cr_expect_str_eq(map ? json(c, map) : "refused",
                         labels[i].json ? labels[i].json : "refused");
        if (labels[i].json)
            cr_expect_str_eq(name, labels[i].name_or_error);
        else
            cr_expect_str_eq(capture_lines(c),
                             arena_printf(c->arena, "t:1:%s", labels[i].name_or_error), "%s\n%s",
                             labels[i].label, capture_all(c));
        capture_free(c);
    }
}

/* Values that a label must carry to and fro. */
static const struct {
    struct run run;
    const char *label;
} printed[] = {
    {{true, 8, 0.5, NAN, 60000000000, "x", "", 0}, "p[trace=x]"},
    {{false, 9, 0.25, -1.5, 1500000000, "a/b.csv", "two words", 2},
     "p[preempt=false,gpus=9,load=0.25,target=-1.5,quantum=1.5,trace=a/b.csv,note=two words,"
     "order=none]"},
    {{true, 8, 0.5, 1e-7, 60000000000, "", "it's", 0}, "p[target=1e-7,trace='',note=it's]"},
    {{true, 8, 0.5, NAN, 60000000000, "a,b", "'q", 0}, "p[trace='a,b',note='''q']"},
    {{true, 8, 0.5, NAN, 60000000000, " a", "b]", 0}, "p[trace=' a',note='b]']"},
    {{true, 8, 0.5, NAN, 60000000000, "las[q=2,n='x]']", "[", 0},
     "p[trace=las[q=2,n='x]'],note='[']"},
    {{true, 8, 0.5, NAN, 60000000000, "\n", "12", 0}, "p[trace='\n',note=12]"},
    {{true, 8, 0.1 + 0.2, NAN, 86399999999999, "x", "", 0},
     "p[load=0.30000000000000004,quantum=86399.999999999,trace=x]"},
};

static bool same(const struct run *a, const struct run *b)
{
    return a->preempt == b->preempt && a->gpus == b->gpus && a->load == b->load &&
           (a->target == b->target || (isnan(a->target) && isnan(b->target))) &&
           a->quantum == b->quantum && strcmp(a->trace, b->trace) == 0 &&
           strcmp(a->note, b->note) == 0 && a->order == b->order;
}

Test(conf, printed_labels)
{
    struct capture *c = capture_new();
    const char *name, *label;
    struct out *o = out_memory();
    size_t len;

    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        struct tree *scalar, *map;
        struct run r;

        label = conf_print_label(c->arena, "p", fields, &printed[i].run);
        cr_expect_str_eq(label, printed[i].label, "%s", label);
        scalar = tree_scalar(c->arena, (struct mark){NULL, 0, 0}, label, strlen(label));
        map = conf_label(c->arena, c->diag, scalar, &name);
        cr_assert(map && conf_fill(c->arena, c->diag, map, fields, NULL, "p", &r), "%s", label);
        cr_expect(same(&r, &printed[i].run), "%s", label);
    }
    cr_expect_str_eq(conf_print_label(c->arena, "p", fields + 8, &printed[0].run), "p");
    conf_help(o, fields, "  ");
    label = out_data(o, &len);
    cr_expect_str_eq(arena_text(c->arena, label, len),
                     "  preempt  true|false               true      may stop jobs\n"
                     "  gpus     int 1..1024              8         GPUs\n"
                     "  load     real 0..1                0.5       offered load\n"
                     "  target   none|real -1e300..1e300  none      metric to reach\n"
                     "  quantum  seconds 0.001..86400     60        length of a slice, s\n"
                     "  trace    text                     required  the jobs\n"
                     "  note     text                     \"\"        for people\n"
                     "  order    submit|size|none         submit    what comes first\n");
    out_drop(o);
    capture_free(c);
}

/* Puts a map in the place of the text "file" and counts its calls. */
struct expander {
    struct capture *c;
    int calls;
};

static struct tree *expand(void *user, const char *key, struct tree *node)
{
    struct expander *e = user;

    e->calls++;
    if (strcmp(node->text, "file") != 0)
        return NULL;
    return yaml(e->c, arena_printf(e->c->arena, "{from: %s, n: {deep: 1}}", key));
}

static const struct {
    const char *base, *override;
    const char *result; /* NULL: refused, ... */
    const char *error;  /* ... for this reason, behind "-s:7:" */
} overrides[] = {
    {"{a: 1, b: 2}", "b=3", "{a: 1, b: 3}", NULL},
    {"{a: 1}", "b=3", "{a: 1, b: 3}", NULL},
    {"{}", "a.b.c=3", "{a: {b: {c: 3}}}", NULL},
    {"{a: {b: 1}}", "a.c=x=y", "{a: {b: 1, c: x=y}}", NULL},
    {"{a: [1, 2, {b: 3}]}", "a.0=9", "{a: [9, 2, {b: 3}]}", NULL},
    {"{a: [1, 2, {b: 3}]}", "a.2.b=9", "{a: [1, 2, {b: 9}]}", NULL},
    {"[1, 2]", "1=x", "[1, x]", NULL},
    {"{a: 1}", "a=", "{a: }", NULL},
    {"{a: 1}", "a=[1, {b: 2}]", "{a: [1, {b: 2}]}", NULL},
    {"{a: 1}", "a={b: c}", "{a: {b: c}}", NULL},
    {"{a: {b: 1}}", "a=x", "{a: x}", NULL},
    {"{a: 1}", "a= x", "{a:  x}", NULL},
    {"{a: }", "a.b=1", "{a: {b: 1}}", NULL},
    {"{a: file}", "a.n.deep=2", "{a: {from: a, n: {deep: 2}}}", NULL},
    {"{a: file}", "a=2", "{a: 2}", NULL},
    {"{a: {b: file}}", "a.b.from=x", "{a: {b: {from: x, n: {deep: 1}}}}", NULL},
    {"{a: &x {b: 1}, c: *x}", "c.b=2", "{a: {b: 1}, c: {b: 2}}", NULL},
    {"{a: 1}", "a", NULL, "1: error: no '=' in an override; wanted path=value"},
    {"{a: 1}", "", NULL, "1: error: no '=' in an override; wanted path=value"},
    {"{a: 1}", "=1", NULL, "1: error: an empty name in the path of an override"},
    {"{a: 1}", "a.=1", NULL, "3: error: an empty name in the path of an override"},
    {"{a: 1}", "a..b=1", NULL, "3: error: an empty name in the path of an override"},
    {"{a: 1}", ".a=1", NULL, "1: error: an empty name in the path of an override"},
    {"{a: 1}", "a.b=1", NULL, "3: error: there is no 'b' in a text"},
    {"{a: 'x'}", "a.b.c=1", NULL, "3: error: there is no 'b' in a text in quotes"},
    {"{a: [1, 2]}", "a.2=1", NULL, "3: error: there is no item '2' in a list of 2; the first is 0"},
    {"{a: [1, 2]}", "a.-1=1", NULL,
     "3: error: there is no item '-1' in a list of 2; the first is 0"},
    {"{a: [1, 2]}", "a.x=1", NULL, "3: error: there is no item 'x' in a list of 2; the first is 0"},
    {"{a: []}", "a.0=1", NULL, "3: error: there is no item '0' in a list of 0; the first is 0"},
    {"{a: [1]}", "a.99999999999999999999=1", NULL,
     "3: error: there is no item '99999999999999999999' in a list of 1; the first is 0"},
    {"{a: [1, [2]]}", "a.0.b=1", NULL, "5: error: there is no 'b' in a text"},
    {"{a: 1}", "a=[1", NULL,
     "5: error: did not find expected ',' or ']' (while parsing a flow sequence, line 7)"},
    {"{a: 1}", "a={b: 1, b: 2}", NULL, "10: error: key 'b' appears twice; the first is at line 7"},
    {"{a: 1}", "a=\x1B", NULL, "3: error: character U+001B is not allowed in a text"},
    {"{a: 1}", "\xC3\xA4.a=\xFF", NULL, "5: error: byte 0xFF is not valid UTF-8"},
};

static const char *flat(struct capture *c, const struct tree *t)
{
    const char *text = "";

    if (t->kind == TREE_SCALAR)
        return t->text;
    for (size_t i = 0; i < t->n; i++)
        text = arena_printf(c->arena, "%s%s%s%s%s", text, i ? ", " : "",
                            t->kind == TREE_MAP ? t->key[i]->text : "",
                            t->kind == TREE_MAP ? ": " : "", flat(c, t->item[i]));
    return arena_printf(c->arena, t->kind == TREE_MAP ? "{%s}" : "[%s]", text);
}

Test(conf, overrides)
{
    for (size_t i = 0; i < sizeof overrides / sizeof *overrides; i++) {
        struct capture *c = capture_new();
        struct tree *t = yaml(c, overrides[i].base);
        struct override o = {overrides[i].override, 7, NULL, NULL};
        struct expander e = {.c = c};
        bool fine = conf_override(c->arena, c->diag, t, &o, expand, &e);
        const char *error = overrides[i].error;

        cr_expect_eq(fine, overrides[i].result != NULL, "%s", o.text);
        if (fine)
            cr_expect_str_eq(flat(c, t), overrides[i].result, "%s: %s", o.text, flat(c, t));
        cr_expect_str_eq(capture_lines(c), error ? arena_printf(c->arena, "-s:7:%s", error) : "",
                         "%s\n%s", o.text, capture_all(c));
        capture_free(c);
    }
}

Test(conf, override_marks)
{
    struct capture *c = capture_new();
    struct tree *t = yaml(c, "{trace: x}");
    struct override good = {"gpus=0", 2, NULL, NULL}, deep = {"x.y={gpus: [1]}", 3, NULL, NULL};
    struct run r;

    cr_assert(conf_override(c->arena, c->diag, t, &good, NULL, NULL));
    cr_assert(conf_override(c->arena, c->diag, t, &deep, NULL, NULL));
    conf_fill(c->arena, c->diag, t, fields, NULL, "the run", &r);
    conf_fill(c->arena, c->diag, tree_get(tree_get(t, "x"), "y"), fields, NULL, "y", &r);
    cr_expect_str_eq(capture_all(c), "-s:3:1: error: unknown key 'x' in the run\n"
                                     "    3 | x.y={gpus: [1]}\n"
                                     "      | ^\n"
                                     "-s:2:6: error: gpus: 0 is below the minimum, 1\n"
                                     "    2 | gpus=0\n"
                                     "      |      ^\n"
                                     "-s:3:12: error: gpus: a list; wanted a whole number\n"
                                     "    3 | x.y={gpus: [1]}\n"
                                     "      |            ^\n"
                                     "-s:3:5: error: key 'trace' is missing in y\n"
                                     "    3 | x.y={gpus: [1]}\n"
                                     "      |     ^\n");
    capture_free(c);
}

Test(conf, wrong_default_is_a_bug, .signal = SIGABRT)
{
    static const struct field wrong[] = {
        {FIELD_INT, "n", 0, "many", 0, 0, NULL, "a default that is no number"},
        {.type = FIELD_END},
    };
    struct arena *a = arena_new();
    int64_t n;

    conf_fill(a, diag_new(NULL), NULL, wrong, NULL, "it", &n);
}
