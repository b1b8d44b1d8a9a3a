/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * median_stop - a trial that never was as good as the others are on average is stopped.
 *
 * Golovin et al. (2017), as common libraries do it: at an epoch the best metric of a trial so far
 * is compared with the median of the running averages that the others had at the same epoch, of
 * those that came there before it. If it is worse, the trial is stopped. Its own average counts for
 * those that come later in either case.
 */
#include "policies/tuners/lib/rank.h"
#include "policies/tuners/lib/split.h"
#include "policies/tuners/lib/supply.h"

struct course {
    double sum, best; /* of the metrics so far */
};

struct median_stop {
    int64_t grace, samples;
    struct supply supply;
    struct split *epoch; /* by epoch: averages of those that came to its end */
    uint32_t epochs;
    struct course *course; /* by trial */
};

static const struct field fields[] = {
    {FIELD_INT, "grace_epochs", offsetof(struct median_stop, grace), "1", 0, 1e6, NULL,
     "epochs at the end of which no trial is stopped yet"},
    {FIELD_INT, "min_samples", offsetof(struct median_stop, samples), "3", 1, 1e6, NULL,
     "others that must have come to the same epoch; default: Ray Tune's"},
    SUPPLY_FIELD(struct median_stop, supply),
    {.type = FIELD_END},
};

static void open(void *self, struct tx *tx)
{
    struct median_stop *s = self;

    for (uint32_t k = 0; k < tune_trials(tx); k++)
        s->epochs = tune_epochs(tx, k) > s->epochs ? tune_epochs(tx, k) : s->epochs;
    s->epoch = tune_keep(tx, s->epochs * sizeof(*s->epoch));
    s->course = tune_keep(tx, tune_trials(tx) * sizeof(*s->course));
    supply_open(&s->supply, tx);
}

static double median(const struct split *r, bool falls)
{
    double worse = rank_metric(heap_first_key(&r->rest), falls);

    return r->rest.n > r->best.n ? worse
                                 : (worse + rank_metric(heap_first_key(&r->best), falls)) / 2;
}

/* Whether it may go on. */
static bool come(struct median_stop *s, const struct tx *tx, uint32_t trial, uint32_t epoch,
                 double metric)
{
    struct split *r = &s->epoch[epoch - 1];
    struct course *c = &s->course[trial];
    uint32_t n = r->best.n + r->rest.n;
    bool falls = tune_falls(tx), stays = true;

    if (epoch == 1 || (falls ? metric < c->best : metric > c->best))
        c->best = metric;
    c->sum += metric;
    if (n >= s->samples && epoch > s->grace)
        stays = falls ? c->best <= median(r, falls) : c->best >= median(r, falls);
    split_add(r, n, rank_of(c->sum / epoch, falls), (n + 1) / 2);
    return stays;
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    return come(self, tx, trial, epoch, metric) ? TUNE_GO_ON : TUNE_STOP;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct median_stop *s = self;
    uint32_t epochs = tune_epochs(tx, trial);

    if (tune_epoch(tx, trial) == epochs)
        come(s, tx, trial, epochs, tune_metric(tx, trial));
    supply_next(&s->supply, tx);
}

static void close(void *self)
{
    struct median_stop *s = self;

    for (uint32_t k = 0; s->epoch && k < s->epochs; k++)
        split_free(&s->epoch[k]);
}

const struct tuner tuner_median_stop = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "median_stop",
    .about = "trials worse than the median of the others at the same epoch are stopped",
    .state_size = sizeof(struct median_stop),
    .params = fields,
    .open = open,
    .report = report,
    .ended = ended,
    .close = close,
};
