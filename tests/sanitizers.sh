#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests and command under AddressSanitizer, LeakSanitizer and UBSan. Leaks are judged on the command itself:
# Criterion reports a test that leaks as passed.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=detect_leaks=1:exitcode=99:allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1
san="$BUILD/san"
make --no-print-directory -s -j"$(nproc)" BUILD="$san" WARN= \
    CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero' \
    all "$san/test/unit" > /dev/null

# Long runs for statistics, through code that other tests run, too, are left out.
"$san/test/unit" --short-filename --filter '!(queues|intervals)/*' > "$work/unit.txt" 2>&1 || { tail -n 50 "$work/unit.txt"; exit 1; }
if grep -nE 'ERROR: AddressSanitizer|runtime error:' "$work/unit.txt"; then exit 1; fi
BIN="$PWD/$san" tests/transcripts.sh tests/golden/*.t tests/bad/*.t
"$san/hetune" run configs/runs/philly_b1k.yaml -s policy='[fifo, sjf, srtf, las, rr]' --paranoid -q -o "$work/philly" > /dev/null
"$san/hetune" run configs/runs/demo.yaml -s seeds=2 --paranoid -q -o "$work/demo" > /dev/null
for config in kim_kim shared pairs mig3; do
    "$san/hetune" run configs/runs/$config.yaml --paranoid -q -o "$work/$config" > /dev/null
done
"$san/hetune" run configs/runs/kim_kim.yaml -s fidelity=step -s step_jitter=0.02 --paranoid -q -o "$work/steps" > /dev/null
"$san/hetune" compare "$work/demo" --json > /dev/null
"$san/hetune" metrics "$work/philly/las/seed-1" > /dev/null
"$san/hetune" explain "$work/philly/las/seed-1" --job 7 > /dev/null
"$san/hetune" plot "$work/demo" > /dev/null
"$san/hetune" sweep run configs/sweeps/hermes_v2.yaml --shard 1/40 -q -o "$work/sweep" > /dev/null
"$san/hetune" sweep merge --partial "$work/sweep" > /dev/null
"$san/hetune" run configs/runs/calibrated.yaml -s seeds=2 --paranoid -q -o "$work/calibrated" > /dev/null
"$san/hetune" accuracy configs/validation/split.yaml -o "$work/validate" > /dev/null
"$san/hetune" calibrate traces/microbench/deepbench-t4.json traces/microbench/neusight-t4.json --donor configs/costs/gpus/V100.yaml \
    --nominal configs/costs/nominal.csv -q -o "$work/T4.yaml" --plot "$work/fits"
for list in policies predictors tuners cost_models contentions metrics keys; do "$san/hetune" list $list > /dev/null; done
echo "clean: unit tests, transcripts, run, compare, metrics, explain, plot, sweep, list"
