/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - one line about where and with what was measured. */
#ifndef PERF_MACHINE_H
#define PERF_MACHINE_H

const char *machine_line(void); /* good till the next call */

#endif
