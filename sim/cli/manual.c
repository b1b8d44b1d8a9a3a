/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/manual.h"

#include <string.h>

#include "sim/base/version.h"

/* ---- text, as it is typed: typesetting would make other characters of some ---- */

static const char *typed(char c)
{
    static const struct {
        char c;
        const char *escape;
    } all[] = {{'-', "\\-"},   {'\\', "\\e"},  {'\'', "\\(aq"},
               {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (all[i].c == c)
            return all[i].escape;
    return NULL;
}

static void put(struct out *o, const char *s, size_t n)
{
    if (n > 0 && *s == '.') /* at the start of a line it would be a request */
        out_text(o, "\\&");
    for (size_t i = 0; i < n; i++) {
        const char *escape = typed(s[i]);

        if (escape)
            out_text(o, escape);
        else
            out_char(o, s[i]);
    }
}

static void put_text(struct out *o, const char *s)
{
    put(o, s, strlen(s));
}

static void put_bold(struct out *o, const char *s)
{
    out_text(o, "\\fB");
    put_text(o, s);
    out_text(o, "\\fR");
}

/* Lines as they stand; the two spaces in front of examples are the page's own. */
static void put_lines(struct out *o, const char *s)
{
    out_text(o, ".nf\n");
    while (*s) {
        size_t n = strcspn(s, "\n");
        size_t skip = strncmp(s, "  ", 2) == 0 ? 2 : 0;

        put(o, s + skip, n - skip);
        out_char(o, '\n');
        s += n + (s[n] != '\0');
    }
    out_text(o, ".fi\n");
}

/* ---- parts of pages ---- */

static void head(struct out *o, const char *title, const char *about)
{
    out_text(o, ".TH \"");
    for (const char *c = title; *c; c++)
        out_char(o, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    out_printf(o, "\" 1 \"%s\" \"hetune %s\" \"hetune\"\n.SH NAME\n", hetune_date, hetune_version);
    put_text(o, title);
    out_text(o, " \\- ");
    put_text(o, about);
    out_char(o, '\n');
}

static void put_option(struct out *o, const struct option_row *r)
{
    out_text(o, ".TP\n");
    if (r->letter)
        out_printf(o, "\\fB\\-%c\\fR, ", r->letter);
    out_text(o, "\\fB\\-\\-");
    put_text(o, r->name);
    out_text(o, "\\fR");
    if (r->arg) {
        out_text(o, " \\fI");
        put_text(o, r->arg);
        out_text(o, "\\fR");
    }
    out_char(o, '\n');
    put_text(o, r->about);
    out_char(o, '\n');
}

static void exits(struct out *o)
{
    static const struct {
        const char *code, *when;
    } all[] = {{"0", "fine"},
               {"1", "a check failed"},
               {"2", "wrong use or bad input"},
               {"3", "files, devices or memory"},
               {"4", "the policy misbehaved"},
               {"128 + N", "stopped by signal N"}};

    out_text(o, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        out_printf(o, ".TP\n%s\n%s\n", all[i].code, all[i].when);
}

/* ---- pages ---- */

void manual_command(struct out *o, const struct command *c)
{
    char title[64];

    snprintf(title, sizeof(title), "hetune-%s", c->name);
    head(o, title, c->about);
    out_text(o, ".SH SYNOPSIS\n\\fBhetune ");
    put_text(o, c->name);
    out_text(o, "\\fR \\fI");
    put_text(o, c->words);
    out_text(o, "\\fR\n.SH OPTIONS\n");
    for (const struct option_row *r = c->options; r->name; r++)
        put_option(o, r);
    out_text(o, ".SH EXAMPLES\n");
    put_lines(o, c->examples);
    exits(o);
    out_text(o, ".SH SEE ALSO\n.BR hetune (1)\n");
}

static void put_command(struct out *o, const struct command *c)
{
    out_text(o, ".TP\n");
    put_bold(o, c->name);
    out_text(o, " \\fI");
    put_text(o, c->words);
    out_text(o, "\\fR\n");
    put_text(o, c->about);
    out_char(o, '\n');
}

void manual_overview(struct out *o)
{
    head(o, "hetune", "replay HPO studies and training jobs on a cluster of unequal GPUs");
    out_text(o, ".SH SYNOPSIS\n\\fBhetune\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] \\fIwords\\fR\n"
                ".br\n\\fBhetune \\-\\-help\\fR | \\fB\\-\\-version\\fR\n"
                ".SH DESCRIPTION\nA discrete-event simulator of hyper-parameter optimisation and "
                "deep-learning training on heterogeneous GPU clusters: it replays studies and job "
                "traces under pluggable scheduling policies, and compares them.\n"
                ".SH COMMANDS\n");
    for (int i = 0; commands[i]; i++)
        put_command(o, commands[i]);
    out_text(o, ".SH ENVIRONMENT\n.TP\nNO_COLOR\nif set and not empty, nothing is coloured\n"
                ".TP\nSLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX, SGE_TASK_ID\n"
                "which shard of a sweep this is, unless \\fB\\-\\-shard\\fR says so\n");
    exits(o);
    out_text(o, ".SH SEE ALSO\n");
    for (int i = 0; commands[i]; i++)
        out_printf(o, ".BR hetune\\-%s (1)%s\n", commands[i]->name, commands[i + 1] ? "," : "");
}
