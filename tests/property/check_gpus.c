/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time line of each GPU, who holds it, and what it is said to have done. */
#include <string.h>

#include "sim/base/mem.h"
#include "tests/property/check.h"

/* ---- pieces of time ---- */

static void add_piece(struct check *c, gpu_id g, const struct share *held, enum use use,
                      sim_time from, sim_time to)
{
    if (to <= from)
        return;
    c->piece = mem_room(c->piece, c->n_pieces, &c->cap_pieces, sizeof(*c->piece));
    c->piece[c->n_pieces++] = (struct piece){g, use, held, from, to};
}

/* A set-up begins on each GPU once the states are saved that were to be when it was taken. */
static void add_pieces(struct check *c, const struct seen_job *j, enum use use, sim_time from,
                       sim_time to)
{
    for (uint32_t i = 0; i < j->n; i++) {
        gpu_id g = j->share[i].gpu;
        bool waits = use == USE_SETUP && j->free[g] > from;
        add_piece(c, g, j->share, use, waits ? j->free[g] : from, to);
    }
}

void check_phase(struct check *c, struct seen_job *j, enum phase p)
{
    if (p == PHASE_RUNNING)
        j->stretch = c->now;
    j->copying &= p == PHASE_SETUP;
    j->phase = p;
    j->since = c->now;
}

/* The part of a set-up in which the job does not finish its last step on other GPUs. */
static sim_time own_setup(const struct check *c, const struct seen_job *j)
{
    sim_time from = j->landing > j->since ? j->landing : j->since;

    return c->now > from ? c->now - from : 0;
}

void check_stop(struct check *c, struct seen_job *j, sim_time until)
{
    if (j->phase == PHASE_SETUP) {
        add_pieces(c, j, USE_SETUP, j->since, c->now);
        j->setup += own_setup(c, j);
    } else if (j->phase == PHASE_RUNNING) {
        add_pieces(c, j, USE_RUN, j->begin, until);
        j->run += until - j->begin;
    }
}

void check_leave(struct check *c, struct seen_job *j, sim_time until)
{
    check_stop(c, j, until);
    c->holding -= j->n;
    j->n = 0;
}

/* A job whose replicas are still copied has none on a GPU that is not ready. */
void check_save(struct check *c, const struct seen_job *j, const struct record *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        gpu_id g = r->share[i].gpu;
        bool waits = j->free[g] > r->run;
        add_piece(c, g, NULL, USE_SAVE, waits ? j->free[g] : r->run, r->ready);
        c->ready[g] = r->ready > c->ready[g] ? r->ready : c->ready[g];
    }
}

void check_cut(struct check *c, struct seen_job *j)
{
    if (j->landing <= c->now)
        return;
    sim_time kept = j->landing - j->fell > c->now ? c->now : j->landing - j->fell;
    for (size_t i = 0; i < c->n_pieces; i++)
        if (c->piece[i].use == USE_RUN && c->piece[i].held == j->left)
            c->piece[i].to = c->now;
    c->lost -= (sim_area)(j->fell - (c->now - kept)) * j->n_left;
    j->lost -= j->fell - (c->now - kept);
    j->run -= j->landing - c->now;
}

/* ---- who holds what ---- */

bool check_holds(const struct seen_job *j, gpu_id g)
{
    for (uint32_t i = 0; i < j->n; i++)
        if (j->share[i].gpu == g)
            return true;
    return false;
}

void check_same(struct check *c, const struct seen_job *j, const struct record *r)
{
    CHECK(c, r->n == j->n, "%u GPUs; it holds %u", r->n, j->n);
    for (uint32_t i = 0; r->share && i < r->n; i++)
        CHECK(c, check_holds(j, r->share[i].gpu), "GPU %u is not its own", r->share[i].gpu);
    CHECK(c, (r->share != NULL) == (r->n > 0), "GPUs are %s", r->share ? "named" : "not named");
}

static struct job_spec spec_of(const struct check *c, const struct seen_job *j)
{
    return j->experiment == NO_EXPERIMENT ? c->r->job[j->trial]
                                          : world_trial(c->w, j->experiment, j->trial, 0);
}

double check_alone_rate(const struct check *c, const struct seen_job *j)
{
    struct job_spec spec = spec_of(c, j);
    struct placement p = {j->n, j->share};

    return world_rate(c->w, &spec, world_jitter(c->w, &spec), &p);
}

/* Never more jobs on a GPU than may be, nor more memory than it has. */
static void check_gpu(struct check *c, gpu_id g)
{
    uint32_t n = 0, most = check_shared(c) ? c->w->residents : 1;
    double bytes = 0, room = world_gpu_bytes(c->w, c->w->node[c->w->gpu[g].node].type);

    for (size_t k = 0; k < c->n_jobs; k++)
        for (uint32_t i = 0; i < c->job[k].n; i++)
            if (c->job[k].share[i].gpu == g) {
                bytes += world_replica_bytes(c->w, spec_of(c, &c->job[k]).model,
                                             c->job[k].share[i].samples);
                n++;
            }
    CHECK(c, n <= most, "GPU %u has %u jobs, %u are allowed", g, n, most);
    CHECK(c, bytes <= room, "GPU %u holds %g of %g bytes", g, bytes, room);
    check_meet(c, n > 1, COVER_BESIDE);
}

