/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/file.h"

#define BLOCK ((size_t)64 << 10)

static bool is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *file_name(const char *path)
{
    return is_stdin(path) ? "<stdin>" : path;
}

bool file_there(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool file_spares(struct diag *d, const char *path, const char *input)
{
    struct stat out, in;

    if (stat(path, &out) != 0 || stat(input, &in) != 0 || out.st_dev != in.st_dev ||
        out.st_ino != in.st_ino)
        return true;
    return diag_error(d, (struct mark){0}, "%s is the file that is read; wanted another one", path);
}

int file_open(struct diag *d, const char *path)
{
    struct stat st;
    int fd = is_stdin(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) != 0) {
        diag_io(d, file_name(path), errno, "open");
    } else if (S_ISDIR(st.st_mode)) {
        diag_io(d, file_name(path), EISDIR, "read");
    } else {
        return fd;
    }
    file_close(fd);
    return -1;
}

void file_close(int fd)
{
    if (fd > STDIN_FILENO)
        close(fd);
}

ptrdiff_t file_read(struct diag *d, int fd, const char *path, void *buf, size_t size)
{
    struct stat st;
    ssize_t n;

    do
        n = read(fd, buf, size);
    while (n < 0 && errno == EINTR && fstat(fd, &st) == 0 && S_ISREG(st.st_mode));
    if (n < 0 && errno != EINTR)
        diag_io(d, file_name(path), errno, "read");
    return n;
}

/* Up to max + 1 bytes, so that the caller can tell that there are too many. */
static char *read_all(struct diag *d, int fd, const char *path, size_t max, size_t *len)
{
    size_t cap = 0;
    char *buf = NULL;
    ptrdiff_t n = 1;

    for (*len = 0; n > 0 && *len <= max; *len += (size_t)n) {
        if (*len == cap) {
            cap = cap ? cap * 2 : BLOCK;
            buf = mem_grow(buf, cap);
        }
        n = file_read(d, fd, path, buf + *len, cap - *len);
        if (n < 0) {
            mem_drop(buf);
            return NULL;
        }
    }
    return buf;
}

static struct source *source_new(struct arena *a, const char *name, const char *text, size_t len)
{
    struct source *src = arena_get(a, sizeof *src);

    src->name = arena_text(a, name, strlen(name));
    src->text = text;
    src->len = len;
    src->first_line = 1;
    return src;
}

struct source *file_load(struct arena *a, struct diag *d, const char *path, size_t max)
{
    struct source *src = NULL;
    size_t len;
    char *text;
    int fd = file_open(d, path);

    if (fd < 0)
        return NULL;
    text = read_all(d, fd, path, max, &len);
    file_close(fd);
    if (!text)
        return NULL;
    if (len <= max) {
        src = source_new(a, file_name(path), arena_text(a, text, len), len);
    } else {
        struct mark at = {.src = source_new(a, file_name(path), NULL, 0)};

        diag_error(d, at, "the file is larger than %zu MiB, the most that is read", max >> 20);
    }
    mem_drop(text);
    return src;
}

static bool make_dir(struct diag *d, const char *path, size_t *old)
{
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST)
        return diag_io(d, path, errno, "make the folder");
    *old = strlen(path);
    return true;
}

bool file_make_dirs(struct diag *d, const char *path, size_t *old)
{
    size_t n = strlen(path) + 1, there = 0;
    char *part = memcpy(mem_get(n), path, n);
    bool ok = true;

    for (char *slash = part + 1; ok && *part && *slash; slash++) {
        if (*slash != '/')
            continue;
        *slash = '\0';
        ok = make_dir(d, part, &there);
        *slash = '/';
    }
    ok = ok && make_dir(d, part, &there);
    mem_drop(part);
    if (old)
        *old = there;
    return ok;
}
