/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/text/num.h"

#define SAFE_DIGITS 18 /* so many digits never overflow 63 bits */
#define DECIMALS    9  /* of a second, down to the nanosecond */
#define EIGHT       UINT64_C(100000000)

static const uint64_t power_of_ten[SAFE_DIGITS + 2] = {UINT64_C(1),
                                                       UINT64_C(10),
                                                       UINT64_C(100),
                                                       UINT64_C(1000),
                                                       UINT64_C(10000),
                                                       UINT64_C(100000),
                                                       UINT64_C(1000000),
                                                       UINT64_C(10000000),
                                                       UINT64_C(100000000),
                                                       UINT64_C(1000000000),
                                                       UINT64_C(10000000000),
                                                       UINT64_C(100000000000),
                                                       UINT64_C(1000000000000),
                                                       UINT64_C(10000000000000),
                                                       UINT64_C(100000000000000),
                                                       UINT64_C(1000000000000000),
                                                       UINT64_C(10000000000000000),
                                                       UINT64_C(100000000000000000),
                                                       UINT64_C(1000000000000000000),
                                                       UINT64_C(10000000000000000000)};

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool take_sign(const char **s, const char *end)
{
    bool minus = *s < end && **s == '-';

    if (minus || (*s < end && **s == '+'))
        ++*s;
    return minus;
}

/* The number that the digits at *s are; *s moves behind them. Many digits overflow. */
static inline uint64_t take_few_digits(const char **s, const char *end)
{
    const char *p = *s;
    uint64_t n = 0;

    for (; p < end; p++) {
        unsigned digit = (unsigned char)*p - (unsigned)'0';

        if (digit > 9)
            break;
        n = n * 10 + digit;
    }
    *s = p;
    return n;
}

/* The same of at most SAFE_DIGITS digits. */
static inline uint64_t take_digits(const char **s, const char *end)
{
    return take_few_digits(s, end - *s > SAFE_DIGITS ? *s + SAFE_DIGITS : end);
}

static const char *skip_digits(const char *s, const char *end)
{
    while (s < end && is_digit(*s))
        s++;
    return s;
}

static const char *skip_zeros(const char *s, const char *end)
{
    while (s < end && *s == '0')
        s++;
    return s;
}

static enum num_fault take_many_digits(const char **s, const char *end, uint64_t *n)
{
    *s = skip_zeros(*s, end);
    *n = take_digits(s, end);
    for (; *s < end && is_digit(**s); ++*s) {
        if (__builtin_mul_overflow(*n, 10, n) ||
            __builtin_add_overflow(*n, (uint64_t)(**s - '0'), n)) {
            *s = skip_digits(*s, end);
            return NUM_RANGE;
        }
    }
    return NUM_OK;
}

/* A whole number without sign, below 2^64. */
static inline enum num_fault take_whole(const char **s, const char *end, uint64_t *n)
{
    const char *start = *s;

    *n = take_digits(s, end);
    if (*s < end && is_digit(**s)) {
        *s = start;
        return take_many_digits(s, end, n);
    }
    return *s == start ? NUM_SYNTAX : NUM_OK;
}

static enum num_fault any_int(const char *s, const char *end, int64_t *out)
{
    bool minus = take_sign(&s, end);
    enum num_fault fault;
    uint64_t n;

    fault = take_whole(&s, end, &n);
    if (s < end)
        return NUM_SYNTAX;
    if (fault == NUM_OK && n > (uint64_t)INT64_MAX + minus)
        return NUM_RANGE;
    if (fault == NUM_OK)
        *out = (int64_t)(minus ? -n : n);
    return fault;
}

enum num_fault num_int(const char *s, size_t len, int64_t *out)
{
    if (!len)
        return NUM_EMPTY;
    return num_plain(s, len, out) ? NUM_OK : any_int(s, s + len, out);
}

/* The nanoseconds of the decimals behind a point. */
static inline enum num_fault take_decimals(const char **s, const char *end, uint64_t *ns)
{
    const char *start = *s, *stop = end - start > DECIMALS ? start + DECIMALS : end;
    enum num_fault fault = NUM_OK;

    *ns = take_digits(s, stop);
    if (*s == start)
        return NUM_SYNTAX;
    *ns *= power_of_ten[DECIMALS - (*s - start)];
    if (*s == stop && stop < end) {
        *s = skip_zeros(*s, end);
        if (*s < end && is_digit(**s))
            fault = NUM_TOO_FINE;
        *s = skip_digits(*s, end);
    }
    return fault;
}

