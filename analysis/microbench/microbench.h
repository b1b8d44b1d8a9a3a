/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * microbench.h - what the parts of the microbenchmarks share: a case, its result, the GPU.
 *
 * Read by C and by CUDA. A benchmark is a row of the table in table.c: its grid (grid.h) lists
 * cases, its function measures one of them on the device. Times are in seconds, rates in units a
 * second (bytes, work), until report.c writes them in the unit of the row.
 */
#ifndef MICROBENCH_H
#define MICROBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum mb_precision { MB_NONE, MB_FP32, MB_TF32, MB_FP16, MB_BF16 };

/* "" (no arithmetic), "fp32", "tf32", "fp16", "bf16" */
const char *mb_precision_name(enum mb_precision);

enum { MB_DIMS = 11, MB_WHY = 200 };

/* One point of a grid; dim has the values of the row's columns, in their order. */
struct mb_case {
    const char *kind; /* lives for ever */
    enum mb_precision precision;
    int64_t dim[MB_DIMS];
};

enum mb_status {
    MB_DONE,
    MB_SKIPPED, /* this GPU, its memory or this build cannot do it: why says so; not an error */
    MB_WRONG,   /* a result differs from its reference */
    MB_BROKEN   /* a call failed that should not */
};

struct mb_result {
    double value;     /* seconds or units a second */
    double spread;    /* interquartile range / median of the repeats; NAN if there was one only */
    char why[MB_WHY]; /* unless MB_DONE */
};

/* Device 0 of those that CUDA shows. */
struct mb_gpu {
    char product[256], pci[32];
    int cc;  /* compute capability times ten: 70, 75, 80, ... */
    int sms; /* multiprocessors */
    int clock_mhz;
    int gpus;           /* devices that can be seen */
    int64_t memory, l2; /* bytes */
    bool nvlink;        /* between the first two devices */
    char cuda[16], driver_cuda[16], cublas[16], cudnn[16],
        nccl[16]; /* versions; "": not built in */
};

/* How thorough: quick takes fewer repeats. */
struct mb_effort {
    int samples;    /* of a case, if `seconds` allows; never less than 3 */
    double seconds; /* for a case, about */
};

typedef enum mb_status mb_run(const struct mb_case *, struct mb_result *);

/* ---- device.cu ---- */

/* MB_BROKEN: why says what is missing. */
enum mb_status mb_device_find(struct mb_gpu *, struct mb_result *);
enum mb_status mb_device_open(const struct mb_gpu *, const struct mb_effort *, struct mb_result *);
void mb_device_close(void);

/* ---- the benchmarks, one concern a file ---- */

mb_run mb_run_gemm, mb_run_bmm;              /* gemm.cu */
mb_run mb_run_conv, mb_run_batch_norm;       /* conv.cu, batch_norm.cu */
mb_run mb_run_elementwise, mb_run_optimizer; /* elementwise.cu, optimizer.cu */
mb_run mb_run_reduce, mb_run_softmax;        /* rows.cu */
mb_run mb_run_layer_norm, mb_run_embedding;  /* layer_norm.cu, embedding.cu */
mb_run mb_run_stream, mb_run_launch;         /* stream.cu, launch.cu */
mb_run mb_run_copy, mb_run_allocate;         /* copy.cu */
mb_run mb_run_peer, mb_run_all_reduce;       /* peers.cu */
mb_run mb_run_context, mb_run_shared;        /* shared.c */

/*
 * What a child process does on the device, by name (child.cu): "context" makes one and prints how
 * long that took; "gemm" and "stream" print "ready", wait for a line, and print how often the loop
 * ran a second. Returns the exit code; what went wrong is on standard output after "error ".
 */
int mb_child(const char *work);

#ifdef __cplusplus
}
#endif

#endif
