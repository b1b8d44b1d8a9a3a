/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/story_facts.h"
#include "sim/base/file.h"
#include "sim/text/json.h"
#include "sim/text/num.h"

bool story_facts(struct arena *a, struct diag *d, const struct result *r, struct story_run_facts *f)
{
    const struct tree *manifest = json_load(a, d, arena_printf(a, "%s/manifest.json", r->path));

    if (!manifest)
        return false;
    const struct tree *config = tree_get(manifest, "config_file");
    *f = (struct story_run_facts){r, manifest, story_cluster_of(a, manifest),
                                  config && config->kind == TREE_SCALAR ? config->text : ""};
    return true;
}

/* An item of a list, or the scalar that stands for a list of one. */
static const struct tree *item(const struct tree *t, uint32_t i)
{
    if (!t || t->kind == TREE_MAP)
        return NULL;
    return t->kind == TREE_SCALAR ? t : t->item[i % t->n];
}

static uint32_t length(const struct tree *t)
{
    return !t || t->kind == TREE_SCALAR ? 1 : (uint32_t)t->n;
}

/* Trial k has model k mod M and batch (k / M) mod B. */
bool story_trial(const struct story_run_facts *f, uint32_t experiment, uint32_t trial,
                 const char **model, uint32_t *batch)
{
    const struct tree *all = tree_get(tree_get(f->manifest, "config"), "experiments");
    const struct tree *x =
        all && all->kind == TREE_LIST && experiment < all->n ? all->item[experiment] : NULL;
    const struct tree *models = tree_get(x, "model"), *batches = tree_get(x, "batch");
    int64_t samples = 0;

    if (!models || (models->kind != TREE_SCALAR && models->n == 0) ||
        (batches && batches->kind != TREE_SCALAR && batches->n == 0))
        return false;
    const struct tree *m = item(models, trial), *b = item(batches, trial / length(models));
    if (!m || m->kind != TREE_SCALAR)
        return false;
    *model = m->text;
    bool known = b && b->kind == TREE_SCALAR && num_int(b->text, b->len, &samples) == NUM_OK &&
                 samples > 0 && samples < UINT32_MAX;
    *batch = known ? (uint32_t)samples : 0;
    return true;
}

struct events *story_open(struct arena *a, struct diag *d, const struct story_run_facts *f)
{
    const char *path = arena_printf(a, "%s/events.csv", f->result->path);

    if (file_there(path))
        return events_open(d, path);
    diag_error(d, (struct mark){0}, "%s: there is no events.csv, of which stories are made",
               f->result->path);
    diag_note(d, (struct mark){0}, "hetune run %s -s write_events=true -o DIR makes one",
              *f->config ? f->config : "FILE.yaml");
    return NULL;
}
