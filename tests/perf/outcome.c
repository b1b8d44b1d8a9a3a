/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outcomes as JSON and back, by one table. */
#include <stddef.h>
#include <string.h>

#include "sim/text/json.h"
#include "sim/text/num.h"
#include "tests/perf/bench.h"
#include "tests/perf/machine.h"

enum key_kind { KEY_TEXT, KEY_REAL, KEY_COUNT, KEY_HEX };

static const struct {
    const char *name;
    enum key_kind kind;
    size_t at, size;
} keys[] = {
#define KEY(name, kind, field)                                                                     \
    {                                                                                              \
        name, kind, offsetof(struct outcome, field), sizeof(((struct outcome *)0)->field)          \
    }
    KEY("name", KEY_TEXT, name),
    KEY("unit", KEY_TEXT, unit),
    KEY("units", KEY_REAL, units),
    KEY("reps", KEY_COUNT, reps),
    KEY("best_ns", KEY_REAL, best),
    KEY("median_ns", KEY_REAL, median),
    KEY("cal_ns", KEY_REAL, cal),
    KEY("anchor_ns", KEY_REAL, anchor),
    KEY("instructions", KEY_REAL, instructions),
    KEY("rss_kib", KEY_COUNT, rss_kib),
    KEY("preemptions", KEY_COUNT, preemptions),
    KEY("digest", KEY_HEX, digest),
    KEY("note", KEY_TEXT, note),
    KEY("fault", KEY_TEXT, fault),
#undef KEY
};
#define KEYS (sizeof(keys) / sizeof(*keys))

struct outcome *outcomes_add(struct outcomes *all)
{
    all->item = mem_room(all->item, all->n, &all->cap, sizeof(*all->item));
    struct outcome *o = &all->item[all->n++];
    *o = (struct outcome){0};
    return o;
}

const struct outcome *outcomes_find(const struct outcomes *all, const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->item[i].name, name) == 0 && all->item[i].reps > 0)
            return &all->item[i];
    return NULL;
}

/* ---- writing ---- */

/* Whole numbers come in two widths; memcpy minds neither type nor alignment. */
static uint64_t whole(const char *p, size_t size)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;

    if (size == sizeof(wide)) {
        memcpy(&wide, p, size);
        return wide;
    }
    memcpy(&narrow, p, sizeof(narrow));
    return narrow;
}

static void put_value(struct out *o, const struct outcome *x, size_t k)
{
    const char *p = (const char *)x + keys[k].at;
    double real;

    switch (keys[k].kind) {
    case KEY_TEXT:
        out_json(o, p);
        break;
    case KEY_REAL:
        memcpy(&real, p, sizeof(real));
        out_printf(o, "%.10g", real);
        break;
    case KEY_COUNT:
        out_int(o, (int64_t)whole(p, keys[k].size));
        break;
    case KEY_HEX:
        out_char(o, '"');
        out_hex(o, whole(p, keys[k].size));
        out_char(o, '"');
    }
}

static void put_target(struct out *o, const struct outcomes *all, size_t i)
{
    struct target_result t = targets_get(all, i);

    out_text(o, i ? ",\n    {\"id\": " : "\n    {\"id\": ");
    out_json(o, t.id);
    out_text(o, ", \"what\": ");
    out_json(o, t.what);
    out_text(o, ", \"value\": ");
    out_real(o, t.value);
    out_text(o, ", \"must\": ");
    out_real(o, t.must);
    out_text(o, ", \"stretch\": ");
    out_real(o, t.stretch);
    out_text(o, ", \"unit\": ");
    out_json(o, t.unit);
    out_text(o, ", \"verdict\": ");
    out_json(o, verdict_names[t.verdict]);
    out_char(o, '}');
}

void outcomes_write(const struct outcomes *all, struct out *o)
{
    out_text(o, "{\n  \"schema\": 1,\n  \"machine\": ");
    out_json(o, machine_line());
    out_text(o, ",\n  \"cases\": [");
    for (size_t i = 0; i < all->n; i++) {
        out_text(o, i ? ",\n    {" : "\n    {");
        for (size_t k = 0; k < KEYS; k++) {
            out_printf(o, "%s\"%s\": ", k ? ", " : "", keys[k].name);
            put_value(o, &all->item[i], k);
        }
        double cal = all->item[i].cal;
        out_printf(o, ", \"ratio\": %.6g}", cal > 0 ? all->item[i].best / cal : 0);
    }
    out_text(o, "\n  ],\n  \"targets\": [");
    for (size_t i = 0; i < targets_count(); i++)
        put_target(o, all, i);
    out_text(o, "\n  ]\n}\n");
}

/* ---- reading ---- */

static uint64_t from_hex(const char *s)
{
    uint64_t x = 0;

    for (; *s; s++)
        x = x << 4 | (uint64_t)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
    return x;
}

static bool get_value(struct diag *d, const struct tree *case_tree, struct outcome *x, size_t k)
{
    const struct tree *v = tree_get(case_tree, keys[k].name);
    char *p = (char *)x + keys[k].at;
    double real;

    if (!v || v->kind != TREE_SCALAR)
        return diag_error(d, case_tree->at, "a case without '%s'", keys[k].name);
    if (keys[k].kind == KEY_TEXT) {
        snprintf(p, keys[k].size, "%s", v->text);
        return true;
    }
    if (keys[k].kind == KEY_HEX) {
        uint64_t hex = from_hex(v->text);
        memcpy(p, &hex, sizeof(hex));
        return true;
    }
    if (num_real(v->text, v->len, &real) != NUM_OK)
        return diag_error(d, v->at, "%s: '%s' is not a number", keys[k].name, v->text);
    uint64_t wide = (uint64_t)real;
    uint32_t narrow = (uint32_t)wide;
    memcpy(p,
           keys[k].kind == KEY_REAL       ? (void *)&real
           : keys[k].size == sizeof(wide) ? (void *)&wide
                                          : (void *)&narrow,
           keys[k].size);
    return true;
}

bool outcomes_read(struct outcomes *all, struct diag *d, struct arena *a, const char *path,
                   const char **machine)
{
    const struct tree *root = json_load(a, d, path);
    const struct tree *cases = tree_get(root, "cases"), *line = tree_get(root, "machine");

    if (!root)
        return false;
    if (!cases || cases->kind != TREE_LIST)
        return diag_error(d, root->at, "no list of cases: not a file of `bench --json`");
    if (machine)
        *machine = line && line->kind == TREE_SCALAR ? line->text : "unknown";
    for (size_t i = 0; i < cases->n; i++) {
        struct outcome *x = outcomes_add(all);
        for (size_t k = 0; k < KEYS; k++)
            if (!get_value(d, cases->item[i], x, k))
                return false;
    }
    return true;
}
