/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/stop.h"

#include <signal.h>
#include <stddef.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
#define N (sizeof(numbers) / sizeof(*numbers))

static volatile sig_atomic_t asked;

/* From now on each of them does what it does by itself; what was ignored is not ours. */
static void note(int number)
{
    struct sigaction now, by_itself = {.sa_handler = SIG_DFL};

    asked = number;
    for (size_t i = 0; i < N; i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == note)
            sigaction(numbers[i], &by_itself, NULL);
}

void stop_watch(void)
{
    struct sigaction old, act = {.sa_handler = note};

    for (size_t i = 0; i < N; i++)
        sigaddset(&act.sa_mask, numbers[i]);
    for (size_t i = 0; i < N; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &act, NULL);
}

int stop_asked(void)
{
    return asked;
}
