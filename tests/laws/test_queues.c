/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queues whose means are known: the engine must hit them. 30 independent replications at fixed
 * seeds give a mean and its standard error, without batches; |z| < 4 is asked for.
 */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "tests/laws/history.h"

#define LENGTH(x)    (sizeof(x) / sizeof *(x))
#define REPLICATIONS 30
#define CLASSES      3
#define MEAN         (1000 * SIM_SECOND) /* of service */

/* ---- service laws with mean 1 ---- */

enum law { EXPONENTIAL, LOGNORMAL, HYPER, CONSTANT };
#define SIGMA 1.0 /* of the lognormal */
#define RARE  0.1 /* of the hyperexponential: how often it is long, and how long then */
#define LONG  5.5
#define SHORT 0.5

static double draw(gsl_rng *r, enum law law)
{
    switch (law) {
    case EXPONENTIAL:
        return gsl_ran_exponential(r, 1);
    case LOGNORMAL:
        return gsl_ran_lognormal(r, -SIGMA * SIGMA / 2, SIGMA);
    case HYPER:
        return gsl_ran_exponential(r, gsl_rng_uniform(r) < RARE ? LONG : SHORT);
    default:
        return 1;
    }
}

static double second_moment(enum law law)
{
    static const double moment[] = {[EXPONENTIAL] = 2,
                                    [HYPER] = 2 * (RARE * LONG * LONG + (1 - RARE) * SHORT * SHORT),
                                    [CONSTANT] = 1};

    return law == LOGNORMAL ? exp(SIGMA * SIGMA) : moment[law];
}

/* ---- one replication ---- */

struct traffic {
    enum law law;
    uint32_t gpus[CLASSES]; /* 0: no such class */
    double rate[CLASSES];   /* arrivals in a mean service time */
};

struct arrivals {
    struct trace trace;
    const struct traffic *traffic;
    gsl_rng *r;
    uint32_t left, row;
    double rate, now;
};

static int next_arrival(struct trace *trace, struct job_spec *j)
{
    struct arrivals *s = (struct arrivals *)trace;
    uint32_t class = 0;

    if (s->left-- == 0)
        return 0;
    s->now += gsl_ran_exponential(s->r, 1 / s->rate);
    for (double u = gsl_rng_uniform(s->r) * s->rate;
         (u -= s->traffic->rate[class]) > 0 && class + 1 < CLASSES;)
        class ++;
    *j = (struct job_spec){.submit = (sim_time)(s->now * MEAN + 0.5),
                           .gpus = s->traffic->gpus[class],
                           .asked = 1, /* where GPUs are shared: the first */
                           .model = NO_MODEL,
                           .experiment = NO_EXPERIMENT,
                           .trial = s->row++,
                           .work = 1 + (int64_t)(draw(s->r, s->traffic->law) * MEAN)};
    return 1;
}

struct counter {
    struct sink sink;
    const struct traffic *traffic;
    uint32_t skip;    /* the first so many jobs do not count */
    sim_time *submit; /* by number */
    uint32_t *gpus;
    double jct;
    uint32_t ended, came[CLASSES], rejected[CLASSES];
};

static void count(struct sink *sink, const struct record *r)
{
    struct counter *c = (struct counter *)sink;
    uint32_t number = r->job == NO_JOB ? 0 : sim_number(r->job), class = 0;

    if (r->job == NO_JOB || number < c->skip)
        return;
    if (r->kind == REC_ARRIVE) {
        c->submit[number] = r->t;
        c->gpus[number] = r->n;
    }
    while (class + 1 < CLASSES && c->traffic->gpus[class] != c->gpus[number])
        class ++;
    c->came[class] += r->kind == REC_ARRIVE;
    c->rejected[class] += r->kind == REC_REJECT;
    if (r->kind == REC_END) {
        c->jct += (double)(r->t - c->submit[number]) / MEAN;
        c->ended++;
    }
}

