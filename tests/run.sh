#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All tests, in suites; the output of each is kept in $BUILD/test/NAME.log and shown if it fails.
#   tests/run.sh [SUITE...]
set -u
cd "$(dirname "$0")/.." || exit 1
export BUILD=${BUILD:-build} LC_ALL=C TZ=UTC NO_COLOR=1
export BIN=$PWD/$BUILD
mkdir -p "$BUILD/test"

# A folder for files that are flushed again and again: in memory that takes no time. Some systems run nothing there.
in_memory() {
    local try
    try=$(mktemp -p /dev/shm 2> /dev/null) || return 1
    printf '#!/bin/sh\n' > "$try" && chmod +x "$try" && "$try" 2> /dev/null
    local ran=$?
    rm -f "$try"
    return $ran
}
room=${TMPDIR:-/tmp}
[ -n "${TMPDIR:-}" ] || ! in_memory || room=/dev/shm

unit()        { "$BUILD/test/unit" --short-filename; }
transcripts() { TMPDIR=$room tests/transcripts.sh tests/golden/*.t tests/bad/*.t; }
twin()        { tests/property/run.sh 100000; }
policies()    { TMPDIR=$room tests/policies/run.sh; }
configs()     { tests/configs.sh; }
traces()      { tests/traces.sh; }
calibration() { tests/calibration/run.sh; }
sweep()       { TMPDIR=$room tests/sweep/run.sh; }
plots()       { tests/plots/run.sh; }
gate()        { tests/gate/run.sh; }
report()      { tests/report/run.sh; }
paper()       { tests/plots/paper.sh; }
installed()   { tests/install/run.sh; }
perf()        { tests/perf/test_compare.sh; }
bytes()       { tests/bytes.sh; }
sanitizers()  { tests/sanitizers.sh; }
io()          { TMPDIR=$room tests/io/run.sh; }
microbench()  { tests/microbench/run.sh; }
docs()        { TMPDIR=$room tests/docs.sh; }

all=(unit transcripts configs traces calibration policies twin sweep plots paper gate report io installed perf bytes sanitizers microbench docs)
[ $# -gt 0 ] && all=("$@")
run_suite() {
    local suite=$1 start
    start=$(date +%s)
    if "$suite" > "$BUILD/test/$suite.log" 2>&1; then
        printf 'ok      %-12s %4d s  %s\n' "$suite" $(($(date +%s) - start)) "$(tail -n 1 "$BUILD/test/$suite.log" | cut -c1-100)"
    else
        printf 'FAILED  %-12s %4d s\n%s\n' "$suite" $(($(date +%s) - start)) "$(tail -n 60 "$BUILD/test/$suite.log" | sed 's/^/    /')"
        touch "$BUILD/test/$suite.failed"
    fi
}

# Two at a time: many wait for one process after the other.
rm -f "$BUILD"/test/*.failed
export room
export -f run_suite "${all[@]}"
printf '%s\n' "${all[@]}" | xargs -P 2 -n 1 bash -c 'run_suite "$1"' suite
failed=()
for suite in "${all[@]}"; do [ ! -e "$BUILD/test/$suite.failed" ] || failed+=("$suite"); done
[ ${#failed[@]} = 0 ] && { echo "all ${#all[@]} suites passed"; exit 0; }
echo "${#failed[@]} of ${#all[@]} suites failed: ${failed[*]}"
exit 1
