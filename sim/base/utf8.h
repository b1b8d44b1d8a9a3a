/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * utf8.h - UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing over U+10FFFF.
 */
#ifndef SIM_UTF8_H
#define SIM_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes (1 to 4) of the character at s, which goes to *c; 0: s starts with none. */
size_t utf8_get(const char *s, size_t len, uint32_t *c);

/* The bytes at the start of s that are valid. */
size_t utf8_valid(const char *s, size_t len);

/* The characters in s; each byte that is part of none counts as one. */
size_t utf8_count(const char *s, size_t len);

/* The bytes of the byte order mark at the start of a text: 3 or 0. */
size_t utf8_order_mark(const char *s, size_t len);

/*
 * A character that may be shown: no control character, no line separator, none that turns the
 * direction of writing or marks the byte order.
 */
bool utf8_shows(uint32_t c);

#endif
