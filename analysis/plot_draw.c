/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot cannot be made safe by looking at scripts, so it gets none that hold foreign text (see
 * plot_kinds.h), no settings of the user (-d) and next to no environment. It says little about what
 * goes wrong while it writes, so its files are looked at afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/plot_kinds.h"

#define COMPLAINT_LONGEST 4096u

/* ---- the program ---- */

/* Only absolute folders of PATH count: the folder of the pictures may hold anything. */
const char *plot_program(struct arena *a)
{
    const char *path = getenv("PATH");

    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        const char *file = arena_printf(a, "%.*s/gnuplot", (int)n, path);
        struct stat st;
        if (*path == '/' && stat(file, &st) == 0 && S_ISREG(st.st_mode) && access(file, X_OK) == 0)
            return file;
    }
    return NULL;
}

bool plot_can_draw(struct arena *a, struct diag *d)
{
    return plot_program(a) ||
           diag_io(d, "gnuplot", ENOENT, "start it to draw the data files, which are written");
}

/* Starts it in a folder; what it says goes to a pipe, whose end is *said. */
static int start(struct arena *a, const char *program, const char *folder, const char *script,
                 pid_t *pid, int *said)
{
    char *argv[] = {arena_text(a, program, strlen(program)), arena_printf(a, "-d"),
                    arena_text(a, script, strlen(script)), NULL};
    char *env[] = {arena_printf(a, "PATH=%s", getenv("PATH")), arena_printf(a, "LC_ALL=C"),
                   arena_printf(a, "HOME=/nonexistent"), arena_printf(a, "TZ=UTC"), NULL};
    posix_spawn_file_actions_t todo;
    posix_spawnattr_t how;
    int end[2], errnum;

    if (pipe2(end, O_CLOEXEC) != 0)
        return errno;
    posix_spawn_file_actions_init(&todo);
    posix_spawn_file_actions_addopen(&todo, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&todo, end[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&todo, end[1], STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&todo, folder);
    /* In a group of its own: Ctrl-C is for us, and the picture is finished. */
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    errnum = posix_spawn(pid, program, &todo, &how, argv, env);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&todo);
    close(end[1]);
    *said = end[0];
    if (errnum)
        close(end[0]);
    return errnum;
}

/* Reads to the end; keeps the first bytes. */
static void listen_to(int fd, char *text, size_t size)
{
    char rest[512];
    size_t len = 0;
    ssize_t n;

    do {
        bool room = len + 1 < size;
        n = room ? read(fd, text + len, size - 1 - len) : read(fd, rest, sizeof(rest));
        len += room && n > 0 ? (size_t)n : 0;
    } while (n > 0 || (n < 0 && errno == EINTR));
    text[len] = '\0';
    close(fd);
}

/* The last line that says something. */
static const char *last_line(char *text)
{
    char *line = text;

    for (char *next = strtok_r(text, "\n", &text); next; next = strtok_r(NULL, "\n", &text))
        if (next[strspn(next, " \t\r^")])
            line = next;
    return line;
}

/* ---- its files ---- */

/* Whether the file ends as such files do. */
static bool ends_with(const char *path, const char *end, size_t len)
{
    char tail[16] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    bool ok = lseek(fd, -(off_t)len, SEEK_END) >= 0 && read(fd, tail, len) == (ssize_t)len &&
              memcmp(tail, end, len) == 0;
    close(fd);
    return ok;
}

/* Whether it ends as files of its kind do. */
static bool is_whole(const char *path, const char *ending)
{
    static const struct {
        const char *ending, *end;
        size_t n;
    } ends[] = {{".svg", "</svg>\n\n", 8},
                {".svg", "</svg>\n", 7},
                {".pdf", "%%EOF\n", 6},
                {".png", "IEND\xAE\x42\x60\x82", 8},
                {".tex", "\\endgroup\n", 10}};

    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        if (strcmp(ending, ends[i].ending) == 0 && ends_with(path, ends[i].end, ends[i].n))
            return true;
    return false;
}

/* The day in a PDF becomes the same for all, so that equal pictures are equal files. */
static bool undate(struct arena *a, struct diag *d, const char *path)
{
    static const char key[] = "/CreationDate (D:", day[] = "20000101000000";
    struct stat st;
    int fd = open(path, O_RDWR | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) != 0)
        return diag_io(d, path, errno, "open");
    char *text = arena_get(a, (size_t)st.st_size);
    ssize_t n = pread(fd, text, (size_t)st.st_size, 0);
    char *at = n > 0 ? memmem(text, (size_t)n, key, sizeof(key) - 1) : NULL;
    off_t to = at ? at - text + (off_t)sizeof(key) - 1 : 0;
    bool ok = n == st.st_size &&
              (!at || pwrite(fd, day, sizeof(day) - 1, to) == (ssize_t)sizeof(day) - 1);
    if (close(fd) != 0 || !ok)
        return diag_io(d, path, ok ? errno : EIO, "write");
    return true;
}

/* A file of each terminal, whole. */
static bool look_at(struct arena *a, struct diag *d, const struct plot_request *r, const char *name)
{
    for (const struct plot_file *f = plot_files; f->ending; f++) {
        const char *path = arena_printf(a, "%s/%s%s", r->out, name, f->ending);
        if (!(f->terminal & r->terminals))
            continue;
        if (!is_whole(path, strrchr(f->ending, '.')))
            return diag_io(d, path, EIO, "draw with gnuplot");
        if (strcmp(strrchr(f->ending, '.'), ".pdf") == 0 && !undate(a, d, path))
            return false;
        if (strcmp(strrchr(f->ending, '.'), ".tex") == 0 && !plot_latex(a, d, path))
            return false;
    }
    return true;
}

/* Also what is a link to somewhere else: it is never written through. */
static void remove_pictures(struct arena *a, const struct plot_request *r, const char *name)
{
    for (const struct plot_file *f = plot_files; f->ending; f++)
        if (f->terminal & r->terminals)
            unlink(arena_printf(a, "%s/%s%s", r->out, name, f->ending));
}

static bool has_exited(struct diag *d, char *said, int status)
{
    bool exited = WIFEXITED(status) && WEXITSTATUS(status) == 0;

    if (WIFSIGNALED(status))
        diag_note(d, (struct mark){0}, "gnuplot died of signal %d", WTERMSIG(status));
    else if (!exited)
        diag_note(d, (struct mark){0}, "gnuplot said: %.200s", last_line(said));
    return exited;
}

bool plot_draw(struct arena *a, struct diag *d, const char *program, const struct plot_request *r,
               const char *name)
{
    const char *script = arena_printf(a, "%s.gp", name);
    char said[COMPLAINT_LONGEST];
    pid_t pid = 0;
    int fd = -1, status = -1;

    remove_pictures(a, r, name);
    int errnum = start(a, program, r->out, script, &pid, &fd);
    if (errnum)
        return diag_io(d, program, errnum, "start");
    listen_to(fd, said, sizeof(said));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    bool ok = has_exited(d, said, status)
                  ? look_at(a, d, r, name)
                  : diag_io(d, arena_printf(a, "%s/%s", r->out, script), EIO, "draw with gnuplot");
    if (!ok)
        remove_pictures(a, r, name);
    return ok;
}