static void replicate(const struct small *s, const struct chosen_policy *p,
                      const struct traffic *traffic, uint32_t jobs, uint64_t seed,
                      struct counter *out)
{
    struct arrivals source = {
        {next_arrival, NULL}, traffic, rng_stream(seed, "queue", 0), jobs, 0, 0, 0};
    struct sink *sinks[] = {&out->sink};
    struct arena *a = arena_new();
    struct belief *belief =
        belief_open(a, NULL, tree_scalar(a, (struct mark){0}, "exact", 5), &s->world);

    for (int i = 0; i < CLASSES; i++)
        source.rate += traffic->rate[i];
    *out = (struct counter){.sink = {count, false},
                            .traffic = traffic,
                            .skip = jobs / 10,
                            .submit = arena_get(a, jobs * sizeof *out->submit),
                            .gpus = arena_get(a, jobs * sizeof *out->gpus)};
    struct engine *e = engine_new(&(struct engine_setup){.world = &s->world,
                                                         .trace = &source.trace,
                                                         .policy = p->policy,
                                                         .params = p->params,
                                                         .belief = belief,
                                                         .sink = sinks,
                                                         .n_sinks = 1,
                                                         .until = SIM_NEVER,
                                                         .max_rounds = 100,
                                                         .paranoid = true});
    enum run_end end = engine_run(e);
    cr_assert_eq(end, RUN_DRAINED, "%s: %s", p->label, engine_reason(e));
    engine_free(e);
    gsl_rng_free(source.r);
    arena_free(a);
}

/* ---- means and their errors ---- */

struct estimate {
    double mean, error;
};

static struct estimate estimate_of(const double x[REPLICATIONS])
{
    double sum = 0, squares = 0;

    for (int i = 0; i < REPLICATIONS; i++)
        sum += x[i];
    for (int i = 0; i < REPLICATIONS; i++)
        squares += (x[i] - sum / REPLICATIONS) * (x[i] - sum / REPLICATIONS);
    return (struct estimate){sum / REPLICATIONS, sqrt(squares / (REPLICATIONS - 1) / REPLICATIONS)};
}

static void must_hit(struct estimate e, double exact, const char *what)
{
    double z = (e.mean - exact) / e.error;

    cr_log_info("%-40s %.5f +- %.5f, exact %.5f, z %.2f", what, e.mean, e.error, exact, z);
    cr_expect(fabs(z) < 4 && e.error < 0.06 * exact, "%s: %.5f +- %.5f, exact %.5f, z %.2f", what,
              e.mean, e.error, exact, z);
}

static struct estimate mean_in(struct small *s, const char *label, enum law law, uint32_t servers,
                               double rho, uint32_t jobs)
{
    struct traffic traffic = {law, {1}, {rho * servers}};
    struct chosen_policy p = law_policy(s->arena, label);
    double x[REPLICATIONS];

    small_nodes(s, small_type(s), servers > 4 ? servers / 4 : 1, servers > 4 ? 4 : servers);
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        struct counter c;
        replicate(s, &p, &traffic, jobs, i, &c);
        x[i] = c.jct / c.ended;
    }
    small_free(s);
    return estimate_of(x);
}

static struct estimate mean_jct(const char *label, enum law law, uint32_t servers, double rho,
                                uint32_t jobs)
{
    return mean_in(small_new(1), label, law, servers, rho, jobs);
}

/* One GPU that all share. */
static struct estimate mean_shared(enum fidelity fidelity, enum law law, double rho, uint32_t jobs)
{
    struct small *s = small_new(1);

    s->world.residents = MOST_RESIDENTS;
    s->world.contention = contentions[0];
    s->world.fidelity = fidelity;
    return mean_in(s, "even_split", law, 1, rho, jobs);
}

/* ---- the formulas; mean service 1 ---- */

static double erlang_c(uint32_t c, double a)
{
    double b = 1;

    for (uint32_t n = 1; n <= c; n++)
        b = a * b / (n + a * b);
    return b / (1 - a / c * (1 - b));
}

static double m_m_c(double rho, uint32_t c)
{
    return 1 + erlang_c(c, rho * c) / (c * (1 - rho));
}

/* Pollaczek-Khinchine. */
static double m_g_1(double rho, enum law law)
{
    return 1 + rho * second_moment(law) / 2 / (1 - rho);
}

