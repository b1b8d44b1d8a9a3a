/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * point.h - what came of one point of a sweep, as a file: DIR/points/HASH.json.
 *
 * It appears whole or not at all, and ends in a checksum of itself: whoever reads it knows whether
 * it is complete and as it was written.
 */
#ifndef ANALYSIS_POINT_H
#define ANALYSIS_POINT_H

#include "analysis/result.h"

enum point_status {
    POINT_COMPLETE, /* it has values */
    POINT_POLICY,   /* the policy misbehaved */
    POINT_INPUT,    /* its input was refused during the run */
    POINT_CRASHED,  /* its process died of itself */
    POINT_KILLED,   /* its process was killed from outside; the next run of the sweep tries again */
    POINT_STATUSES
};
extern const char *const point_status_name[];

struct point {
    const char *hash; /* sixteen digits */
    enum point_status status;
    const char *reason;   /* "": it is complete */
    struct result result; /* complete: all of it; else label, predictor, world, seed only */
};

const char *point_path(struct arena *, const char *dir, const char *hash);

/* false: reported, and no file is left. */
bool point_write(struct diag *, const char *path, const struct point *);

/* false: reported. Good as long as the arena. */
bool point_read(struct arena *, struct diag *, const char *path, struct point *);

/* What there is of a planned point. Damaged: it is not what was written for that hash; no complaint
 * is made. */
enum point_found { POINT_THERE, POINT_MISSING, POINT_DAMAGED, POINT_UNREADABLE /* reported */ };
enum point_found point_find(struct arena *, struct diag *, const char *dir, const char *hash,
                            struct point *);

/* The status of a point, or "missing" or "damaged", as tables have it. */
const char *point_found_name(enum point_found, const struct point *);

#endif