void check_reshare(struct check *c, struct seen_job *j, const struct record *r)
{
    struct job_spec spec = spec_of(c, j);
    uint64_t sum = 0;

    memcpy(j->share, r->share, r->n * sizeof(*j->share));
    for (uint32_t i = 0; i < r->n; i++) {
        sum += r->share[i].samples;
        CHECK(c, r->share[i].samples > 0 || spec.model == NO_MODEL, "a share of no samples");
        check_gpu(c, r->share[i].gpu);
    }
    CHECK(c, sum == spec.batch, "shares of %llu samples, the batch is %u", (unsigned long long)sum,
          spec.batch);
}

void check_hold(struct check *c, struct seen_job *j, const struct record *r)
{
    const struct world *w = c->w;

    for (uint32_t i = 0; i < r->n; i++) {
        gpu_id g = r->share[i].gpu, first = r->share[0].gpu;
        CHECK(c, g < w->n_gpus, "there is no GPU %u", g);
        if (c->failed)
            return;
        check_meet(c, w->gpu[g].node != w->gpu[first].node, COVER_GANG_NODES);
        check_meet(c, w->node[w->gpu[g].node].type != w->node[w->gpu[first].node].type,
                   COVER_GANG_TYPES);
        check_meet(c, c->ready[g] > c->now, COVER_SAVE_WAITS);
        for (uint32_t k = 0; k < i; k++)
            CHECK(c, r->share[k].gpu != g, "GPU %u is named twice", g);
    }
    j->share = arena_get(c->arena, r->n * sizeof(*j->share));
    j->free = arena_get(c->arena, w->n_gpus * sizeof(*j->free));
    memcpy(j->free, c->ready, w->n_gpus * sizeof(*j->free));
    j->n = r->n;
    check_reshare(c, j, r);
    c->holding += r->n;
}

/* ---- loads ---- */

static void count_running(const struct check *c, uint32_t *n)
{
    memset(n, 0, c->w->n_gpus * sizeof(*n));
    for (size_t k = 0; k < c->n_jobs; k++)
        for (uint32_t i = 0; c->job[k].phase == PHASE_RUNNING && i < c->job[k].n; i++)
            n[c->job[k].share[i].gpu]++;
}

void check_pass(struct check *c, sim_time until)
{
    uint32_t *n;

    if (!check_shared(c) || until == c->now)
        return;
    n = mem_get(c->w->n_gpus * sizeof(*n));
    count_running(c, n);
    for (gpu_id g = 0; g < c->w->n_gpus; g++) {
        struct seen_load *l = &c->load[g];
        check_meet(c, n[g] + l->given_up > MOST_RESIDENTS, COVER_STEP_THRONG);
        l->given_up = 0;
        if (l->n != n[g])
            *l = (struct seen_load){n[g], 0, c->now, l->active, l->told};
        l->active += l->n > 0 ? until - c->now : 0;
    }
    mem_drop(n);
}

void check_load(struct check *c, const struct record *r)
{
    CHECK(c, check_shared(c) && r->n == 1 && r->share && r->share->gpu < c->w->n_gpus,
          "a load of nothing");
    if (c->failed)
        return;
    struct seen_load *l = &c->load[r->share->gpu];
    bool left = check_steps(c) && l->n == 0; /* steps go on where jobs have left */
    double most = check_steps(c) && c->met[COVER_RESIZE_RUNNING] ? (double)c->n_jobs : 1;
    CHECK(c, r->run < r->t && r->run >= l->since && r->share->samples == l->n && (l->n > 0 || left),
          "GPU %u has %u jobs from %lld on, not %u from %lld on", r->share->gpu, l->n,
          (long long)l->since, r->share->samples, (long long)r->run);
    CHECK(c, (r->value > 0 || check_steps(c)) && r->value <= 1 + 1e-9, "GPU %u is busy %g",
          r->share->gpu, r->value);
    CHECK(c, (r->told > 0) == (r->value > 0) && r->told <= most + 1e-7, "GPU %u works %g",
          r->share->gpu, r->told);
    CHECK(c, l->n > 0 || r->value > 0, "a load of GPU %u, on which nobody runs", r->share->gpu);
    check_meet(c, left, COVER_STEP_LEFT);
    l->told += left ? 0 : r->t - r->run;
    c->active += r->value * (double)(r->t - r->run);
    c->work += r->told * (double)(r->t - r->run);
}

void check_loads(struct check *c)
{
    for (gpu_id g = 0; g < c->w->n_gpus; g++)
        CHECK(c, c->load[g].told == c->load[g].active,
              "jobs run on GPU %u for %lld ns, recorded are %lld", g, (long long)c->load[g].active,
              (long long)c->load[g].told);
}
