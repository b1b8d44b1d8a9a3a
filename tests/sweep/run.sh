#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep that is killed (kill -9) anywhere and run again gives the bytes of one that was not: at each system call of a
# small sweep, and at random instants of a larger one. And what a point costs.
set -u
hetune=$BIN/hetune
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $1"; failed=1; }

cat > run.yaml <<'END'
cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
trace: jobs.csv
policy: [fifo, sjf]
END
for i in $(seq 40); do echo "$((i * 7 % 60)),$((1 + i % 2)),$((10 + i * 13 % 50))"; done | sort -n | (echo submit_s,gpus,duration_s; cat) > jobs.csv
printf 'run: run.yaml\naxes: {seed: {from: 1, to: 10}}\n' > small.yaml
printf 'run: run.yaml\naxes: {cluster.nodes.0.gpus: [2, 3, 4, 6], seed: {from: 1, to: 50}}\n' > large.yaml

# ---- reference: one process, and several ----

for size in small large; do
    "$hetune" sweep run $size.yaml -o $size -q --jobs 1 > /dev/null || fail "$size: exit code $?"
    "$hetune" sweep merge $size -o $size.csv > /dev/null || fail "merging $size"
done
"$hetune" sweep run large.yaml -o eight -q --jobs 8 > /dev/null
"$hetune" sweep merge eight -o eight.csv > /dev/null
cmp -s large.csv eight.csv || fail "eight processes give other bytes than one"

# resumed NAME SIZE: what is left is run, and the table is the same.
resumed() {
    "$hetune" sweep run "$2.yaml" -o broken -q > /dev/null 2> err || fail "$1: resuming: exit code $?: $(cat err)"
    "$hetune" sweep merge broken -o broken.csv > /dev/null 2>> err || fail "$1: merging: $(cat err)"
    cmp -s "$2.csv" broken.csv || fail "$1: other bytes after resuming"
}

# ---- killed at each system call ----

calls=0
if strace -f -o trace "$hetune" sweep run small.yaml -o traced -q --jobs 1 > /dev/null 2>&1; then
    # Of the parent, the first in the trace: how often it makes each call. exit_group is too late.
    parent=$(head -n 1 trace | cut -d' ' -f1)
    awk -v pid="$parent" '$1 == pid && $2 ~ /^[a-z0-9_]+\(/ { sub(/\(.*/, "", $2); n[$2]++ }
        END { for (c in n) if (c != "exit_group" && c != "execve") print c, n[c] }' trace | sort > counts
    while read -r call n; do
        for k in $(seq "$n"); do
            rm -rf broken
            strace -o /dev/null -e inject="$call":signal=KILL:when="$k" \
                "$hetune" sweep run small.yaml -o broken -q --jobs 1 > /dev/null 2>&1 && [ "$k" -lt "$n" ] &&
                fail "$call, time $k: it was not killed"
            resumed "$call, time $k" small
            calls=$((calls + 1))
        done
    done < counts
    [ $calls -gt 200 ] || fail "only $calls system calls were met"
else
    echo "strace cannot trace here: no kill at system calls"
fi

# ---- killed at random instants ----

RANDOM=7
kills=0 rounds=0
rm -rf broken
while [ $kills -lt 200 ]; do
    setsid "$hetune" sweep run large.yaml -o broken -q --jobs 2 > /dev/null 2>&1 &
    pid=$!
    sleep 0.0$((RANDOM % 8))$((RANDOM % 10))
    # All its processes, or it alone: its children end with it.
    if [ $((RANDOM % 2)) = 0 ]; then kill -9 -- -$pid 2> /dev/null; else kill -9 $pid 2> /dev/null; fi
    wait $pid 2> /dev/null
    kills=$((kills + 1))
    if [ $((RANDOM % 10)) = 0 ]; then
        resumed "kill $kills" large
        rm -rf broken
        rounds=$((rounds + 1))
    fi
done
[ -d broken ] && resumed "the last kill" large

# ---- what a point costs: at most 5 ms beside its run ----

rm -rf cost
from=$(date +%s%N)
"$hetune" sweep run large.yaml -o cost -q --jobs 1 > /dev/null
each=$((($(date +%s%N) - from) / 1000 / 400))
echo "a point of 40 jobs takes $each us"

[ $failed = 0 ] && echo "killed at $calls system calls and $kills random instants, $rounds times resumed in between: the same bytes; $each us a point"
exit $failed
