/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plain C below the CUDA microbenchmarks: grids, order, statistics, references, JSON. */
#include <float.h>
#include <math.h>

#include "tests/unit/capture.h"

#include "analysis/microbench/facts.h"
#include "analysis/microbench/options.h"
#include "analysis/microbench/order.h"
#include "analysis/microbench/reference.h"
#include "analysis/microbench/report.h"
#include "analysis/microbench/samples.h"
#include "sim/text/json.h"

static const struct mb_gpu large = {.product = "NVIDIA H100 80GB HBM3",
                                    .cc = 90,
                                    .sms = 132,
                                    .clock_mhz = 1980,
                                    .gpus = 4,
                                    .memory = (int64_t)80 << 30,
                                    .l2 = 50 << 20},
                           small = {.product = "Tesla M40",
                                    .cc = 52,
                                    .gpus = 1,
                                    .memory = (int64_t)12 << 30,
                                    .l2 = 3 << 20};

static mb_plan *const plans[] = {
    mb_plan_gemm,      mb_plan_bmm,        mb_plan_conv,    mb_plan_batch_norm, mb_plan_elementwise,
    mb_plan_optimizer, mb_plan_reduce,     mb_plan_softmax, mb_plan_layer_norm, mb_plan_embedding,
    mb_plan_stream,    mb_plan_launch,     mb_plan_copy,    mb_plan_allocate,   mb_plan_context,
    mb_plan_peer,      mb_plan_all_reduce, mb_plan_shared};

enum { PLANS = sizeof plans / sizeof *plans };

/* ---- statistics ---- */

Test(microbench, median_and_spread)
{
    double odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, two[] = {1, 2};
    struct mb_result r;

    mb_summarise(odd, 5, &r);
    cr_assert(r.value == 3 && fabs(r.spread - 2. / 3) < 1e-15, "%g %g", r.value, r.spread);
    mb_summarise(even, 4, &r);
    cr_assert(r.value == 2.5 && fabs(r.spread - 1.5 / 2.5) < 1e-15, "%g %g", r.value, r.spread);
    mb_summarise(two, 2, &r);
    cr_assert(r.value == 1.5 && isnan(r.spread));
    cr_assert(mb_round(123456.7, 5) == 123460 && mb_round(1.23456e-9, 3) == 1.23e-9);
    cr_assert(isnan(mb_round(NAN, 3)));
}

/* A right result passes, one that is off by its own size does not, in every precision and length.
 */
Test(microbench, judge_tells_wrong_from_rounded)
{
    static const double unit[] = {0, 0x1p-24, 0x1p-11, 0x1p-11, 0x1p-8};
    struct mb_result r;

    for (int p = MB_FP32; p <= MB_BF16; p++)
        for (double terms = 2; terms < 1e6; terms *= 8)
            for (int winograd = 0; winograd < 2; winograd++) {
                double norm = sqrt(terms / 9);
                struct mb_sample right = {norm * (1 + 4 * unit[p]), norm, norm},
                                 wrong = {-norm, norm, norm}, none = {NAN, norm, norm},
                                 missing = {0, norm, norm};

                cr_assert(mb_judge(&right, 1, p, terms, winograd, &r) == MB_DONE, "%d %g", p,
                          terms);
                cr_assert(mb_judge(&wrong, 1, p, terms, winograd, &r) == MB_WRONG, "%d %g", p,
                          terms);
                cr_assert(mb_judge(&none, 1, p, terms, winograd, &r) == MB_WRONG);
                cr_assert(mb_judge(&missing, 1, p, terms, winograd, &r) == MB_WRONG);
            }
    cr_assert(strncmp(r.why, "wrong result: 0 instead of ", 27) == 0, "%s", r.why);
    cr_assert(mb_near(1.00001, 1, MB_FP32, 1) && !mb_near(1.0001, 1, MB_FP32, 1));
    cr_assert(mb_near(1.001, 1, MB_FP16, 1) && !mb_near(1.01, 1, MB_FP16, 1));
}

/* ---- references ---- */

