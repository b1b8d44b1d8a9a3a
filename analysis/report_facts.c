/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page cannot say, and where all of it came from. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report_page.h"
#include "sim/base/sha256.h"
#include "sim/base/version.h"
#include "sim/text/json.h"

#define MISSING_SHOWN 50u
#define RUNS_SHOWN    200u

/* ---- limits ---- */

struct counted { /* over all cases */
    uint32_t policies, few, no_interval, alike, oracles, cut, runs, unequal, least, most;
};

static void count_case(const struct report_case *rc, struct counted *n)
{
    const struct comparison *c = &rc->c;
    enum metric_id id = c->n ? page_headline(c) : M_JCT_MEAN;

    for (uint32_t p = 0; p < c->n; p++) {
        const struct policy_change *x = &c->policy[p];
        n->policies++;
        n->few += x->runs < 10;
        n->alike += x->alike;
        n->oracles += x->oracle;
        n->unequal += x->seeds < x->runs;
        n->no_interval += p > 0 && x->metric[id].change.n > 0 && isnan(x->metric[id].change.low);
        n->least = x->runs < n->least ? x->runs : n->least;
        n->most = x->runs > n->most ? x->runs : n->most;
    }
    for (uint32_t i = 0; i < rc->of.n; i++) {
        n->runs++;
        n->cut += strcmp(rc->of.result[i].ended, "until") == 0;
    }
}

static void put_if(struct out *o, uint32_t n, uint32_t of, const char *words)
{
    if (n > 0)
        out_printf(o, "<li>%u of %u %s</li>\n", n, of, words);
}

static void put_missing(struct out *o, const struct report *r)
{
    if (r->n_missing == 0)
        return;
    out_printf(o,
               "<p>%u point%s without values:</p>\n<table><thead><tr><th scope=\"col\">point</th>"
               "<th scope=\"col\">policy</th><th scope=\"col\">seed</th><th scope=\"col\">why</th>"
               "</tr></thead><tbody>\n",
               r->n_missing, r->n_missing == 1 ? "" : "s");
    for (uint32_t i = 0; i < r->n_missing && i < MISSING_SHOWN; i++) {
        const struct report_missing *m = &r->missing[i];
        out_text(o, "<tr><td>");
        page_text(o, m->hash, 16);
        out_text(o, "</td><td class=\"t\">");
        page_text(o, m->policy, REPORT_LABEL);
        out_text(o, "</td><td>");
        page_text(o, m->seed, 20);
        out_text(o, "</td><td class=\"t\">");
        page_text(o, m->reason, 300);
        out_text(o, "</td></tr>\n");
    }
    out_text(o, "</tbody></table>\n");
    if (r->n_missing > MISSING_SHOWN)
        out_printf(o, "<p>and %u more.</p>\n", r->n_missing - MISSING_SHOWN);
}

void page_limits(struct out *o, const struct report *r)
{
    struct counted n = {.least = UINT32_MAX};

    for (uint32_t i = 0; i < r->n; i++)
        count_case(&r->of[i], &n);
    out_text(o, "<h2 id=\"limits\">What this does not say</h2>\n<ul>\n");
    if (n.least == n.most)
        out_printf(o, "<li>Each policy ran with %u seed%s.", n.least, n.least == 1 ? "" : "s");
    else
        out_printf(o, "<li>Policies ran with %u to %u seeds.", n.least, n.most);
    out_text(o, " Seeds vary what the simulator draws; they do not vary the trace, the cluster or "
                "the cost model.</li>\n"
                "<li>Intervals are of each comparison alone. Verdicts are of all comparisons of a "
                "metric at once (Holm), if there are three or more; nothing is adjusted for "
                "looking at many metrics.</li>\n");
    put_if(o, n.few, n.policies,
           "policies ran with fewer than 10 seeds: intervals of so few lean "
           "on the changes being roughly normal.");
    put_if(o, n.no_interval, n.policies,
           "policies have no interval for the change of the first "
           "metric: how surely it changes is not known.");
    put_if(o, n.alike, n.policies,
           "policies have the same run whatever the seed: it counts as "
           "one run.");
    put_if(o, n.unequal, n.policies,
           "policies ran with seeds that the baseline lacks; these are "
           "not in the changes.");
    put_if(o, n.cut, n.runs,
           "runs were cut at until_s before all jobs were gone: their times are "
           "of the jobs done by then, which tend to be the short ones.");
    put_if(o, n.oracles, n.policies,
           "policies are oracles: they read what lies ahead, and no "
           "real scheduler could do the same.");
    put_if(o, r->n_missing, n.runs + r->n_missing, "points have no values and are in no mean.");
    out_text(o, "</ul>\n");
    put_missing(o, r);
}

