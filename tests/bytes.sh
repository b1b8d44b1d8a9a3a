#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same bytes from other compilers and optimisation levels, and from a second run.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Everything a run writes but timing.json, and the compiler that manifest.json names.
run_all() {
    local hetune=$1 out=$2
    "$hetune" run configs/runs/philly_b1k.yaml -s policy='[fifo, "sjf[skip_ahead=true]", srtf, las, rr]' -q -o "$out/philly" > "$out.txt"
    "$hetune" run configs/runs/demo.yaml -s seeds=3 -s jitter=0.05 -s 'predictor=noisy[of=reference_table,sigma=0.1]' \
        -q -o "$out/demo" >> "$out.txt"
    "$hetune" run tests/data/shared.yaml -s seeds=3 -q -o "$out/shared" >> "$out.txt"
    (cd "$out" && find . -type f ! -name timing.json -print0 | sort -z | xargs -0 sed -e '/"compiler":/d' | sha256sum)
}

mkdir -p "$work/a" "$work/b"
first=$(run_all "$BUILD/hetune" "$work/a")
[ "$(run_all "$BUILD/hetune" "$work/b")" = "$first" ] || { echo "two runs of one binary differ"; exit 1; }

for folder in $(find "$work/a" -name summary.json -printf '%h\n'); do
    "$BUILD/hetune" metrics "$folder" | cmp - "$folder/summary.json" || { echo "$folder: events.csv gives another summary"; exit 1; }
done
echo "$(find "$work/a" -name summary.json | wc -l) summaries recomputed from events.csv are equal"

build_with() {
    local name=$1 cc=$2 flags=$3
    make --no-print-directory -s -j"$(nproc)" BUILD="$BUILD/bytes-$name" CC="$cc" CFLAGS="$flags" all > /dev/null
    mkdir -p "$work/$name"
    local got
    got=$(run_all "$BUILD/bytes-$name/hetune" "$work/$name")
    [ "$got" = "$first" ] || { echo "$cc $flags gives other bytes: $got, not $first"; exit 1; }
    echo "$cc $flags: the same"
}
build_with O0 gcc -O0
build_with native gcc '-O3 -march=native'
build_with clang clang -O2
echo "one digest from 4 builds and 2 runs: ${first%% *}"
