#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes configs/costs/apps.yaml:
#   configs/costs/apps.sh > configs/costs/apps.yaml
set -eu
export LC_ALL=C
cat << 'END'
# Made-up applications, for workloads that share GPUs; made by apps.sh, nothing in here is measured.
#
# dD-tT: alone on GPUs of speed 1, with 256 samples on each, a step takes T ms, and D % of them the GPUs are busy; the rest is time
# of the host, in which they stand still. Of the busy time 20 ms are fixed; the rest goes with the samples. The grid covers what
# a toy check of the literature's numbers used: duty 0.3 to 0.9, 0.1 to 0.3 s a step. Nothing is known of memory or synchronisation, so
# everything fits, and the gap has all that is not computing. parameters: those of ResNet-50, as a state has to have a size.
END
awk 'BEGIN {
    alpha = 0.02; batch = 256
    print "models:"
    for (d = 30; d <= 90; d += 5)
        for (t = 100; t <= 300; t += 20)
            printf "  d%d-t%d: {parameters: 25557032, samples_per_epoch: %d, batch: %d}\n", d, t, batch, batch
    print "fits:"
    for (d = 30; d <= 90; d += 5)
        for (t = 100; t <= 300; t += 20) {
            busy = d / 100 * t / 1000
            printf "  - {model: d%d-t%d, gpu: gpu, alpha_s: %g, beta_s: %.10g, gap_s: %.10g}\n", d, t, \
                alpha, (busy > alpha ? busy - alpha : 0) / batch, t / 1000 - busy
        }
}'
