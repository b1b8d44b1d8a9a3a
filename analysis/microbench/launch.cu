/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it takes to launch an empty kernel, from the first launch until all are done, by the host's
 * clock and divided by their number: one alone is the latency, a thousand in a row the rate; in a
 * stream, or recorded once as a graph and launched as one.
 */
#include <string.h>

#include "analysis/microbench/timing.cuh"

__global__ static void nothing(void) {}

__global__ static void count(int *n)
{
    ++*n;
}

struct launches {
    int64_t kernels;
    cudaGraphExec_t graph; /* NULL: in a stream */
};

static enum mb_status launch(const struct launches *l, struct mb_result *r)
{
    if (l->graph)
        MB_TRY(r, cudaGraphLaunch(l->graph, mb_dev.stream));
    for (int64_t i = 0; i < l->kernels && !l->graph; i++)
        MB_LAUNCH(nothing, 1, 1);
    MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
    return mb_launched(r);
}

/* A graph of so many kernels, each after the one before: empty ones, or counting ones. */
static enum mb_status record(int64_t kernels, int *counter, cudaGraphExec_t *exec,
                             struct mb_result *r)
{
    cudaGraph_t graph;

    MB_TRY(r, cudaStreamBeginCapture(mb_dev.stream, cudaStreamCaptureModeThreadLocal));
    for (int64_t i = 0; i < kernels; i++)
        if (counter)
            MB_LAUNCH(count, 1, 1, counter);
        else
            MB_LAUNCH(nothing, 1, 1);
    MB_TRY(r, cudaStreamEndCapture(mb_dev.stream, &graph));
    MB_TRY(r, cudaGraphInstantiateWithFlags(exec, graph, 0));
    MB_TRY(r, cudaGraphDestroy(graph));
    return MB_DONE;
}

/* That all kernels of a graph, or of a stream, run: counting ones do. */
static enum mb_status check(int64_t kernels, bool graph, struct mb_result *r)
{
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    int n = 0;
    enum mb_status status = mb_rotor_get(&layout, true, 0, NULL, &rotor, r);

    if (status != MB_DONE)
        return status;
    MB_TRY(r, cudaMemsetAsync(rotor.base, 0, sizeof n, mb_dev.stream));
    if (graph) {
        cudaGraphExec_t exec;

        status = record(kernels, (int *)rotor.base, &exec, r);
        if (status != MB_DONE)
            return status;
        MB_TRY(r, cudaGraphLaunch(exec, mb_dev.stream));
        MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
        MB_TRY(r, cudaGraphExecDestroy(exec));
    }
    for (int64_t i = 0; i < kernels && !graph; i++)
        MB_LAUNCH(count, 1, 1, (int *)rotor.base);
    MB_TRY(r, cudaMemcpyAsync(&n, rotor.base, sizeof n, cudaMemcpyDeviceToHost, mb_dev.stream));
    MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
    return n == kernels ? MB_DONE : mb_wrong("number of kernels", 0, n, (double)kernels, r);
}

enum mb_status mb_run_launch(const struct mb_case *c, struct mb_result *r)
{
    struct launches l = {c->dim[0], NULL};
    bool graph = strcmp(c->kind, "graph") == 0;
    enum mb_status status = check(l.kernels, graph, r);

    if (status == MB_DONE && graph)
        status = record(l.kernels, NULL, &l.graph, r);
    if (status == MB_DONE)
        status = mb_measure_clock([&](int64_t) { return launch(&l, r); }, r);
    if (status == MB_DONE)
        r->value /= (double)l.kernels;
    if (l.graph)
        cudaGraphExecDestroy(l.graph);
    return status;
}
