#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every setting of docs/reproduction.md again and prints its tables with the cells that come out.
#   analysis/reproduction.sh HETUNE [all]
# Without the word `all` those that take minutes are left out: Hermes, Hermes-V2 by GPU types; settings, oracle and fidelity of Kim & Kim.
set -eu
hetune=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
placement='hermes_v2[relocate=placement]'

# The change of one metric of one policy against hermes, as "-9.4 [-13.1, -5.6]".
cell() {
    "$hetune" compare "$work/out" --json | awk -v policy="\"$1\"" -v metric="\"$2\":" '
        index($0, "{\"policy\": ") { here = index($0, "{\"policy\": " policy ",") > 0 }
        here && index($0, metric) {
            sub(/.*"change": /, "")
            gsub(/[^-+0-9.e ]/, "")
            split($0, part, " +")
            printf "%+.1f [%+.1f, %+.1f]", 100 * part[2], 100 * part[3], 100 * part[4]
        }'
}

# row NAME OPTIONS POLICY:METRIC...: the options as the shell reads them, as they stand in the page.
row() {
    local name=$1 options=$2
    shift 2
    rm -rf "$work/out"
    eval "\"\$hetune\" run configs/runs/hermes_v2.yaml -s 'policy=[hermes,\"$placement\",hermes_v2]' $options \
        -s write_events=false -s write_jobs=false -s write_series=false -q -o \"\$work/out\"" > /dev/null
    printf '| %s |%s |' "$name" "${options:+ \`$options\`}"
    for wanted; do printf ' %s |' "$(cell "${wanted%:*}" "${wanted##*:}")"; done
    echo
}

speedups() {
    echo "| speed-ups | options | \`$placement\`: mean over good trials | \`hermes_v2\`: mean over good trials | \`hermes_v2\`: first good | \`hermes_v2\`: makespan |"
    echo '|---|---|---|---|---|---|'
    while IFS='|' read -r name options; do
        row "$name" "$options" "$placement:hpo_mean_good_s" hermes_v2:hpo_mean_good_s hermes_v2:hpo_first_good_s hermes_v2:makespan_s
    done <<'END'
1.1 and 1.6|-s cost.fits.1.alpha_s=0.0465 -s cost.fits.3.alpha_s=0.03197
1.2 and 2.0|-s cost.fits.1.alpha_s=0.042625 -s cost.fits.3.alpha_s=0.025575
1.32 and 1.51 (1080 Ti to 2080 Ti, like for like)|
1.38 and 1.38|-s cost.fits.1.alpha_s=0.03707 -s cost.fits.3.alpha_s=0.03707
2.0 and 2.0|-s cost.fits.1.alpha_s=0.025575 -s cost.fits.3.alpha_s=0.025575
END
}

losses() {
    local moved='hermes_v2[move_s=60]'
    echo '| case | options | mean over good trials |'
    echo '|---|---|---|'
    row 'early metrics say little about final ones (39-layer ResNets, rank correlation 0.24 after a tenth of the epochs)' \
        '-s experiments.0.curves=traces/curves/cifar10_resnets.yaml -s experiments.1.curves=traces/curves/cifar10_resnets.yaml' \
        hermes_v2:hpo_mean_good_s
    row 'relocations of 60 s more, and the policy knows' \
        "-s overheads.image_s=60 -s 'policy=[hermes,\"$moved\"]'" "$moved:hpo_mean_good_s"
    row 'relocations of 2 min, and the policy takes them for 1 min' \
        "-s overheads.image_s=120 -s 'policy=[hermes,\"$moved\"]'" "$moved:hpo_mean_good_s"
    row 'a table with errors of 10 %' "-s 'predictor=reference_table[error=0.1]'" hermes_v2:hpo_mean_good_s
    row 'a table with errors of 30 %' "-s 'predictor=reference_table[error=0.3]'" hermes_v2:hpo_mean_good_s
}

workloads() {
    local name rates
    for name in speeds skewed; do
        for rates in step fluid; do
            "$hetune" run "configs/runs/kim_kim_one_$name.yaml" -s fidelity=$rates -q -o "$work/$name-$rates" > /dev/null
        done
    done
    analysis/kim_kim.py "$hetune" workloads "$work"/{speeds,skewed}-{step,fluid}
}

# sweep WHAT FILE OPTIONS: its tables.
sweep() {
    "$hetune" sweep run "$2" -q -o "$work/$1" "${@:3}" > /dev/null
    analysis/kim_kim.py "$hetune" "$1" "$work/$1"
}

# hpo WHAT NAME: the tables of configs/sweeps/NAME.yaml.
hpo() {
    "$hetune" sweep run "configs/sweeps/$2.yaml" -q -o "$work/$2" > /dev/null
    analysis/hermes.py "$hetune" "$1" "$work/$2" 2> "$work/notes" || { cat "$work/notes" >&2; exit 1; }
    echo
}

all=${2:-}
[ -z "$all" ] || hpo v1 hermes_v1
speedups
echo
losses
echo
[ -z "$all" ] || hpo v2 hermes_v2
hpo batch hermes_v2_batch
hpo tuners hermes_tuners
hpo tuners hermes_arrivals
workloads
echo
sweep families configs/studies/kim_kim/sweep.yaml
[ -n "$all" ] || exit 0
echo
sweep settings configs/sweeps/kim_kim.yaml
sweep oracle configs/sweeps/kim_kim_oracle.yaml --keep-runs -s write_series=false
echo
sweep fidelity configs/sweeps/kim_kim_fidelity.yaml --keep-runs -s write_events=false -s write_series=false