static enum num_fault any_seconds(const char *s, const char *end, sim_time *out)
{
    bool minus = take_sign(&s, end);
    enum num_fault whole_fault, fault = NUM_OK;
    uint64_t n, ns = 0;

    whole_fault = take_whole(&s, end, &n);
    if (whole_fault != NUM_SYNTAX && s < end && *s == '.') {
        s++;
        fault = take_decimals(&s, end, &ns);
    }
    if (s < end || whole_fault == NUM_SYNTAX || fault == NUM_SYNTAX)
        return NUM_SYNTAX;
    if (whole_fault == NUM_RANGE || n > (uint64_t)(SIM_LATEST / SIM_SECOND))
        return NUM_RANGE;
    if (fault != NUM_OK)
        return fault;
    ns += n * (uint64_t)SIM_SECOND;
    if (ns > (uint64_t)SIM_LATEST)
        return NUM_RANGE;
    *out = minus ? -(sim_time)ns : (sim_time)ns;
    return NUM_OK;
}

/* Up to nine digits, and maybe a point and up to nine more: nothing can overflow. */
static inline bool plain_seconds(const char *s, size_t len, sim_time *out)
{
    const char *p = s, *end = s + len, *point;
    uint64_t n, fraction;

    if (len > DECIMALS + 1 + DECIMALS)
        return false;
    n = take_few_digits(&p, end);
    point = p;
    if (point - s > DECIMALS || point == s)
        return false;
    *out = (sim_time)(n * (uint64_t)SIM_SECOND);
    if (point == end)
        return true;
    p++;
    fraction = take_few_digits(&p, end);
    if (*point != '.' || p != end || end - point > DECIMALS + 1 || end - point < 2)
        return false;
    *out += (sim_time)(fraction * power_of_ten[DECIMALS + 1 - (end - point)]);
    return true;
}

enum num_fault num_seconds(const char *s, size_t len, sim_time *out)
{
    if (!len)
        return NUM_EMPTY;
    return plain_seconds(s, len, out) ? NUM_OK : any_seconds(s, s + len, out);
}

/* The parts of a decimal: its sign, significant digits without the point, and power of ten. */
struct decimal {
    bool minus;
    bool exact; /* digits and power hold the whole number */
    uint64_t digits;
    int64_t power;
};

static bool take_exponent(const char **s, const char *end, struct decimal *d)
{
    const char *start;
    int64_t n;
    bool minus;

    ++*s;
    minus = take_sign(s, end);
    start = *s;
    n = (int64_t)take_digits(s, end);
    d->power += minus ? -n : n;
    d->exact = d->exact && *s - start < SAFE_DIGITS;
    return *s > start;
}

/* False: the token is no decimal number. */
static bool take_decimal(const char *s, const char *end, struct decimal *d)
{
    const char *start;
    uint64_t fraction;

    d->minus = take_sign(&s, end);
    start = s;
    d->power = 0;
    d->digits = take_digits(&s, end);
    d->exact = s - start < SAFE_DIGITS;
    s = skip_digits(s, end);
    if (s == start)
        return false;
    if (s < end && *s == '.') {
        const char *point = ++s;

        fraction = take_digits(&s, end);
        if (s == point)
            return false;
        d->exact = d->exact && s - start <= SAFE_DIGITS;
        if (d->exact)
            d->digits = d->digits * power_of_ten[s - point] + fraction;
        d->power = point - s;
        s = skip_digits(s, end);
    }
    if (s < end && (*s == 'e' || *s == 'E') && !take_exponent(&s, end, d))
        return false;
    return skip_digits(s, end) == end;
}

/*
 * Clinger's case: digits below 2^53 and a power of ten up to 22 are exact doubles, so that one
 * multiplication or division rounds once, as strtod does.
 */
static bool simple_real(const struct decimal *d, double *out)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double x;

    if (FLT_EVAL_METHOD != 0 || !d->exact || d->digits > UINT64_C(1) << 53 || d->power > 22 ||
        d->power < -22)
        return false;
    x = (double)d->digits;
    x = d->power < 0 ? x / tens[-d->power] : x * tens[d->power];
    *out = d->minus && x != 0 ? -x : x;
    return true;
}

