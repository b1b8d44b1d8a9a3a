/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "sim/base/mem.h"
#include "sim/text/num.h"

#define TEN_ZEROS     "0000000000"
#define FIFTY_ZEROS   TEN_ZEROS TEN_ZEROS TEN_ZEROS TEN_ZEROS TEN_ZEROS
#define HUNDRED_ZEROS FIFTY_ZEROS FIFTY_ZEROS

static const struct {
    const char *s;
    enum num_fault fault;
    int64_t value;
} ints[] = {
    {"0", NUM_OK, 0},
    {"7", NUM_OK, 7},
    {"-0", NUM_OK, 0},
    {"+5", NUM_OK, 5},
    {"-12", NUM_OK, -12},
    {"010", NUM_OK, 10},
    {"999999999999999999", NUM_OK, 999999999999999999},
    {"1000000000000000000", NUM_OK, 1000000000000000000},
    {"9223372036854775807", NUM_OK, INT64_MAX},
    {"-9223372036854775808", NUM_OK, INT64_MIN},
    {"9223372036854775808", NUM_RANGE, 0},
    {"-9223372036854775809", NUM_RANGE, 0},
    {"18446744073709551615", NUM_RANGE, 0},
    {"18446744073709551616", NUM_RANGE, 0},
    {"184467440737095516150000", NUM_RANGE, 0},
    {HUNDRED_ZEROS "5", NUM_OK, 5},
    {"-" HUNDRED_ZEROS "9223372036854775808", NUM_OK, INT64_MIN},
    {HUNDRED_ZEROS, NUM_OK, 0},
    {"", NUM_EMPTY, 0},
    {"+", NUM_SYNTAX, 0},
    {"-", NUM_SYNTAX, 0},
    {"--1", NUM_SYNTAX, 0},
    {" 5", NUM_SYNTAX, 0},
    {"5 ", NUM_SYNTAX, 0},
    {"\t5", NUM_SYNTAX, 0},
    {"5\n", NUM_SYNTAX, 0},
    {"1_000", NUM_SYNTAX, 0},
    {"1,000", NUM_SYNTAX, 0},
    {"0x10", NUM_SYNTAX, 0},
    {"0b1", NUM_SYNTAX, 0},
    {"0o7", NUM_SYNTAX, 0},
    {"1e3", NUM_SYNTAX, 0},
    {"1.0", NUM_SYNTAX, 0},
    {"eight", NUM_SYNTAX, 0},
    {"nan", NUM_SYNTAX, 0},
    {"inf", NUM_SYNTAX, 0},
    {"\xEF\xBC\x95", NUM_SYNTAX, 0}, /* a full-width 5 */
    {"9999999999999999999999x", NUM_SYNTAX, 0},
    {"123456789012345678x", NUM_SYNTAX, 0},
};