Test(microbench, references)
{
    float x[] = {1, 2, 3, 4}, dy[] = {1, 0, 0, 0}, g[] = {2, 2, 2, 2}, b[] = {1, 1, 1, 1}, y[4];
    double out[4], want[4], w[3] = {1, 0, 0};

    cr_assert(mb_ref_elementwise("add", 2, 3) == 5 && mb_ref_elementwise("div", 3, 2) == 1.5);
    cr_assert(mb_ref_elementwise("mul_scalar", 2, 9) == 2.5);
    cr_assert(mb_ref_elementwise("pow", 2, 3) == 8 && mb_ref_elementwise("relu", -2, 0) == 0);
    cr_assert(fabs(mb_ref_elementwise("gelu", 1, 0) - 0.841344746) < 1e-9);
    cr_assert(fabs(mb_ref_elementwise("tanh", 1, 0) - 0.761594156) < 1e-9);
    cr_assert(isnan(mb_ref_elementwise("sine", 1, 0)));
    cr_assert(mb_ref_sum(x, 4) == 10);
    mb_ref_softmax(x, 4, want);
    cr_assert(fabs(want[3] - 0.643914260) < 1e-9 && fabs(want[0] - 0.0320586) < 1e-7);
    for (int i = 0; i < 4; i++)
        y[i] = (float)want[i];
    mb_ref_softmax_back(y, dy, 4, out);
    cr_assert(fabs(out[0] - want[0] * (1 - want[0])) < 1e-7);
    cr_assert(fabs(out[3] + want[3] * want[0]) < 1e-7);
    mb_ref_layer_norm(x, g, b, 4, out);
    cr_assert(fabs(out[0] - (1 - 2 * 1.5 / sqrt(1.25 + 1e-5))) < 1e-6, "%.9g", out[0]);
    mb_ref_optimizer("momentum", 1, w);
    mb_ref_optimizer("momentum", 1, w);
    cr_assert(fabs(w[1] - 1.9) < 1e-6 && fabs(w[0] - (1 - 0.01 * 2.9)) < 1e-6);
}

/* The gradient of layer normalisation is what differences give. */
Test(microbench, layer_norm_gradient)
{
    float x[] = {0.5f, -1, 2, 0.25f}, g[] = {1, 2, 0.5f, 1}, b[4] = {0}, dy[] = {1, -1, 0.5f, 2};
    double dx[4], low[4], high[4];

    mb_ref_layer_norm_back(x, g, dy, 4, dx);
    for (int i = 0; i < 4; i++) {
        float kept = x[i], step = 0x1p-10f;
        double slope = 0;

        x[i] = kept - step;
        mb_ref_layer_norm(x, g, b, 4, low);
        x[i] = kept + step;
        mb_ref_layer_norm(x, g, b, 4, high);
        x[i] = kept;
        for (int j = 0; j < 4; j++)
            slope += (double)dy[j] * (high[j] - low[j]) / (2 * (double)step);
        cr_assert(fabs(dx[i] - slope) < 1e-4, "%d: %g %g", i, dx[i], slope);
    }
}

/* ---- order ---- */

Test(microbench, every_case_comes_once)
{
    for (size_t n = 1; n < 400; n++) {
        bool *seen = mem_get(n);

        for (size_t i = 0; i < n; i++) {
            size_t at = mb_order_case(i, n);

            cr_assert(at < n && !seen[at], "%zu of %zu", i, n);
            seen[at] = true;
        }
        mem_drop(seen);
    }
    cr_assert(mb_order_case(0, 9) == 0 && mb_order_case(1, 9) == 8);
}

/* A shorter budget measures a beginning, which is spread over the grid. */
Test(microbench, beginnings_are_spread)
{
    for (size_t n = 100; n < 3000; n += 97) {
        size_t tenths[10] = {0};

        for (size_t i = 0; i < n / 2; i++)
            tenths[mb_order_case(i, n) * 10 / n]++;
        for (size_t t = 0; t < 10; t++)
            cr_assert(tenths[t] * 10 > n / 3, "tenth %zu of %zu: %zu", t, n, tenths[t]);
    }
}

Test(microbench, benchmarks_take_turns)
{
    size_t cases[] = {20, 0, 3};
    struct mb_step steps[23], first[23];

    cr_assert(mb_order(cases, 3, 0, steps) == 23);
    cr_assert(mb_order(cases, 3, 1, first) == 11);
    cr_assert(memcmp(steps, first, 11 * sizeof *steps) == 0);
    cr_assert(steps[7].bench == 0 && steps[8].bench == 2 && steps[11].bench == 0);
    for (size_t i = 0; i < 11; i++)
        cr_assert(i < 8 ? steps[i].at == mb_order_case(i, 20)
                        : steps[i].at == mb_order_case(i - 8, 3));
}

/* ---- grids ---- */

