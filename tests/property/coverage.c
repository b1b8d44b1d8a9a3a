/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/property/check_records.h"

static const char *const more[COVERS - COVER_LANDS_WAITING] = {"landing:waiting",
                                                               "landing:set-up",
                                                               "landing:ends",
                                                               "kill:before-landing",
                                                               "start:before-landing",
                                                               "preempt:set-up",
                                                               "preempt:twice-in-an-instant",
                                                               "preempt:loses",
                                                               "pause:set-up",
                                                               "pause:waiting",
                                                               "kill:waiting",
                                                               "kill:set-up",
                                                               "kill:running",
                                                               "kill:paused",
                                                               "reject:after-running",
                                                               "reject:brings-a-trial",
                                                               "start:waits-for-a-save",
                                                               "save:host-is-full",
                                                               "gang:over-nodes",
                                                               "gang:over-types",
                                                               "split:set-up",
                                                               "split:running",
                                                               "told:wrong",
                                                               "end:tie",
                                                               "unfinished:set-up",
                                                               "unfinished:running",
                                                               "shared",
                                                               "start:beside-others",
                                                               "rate:slower-than-alone",
                                                               "resize:set-up",
                                                               "resize:running",
                                                               "resize:copies",
                                                               "resize:more-gpus",
                                                               "resize:fewer-gpus",
                                                               "resize:refused",
                                                               "preempt:copying",
                                                               "refuse:no-seat",
                                                               "refuse:no-memory",
                                                               "refuse:may-not-share",
                                                               "steps",
                                                               "step:given-up",
                                                               "step:lands",
                                                               "step:epoch-lands",
                                                               "step:given-up-resized",
                                                               "step:lands-resized",
                                                               "step:on-a-left-gpu",
                                                               "step:throng",
                                                               "step:tie"};

void coverage_print(const struct coverage *v, FILE *out)
{
    static const char *const ends[] = {"drained", "until",  "stalled",  "livelock",
                                       "refused", "failed", "bad_input"};
    static const char *const rules[] = {"all_done", "first_good", "all_good",
                                        "target",   "deadline",   "budget"};

    for (int i = 0; i < COVERS; i++) {
        const char *group = i < COVER_ORIGIN          ? "record:"
                            : i < COVER_END           ? "origin:"
                            : i < COVER_CLOSE         ? "run:"
                            : i < COVER_LANDS_WAITING ? "close:"
                                                      : "";
        const char *name = i < COVER_ORIGIN          ? record_name[i]
                           : i < COVER_END           ? origin_name[i - COVER_ORIGIN]
                           : i < COVER_CLOSE         ? ends[i - COVER_END]
                           : i < COVER_LANDS_WAITING ? rules[i - COVER_CLOSE]
                                                     : more[i - COVER_LANDS_WAITING];
        fprintf(out, "# %s%s %llu\n", group, name, (unsigned long long)v->worlds[i]);
    }
    for (int i = 0; builtin_policies[i]; i++) {
        uint64_t n = 0;
        for (int k = 0; k < MOST_POLICIES; k++)
            n += v->policy[k] && strcmp(v->policy[k], builtin_policies[i]->name) == 0
                     ? v->of_policy[k]
                     : 0;
        fprintf(out, "# policy:%s %llu\n", builtin_policies[i]->name, (unsigned long long)n);
    }
    for (int i = 0; builtin_tuners[i]; i++)
        fprintf(out, "# tuner:%s %llu\n", builtin_tuners[i]->name,
                (unsigned long long)v->of_tuner[i]);
}
