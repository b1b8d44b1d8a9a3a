#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every configuration in the tree is valid; the golden results of PH-B1K, to the printed digit.
set -eu
cd "$(dirname "$0")/.."
hetune=$BUILD/hetune
for run in configs/runs/*.yaml; do "$hetune" validate "$run"; done
for cluster in configs/clusters/*.yaml; do
    "$hetune" validate configs/runs/philly_b1k.yaml -s cluster="$cluster" -s trace=tests/data/empty.csv > /dev/null
done
for costs in configs/costs/suspend.yaml configs/costs/restart.yaml; do
    "$hetune" validate configs/runs/demo.yaml -s overheads="$costs" > /dev/null
done
for draw in configs/draws/*.yaml; do
    "$hetune" validate configs/runs/kim_kim.yaml -s draw="$draw" > /dev/null
done
for sweep in configs/sweeps/*.yaml configs/studies/*/sweep.yaml; do "$hetune" sweep plan "$sweep" > /dev/null; done
configs/costs/apps.sh | cmp - configs/costs/apps.yaml

# The generator gives every list of operators again, and no other.
lists=$(mktemp -d)
configs/models/make.py "$lists"
diff -r -x '*.py' -x README.md configs/models "$lists"
rm -rf "$lists"

# Agreed on by several simulators (traces/README.md): policy, mean JCT, mean wait, makespan.
golden() {
    local got
    got=$("$hetune" run configs/runs/philly_b1k.yaml -s policy="$1" --json |
        awk -F': ' '/"(jct_mean_s|wait_mean_s|makespan_s)"/ { gsub(/,/, "", $2); printf "%s ", $2 }')
    [ "$got" = "$2 " ] || { echo "$1: $got, wanted $2"; exit 1; }
    echo "PH-B1K, $1: $got"
}
golden fifo '137975.996 99609.953 3230615'
golden 'fifo[skip_ahead=true]' '86869.048 48503.005 3093351'

# Shared GPUs: every job of the examples comes to its end.
rooms=$(mktemp -d)
for run in shared pairs calibrated_pairs mig3 mig7 calibrated_slices; do
    "$hetune" run configs/runs/$run.yaml -q -o "$rooms/$run" > /dev/null
    ended=$(grep -c ',end,' "$rooms/$run/jobs.csv")
    [ "$ended" = 10 ] || { echo "$run: $ended jobs ended, wanted 10"; exit 1; }
    awk -F, -v run=$run '$2 == "load" && !($15 > 0 && $15 <= 1 + 1e-9 && $16 > 0 && $16 <= 1 + 1e-9) {
        print run ": a load that cannot be: " $0; bad = 1 } END { exit bad }' "$rooms/$run/events.csv"
done
# Calibrated pairs: ResNet-18 and ResNet-50 beside each other on the V100 have the rates that their busy shares say.
parts() { "$hetune" predict -m "$1" -g "$3" -b "$2" --stack "$4" --json | sed -E 's/.*"step_s": ([^,]*),.*"gap_s": ([^,]*),.*/\1 \2/'; }
read -r step gap <<< "$(parts resnet18-cifar10 64 V100 gavel)"
read -r step_2 gap_2 <<< "$(parts resnet50-imagenet 32 V100 gavel)"
awk -F, -v t="$step" -v g="$gap" -v t2="$step_2" -v g2="$gap_2" '$1 == 14 && $2 == "rate" && $3 < 2 {
    slowed = 1 + (1 - g / t) * (1 - g2 / t2); wanted = 1 / ($3 ? t2 : t) / slowed; n++
    if (!(wanted / $15 < 1 + 1e-5 && wanted / $15 > 1 - 1e-5)) { print "job " $3 ": " $15 " steps a second, wanted " wanted; bad = 1 }
} END { exit bad || n != 2 }' "$rooms/calibrated_pairs/events.csv"
# Calibrated slices: kernels take seven times as long, gaps do not. 20 epochs of 391 steps, and 14 s to start.
read -r step gap <<< "$(parts resnet56-cifar10 128 A100 default)"
awk -F, -v t="$step" -v g="$gap" '$2 == "alone" && $3 == 0 { wanted = 14 + 7820 * (7 * (t - g) + g); n++
    if (!(wanted / $12 < 1 + 1e-5 && wanted / $12 > 1 - 1e-5)) { print "alone on a slice: " $12 " s, wanted " wanted; bad = 1 }
} END { exit bad || n != 1 }' "$rooms/calibrated_slices/events.csv"
rm -rf "$rooms"

