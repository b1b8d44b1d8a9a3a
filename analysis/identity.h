/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * identity.h - what a run hangs on, as hashes: two runs of one identity have one result.
 */
#ifndef ANALYSIS_IDENTITY_H
#define ANALYSIS_IDENTITY_H

#include "sim/model/config.h"

struct identity {
    const char *inputs_json; /* [{"path": ..., "sha256": ...}, ...] */
    const char *world;       /* of all that policies of one comparison share, but the seed */
    const char *settings;    /* of the world and all else but policy, seed and what is written */
};

/* Hashes of files that were read before, so that many configurations read each once; NULL or
 * zero-initialised. In the arena that it is used with. */
struct identity_files {
    struct hashed_file *file;
    uint32_t n;
    size_t cap;
};
void identity_files_free(struct identity_files *);

/* false: reported. Good as long as the arena. */
bool identity_of(struct arena *, struct diag *, const struct config *, struct identity_files *,
                 struct identity *);

/* Sixteen digits: of a run's settings, policy and seed, of the version that runs it, and of the
 * shared objects that were loaded (their hashes as one text). */
const char *identity_of_point(struct arena *, const struct identity *, const char *label,
                              uint64_t seed, const char *libraries);

#endif
