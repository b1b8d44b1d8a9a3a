/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/plug.h"

#include <ctype.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/text/conf.h"

#define POLICY(name) extern const struct policy policy_##name;
#include "policies/policies.def"
#undef POLICY
#define TUNER(name) extern const struct tuner tuner_##name;
#include "policies/tuners/tuners.def"
#undef TUNER

#define POLICY(name) &policy_##name,
const struct policy *const builtin_policies[] = {
#include "policies/policies.def"
    NULL};

#define TUNER(name) &tuner_##name,
const struct tuner *const builtin_tuners[] = {
#include "policies/tuners/tuners.def"
    NULL};

/* ---- shared objects ---- */

static bool refuse(struct diag *d, const char *path, const char *why)
{
    return diag_error(d, (struct mark){0}, "policy library %s: %s", path, why);
}

/* Whoever can write the file could run code here. */
static bool may_load(struct diag *d, const char *path)
{
    struct stat st;

    if (!strchr(path, '/'))
        return refuse(
            d, path,
            "the path must hold a '/', as in ./mine.so: bare names are searched in system folders");
    if (stat(path, &st) != 0)
        return refuse(d, path, "there is no such file");
    if (st.st_mode & S_IWOTH)
        return refuse(d, path, "everybody may write it; chmod o-w first");
    return true;
}

/* What both kinds of table begin with. */
static bool right_build(struct diag *d, const char *path, const char *kind, uint32_t abi,
                        uint32_t here, uint32_t size, size_t size_here)
{
    if (abi != here)
        return diag_error(d, (struct mark){0}, "policy library %s: built for %s ABI %u; this is %u",
                          path, kind, abi, here);
    if (size != size_here)
        return diag_error(d, (struct mark){0},
                          "policy library %s: struct %s has %u bytes there, %zu here", path, kind,
                          size, size_here);
    return true;
}

static bool may_use_policy(struct diag *d, const char *path, const struct policy *p)
{
    if (!right_build(d, path, "policy", p->abi, POLICY_ABI, p->size, sizeof(*p)))
        return false;
    if (!p->name || !*p->name || !p->schedule)
        return refuse(d, path, "the policy has no name or no schedule()");
    if (p->flags & ~(uint32_t)(POLICY_PREEMPTS | POLICY_RESIZES | POLICY_SHARES | POLICY_REJECTS |
                               POLICY_ORACLE))
        return refuse(d, path, "the policy sets flags that are not known");
    return true;
}

static bool may_use_tuner(struct diag *d, const char *path, const struct tuner *t)
{
    if (!right_build(d, path, "tuner", t->abi, TUNER_ABI, t->size, sizeof(*t)))
        return false;
    if (!t->name || !*t->name || !t->open)
        return refuse(d, path, "the tuner has no name or no open()");
    return true;
}

bool plug_load(struct plugs *plugs, struct diag *d, const char *path)
{
    uint32_t policies = 0, tuners = 0;

    if (plugs->libraries == PLUG_LIBRARIES)
        return refuse(d, path, "too many libraries");
    if (!may_load(d, path))
        return false;
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return refuse(d, path, dlerror());
    const struct policy *p = dlsym(lib, "policy");
    const struct tuner *t = dlsym(lib, "tuner");
    if (!p && !t)
        return refuse(d, path, "it has no symbol `policy` or `tuner`");
    if ((p && !may_use_policy(d, path, p)) || (t && !may_use_tuner(d, path, t)))
        return false;
    plugs->libraries++;
    while (plugs->policy[policies])
        policies++;
    while (plugs->tuner[tuners])
        tuners++;
    plugs->policy[policies] = p;
    plugs->tuner[tuners] = t;
    return true;
}

/* ---- names ---- */

