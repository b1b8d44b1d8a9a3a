/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names.h - which DL model or GPU type a name means.
 */
#ifndef SIM_NAMES_H
#define SIM_NAMES_H

#include "sim/model/world.h"

#define NO_NAME UINT32_MAX

/* The position of a name, or NO_NAME. It need not end with a NUL. */
uint32_t names_model(const struct model *, uint32_t n, const char *name, size_t len);
uint32_t names_type(const struct gpu_type *, uint32_t n, const char *name, size_t len);

/* The same for `model: NAME` and `type: NAME`; NO_NAME: reported. */
uint32_t names_known_model(const struct world *, struct diag *, struct mark, const char *name,
                           size_t len);
uint32_t names_known_type(const struct world *, struct diag *, struct mark, const char *name,
                          size_t len);

#endif
