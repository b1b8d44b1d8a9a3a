/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file.h - input files. "-" is standard input, named "<stdin>" in messages; folders are refused.
 */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"

/* A descriptor to read from, or -1: reported. */
int file_open(struct diag *, const char *path);
void file_close(int fd);                 /* leaves standard input open */
const char *file_name(const char *path); /* as messages call it */

/* Whether there is something of this name; what cannot be told is there, and opening it says why.
 */
bool file_there(const char *path);
/* Whether what is written there would leave this input alone; false: it is the same file, reported.
 */
bool file_spares(struct diag *, const char *path, const char *input);

/* Bytes, 0 at the end, -1: reported. Of a pipe or a device, a signal with a handler ends it: -1,
 * and nothing is reported, as the handler knows. */
ptrdiff_t file_read(struct diag *, int fd, const char *path, void *buf, size_t size);

/* Makes a folder and its parents; *old (may be NULL): the length of the part of the path that was
 * there. false: reported. */
bool file_make_dirs(struct diag *, const char *path, size_t *old);

/* A whole file of at most max bytes; the text is ended by NUL. NULL: reported. */
struct source *file_load(struct arena *, struct diag *, const char *path, size_t max);

#endif
