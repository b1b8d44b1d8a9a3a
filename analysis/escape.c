/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/escape.h"

#include <string.h>

#include "sim/base/utf8.h"

/* Calls put for each ASCII character and the one before it; all others are written, or become '?'.
 */
static void each(struct out *o, const char *s, void (*put)(struct out *, char before, char c))
{
    size_t len = strlen(s), n;
    char before = '\0';
    uint32_t c;

    for (; len > 0; s += n, len -= n) {
        n = utf8_get(s, len, &c);
        if (n == 0 || !utf8_shows(c))
            out_char(o, '?');
        else if (n == 1)
            put(o, before, *s);
        else
            out_bytes(o, s, n);
        n = n ? n : 1;
        before = *s;
    }
}

/* Behind \\ a bracket or a star would be its argument; -- ?` !` '' << ,, are ligatures, and "
 * is a command in some languages. */
static void latex_char(struct out *o, char before, char c)
{
    static const struct {
        char c;
        const char *text;
    } words[] = {{'\\', "\\textbackslash{}"}, {'^', "\\textasciicircum{}"},
                 {'~', "\\textasciitilde{}"}, {'<', "\\textless{}"},
                 {'>', "\\textgreater{}"},    {'|', "\\textbar{}"},
                 {'"', "{\\char34}"}};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (words[i].c == c) {
            out_text(o, words[i].text);
            return;
        }
    if (strchr("{}$&#_%", c))
        out_printf(o, "\\%c", c);
    else if (strchr("[]*`'", c) || (strchr("-,", c) && c == before))
        out_printf(o, "{%c}", c);
    else
        out_char(o, c);
}

void out_latex(struct out *o, const char *s)
{
    each(o, s, latex_char);
}

/* In tables a backslash does not hide | everywhere, and before it is itself not sure to be hidden.
 */
static void markdown_char(struct out *o, char before, char c)
{
    (void)before;
    if (strchr("|<>&\\", c))
        out_printf(o, "&#%d;", c);
    else if (strchr("`*_{}[]()#+-.!~$@:\"'", c))
        out_printf(o, "\\%c", c);
    else
        out_char(o, c);
}

void out_markdown(struct out *o, const char *s)
{
    each(o, s, markdown_char);
}
