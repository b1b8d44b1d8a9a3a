/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.h - memory by lifetime.
 *
 * An arena gives memory that is all freed together: one for the world, one for a run, one for a
 * callback. Nobody frees single objects. When memory runs out the process ends with one line and
 * exit code 3.
 *
 * Nothing else in hetune calls libc's allocator; `make lint` looks.
 */
#ifndef SIM_MEM_H
#define SIM_MEM_H

#include <stddef.h>

#include "sim/base/bug.h"

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *);              /* NULL is fine */
void arena_reset(struct arena *);             /* all that it gave is gone; pages are kept */
void *arena_get(struct arena *, size_t size); /* zeroed, aligned to 16; till reset or free */
char *arena_text(struct arena *, const char *s, size_t len); /* a copy, ended by NUL */
char *arena_printf(struct arena *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void *mem_get(size_t size);           /* zeroed; mem_drop frees it */
void *mem_grow(void *p, size_t size); /* realloc; new bytes are not zeroed */
void mem_drop(void *p);
/* memset of a few hundred bytes as a call: in line gcc makes a slow `rep stos` of it. */
void mem_zero(void *p, size_t size);

/* Makes room for one more in a growable array: doubles *cap; returns the array. */
void *mem_room(void *array, size_t n, size_t *cap, size_t item);
/* The same in an arena, where what was outgrown stays till its end. */
void *arena_room(struct arena *, void *array, size_t n, size_t *cap, size_t item);

/* For where a library reports that memory has run out. */
_Noreturn void mem_exhausted(void);

#endif