static const struct {
    const char *s;
    enum num_fault fault;
    double value;
} reals[] = {
    {"0", NUM_OK, 0},
    {"1", NUM_OK, 1},
    {"1.5", NUM_OK, 1.5},
    {"-1.5", NUM_OK, -1.5},
    {"+1.5", NUM_OK, 1.5},
    {"010.50", NUM_OK, 10.5},
    {"1e3", NUM_OK, 1000},
    {"1E+3", NUM_OK, 1000},
    {"25e-2", NUM_OK, 0.25},
    {"0.1", NUM_OK, 0.1},
    {"123456.789", NUM_OK, 123456.789},
    {"9007199254740993", NUM_OK, 9007199254740992.0},
    {"9007199254740992.5", NUM_OK, 9007199254740992.0},
    {"0.30000000000000004", NUM_OK, 0.1 + 0.2},
    {"1.7976931348623157e308", NUM_OK, DBL_MAX},
    {"2.2250738585072014e-308", NUM_OK, DBL_MIN},
    {"5e-324", NUM_OK, 0x1p-1074},
    {"1e-400", NUM_OK, 0},
    {"1e22", NUM_OK, 1e22},
    {"1e23", NUM_OK, 1e23},
    {"123456789012345678901234567890", NUM_OK, 123456789012345678901234567890.0},
    {"1e" HUNDRED_ZEROS "2", NUM_OK, 100},
    {"0." HUNDRED_ZEROS HUNDRED_ZEROS HUNDRED_ZEROS "1", NUM_OK, 1e-301},
    {"1" HUNDRED_ZEROS HUNDRED_ZEROS, NUM_OK, 1e200},
    {HUNDRED_ZEROS "2.5", NUM_OK, 2.5},
    {"1e999", NUM_RANGE, 0},
    {"-1e999", NUM_RANGE, 0},
    {"1.8e308", NUM_RANGE, 0},
    {"1e99999999999999999999999", NUM_RANGE, 0},
    {"1e-99999999999999999999999", NUM_OK, 0},
    {"", NUM_EMPTY, 0},
    {".5", NUM_SYNTAX, 0},
    {"5.", NUM_SYNTAX, 0},
    {"-.5", NUM_SYNTAX, 0},
    {".", NUM_SYNTAX, 0},
    {"1.e3", NUM_SYNTAX, 0},
    {"1e", NUM_SYNTAX, 0},
    {"1e+", NUM_SYNTAX, 0},
    {"1e1.5", NUM_SYNTAX, 0},
    {"e5", NUM_SYNTAX, 0},
    {"1.5.5", NUM_SYNTAX, 0},
    {"1,5", NUM_SYNTAX, 0},
    {"nan", NUM_SYNTAX, 0},
    {"NaN", NUM_SYNTAX, 0},
    {".nan", NUM_SYNTAX, 0},
    {"inf", NUM_SYNTAX, 0},
    {"-.inf", NUM_SYNTAX, 0},
    {"infinity", NUM_SYNTAX, 0},
    {"0x10", NUM_SYNTAX, 0},
    {"0x1p3", NUM_SYNTAX, 0},
    {" 5", NUM_SYNTAX, 0},
    {"5 ", NUM_SYNTAX, 0},
    {"1_000", NUM_SYNTAX, 0},
    {"1d5", NUM_SYNTAX, 0},
    {"5f", NUM_SYNTAX, 0},
    {"\xEF\xBC\x95", NUM_SYNTAX, 0},
    {"12345678901234567890x", NUM_SYNTAX, 0},
};

static const struct {
    const char *s;
    enum num_fault fault;
    sim_time value;
} seconds[] = {
    {"0", NUM_OK, 0},
    {"-0", NUM_OK, 0},
    {"365", NUM_OK, 365 * SIM_SECOND},
    {"0.1", NUM_OK, 100000000},
    {"0.3", NUM_OK, 300000000},
    {"1.000000001", NUM_OK, 1000000001},
    {"123456789.123456789", NUM_OK, 123456789123456789},
    {"-1.5", NUM_OK, -1500000000},
    {"+1.5", NUM_OK, 1500000000},
    {"000001.5", NUM_OK, 1500000000},
    {"1.500000000000000000000000", NUM_OK, 1500000000},
    {"1." HUNDRED_ZEROS, NUM_OK, SIM_SECOND},
    {HUNDRED_ZEROS "1.25", NUM_OK, 1250000000},
    {"1000000000", NUM_OK, SIM_SECOND *SIM_SECOND},
    {"4611686018.427387904", NUM_OK, SIM_LATEST},
    {"-4611686018.427387904", NUM_OK, -SIM_LATEST},
    {"4611686018.427387905", NUM_RANGE, 0},
    {"4611686019", NUM_RANGE, 0},
    {"9223372036854775808", NUM_RANGE, 0},
    {"99999999999999999999999999.5", NUM_RANGE, 0},
    {"0.0000000001", NUM_TOO_FINE, 0},
    {"1.0000000010000000001", NUM_TOO_FINE, 0},
    {"1." HUNDRED_ZEROS "1", NUM_TOO_FINE, 0},
    {"", NUM_EMPTY, 0},
    {"-", NUM_SYNTAX, 0},
    {".5", NUM_SYNTAX, 0},
    {"5.", NUM_SYNTAX, 0},
    {".", NUM_SYNTAX, 0},
    {"1.5.5", NUM_SYNTAX, 0},
    {"1.5x", NUM_SYNTAX, 0},
    {"1.x", NUM_SYNTAX, 0},
    {"1.-5", NUM_SYNTAX, 0},
    {"1e3", NUM_SYNTAX, 0},
    {"1:30", NUM_SYNTAX, 0},
    {"90s", NUM_SYNTAX, 0},
    {" 5", NUM_SYNTAX, 0},
    {"5 ", NUM_SYNTAX, 0},
    {"1_000", NUM_SYNTAX, 0},
    {"nan", NUM_SYNTAX, 0},
    {"0x10", NUM_SYNTAX, 0},
    {"1.0000000000001x", NUM_SYNTAX, 0},
    {"999999999999999999999999x", NUM_SYNTAX, 0},
};

