/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the state of a job goes when it leaves its GPUs, and what fetching it takes (eq. 18). */
#include "sim/base/bug.h"
#include "sim/engine/state.h"

static node_id node_of(const struct engine *e, gpu_id g)
{
    return e->gpus.gpu[g].node;
}

/* Seconds of a transfer; without a bandwidth it is free. */
static sim_time transfer(double bytes, double bandwidth)
{
    return bandwidth > 0 ? time_of(bytes / bandwidth * 1e9) : 0;
}

enum origin haul_origin(const struct engine *e, const struct job *j)
{
    switch (j->saved) {
    case SAVED_NEVER:
        return FROM_NEW;
    case SAVED_LOST:
        return FROM_NOTHING;
    case SAVED_HOST:
        return node_of(e, j->home) == j->host ? FROM_HERE : FROM_MOVED;
    case SAVED_DISK:
        return node_of(e, j->home) == node_of(e, j->ran_on) ? FROM_DISK : FROM_DISK_MOVED;
    }
    BUG("job %u has no place", sim_number(j->id));
}

static sim_time load_state(const struct engine *e, const struct job *j, enum origin from)
{
    const struct overheads *o = &e->world->overheads;

    if (from == FROM_NEW || from == FROM_NOTHING)
        return o->start;
    double bytes = world_state_bytes(e->world, j->spec.model);
    switch (from) {
    case FROM_HERE:
        return later(o->restore, transfer(bytes, world_host_rate(e->world, j->host)));
    case FROM_MOVED:
        return later(later(o->restore + o->image, transfer(bytes, o->disk_write)),
                     later(transfer(bytes, o->network), transfer(bytes, o->disk_read)));
    case FROM_DISK:
        return later(o->restore, transfer(bytes, o->disk_read));
    default:
        return later(o->restore + o->image, transfer(bytes, o->disk_read));
    }
}

sim_time haul_load(const struct engine *e, const struct job *j, enum origin from)
{
    struct placement held = job_held(j);

    return later(load_state(e, j, from), world_context(e->world, &held));
}

sim_time haul_save(struct engine *e, struct job *j)
{
    const struct overheads *o = &e->world->overheads;
    double bytes = world_state_bytes(e->world, j->spec.model);
    node_id k = node_of(e, j->home);
    double room = e->world->node[k].host_memory;

    if (e->world->suspend_to == SUSPEND_HOST && (room <= 0 || e->host_used[k] + bytes <= room)) {
        j->saved = SAVED_HOST;
        j->host = k;
        j->on_host = true;
        e->host_used[k] += bytes;
        return later(o->save, transfer(bytes, world_host_rate(e->world, k)));
    }
    j->saved = SAVED_DISK;
    return later(o->save, transfer(bytes, o->disk_write));
}

void haul_leave_host(struct engine *e, struct job *j)
{
    if (j->on_host)
        e->host_used[j->host] -= world_state_bytes(e->world, j->spec.model);
    j->on_host = false;
}

/* Whether a job has been, or is being, saved: in its last step it still runs. */
static bool is_saved(const struct job *j)
{
    return j && j->n_held == 0 && j->state != JOB_ENDING;
}

/* Whether what a job reported last has been, or is being, written to storage anyway. */
static bool on_disk(const struct engine *e, const struct job *j)
{
    return !j || e->world->keeps == KEEP_CHECKPOINT || (is_saved(j) && j->saved == SAVED_DISK);
}

void haul_copy(struct engine *e, struct job *j, const struct job *from)
{
    sim_time at = is_saved(from) && from->saved_at > e->now ? from->saved_at : e->now;

    haul_leave_host(e, j);
    j->saved = SAVED_DISK;
    j->saved_at = on_disk(e, from) ? at
                                   : later(at, transfer(world_state_bytes(e->world, j->spec.model),
                                                        e->world->overheads.disk_write));
}
