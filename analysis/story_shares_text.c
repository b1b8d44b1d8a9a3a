/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How stories tell rates, and shares that change. */
#include <math.h>

#include "analysis/story_text.h"

#define SPLITS_SHOWN 8u /* of more, the first and the last halves */

void say_why(struct out *o, const char *before, const char *why)
{
    if (!why)
        return;
    out_text(o, before);
    say_safe(o, why);
}

void say_rate(struct out *o, const struct story_stint *x, double rate, double told, bool shared)
{
    if (x->batch == 0) { /* without a model */
        if (rate == 1)
            out_text(o, "runs at nominal speed");
        else {
            out_text(o, "runs at ");
            say_real(o, rate);
            out_text(o, " times nominal speed");
        }
        return;
    }
    out_text(o, shared ? "would run at " : "runs at ");
    say_real(o, rate);
    out_text(o, rate == 1 ? " step/s" : " steps/s");
    if (shared)
        out_text(o, " alone there");
    if (isnan(told)) {
        out_text(o, ", measured on this GPU type before");
    } else if (told == rate) {
        out_text(o, ", as predicted");
    } else {
        out_text(o, "; predicted were ");
        say_real(o, told);
        out_printf(o, " (%+.1f %%)", 100 * (told - rate) / rate);
    }
}

void say_shares(struct out *o, const struct share *s, uint32_t n)
{
    for (uint32_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && s[k].gpu == s[i].gpu + (k - i) && s[k].samples == s[i].samples;
             k++)
            ;
        out_printf(o, "%s%u", i ? " " : "", s[i].gpu);
        if (k - i > 1)
            out_printf(o, "-%u", s[k - 1].gpu);
        out_printf(o, "*%u", s[i].samples);
    }
}

static void put_split(struct out *o, const struct story_stint *x, const struct story_split *p,
                      bool shared)
{
    say_clock(o, p->at);
    out_text(o, "  its batch is split anew: ");
    say_shares(o, p->share, x->n);
    out_text(o, "; ");
    say_rate(o, x, p->rate, p->told, shared);
    say_why(o, "\n" SAY_INDENT "why: ", p->why);
    out_char(o, '\n');
}

void say_splits(struct out *o, const struct story_stint *x, bool shared)
{
    uint32_t head = x->splits > SPLITS_SHOWN ? SPLITS_SHOWN / 2 : x->splits;

    for (uint32_t i = 0; i < x->splits; i++) {
        if (i == head && i + head < x->splits) {
            out_printf(o, "       ...    its batch is split anew %u more times (--json has all)\n",
                       x->splits - 2 * head);
            i = x->splits - head;
        }
        put_split(o, x, &x->split[i], shared);
    }
}

void say_rates(struct out *o, const struct story_stint *x)
{
    const struct story_rates *r = &x->rates;

    if (r->n == 0)
        return;
    out_text(o, SAY_INDENT "as its GPUs are shared: ");
    say_real(o, r->least);
    if (r->most > r->least) {
        out_text(o, " to ");
        say_real(o, r->most);
    }
    out_text(o, x->batch ? " steps/s" : " times nominal speed");
    out_text(o, ", mean of this stretch ");
    say_real(o, r->mean);
    out_text(o, "; ");
    say_count(o, r->n, "change", "changes");
    out_char(o, '\n');
}
