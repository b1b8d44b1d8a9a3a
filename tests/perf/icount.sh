#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Instructions a unit of chosen cases, as lines "CASE NUMBER" for `bench --icount`.
#
# Callgrind counts what is executed inside bench_pass(), so jobs and files are made for nothing; the
# difference of two sizes takes off what does not grow with the size. Counts repeat to 0.1 %.
set -eu
bench=${BUILD:-build}/bench

if ! command -v valgrind >/dev/null; then
    echo "icount: valgrind is not installed: no instructions are counted" >&2
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# CASE SIZE: "instructions units" into a file
count() {
    valgrind --tool=callgrind --toggle-collect=bench_pass --callgrind-out-file=/dev/null \
        "$bench" --pass "$1" "$2" >"$tmp/$2.units" 2>"$tmp/$2.log" || { cat "$tmp/$2.log" >&2; return 1; }
    awk -v units="$(cat "$tmp/$2.units")" '/Collected/ {print $NF, units}' "$tmp/$2.log" >"$tmp/$2.count"
}

# The two sizes run side by side: counts do not mind a busy machine.
while read -r case small large; do
    count "$case" "$small" &
    count "$case" "$large"
    wait $!
    cat "$tmp/$small.count" "$tmp/$large.count" |
        awk -v c="$case" 'NR == 1 {i = $1; u = $2} NR == 2 {printf "%s %.1f\n", c, ($1 - i) / ($2 - u)}'
done <<EOF
fcfs.mmc.1000.1e5       50000 100000
replay.fifo.1e5.1000   100000 200000
replay.bare.1e6.1000    50000 100000
io.csv.parse            50000 100000
io.csv.write            50000 100000
e2e.parsewrite          50000 100000
e2e.stream              50000 100000
pre.srtf.360.fast       25000  50000
pre.las.360.fast        25000  50000
pre.las2.360.fast       25000  50000
EOF
