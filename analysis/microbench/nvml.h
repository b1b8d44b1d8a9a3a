/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvml.h - what the driver's management library tells of a GPU. It is loaded when asked: without it
 * everything is unknown, which is no error.
 */
#ifndef MICROBENCH_NVML_H
#define MICROBENCH_NVML_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mb_nvml {
    char driver[80];                          /* "" if unknown */
    unsigned sm_mhz, memory_mhz, most_sm_mhz; /* now, now, at most; 0 if unknown */
    unsigned celsius;                         /* 0 if unknown */
    unsigned long long throttled;             /* NVML's bits of reasons now; 0: none or unknown */
    bool nvlink;                              /* some link is active */
};

/* Of the GPU at a PCI address such as 0000:3b:00.0. */
void mb_nvml_read(const char *pci, struct mb_nvml *);

#ifdef __cplusplus
}
#endif

#endif
