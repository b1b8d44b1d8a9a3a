/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stop.h - long work ends where nothing is half-written.
 *
 * After stop_watch(), the first SIGINT, SIGTERM or SIGHUP makes stop_asked() return its number
 * (0 before); a second one, the same or another, ends the process at once. A signal that was
 * ignored stays so.
 */
#ifndef SIM_STOP_H
#define SIM_STOP_H

void stop_watch(void);
int stop_asked(void);

#endif
