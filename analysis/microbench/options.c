/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <string.h>

#include "analysis/microbench/options.h"
#include "sim/text/num.h"

static const char help[] =
    "usage: microbench -o FILE [--quick] [--only OP,...] [--minutes N]\n"
    "       microbench --list | --help\n"
    "\n"
    "Measures device 0 of those that CUDA shows (CUDA_VISIBLE_DEVICES chooses) and writes FILE,\n"
    "complete or not at all.\n"
    "\n"
    "  -o, --output FILE   where the results go: JSON\n"
    "      --only OP,...   these benchmarks alone; --list has their names\n"
    "      --minutes N     time to measure for, 0.1 to 600 (10): the grids are measured in a "
    "fixed\n"
    "                      order, of which a shorter time measures the beginning\n"
    "      --quick         the first turn of each grid, with few repeats\n"
    "      --list          the benchmarks\n"
    "      --help          this text\n"
    "\n"
    "exit codes: 0 done; 1 a wrong result or a call that failed; 2 usage; 3 no device, or FILE\n"
    "cannot be written\n";

enum { OPT_ONLY = 256, OPT_MINUTES, OPT_QUICK, OPT_LIST, OPT_HELP, OPT_CHILD };

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"only", required_argument, NULL, OPT_ONLY},
                                        {"minutes", required_argument, NULL, OPT_MINUTES},
                                        {"quick", no_argument, NULL, OPT_QUICK},
                                        {"list", no_argument, NULL, OPT_LIST},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {"child", required_argument, NULL, OPT_CHILD},
                                        {0}};

static bool read_minutes(const char *text, double *minutes)
{
    return num_real(text, strlen(text), minutes) == NUM_OK && *minutes >= 0.1 && *minutes <= 600;
}

static enum mb_ask wrong(FILE *err, const char *what, const char *word)
{
    fprintf(err, "microbench: error: %s%s; --help has the usage\n", what, word);
    return MB_ASK_WRONG;
}

enum mb_ask mb_options_read(int argc, char **argv, struct mb_options *o, FILE *err)
{
    enum mb_ask ask = MB_ASK_RUN;

    *o = (struct mb_options){.minutes = 10};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":o:", options, NULL)) != -1;)
        switch (c) {
        case 'o':
            o->out = optarg;
            break;
        case OPT_ONLY:
            o->only = optarg;
            break;
        case OPT_MINUTES:
            if (!read_minutes(optarg, &o->minutes))
                return wrong(err, "--minutes takes 0.1 to 600, not ", optarg);
            break;
        case OPT_QUICK:
            o->quick = true;
            break;
        case OPT_LIST:
            ask = MB_ASK_LIST;
            break;
        case OPT_HELP:
            return MB_ASK_HELP;
        case OPT_CHILD:
            o->child = optarg;
            return MB_ASK_CHILD;
        case ':':
            return wrong(err, "a value is missing after ", argv[optind - 1]);
        default:
            return wrong(err, "there is no option ", argv[optind - 1]);
        }
    if (optind < argc)
        return wrong(err, "there is nothing to be done with ", argv[optind]);
    if (ask == MB_ASK_RUN && !o->out)
        return wrong(err, "no file is given to write to; -o FILE is wanted", "");
    return ask;
}

bool mb_options_wanted(const struct mb_options *o, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = o->only; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, len) == 0 && (at[len] == ',' || at[len] == '\0'))
            return true;
    }
    return !o->only;
}

const char *mb_options_unknown(const struct mb_options *o, const char *const *names, size_t n)
{
    static char word[64];

    for (const char *at = o->only; at; at = strchr(at, ',')) {
        size_t len, i = 0;

        at += *at == ',';
        len = strcspn(at, ",");
        while (i < n && (strlen(names[i]) != len || strncmp(at, names[i], len) != 0))
            i++;
        if (i == n) {
            snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word), at);
            return word;
        }
    }
    return NULL;
}

void mb_options_help(FILE *to)
{
    fputs(help, to);
}
