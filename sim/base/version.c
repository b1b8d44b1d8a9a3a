/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/version.h"

#include <stdio.h>

#include <cJSON.h>
#include <gsl/gsl_version.h>
#include <yaml.h>

const char *const hetune_version = HETUNE_VERSION;
const char *const hetune_commit = HETUNE_COMMIT;
const char *const hetune_date = HETUNE_DATE;
#ifdef __clang__
const char *const hetune_compiler = "clang " __clang_version__;
#else
const char *const hetune_compiler = "gcc " __VERSION__;
#endif

const char *hetune_libraries(void)
{
    static char text[96];

    snprintf(text, sizeof(text), "GSL %s, libyaml %s, cJSON %s, libmd", gsl_version,
             yaml_get_version_string(), cJSON_Version());
    return text;
}
