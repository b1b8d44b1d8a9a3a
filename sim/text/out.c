/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/mem.h"
#include "sim/base/utf8.h"
#include "sim/text/num.h"
#include "sim/text/out.h"

#define FILE_BUFFER ((size_t)256 << 10)
#define NAME_TRIES  100

/* "PATH.tmp-PID-N", the first that is new. */
static int create_beside(struct out *o)
{
    size_t size = strlen(o->path) + 48;
    int fd = -1;

    o->temp = mem_get(size);
    for (int n = 0; n < NAME_TRIES && fd < 0; n++) {
        snprintf(o->temp, size, "%s.tmp-%ld-%d", o->path, (long)getpid(), n);
        fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* /dev/stdout and its like: the descriptor may be a file, but the link is no place for one. */
static bool leads_to_descriptor(const char *path)
{
    static const char where[] = "/proc/self/fd/";
    char to[sizeof(where)] = "";

    return readlink(path, to, sizeof(where) - 1) > 0 && strcmp(to, where) == 0;
}

/* A link is replaced, not followed: what others planted leads nowhere. */
static int open_for(struct out *o)
{
    struct stat st;

    if (leads_to_descriptor(o->path))
        return open(o->path, O_WRONLY | O_CLOEXEC);
    if (stat(o->path, &st) != 0 || S_ISREG(st.st_mode))
        return create_beside(o);
    if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode))
        return open(o->path, O_WRONLY | O_CLOEXEC);
    errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    return -1;
}

static void out_free(struct out *o)
{
    mem_drop(o->buf);
    mem_drop(o->path);
    mem_drop(o->temp);
    mem_drop(o);
}

struct out *out_create(struct diag *d, const char *path)
{
    struct out *o = mem_get(sizeof *o);
    size_t size = strlen(path) + 1;

    o->diag = d;
    o->path = memcpy(mem_get(size), path, size);
    o->fd = open_for(o);
    if (o->fd < 0) {
        diag_io(d, path, errno, "create");
        out_free(o);
        return NULL;
    }
    o->cap = FILE_BUFFER;
    o->buf = mem_get(o->cap);
    return o;
}

struct out *out_memory(void)
{
    struct out *o = mem_get(sizeof *o);

    o->fd = -1;
    return o;
}

static void fail(struct out *o, const char *doing)
{
    if (o->errnum)
        return;
    o->errnum = errno;
    o->doing = doing;
}

static void flush(struct out *o)
{
    size_t done = 0;

    while (done < o->len && !o->errnum) {
        ssize_t n = write(o->fd, o->buf + done, o->len - done);

        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            fail(o, "write");
    }
    o->len = 0;
}

