/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv_scan.h - finds the bytes of a CSV file that matter, 64 at a time; a part of csv.c.
 *
 * Bit i of a mask stands for byte i. special: comma, quote, LF, CR or NUL; high: not ASCII.
 */
#ifndef SIM_CSV_SCAN_H
#define SIM_CSV_SCAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CSV_BLOCK 64

struct csv_masks {
    uint64_t special, high;
};

static inline struct csv_masks csv_scan_plain(const char *s)
{
    struct csv_masks m = {0, 0};

    for (size_t i = 0; i < CSV_BLOCK; i++) {
        unsigned char c = (unsigned char)s[i];

        m.special |= (uint64_t)(c == ',' || c == '"' || c == '\n' || c == '\r' || c == '\0') << i;
        m.high |= (uint64_t)(c >> 7) << i;
    }
    return m;
}

#ifdef __SSE2__

static inline __m128i csv_is(__m128i bytes, char c)
{
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static inline struct csv_masks csv_scan_16(const char *s, int shift)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)s);
    __m128i ends = _mm_or_si128(csv_is(bytes, '\n'), csv_is(bytes, '\r'));
    __m128i parts = _mm_or_si128(csv_is(bytes, ','), csv_is(bytes, '"'));
    __m128i special = _mm_or_si128(_mm_or_si128(ends, parts), csv_is(bytes, '\0'));

    return (struct csv_masks){(uint64_t)(unsigned)_mm_movemask_epi8(special) << shift,
                              (uint64_t)(unsigned)_mm_movemask_epi8(bytes) << shift};
}

static inline struct csv_masks csv_scan(const char *s)
{
    struct csv_masks a = csv_scan_16(s, 0), b = csv_scan_16(s + 16, 16);
    struct csv_masks c = csv_scan_16(s + 32, 32), d = csv_scan_16(s + 48, 48);

    return (struct csv_masks){a.special | b.special | c.special | d.special,
                              a.high | b.high | c.high | d.high};
}

#else

static inline struct csv_masks csv_scan(const char *s)
{
    return csv_scan_plain(s);
}

#endif

#endif
