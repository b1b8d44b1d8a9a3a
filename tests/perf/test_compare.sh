#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `bench compare` passes equal files and small changes, and fails on each kind of regression.
set -eu
bench=${BUILD:-build}/bench
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

echo "replay.fifo.1e4.1000 1000" >"$tmp/icount"
"$bench" --json --icount "$tmp/icount" replay.fifo.1e4 mem.active.1e5 >"$tmp/a.json" 2>"$tmp/log"

# WANTED-EXIT NAME SED-SCRIPT: compares with an edited copy
try() {
    sed "$3" "$tmp/a.json" >"$tmp/b.json"
    code=0
    "$bench" compare "$tmp/a.json" "$tmp/b.json" >"$tmp/out" 2>&1 || code=$?
    if [ "$code" -ne "$1" ] || { [ "$1" -eq 1 ] && [ "$2" != "no common case" ] && ! grep -q "$2" "$tmp/out"; }; then
        echo "not ok - $2: exit $code, wanted $1"
        cat "$tmp/out"
        failed=1
    else
        echo "ok - $2"
    fi
}

# CASE FIELD FACTOR: a sed script that multiplies a number
scaled() {
    now=$(sed -n "s/.*$1.*\"$2\": \([0-9.e+]*\),.*/\1/p" "$tmp/a.json")
    awk -v c="$1" -v f="$2" -v x="$now" -v by="$3" \
        'BEGIN {printf "/%s/s/\"%s\": [0-9.e+]*/\"%s\": %.6g/", c, f, f, x * by}'
}

try 0 "equal" ""
try 0 "2 % more instructions" "$(scaled replay.fifo instructions 1.02)"
try 1 "instructions" "$(scaled replay.fifo instructions 1.04)"
try 0 "4 % more memory" "$(scaled mem.active rss_kib 1.04)"
try 1 "peak KiB" "$(scaled mem.active rss_kib 1.07)"
try 0 "20 % more time" "$(scaled replay.fifo best_ns 1.2)"
try 1 "time in holds" "$(scaled replay.fifo best_ns 1.3)"
try 0 "more time on a machine slower by as much" "$(scaled replay.fifo best_ns 1.5);$(scaled replay.fifo cal_ns 1.5)"
try 0 "less of everything" "$(scaled replay.fifo best_ns 0.5);$(scaled mem.active rss_kib 0.5);$(scaled replay.fifo instructions 0.5)"
try 1 "digest" '/replay.fifo/s/"digest": "./"digest": "x/;s/"x/"0/'
try 1 "what came out wrong" '/replay.fifo/s/"fault": ""/"fault": "what came out wrong"/'
try 1 "no common case" 's/"name": "/"name": "other./'
try 2 "no JSON" 's/^{/[/'
exit $failed
