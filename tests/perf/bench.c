/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench - times the simulator and everything around it.
 *
 *   bench [--json] [--quick] [--icount FILE] [CASE-PREFIX...]
 *   bench compare A.json B.json          fails on a regression
 *   bench table A.json                   docs/bench.md
 *   bench --pass CASE N                  the work of a case at another size, once, for icount.sh
 */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "tests/perf/bench.h"
#include "tests/perf/pass.h"

#define ROOM ((uint64_t)1 << 30) /* bytes that the files of the suite may take */

static const struct bench_case *const tables[] = {
    cal_cases, fcfs_cases,  replay_cases, memory_cases, io_cases,      e2e_cases,
    pre_cases, start_cases, ps_cases,     share_cases,  predict_cases, hpo_cases};
#define TABLES (sizeof(tables) / sizeof(*tables))

struct options {
    bool json, quick;
    const char *icount;
    char **prefix; /* ended by NULL */
};

/* ---- a folder for files ---- */

/* In memory, if there is room for it, so that no disk is measured. */
static const char *temp_base(void)
{
    const char *given = getenv("TMPDIR");
    struct statvfs v;

    if (given && given[0])
        return given;
    return statvfs("/dev/shm", &v) == 0 && (uint64_t)v.f_bavail * v.f_frsize > ROOM ? "/dev/shm"
                                                                                    : "/tmp";
}

