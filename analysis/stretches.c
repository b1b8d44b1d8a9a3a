/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/stretches.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lanes.h"
#include "sim/base/mem.h"

/* A job, by slot. A stretch is held back until its job starts again or ends, since a job that is
 * killed before its last step has ended did not run until then. */
struct holder {
    struct stretch s;
    bool lives, open, holds; /* open: the stretch is not visited yet; holds: it has its GPUs */
    size_t cap_gpu, cap_name, cap_why;
    char *name, *why;
};

struct stretches {
    void (*visit)(void *user, const struct stretch *);
    void *user;
    struct holder **holder;
    size_t n, cap;
    struct lanes seats;
    struct stretch_gpu *old; /* of a stretch that ends as the next begins */
    size_t cap_old;
    sim_time *ready; /* by GPU */
    size_t n_ready, cap_ready;
};

struct stretches *stretches_new(void (*visit)(void *user, const struct stretch *), void *user)
{
    struct stretches *x = mem_get(sizeof(*x));

    x->visit = visit;
    x->user = user;
    return x;
}

static const char *keep(char **text, size_t *cap, const char *s)
{
    size_t size = s ? strlen(s) + 1 : 0;

    if (!s)
        return NULL;
    if (size > *cap)
        *text = mem_grow(*text, *cap = 2 * size);
    return memcpy(*text, s, size);
}

static struct holder *holder_of(struct stretches *x, job_id j)
{
    while (sim_slot(j) >= x->n) {
        x->holder = mem_room(x->holder, x->n, &x->cap, sizeof(struct holder *));
        x->holder[x->n++] = mem_get(sizeof(struct holder));
    }
    return x->holder[sim_slot(j)];
}

static sim_time *ready_of(struct stretches *x, gpu_id g)
{
    while (g >= x->n_ready) {
        x->ready = mem_room(x->ready, x->n_ready, &x->cap_ready, sizeof(*x->ready));
        x->ready[x->n_ready++] = 0;
    }
    return &x->ready[g];
}

static void arrive(struct stretches *x, const struct record *r)
{
    struct holder *h = holder_of(x, r->job);
    struct stretch_gpu *gpu = h->s.gpu;

    h->s = (struct stretch){.job = sim_number(r->job),
                            .experiment = r->experiment,
                            .trial = r->trial,
                            .gpus = r->n,
                            .good = r->good,
                            .name = keep(&h->name, &h->cap_name, r->name),
                            .submit = r->t,
                            .gpu = gpu};
    h->lives = true;
    h->open = h->holds = false;
}

/* The stretch is over for good at `now`, if its job was gone before it had landed. */
static void visit(struct stretches *x, struct holder *h, sim_time now, bool gone)
{
    struct stretch *s = &h->s;

    if (!h->open)
        return;
    if (gone && s->ran && s->until > now) {
        sim_time over = s->until - now;
        s->lost -= over < s->lost ? over : s->lost;
        s->until = now;
    }
    x->visit(x->user, s);
    s->number++;
    h->open = false;
}

/* On these GPUs from now on; it sat on n_old of the list `old` until now. */
static void sit(struct stretches *x, struct holder *h, const struct record *r, uint32_t n_old)
{
    struct stretch *s = &h->s;

    for (s->n = 0; r->share && s->n < r->n; s->n++) {
        s->gpu = mem_room(s->gpu, s->n, &h->cap_gpu, sizeof(*s->gpu));
        gpu_id g = r->share[s->n].gpu;
        sim_time ready = *ready_of(x, g);
        uint32_t i = 0;
        while (i < n_old && x->old[i].gpu != g)
            i++;
        s->gpu[s->n] = (struct stretch_gpu){
            g, ready > r->t ? ready : r->t,
            lanes_take(&x->seats, g, r->t, i < n_old ? x->old[i].seat : LANES_ANY)};
    }
    s->why = keep(&h->why, &h->cap_why, r->why);
    s->from = r->t;
    s->begin = r->run;
    s->lost = 0;
    h->open = h->holds = true;
}

