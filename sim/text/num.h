/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * num.h - numbers from text and to text, exact and free of locales.
 *
 * Reading takes a whole token or refuses it: no blanks, no hexadecimal, no "inf" or "nan", no
 * digit groups, no point without a digit on both sides. Writing gives text that reads back to the
 * same value.
 */
#ifndef SIM_NUM_H
#define SIM_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/types.h"

enum num_fault {
    NUM_OK,
    NUM_EMPTY,
    NUM_SYNTAX,  /* not a number of the wanted kind */
    NUM_RANGE,   /* too large to be held; a time beyond SIM_LATEST */
    NUM_TOO_FINE /* a time with more than nine decimals that are not zero */
};

/* [+-]digits; a decimal, maybe with an exponent, finite; [+-]digits[.digits], exactly */
enum num_fault num_int(const char *s, size_t len, int64_t *out);
enum num_fault num_real(const char *s, size_t len, double *out);
enum num_fault num_seconds(const char *s, size_t len, sim_time *out);

/* The common case of num_int, inline: 1 to 18 digits and nothing else. False: ask num_int. */
static inline bool num_plain(const char *s, size_t len, int64_t *out)
{
    int64_t n = 0;

    if (len - 1 >= 18)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned digit = (unsigned char)s[i] - (unsigned)'0';

        if (digit > 9)
            return false;
        n = n * 10 + (int64_t)digit;
    }
    *out = n;
    return true;
}

/* They return the length; what they write behind it, up to NUM_MAX bytes in all, is no text. */
#define NUM_MAX 32
size_t num_put_int(char *buf, int64_t);
size_t num_put_real(char *buf, double);      /* finite; the least of 15 to 17 digits; -0: 0 */
size_t num_put_seconds(char *buf, sim_time); /* exact, no zeros at the end: 365, 1.000000001 */
size_t num_put_hex(char *buf, uint64_t);     /* 16 digits */

#endif
