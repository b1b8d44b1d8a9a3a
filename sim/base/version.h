/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * version.h - what this binary was made from.
 */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

extern const char *const hetune_version;
extern const char *const hetune_commit; /* of git, "-dirty" if the tree had changes; "unknown" */
extern const char *const hetune_date;   /* of the commit: 2026-01-31; empty if unknown */
extern const char *const hetune_compiler;

/* "GSL 2.7.1, libyaml 0.2.5, cJSON 1.7.15, libmd", which does not tell its version. Good for ever.
 */
const char *hetune_libraries(void);

#endif
