/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <string.h>

#include "analysis/plot_kinds.h"
#include "sim/cli/manual.h"
#include "sim/model/config.h"
#include "sim/model/predictor.h"

/* The word that is being typed: `lead` stays, what may follow it begins with `typed`. */
struct typing {
    struct out *out;
    const char *lead;
    size_t lead_len;
    const char *typed;
};

/* ---- candidates ---- */

static void offer(const struct typing *t, const char *text, size_t n, const char *end,
                  const char *about)
{
    size_t typed = strlen(t->typed);

    if (typed > n + strlen(end) || strncmp(text, t->typed, typed < n ? typed : n) != 0)
        return;
    out_bytes(t->out, t->lead, t->lead_len);
    out_bytes(t->out, text, n);
    out_printf(t->out, "%s\t%s\n", end, about);
}

static void offer_name(const struct typing *t, const char *name, const char *about)
{
    offer(t, name, strlen(name), "", about);
}

static void offer_files(const struct typing *t, const char *ending)
{
    out_printf(t->out, "@files %s\n", ending);
}

static void offer_commands(const struct typing *t)
{
    for (int i = 0; commands[i]; i++)
        offer_name(t, commands[i]->name, commands[i]->about);
}

static void offer_kinds(const struct typing *t)
{
    for (int i = 0; plot_kinds[i].name; i++)
        offer_name(t, plot_kinds[i].name, plot_kinds[i].about);
}

static void offer_policies(const struct typing *t)
{
    for (int i = 0; builtin_policies[i]; i++)
        offer_name(t, builtin_policies[i]->name, builtin_policies[i]->about);
}

static void offer_predictors(const struct typing *t)
{
    for (int i = 0; predictors[i]; i++)
        offer_name(t, predictors[i]->name, predictors[i]->about);
}

/* ---- overrides: KEY=VALUE ---- */

static const struct {
    const char *key, *about;
    void (*values)(const struct typing *); /* NULL: a file that ends so */
    const char *ending;
} named_keys[] = {
    {"policy", "NAME or NAME[param=value,...]", offer_policies, NULL},
    {"predictor", NULL, offer_predictors, NULL}, /* described by its field */
    {"cluster", "a file, or a map", NULL, ".yaml"},
    {"cost", "a file, or a map", NULL, ".yaml"},
    {"overheads", "a file, or a map", NULL, ".yaml"},
    {"draw", "a file, or a map", NULL, ".yaml"},
    {"trace", NULL, NULL, ".csv"},
};
#define N_KEYS (sizeof(named_keys) / sizeof(*named_keys))

static const struct field *run_fields(void)
{
    return config_sections[0].fields;
}

static void offer_keys(const struct typing *t)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (named_keys[i].about)
            offer(t, named_keys[i].key, strlen(named_keys[i].key), "=", named_keys[i].about);
    for (const struct field *f = run_fields(); f->type != FIELD_END; f++)
        offer(t, f->name, strlen(f->name), "=", f->about);
}

static void offer_field(const struct typing *t, const struct field *f)
{
    if (f->type == FIELD_BOOL) {
        offer_name(t, "true", "");
        offer_name(t, "false", "");
    }
    for (int i = 0; f->type == FIELD_CHOICE && f->choices[i]; i++)
        offer_name(t, f->choices[i], "");
}

static bool is(const char *name, const char *text, size_t n)
{
    return strlen(name) == n && memcmp(name, text, n) == 0;
}

static void offer_value(const struct typing *t, const char *key, size_t n)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        if (!is(named_keys[i].key, key, n))
            continue;
        if (named_keys[i].values)
            named_keys[i].values(t);
        else
            offer_files(t, named_keys[i].ending);
    }
    for (const struct field *f = run_fields(); f->type != FIELD_END; f++)
        if (is(f->name, key, n))
            offer_field(t, f);
}

static void offer_override(const struct typing *t)
{
    size_t n = strcspn(t->typed, "=");
    struct typing value = *t;

    if (!t->typed[n]) {
        offer_keys(t);
        return;
    }
    value.lead_len = (size_t)(t->typed + n + 1 - t->lead); /* both are in one word */
    value.typed = t->typed + n + 1;
    offer_value(&value, t->typed, n);
}

/* ---- what help says is wanted ---- */