/* A new name survives a power cut only when its folder is flushed too; some folders cannot be. */
static void flush_folder(const struct out *o)
{
    char *slash = strrchr(o->path, '/');
    int fd;

    if (slash)
        slash[1] = '\0';
    fd = open(slash ? o->path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

void out_unflushed(struct out *o)
{
    o->unflushed = true;
}

bool out_settle(struct diag *d, const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && syncfs(fd) == 0;

    if (!ok)
        diag_io(d, folder, errno, "flush");
    if (fd >= 0)
        close(fd);
    return ok;
}

bool out_commit(struct out *o)
{
    bool fine;

    if (o->fd < 0)
        BUG("a text in memory has no place to go to");
    flush(o);
    if (!o->errnum && o->temp && !o->unflushed && fsync(o->fd) != 0)
        fail(o, "flush");
    if (close(o->fd) != 0)
        fail(o, "close");
    if (!o->errnum && o->temp && rename(o->temp, o->path) != 0)
        fail(o, "rename to");
    fine = o->errnum == 0;
    if (!fine)
        diag_io(o->diag, o->path, o->errnum, o->doing);
    if (o->temp && fine && !o->unflushed)
        flush_folder(o);
    else if (o->temp && !fine)
        unlink(o->temp);
    out_free(o);
    return fine;
}

void out_drop(struct out *o)
{
    if (!o)
        return;
    if (o->fd >= 0)
        close(o->fd);
    if (o->temp)
        unlink(o->temp);
    out_free(o);
}

const char *out_data(const struct out *o, size_t *len)
{
    *len = o->len;
    return o->len ? o->buf : "";
}

/* n is at most FILE_BUFFER for a file. */
void out_grow(struct out *o, size_t n)
{
    if (o->fd >= 0) {
        flush(o);
        return;
    }
    while (o->cap - o->len < n)
        o->cap = o->cap ? o->cap * 2 : 256;
    o->buf = mem_grow(o->buf, o->cap);
}

void out_bytes(struct out *o, const char *s, size_t len)
{
    while (o->fd >= 0 && len > FILE_BUFFER) {
        out_bytes(o, s, FILE_BUFFER);
        s += FILE_BUFFER;
        len -= FILE_BUFFER;
    }
    if (!len)
        return;
    memcpy(out_room(o, len), s, len);
    o->len += len;
}

void out_text(struct out *o, const char *s)
{
    out_bytes(o, s, strlen(s));
}

void out_int(struct out *o, int64_t v)
{
    o->len += num_put_int(out_room(o, NUM_MAX), v);
}

void out_real(struct out *o, double v)
{
    if (isfinite(v))
        o->len += num_put_real(out_room(o, NUM_MAX), v);
    else
        out_text(o, "null");
}

void out_seconds(struct out *o, sim_time t)
{
    o->len += num_put_seconds(out_room(o, NUM_MAX), t);
}

void out_hex(struct out *o, uint64_t v)
{
    o->len += num_put_hex(out_room(o, NUM_MAX), v);
}

void out_printf(struct out *o, const char *fmt, ...)
{
    char small[512], *text = small;
    va_list args;
    int len;

    va_start(args, fmt);
    len = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    if (len < 0)
        BUG("format '%s'", fmt);
    if ((size_t)len >= sizeof small) {
        text = mem_get((size_t)len + 1);
        va_start(args, fmt);
        vsnprintf(text, (size_t)len + 1, fmt, args);
        va_end(args);
    }
    out_bytes(o, text, (size_t)len);
    if (text != small)
        mem_drop(text);
}

void out_csv(struct out *o, const char *s)
{
    size_t len = strcspn(s, ",\"\r\n");

    if (!s[len] && (!s[0] || !strchr("=+-@\t", s[0]))) {
        out_bytes(o, s, len);
        return;
    }
    out_char(o, '"');
    for (; *s; s++) {
        if (*s == '"')
            out_char(o, '"');
        out_char(o, *s);
    }
    out_char(o, '"');
}

static void json_escape(struct out *o, uint32_t c)
{
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* pairs: a character, its letter */
    const char *pair = named;

    while (*pair && (uint32_t)*pair != c)
        pair += 2;
    if (*pair)
        out_printf(o, "\\%c", pair[1]);
    else
        out_printf(o, "\\u%04x", c);
}

static size_t plain_json(const char *s)
{
    size_t n = 0;

    while ((unsigned char)s[n] >= 0x20 && (unsigned char)s[n] < 0x7F && s[n] != '"' && s[n] != '\\')
        n++;
    return n;
}

/* Writes the character at s, which is not plain; returns its bytes. */
static size_t json_special(struct out *o, const char *s)
{
    uint32_t c;
    size_t size = utf8_get(s, strnlen(s, 4), &c);

    if (size == 0)
        out_text(o, "\xEF\xBF\xBD");
    else if (size > 1 && utf8_shows(c))
        out_bytes(o, s, size);
    else
        json_escape(o, c);
    return size ? size : 1;
}

void out_json(struct out *o, const char *s)
{
    out_char(o, '"');
    while (*s) {
        size_t n = plain_json(s);

        out_bytes(o, s, n);
        s += n ? n : json_special(o, s);
    }
    out_char(o, '"');
}
