/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What taking GPUs away and giving them back costs, by hand: a job of 50 steps of 1 s in 5 epochs
 * starts at 0 on GPU 0, progresses from 7 s on, is preempted and started again. GPUs 0 and 1 are
 * one node, 2 and 3 another.
 *
 * Its state has 2 MB: 0.1 s to or from host memory, 0.5 s over the network, 0.25 s to and 0.2 s
 * from storage.
 */
#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define NONE -1
#define S(x) ((sim_time)((x)*1e9 + 0.5))

/* ---- a policy that does as it is told ---- */

struct act {
    double at;
    uint32_t job; /* number */
    int gpu;      /* where it starts; NONE: it is preempted */
};

struct puppet {
    const struct act *act;
    uint32_t n, next;
};

static job_id find(const struct cx *cx, uint32_t number)
{
    for (int s = JOB_WAITING; s < JOB_DONE; s++)
        for (job_id j = sim_first(cx, (enum job_state)s); j != NO_JOB; j = sim_next(cx, j))
            if (sim_number(j) == number)
                return j;
    return NO_JOB;
}

static void obey(void *self, struct cx *cx)
{
    struct puppet *p = self;

    for (; p->next < p->n && S(p->act[p->next].at) <= sim_now(cx); p->next++) {
        const struct act *a = &p->act[p->next];
        gpu_id gpu = (gpu_id)a->gpu;
        job_id j = find(cx, a->job);
        if (a->gpu == NONE)
            sim_preempt(cx, j, "told so");
        else
            sim_start(cx, j, sim_even(cx, j, &gpu, 1), "told so");
    }
    if (p->next < p->n) /* the last alarm clears itself */
        sim_wake(cx, S(p->act[p->next].at));
}

static const struct policy puppet = {.abi = POLICY_ABI,
                                     .size = sizeof(struct policy),
                                     .flags = POLICY_PREEMPTS,
                                     .name = "puppet",
                                     .about = "does as it is told",
                                     .schedule = obey,
                                     .state_size = sizeof(struct puppet)};

/* ---- cases ---- */

#define MOST_ACTS 6

enum { NOW = PREEMPT_NOW, STEP = PREEMPT_STEP, EPOCH = PREEMPT_EPOCH };
enum { STATE = KEEP_STATE, CHECKPOINT = KEEP_CHECKPOINT };
enum { HOST = SUSPEND_HOST, STORAGE = SUSPEND_STORAGE };

static const struct move_case {
    const char *name;
    int at, keeps, to;
    double host_memory;
    struct act act[MOST_ACTS];
    double run, ready, lost; /* of the preemption */
    enum origin origin;      /* of the job's second start */
    double begin, end;       /* when it progresses again; when job 0 is done */
    double other;            /* when job 1 begins to progress; 0: it does not take part */
} cases[] = {
    /* clang-format off */
    {"here", NOW, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 19.5, 20.6, 0, FROM_HERE, 33.1, 70.6, 0},
    {"on the other GPU of the node", NOW, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 1}}, 19.5, 20.6, 0, FROM_HERE, 33.1, 70.6, 0},
    {"at the end of the step", STEP, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 20, 21.1, 0, FROM_HERE, 33.1, 70.1, 0},
    {"between two steps", STEP, STATE, HOST, 0,
     {{0, 0, 0}, {20, 0, NONE}, {30, 0, 0}}, 20, 21.1, 0, FROM_HERE, 33.1, 70.1, 0},
    {"at the end of the epoch", EPOCH, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 27, 28.1, 0, FROM_HERE, 33.1, 63.1, 0},
    {"before it is saved", NOW, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {19.6, 0, 1}}, 19.5, 20.6, 0, FROM_HERE, 23.7, 61.2, 0},
    {"in the same instant", EPOCH, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {19.5, 0, 0}}, 27, 28.1, 0, FROM_HERE, 31.2, 61.2, 0},
    {"moved", NOW, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 2}}, 19.5, 20.6, 0, FROM_MOVED, 44.95, 82.45, 0},
    {"storage", NOW, STATE, STORAGE, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 19.5, 20.75, 0, FROM_DISK, 33.2, 70.7, 0},
    {"storage, moved", NOW, STATE, STORAGE, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 3}}, 19.5, 20.75, 0, FROM_DISK_MOVED, 44.2, 81.7, 0},
    {"host memory too small", NOW, STATE, HOST, 1.9e6,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 19.5, 20.75, 0, FROM_DISK, 33.2, 70.7, 0},
    {"host memory just enough", NOW, STATE, HOST, 2e6,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 19.5, 20.6, 0, FROM_HERE, 33.1, 70.6, 0},
    {"checkpoint", NOW, CHECKPOINT, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 19.5, 19.5, 2.5, FROM_DISK, 33.2, 73.2, 0},
    {"checkpoint, end of the step", STEP, CHECKPOINT, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 2}}, 20, 20, 3, FROM_DISK_MOVED, 44.2, 84.2, 0},
    {"checkpoint, end of the epoch", EPOCH, CHECKPOINT, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {30, 0, 0}}, 27, 27, 0, FROM_DISK, 33.2, 63.2, 0},
    {"before the first checkpoint", NOW, CHECKPOINT, HOST, 0,
     {{0, 0, 0}, {10.25, 0, NONE}, {30, 0, 2}}, 10.25, 10.25, 3.25, FROM_NOTHING, 37, 87, 0},
    {"while it sets up", EPOCH, STATE, HOST, 0,
     {{0, 0, 0}, {5, 0, NONE}, {30, 0, 2}}, 5, 5, 0, FROM_NEW, 37, 87, 0},
    {"the next owner waits for the save", NOW, STATE, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {19.75, 1, 0}, {30, 0, 1}},
     19.5, 20.6, 0, FROM_HERE, 33.1, 70.6, 27.6},
    {"the next owner waits for the epoch", EPOCH, CHECKPOINT, HOST, 0,
     {{0, 0, 0}, {19.5, 0, NONE}, {19.5, 1, 0}, {30, 0, 1}}, 27, 27, 0, FROM_DISK, 33.2, 63.2, 34},
    {"a second save needs the room of the first", NOW, STATE, HOST, 3e6,
     {{0, 1, 1}, {0, 0, 0}, {18, 1, NONE}, {19.5, 0, NONE}, {30, 0, 0}, {90, 1, 1}},
     19.5, 20.75, 0, FROM_DISK, 33.2, 70.7, 7},
    {"a job that runs again has given its room back", NOW, STATE, HOST, 2e6,
     {{0, 1, 1}, {0, 0, 0}, {15, 1, NONE}, {16.2, 1, 1}, {19.5, 0, NONE}, {30, 0, 0}},
     19.5, 20.6, 0, FROM_HERE, 33.1, 70.6, 7},
    {"in its last step", STEP, STATE, HOST, 0,
     {{0, 0, 0}, {56.5, 0, NONE}, {56.75, 1, 0}}, 57, 57, 0, ORIGINS, 0, 57, 64},
    /* clang-format on */
};