/* Makes a folder and enters it. */
static bool enter_temp(struct diag *d, char *path, size_t size)
{
    snprintf(path, size, "%s/hetune-bench-XXXXXX", temp_base());
    if (mkdtemp(path) && chdir(path) == 0)
        return true;
    return diag_io(d, path, errno, "make the folder");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void leave_temp(const char *path)
{
    if (chdir("/") == 0)
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- running ---- */

static bool is_wanted(const struct options *opt, const struct bench_case *c)
{
    if (c->slow && opt->quick)
        return false;
    for (char **p = opt->prefix; *p; p++)
        if (c->asked ? strcmp(c->name, *p) == 0 : strncmp(c->name, *p, strlen(*p)) == 0)
            return true;
    return !opt->prefix[0] && !c->asked;
}

static const struct bench_case *find_case(const char *name)
{
    for (size_t t = 0; t < TABLES; t++)
        for (const struct bench_case *c = tables[t]; c->name; c++)
            if (strcmp(c->name, name) == 0)
                return c;
    return NULL;
}

/* Two ways to the same results. */
static void check_twin(const struct outcomes *all, struct outcome *o)
{
    const struct bench_case *c = find_case(o->name);
    const struct outcome *twin = c->twin ? outcomes_find(all, c->twin) : NULL;

    if (twin && o->reps > 0 && twin->digest != o->digest && !o->fault[0])
        snprintf(o->fault, sizeof(o->fault), "its digest is not that of %s", twin->name);
}

static bool run_table(const struct options *opt, const struct bench_case *c, struct outcomes *all,
                      FILE *f)
{
    for (; c->name; c++) {
        if (!is_wanted(opt, c))
            continue;
        struct outcome o;
        if (!meter_case(c, &o))
            return false;
        check_twin(all, &o);
        *outcomes_add(all) = o;
        table_row(f, all, &o);
    }
    return true;
}

/* Lines "CASE INSTRUCTIONS-A-UNIT". */
static void take_icount(struct outcomes *all, FILE *f)
{
    char name[NAME_SIZE];
    double n;

    while (f && fscanf(f, "%39s %lf", name, &n) == 2)
        for (size_t i = 0; i < all->n; i++)
            if (strcmp(all->item[i].name, name) == 0)
                all->item[i].instructions = n;
}

static int print_all(const struct options *opt, const struct outcomes *all, FILE *lines)
{
    table_targets(lines, all);
    if (opt->json) {
        struct out *o = out_memory();
        size_t len;
        outcomes_write(all, o);
        const char *text = out_data(o, &len);
        fwrite(text, 1, len, stdout);
        out_drop(o);
    }
    for (size_t i = 0; i < all->n; i++)
        if (all->item[i].fault[0])
            return 1;
    return fflush(stdout) == 0 ? 0 : 3;
}

static int run(const struct options *opt, struct diag *d)
{
    FILE *lines = opt->json ? stderr : stdout, *icount = NULL;
    struct outcomes all = {0};
    char folder[512];
    bool whole = true;

    if (opt->icount && !(icount = fopen(opt->icount, "r"))) {
        diag_io(d, opt->icount, errno, "open");
        return 3;
    }
    if (!enter_temp(d, folder, sizeof(folder))) {
        if (icount)
            fclose(icount);
        return 3;
    }
    signal(SIGINT, SIG_IGN); /* the child at work dies of it, which ends the suite */
    table_head(lines);
    for (size_t t = 0; t < TABLES && whole; t++)
        whole = run_table(opt, tables[t], &all, lines);
    leave_temp(folder);
    take_icount(&all, icount);
    if (icount)
        fclose(icount);
    int code = !whole ? 130 : all.n == 0 ? 2 : print_all(opt, &all, lines);
    if (all.n == 0 && whole)
        diag_error(d, (struct mark){0}, "no case has such a name");
    mem_drop(all.item);
    return code;
}

/* ---- other ways to be called ---- */

static int usage(void)
{
    fprintf(stderr, "usage: bench [--json] [--quick] [--icount FILE] [CASE-PREFIX...]\n"
                    "       bench compare A.json B.json\n"
                    "       bench table A.json\n"
                    "       bench --pass CASE N\n");
    return 2;
}

static int run_pass(struct diag *d, const char *name, const char *size)
{
    const struct bench_case *known = find_case(name);
    struct outcome o = {0};
    char folder[512];

    if (!known) {
        diag_error(d, (struct mark){0}, "no case is called '%.40s'", name);
        return 2;
    }
    struct bench_case c = *known;
    c.jobs = (uint32_t)strtoul(size, NULL, 10);
    if (c.jobs == 0)
        return usage();
    if (!enter_temp(d, folder, sizeof(folder)))
        return 3;
    void *self = c.open(&c, &o);
    if (self) {
        bench_pass(&c, self, &o);
        printf("%.0f\n", o.units);
        c.close(self, &o);
    }
    leave_temp(folder);
    return self && !o.fault[0] ? 0 : 1;
}

static int print_table(struct diag *d, const char *path)
{
    struct arena *arena = arena_new();
    struct outcomes all = {0};
    const char *machine, *text;
    size_t len;

    if (!outcomes_read(&all, d, arena, path, &machine))
        return 2;
    struct out *o = out_memory();
    table_markdown(o, &all, machine);
    text = out_data(o, &len);
    fwrite(text, 1, len, stdout);
    out_drop(o);
    mem_drop(all.item);
    arena_free(arena);
    return fflush(stdout) == 0 ? 0 : 3;
}

static int run_suite(int argc, char **argv, struct diag *d)
{
    struct options opt = {0};
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--json") == 0)
            opt.json = true;
        else if (strcmp(argv[i], "--quick") == 0)
            opt.quick = true;
        else if (strcmp(argv[i], "--icount") == 0 && i + 1 < argc)
            opt.icount = argv[++i];
        else
            return usage();
    }
    opt.prefix = argv + i;
    return run(&opt, d);
}

int main(int argc, char **argv)
{
    struct diag *d = diag_new(stderr);
    int code;

    gsl_set_error_handler_off();
    if (argc == 4 && strcmp(argv[1], "compare") == 0)
        code = compare_files(d, argv[2], argv[3]);
    else if (argc == 3 && strcmp(argv[1], "table") == 0)
        code = print_table(d, argv[2]);
    else if (argc == 4 && strcmp(argv[1], "--pass") == 0)
        code = run_pass(d, argv[2], argv[3]);
    else
        code = run_suite(argc, argv, d);
    diag_free(d);
    return code;
}
