/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/lanes.h"

#include "sim/base/mem.h"

void lanes_see(struct lanes *s, const struct record *r)
{
    s->shared |= r->kind == REC_ALONE;
}

static struct gpu_lanes *lanes_of(struct lanes *s, gpu_id g)
{
    while (s->n <= g) {
        s->gpu = mem_room(s->gpu, s->n, &s->cap, sizeof(*s->gpu));
        s->gpu[s->n++] = (struct gpu_lanes){0};
    }
    return &s->gpu[g];
}

uint32_t lanes_take(struct lanes *s, gpu_id g, sim_time now, uint32_t prefers)
{
    struct gpu_lanes *of = s->shared ? lanes_of(s, g) : NULL;
    uint32_t seat = 0;

    s->most = s->most ? s->most : 1;
    if (!of)
        return 0;
    if (prefers < of->n && of->free[prefers] <= now)
        seat = prefers;
    while (seat < of->n && of->free[seat] > now)
        seat++;
    if (seat == of->n) {
        of->free = mem_room(of->free, of->n, &of->cap, sizeof(*of->free));
        of->n++;
    }
    of->free[seat] = SIM_NEVER;
    s->most = seat + 1 > s->most ? seat + 1 : s->most;
    return seat;
}

void lanes_leave(struct lanes *s, gpu_id g, uint32_t seat, sim_time free)
{
    if (s->shared && seat < lanes_of(s, g)->n)
        s->gpu[g].free[seat] = free;
}

void lanes_free(struct lanes *s)
{
    for (size_t g = 0; g < s->n; g++)
        mem_drop(s->gpu[g].free);
    mem_drop(s->gpu);
    *s = (struct lanes){0};
}
