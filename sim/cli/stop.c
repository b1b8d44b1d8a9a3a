/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void note(int number)
{
    asked = number;
}

void stop_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction old, act = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &act, NULL);
}

int stop_asked(void)
{
    return asked;
}