/* NULL: reported. */
static const struct policy *find_policy(const struct plugs *plugs, struct diag *d, struct mark at,
                                        const char *name)
{
    const struct policy *const *lists[] = {plugs ? plugs->policy : NULL, builtin_policies};
    struct diag_near near = {.word = name};

    for (int k = 0; k < 2; k++) {
        for (const struct policy *const *p = lists[k]; p && *p; p++) {
            if (strcmp((*p)->name, name) == 0)
                return *p;
            diag_consider(&near, (*p)->name);
        }
    }
    diag_unknown(d, at, near.nearest, "unknown policy '%s'", name);
    return NULL;
}

/* NULL: reported. */
static const struct tuner *find_tuner(const struct plugs *plugs, struct diag *d, struct mark at,
                                      const char *name)
{
    const struct tuner *const *lists[] = {plugs ? plugs->tuner : NULL, builtin_tuners};
    struct diag_near near = {.word = name};

    for (int k = 0; k < 2; k++) {
        for (const struct tuner *const *t = lists[k]; t && *t; t++) {
            if (strcmp((*t)->name, name) == 0)
                return *t;
            diag_consider(&near, (*t)->name);
        }
    }
    diag_unknown(d, at, near.nearest, "unknown tuner '%s'", name);
    return NULL;
}

/* ---- labels ---- */

static const struct field no_fields[] = {{.type = FIELD_END}};

/* Letters, digits, '_' and '.' stay; all else becomes one '-'. */
static const char *slug_of(struct arena *a, const char *label)
{
    char *slug = arena_text(a, label, strlen(label)), *to = slug;

    for (const char *c = label; *c; c++) {
        if (isalnum((unsigned char)*c) || *c == '_' || *c == '.')
            *to++ = *c;
        else if (to > slug && to[-1] != '-')
            *to++ = '-';
    }
    while (to > slug && to[-1] == '-')
        to--;
    *to = '\0';
    return slug;
}

/* The same policy, with the flags that its parameters ask for. */
static const struct policy *with_more_flags(struct arena *a, const struct policy *p,
                                            const void *params)
{
    uint32_t more = p->more_flags ? p->more_flags(params) : 0;

    if (!(more & ~p->flags))
        return p;
    struct policy *copy = arena_get(a, sizeof(*copy));
    *copy = *p;
    copy->flags |= more;
    return copy;
}

bool plug_policy(const struct plugs *plugs, struct arena *a, struct diag *d,
                 const struct tree *label, struct chosen_policy *out)
{
    const char *name;
    struct tree *params = conf_label(a, d, label, &name);

    if (!params)
        return false;
    out->policy = find_policy(plugs, d, label->at, name);
    if (!out->policy)
        return false;
    const struct field *fields = out->policy->params ? out->policy->params : no_fields;
    out->params = arena_get(a, out->policy->state_size);
    if (!conf_fill(a, d, params, fields, NULL, arena_printf(a, "policy %s", name), out->params))
        return false;
    out->policy = with_more_flags(a, out->policy, out->params);
    out->label = conf_print_label(a, name, fields, out->params);
    out->slug = slug_of(a, out->label);
    return true;
}

bool plug_tuner(const struct plugs *plugs, struct arena *a, struct diag *d,
                const struct tree *label, struct chosen_tuner *out)
{
    const char *name;
    struct tree *params = conf_label(a, d, label, &name);

    if (!params)
        return false;
    out->tuner = find_tuner(plugs, d, label->at, name);
    if (!out->tuner)
        return false;
    const struct field *fields = out->tuner->params ? out->tuner->params : no_fields;
    out->params = arena_get(a, out->tuner->state_size);
    if (!conf_fill(a, d, params, fields, NULL, arena_printf(a, "tuner %s", name), out->params))
        return false;
    out->label = conf_print_label(a, name, fields, out->params);
    out->at = label->at;
    return true;
}

bool plug_check_tuner(struct diag *d, const struct chosen_tuner *t, const struct tune_outline *o)
{
    char why[200] = "";

    return !t->tuner->check || t->tuner->check(t->params, o, why, sizeof(why)) ||
           diag_error(d, t->at, "tuner %s: %s", t->tuner->name, why);
}