/* The token alone in memory of its size, so that a sanitizer sees reads beyond it. */
static char *alone(const char *s)
{
    return memcpy(mem_get(strlen(s)), s, strlen(s));
}

Test(num, reading)
{
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        char *s = alone(ints[i].s);
        int64_t v = 0;

        cr_expect_eq(num_int(s, strlen(ints[i].s), &v), ints[i].fault, "int '%s'", ints[i].s);
        cr_expect_eq(v, ints[i].value, "int '%s': %lld", ints[i].s, (long long)v);
        mem_drop(s);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        char *s = alone(reals[i].s);
        double v = 0;

        cr_expect_eq(num_real(s, strlen(reals[i].s), &v), reals[i].fault, "real '%s'", reals[i].s);
        cr_expect(v == reals[i].value && !signbit(v) == !signbit(reals[i].value),
                  "real '%s': %.17g", reals[i].s, v);
        mem_drop(s);
    }
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        char *s = alone(seconds[i].s);
        sim_time v = 0;

        cr_expect_eq(num_seconds(s, strlen(seconds[i].s), &v), seconds[i].fault, "seconds '%s'",
                     seconds[i].s);
        if (seconds[i].fault == NUM_OK)
            cr_expect_eq(v, seconds[i].value, "seconds '%s': %lld", seconds[i].s, (long long)v);
        mem_drop(s);
    }
}

/* A NUL is no end of a token, and no sign of zero is kept. */
Test(num, odd_tokens)
{
    int64_t n;
    double x;
    sim_time t;

    cr_expect_eq(num_int("5\0", 2, &n), NUM_SYNTAX);
    cr_expect_eq(num_real("5\0", 2, &x), NUM_SYNTAX);
    cr_expect_eq(num_seconds("5\0", 2, &t), NUM_SYNTAX);
    cr_expect_eq(num_real("-0", 2, &x), NUM_OK);
    cr_expect(x == 0 && !signbit(x));
    cr_expect_eq(num_real("-1e-999", 7, &x), NUM_OK);
    cr_expect(x == 0 && !signbit(x));
}

static const struct {
    double value;
    const char *text;
} put_reals[] = {
    {0, "0"},
    {-0.0, "0"},
    {1, "1"},
    {-1, "-1"},
    {0.1, "0.1"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1e-5, "1e-5"},
    {1.5e-10, "1.5e-10"},
    {0.0001, "0.0001"},
    {100000, "100000"},
    {999999999999999, "999999999999999"},
    {-999999999999999, "-999999999999999"},
    {1e15, "1e15"},
    {1e20, "1e20"},
    {1e100, "1e100"},
    {1.0 / 3, "0.3333333333333333"},
    {2.0 / 3, "0.6666666666666666"},
    {123456789.125, "123456789.125"},
    {DBL_MAX, "1.7976931348623157e308"},
    {DBL_MIN, "2.2250738585072014e-308"},
    {0x1p-1074, "4.94065645841247e-324"},
    {9007199254740992, "9007199254740992"},
    {5e-7, "5e-7"},
    {-2.5e-9, "-2.5e-9"},
};