/* The least and the largest of each dimension, over cases of a kind and a precision. */
static void bounds(const struct mb_grid *g, const char *kind, enum mb_precision p, int64_t least[],
                   int64_t most[])
{
    for (size_t d = 0; d < MB_DIMS; d++) {
        least[d] = INT64_MAX;
        most[d] = 0;
        for (size_t i = 0; i < g->n; i++)
            if (strcmp(g->cases[i].kind, kind) == 0 && g->cases[i].precision == p) {
                int64_t v = g->cases[i].dim[d];

                least[d] = v < least[d] ? v : least[d];
                most[d] = v > most[d] ? v : most[d];
            }
    }
}

static void brackets(mb_plan *plan, const char *kind, size_t dims, const int64_t (*extremes)[2])
{
    struct mb_grid g = {0};
    int64_t least[MB_DIMS], most[MB_DIMS];

    plan(&g, &large);
    for (int p = MB_FP32; p <= MB_FP16; p++) {
        bounds(&g, kind, p, least, most);
        for (size_t d = 0; d < dims; d++)
            cr_assert(least[d] <= extremes[d][0] && most[d] >= extremes[d][1],
                      "dimension %zu: %lld to %lld", d, (long long)least[d], (long long)most[d]);
    }
    mb_grid_drop(&g);
}

/* The extremes of the public tables: DeepBench's gemm_train and conv_train, NeuSight's linear (rows
 * up to 8192) and bmm. */
Test(microbench, grids_bracket_the_public_shapes)
{
    static const int64_t gemm[][2] = {{3, 8448}, {1, 65371}, {2, 500000}, {0, 1}, {0, 1}},
                         bmm[][2] = {{1, 1088}, {7, 1025}, {1, 1025}, {2, 1025}},
                         conv[][2] = {{4, 64}, {1, 2048}, {6, 224}, {7, 700}, {16, 2048}, {1, 11},
                                      {1, 20}, {0, 3},    {0, 3},   {1, 4},   {1, 4}};

    brackets(mb_plan_gemm, "", 5, gemm);
    brackets(mb_plan_bmm, "", 4, bmm);
    brackets(mb_plan_conv, "forward", MB_DIMS, conv);
    brackets(mb_plan_conv, "backward_filter", MB_DIMS, conv);
}

/* Every plan: the same twice, no case twice, series together, nothing that the GPU cannot hold or
 * do. */
Test(microbench, grids_are_sets)
{
    for (size_t n = 0; n < PLANS; n++)
        for (int one = 0; one < 2; one++) {
            const struct mb_gpu *gpu = one ? &small : &large;
            struct mb_grid g = {0}, again = {0};

            plans[n](&g, gpu);
            plans[n](&again, gpu);
            cr_assert(g.n == again.n &&
                      (g.n == 0 || memcmp(g.cases, again.cases, g.n * sizeof *g.cases) == 0));
            cr_assert(g.n > 0 || one, "plan %zu is empty", n);
            for (size_t i = 0; i < g.n; i++) {
                cr_assert(mb_can(gpu, g.cases[i].precision));
                for (size_t j = 0; j < i; j++)
                    cr_assert(strcmp(g.cases[i].kind, g.cases[j].kind) != 0 ||
                                  g.cases[i].precision != g.cases[j].precision ||
                                  memcmp(g.cases[i].dim, g.cases[j].dim, sizeof g.cases[i].dim) !=
                                      0,
                              "plan %zu has case %zu twice", n, i);
            }
            mb_grid_drop(&g);
            mb_grid_drop(&again);
        }
}

/* What the kernels take for granted: rows of whole packs of 16 bytes; channels of at least two. */
Test(microbench, grids_suit_the_kernels)
{
    mb_plan *const rows[] = {mb_plan_reduce, mb_plan_softmax, mb_plan_layer_norm,
                             mb_plan_embedding};
    struct mb_grid g = {0};

    for (size_t n = 0; n < 4; n++)
        rows[n](&g, &large);
    for (size_t i = 0; i < g.n; i++)
        cr_assert(g.cases[i].dim[1] % 8 == 0);
    mb_grid_drop(&g);
    mb_plan_optimizer(&g, &large);
    for (size_t i = 0; i < g.n; i++)
        cr_assert(g.cases[i].dim[0] % 4 == 0);
    mb_grid_drop(&g);
    mb_plan_batch_norm(&g, &large);
    for (size_t i = 0; i < g.n; i++)
        cr_assert(g.cases[i].dim[1] > 1);
    mb_grid_drop(&g);
}

/* ---- names and the report ---- */