/* ---- provenance ---- */

static void put_fact(struct out *o, const char *name, const char *value)
{
    out_printf(o, "<tr><td>%s</td><td class=\"t\"><code>", name);
    page_text(o, value, 4000);
    out_text(o, "</code></td></tr>\n");
}

static const char *text_of(const struct tree *map, const char *key)
{
    const struct tree *t = tree_get(map, key);

    return t && t->kind == TREE_SCALAR ? t->text : "";
}

static void put_inputs(struct out *o, const struct tree *manifest)
{
    const struct tree *inputs = tree_get(manifest, "inputs");

    if (!inputs || inputs->kind != TREE_LIST)
        return;
    out_text(o, "<table><caption>Inputs</caption><thead><tr><th scope=\"col\">file</th>"
                "<th scope=\"col\" class=\"t\">SHA-256</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < inputs->n; i++) {
        out_text(o, "<tr><td>");
        page_text(o, text_of(inputs->item[i], "path"), 300);
        out_text(o, "</td><td class=\"t\"><code>");
        page_text(o, text_of(inputs->item[i], "sha256"), 64);
        out_text(o, "</code></td></tr>\n");
    }
    out_text(o, "</tbody></table>\n");
}

static void put_config(struct out *o, const struct tree *manifest)
{
    const struct tree *config = tree_get(manifest, "config");
    struct out *json = out_memory();
    size_t len;

    if (config)
        json_tree(json, config, 0);
    out_char(json, '\0');
    out_text(o, "<details><summary>The whole configuration, with all defaults</summary><pre>");
    page_text(o, out_data(json, &len), 100000);
    out_text(o, "</pre></details>\n");
    out_drop(json);
}

/* Each run's history as a hash. */
static void put_digests(struct out *o, const struct results *r)
{
    out_printf(o, "<details><summary>%u run%s: seeds and digests</summary><pre>", r->n,
               r->n == 1 ? "" : "s");
    for (uint32_t i = 0; i < r->n && i < RUNS_SHOWN; i++) {
        out_hex(o, r->result[i].digest);
        out_printf(o, "  seed %llu  ", (unsigned long long)r->result[i].seed);
        page_text(o, r->result[i].label, REPORT_LABEL);
        out_char(o, '\n');
    }
    if (r->n > RUNS_SHOWN)
        out_printf(o, "and %u more\n", r->n - RUNS_SHOWN);
    out_text(o, "</pre></details>\n");
}

/* The runs' manifest; of a sweep its plan. */
static bool put_source(struct arena *a, struct diag *d, struct out *o, const struct report *r)
{
    const char *plan = arena_printf(a, "%s/plan.jsonl", r->path);
    char hex[SHA256_HEX];

    if (r->sweep) {
        if (!sha256_file(d, plan, hex))
            return false;
        put_fact(o, "plan", plan);
        put_fact(o, "SHA-256 of the plan", hex);
        out_text(o, "</tbody></table>\n<p>A point's name in the plan is a hash of all that its "
                    "result hangs on: configuration, contents of all inputs, policy, seed and "
                    "version.</p>\n");
        return true;
    }
    const struct tree *m =
        json_load(a, d, arena_printf(a, "%s/manifest.json", r->of[0].of.result[0].path));
    if (!m)
        return false;
    put_fact(o, "configuration", text_of(m, "config_file"));
    put_fact(o, "world", text_of(m, "world"));
    put_fact(o, "runs made by",
             arena_printf(a, "hetune %s (%s), %s, %s", text_of(m, "version"), text_of(m, "commit"),
                          text_of(m, "compiler"), text_of(m, "libraries")));
    out_text(o, "</tbody></table>\n");
    put_inputs(o, m);
    put_config(o, m);
    put_digests(o, &r->of[0].of);
    return true;
}

bool page_provenance(struct arena *a, struct diag *d, struct out *o, const struct report *r)
{
    out_text(o, "<h2 id=\"provenance\">Provenance</h2>\n<table><tbody>\n");
    put_fact(o, "this page", r->command);
    put_fact(o, "made by", arena_printf(a, "hetune %s (%s)", hetune_version, hetune_commit));
    return put_source(a, d, o, r);
}
