#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# configs/costs/calibrate.sh [HETUNE [DIR]] - makes every calibration of configs/costs/gpus again, from traces/microbench and
# configs/costs/nominal.csv alone. From the root of the tree; a second run gives the same bytes.
set -eu
hetune=${1:-build/hetune}
out=${2:-configs/costs/gpus}
mkdir -p "$out"

# TYPE RUNS DONORS: what a GPU was not measured for is carried over from its donors, the first that has it.
calibrate() {
    type=$1 runs= donors=
    for run in $2; do
        runs="$runs traces/microbench/$run.json"
    done
    for donor in $3; do
        donors="$donors --donor $out/$donor.yaml"
    done
    # shellcheck disable=SC2086
    "$hetune" calibrate $runs --gpu "$type" $donors --nominal configs/costs/nominal.csv -q -o "$out/$type.yaml"
}

calibrate V100 'deepbench-v100 neusight-v100 gpu-benches-v100 gpuinspector-v100' ''
calibrate P100 'deepbench-p100 neusight-p100' 'V100'
calibrate P100-SXM2 '' 'P100'
calibrate T4 'deepbench-t4 neusight-t4 bandwidthtest-t4' 'V100'
calibrate TitanXp 'deepbench-titanxp babelstream-titanxp' 'P100'
calibrate 1080Ti 'deepbench-1080ti' 'TitanXp'
calibrate TitanX-Pascal 'deepbench-titanx-pascal' 'TitanXp'
calibrate TitanX-Maxwell 'deepbench-titanx-maxwell' 'TitanXp'
calibrate M40 'deepbench-m40' 'TitanXp'
calibrate P4 'neusight-p4' 'P100'
calibrate A100 'neusight-a100 gpuinspector-a100 gpu-benches-a100' 'V100'
calibrate A100-PCIe '' 'A100'
calibrate A100-80 'gpu-benches-a100-80' 'A100'
calibrate A100-80-PCIe 'neusight-a100-80-pcie' 'A100-80'
calibrate A40 'gpu-benches-a40' 'A100'
calibrate H100 'neusight-h100 nccl-h100' 'A100'
calibrate H100-PCIe 'gpu-benches-h100-pcie' 'H100'
calibrate H200 'gpu-benches-h200' 'H100'
calibrate L4 'neusight-l4' 'A100'
calibrate L40 'gpu-benches-l40' 'A100'
