/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/point.h"

#include <string.h>

#include "analysis/rundir.h"
#include "sim/base/file.h"
#include "sim/base/sha256.h"
#include "sim/base/version.h"
#include "sim/text/json.h"

#define MOST_BYTES (1 << 20)
#define SUM        ",\n  \"sum\": \""

const char *const point_status_name[] = {"complete", "policy", "input", "crashed", "killed", NULL};

const char *point_path(struct arena *a, const char *dir, const char *hash)
{
    return arena_printf(a, "%s/points/%s.json", dir, hash);
}

/* ---- out ---- */

static void put(struct out *o, const char *key, const char *value)
{
    out_printf(o, ",\n  \"%s\": ", key);
    out_json(o, value);
}

static void put_facts(struct out *o, const struct point *p)
{
    const struct result *r = &p->result;

    out_text(o, "{\n  \"schema\": 1");
    put(o, "point", p->hash);
    put(o, "version", hetune_version);
    put(o, "commit", hetune_commit);
    put(o, "policy", r->label);
    out_printf(o, ",\n  \"position\": %llu,\n  \"oracle\": %s,\n  \"seed\": %llu",
               (unsigned long long)r->position, r->oracle ? "true" : "false",
               (unsigned long long)r->seed);
    put(o, "predictor", r->predictor);
    put(o, "world", r->world);
    put(o, "status", point_status_name[p->status]);
    put(o, "reason", p->reason);
}

static void put_values(struct out *o, const struct result *r)
{
    put(o, "ended", r->ended);
    out_text(o, ",\n  \"digest\": \"");
    out_hex(o, r->digest);
    out_char(o, '"');
    for (int i = 0; i < METRICS; i++) {
        if (!metric_applies(r->value, i))
            continue;
        out_printf(o, ",\n  \"%s\": ", metric_defs[i].name);
        metric_write(o, &metric_defs[i], &r->value[i]);
    }
}

bool point_write(struct diag *d, const char *path, const struct point *p)
{
    struct out *text = out_memory(), *o = out_create(d, path);
    char hex[SHA256_HEX];
    size_t len;

    put_facts(text, p);
    if (p->status == POINT_COMPLETE)
        put_values(text, &p->result);
    const char *s = out_data(text, &len);
    if (o) {
        sha256_bytes(s, len, hex);
        out_bytes(o, s, len);
        out_printf(o, SUM "%s\"\n}\n", hex);
        out_unflushed(o);
    }
    out_drop(text);
    return o && out_commit(o);
}

/* ---- in ---- */

/* Whether the text ends in its own checksum. */
static bool is_whole(const struct source *src)
{
    const char *at = memmem(src->text, src->len, SUM, sizeof(SUM) - 1);
    size_t head = at ? (size_t)(at - src->text) : 0, from = head + sizeof(SUM) - 1;
    char hex[SHA256_HEX];

    if (!at || src->len != from + SHA256_HEX - 1 + strlen("\"\n}\n"))
        return false;
    sha256_bytes(src->text, head, hex);
    return memcmp(src->text + from, hex, SHA256_HEX - 1) == 0;
}

static bool get_status(struct diag *d, const struct tree *map, enum point_status *status)
{
    const char *text;

    if (!result_text(d, map, "status", &text))
        return false;
    for (int i = 0; point_status_name[i]; i++)
        if (strcmp(text, point_status_name[i]) == 0) {
            *status = (enum point_status)i;
            return true;
        }
    return diag_error(d, tree_get(map, "status")->at, "status: '%.40s' is not known", text);
}

bool point_read(struct arena *a, struct diag *d, const char *path, struct point *p)
{
    struct source *src = file_load(a, d, path, MOST_BYTES);

    if (!src)
        return false;
    if (!is_whole(src))
        return diag_error(d, (struct mark){0},
                          "%s: it is not as it was written (its checksum differs)", path);
    struct tree *map = json_parse(a, d, src);
    *p = (struct point){.result.path = path};
    if (!map || !result_schema(d, map) || !result_text(d, map, "point", &p->hash) ||
        !result_text(d, map, "reason", &p->reason) || !get_status(d, map, &p->status) ||
        !result_facts(d, map, &p->result))
        return false;
    return p->status != POINT_COMPLETE || result_values(d, map, &p->result);
}

enum point_found point_find(struct arena *a, struct diag *d, const char *dir, const char *hash,
                            struct point *p)
{
    const char *path = point_path(a, dir, hash);
    struct diag *mute = diag_new(NULL);
    enum point_found found = POINT_DAMAGED;

    if (!file_there(path))
        found = POINT_MISSING;
    else if (point_read(a, mute, path, p) && strcmp(p->hash, hash) == 0)
        found = POINT_THERE;
    /* Read again to say why, unless that was for a moment only. */
    else if (diag_io_errors(mute) > 0)
        found = point_read(a, d, path, p) && strcmp(p->hash, hash) == 0 ? POINT_THERE
                                                                        : POINT_UNREADABLE;
    diag_free(mute);
    return found;
}

const char *point_found_name(enum point_found found, const struct point *p)
{
    if (found == POINT_THERE)
        return point_status_name[p->status];
    return found == POINT_MISSING ? "missing" : "damaged";
}