static const struct {
    sim_time t;
    const char *text;
} put_seconds[] = {
    {0, "0"},
    {1, "0.000000001"},
    {-1, "-0.000000001"},
    {500000000, "0.5"},
    {365 * SIM_SECOND, "365"},
    {1000000001, "1.000000001"},
    {1000000010, "1.00000001"},
    {-1500000000, "-1.5"},
    {SIM_LATEST, "4611686018.427387904"},
    {INT64_MAX, "9223372036.854775807"},
    {INT64_MIN, "-9223372036.854775808"},
    {123456789 * SIM_SECOND + 120000000, "123456789.12"},
};

static const int64_t put_ints[] = {0,
                                   1,
                                   -1,
                                   9,
                                   10,
                                   99,
                                   100,
                                   101,
                                   999,
                                   1000,
                                   12345,
                                   99999,
                                   123456,
                                   9999999,
                                   10000000,
                                   123456789,
                                   4294967296,
                                   999999999999999999,
                                   1000000000000000000,
                                   INT64_MAX,
                                   INT64_MIN};

static void expect_text(const char *buf, size_t len, const char *text)
{
    cr_expect(len == strlen(text) && memcmp(buf, text, len) == 0, "'%.*s', wanted '%s'", (int)len,
              buf, text);
    cr_expect(len <= NUM_MAX);
    cr_expect(buf[NUM_MAX] == '#', "'%s': more than NUM_MAX bytes were written", text);
}

Test(num, writing)
{
    char buf[NUM_MAX + 1], text[64];

    for (size_t i = 0; i < sizeof put_reals / sizeof *put_reals; i++) {
        memset(buf, '#', sizeof buf);
        expect_text(buf, num_put_real(buf, put_reals[i].value), put_reals[i].text);
    }
    for (size_t i = 0; i < sizeof put_seconds / sizeof *put_seconds; i++) {
        memset(buf, '#', sizeof buf);
        expect_text(buf, num_put_seconds(buf, put_seconds[i].t), put_seconds[i].text);
    }
    for (size_t i = 0; i < sizeof put_ints / sizeof *put_ints; i++) {
        memset(buf, '#', sizeof buf);
        snprintf(text, sizeof text, "%lld", (long long)put_ints[i]);
        expect_text(buf, num_put_int(buf, put_ints[i]), text);
        memset(buf, '#', sizeof buf);
        snprintf(text, sizeof text, "%016llx", (unsigned long long)put_ints[i]);
        expect_text(buf, num_put_hex(buf, (uint64_t)put_ints[i]), text);
    }
}

static uint64_t draw(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* What is written reads back; what is read is what libc reads. */
Test(num, round_trips)
{
    uint64_t x = 88172645463325252;
    char buf[NUM_MAX + 1];

    for (int i = 0; i < 200000; i++) {
        uint64_t bits = draw(&x);
        int64_t n = (int64_t)(bits >> bits % 64), m = 0;
        sim_time t = n % SIM_LATEST, u = 0;
        double r, s = 0;
        size_t len;

        memcpy(&r, &bits, sizeof r);
        if (i % 2)
            r = (double)(n % 100000000) / 1000;
        len = num_put_int(buf, n);
        cr_assert(num_int(buf, len, &m) == NUM_OK && m == n);
        len = num_put_seconds(buf, t);
        cr_assert(num_seconds(buf, len, &u) == NUM_OK && u == t, "%.*s", (int)len, buf);
        if (!isfinite(r))
            continue;
        len = num_put_real(buf, r);
        buf[len] = '\0';
        cr_assert(num_real(buf, len, &s) == NUM_OK && s == r, "%s", buf);
        cr_assert(strtod(buf, NULL) == s, "%s", buf);
        snprintf(buf, sizeof buf, "%.*f", (int)(bits % 12), (double)(n % 1000000000) / 4096);
        cr_assert(num_real(buf, strlen(buf), &s) == NUM_OK && strtod(buf, NULL) == s, "%s", buf);
    }
}