/* Exponential service: load and second moment of the jobs up to x. */
static double load(double rho, double x)
{
    return rho * (1 - exp(-x) * (1 + x));
}
static double squares(double x)
{
    return 2 - exp(-x) * (x * x + 2 * x + 2);
}

static double residence(double t, void *rho)
{
    return 1 / (1 - load(*(double *)rho, t));
}

static double integral(double (*f)(double, void *), double from, double to, double rho)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(1000);
    gsl_function g = {f, &rho};
    double x, error;

    gsl_integration_qag(&g, from, to, 0, 1e-7, 1000, GSL_INTEG_GAUSS31, w, &x, &error);
    gsl_integration_workspace_free(w);
    return x;
}

/* Schrage and Miller 1966: waiting until the first service, and residence, of a job of size x. */
static double schrage_miller(double x, void *p)
{
    double rho = *(double *)p, rest = 1 - load(rho, x);
    double wait = rho * (squares(x) + x * x * exp(-x)) / (2 * rest * rest);

    return exp(-x) * (wait + integral(residence, 0, x, rho));
}

/* Shortest job first without preemption: priority classes of width 0 (Cobham 1954, Phipps 1956). */
static double phipps(double x, void *p)
{
    double rho = *(double *)p, rest = 1 - load(rho, x);

    return exp(-x) * (1 + rho / (rest * rest));
}

static double m_m_1_srpt(double rho)
{
    return integral(schrage_miller, 0, 40, rho);
}
static double m_m_1_sjf(double rho)
{
    return integral(phipps, 0, 40, rho);
}

/* ---- one class of jobs ---- */

Test(queues, first_come_first_served)
{
    must_hit(mean_jct("fifo", EXPONENTIAL, 1, 0.5, 8000), m_m_c(0.5, 1), "M/M/1, load 0.5");
    must_hit(mean_jct("fifo", EXPONENTIAL, 1, 0.8, 15000), m_m_c(0.8, 1), "M/M/1, load 0.8");
    must_hit(mean_jct("fifo", EXPONENTIAL, 2, 0.8, 10000), m_m_c(0.8, 2), "M/M/2, load 0.8");
    must_hit(mean_jct("fifo", EXPONENTIAL, 8, 0.8, 10000), m_m_c(0.8, 8), "M/M/8, load 0.8");
    must_hit(mean_jct("fifo", LOGNORMAL, 1, 0.7, 10000), m_g_1(0.7, LOGNORMAL), "M/G/1, lognormal");
    must_hit(mean_jct("fifo", HYPER, 1, 0.5, 8000), m_g_1(0.5, HYPER), "M/G/1, hyperexponential");
    must_hit(mean_jct("fifo", CONSTANT, 1, 0.8, 8000), m_g_1(0.8, CONSTANT), "M/D/1");
    must_hit(mean_jct("fifo", LOGNORMAL, 32, 0.3, 4000), 1, "M/G/32, nearly M/G/oo");
}

Test(queues, size_based)
{
    must_hit(mean_jct("srtf", EXPONENTIAL, 1, 0.8, 8000), m_m_1_srpt(0.8), "M/M/1-SRPT, load 0.8");
    must_hit(mean_jct("srtf", EXPONENTIAL, 1, 0.5, 6000), m_m_1_srpt(0.5), "M/M/1-SRPT, load 0.5");
    must_hit(mean_jct("sjf", EXPONENTIAL, 1, 0.8, 8000), m_m_1_sjf(0.8), "M/M/1-SJF, load 0.8");
}

/* Whoever does not know sizes cannot change the mean of exponential ones: the rest of a job is as a
 * new one. */
Test(queues, blind_to_sizes)
{
    static const char *const labels[] = {"las[threshold_gpu_s=0,quantum_s=50]",
                                         "las[threshold_gpu_s=1000,quantum_s=10]",
                                         "rr[quantum_s=100]", "hermes", "uniform"};

    for (size_t i = 0; i < LENGTH(labels); i++)
        must_hit(mean_jct(labels[i], EXPONENTIAL, 1, 0.7, 4000), m_m_c(0.7, 1), labels[i]);
}

/* Round robin with short quanta is processor sharing: of the law of service only the mean counts.
 */
