/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sha256.h - SHA-256 as 64 hexadecimal digits (the only user of libmd).
 */
#ifndef SIM_SHA256_H
#define SIM_SHA256_H

#include "sim/base/diag.h"

#define SHA256_HEX 65 /* bytes of a digest's text with its NUL */

void sha256_bytes(const void *bytes, size_t len, char hex[SHA256_HEX]);
bool sha256_file(struct diag *, const char *path, char hex[SHA256_HEX]); /* false: reported */

#endif