static void start(struct stretches *x, const struct record *r)
{
    struct holder *h = holder_of(x, r->job);

    visit(x, h, r->t, false);
    sit(x, h, r, 0);
    h->s.origin = r->origin;
    h->s.resized = false;
    h->s.ran = r->run == r->t;
}

/* It gives its GPUs away. */
static void leave(struct stretches *x, struct holder *h, const struct record *r)
{
    bool off = r->kind == REC_PREEMPT || r->kind == REC_PAUSE;
    bool saves = off && (h->s.ran || r->ready > r->t); /* the latter: while replicas were copied */
    struct stretch *s = &h->s;

    if (!h->holds)
        return;
    s->to = r->t;
    s->until = s->landing = saves ? r->run : r->t;
    s->ready = saves ? r->ready : r->t;
    s->lost = saves ? r->lost : 0;
    s->how = r->kind;
    h->holds = false;
    for (uint32_t i = 0; i < s->n; i++)
        lanes_leave(&x->seats, s->gpu[i].gpu, s->gpu[i].seat, s->ready);
    for (uint32_t i = 0; saves && i < s->n; i++) {
        sim_time *ready = ready_of(x, s->gpu[i].gpu);
        *ready = s->ready > *ready ? s->ready : *ready;
    }
}

static void resize(struct stretches *x, const struct record *r)
{
    struct holder *h = holder_of(x, r->job);
    bool ran = h->s.ran;
    uint32_t n = h->s.n;

    for (uint32_t i = 0; i < n; i++) {
        x->old = mem_room(x->old, i, &x->cap_old, sizeof(*x->old));
        x->old[i] = h->s.gpu[i];
    }
    leave(x, h, r);
    visit(x, h, r->t, false);
    sit(x, h, r, n);
    h->s.resized = true;
    h->s.ran = ran && r->run == r->t;
}

static void end(struct stretches *x, struct holder *h, const struct record *r)
{
    leave(x, h, r);
    visit(x, h, r->t, true);
    h->lives = false;
}

static int by_number(const void *a, const void *b)
{
    const struct holder *x = *(struct holder *const *)a, *y = *(struct holder *const *)b;

    return (x->s.job > y->s.job) - (x->s.job < y->s.job);
}

static void finish(struct stretches *x, const struct record *r)
{
    struct holder **alive = mem_get((x->n + 1) * sizeof(struct holder *));
    size_t n = 0;

    for (size_t i = 0; i < x->n; i++)
        if (x->holder[i]->lives)
            alive[n++] = x->holder[i];
    qsort(alive, n, sizeof(struct holder *), by_number);
    for (size_t i = 0; i < n; i++)
        end(x, alive[i], r);
    mem_drop(alive);
}

void stretches_take(struct stretches *x, const struct record *r)
{
    lanes_see(&x->seats, r);
    switch (r->kind) {
    case REC_ARRIVE:
        arrive(x, r);
        break;
    case REC_START:
        start(x, r);
        break;
    case REC_RESIZE:
        resize(x, r);
        break;
    case REC_RUN:
        holder_of(x, r->job)->s.ran = true;
        break;
    case REC_PREEMPT:
    case REC_PAUSE:
        leave(x, holder_of(x, r->job), r);
        break;
    case REC_END:
    case REC_KILL:
    case REC_REJECT:
        end(x, holder_of(x, r->job), r);
        break;
    case REC_FINISH:
        finish(x, r);
        break;
    default:
        break;
    }
}

void stretches_free(struct stretches *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n; i++) {
        mem_drop(x->holder[i]->s.gpu);
        mem_drop(x->holder[i]->name);
        mem_drop(x->holder[i]->why);
        mem_drop(x->holder[i]);
    }
    mem_drop(x->holder);
    mem_drop(x->ready);
    mem_drop(x->old);
    lanes_free(&x->seats);
    mem_drop(x);
}
