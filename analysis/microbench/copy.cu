/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies between host and device, and allocation, by the host's clock: from the call until it is
 * done, as a program that waits for it sees it.
 */
#include <string.h>

#include "analysis/microbench/timing.cuh"

struct copy {
    void *to, *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
};

static enum mb_status transfer(const struct copy *c, struct mb_result *r)
{
    MB_TRY(r, cudaMemcpyAsync(c->to, c->from, c->bytes, c->kind, mb_dev.stream));
    MB_TRY(r, cudaStreamSynchronize(mb_dev.stream));
    return MB_DONE;
}

/* host: two buffers of the size. A pattern goes to the device and comes back; if the copy is one
 * within the device, through the second half there. */
static enum mb_status check(const struct copy *c, char *host, char *device, struct mb_result *r)
{
    struct copy there = {device, host, c->bytes, cudaMemcpyHostToDevice},
                back = {host + c->bytes, device, c->bytes, cudaMemcpyDeviceToHost};
    enum mb_status status;

    for (size_t i = 0; i < c->bytes; i++)
        host[i] = (char)(i * 31 + i / 251);
    memset(host + c->bytes, 0, c->bytes);
    status = transfer(&there, r);
    if (status == MB_DONE && c->kind == cudaMemcpyDeviceToDevice) {
        status = transfer(c, r);
        back.from = c->to;
    }
    if (status == MB_DONE)
        status = transfer(&back, r);
    for (size_t i = 0; i < c->bytes && status == MB_DONE; i++)
        if (host[c->bytes + i] != host[i])
            status = mb_wrong("byte", (int64_t)i, host[c->bytes + i], host[i], r);
    return status;
}

static enum mb_status measure(const char *kind, char *host, char *device, size_t bytes,
                              struct mb_result *r)
{
    struct copy c = {device, host, bytes, cudaMemcpyHostToDevice};
    enum mb_status status;

    if (strncmp(kind, "d2h", 3) == 0)
        c = (struct copy){host, device, bytes, cudaMemcpyDeviceToHost};
    if (strcmp(kind, "d2d") == 0)
        c = (struct copy){device + bytes, device, bytes, cudaMemcpyDeviceToDevice};
    status = check(&c, host, device, r);
    if (status != MB_DONE)
        return status;
    return mb_measure_clock([&](int64_t) { return transfer(&c, r); }, r);
}

enum mb_status mb_run_copy(const struct mb_case *c, struct mb_result *r)
{
    size_t bytes = (size_t)c->dim[0];
    bool pinned = !strstr(c->kind, "pageable");
    struct mb_layout layout = {};
    struct mb_rotor rotor;
    std::vector<char> pageable(pinned ? 0 : 2 * bytes);
    char *host = pageable.data();
    enum mb_status status;

    layout.add(2 * bytes);
    status = mb_rotor_get(&layout, true, 0, NULL, &rotor, r);
    if (status != MB_DONE)
        return status;
    if (pinned)
        MB_TRY(r, cudaMallocHost((void **)&host, 2 * bytes));
    status = measure(c->kind, host, rotor.base, bytes, r);
    if (pinned)
        cudaFreeHost(host);
    return status;
}

enum mb_status mb_run_allocate(const struct mb_case *c, struct mb_result *r)
{
    /* What the cases before have left would be in the way. */
    cudaFree(mb_dev.memory);
    mb_dev.memory = NULL;
    mb_dev.memory_size = 0;
    return mb_measure_clock(
        [&](int64_t) -> enum mb_status {
            void *p;

            MB_TRY(r, cudaMalloc(&p, (size_t)c->dim[0]));
            MB_TRY(r, cudaFree(p));
            return MB_DONE;
        },
        r);
}
