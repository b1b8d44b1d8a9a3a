/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs on which replicas compute at the same time, against a clock that counts every nanosecond. */
#include <math.h>

#include <criterion/criterion.h>
#include <gsl/gsl_rng.h>

#include "sim/base/rng.h"
#include "sim/engine/station.h"
#include "tests/laws/world_small.h"

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}

#define CROWD 70 /* more than residents: some linger on GPUs they have given up */

struct naive {
    sim_area left[CROWD]; /* by job; 0: it computes nothing */
    uint32_t model[CROWD];
};

static double stretch_by_model(const void *self, const struct world *w, type_id t, uint32_t me,
                               const uint32_t *other, const double *p, uint32_t n)
{
    double s = 1;

    (void)self, (void)w, (void)t;
    for (uint32_t i = 0; i < n; i++)
        s += p[i] * (0.3 + 0.1 * me + 0.07 * other[i]);
    return s;
}

static const struct contention by_model = {.name = "by_model", .stretch = stretch_by_model};

static uint64_t naive_speed(const struct world *w, const struct naive *v, uint32_t me)
{
    uint32_t other[CROWD], n = 0, all = 0;
    double p[CROWD];

    for (uint32_t i = 0; i < CROWD; i++) {
        all += v->left[i] > 0;
        if (v->left[i] > 0 && i != me && n + 1 < MOST_RESIDENTS) {
            other[n] = v->model[i];
            p[n++] = 1;
        }
    }
    double s = w->contention->stretch(NULL, w, 0, v->model[me], other, p, n);
    uint64_t speed = (uint64_t)(floor((double)STATION_NS / s + 0.5));
    return all > MOST_RESIDENTS ? speed * MOST_RESIDENTS / all : speed;
}

/* One nanosecond; who is done goes. Returns units done. */
static sim_area naive_tick(const struct world *w, struct naive *v, bool done[CROWD])
{
    uint64_t speed[CROWD];
    sim_area sum = 0;

    for (uint32_t i = 0; i < CROWD; i++)
        speed[i] = v->left[i] > 0 ? naive_speed(w, v, i) : 0;
    for (uint32_t i = 0; i < CROWD; i++) {
        sim_area did = (sim_area)speed[i] < v->left[i] ? (sim_area)speed[i] : v->left[i];
        done[i] = speed[i] > 0 && did == v->left[i];
        v->left[i] -= did;
        sum += did;
    }
    return sum;
}

/* At an instant: somebody comes, or goes, or nobody. */
static void disturb(struct stations *s, struct naive *v, gsl_rng *r, uint32_t crowd, sim_time now)
{
    uint32_t job = below(r, crowd);
    struct replica_id id = {(job_id)job << 32 | job, job};

    if (v->left[job] == 0) {
        v->left[job] = 1 + (sim_area)(gsl_rng_uniform(r) * 40 * (double)STATION_NS);
        v->model[job] = below(r, 4);
        station_arrive(s, 0, id, v->model[job], v->left[job], now);
    } else if (below(r, 4) == 0) {
        cr_expect(station_left(s, 0, id.job, now) == v->left[job], "what is left of %u", job);
        station_leave(s, 0, id.job, now);
        v->left[job] = 0;
    }
}

static void compare_stations(const struct contention *c, uint32_t crowd, uint64_t seed)
{
    struct small *small = small_new(seed);
    gsl_rng *r = rng_stream(seed, "stations", 0);
    struct naive v = {{0}, {0}};
    sim_area work = 0;
    sim_time busy = 0;

    small->world.type[small_type(small)].eta = 0.7;
    small->world.contention = c;
    small_nodes(small, 0, 1, 1);
    struct stations *s = stations_new(&small->world);
    for (sim_time now = 0; now < 1000; now++) {
        bool done[CROWD], some = false;
        struct replica_id id;
        if (below(r, 3) == 0)
            disturb(s, &v, r, crowd, now);
        for (uint32_t i = 0; i < CROWD; i++)
            some |= v.left[i] > 0;
        busy += some;
        work += naive_tick(&small->world, &v, done);
        while (stations_take(s, now + 1, &id)) {
            cr_expect(done[id.part], "%s: %u is done too early, at %ld", c->name, id.part, now);
            done[id.part] = false;
        }
        for (uint32_t i = 0; i < CROWD; i++)
            cr_expect(!done[i], "%s: %u should be done at %ld", c->name, i, now + 1);
    }
    struct station_account a = station_account(s, 0, 1000);
    cr_expect(a.work == work && a.busy == busy, "%s: accounts", c->name);
    stations_free(s);
    gsl_rng_free(r);
    small_free(small);
}

Test(stations, every_nanosecond)
{
    struct contention scanned = *contentions[0];

    scanned.equal = false;
    scanned.name = "processor_sharing, one by one";
    for (uint64_t seed = 0; seed < 20; seed++) {
        compare_stations(contentions[0], 3 + (uint32_t)seed, seed);
        compare_stations(contentions[1], 3 + (uint32_t)seed, seed);
        compare_stations(&scanned, 3 + (uint32_t)seed, seed);
        compare_stations(&by_model, 3 + (uint32_t)seed, seed);
    }
    compare_stations(contentions[0], CROWD, 100);
    compare_stations(&scanned, CROWD, 100);
}
