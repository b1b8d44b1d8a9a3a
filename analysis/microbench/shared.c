/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What needs processes of their own: how long a CUDA context takes, and what two to four processes
 * get done together on one GPU, time-sliced or through MPS, as a multiple of what one does alone.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/microbench/samples.h"
#include "analysis/microbench/spawn.h"

enum { MOST = 4, CONTEXTS = 7, LINE = 160 };

static const double patience = 60; /* seconds */

enum mb_status mb_run_context(const struct mb_case *c, struct mb_result *r)
{
    double v[CONTEXTS];

    (void)c;
    for (size_t i = 0; i < CONTEXTS; i++) {
        struct mb_child child;
        char line[LINE];
        bool fine = mb_spawn(&child, "context", NULL, r->why, sizeof r->why) &&
                    mb_hear(&child, patience, line, sizeof line, r->why, sizeof r->why);

        mb_reap(&child);
        if (!fine)
            return MB_BROKEN;
        v[i] = strtod(line, NULL);
    }
    mb_summarise(v, CONTEXTS, r);
    return MB_DONE;
}

/* The work of n processes together a second, NAN with why if one fails. They begin together, when
 * all are ready; each warms up before it counts and goes on after. */
static double together(const char *work, size_t n, const char *mps, struct mb_result *r)
{
    struct mb_child child[MOST] = {{0}};
    char line[LINE];
    double sum = 0;

    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < n && !isnan(sum); i++)
        if (!mb_spawn(&child[i], work, mps, r->why, sizeof r->why))
            sum = NAN;
    for (size_t i = 0; i < n && !isnan(sum); i++)
        if (!mb_hear(&child[i], patience, line, sizeof line, r->why, sizeof r->why))
            sum = NAN;
    for (size_t i = 0; i < n && !isnan(sum); i++)
        mb_tell(&child[i], "go");
    for (size_t i = 0; i < n && !isnan(sum); i++)
        sum = mb_hear(&child[i], patience, line, sizeof line, r->why, sizeof r->why)
                  ? sum + strtod(line, NULL)
                  : NAN;
    for (size_t i = 0; i < n; i++)
        mb_reap(&child[i]);
    return sum;
}

/* One process without MPS: what all factors of a kind of work are of. Measured once. */
static double alone(const char *work, struct mb_result *r)
{
    static struct {
        const char *work;
        double rate;
    } known[] = {{"gemm", NAN}, {"stream", NAN}};
    size_t i = strcmp(work, known[0].work) == 0 ? 0 : 1;

    if (isnan(known[i].rate))
        known[i].rate = together(work, 1, NULL, r);
    return known[i].rate;
}

enum mb_status mb_run_shared(const struct mb_case *c, struct mb_result *r)
{
    const char *work = strrchr(c->kind, '_') + 1, *folder = NULL;
    bool mps = strncmp(c->kind, "mps_", 4) == 0;
    double one = alone(work, r), all;

    if (!(one > 0)) /* no reason to lose the rest of a run */
        return MB_SKIPPED;
    if (mps && !(folder = mb_mps_start(r->why, sizeof r->why)))
        return MB_SKIPPED;
    all = together(work, (size_t)c->dim[0], folder, r);
    mb_mps_stop();
    if (!(all > 0))
        return MB_SKIPPED;
    r->value = all / one;
    r->spread = NAN;
    return MB_DONE;
}
