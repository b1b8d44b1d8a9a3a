/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_OPTIONS 24

/* ---- parsing: getopt_long with our own complaints ---- */

static void store(struct args *a, const struct option_row *o, const char *value)
{
    char *base = (char *)a;

    if (!o->arg) {
        *(bool *)(base + o->offset) = true;
    } else if (!o->count) {
        *(const char **)(base + o->offset) = value;
    } else {
        uint32_t *n = (uint32_t *)(void *)(base + o->count);
        if (*n < CLI_MOST)
            ((const char **)(void *)(base + o->offset))[(*n)++] = value;
    }
}

static const struct option_row *by_letter(const struct command *c, int letter)
{
    for (const struct option_row *o = c->options; o->name; o++)
        if (o->letter == letter)
            return o;
    return NULL;
}

static bool unknown_option(const struct command *c, struct diag *d, const char *given)
{
    const char *word = given + strspn(given, "-");
    char name[64], meant[64];
    struct diag_near near = {.word = name};

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
    for (const struct option_row *o = c->options; o->name; o++)
        diag_consider(&near, o->name);
    if (near.nearest)
        snprintf(meant, sizeof(meant), "--%s", near.nearest);
    return diag_unknown(d, (struct mark){0}, near.nearest ? meant : NULL,
                        "%s: unknown option '%.40s'", c->name, given);
}

static bool complain(const struct command *c, struct diag *d, int what, char **argv)
{
    const char *word = argv[optind - 1];

    if (what == ':')
        return diag_error(d, (struct mark){0}, "%s: option '%.40s' takes a value", c->name, word);
    return unknown_option(c, d, word);
}

bool cli_parse(const struct command *c, int argc, char **argv, struct args *a, struct diag *d)
{
    struct option longs[MOST_OPTIONS + 1] = {0};
    char shorts[3 * MOST_OPTIONS] = ":";
    int n = 0, got, which;

    *a = (struct args){0};
    for (const struct option_row *o = c->options; o->name; o++) {
        BUG_ON(n == MOST_OPTIONS);
        longs[n++] = (struct option){o->name, o->arg ? required_argument : no_argument, NULL, 0};
        if (o->letter)
            snprintf(shorts + strlen(shorts), 3, "%c%s", o->letter, o->arg ? ":" : "");
    }
    opterr = 0;
    optind = 1;
    while ((got = getopt_long(argc, argv, shorts, longs, &which)) != -1) {
        if (got == '?' || got == ':')
            return complain(c, d, got, argv);
        store(a, got ? by_letter(c, got) : &c->options[which], optarg);
    }
    if (a->n_set == CLI_MOST || a->n_library == CLI_MOST || a->n_kinds == CLI_MOST ||
        a->n_reports == CLI_MOST || a->n_metrics == CLI_MOST)
        return diag_error(d, (struct mark){0}, "%s: more than %d values of one option", c->name,
                          CLI_MOST - 1);
    a->word = (const char *const *)(argv + optind);
    a->n_words = (uint32_t)(argc - optind);
    return true;
}

/* ---- help ---- */

void cli_help(const struct command *c)
{
    struct out *o = out_memory();

    out_printf(o, "hetune %s%s%s\n  %s\n\n%s\n", c->name, *c->words ? " " : "", c->words, c->about,
               c->examples);
    for (const struct option_row *r = c->options; r->name; r++) {
        char left[48];
        snprintf(left, sizeof(left), "%s%c%s --%s%s%s", r->letter ? "-" : "",
                 r->letter ? r->letter : ' ', r->letter ? "," : "  ", r->name, r->arg ? " " : "",
                 r->arg ? r->arg : "");
        out_printf(o, "  %-28s %s\n", left, r->about);
    }
    print_out(o);
}

/* ---- ends ---- */

int cli_exit(const struct diag *d, int otherwise)
{
    if (diag_io_errors(d) > 0)
        return EXIT_IO;
    return diag_errors(d) > 0 ? EXIT_USAGE : otherwise;
}

bool cli_color(void)
{
    const char *no = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) && !(no && *no);
}

/* ---- progress ---- */

static double seconds_between(struct timespec a, struct timespec b)
{
    return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
}

/* By the pace since the first call: what was done before it, as in a sweep that goes on, was free.
 */
static void put_estimate(double seconds, double done, double all)
{
    double left = seconds * (all - done) / done;

    if (left >= 3600)
        fprintf(stderr, ", about %.0f h %.0f min left", floor(left / 3600),
                floor(fmod(left, 3600) / 60));
    else if (left >= 60)
        fprintf(stderr, ", about %.0f min %.0f s left", floor(left / 60), fmod(left, 60));
    else
        fprintf(stderr, ", about %.0f s left", left);
}

void cli_progress(bool quiet, const char *what, double done, double all)
{
    static struct timespec first, last;
    static double before;
    struct timespec now;

    if (quiet || !isatty(STDERR_FILENO))
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (first.tv_sec == 0) {
        first = now;
        before = done;
    }
    if (seconds_between(last, now) < 0.1)
        return;
    last = now;
    fprintf(stderr, "\r\033[K%s: %.0f", what, done);
    if (all <= 0)
        return;
    fprintf(stderr, " of %.0f", all);
    if (done > before && seconds_between(first, now) > 1)
        put_estimate(seconds_between(first, now), done - before, all - before);
}

void cli_progress_end(bool quiet)
{
    if (!quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