Test(microbench, gpu_types)
{
    static const char *const names[][2] = {{"Tesla V100-SXM2-16GB", "V100"},
                                           {"NVIDIA A100-SXM4-40GB", "A100"},
                                           {"NVIDIA A100 80GB PCIe", "A100-80"},
                                           {"NVIDIA A100-SXM4-80GB", "A100-80"},
                                           {"NVIDIA H100 PCIe", "H100-PCIe"},
                                           {"NVIDIA H100 80GB HBM3", "H100"},
                                           {"NVIDIA H200", "H200"},
                                           {"NVIDIA A40", "A40"},
                                           {"NVIDIA L4", "L4"},
                                           {"NVIDIA L40", "L40"},
                                           {"NVIDIA L40S", "L40S"},
                                           {"Tesla T4", "T4"},
                                           {"Tesla P100-PCIE-16GB", "P100"},
                                           {"GeForce GTX 1080 Ti", "1080Ti"},
                                           {"TITAN Xp", "TitanXp"},
                                           {"TITAN X (Pascal)", "TitanX-Pascal"},
                                           {"GeForce GTX TITAN X", "TitanX-Maxwell"},
                                           {"NVIDIA TITAN V", "TITAN-V"},
                                           {"NVIDIA GeForce RTX 3090", "RTX-3090"},
                                           {"NVIDIA RTX A4000", "RTX-A4000"},
                                           {"Tesla K80", "K80"}};
    char type[64];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mb_gpu_type(names[i][0], type, sizeof type);
        cr_assert_str_eq(type, names[i][1], "%s", names[i][0]);
    }
}

static const char *const report =
    "{\n"
    "  \"schema\": \"hetune-microbench\", \"version\": 1,\n"
    "  \"gpu\": {\"type\": \"H100\", \"product\": \"NVIDIA H100 80GB HBM3\", \"memory_gib\": 80, "
    "\"sms\": 132, \"clock_mhz\": 1980},\n"
    "  \"origin\": {\"source\": \"hetune\", \"commit\": \"abc\", \"licence\": "
    "\"GPL-3.0-or-later\"},\n"
    "  \"software\": {\n"
    "    \"cuda\": \"13.0\"\n"
    "  },\n"
    "  \"series\": [\n"
    "    {\"op\": \"softmax\", \"kind\": \"forward\", \"precision\": \"fp32\", \"unit\": \"us\",\n"
    "     \"columns\": [\"rows\", \"width\", \"time\", \"spread\"],\n"
    "     \"rows\": [\n"
    "       [16, 64, 2.5, 0.01],\n"
    "       [16, 512, 3.4568, 0.02]]},\n"
    "    {\"op\": \"softmax\", \"kind\": \"forward\", \"precision\": \"fp16\", \"unit\": \"us\",\n"
    "     \"columns\": [\"rows\", \"width\", \"time\", \"spread\"],\n"
    "     \"rows\": [\n"
    "       [16, 64, 1000000, 0]]},\n"
    "    {\"op\": \"shared\", \"kind\": \"mps_gemm\", \"precision\": \"fp32\", \"unit\": \"1\",\n"
    "     \"columns\": [\"processes\", \"rate\"],\n"
    "     \"rows\": [\n"
    "       [2, 1.05]]}\n"
    "  ]\n"
    "}\n";

Test(microbench, report_is_json_in_the_schema)
{
    static const struct mb_format softmax = {"softmax", "us", {"rows", "width"}, false},
                                  shared = {"shared", "1", {"processes"}, true};
    static const struct mb_fact cuda = {"cuda", "13.0"};
    struct capture *c = capture_new();
    struct out *o = out_memory();
    struct mb_grid rows = {0}, sharing = {0};
    struct mb_outcome is[] = {{true, 2.5e-6, 0.01},
                              {false, 0, 0},
                              {true, 3.45678e-6, 0.02},
                              {true, 1, 0}},
                      factor[] = {{true, 1.05, NAN}};
    bool any = false;
    size_t len;

    mb_grid_add(&rows, "forward", MB_FP32, (int64_t[]){16, 64}, 2);
    mb_grid_add(&rows, "forward", MB_FP32, (int64_t[]){16, 128}, 2);
    mb_grid_add(&rows, "forward", MB_FP32, (int64_t[]){16, 512}, 2);
    mb_grid_add(&rows, "forward", MB_FP16, (int64_t[]){16, 64}, 2);
    mb_grid_add(&sharing, "mps_gemm", MB_FP32, (int64_t[]){2}, 1);
    mb_report_begin(o, &(struct mb_run_facts){&large, "abc", &cuda, 1});
    mb_report_series(o, &softmax, &rows, is, &any);
    mb_report_series(o, &shared, &sharing, factor, &any);
    mb_report_end(o);
    const char *text = out_data(o, &len);
    cr_assert(len == strlen(report) && memcmp(text, report, len) == 0, "%.*s", (int)len, text);
    cr_assert_not_null(json_parse(c->arena, c->diag, capture_source(c, report, len)));
    out_drop(o);
    mb_grid_drop(&rows);
    mb_grid_drop(&sharing);
    capture_free(c);
}

