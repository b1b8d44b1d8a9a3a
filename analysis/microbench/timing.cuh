/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timing.cuh - how long a call takes: by events on the stream, or by the host's clock.
 */
#ifndef MICROBENCH_TIMING_CUH
#define MICROBENCH_TIMING_CUH

#include "analysis/microbench/device.cuh"

/* Keeps the stream busy for about so many microseconds, while calls are queued behind it. */
void mb_hold(double us);
double mb_seconds(void); /* of the host's clock */

/* Seconds of one of `calls` calls between two events. call(i) queues the work of repeat i and
 * returns its mb_status. */
template <class Call>
enum mb_status mb_time_calls(Call call, int64_t *i, int calls, double *seconds, struct mb_result *r)
{
    float ms = 0;

    mb_hold(20 + 5. * calls);
    MB_TRY(r, cudaEventRecord(mb_dev.begin, mb_dev.stream));
    for (int n = 0; n < calls; n++) {
        enum mb_status status = call((*i)++);

        if (status != MB_DONE)
            return status;
    }
    MB_TRY(r, cudaEventRecord(mb_dev.end, mb_dev.stream));
    MB_TRY(r, cudaEventSynchronize(mb_dev.end));
    MB_TRY(r, cudaGetLastError());
    MB_TRY(r, cudaEventElapsedTime(&ms, mb_dev.begin, mb_dev.end));
    *seconds = 1e-3 * (double)ms / calls;
    return MB_DONE;
}

/* The same by the host's clock: call(i) has done its work when it returns. */
template <class Call>
enum mb_status mb_clock_calls(Call call, int64_t *i, int calls, double *seconds, struct mb_result *)
{
    double begun = mb_seconds();

    for (int n = 0; n < calls; n++) {
        enum mb_status status = call((*i)++);

        if (status != MB_DONE)
            return status;
    }
    *seconds = (mb_seconds() - begun) / calls;
    return MB_DONE;
}

/* Warms up, chooses how many calls a sample has (about 0.4 ms, at most 100), takes samples. */
template <class Sample> enum mb_status mb_measure_by(Sample sample, struct mb_result *r)
{
    double begun = mb_seconds(), once = 0, v[64];
    int64_t i = 0;
    int n = 0, calls;
    enum mb_status status = sample(&i, 1, &once);

    if (status == MB_DONE)
        status = sample(&i, once < 1e-3 ? 10 : 1, &once);
    calls = once < 4e-6 ? 100 : once < 4e-4 ? (int)(4e-4 / once) : 1;
    while (status == MB_DONE && n < mb_dev.effort.samples && n < 64 &&
           (n < 3 || mb_seconds() - begun < mb_dev.effort.seconds))
        status = sample(&i, calls, &v[n++]);
    if (status == MB_DONE)
        mb_summarise(v, (size_t)n, r);
    return status;
}

/* Median seconds of a call on the stream. */
template <class Call> enum mb_status mb_measure(Call call, struct mb_result *r)
{
    return mb_measure_by([&](int64_t *i, int calls,
                             double *seconds) { return mb_time_calls(call, i, calls, seconds, r); },
                         r);
}

/* Median seconds of a call by the host's clock. */
template <class Call> enum mb_status mb_measure_clock(Call call, struct mb_result *r)
{
    return mb_measure_by(
        [&](int64_t *i, int calls, double *seconds) {
            return mb_clock_calls(call, i, calls, seconds, r);
        },
        r);
}

#endif
