#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh DIR [MINUTES] - measures the GPU of this machine in one go: builds, measures (8 minutes), reads what was
# measured, fits it. DIR gets hetune-GPU.json, GPU.yaml and pictures of the fits; the first of them belongs into traces/microbench.
# BUILD names another folder than build; MICROBENCH a program that is already built.
set -eu
[ $# -ge 1 ] || { echo "usage: analysis/microbench/run.sh DIR [MINUTES]" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1") minutes=${2:-8}
cd "$(dirname "$0")/../.."
build=${BUILD:-build}

[ -n "${MICROBENCH:-}" ] || make -s -j"$(nproc)" BUILD="$build" microbench
[ -x "$build/hetune" ] || make -s -j"$(nproc)" BUILD="$build" all
"${MICROBENCH:-$build/microbench/microbench}" -o "$out/run.json" --minutes "$minutes"
gpu=$(sed -n 's/.*"gpu": {"type": "\([^"]*\)".*/\1/p' "$out/run.json" | head -n 1)
name=$(echo "$gpu" | tr '[:upper:]' '[:lower:]')
mv "$out/run.json" "$out/hetune-$name.json"
plots=
command -v gnuplot > /dev/null && plots="--plot $out/fits"
# shellcheck disable=SC2086
"$build/hetune" calibrate "$out/hetune-$name.json" -o "$out/$gpu.yaml" $plots
echo "$out/hetune-$name.json and $out/$gpu.yaml"
