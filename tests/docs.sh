#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The documentation is true: every command block runs, every link leads somewhere, generated pages are fresh.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$(ls README.md docs/*.md ./*/README.md)
export PATH=$PWD/$BUILD:$PATH

# What make would do is covered elsewhere; its targets must exist.
blocks=0
cp -R configs traces examples sim "$work"
for page in $pages; do
    awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$page" > "$work/block.sh"
    [ -s "$work/block.sh" ] || continue
    grep -oE '^make [a-z-]+' "$work/block.sh" | while read -r _ target; do
        make -n "$target" > /dev/null 2>&1 || { echo "$page: make $target does not exist"; exit 1; }
    done
    grep -vE '^(make|git|cd|sudo|apt-get) ' "$work/block.sh" > "$work/run.sh" || true
    (cd "$work" && bash -e run.sh > printed.txt 2>&1 < /dev/null) || { echo "$page: a command fails"; cat "$work/run.sh" "$work/printed.txt"; exit 1; }
    rm -rf "$work/results"
    blocks=$((blocks + $(grep -c . "$work/run.sh")))
done

links=0
for page in $pages; do
    for link in $(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -vE '^https?:'); do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link leads nowhere"; exit 1; }
        links=$((links + 1))
    done
done

hetune list keys > "$work/keys.txt"
awk '/^```$/ { on = !on; next } on' docs/keys.md | cmp - "$work/keys.txt" || { echo "docs/keys.md is stale: make docs"; exit 1; }
analysis/reproduction.sh "$BUILD/hetune" > "$work/tables.txt"
grep '^|' docs/reproduction.md | cmp - <(grep '^|' "$work/tables.txt") || { echo "docs/reproduction.md is stale: its tables are from analysis/reproduction.sh"; exit 1; }
echo "$blocks commands of the docs run, $links links lead somewhere"
