/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "t.h"

TUNER_T(.report = NULL);
