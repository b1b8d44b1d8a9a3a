/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between GPUs: copies from device 0 to device 1, directly where the machine can, and sums over
 * devices by NCCL, in place, all devices driven by this process. By the host's clock until all are
 * done.
 */
#include "analysis/microbench/timing.cuh"

#ifdef MB_NCCL
#include <nccl.h>
#endif

enum { MOST = 16 }; /* devices */

static enum mb_status enable(int from, int to, struct mb_result *r)
{
    int can = 0;
    cudaError_t code;

    MB_TRY(r, cudaDeviceCanAccessPeer(&can, from, to));
    if (!can)
        return MB_DONE;
    MB_TRY(r, cudaSetDevice(from));
    code = cudaDeviceEnablePeerAccess(to, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled)
        code = cudaGetLastError(), code = cudaSuccess;
    MB_TRY(r, code);
    return MB_DONE;
}

static enum mb_status copy_between(char *at[2], size_t bytes, struct mb_result *r)
{
    std::vector<char> sent(bytes < 4096 ? bytes : 4096), got(sent.size());

    for (size_t i = 0; i < sent.size(); i++)
        sent[i] = (char)(i * 31 + 7);
    MB_TRY(r, cudaMemcpy(at[0] + bytes - sent.size(), sent.data(), sent.size(),
                         cudaMemcpyHostToDevice));
    MB_TRY(r, cudaMemcpyPeerAsync(at[1], 1, at[0], 0, bytes, mb_dev.stream));
    MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
    MB_TRY(r, cudaMemcpy(got.data(), at[1] + bytes - sent.size(), sent.size(),
                         cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < sent.size(); i++)
        if (got[i] != sent[i])
            return mb_wrong("byte", (int64_t)i, got[i], sent[i], r);
    return mb_measure_clock(
        [&](int64_t) -> enum mb_status {
            MB_TRY(r, cudaMemcpyPeerAsync(at[1], 1, at[0], 0, bytes, mb_dev.stream));
            MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
            return MB_DONE;
        },
        r);
}

enum mb_status mb_run_peer(const struct mb_case *c, struct mb_result *r)
{
    char *at[2] = {NULL, NULL};
    enum mb_status status = enable(1, 0, r);

    if (status == MB_DONE)
        status = enable(0, 1, r);
    for (int d = 1; d >= 0 && status == MB_DONE; d--) {
        cudaError_t code = cudaSetDevice(d);

        if (code == cudaSuccess)
            code = cudaMalloc((void **)&at[d], (size_t)c->dim[0]);
        if (code != cudaSuccess)
            status = mb_cuda_status(code, "cudaMalloc", r);
    }
    if (status == MB_DONE)
        status = copy_between(at, (size_t)c->dim[0], r);
    cudaFree(at[0]);
    cudaFree(at[1]);
    cudaSetDevice(0);
    return status;
}

#ifdef MB_NCCL

struct ranks {
    int n;
    size_t count;
    ncclComm_t comm[MOST];
    cudaStream_t stream[MOST];
    float *data[MOST];
};

static enum mb_status nccl_status(ncclResult_t code, struct mb_result *r)
{
    if (code == ncclSuccess)
        return MB_DONE;
    snprintf(r->why, sizeof r->why, "NCCL: %s", ncclGetErrorString(code));
    return MB_BROKEN;
}

static enum mb_status sum_up(struct ranks *k, struct mb_result *r)
{
    enum mb_status status = nccl_status(ncclGroupStart(), r);

    for (int d = 0; d < k->n && status == MB_DONE; d++)
        status = nccl_status(ncclAllReduce(k->data[d], k->data[d], k->count, ncclFloat, ncclSum,
                                           k->comm[d], k->stream[d]),
                             r);
    if (status == MB_DONE)
        status = nccl_status(ncclGroupEnd(), r);
    for (int d = 0; d < k->n && status == MB_DONE; d++)
        MB_TRY(r, cudaStreamSynchronize(k->stream[d]));
    return status;
}

/* Each device begins with its number plus one; only the ends are looked at. */
static enum mb_status check(struct ranks *k, struct mb_result *r)
{
    size_t ends[] = {0, k->count - 1};
    enum mb_status status;

    for (int d = 0; d < k->n; d++)
        for (int e = 0; e < 2; e++) {
            float v = (float)(d + 1);

            MB_TRY(r, cudaMemcpy(k->data[d] + ends[e], &v, sizeof v, cudaMemcpyHostToDevice));
        }
    status = sum_up(k, r);
    for (int d = 0; d < k->n && status == MB_DONE; d++)
        for (int e = 0; e < 2; e++) {
            float v = 0, want = (float)(k->n * (k->n + 1)) / 2;

            MB_TRY(r, cudaMemcpy(&v, k->data[d] + ends[e], sizeof v, cudaMemcpyDeviceToHost));
            if (v != want)
                return mb_wrong("sum on device", d, (double)v, (double)want, r);
        }
    return status;
}

static enum mb_status open_ranks(struct ranks *k, struct mb_result *r)
{
    for (int d = 0; d < k->n; d++) {
        MB_TRY(r, cudaSetDevice(d));
        MB_TRY(r, cudaStreamCreate(&k->stream[d]));
        MB_TRY(r, cudaMalloc((void **)&k->data[d], k->count * sizeof(float)));
        /* Zero stays zero however often it is summed up. */
        MB_TRY(r, cudaMemset(k->data[d], 0, k->count * sizeof(float)));
    }
    return nccl_status(ncclCommInitAll(k->comm, k->n, NULL), r);
}

enum mb_status mb_run_all_reduce(const struct mb_case *c, struct mb_result *r)
{
    struct ranks k = {(int)c->dim[1] < MOST ? (int)c->dim[1] : MOST,
                      (size_t)c->dim[0] / sizeof(float),
                      {},
                      {},
                      {}};
    enum mb_status status = open_ranks(&k, r);

    if (status == MB_DONE)
        status = check(&k, r);
    for (int d = 0; d < k.n && status == MB_DONE; d++)
        if (cudaMemset(k.data[d], 0, k.count * sizeof(float)) != cudaSuccess)
            status = MB_BROKEN;
    if (status == MB_DONE)
        status = mb_measure_clock([&](int64_t) { return sum_up(&k, r); }, r);
    for (int d = 0; d < k.n; d++) {
        cudaSetDevice(d);
        if (k.comm[d])
            ncclCommDestroy(k.comm[d]);
        cudaFree(k.data[d]);
        if (k.stream[d])
            cudaStreamDestroy(k.stream[d]);
    }
    cudaSetDevice(0);
    return status;
}

#else

enum mb_status mb_run_all_reduce(const struct mb_case *, struct mb_result *r)
{
    snprintf(r->why, sizeof r->why, "built without NCCL");
    return MB_SKIPPED;
}

#endif
