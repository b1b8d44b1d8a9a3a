/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/utf8.h"
#include "sim/text/check.h"

static bool allowed(uint32_t c)
{
    if (c < 0x20)
        return c == '\t' || c == '\n';
    return !(c >= 0x7F && c < 0xA0) && c != 0x2028 && c != 0x2029 && c != 0xFEFF && c != 0xFFFE &&
           c != 0xFFFF;
}

/* The first byte that is no part of an allowed character; len: there is none. */
static size_t first_fault(const char *s, size_t len)
{
    size_t at = utf8_order_mark(s, len);

    while (at < len) {
        uint32_t c = (unsigned char)s[at];
        size_t n = 1;

        if (c == '\r' && at + 1 < len && s[at + 1] == '\n')
            n = 2;
        else if (c - 0x20 >= 0x7F - 0x20 && (!(n = utf8_get(s + at, len - at, &c)) || !allowed(c)))
            break;
        at += n;
    }
    return at;
}

static bool is_utf16(const struct source *src)
{
    return src->len >= 2 &&
           (memcmp(src->text, "\xFF\xFE", 2) == 0 || memcmp(src->text, "\xFE\xFF", 2) == 0);
}

bool check_text(struct diag *d, const struct source *src)
{
    size_t at = first_fault(src->text, src->len);
    struct mark place;
    uint32_t c;

    if (at == src->len)
        return true;
    place = diag_place(src, at);
    if (at == 0 && is_utf16(src))
        return diag_error(d, place, "the text is UTF-16; wanted UTF-8");
    if (!utf8_get(src->text + at, src->len - at, &c))
        return diag_error(d, place, "byte 0x%02X is not valid UTF-8", (unsigned char)src->text[at]);
    if (c == '\r')
        return diag_error(d, place, "a carriage return without a line feed");
    return diag_error(d, place, "character U+%04X is not allowed in a text", c);
}

const char *check_wanted(enum check_kind kind)
{
    static const char *const wanted[] = {
        [CHECK_WHOLE] = "a whole number",
        [CHECK_REAL] = "a number",
        [CHECK_TIME] = "a time in seconds",
    };

    return wanted[kind];
}

const char *check_shown(char buf[CHECK_SHOWN], const char *token, size_t len)
{
    size_t n = 0;

    if (len < CHECK_SHOWN) {
        memcpy(buf, token, len);
        buf[len] = '\0';
        return buf;
    }
    while (n < CHECK_SHOWN - 8) {
        uint32_t c;
        size_t size = utf8_get(token + n, len - n, &c);

        n += size ? size : 1;
    }
    memcpy(buf, token, n);
    memcpy(buf + n, "...", 4);
    return buf;
}

bool check_fault(struct diag *d, struct mark at, const char *what, const char *token, size_t len,
                 enum check_kind kind, enum num_fault fault)
{
    char buf[CHECK_SHOWN];
    const char *shown = check_shown(buf, token, len), *wanted = check_wanted(kind);

    if (fault == NUM_EMPTY)
        return diag_error(d, at, "%s: empty; wanted %s", what, wanted);
    if (fault == NUM_RANGE)
        return diag_error(d, at, "%s: %s is too large", what, shown);
    if (fault == NUM_TOO_FINE)
        return diag_error(d, at, "%s: %s is finer than a nanosecond", what, shown);
    return diag_error(d, at, "%s: '%s' is not %s%s", what, shown, wanted,
                      kind == CHECK_TIME ? ", as in 90 or 0.5" : "");
}

bool check_below(struct diag *d, struct mark at, const char *what, const char *token, size_t len,
                 const char *minimum)
{
    char buf[CHECK_SHOWN];

    return diag_error(d, at, "%s: %s is below the minimum, %s", what, check_shown(buf, token, len),
                      minimum);
}

bool check_above(struct diag *d, struct mark at, const char *what, const char *token, size_t len,
                 const char *maximum)
{
    char buf[CHECK_SHOWN];

    return diag_error(d, at, "%s: %s is above the maximum, %s", what, check_shown(buf, token, len),
                      maximum);
}
