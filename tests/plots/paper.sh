#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make paper`: every study of the tree is made, each output has its provenance, and hashes in it are true; a study is
# added as a folder; what is wrong in one is told with its place, and leaves no folder that looks made.
set -u
cd "$(dirname "$0")/../.." || exit 1
hetune=$(realpath "${BIN:-build}/hetune")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
checks=0
complain() { echo "FAILED: $*"; failed=1; }

# Each output of a study, and what its provenance says of it.
study() {
    local made=0
    for record in "$1"/figures/*.provenance.json "$1"/tables/*.provenance.json; do
        checks=$((checks + 1))
        [ -e "${record%.provenance.json}" ] || complain "$record: there is no such output"
        grep -q '"command": "hetune [a-z]* ' "$record" && grep -q '"commit": "' "$record" || complain "$record: no command, or no commit"
        sed -n 's/.*{"path": "\(.*\)", "sha256": "\(.*\)"}.*/\2  \1/p' "$record" > "$work/sums"
        grep -q study/study "$work/sums" || complain "$record: the study is not among its inputs"
        (cd "$1" && sha256sum --quiet -c "$work/sums") || complain "$record: a hash is wrong"
        made=$((made + 1))
    done
    [ "$made" = "$(grep -cE '^(figure|table) ' "$1/study/study")" ] || complain "$1: $made outputs with provenance"
    [ -z "$(find "$1/figures" "$1/tables" -maxdepth 1 -mindepth 1 ! -name '*.provenance.json' | while read -r output; do
        [ -s "$output.provenance.json" ] || echo "$output"
    done)" ] || complain "$1: an output without provenance"
    [ -s "$1/README.md" ] || complain "$1: no text"
    (cd "$1" && sha256sum --quiet -c data/inputs.sha256) || complain "$1: inputs.sha256 is wrong"
    grep -o '`[a-z]*/[a-z0-9_./]*`' "$1/study/text.md" | tr -d '`' | while read -r output; do
        ls "$1/$output"* > /dev/null 2>&1 || echo "$output"
    done > "$work/unknown"
    [ ! -s "$work/unknown" ] || complain "$1: the text names what is not made: $(head -n 1 "$work/unknown")"
}

started=$(date +%s)
analysis/paper.sh "$hetune" configs/studies "$work/paper" > "$work/out" 2>&1 || complain "make paper: $(tail -n 1 "$work/out")"
took=$(($(date +%s) - started))
for folder in configs/studies/*/; do study "$work/paper/$(basename "$folder")"; done

# One more, and its bytes when it is made again.
mkdir -p "$work/studies/small" && cp -R configs/studies/* "$work/studies" && rm -r "$work"/studies/{hermes_v2,kim_kim}
printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > "$work/jobs.csv"
printf 'cluster: {gpu_types: {g: {}}, nodes: [{type: g, gpus: 1}]}\ntrace: jobs.csv\npolicy: [fifo, sjf]\n' > "$work/run.yaml"
printf 'about: small\nrun: ../../run.yaml\naxes:\n  overheads.start_s: [0, 5]\n' > "$work/studies/small/sweep.yaml"
printf '# Small\n' > "$work/studies/small/text.md"
printf 'run two ../../run.yaml -s max_rounds=100\nfigure heat sweep --kind heat\nfigure cdf two --kind jct_cdf\ntable two.txt compare two\n' > "$work/studies/small/study"
for i in 1 2; do analysis/paper.sh "$hetune" "$work/studies" "$work/more$i" > "$work/out" 2>&1 || complain "a study that was added: $(tail -n 1 "$work/out")"; done
study "$work/more1/small"
rm -f "$work"/more?/small/data/*/*/*/timing.json
diff -r "$work/more1" "$work/more2" > "$work/diff" || complain "made again, a study differs: $(head -n 1 "$work/diff")"

# wrong MESSAGE LINE...: the study is not made, and the message says why; nor is a folder left.
wrong() {
    checks=$((checks + 1))
    printf '%s\n' "${@:2}" > "$work/studies/small/study"
    ! analysis/paper.sh "$hetune" "$work/studies" "$work/wrong" > "$work/out" 2>&1 || complain "'$2' is taken"
    grep -qF -- "$1" "$work/out" || complain "'$2': wanted '$1', not $(tail -n 1 "$work/out")"
    [ -z "$(ls -A "$work/wrong")" ] || complain "'$2': something is left"
}
wrong "study:2: 'picture' is none of run, sweep, figure, table" '# a comment' 'picture heat sweep'
wrong "study:1: '../x' is no name" 'figure ../x sweep'
wrong "study:1: figure x: wanted what to make it of" 'figure x'
wrong "study:2: figure x was not made" 'run two ../../run.yaml' 'figure x two --kind heat'
wrong "study:1: sweep x was not made" 'sweep x nothing.yaml'
wrong "study:1: run x was not made" 'run x nothing.yaml'
wrong "study:1: table x was not made" 'table x compare nothing'
[ $failed = 0 ] && echo "paper: $checks checks; all studies of the tree in $took s"
exit $failed
