/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * escape.h - foreign text in LaTeX and in Markdown: it is shown as it is, and does nothing.
 *
 * What does not show (control characters, invalid UTF-8) becomes '?', line ends too.
 */
#ifndef ANALYSIS_ESCAPE_H
#define ANALYSIS_ESCAPE_H

#include "sim/text/out.h"

/* Text of a cell or a paragraph; no ligature changes it, and none of it is an argument of what
 * comes before. Characters beyond ASCII need a document in UTF-8 with fonts that have them. */
void out_latex(struct out *, const char *s);
/* Text of a cell or a paragraph (CommonMark, GitHub's tables): neither markup nor HTML. */
void out_markdown(struct out *, const char *s);

#endif
