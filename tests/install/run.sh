#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A stranger's view of an installed hetune: headers alone, a policy built out of the tree, nothing left behind.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make --no-print-directory -s install BUILD="$BUILD" DESTDIR="$work/root" PREFIX=/opt/hetune > /dev/null
prefix=$work/root/opt/hetune
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root

for header in "$prefix"/include/hetune/sim/*.h; do
    for cc in gcc clang; do
        echo "#include <sim/$(basename "$header")>" | $cc $(pkg-config --cflags hetune) -std=c11 -Wall -Wextra -Werror -fsyntax-only -x c - ||
            { echo "$header does not compile alone"; exit 1; }
    done
done
echo "$(ls "$prefix"/include/hetune/sim | wc -l) headers compile alone with gcc and clang"

cd "$work"
cp "$prefix/share/hetune/examples/greedy.c" .
gcc -shared -fPIC $(pkg-config --cflags hetune) -Wall -Wextra -Werror -o greedy.so greedy.c
hetune="$prefix/bin/hetune"
"$hetune" run "$prefix/share/hetune/configs/runs/philly_b1k.yaml" --policy-lib ./greedy.so -s policy=greedy --json > summary.json
grep -q '"ended": "drained"' summary.json
grep -q '"done": 1000' summary.json
"$hetune" list policies --policy-lib ./greedy.so | grep -q '^greedy - '
echo "an example policy, built out of the tree, runs 1000 jobs"

exported=$(nm -D --defined-only "$hetune" | awk '$2 == "T" { print $3 }' | grep -vE '^(sim_|tune_|heap_|_init|_fini|_start|main)' || true)
[ -z "$exported" ] || { echo "exported without need: $exported"; exit 1; }

cd - > /dev/null
tests/install/shells.sh "$prefix"
make --no-print-directory -s uninstall BUILD="$BUILD" DESTDIR="$work/root" PREFIX=/opt/hetune > /dev/null
left=$(find "$work/root" ! -type d -o -name '*hetune*' ! -path "$prefix")
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "uninstall leaves nothing; only sim_*, tune_* and heap_* are exported"
