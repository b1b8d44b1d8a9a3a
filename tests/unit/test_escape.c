/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <criterion/criterion.h>

#include "analysis/escape.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void check(void write(struct out *, const char *), const char *s, const char *want)
{
    struct out *o = out_memory();
    size_t len;

    write(o, s);
    const char *got = out_data(o, &len);
    cr_expect(len == strlen(want) && memcmp(got, want, len) == 0, "%s: %.*s", s, (int)len, got);
    out_drop(o);
}

Test(escape, latex_and_markdown)
{
    static const struct {
        const char *text, *latex, *markdown;
    } cases[] = {
        {"", "", ""},
        {"plain 1.5", "plain 1.5", "plain 1\\.5"},
        {"rr[quantum_s=0]", "rr{[}quantum\\_s=0{]}", "rr\\[quantum\\_s=0\\]"},
        {"\\input{x}", "\\textbackslash{}input\\{x\\}", "&#92;input\\{x\\}"},
        {"a & b % c", "a \\& b \\% c", "a &#38; b % c"},
        {"$x_1^2$", "\\$x\\_1\\textasciicircum{}2\\$", "\\$x\\_1^2\\$"},
        {"#~", "\\#\\textasciitilde{}", "\\#\\~"},
        {"<b>|</b>", "\\textless{}b\\textgreater{}\\textbar{}\\textless{}/b\\textgreater{}",
         "&#60;b&#62;&#124;&#60;/b&#62;"},
        {"*`'\"", "{*}{`}{'}{\\char34}", "\\*\\`\\'\\\""},
        {"a-b--c,d,,e", "a-b-{-}c,d,{,}e", "a\\-b\\-\\-c,d,,e"},
        {"?`!`", "?{`}!{`}", "?\\`\\!\\`"},
        {"1. x\n2)", "1. x?2)", "1\\. x?2\\)"},
        {"\x1b[1m\xff\xc2\x9b", "?{[}1m??", "?\\[1m??"},
        {"h\u00e9 \u65e5", "h\u00e9 \u65e5", "h\u00e9 \u65e5"},
        {"a\u202eb", "a?b", "a?b"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        check(out_latex, cases[i].text, cases[i].latex);
        check(out_markdown, cases[i].text, cases[i].markdown);
    }
}