static struct small *make_world(const struct move_case *k)
{
    struct small *s = small_new(1);

    small_nodes(s, small_type(s), 2, 2);
    small_model(s, 1e9, 0, 640);
    small_training(s, 0, 1, 0, 64, 5);
    if (k->other > 0)
        small_training(s, 0, 1, 0, 64, 5);
    s->world.preempt_at = (enum preempt_at)k->at;
    s->world.keeps = (enum preempt_keeps)k->keeps;
    s->world.suspend_to = (enum suspend_to)k->to;
    s->world.node[0].host_memory = k->host_memory;
    s->world.overheads = (struct overheads){.start = S(7),
                                            .save = S(1),
                                            .restore = S(3),
                                            .image = S(11),
                                            .host = 20e6,
                                            .network = 4e6,
                                            .disk_write = 8e6,
                                            .disk_read = 10e6};
    return s;
}

static const struct record *second_start(const struct history *h)
{
    bool first = true;

    for (uint32_t i = 0; i < h->n; i++) {
        const struct record *r = &h->record[i];
        if (r->kind == REC_START && sim_number(r->job) == 0 && !first)
            return r;
        first &= !(r->kind == REC_START && sim_number(r->job) == 0);
    }
    return NULL;
}

Test(moves, by_hand)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct move_case *k = &cases[i];
        struct puppet params = {k->act, MOST_ACTS, 0};
        struct small *s = make_world(k);
        while (params.n > 1 && k->act[params.n - 1].at <= 0)
            params.n--;
        struct history *h = history_with(
            s, &(struct chosen_policy){.policy = &puppet, .params = &params, .label = "puppet"});
        const struct record *off = history_find(h, REC_PREEMPT, 0), *again = second_start(h),
                            *end = history_find(h, REC_END, 0);
        cr_assert(off && end && !again == (k->origin == ORIGINS), "%s", k->name);
        cr_expect(off->run == S(k->run) && off->ready == S(k->ready) && off->lost == S(k->lost),
                  "%s: runs until %.9g, saved at %.9g, lost %.9g", k->name, (double)off->run / 1e9,
                  (double)off->ready / 1e9, (double)off->lost / 1e9);
        cr_expect(!again || (again->origin == k->origin && again->run == S(k->begin)),
                  "%s: origin %s, begins at %.9g", k->name, again ? origin_name[again->origin] : "",
                  again ? (double)again->run / 1e9 : 0);
        cr_expect_eq(end->t, S(k->end), "%s: ends at %.9g", k->name, (double)end->t / 1e9);
        cr_expect(k->other <= 0 || history_find(h, REC_START, 1)->run == S(k->other), "%s: job 1",
                  k->name);
        history_free(h);
        small_free(s);
    }
}

/* The report of an epoch that is finished after the preemption comes when it is finished, wherever
 * the trial is then. */
Test(moves, report_at_landing)
{
    static const struct act acts[] = {
        {0, 0, 0}, {19.5, 0, NONE}, {20, 0, 2}, {21, 0, NONE}, {40, 0, 2}};
    struct puppet params = {acts, 5, 0};
    struct small *s = make_world(&cases[0]);

    s->n_jobs = 0;
    small_study(s, 0, 1, 5, 64);
    s->world.preempt_at = PREEMPT_EPOCH;
    struct history *h = history_with(
        s, &(struct chosen_policy){.policy = &puppet, .params = &params, .label = "puppet"});
    static const double want[] = {17, 27, 64.95, 74.95, 84.95};
    uint32_t n = 0;
    for (uint32_t i = 0; i < h->n; i++)
        if (h->record[i].kind == REC_REPORT) {
            cr_assert(n < 5 && h->record[i].t == S(want[n]) && h->record[i].epoch == n + 1,
                      "report %u at %.9g", n + 1, (double)h->record[i].t / 1e9);
            n++;
        }
    cr_assert_eq(n, 5);
    cr_assert_eq(history_find(h, REC_END, 0)->t, S(84.95));
    history_free(h);
    small_free(s);
}