Test(queues, processor_sharing)
{
    must_hit(mean_jct("rr[quantum_s=20]", HYPER, 1, 0.5, 2000), 2, "M/G/1-PS, hyperexponential");
    must_hit(mean_jct("rr[quantum_s=20]", CONSTANT, 1, 0.5, 2000), 2, "M/D/1-PS");
}

/* Nor on a GPU that is shared, by either fidelity: 1/(mu - lambda). */
Test(queues, shared_gpu)
{
    static const enum law laws[] = {EXPONENTIAL, HYPER, CONSTANT};

    for (size_t i = 0; i < LENGTH(laws); i++) {
        must_hit(mean_shared(FIDELITY_FLUID, laws[i], 0.6, 4000), 2.5, "M/G/1-PS, fluid");
        must_hit(mean_shared(FIDELITY_STEP, laws[i], 0.6, 4000), 2.5, "M/G/1-PS, step");
    }
}

/* Attained service tells what is left: less than at first if sizes are constant, more if they vary
 * much. */
Test(queues, least_attained_service)
{
    double las = mean_jct("las[threshold_gpu_s=0,quantum_s=50]", HYPER, 1, 0.7, 2000).mean,
           two = mean_jct("las[threshold_gpu_s=2000,quantum_s=50]", HYPER, 1, 0.7, 2000).mean;
    double constant = mean_jct("las[threshold_gpu_s=0,quantum_s=50]", CONSTANT, 1, 0.7, 2000).mean;

    cr_assert(las < two && two < 1 / (1 - 0.7), "varied sizes: %g, two queues %g, shared %g", las,
              two, 1 / (1 - 0.7));
    cr_assert(constant > 1.2 / (1 - 0.7), "constant sizes: %g, shared %g", constant, 1 / (1 - 0.7));
}

/* ---- several classes, no room to wait ---- */

static void start_or_reject(void *self, struct cx *cx)
{
    job_id j;

    (void)self;
    while ((j = sim_first(cx, JOB_WAITING)) != NO_JOB) {
        const struct placement *p = sim_pick(cx, j);
        if (p)
            sim_start(cx, j, p, "there is room");
        else
            sim_reject(cx, j, "there is no room");
    }
}

static const struct policy loss = {.abi = POLICY_ABI,
                                   .size = sizeof(struct policy),
                                   .flags = POLICY_REJECTS,
                                   .name = "loss",
                                   .about = "no waiting",
                                   .schedule = start_or_reject};

/* Kaufman 1981, Roberts 1981: the share of time in which fewer than gpus[i] of so many GPUs are
 * free. */
static void kaufman_roberts(const struct traffic *t, uint32_t all, double blocked[CLASSES])
{
    double q[65] = {1}, sum = 1;

    for (uint32_t j = 1; j <= all; j++) {
        for (int i = 0; i < CLASSES; i++)
            q[j] += j >= t->gpus[i] ? t->rate[i] * t->gpus[i] * q[j - t->gpus[i]] / j : 0;
        sum += q[j];
    }
    for (int i = 0; i < CLASSES; i++) {
        blocked[i] = 0;
        for (uint32_t j = all - t->gpus[i] + 1; j <= all; j++)
            blocked[i] += q[j] / sum;
    }
}

Test(queues, kaufman_roberts)
{
    static const struct traffic traffic = {LOGNORMAL, {1, 4, 8}, {4, 1, 0.75}};
    struct chosen_policy p = {.policy = &loss, .label = "loss"};
    struct small *s = small_new(1);
    double x[CLASSES][REPLICATIONS], exact[CLASSES];

    small_nodes(s, small_type(s), 4, 4);
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        struct counter c;
        replicate(s, &p, &traffic, 8000, i, &c);
        for (int k = 0; k < CLASSES; k++)
            x[k][i] = (double)c.rejected[k] / c.came[k];
    }
    kaufman_roberts(&traffic, 16, exact);
    for (int k = 0; k < CLASSES; k++)
        must_hit(estimate_of(x[k]), exact[k],
                 k == 0   ? "blocked, 1 GPU"
                 : k == 1 ? "blocked, 4 GPUs"
                          : "blocked, 8 GPUs");
    small_free(s);
}
