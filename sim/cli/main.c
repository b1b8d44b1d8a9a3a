/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "sim/base/version.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

extern const struct command command_run, command_compare, command_explain, command_plot,
    command_sweep, command_check, command_report, command_export, command_metrics, command_validate,
    command_list, command_self, command_calibrate, command_predict, command_accuracy,
    command_curves;

const struct command *const commands[] = {&command_run,
                                          &command_sweep,
                                          &command_compare,
                                          &command_check,
                                          &command_explain,
                                          &command_plot,
                                          &command_report,
                                          &command_export,
                                          &command_metrics,
                                          &command_validate,
                                          &command_calibrate,
                                          &command_predict,
                                          &command_accuracy,
                                          &command_curves,
                                          &command_list,
                                          &command_self,
                                          NULL};

static void help(void)
{
    struct out *o = out_memory();

    out_printf(o, "hetune - replay HPO studies and training jobs on a cluster of unequal GPUs\n\n"
                  "  hetune run configs/runs/demo.yaml -o results/demo\n"
                  "  hetune run configs/runs/philly_b1k.yaml -s policy='sjf[skip_ahead=true]'\n\n");
    for (int i = 0; commands[i]; i++)
        out_printf(o, "  hetune %-9s %-28s %s\n", commands[i]->name, commands[i]->words,
                   commands[i]->about);
    out_printf(
        o, "\n`hetune COMMAND --help` has the options; `hetune --version` the versions.\n"
           "Exit codes: 0 fine, 1 a check failed, 2 wrong use or bad input, 3 files or memory, 4 "
           "the policy.\n");
    print_out(o);
}

static void version(void)
{
    printf("hetune %s (%s)\n%s\n%s\n", hetune_version, hetune_commit, hetune_compiler,
           hetune_libraries());
}

const struct command *command_find(const char *name, struct diag *d)
{
    struct diag_near near = {.word = name};

    for (int i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        diag_consider(&near, commands[i]->name);
    }
    diag_unknown(d, (struct mark){0}, near.nearest, "unknown command '%.40s'%s", name,
                 near.nearest ? "" : "; see hetune --help");
    return NULL;
}

static int run_command(const struct command *c, int argc, char **argv, struct diag *d)
{
    struct args args;

    if (!cli_parse(c, argc, argv, &args, d))
        return EXIT_USAGE;
    if (args.help) {
        cli_help(c);
        return EXIT_FINE;
    }
    return c->run(&args, d);
}

/* What was printed must have arrived: a full disk is an error, a reader who has seen enough is
 * none. */
static int close_stdout(struct diag *d, int code)
{
    int failed = print_end();

    if (failed == 0 || failed == EPIPE)
        return code;
    diag_io(d, "standard output", failed, "write");
    return EXIT_IO;
}

/* A file that is opened must not become standard output: what is closed is taken up by something
 * that refuses to be read or written, as what is closed does. */
static void hold_places(void)
{
    static const int refuse[] = {O_WRONLY, O_RDONLY, O_RDONLY};

    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", refuse[fd]);
}

int main(int argc, char **argv)
{
    struct diag *d = diag_new(stderr);
    int code = EXIT_USAGE;

    hold_places();
    gsl_set_error_handler_off();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        diag_error(d, (struct mark){0}, "a command is missing; see hetune --help");
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
               strcmp(argv[1], "help") == 0) {
        help();
        code = EXIT_FINE;
    } else if (strcmp(argv[1], "--version") == 0) {
        version();
        code = EXIT_FINE;
    } else {
        const struct command *c = command_find(argv[1], d);
        if (c)
            code = run_command(c, argc - 1, argv + 1, d);
    }
    code = close_stdout(d, code);
    diag_free(d);
    return code;
}
