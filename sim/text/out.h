/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out.h - a buffered text file that appears complete or not at all.
 *
 * The text is written beside its final place under a name of its own, and renamed when
 * out_commit has flushed it to the disk. The first failure is remembered; later writes do nothing;
 * out_commit reports it once and removes what was written. A device, a pipe or /dev/stdout is
 * written in place, any other link is replaced. Numbers and quoting: num.h, RFC 4180.
 */
#ifndef SIM_OUT_H
#define SIM_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/types.h"

/* For out.c and the functions below. */
struct out {
    char *buf;
    size_t len, cap;
    int fd;            /* -1: into memory */
    int errnum;        /* the first failure, and ... */
    const char *doing; /* ... what it was about */
    struct diag *diag;
    char *path;
    char *temp; /* NULL: written in place */
    bool unflushed;
};

struct out *out_create(struct diag *, const char *path); /* NULL: reported */
struct out *out_memory(void); /* into memory: out_data; dropped by out_drop */
/* For many files: out_commit does not wait for the disk; out_settle does, for all of them: what is
 * below a folder survives a power cut then. false: reported. */
void out_unflushed(struct out *);
bool out_settle(struct diag *, const char *folder);
bool out_commit(struct out *); /* frees out; false: reported, no file is left */
void out_drop(struct out *);   /* frees out and leaves no file; NULL is fine */
const char *out_data(const struct out *, size_t *len); /* of out_memory; till the next write */

void out_bytes(struct out *, const char *s, size_t len);
void out_text(struct out *, const char *s);
void out_int(struct out *, int64_t);
void out_real(struct out *, double); /* not finite: null */
void out_seconds(struct out *, sim_time);
void out_hex(struct out *, uint64_t);
void out_printf(struct out *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void out_grow(struct out *, size_t n); /* the buffer gets room for n more bytes */
static inline void out_char(struct out *o, char c)
{
    if (o->len == o->cap)
        out_grow(o, 1);
    o->buf[o->len++] = c;
}

/* For rows that are put together in place: room for n bytes, and up to where they were filled. */
static inline char *out_room(struct out *o, size_t n)
{
    if (o->cap - o->len < n)
        out_grow(o, n);
    return o->buf + o->len;
}
static inline void out_upto(struct out *o, const char *end)
{
    o->len = (size_t)(end - o->buf);
}

/* A cell: quoted when it holds , " CR LF or starts with = + - @ TAB. */
void out_csv(struct out *, const char *s);

/* A string with its quotes; what does not show is escaped, invalid UTF-8 becomes U+FFFD. */
void out_json(struct out *, const char *s);

#endif