Test(microbench, facts_leave_out_what_is_unknown)
{
    struct mb_facts *f = mem_get(sizeof *f);
    struct mb_nvml before = {.driver = "580.1", .sm_mhz = 1980, .most_sm_mhz = 1980}, after = {0};
    struct mb_skips skips = {0};

    mb_facts_fill(f, &large, &before, &after, &(struct mb_effort){11, 0.25});
    cr_assert(f->n == 4, "%zu", f->n);
    cr_assert_str_eq(f->list[0].key, "driver");
    cr_assert_str_eq(f->list[1].key, "clocks_before");
    cr_assert_str_eq(f->list[2].text, "9.0");
    cr_assert(strstr(f->list[3].text, "median of up to 11 samples in about 0.25 s"));
    mem_drop(f);
    mb_skip_add(&skips, "conv", "built without cuDNN");
    mb_skip_add(&skips, "conv", "built without cuDNN");
    mb_skip_add(&skips, "gemm", "not enough memory");
    cr_assert(skips.n == 2 && skips.list[0].cases == 2 && skips.list[1].cases == 1);
    for (char why[] = "a"; why[0] <= 'z'; why[0]++)
        mb_skip_add(&skips, "copy", why);
    cr_assert(skips.n == MB_SKIPS && skips.list[MB_SKIPS - 1].cases == 5);
}

/* ---- the command line ---- */

static enum mb_ask ask(struct capture *c, struct mb_options *o, int n, const char *const *words)
{
    char *argv[8];

    for (int i = 0; i < n; i++)
        argv[i] = arena_text(c->arena, words[i], strlen(words[i]));
    argv[n] = NULL;
    return mb_options_read(n, argv, o, c->out);
}

#define ASK(...)                                                                                   \
    ask(c, &o, sizeof(const char *[]){"microbench", __VA_ARGS__} / sizeof(char *),                 \
        (const char *[]){"microbench", __VA_ARGS__})

Test(microbench, command_line)
{
    static const char *const names[] = {"gemm", "bmm", "conv"};
    struct capture *c = capture_new();
    struct mb_options o;

    cr_assert(ASK("-o", "x.json") == MB_ASK_RUN && o.minutes == 10 && !o.quick);
    cr_assert(mb_options_wanted(&o, "gemm") && !mb_options_unknown(&o, names, 3));
    cr_assert(ASK("--output=x", "--only", "bmm,conv", "--quick", "--minutes", "2.5") == MB_ASK_RUN);
    cr_assert(o.quick && o.minutes == 2.5 && mb_options_wanted(&o, "conv"));
    cr_assert(!mb_options_wanted(&o, "gemm") && !mb_options_wanted(&o, "bm"));
    cr_assert(ASK("-o", "x", "--only", "gem,conv") == MB_ASK_RUN);
    cr_assert_str_eq(mb_options_unknown(&o, names, 3), "gem");
    cr_assert(ASK("--list") == MB_ASK_LIST && ASK("--help") == MB_ASK_HELP);
    cr_assert(ASK("--child", "gemm") == MB_ASK_CHILD);
    cr_assert(ASK("--quick") == MB_ASK_WRONG && ASK("-o") == MB_ASK_WRONG);
    cr_assert(ASK("--minutes", "0") == MB_ASK_WRONG && ASK("--fast") == MB_ASK_WRONG);
    cr_assert(ASK("-o", "x", "y") == MB_ASK_WRONG);
    cr_assert_str_eq(
        capture_all(c),
        "microbench: error: no file is given to write to; -o FILE is wanted; --help has the usage\n"
        "microbench: error: a value is missing after -o; --help has the usage\n"
        "microbench: error: --minutes takes 0.1 to 600, not 0; --help has the usage\n"
        "microbench: error: there is no option --fast; --help has the usage\n"
        "microbench: error: there is nothing to be done with y; --help has the usage\n");
    capture_free(c);
}
