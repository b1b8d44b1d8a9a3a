#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs transcripts: prose, with commands behind "  $ " (continued behind "  > "), each followed by what it
# prints, indented by two, and "  [N]" if it ends with N instead of 0. Each file runs in a folder of its own,
# with hetune and the repository ($ROOT) at hand. --bless writes what was printed into the files.
#   tests/transcripts.sh [--bless] FILE.t...
set -u
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BIN=${BIN:-$ROOT/build}
bless=0
[ "${1-}" = --bless ] && { bless=1; shift; }

# The commands as one script: before and behind each a line that no command prints.
to_script() {
    awk '
        function close_command() { if (open) { print ""; print "printf \"@@@end %d\\n\" $?"; open = 0 } }
        /^  \$ / { close_command(); print "printf \"@@@begin\\n\""; print substr($0, 5); open = 1; next }
        /^  > ?/ { if (open) { print substr($0, 5); next } }
        { close_command() }
        END { close_command() }' "$1"
}

# The file again, with the outputs in the places of the old ones.
merge() {
    awk -v printed="$2" '
        function copy_output(   line) {
            while ((getline line < printed) > 0 && line != "@@@begin") ;
            while ((getline line < printed) > 0 && line !~ /^@@@end /) print line == "" ? "" : "  " line
            sub(/^@@@end /, "", line)
            if (line != "0") print "  [" line "]"
        }
        function flush() { if (pending) { copy_output(); pending = 0 } }
        /^  \$ / { flush(); print; pending = 1; inside = 1; next }
        /^  > ?/ { if (pending) { print; next } }
        /^  /    { if (inside) next }
        /^$/     { if (inside) { blank = blank "\n"; next } }
        { flush(); if (inside) { print ""; inside = 0 } ; blank = ""; print }
        END { flush() }' "$1"
}

# One file; what differs goes to standard output.
run_file() {
    local file=$1 work failed=0
    work=$(mktemp -d)
    to_script "$file" > "$work/.script"
    (cd "$work" && PATH="$BIN:$PATH" ROOT="$ROOT" LC_ALL=C TZ=UTC NO_COLOR=1 HOME="$work" bash .script > .printed 2>&1 < /dev/null)
    merge "$file" "$work/.printed" | sed "s|$ROOT|\$ROOT|g" > "$work/.merged"
    if [ $bless = 1 ]; then
        cmp -s "$work/.merged" "$file" || { cp "$work/.merged" "$file"; echo "blessed $file"; }
    else
        diff -u "$file" "$work/.merged" || failed=1
    fi
    rm -rf "$work"
    return $failed
}

# As many at a time as there are processors; told in order.
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export ROOT BIN bless logs
export -f to_script merge run_file
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 bash -c 'run_file "$1" > "$logs/${1//\//_}.diff" || touch "$logs/${1//\//_}.failed"' file
for file in "$@"; do cat "$logs/${file//\//_}.diff"; done
failed=$(find "$logs" -name '*.failed' | wc -l)
commands=$(cat "$@" | grep -c '^  \$ ')
echo "transcripts: $# files, $commands commands, $failed files differ"
[ "$failed" = 0 ]
