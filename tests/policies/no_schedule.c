/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Must not be loaded: it never decides anything. */
#include "x.h"

POLICY_X(.state_size = 8);
