/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/perf/machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/version.h"

/* What /proc/cpuinfo calls the first core. */
static void cpu_name(char *buf, size_t size)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];

    snprintf(buf, size, "unknown CPU");
    while (f && fgets(line, sizeof(line), f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(buf, size, "%s", colon + 2);
        break;
    }
    if (f)
        fclose(f);
}

const char *machine_line(void)
{
    static char text[400];
    char cpu[128], date[32];
    time_t now = time(NULL);
    struct tm tm;

    cpu_name(cpu, sizeof(cpu));
    strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &tm));
    snprintf(text, sizeof(text), "%s, %ld cores; %s; hetune %s (%s); %s", cpu,
             sysconf(_SC_NPROCESSORS_ONLN), hetune_compiler, hetune_version, hetune_commit, date);
    return text;
}
