/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune self: what the program can say of itself: manual pages, and candidates for completion. */
#include <string.h>

#include "sim/cli/manual.h"
#include "sim/cli/print.h"

static const struct option_row options[] = {
    {'o', "out", "DIR", "man: write all pages into this folder, which is there",
     offsetof(struct args, out), 0},
    OPTION_HELP,
    OPTION_END,
};

static bool write_page(struct diag *d, struct arena *arena, const char *dir,
                       const struct command *c)
{
    struct out *o = out_create(d, c ? arena_printf(arena, "%s/hetune-%s.1", dir, c->name)
                                    : arena_printf(arena, "%s/hetune.1", dir));

    if (!o)
        return false;
    if (c)
        manual_command(o, c);
    else
        manual_overview(o);
    return out_commit(o);
}

static bool write_pages(struct diag *d, const char *dir)
{
    struct arena *arena = arena_new();
    bool ok = write_page(d, arena, dir, NULL);

    for (int i = 0; ok && commands[i]; i++)
        ok = write_page(d, arena, dir, commands[i]);
    arena_free(arena);
    return ok;
}

static bool print_page(struct diag *d, const char *name)
{
    const struct command *c = name ? command_find(name, d) : NULL;
    struct out *o;

    if (name && !c)
        return false;
    o = out_memory();
    if (c)
        manual_command(o, c);
    else
        manual_overview(o);
    print_out(o);
    return true;
}

static const char *choice(uint32_t i)
{
    static const char *const all[] = {"man", "complete", NULL};

    return all[i];
}

static int run(const struct args *a, struct diag *d)
{
    bool ok;

    if (a->n_words > 0 && strcmp(a->word[0], "complete") == 0) {
        struct out *o = out_memory();
        complete_words(o, a->word + 1, a->n_words - 1);
        print_out(o);
        ok = true;
    } else if (a->n_words > 0 && a->n_words + (a->out != NULL) < 3 &&
               strcmp(a->word[0], "man") == 0) {
        ok = a->out ? write_pages(d, a->out) : print_page(d, a->n_words > 1 ? a->word[1] : NULL);
    } else {
        ok = diag_error(d, (struct mark){0},
                        "self: wanted man, man COMMAND, man -o DIR, or "
                        "complete -- WORD...");
    }
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_self = {
    .name = "self",
    .words = "man|complete COMMAND",
    .about = "manual pages, and candidates for completion by a shell",
    .examples = "  hetune self man run | man -l -\n"
                "  hetune self man -o /usr/local/share/man/man1\n"
                "  hetune self complete -- run --\n",
    .options = options,
    .choice = choice,
    .run = run,
};