enum num_fault num_real(const char *s, size_t len, double *out)
{
    char small[128], *copy = small;
    struct decimal d;
    double x;

    if (!len)
        return NUM_EMPTY;
    if (!take_decimal(s, s + len, &d))
        return NUM_SYNTAX;
    if (simple_real(&d, out))
        return NUM_OK;
    if (len >= sizeof small)
        copy = mem_get(len + 1);
    memcpy(copy, s, len);
    copy[len] = '\0';
    x = strtod(copy, NULL);
    if (copy != small)
        mem_drop(copy);
    if (isinf(x))
        return NUM_RANGE;
    *out = x != 0 ? x : 0;
    return NUM_OK;
}

/* The digits of n < 10^8, each in a byte, the first one lowest: halves, pairs and digits are parted
 * side by side, with a division by a multiplication that is exact for numbers of their size. */
static inline uint64_t eight_digits(uint64_t n)
{
    uint64_t x = n / 10000 | n % 10000 << 32;
    uint64_t hundreds = (x * 10486 >> 20) & UINT64_C(0x7F0000007F);

    x = hundreds | (x - 100 * hundreds) << 16;
    uint64_t tens = (x * 103 >> 10) & UINT64_C(0x000F000F000F000F);
    return tens | (x - 10 * tens) << 8;
}

/* Writes eight bytes, of which the first ones are the digits that eight_digits has given. */
static inline void put_eight(char *buf, uint64_t digits)
{
    digits = htole64(digits + UINT64_C(0x3030303030303030));
    memcpy(buf, &digits, 8);
}

/* Without zeros in front; may write up to seven bytes behind them. */
static inline size_t put_small(char *buf, uint64_t n)
{
    uint64_t digits = eight_digits(n);
    unsigned zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) & ~7u;

    put_eight(buf, digits >> zeros);
    return 8 - zeros / 8;
}

static size_t put_unsigned(char *buf, uint64_t n)
{
    size_t len;

    if (n < EIGHT)
        return put_small(buf, n);
    len = put_unsigned(buf, n / EIGHT);
    put_eight(buf + len, eight_digits(n % EIGHT));
    return len + 8;
}

size_t num_put_int(char *buf, int64_t v)
{
    if (v >= 0 && v < 10) {
        buf[0] = (char)('0' + v);
        return 1;
    }
    if (v >= 0)
        return put_unsigned(buf, (uint64_t)v);
    buf[0] = '-';
    return 1 + put_unsigned(buf + 1, -(uint64_t)v);
}

size_t num_put_seconds(char *buf, sim_time t)
{
    uint64_t n = t < 0 ? -(uint64_t)t : (uint64_t)t, whole = n / (uint64_t)SIM_SECOND;
    uint64_t ns = n - whole * (uint64_t)SIM_SECOND, digits;
    size_t len = 0;

    if (t < 0)
        buf[len++] = '-';
    len += put_unsigned(buf + len, whole);
    if (!ns)
        return len;
    buf[len++] = '.';
    digits = eight_digits(ns / 10);
    put_eight(buf + len, digits);
    if (ns % 10 == 0)
        return len + 8 - (size_t)__builtin_clzll(digits) / 8;
    buf[len + 8] = (char)('0' + ns % 10);
    return len + 9;
}

size_t num_put_hex(char *buf, uint64_t v)
{
    for (int i = 15; i >= 0; i--, v >>= 4)
        buf[i] = "0123456789abcdef"[v & 15];
    return 16;
}

/* Takes the "+" and the zeros in front out of an exponent: 1e-05, 1e+20 become 1e-5, 1e20. */
static size_t tidy_exponent(char *buf)
{
    char *to = strchr(buf, 'e'), *from;

    if (!to)
        return strlen(buf);
    from = ++to;
    if (*from == '-')
        to++;
    for (from++; *from == '0'; from++)
        ;
    memmove(to, from, strlen(from) + 1);
    return strlen(buf);
}

size_t num_put_real(char *buf, double v)
{
    char text[NUM_MAX];
    size_t len;

    if (fabs(v) < 1e15 && v == (double)(int64_t)v)
        return num_put_int(buf, (int64_t)v);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    len = tidy_exponent(text);
    memcpy(buf, text, len);
    return len;
}
