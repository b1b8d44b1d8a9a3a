/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs random worlds with the engine it is linked to: twin_fast has the engine of sim/engine,
 * twin_slow the one of this folder. One line a world; run.sh compares them.
 *
 *   twin_fast FROM TO [--check] [--records] [--describe] [--paranoid]
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"
#include "tests/property/check_records.h"
#include "tests/property/worlds.h"

struct options {
    uint64_t from, to;
    bool check, records, describe, paranoid;
};

/* Turns records into text: all that the contract says about each kind. */
struct writer {
    struct sink sink;
    bool print;
    uint64_t n, hash, digest;
    char line[4096];
    size_t len;
};

static void add(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(struct writer *w, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    w->len += (size_t)vsnprintf(w->line + w->len, sizeof(w->line) - w->len, fmt, ap);
    va_end(ap);
    BUG_ON(w->len >= sizeof(w->line));
}

static bool by_policy(enum record_kind k)
{
    return k == REC_START || k == REC_SPLIT || k == REC_RESIZE || k == REC_PREEMPT ||
           k == REC_REJECT || k == REC_CLOSE || k == REC_FINISH;
}

static void add_own(struct writer *w, const struct record *r)
{
    switch (r->kind) {
    case REC_OPEN:
        add(w, " x%u %s good %u falls %d target %a best %a until %" PRId64, r->experiment, r->name,
            r->epoch, r->good, isnan(r->value) ? 99 : r->value, r->told, r->run);
        break;
    case REC_CLOSE:
        add(w, " x%u", r->experiment);
        break;
    case REC_ARRIVE:
        add(w, " x%d trial %u epochs %u good %d from %a name %s", (int)r->experiment, r->trial,
            r->epoch, r->good, isnan(r->value) ? 99 : r->value, r->name ? r->name : "-");
        break;
    case REC_START:
        add(w, " from %s", origin_name[r->origin]);
        break;
    case REC_PREEMPT:
    case REC_PAUSE:
        add(w, " run %" PRId64 " ready %" PRId64 " lost %" PRId64, r->run, r->ready, r->lost);
        break;
    case REC_REPORT:
        add(w, " epoch %u value %a", r->epoch, r->value);
        break;
    case REC_COPY:
        add(w, " epoch %u like %g value %a ready %" PRId64, r->epoch, r->told, r->value, r->ready);
        break;
    case REC_ALONE:
        add(w, " takes %" PRId64, r->run);
        break;
    case REC_RATE:
        add(w, " rate %a", r->value);
        break;
    case REC_LOAD:
        add(w, " since %" PRId64 " busy %a work %a", r->run, r->value, r->told);
        break;
    default:
        break;
    }
    if (r->kind == REC_RESIZE)
        add(w, " lost %" PRId64, r->lost);
    if (r->kind == REC_START || r->kind == REC_SPLIT || r->kind == REC_RESIZE)
        add(w, " run %" PRId64 " rate %a told %a", r->run, r->value, isnan(r->told) ? -1 : r->told);
}

static void take(struct sink *sink, const struct record *r)
{
    struct writer *w = (struct writer *)sink;

    w->len = 0;
    add(w, "%" PRId64 " %s", r->t, record_name[r->kind]);
    if (r->job != NO_JOB)
        add(w, " job %u", sim_number(r->job));
    add(w, " n %u", r->n);
    for (uint32_t i = 0; r->share && i < r->n; i++)
        add(w, " %u*%u", r->share[i].gpu, r->share[i].samples);
    add_own(w, r);
    if (by_policy(r->kind))
        add(w, " (%s)", r->why ? r->why : "");
    w->n++;
    w->digest = record_digest(w->digest, r);
    for (const char *c = w->line; *c; c++)
        w->hash = rng_mix(w->hash, (unsigned char)*c);
    if (w->print)
        printf("%s\n", w->line);
}

static bool one(const struct options *o, uint64_t seed, struct coverage *v)
{
    static const char *const ends[] = {"drained", "until",  "stalled",  "livelock",
                                       "refused", "failed", "bad_input"};
    struct random_world *r = world_draw(seed);
    struct writer w = {.sink = {take, seed % 16 > 0}, .print = o->records};
    struct check *check = o->check ? check_new(r, v) : NULL;
    struct sink *sinks[4] = {&w.sink};

    r->setup.sink = sinks;
    r->setup.n_sinks = 1 + (check ? check_sinks(check, sinks + 1) : 0);
    r->setup.paranoid = o->paranoid;
    if (o->describe)
        world_describe(r, stdout);
    struct engine *e = engine_new(&r->setup);
    enum run_end end = engine_run(e);
    printf("%" PRIu64 " %s %s %" PRIu64 " records %016" PRIx64 " %016" PRIx64 " refused %" PRIu64
           "\n",
           seed, r->policy.label, ends[end], w.n, w.digest, w.hash, engine_refusals(e));
    bool ok = !check || check_finish(check, w.digest);
    engine_free(e);
    world_drop(r);
    return ok;
}

static bool read_options(struct options *o, int argc, char **argv)
{
    if (argc < 3)
        return false;
    o->from = strtoull(argv[1], NULL, 10);
    o->to = strtoull(argv[2], NULL, 10);
    for (int i = 3; i < argc; i++) {
        bool *flag = strcmp(argv[i], "--check") == 0      ? &o->check
                     : strcmp(argv[i], "--records") == 0  ? &o->records
                     : strcmp(argv[i], "--describe") == 0 ? &o->describe
                     : strcmp(argv[i], "--paranoid") == 0 ? &o->paranoid
                                                          : NULL;
        if (!flag)
            return false;
        *flag = true;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct options o = {0};
    struct coverage v = {0};
    bool ok = true;

    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "usage: %s FROM TO [--check] [--records] [--describe] [--paranoid]\n",
                argv[0]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was done before a crash is seen */
    for (uint64_t seed = o.from; seed < o.to; seed++)
        ok &= one(&o, seed, &v);
    if (o.check)
        coverage_print(&v, stdout);
    return ok ? 0 : 1;
}
