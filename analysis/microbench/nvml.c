/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The few functions and constants of NVML that are used are declared here, as its header is not in
 * every CUDA installation; they are part of its stable interface.
 */
#include <dlfcn.h>
#include <string.h>

#include "analysis/microbench/nvml.h"

struct device;

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0, MOST_LINKS = 18 };

struct calls {
    int (*init)(void);
    int (*driver)(char *, unsigned);
    int (*find)(const char *, struct device **);
    int (*clock)(struct device *, int, unsigned *);
    int (*most)(struct device *, int, unsigned *);
    int (*celsius)(struct device *, int, unsigned *);
    int (*reasons)(struct device *, unsigned long long *);
    int (*link)(struct device *, unsigned, int *);
};

static bool load(void *lib, const char *name, void *call)
{
    void *found = dlsym(lib, name);

    memcpy(call, &found, sizeof found);
    return found;
}

static bool load_all(void *lib, struct calls *c)
{
    return load(lib, "nvmlInit_v2", &c->init) &&
           load(lib, "nvmlSystemGetDriverVersion", &c->driver) &&
           load(lib, "nvmlDeviceGetHandleByPciBusId_v2", &c->find) &&
           load(lib, "nvmlDeviceGetClockInfo", &c->clock) &&
           load(lib, "nvmlDeviceGetMaxClockInfo", &c->most) &&
           load(lib, "nvmlDeviceGetTemperature", &c->celsius) &&
           load(lib, "nvmlDeviceGetCurrentClocksThrottleReasons", &c->reasons) &&
           load(lib, "nvmlDeviceGetNvLinkState", &c->link);
}

void mb_nvml_read(const char *pci, struct mb_nvml *is)
{
    static struct calls call;
    static bool tried, there;
    struct device *gpu;

    *is = (struct mb_nvml){0};
    if (!tried) {
        /* Kept open: it is asked again at the end. */
        void *lib = dlopen("libnvidia-ml.so.1", RTLD_NOW);

        tried = true;
        there = lib && load_all(lib, &call) && call.init() == 0;
    }
    if (!there)
        return;
    if (call.driver(is->driver, sizeof is->driver) != 0)
        is->driver[0] = '\0';
    if (call.find(pci, &gpu) != 0)
        return;
    if (call.clock(gpu, CLOCK_SM, &is->sm_mhz) != 0)
        is->sm_mhz = 0;
    if (call.clock(gpu, CLOCK_MEMORY, &is->memory_mhz) != 0)
        is->memory_mhz = 0;
    if (call.most(gpu, CLOCK_SM, &is->most_sm_mhz) != 0)
        is->most_sm_mhz = 0;
    if (call.celsius(gpu, SENSOR_GPU, &is->celsius) != 0)
        is->celsius = 0;
    if (call.reasons(gpu, &is->throttled) != 0)
        is->throttled = 0;
    for (unsigned i = 0; i < MOST_LINKS && !is->nvlink; i++) {
        int active = 0;

        is->nvlink = call.link(gpu, i, &active) == 0 && active;
    }
}
