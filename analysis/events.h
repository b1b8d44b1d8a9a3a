/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events.h - records as rows of events.csv, and back.
 *
 * All of a record is in its row but the slot of its job; the reader gives slots of its own. GPUs
 * are ranges with the samples of each, as in "0-3*32 8*30"; without a model the samples are left
 * out.
 */
#ifndef ANALYSIS_EVENTS_H
#define ANALYSIS_EVENTS_H

#include "sim/engine/record.h"
#include "sim/text/csv.h"
#include "sim/text/out.h"

void events_header(struct out *);
void events_row(struct out *, const struct record *);

struct events;

struct events *events_open(struct diag *, const char *path); /* NULL: reported */
/* 1: *r is the next record, good until the next call; 0: no more; -1: reported. */
int events_next(struct events *, struct record *r);
void events_close(struct events *);

#endif
