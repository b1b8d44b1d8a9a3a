/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/identity.h"

#include <string.h>

#include "sim/base/sha256.h"
#include "sim/base/version.h"
#include "sim/text/json.h"
#include "sim/text/out.h"

#define SHORT 16 /* digits of a hash that is shown */

struct hashed_file {
    char *path;
    char hex[SHA256_HEX];
};

void identity_files_free(struct identity_files *files)
{
    for (uint32_t i = 0; i < files->n; i++)
        mem_drop(files->file[i].path);
    mem_drop(files->file);
    *files = (struct identity_files){0};
}

static const char *find(const struct identity_files *files, const char *path)
{
    for (uint32_t i = 0; files && i < files->n; i++)
        if (strcmp(files->file[i].path, path) == 0)
            return files->file[i].hex;
    return NULL;
}

static bool hash_file(struct diag *d, struct identity_files *files, const char *path,
                      char hex[SHA256_HEX])
{
    const char *known = find(files, path);

    if (known) {
        memcpy(hex, known, SHA256_HEX);
        return true;
    }
    if (!sha256_file(d, path, hex))
        return false;
    if (files) {
        files->file = mem_room(files->file, files->n, &files->cap, sizeof(*files->file));
        struct hashed_file *f = &files->file[files->n++];
        f->path = mem_get(strlen(path) + 1);
        memcpy(f->path, path, strlen(path) + 1);
        memcpy(f->hex, hex, SHA256_HEX);
    }
    return true;
}

/* All files but the configuration's own, which is in the tree, key by key, go into `contents`. */
static bool hash_inputs(struct arena *a, struct diag *d, const struct config *c,
                        struct identity_files *files, struct out *contents, const char **json)
{
    struct out *all = out_memory();
    bool ok = true;
    size_t len;

    out_char(all, '[');
    for (uint32_t i = 0; ok && i < c->n_inputs; i++) {
        char hex[SHA256_HEX] = "";
        bool is_stdin = strcmp(c->input[i], "-") == 0;
        ok = is_stdin || hash_file(d, files, c->input[i], hex);
        out_text(all, i ? ", {\"path\": " : "{\"path\": ");
        out_json(all, c->input[i]);
        out_text(all, ", \"sha256\": ");
        if (is_stdin)
            out_text(all, "null");
        else
            out_json(all, hex);
        out_char(all, '}');
        if (i > 0)
            out_text(contents, hex);
    }
    out_char(all, ']');
    const char *text = out_data(all, &len);
    *json = arena_text(a, text, len);
    out_drop(all);
    return ok;
}

static bool among(const char *key, const char *const *keys)
{
    for (int i = 0; keys[i]; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

/* The configuration without some keys, and the contents of all files it names. */
static const char *hash_without(struct arena *a, const struct tree *root, const char *const *keys,
                                const char *contents)
{
    struct out *o = out_memory();
    char hex[SHA256_HEX];
    size_t len;

    for (size_t i = 0; i < root->n; i++) {
        if (among(root->key[i]->text, keys))
            continue;
        out_json(o, root->key[i]->text);
        json_tree(o, root->item[i], 0);
    }
    out_text(o, contents);
    const char *text = out_data(o, &len);
    sha256_bytes(text, len, hex);
    out_drop(o);
    return arena_text(a, hex, SHORT);
}

bool identity_of(struct arena *a, struct diag *d, const struct config *c,
                 struct identity_files *files, struct identity *out)
{
    /* Keys that may differ between runs of one comparison, and between those of one result. */
    static const char *const free_keys[] = {"about",        "policy",     "predictor",
                                            "seed",         "seeds",      "refusals",
                                            "max_rounds",   "write_jobs", "write_series",
                                            "write_events", NULL},
                             *const idle_keys[] = {"about",        "policy",     "seed",
                                                   "seeds",        "write_jobs", "write_series",
                                                   "write_events", NULL};
    struct out *contents = out_memory();
    bool ok = hash_inputs(a, d, c, files, contents, &out->inputs_json);
    size_t len;
    const char *text = out_data(contents, &len);

    text = arena_text(a, text, len);
    out->world = hash_without(a, c->root, free_keys, text);
    out->settings = hash_without(a, c->root, idle_keys, text);
    out_drop(contents);
    return ok;
}

const char *identity_of_point(struct arena *a, const struct identity *x, const char *label,
                              uint64_t seed, const char *libraries)
{
    const char *text =
        arena_printf(a, "%s %s %llu %s %s %s", x->settings, label, (unsigned long long)seed,
                     hetune_version, hetune_commit, libraries);
    char hex[SHA256_HEX];

    sha256_bytes(text, strlen(text), hex);
    return arena_text(a, hex, SHORT);
}
