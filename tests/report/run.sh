#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Exports and reports of runs that this script makes, read by other programs: python3's json, csv and html.parser, and
# Chromium without a network.
set -u
cd "$(dirname "$0")/../.." || exit 1
HETUNE=$(realpath "${BIN:-build}/hetune")
HERE=$PWD/tests/report
HOSTILE=$PWD/tests/plots/hostile.txt
CONFIGS=$PWD/configs
export LC_ALL=C TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
checks=0
complain() { echo "FAILED: $*"; failed=1; }
# expect CODE WHAT COMMAND...: its output goes to ./out and ./err.
expect() {
    local code=$1 what=$2 got
    shift 2
    "$@" > out 2> err < /dev/null
    got=$?
    checks=$((checks + 1))
    [ $got = "$code" ] || complain "$what: exit code $got, wanted $code: $(tail -n 3 out err)"
}
says() { grep -qF -- "$1" out err || complain "$2: nothing says '$1'"; }

# A trace whose jobs are called as in hostile.txt (and worse), under a policy that preempts them.
mkdir hostile
awk 'length($0) <= 64 && $0 != ""' "$HOSTILE" > names
n_names=$(wc -l < names)
[ "$n_names" -ge 40 ] || complain "only $n_names hostile names"
{
    echo job_id,submit_s,gpus,duration_s
    awk '{ gsub(/"/, "\"\""); printf "\"%s\",%d,1,%d\n", $0, NR, 40 + NR % 7 }' names
    printf '"two\nlines",60,1,20\n"tab\t",61,1,20\n"\033[31mred\033[0m\007",62,1,20\n"\302\23331mred",63,1,20\n"\342\200\256evil",64,2,20\n'
} > hostile/trace.csv
cat > hostile/run.yaml << 'EOF'
cluster:
  gpu_types: {"<script>alert(1)</script>": {memory_gib: 0}}
  nodes: [{type: "<script>alert(1)</script>", gpus: 2}]
overheads: {start_s: 1, save_s: 1, restore_s: 1}
trace: trace.csv
policy: [fifo, "rr[quantum_s=15]"]
EOF

# ---- runs ----

demo="$CONFIGS/runs/demo.yaml"
expect 0 "run the demo" "$HETUNE" run "$demo" -q -s seeds=3 -o demo
expect 0 "run the demo, cut" "$HETUNE" run "$demo" -q -s seeds=1 -s until_s=900 -o cut
expect 0 "run the demo with checkpoints" "$HETUNE" run "$demo" -q -s seeds=1 -s keeps=checkpoint -s 'policy=[las, srtf]' -o checkpoints
expect 0 "run the demo to its first good trial" "$HETUNE" run "$demo" -q -s seeds=1 -s experiments.0.end=first_good -s policy=las -o killed
expect 0 "run hostile names" "$HETUNE" run hostile/run.yaml -q -o hostile/runs

# ---- exports ----

for run in demo/*/seed-1 cut/*/seed-1 checkpoints/*/seed-1 killed hostile/runs/*/seed-1; do
    expect 0 "export $run --to chrome" "$HETUNE" export "$run" --to chrome -o trace.json
    expect 0 "export $run --to batsim" "$HETUNE" export "$run" --to batsim -o tables
    expect 0 "the exports of $run" python3 "$HERE/export.py" "$run" trace.json tables
    expect 0 "a window of $run" "$HETUNE" export "$run" --to chrome --window 20.5,60 -o trace.json
    expect 0 "the window of $run" python3 "$HERE/export.py" "$run" trace.json tables 20.5 60
done
"$HETUNE" export killed --to batsim -o tables > out && grep -q COMPLETED_KILLED tables/jobs.csv || complain "no job was killed at the first good trial"
exports=$checks

[ $failed = 0 ] && echo "report: $exports checks of exports, $n_names hostile names"
exit $failed
