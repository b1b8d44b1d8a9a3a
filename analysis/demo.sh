#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job, for people: replay the study, say which policy is better, draw it; then Hermes-V2's claim.
#   analysis/demo.sh HETUNE [FOLDER]
set -eu
hetune=$1
out=${2:-results}
mkdir -p "$out"
say() { printf '\n== %s\n\n' "$1"; }

say 'A CIFAR-10 study on 8 GPUs of four types (configs/runs/demo.yaml)'
"$hetune" run configs/runs/demo.yaml -o "$out/demo" --force
say 'Hermes-V2 against uniform placement, two models on two types (configs/runs/hermes_v2.yaml)'
"$hetune" run configs/runs/hermes_v2.yaml -o "$out/hermes_v2" --force
say 'Plots'
"$hetune" plot "$out/demo"
"$hetune" plot "$out/hermes_v2" --kind hpo_time --kind change
say 'The story of one trial that was relocated'
moved=$(awk -F, 'NR > 1 && $18 > 0 && $5 == 1 { print $1; exit }' "$out"/demo/hermes_v2/seed-1/jobs.csv)
"$hetune" explain "$out/demo/hermes_v2/seed-1" --job "${moved:-0}"
printf '\nWhat it means, and where throughput-aware placement loses: docs/reproduction.md\n'
