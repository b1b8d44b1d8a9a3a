/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/utf8.h"

static bool continues(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

size_t utf8_get(const char *text, size_t len, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    size_t n;

    if (!len)
        return 0;
    *c = s[0];
    if (s[0] < 0x80)
        return 1;
    n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || len < n)
        return 0;
    *c = s[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (!continues(s[i]))
            return 0;
        *c = *c << 6 | (s[i] & 0x3F);
    }
    if (*c < least[n] || *c > 0x10FFFF || (*c >= 0xD800 && *c <= 0xDFFF))
        return 0;
    return n;
}

static bool eight_ascii(const char *s)
{
    uint64_t word;

    memcpy(&word, s, sizeof word);
    return !(word & UINT64_C(0x8080808080808080));
}

size_t utf8_valid(const char *s, size_t len)
{
    size_t at = 0;

    while (at < len) {
        uint32_t c;
        size_t n = len - at >= 8 && eight_ascii(s + at) ? 8 : utf8_get(s + at, len - at, &c);

        if (!n)
            break;
        at += n;
    }
    return at;
}

size_t utf8_count(const char *s, size_t len)
{
    size_t count = 0;

    for (size_t at = 0; at < len; count++) {
        uint32_t c;
        size_t n = utf8_get(s + at, len - at, &c);

        at += n ? n : 1;
    }
    return count;
}

size_t utf8_order_mark(const char *s, size_t len)
{
    return len >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool utf8_shows(uint32_t c)
{
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF)
        return false;
    return !(c >= 0x200E && c <= 0x200F) && !(c >= 0x2028 && c <= 0x202E) &&
           !(c >= 0x2066 && c <= 0x2069);
}