/* One of the things between the bars. */
static void offer_wanted(const struct typing *t, const char *want, size_t n)
{
    static const struct {
        const char *name;
        void (*offer)(const struct typing *);
    } things[] = {{"KIND", offer_kinds},
                  {"LABEL", offer_policies},
                  {"COMMAND", offer_commands},
                  {"KEY.PATH=VALUE", offer_override}};
    char ending[16] = "";

    if (islower((unsigned char)*want))
        offer(t, want, n, "", "");
    else if (is("DIR", want, n))
        out_text(t->out, "@folders\n");
    else if (strncmp(want, "FILE", 4) == 0 && (n == 4 || want[4] == '.')) {
        snprintf(ending, sizeof(ending), "%.*s", (int)(n - 4), want + 4);
        offer_files(t, ending);
    }
    for (size_t i = 0; i < sizeof(things) / sizeof(*things); i++)
        if (is(things[i].name, want, n))
            things[i].offer(t);
}

static void offer_any(const struct typing *t, const char *want, size_t n)
{
    while (n > 0) {
        size_t one = strcspn(want, "|");

        one = one < n ? one : n;
        offer_wanted(t, want, one);
        want += one + (one < n);
        n -= one + (one < n);
    }
}

/* The word at a position, as "DIR... [FILE.json]" has them; n becomes 0: none is wanted there. */
static const char *wanted_at(const char *words, uint32_t position, size_t *n)
{
    for (;; words += *n + (words[*n] == ' ')) {
        bool maybe = *words == '[';

        *n = strcspn(words, " ");
        bool more = *n > 4 && strncmp(words + *n - 3 - maybe, "...", 3) == 0 &&
                    words[*n - 4 - maybe] != '|';
        if (position-- > 0 && *n > 0 && !more)
            continue;
        if (maybe)
            *n = isupper((unsigned char)words[1]) ? *n - 2 : 0;
        if (more && *n > 0)
            *n -= 3;
        return words + maybe;
    }
}

static void offer_word(const struct typing *t, const struct command *c, uint32_t position)
{
    size_t n;
    const char *want = wanted_at(c->words, position, &n);

    if (position == 0 && c->choice) {
        for (uint32_t i = 0; c->choice(i); i++)
            offer_name(t, c->choice(i), "");
    } else if (is("...", want, n)) {
        offer_files(t, "");
    } else {
        offer_any(t, want, n);
    }
}

/* ---- options ---- */

static const struct option_row *long_option(const struct command *c, const char *name, size_t n)
{
    for (const struct option_row *o = c->options; o->name; o++)
        if (is(o->name, name, n))
            return o;
    return NULL;
}

/* The option whose value is the next word, after this one; or NULL. */
static const struct option_row *opens(const struct command *c, const char *word)
{
    const struct option_row *o = NULL;

    if (word[0] != '-' || !word[1])
        return NULL;
    if (word[1] == '-') {
        o = long_option(c, word + 2, strlen(word + 2));
        return o && o->arg ? o : NULL;
    }
    for (word++; *word; word++)
        for (o = c->options; o->name; o++)
            if (o->letter == *word && o->arg)
                return word[1] ? NULL : o;
    return NULL;
}

static void offer_options(const struct typing *t, const struct command *c)
{
    size_t n = strcspn(t->typed, "=");
    struct typing value = *t;
    char name[64];

    if (t->typed[n]) {
        const struct option_row *o =
            n > 2 && t->typed[1] == '-' ? long_option(c, t->typed + 2, n - 2) : NULL;
        value.lead_len = n + 1;
        value.typed += n + 1;
        if (o && o->arg)
            offer_any(&value, o->arg, strlen(o->arg));
        return;
    }
    for (const struct option_row *o = c->options; o->name; o++) {
        snprintf(name, sizeof(name), "--%s", o->name);
        offer_name(t, name, o->about);
    }
}

static void complete_command(const struct typing *t, const struct command *c,
                             const char *const *word, uint32_t n)
{
    const struct option_row *open = NULL;
    uint32_t position = 0;
    bool options = true;

    for (uint32_t i = 0; i < n; i++) {
        if (open)
            open = NULL;
        else if (options && strcmp(word[i], "--") == 0)
            options = false;
        else if (options && word[i][0] == '-' && word[i][1])
            open = opens(c, word[i]);
        else
            position++;
    }
    if (open)
        offer_any(t, open->arg, strlen(open->arg));
    else if (options && t->typed[0] == '-')
        offer_options(t, c);
    else
        offer_word(t, c, position);
}

void complete_words(struct out *o, const char *const *word, uint32_t n)
{
    struct typing t = {.out = o, .lead = n ? word[n - 1] : "", .typed = n ? word[n - 1] : ""};

    if (n <= 1) {
        offer_commands(&t);
        offer_name(&t, "--help", "the commands");
        offer_name(&t, "--version", "versions of hetune and its libraries");
        return;
    }
    for (int i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, word[0]) == 0)
            complete_command(&t, commands[i], word + 1, n - 2);
}
