/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two files of `bench --json`: what became worse than shared machines explain. */
#include <string.h>

#include "tests/perf/bench.h"

#define MORE_INSTRUCTIONS 1.03
#define MORE_MEMORY       1.05
#define MORE_TIME         1.25
#define MEMORY_NOISE                                                                               \
    256 /* KiB: how many pages of the program are there differs from run to run                    \
         */
#define ENOUGH_REPS 5

static int complain(const struct outcome *a, const char *what, double from, double to, double most)
{
    printf("%-26s %s: %.6g -> %.6g, %+.1f %%; allowed: %+.0f %%\n", a->name, what, from, to,
           100 * (to / from - 1), 100 * (most - 1));
    return 1;
}

/* A time says something if it is the best of several, and of this program. */
static bool is_timed(const struct outcome *o)
{
    return o->cal > 0 && o->reps >= ENOUGH_REPS && strncmp(o->name, "cal.", 4) != 0;
}

static int compare_case(const struct outcome *a, const struct outcome *b)
{
    int worse = 0;

    if (b->fault[0])
        return printf("%-26s %s\n", b->name, b->fault) > 0;
    if (a->digest != b->digest)
        worse += printf("%-26s digest: %016llx -> %016llx\n", a->name,
                        (unsigned long long)a->digest, (unsigned long long)b->digest) > 0;
    if (a->instructions > 0 && b->instructions > a->instructions * MORE_INSTRUCTIONS)
        worse +=
            complain(a, "instructions a unit", a->instructions, b->instructions, MORE_INSTRUCTIONS);
    if ((double)b->rss_kib > (double)a->rss_kib * MORE_MEMORY + MEMORY_NOISE)
        worse += complain(a, "peak KiB", (double)a->rss_kib, (double)b->rss_kib, MORE_MEMORY);
    if (is_timed(a) && is_timed(b) && b->best / b->cal > a->best / a->cal * MORE_TIME)
        worse += complain(a, "time in holds", a->best / a->cal, b->best / b->cal, MORE_TIME);
    return worse;
}

/* Those that failed are found, too. */
static const struct outcome *find(const struct outcomes *all, const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->item[i].name, name) == 0)
            return &all->item[i];
    return NULL;
}

int compare_files(struct diag *d, const char *path_a, const char *path_b)
{
    struct arena *arena = arena_new();
    struct outcomes a = {0}, b = {0};
    int worse = 0, compared = 0;

    if (!outcomes_read(&a, d, arena, path_a, NULL) || !outcomes_read(&b, d, arena, path_b, NULL))
        return 2;
    for (size_t i = 0; i < a.n; i++) {
        const struct outcome *x = &a.item[i], *y = find(&b, x->name);
        if (x->reps == 0)
            continue;
        bool both = y && (y->reps > 0 || y->fault[0]);
        compared += both;
        if (both)
            worse += compare_case(x, y);
        else
            printf("%-26s not measured in %s\n", x->name, path_b);
    }
    printf("%d cases compared, %d regression%s\n", compared, worse, worse == 1 ? "" : "s");
    mem_drop(a.item);
    mem_drop(b.item);
    arena_free(arena);
    return worse > 0 || compared == 0;
}
