/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * utilisation.h - rows of utilisation.csv: the part of the time in which a job alone keeps its GPU
 * busy.
 */
#ifndef TRACES_UTILISATION_H
#define TRACES_UTILISATION_H

#include "traces/convert/convert.h"

#define UTILISATION_COLUMNS "model,batch,precision,gpu,stack,busy_share,source,commit,licence\n"

/* precision "": the source does not say. */
static inline void put_utilisation(struct out *out, const char *model, int64_t batch,
                                   const char *precision, const char *gpu, const char *stack,
                                   double per_cent, const struct origin *from)
{
    out_printf(out, "%s,%lld,%s,%s,%s,%.4f,%s,%s,%s\n", model, (long long)batch, precision, gpu,
               stack, per_cent / 100, from->repository, from->commit, from->licence);
}

#endif