# Recorded trials of all kinds run as they were recorded: epochs and last metric of each, and the good ones are the best,
# also where the metric falls and where trials diverged, which are killed before their planned end.
study=$(mktemp -d)
recorded() {
    "$hetune" run "configs/runs/$1.yaml" -q -s seeds=1 -s policy=fifo -s experiments.0.draw=first -o "$study/$1" > /dev/null
    got=$(awk -F, -v sign="$3" 'FNR == 1 { f++; next }
        f == 1 { n[$1] = $2; last[$1] = $3; next }
        { trials++; if ($10 != ($20 == 0.001 ? "kill" : "end") || $19 != n[$4] || $20 != last[$4]) bad++
          if ($5 == 1) { good++; if (good == 1 || sign * $20 < worst) worst = sign * $20 } else if (trials == good + 1 || sign * $20 > best) best = sign * $20 }
        $20 == 0.001 { chance++ }
        END { printf "%d trials, %d good, %d not as recorded, %d at chance, %s", trials, good, bad, chance, (worst >= best ? "ranked" : "wrongly ranked") }' \
        "traces/curves/$2.csv" "$study/$1/jobs.csv")
    [ "$got" = "$4" ] || { echo "$1: $got, wanted $4"; exit 1; }
}
recorded language ptb_lstm -1 '24 trials, 3 good, 0 not as recorded, 0 at chance, ranked'
recorded diverging share_alike/imagenet_convnext 1 '32 trials, 4 good, 0 not as recorded, 9 at chance, ranked'
rm -rf "$study"

# Orderings that docs/reproduction.md tells of, on a few seeds: mean HPO time over the good trials, by policy.
mean_good() { # POLICIES OPTIONS...: in order of the list
    "$hetune" run -q --json "${@:2}" -s "policy=[$1]" -s write_events=false -s write_jobs=false -s write_series=false |
        grep -o '"hpo_mean_good_s": {"value": {"mean": [0-9.]*' | sed 's/.* //' | tr '\n' ' '
}
ordered() { # WHAT CONDITION NUMBERS...: of awk, about $1, $2, ...
    local what=$1 condition=$2
    shift 2
    echo "$@" | awk "{ exit !($condition) }" || { echo "$what: $*, wanted $condition"; exit 1; }
    echo "$what: $*"
}
one_of=$(mean_good '"hermes[placement=round_robin]",uniform,"slaq[placement=round_robin]","rr[placement=round_robin,quantum_s=0]"' \
    configs/runs/hermes_v1.yaml -s seeds=6 -s experiments.0.trials=32)
# shellcheck disable=SC2086 # numbers
ordered 'Hermes, 1 of 32 good: hermes, arrival order, slaq, round robin' '$1 < $2 && $2 < $3 && $3 < $4 && $4 > 3 * $1' $one_of
gains=
for good in 2 8 16; do
    gains+=$(mean_good '"hermes[placement=round_robin]","rr[placement=round_robin,quantum_s=0]"' configs/runs/hermes_v1.yaml -s seeds=20 \
        -s experiments.0.trials=32 -s experiments.0.good_best=$good | awk '{ print $2 / $1 " " }')
done
# shellcheck disable=SC2086
ordered 'Hermes over round robin, 2, 8 and 16 of 32 good' '$1 > $2 && $2 > $3' $gains
parts=$(mean_good 'hermes,"hermes_v2[placement=uniform,relocate=run]",hermes_v2' configs/runs/hermes_v2.yaml -s seeds=20 \
    -s cluster=configs/clusters/t4_a100.yaml -s cost=configs/costs/calibrated.yaml -s experiments.0.model=resnet110-cifar10 \
    -s experiments.1.model=densenet40-cifar10 -s experiments.0.batch=128 -s experiments.1.batch=128)
# shellcheck disable=SC2086
ordered 'Hermes-V2 on T4 and A100: uniform, relocation, both' '$1 > 1.2 * $2 && $2 > $3' $parts

# Every policy and parameter table: a label parses back to itself.
"$hetune" list policies | awk '/^[a-z]/ { print $1 }' | while read -r policy; do
    "$hetune" validate configs/runs/demo.yaml -s policy="$policy" > /dev/null
done
echo "all configurations are valid, golden rows reached"
