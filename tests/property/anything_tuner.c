/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tuner that pauses, promotes, stops and submits by a hash of what it is told. */
#include <string.h>

#include "sim/base/rng.h"
#include "tests/property/worlds.h"

static uint64_t hash_of(struct anything_tuner *s, uint64_t a, uint64_t b)
{
    return rng_hash(s->seed, "tuner", rng_mix(a + ++s->calls, b));
}

/* Any trial that may be submitted, promoted, or stopped. */
static void meddle(struct anything_tuner *s, struct tx *tx, uint64_t h)
{
    uint32_t n = tune_trials(tx), k = (uint32_t)(h >> 40) % n;

    if (h % 100 < 40)
        tune_submit(tx, k);
    if (h / 100 % 100 < 40)
        for (uint32_t i = 0; i < n && !tune_promote(tx, (k + i) % n); i++)
            ;
    if (h / 1000000 % 100 < 20)
        tune_copy(tx, k, (uint32_t)(h >> 30) % n, (uint32_t)(h >> 20) % n);
    if (s->wild && h / 10000 % 100 < 10)
        tune_stop(tx, (uint32_t)(h >> 50) % n);
}

static void open(void *self, struct tx *tx)
{
    struct anything_tuner *s = self;
    uint32_t n = tune_trials(tx);
    uint64_t h = hash_of(s, n, 0);

    for (uint32_t i = 0; i < s->at_first; i++)
        tune_submit(tx, (uint32_t)(h % n + i) % n);
    if (s->wild && h / 1000 % 100 < 20)
        meddle(s, tx, hash_of(s, 1, 1));
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    struct anything_tuner *s = self;
    uint64_t h = hash_of(s, trial, epoch), verdict = h >> 32;

    if (tune_falls(tx) && metric < 0.5)
        verdict++;
    if (s->wild)
        meddle(s, tx, hash_of(s, epoch, trial));
    if (s->wild && verdict % 50 == 0)
        tune_stop(tx, trial);
    verdict %= 100;
    return verdict < 30 ? TUNE_PAUSE : verdict < 38 ? TUNE_STOP : TUNE_GO_ON;
}

/* May take over what another one has, and go on. */
static void paused(void *self, struct tx *tx, uint32_t trial)
{
    struct anything_tuner *s = self;
    uint32_t n = tune_trials(tx), from = (uint32_t)(tune_random(tx) >> 20) % n;
    uint64_t h = hash_of(s, trial, tune_epoch(tx, from));

    if (tune_axes(tx) && tune_coordinate(tx, from, 0) < 0.5)
        h++;
    if (tune_metric(tx, from) > 0.5)
        h += 2;
    if (h % 100 < 50)
        tune_copy(tx, trial, from, h / 100 % 2 ? from : (uint32_t)(h >> 40) % n);
    if (h / 1000 % 100 < 50)
        tune_promote(tx, trial);
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct anything_tuner *s = self;
    uint64_t h = hash_of(s, trial, tune_epochs(tx, trial));

    meddle(s, tx, h);
    if (h >> 60 < 12)
        for (uint32_t k = 0; k < tune_trials(tx); k++)
            if (tune_promote(tx, k) || tune_submit(tx, k))
                break;
}

const struct tuner tuner_anything = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "anything",
    .about = "pauses, promotes, stops and submits",
    .state_size = sizeof(struct anything_tuner),
    .open = open,
    .report = report,
    .paused = paused,
    .ended = ended,
};
