/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/mem.h"

#define ALIGN       16
#define CHUNK_FIRST ((size_t)64 << 10)
#define CHUNK_LAST  ((size_t)1 << 20)
#define OWN_BLOCK   (CHUNK_LAST / 4) /* larger blocks would waste the ends of chunks */

struct chunk {
    struct chunk *next;
    size_t size; /* bytes of data */
    _Alignas(ALIGN) unsigned char data[];
};

struct arena {
    struct chunk *first, *cur; /* chunks behind cur are empty: left by a reset */
    size_t used;               /* bytes of cur */
    struct chunk *big;         /* blocks that have a chunk of their own */
};

void mem_exhausted(void)
{
    static const char line[] = "hetune: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, line, sizeof line - 1);

    (void)ignored;
    _exit(3);
}

static void *must(void *p)
{
    if (!p)
        mem_exhausted();
    return p;
}

void *mem_get(size_t size)
{
    return must(calloc(1, size ? size : 1));
}

void *mem_grow(void *p, size_t size)
{
    return must(realloc(p, size ? size : 1));
}

void mem_drop(void *p)
{
    free(p);
}

void *arena_room(struct arena *a, void *array, size_t n, size_t *cap, size_t item)
{
    if (n < *cap)
        return array;
    *cap = *cap ? 2 * *cap : 32;
    void *all = arena_get(a, *cap * item);
    if (n)
        memcpy(all, array, n * item);
    return all;
}

void *mem_room(void *array, size_t n, size_t *cap, size_t item)
{
    size_t bytes;

    if (n < *cap)
        return array;
    *cap = *cap ? *cap * 2 : 8;
    if (__builtin_mul_overflow(*cap, item, &bytes))
        mem_exhausted();
    return mem_grow(array, bytes);
}

static struct chunk *chunk_new(size_t size)
{
    struct chunk *c;

    if (size > PTRDIFF_MAX - sizeof *c)
        mem_exhausted();
    c = must(malloc(sizeof *c + size));
    c->next = NULL;
    c->size = size;
    return c;
}

static void chunks_free(struct chunk *c)
{
    while (c) {
        struct chunk *next = c->next;

        free(c);
        c = next;
    }
}

struct arena *arena_new(void)
{
    struct arena *a = mem_get(sizeof *a);

    a->first = a->cur = chunk_new(CHUNK_FIRST);
    return a;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    chunks_free(a->first);
    chunks_free(a->big);
    free(a);
}

void arena_reset(struct arena *a)
{
    chunks_free(a->big);
    a->big = NULL;
    a->cur = a->first;
    a->used = 0;
}

static void *own_block(struct arena *a, size_t size)
{
    struct chunk *c = chunk_new(size);

    c->next = a->big;
    a->big = c;
    return c->data;
}

static void next_chunk(struct arena *a)
{
    if (!a->cur->next)
        a->cur->next = chunk_new(a->cur->size < CHUNK_LAST ? a->cur->size * 2 : CHUNK_LAST);
    a->cur = a->cur->next;
    a->used = 0;
}

/* Not zeroed. */
static void *take(struct arena *a, size_t size)
{
    void *p;

    if (size > OWN_BLOCK)
        return own_block(a, size);
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    while (a->cur->size - a->used < size)
        next_chunk(a);
    p = a->cur->data + a->used;
    a->used += size;
    return p;
}

void *arena_get(struct arena *a, size_t size)
{
    return memset(take(a, size), 0, size);
}

char *arena_text(struct arena *a, const char *s, size_t len)
{
    char *copy = take(a, len + 1);

    memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args;
    char *text;
    int len;

    va_start(args, fmt);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0)
        BUG("format '%s'", fmt);
    text = take(a, (size_t)len + 1);
    va_start(args, fmt);
    vsnprintf(text, (size_t)len + 1, fmt, args);
    va_end(args);
    return text;
}

void mem_zero(void *p, size_t size)
{
    memset(p, 0, size);
}
