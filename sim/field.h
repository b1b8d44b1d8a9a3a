/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * field.h - tables of fields: one row names, types, bounds and documents one parameter.
 *
 * The same table fills a struct from a configuration, checks it, prints the help of `hetune list`
 * and the label NAME[param=value,...]. Part of the public interface for policies and tuners.
 */
#ifndef SIM_FIELD_H
#define SIM_FIELD_H

#include <stddef.h>

enum field_type {
    FIELD_END,          /* closes a table */
    FIELD_BOOL,         /* bool */
    FIELD_INT,          /* int64_t, within min..max */
    FIELD_REAL,         /* double, finite, within min..max */
    FIELD_REAL_OR_NONE, /* the same, or `none`: NAN */
    FIELD_SECONDS,      /* sim_time, written as decimal seconds; min..max in seconds */
    FIELD_TEXT,         /* const char *, good as long as the configuration */
    FIELD_CHOICE        /* int, the index into choices */
};

struct field {
    enum field_type type;
    const char *name;
    size_t offset;              /* into the caller's struct */
    const char *def;            /* as it would be written in YAML; NULL: required */
    double min, max;            /* both 0: no bounds */
    const char *const *choices; /* ended by NULL */
    const char *about;          /* one line; says the unit and the source of the default */
};

#endif
