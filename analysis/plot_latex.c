/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The .tex file of a picture is read by any LaTeX with any encoding of fonts: what is not ASCII and
 * no letter that all have becomes a command or a question mark. What LaTeX takes for commands was
 * escaped before, text by text, by plots/style.gp; backslashes do not get that far.
 */
#include <string.h>

#include "analysis/plot_kinds.h"
#include "sim/base/file.h"
#include "sim/base/utf8.h"

#define MOST_BYTES (16 << 20)

static const struct {
    uint32_t c;
    const char *text;
} commands[] = {
    {0xB1, "$\\pm$"},
    {0xB2, "$^{2}$"},
    {0xB3, "$^{3}$"},
    {0xD7, "$\\times$"},
    {0x2013, "--"},
    {0x2026, "\\dots{}"},
    {0x203A, "$>$"},
    {0x2070, "$^{0}$"},
    {0x2074, "$^{4}$"},
    {0x2075, "$^{5}$"},
    {0x2076, "$^{6}$"},
    {0x2077, "$^{7}$"},
    {0x2078, "$^{8}$"},
    {0x2079, "$^{9}$"},
    {0x207B, "$^{-}$"},
    {0x2190, "$\\leftarrow$"},
    {0x2192, "$\\rightarrow$"},
    {0x2212, "$-$"},
    {0x2264, "$\\leq$"},
    {0x2265, "$\\geq$"},
};

/* Of Latin-1, without Eth, Thorn and the signs among them. */
static bool is_letter(uint32_t c)
{
    return c >= 0xC0 && c <= 0xFF && c != 0xD0 && c != 0xDE && c != 0xF0 && c != 0xFE && c != 0xF7;
}

static void put(struct out *o, const char *s, size_t n, uint32_t c)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        if (commands[i].c == c) {
            out_text(o, commands[i].text);
            return;
        }
    if (c < 0x80 || is_letter(c))
        out_bytes(o, s, n);
    else
        out_char(o, '?');
}

bool plot_latex(struct arena *a, struct diag *d, const char *path)
{
    struct source *src = file_load(a, d, path, MOST_BYTES);
    struct out *o = src ? out_create(d, path) : NULL;

    for (size_t at = 0, n; o && at < src->len; at += n) {
        uint32_t c;
        n = utf8_get(src->text + at, src->len - at, &c);
        if (n == 0) {
            n = 1;
            c = 0xFFFD;
        }
        put(o, src->text + at, n, c);
    }
    return o && out_commit(o);
}
