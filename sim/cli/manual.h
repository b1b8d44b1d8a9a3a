/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * manual.h - manual pages in man(7), and candidates for completion, from the tables of cli.h.
 */
#ifndef SIM_MANUAL_H
#define SIM_MANUAL_H

#include "sim/cli/cli.h"
#include "sim/text/out.h"

void manual_overview(struct out *);                        /* hetune(1) */
void manual_command(struct out *, const struct command *); /* hetune-NAME(1) */

/*
 * What the last of the n words behind `hetune` can become, one candidate a line: the whole word, a
 * tab, what it is. A candidate that ends in = goes on in the same word. Two lines stand for names
 * that the shell knows better, of what is behind the last = of the word: "@folders", and
 * "@files .ENDING", the ending empty for any.
 *
 * The words of a command and what an option takes are read as help shows them: one|two are
 * choices, DIR a folder, FILE or FILE.ENDING a file, KIND a kind of picture, LABEL a policy,
 * COMMAND a command, KEY.PATH=VALUE an override; X... may be repeated. Nothing else is completed.
 */
void complete_words(struct out *, const char *const *word, uint32_t n);

#endif
