/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/microbench/order.h"

static size_t divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

size_t mb_order_case(size_t i, size_t n)
{
    size_t inner = n > 2 ? n - 2 : 0, step = (size_t)((double)inner * 0.6180339887);

    if (i < 2 || inner == 0)
        return i == 0 ? 0 : n - 1;
    /* Only a step without common divisor meets all; one such is near. */
    while (step < 1 || divisor(step, inner) != 1)
        step++;
    return 1 + (i - 2) * step % inner;
}

size_t mb_order(const size_t *cases, size_t benches, size_t turns, struct mb_step *steps)
{
    size_t n = 0, left = 1;

    for (size_t turn = 0; left && (turns == 0 || turn < turns); turn++) {
        left = 0;
        for (size_t b = 0; b < benches; b++) {
            size_t from = turn * MB_TURN, to = from + MB_TURN;

            left += cases[b] > to;
            for (size_t i = from; i < to && i < cases[b]; i++)
                steps[n++] = (struct mb_step){b, mb_order_case(i, cases[b])};
        }
    }
    return n;
}
