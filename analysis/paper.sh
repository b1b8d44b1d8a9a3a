#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every figure and table of every study: a folder of STUDIES with the file `study` (analysis/README.md), and sweep.yaml
# if it has a sweep. What comes of NAME is in OUT/NAME, whole or not at all, each output with its provenance beside it.
#   analysis/paper.sh HETUNE STUDIES OUT
set -eu
export LC_ALL=C TZ=UTC
hetune=$(realpath "$1")
studies=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
commit=$(git -C "$studies" describe --always --dirty --abbrev=40 2> /dev/null || echo unknown)
fail() { echo "$1" >&2; exit 2; }
escape() { sed 's/[\\"]/\\&/g'; }
# hashes FILE...: a JSON list; paths as given.
hashes() {
    local between=
    printf '['
    for file; do
        printf '%s\n    {"path": "%s", "sha256": "%s"}' "$between" "$(printf %s "$file" | escape)" "$(sha256sum < "$file" | cut -d' ' -f1)"
        between=,
    done
    printf ']'
}

# provenance OUTPUT COMMAND -- FILES OF THE OUTPUT: what it was made with, from what, by what.
provenance() {
    local output=$1 command=$2
    shift 3
    {
        printf '{\n  "schema": 1,\n  "study": "%s",\n  "commit": "%s",\n  "hetune": "%s",\n  "gnuplot": "%s",\n' "$name" "$commit" \
            "$("$hetune" --version | head -n 1 | escape)" "$(gnuplot --version | escape)"
        printf '  "command": "%s",\n  "inputs": ' "$(printf %s "$command" | escape)"
        hashes study/* data/inputs.sha256
        printf ',\n  "outputs": '
        hashes "$@"
        printf '\n}\n'
    } > "$output.provenance.json"
}

# What all outputs hang on: the plan of the sweep, with hashes of all that its points hang on, and the manifests of runs.
list_inputs() {
    [ -e data/inputs.sha256 ] ||
        find data \( -name plan.jsonl -o -name manifest.json \) -print0 | sort -z | xargs -0 sha256sum > data/inputs.sha256
}

# Names are those of files here.
check_name() {
    case $1 in '' | [!a-z0-9]* | *[!a-z0-9_.-]*) fail "$study/study:$line: '$1' is no name of a-z, 0-9, _ . -" ;; esac
}

# In data a sweep or run is known by its name: every word that is one stands for its folder.
words=()
with_folders() {
    local one
    words=()
    for one; do
        if [ -d "data/$one" ]; then words+=("data/$one"); else words+=("$one"); fi
    done
}

make_run() {
    "$hetune" run "$study/$2" "${@:3}" -q -o "data/$1" > /dev/null
}
make_sweep() {
    "$hetune" sweep run "$study/$2" "${@:3}" -q -o "data/$1" > /dev/null
}
make_figure() {
    with_folders "${@:2}"
    local command=(plot "${words[@]}" --terminal svg,pdf,latex -q -o "figures/$1")
    "$hetune" "${command[@]}" > /dev/null || return
    provenance "figures/$1" "hetune ${command[*]}" -- "figures/$1"/*
}
make_table() {
    with_folders "${@:3}"
    "$hetune" "$2" "${words[@]}" > "tables/$1" || return
    provenance "tables/$1" "hetune $2 ${words[*]}" -- "tables/$1"
}

# In the folder that the study will have.
make_study() {
    mkdir -p data figures tables study
    cp "$study"/* study
    [ ! -e "$study/sweep.yaml" ] || "$hetune" sweep run "$study/sweep.yaml" -q -o data/sweep > /dev/null
    line=0
    while read -r -a word || [ ${#word[@]} -gt 0 ]; do
        line=$((line + 1))
        case ${word[0]:-#} in
        '#'*) continue ;;
        run | sweep | figure | table) check_name "${word[1]:-}" ;;
        *) fail "$study/study:$line: '${word[0]}' is none of run, sweep, figure, table" ;;
        esac
        case ${word[0]} in figure | table) list_inputs ;; esac
        [ ${#word[@]} -gt 2 ] || fail "$study/study:$line: ${word[0]} ${word[1]}: wanted what to make it of"
        "make_${word[0]}" "${word[@]:1}" || fail "$study/study:$line: ${word[0]} ${word[1]} was not made"
    done < "$study/study"
    [ ! -e "$study/text.md" ] || cp "$study/text.md" README.md
}

found=0
for list in "$studies"/*/study; do
    [ -e "$list" ] || continue
    study=$(dirname "$list")
    name=$(basename "$study")
    rm -rf "$out/.$name" && mkdir "$out/.$name"
    trap 'rm -rf "$out/.$name"' EXIT
    (cd "$out/.$name" && make_study) || exit
    rm -rf "${out:?}/$name" && mv "$out/.$name" "$out/$name"
    trap - EXIT
    echo "$3/$name: $(find "$out/$name/figures" -name '*.gp' | wc -l) figures, $(find "$out/$name/tables" -type f ! -name '*.provenance.json' | wc -l) tables"
    found=$((found + 1))
done
[ $found -gt 0 ] || fail "$2: there is no study in it"
