/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/paths.h"

#include <string.h>

/* Takes "dir/.." out of a path, so that messages show short names; links are not looked at. */
static void shorten(char *path)
{
    char *up;

    while ((up = strstr(path, "/../")) != NULL) {
        char *from = up;
        while (from > path && from[-1] != '/')
            from--;
        if (from == up || strncmp(from, "../", 3) == 0)
            return;
        memmove(from, up + 4, strlen(up + 4) + 1);
    }
}

const char *path_of(struct arena *a, const struct tree *scalar)
{
    const struct source *src = scalar->at.src;
    const char *slash = src ? strrchr(src->name, '/') : NULL;

    if (scalar->text[0] == '/' || !slash)
        return scalar->text;
    char *path = arena_printf(a, "%.*s%s/", (int)(slash + 1 - src->name), src->name, scalar->text);
    shorten(path);
    size_t n = strlen(path);
    path[n > 0 ? n - 1 : 0] = '\0';
    return *path ? path : ".";
}
