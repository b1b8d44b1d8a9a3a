#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs both engines over random worlds and compares all their records: run.sh [N [FIRST SEED]].
# The programs are build/test/twin_fast and twin_slow; BUILD names another folder than build.
# PARANOID=--paranoid lets the engine check its invariants after every instant.
set -eu

n=${1:-10000}
first=${2:-0}
dir=${BUILD:-build}/test
chunk=500
enough=20000                            # worlds among which every kind of thing must turn up
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# One chunk: leaves its outputs, and a file "bad" if they differ or something went wrong.
cat > "$tmp/one" <<'END'
from=$1
to=$((from + chunk))
[ "$to" -le "$last" ] || to=$last
ok=0
timeout 600 "$dir/twin_fast" "$from" "$to" --check ${PARANOID:-} > "$tmp/$from.fast" 2> "$tmp/$from.err" || ok=$?
timeout 600 "$dir/twin_slow" "$from" "$to" > "$tmp/$from.slow" 2>> "$tmp/$from.err" || ok=$?
grep '^#' "$tmp/$from.fast" > "$tmp/$from.cover" || true
grep -v '^#' "$tmp/$from.fast" > "$tmp/$from.plain" || true
cmp -s "$tmp/$from.plain" "$tmp/$from.slow" && [ "$ok" = 0 ] || echo "$ok" > "$tmp/$from.bad"
END

# The number of the first line in which two files differ.
first_difference() {
    awk 'NR == FNR { a[NR] = $0; n = NR; next }
         !found && $0 != a[FNR] { print FNR; found = 1 }
         END { if (!found) print (FNR < n ? FNR : n) + 1 }' "$1" "$2"
}

around() {
    sed -n "$(($2 > 8 ? $2 - 8 : 1)),$(($2 + 3))p" "$1" | cut -c1-220
}

show() {
    seed=$1
    timeout 60 "$dir/twin_fast" "$seed" "$((seed + 1))" --records --describe > "$tmp/fast" 2> "$tmp/why" || true
    timeout 60 "$dir/twin_slow" "$seed" "$((seed + 1))" --records --describe > "$tmp/slow" 2>> "$tmp/why" || true
    echo "the engines differ on seed $seed:"
    sed '/^0 begin /,$d' "$tmp/fast"
    cat "$tmp/why"
    line=$(first_difference "$tmp/fast" "$tmp/slow")
    echo "--- fast, from line $line on:"
    around "$tmp/fast" "$line"
    echo "--- slow:"
    around "$tmp/slow" "$line"
}

export chunk tmp dir last=$((first + n)) PARANOID="${PARANOID:-}"
seq "$first" "$chunk" "$((last - 1))" | xargs -P 2 -n 1 sh "$tmp/one"

bad=$(find "$tmp" -name '*.bad' | sed 's!.*/!!; s!\.bad!!' | sort -n | head -1)
if [ -n "$bad" ]; then
    if cmp -s "$tmp/$bad.plain" "$tmp/$bad.slow"; then
        echo "the records are equal, but something is wrong (exit code $(cat "$tmp/$bad.bad")):"
        head -5 "$tmp/$bad.err"
    else
        show "$((bad + $(first_difference "$tmp/$bad.plain" "$tmp/$bad.slow") - 1))"
    fi
    exit 1
fi

cat "$tmp"/*.cover | awk '{ if (!($2 in sum)) name[++k] = $2; sum[$2] += $3 }
    END { for (i = 1; i <= k; i++) print sum[name[i]], name[i] }' > "$tmp/all"
echo "Worlds that reached:"
awk '{ printf "%9d %-28s%s", $1, $2, NR % 3 ? "" : "\n" } END { if (NR % 3) print "" }' "$tmp/all"
if [ "$n" -ge "$enough" ] && grep '^0 ' "$tmp/all"; then
    echo "these were never reached"
    exit 1
fi
echo "$n worlds, the same records"
