/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.h - tables of measurements: a CSV file or a list of maps in the configuration, both checked
 * by one table of fields.
 *
 * A row may name the software stack that it was measured on; a list of stacks says which ones
 * count, and which is preferred where several measured the same.
 */
#ifndef SIM_ROWS_H
#define SIM_ROWS_H

#include "sim/field.h"
#include "sim/text/csv.h"
#include "sim/text/tree.h"

/* One row, good until the next; false: reported at the mark. */
typedef bool take_row(void *user, struct mark at, const void *row);

/*
 * Calls take for each row of `from`, the name of a file or a list (NULL: no rows). row: room for
 * what fields describe; its texts are good as long as the arena. Further columns of a file are
 * passed over. what: how messages call the rows. false: something was reported; the other rows
 * were taken.
 */
bool rows_take(struct arena *a, struct diag *d, struct tree *from, const struct field *fields,
               const char *what, take_row *take, void *user, void *row);

/* The present row of a file as a map of the cells that are not empty, so that one table of fields
 * checks files and lists. */
struct tree *rows_map(struct arena *, struct csv *, const struct field *);

#define NO_STACK UINT32_MAX

/* Whether `stacks`, the value of a key, is a list of names (NULL: fine); false: reported. */
bool rows_stacks(struct diag *, const struct tree *stacks, const char *key);
/* The place of a stack in the order of preference; NO_STACK: it does not count. Without a list all
 * have the same place. */
uint32_t rows_stack_rank(const struct tree *stacks, const char *stack);

#endif
