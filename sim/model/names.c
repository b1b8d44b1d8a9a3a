/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/names.h"

#include <string.h>

#include "sim/text/check.h"

static bool is(const char *known, const char *name, size_t len)
{
    return strncmp(known, name, len) == 0 && known[len] == '\0';
}

uint32_t names_model(const struct model *model, uint32_t n, const char *name, size_t len)
{
    for (uint32_t i = 0; i < n; i++)
        if (is(model[i].name, name, len))
            return i;
    return NO_NAME;
}

uint32_t names_type(const struct gpu_type *type, uint32_t n, const char *name, size_t len)
{
    for (uint32_t i = 0; i < n; i++)
        if (is(type[i].name, name, len))
            return i;
    return NO_NAME;
}

uint32_t names_known_model(const struct world *w, struct diag *d, struct mark at, const char *name,
                           size_t len)
{
    uint32_t found = names_model(w->model, w->n_models, name, len);
    char shown[CHECK_SHOWN];

    if (found == NO_NAME) {
        struct diag_near near = {.word = check_shown(shown, name, len)};
        for (uint32_t i = 0; i < w->n_models; i++)
            diag_consider(&near, w->model[i].name);
        diag_unknown(d, at, near.nearest, "model: unknown model '%s'", shown);
    }
    return found;
}

uint32_t names_known_type(const struct world *w, struct diag *d, struct mark at, const char *name,
                          size_t len)
{
    uint32_t found = names_type(w->type, w->n_types, name, len);
    char shown[CHECK_SHOWN];

    if (found == NO_NAME) {
        struct diag_near near = {.word = check_shown(shown, name, len)};
        for (uint32_t i = 0; i < w->n_types; i++)
            diag_consider(&near, w->type[i].name);
        diag_unknown(d, at, near.nearest, "type: '%s' is not among the gpu_types", shown);
    }
    return found;
}
