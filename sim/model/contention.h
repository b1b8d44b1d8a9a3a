/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contention.h - how jobs that compute on one GPU at the same time slow each other.
 *
 * A contention is a table like a cost model: pure functions. All of it is one question: how many
 * seconds does a job need on this GPU for one exclusive second? The fluid rates ask it with the
 * probabilities that the others are computing, the exact steps with ones.
 */
#ifndef SIM_CONTENTION_H
#define SIM_CONTENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/text/tree.h"
#include "sim/types.h"

#define MOST_RESIDENTS 64u

struct world;

struct contention {
    const char *name;
    const char *about;
    const char *table; /* key of the sharing map that holds its measurements; NULL: it has none */
    size_t state_size; /* zeroed before load */
    bool equal;  /* jobs that compute have equal parts: of peak() exclusive seconds a second */
    bool sliced; /* a GPU is cut into as many parts as it may have residents */
    /* Reads what it needs from the cluster's `sharing` map, once GPU types, models and
     * world.residents are there; complaints go to diag. self stays good as long as the arena. May
     * be NULL. */
    bool (*load)(void *self, struct arena *, struct diag *, struct tree *sharing,
                 const struct world *);
    /*
     * Whether it can say what jobs of model `other` do to those of model `me` on a GPU of this type
     * (NO_MODEL: jobs given by duration); false: reported. NULL: it always can.
     */
    bool (*check)(const void *self, const struct world *, struct diag *, struct mark, type_id,
                  uint32_t me, uint32_t other);
    /*
     * Mean seconds per exclusive second of a job of model `me` on a GPU of this type, while n jobs
     * of models other[i] compute there too, each with probability p[i], independently. At least 1,
     * or 0.5 where a pair was measured to gain. Sliced: seconds on a slice per second on a whole
     * GPU, whoever else is there; NAN: not known.
     */
    double (*stretch)(const void *self, const struct world *, type_id, uint32_t me,
                      const uint32_t *other, const double *p, uint32_t n);
    /* The most exclusive seconds a second that a GPU of this type does for so many jobs; sliced:
     * those of its slices. */
    double (*peak)(const void *self, const struct world *, type_id, uint32_t n);
};

extern const struct contention *const contentions[]; /* ended by NULL */

/*
 * Whether jobs of a model (NO_MODEL: given by duration) can be on shared GPUs beside each other and
 * those of the models with seen[m], on each type where both can run; false: reported at the mark,
 * once a model. seen[model] is then set; it has world.n_models + 1 places, the last for NO_MODEL.
 */
bool contention_check(const struct world *, struct diag *, struct mark, uint32_t model,
                      uint8_t *seen);

/* phi of eq. 19 for n jobs on a GPU. */
static inline double contention_phi(double eta, double n)
{
    return 1 + eta * (1 - 1 / n);
}

#endif
