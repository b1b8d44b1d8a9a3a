#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Policies from outside the tree: wrong ones, each with the complaint it must earn, and right ones; then every built-in
# policy on random configurations.
#   BIN=folder of hetune tests/policies/run.sh [COMPILER FLAGS]
# The flags say where sim/policy.h lies: the source tree if absent, or those of `pkg-config --cflags hetune`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
flags=${*:--I$here/../..}
hetune=${BIN:?}/hetune
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    echo "FAILED: $1"
    sed 's/^/    /' err 2> /dev/null | head -n 20
    failed=1
}

# expect NAME EXIT TEXT COMMAND...: how it ends, what it says, and that no folder is left that looks
# as if the run had ended by itself.
expect() {
    local name=$1 want=$2 text=$3 got=0
    shift 3
    rm -rf out
    "$@" -o out > /dev/null 2> err || got=$?
    [ $got = "$want" ] || fail "$name: exit code $got, wanted $want"
    grep -qF -- "$text" err || fail "$name: it should say '$text'"
    ! grep -qsE '"ended": "(drained|until)"' out/summary.json || fail "$name: its summary looks complete"
}

cat > run.yaml <<'END'
cluster:
  gpu_types: {old: {memory_gib: 16}, new: {memory_gib: 16}}
  nodes: [{type: old, gpus: 4}, {type: new, gpus: 2}]
cost:
  models: {m: {parameters: 1e6, samples_per_epoch: 640, batch: 64, memory_fixed_mib: 1024, memory_per_sample_mib: 256}}
  fits: [{model: m, gpu: old, alpha_s: 1, beta_s: 0}]
trace: jobs.csv
policy: x
END
# The same with shared GPUs: two jobs fit beside each other, but not with all samples on one GPU.
{
    sed -e 's/16}, new: {memory_gib: 16}}/24}, new: {memory_gib: 24}}/' -e 's/^  nodes:/  sharing: {residents: 2}\n&/' \
        -e 's/jobs.csv/shared.csv/' run.yaml
    echo 'overheads: {start_s: 1, replica_s: 1}'
} > shared.yaml
# And every step of it, of which one that is left is given up.
{
    grep -v '^overheads:' shared.yaml
    printf 'fidelity: step\npreempt_at: now\n'
} > steps.yaml
cat > jobs.csv <<'END'
submit_s,gpus,model,batch,epochs
0,2,m,64,1
5,2,m,64,2
200,2,m,64,1
END
sed 's/^200/6/' jobs.csv > shared.csv
for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC $flags -I"$here" -o "$name.so" "$source" || exit 1
done

# ---- wrong ones ----

wrong=0
# complaints CONFIG: from its input, policies and what each must earn.
complaints() {
    local name text
    while IFS='|' read -r name text; do
        expect "$name" 4 "hetune: policy x, seed 1: $text" "$hetune" run "$1" --paranoid --policy-lib "./$name.so"
        grep -q '^the last records:$' err || fail "$name: no records in the report"
        wrong=$((wrong + 1))
    done
}
complaints run.yaml <<'END'
double_start|policy x, job 0: start: the job is not in a state for it at 0 s
unknown_gpu|policy x, job 0: start: there is no such GPU at 0 s
unknown_job|policy x, job 77: start: there is no such job, or it has ended at 0 s
ended_job|policy x, job 0: start: there is no such job, or it has ended at 200 s
wrong_size|policy x, job 0: start: not as many GPUs as the job wants, or one is named twice at 0 s
same_gpu_twice|policy x, job 0: start: not as many GPUs as the job wants, or one is named twice at 0 s
wrong_shares|policy x, job 0: start: the batch shares do not sum to the job's batch, or one is 0 at 0 s
empty_share|policy x, job 0: start: the batch shares do not sum to the job's batch, or one is 0 at 0 s
too_big|policy x, job 0: start: model and samples do not fit the GPU's memory at 0 s
no_rate|policy x, job 0: start: the cost model knows no step time for this model and GPU type at 0 s
takes_taken_gpu|policy x, job 1: start: a GPU is taken at 5 s
starts_running_job|policy x, job 0: start: the job is not in a state for it at 5 s
preempts_waiting_job|policy x, job 0: preempt: the job is not in a state for it at 0 s
rejects_running_job|policy x, job 0: reject: the job is not in a state for it at 5 s
splits_over_others|policy x, job 0: split: a GPU is taken at 5 s
undeclared_preempt|policy x, job 0: preempt: the policy does not declare this in its flags at 0 s
undeclared_reject|policy x, job 0: reject: the policy does not declare this in its flags at 0 s
undeclared_split|policy x, job 0: split: the policy does not declare this in its flags at 0 s
peeks|policy x, job 0: read the remaining work: the policy does not declare this in its flags at 0 s
acts_in_callback|policy x, job 0: start: acts belong into schedule(), wake-ups into the future at 0 s
wakes_in_past|policy x: wake: acts belong into schedule(), wake-ups into the future at 5 s
wakes_after_time|policy x: wake: acts belong into schedule(), wake-ups into the future at 0 s
no_placement|policy x, job 0: start: not as many GPUs as the job wants, or one is named twice at 0 s
waits_for_ever|policy x has set its alarm 10000 times and done nothing, and nothing else is left to happen at
forgets|policy x has forgotten 1 waiting job (1): nothing is left to happen at 210 s
spins|policy x was asked 10000 times in one instant and still wants more at 0 s
never_settles|policy x has done 10100 acts in one round for 1 jobs at 0 s
gives_up|policy x gave up: job 0 is not to my taste at 0 s
asks_about_nobody|policy x asked about job 77, which does not exist or has ended at 0 s
asks_for_memory|policy x asked for its memory of job 0, which has none at 0 s
END
complaints shared.yaml <<'END'
too_many_residents|policy x, job 2: start: GPU 0 has 2 residents already, the most allowed at 6 s
undeclared_sharing|policy x, job 1: start: the policy does not declare this in its flags at 5 s
split_too_big|policy x, job 0: split: 63 samples of m need 16.75 GiB, and GPU 0 (old, 2 residents) has 15.00 of 24.00 GiB left for it at 6 s
resize_too_big|policy x, job 0: resize: 64 samples of m need 17.00 GiB, and GPU 0 (old, 2 residents) has 15.00 of 24.00 GiB left for it at 6 s
split_loses|policy x, job 0: split: the batch shares do not sum to the job's batch, or one is 0 at 1 s
split_empty|policy x, job 0: split: the batch shares do not sum to the job's batch, or one is 0 at 1 s
split_twice|policy x, job 0: split: not as many GPUs as the job wants, or one is named twice at 1 s
split_elsewhere|policy x, job 0: split: the job does not hold GPU 2 at 1 s
split_part|policy x, job 0: split: not as many GPUs as the job wants, or one is named twice at 1 s
resize_loses|policy x, job 0: resize: the batch shares do not sum to the job's batch, or one is 0 at 1 s
resize_empty|policy x, job 0: resize: the batch shares do not sum to the job's batch, or one is 0 at 1 s
resize_twice|policy x, job 0: resize: no GPU is named, or one twice at 1 s
resize_unknown|policy x, job 0: resize: there is no such GPU at 1 s
undeclared_resize|policy x, job 0: resize: the policy does not declare this in its flags at 1 s
resize_other_type|policy x, job 0: resize: the cost model knows no step time for this model and GPU type at 1 s
resize_to_nothing|policy x, job 0: resize: no GPU is named, or one twice at 1 s
resizes_waiting_job|policy x, job 0: resize: the job is not in a state for it at 0 s
splits_in_a_round|policy x has done 10100 acts in one round for 1 jobs at 1 s
splits_in_an_instant|policy x was asked 10000 times in one instant and still wants more at 1 s
never_arrives|policy x has taken jobs off their GPUs or sent them to others 13000 times, and no job has run in between at 3253 s
preempts_in_set_up|policy x has taken jobs off their GPUs or sent them to others 13000 times, and no job has run in between at 6500.5 s
END
complaints steps.yaml <<'END'
too_many_residents|policy x, job 2: start: GPU 0 has 2 residents already, the most allowed at 6 s
splits_in_a_round|policy x has done 10100 acts in one round for 1 jobs at 0 s
splits_in_an_instant|policy x was asked 10000 times in one instant and still wants more at 0 s
never_steps|policy x has sent jobs to other GPUs in the middle of a step 13000 times, and no step was done in between at
END
expect gives_up 4 "policy x says:" "$hetune" run run.yaml --policy-lib ./gives_up.so
expect gives_up 4 "  nothing to say" "$hetune" run run.yaml --policy-lib ./gives_up.so

# A refused act changes nothing: counted instead of fatal, the run is that of a policy that did not try.
digest() { sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p' "$1/summary.json"; }
for name in takes_taken_gpu starts_running_job undeclared_preempt peeks; do
    rm -rf out
    "$hetune" run run.yaml --paranoid --policy-lib "./$name.so" -s refusals=count -o out > /dev/null 2> err ||
        fail "$name with refusals=count"
    grep -q '"refusals": [1-9]' out/summary.json || fail "$name with refusals=count: nothing was refused"
    grep -v ',refuse,' out/events.csv > "$name.events"
    cmp -s takes_taken_gpu.events "$name.events" || fail "$name with refusals=count: the history is another one"
done

# run_to FOLDER ARGUMENTS...: a run that must go well.
run_to() {
    local out=$1
    shift
    rm -rf "$out"
    "$hetune" run "$@" --paranoid -q -o "$out" > /dev/null 2> err || fail "$*"
}
same() { [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ]; }

# ---- what must not be loaded ----

printf 'This is no library.\n' > text.so
cp minimal.so everybody.so && chmod 666 everybody.so
cp minimal.so bare.so
refused=0
while IFS='|' read -r file text; do
    expect "$file" 2 "error: policy library $file: $text" "$hetune" run run.yaml --policy-lib "$file"
    [ ! -e out ] || fail "$file: left a folder"
    refused=$((refused + 1))
done <<'END'
./wrong_abi.so|built for policy ABI 4; this is 3
./wrong_struct.so|struct policy has
./no_symbol.so|it has no symbol `policy` or `tuner`
./unknown_flags.so|the policy sets flags that are not known
./no_name.so|the policy has no name or no schedule()
./no_schedule.so|the policy has no name or no schedule()
./text.so|
./everybody.so|everybody may write it; chmod o-w first
./absent.so|there is no such file
bare.so|the path must hold a '/', as in ./mine.so: bare names are searched in system folders
END
many=()
for _ in $(seq 17); do many+=(--policy-lib ./minimal.so); done
expect "17 libraries" 2 "error: policy library ./minimal.so: too many libraries" "$hetune" run run.yaml "${many[@]}"
sed 's/^policy: x/policy: y/' run.yaml > y.yaml
expect "another name" 2 "unknown policy 'y'" "$hetune" run y.yaml --policy-lib ./minimal.so

# ---- tuners ----

for source in "$here"/tuners/*.c; do
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC $flags -o "tuner_$(basename "$source" .c).so" "$source" || exit 1
done
{
    sed -e '/^trace:/d' -e 's/^policy: x/policy: rr/' run.yaml
    printf 'experiments:\n  - {name: s, curves: %s, model: m, batch: 32, trials: 6, tuner: t}\n' "$here/../../traces/curves/cifar10_fast.yaml"
} > tuner.yaml
while IFS='|' read -r name text; do
    expect "tuner $name" 4 "hetune: policy rr, seed 1: $text" "$hetune" run tuner.yaml --paranoid --policy-lib "./tuner_$name.so"
    wrong=$((wrong + 1))
done <<'END'
answers_nonsense|tuner t answered 7 to the report of trial 0 at
forgets_paused|2 paused trials (job 0, 1) will not be promoted: nothing is left to happen at
END
while IFS='|' read -r file text; do
    expect "tuner $file" 2 "error: policy library $file: $text" "$hetune" run tuner.yaml --policy-lib "$file"
    refused=$((refused + 1))
done <<'END'
./tuner_wrong_abi.so|built for tuner ABI 3; this is 2
./tuner_wrong_struct.so|struct tuner has 8 bytes there, 
./tuner_no_open.so|the tuner has no name or no open()
END
expect "no tuner t" 2 "unknown tuner 't'" "$hetune" run tuner.yaml
run_to all tuner.yaml -s experiments.0.tuner=run_all
for name in minimal wrong_trials; do
    run_to own tuner.yaml --policy-lib "./tuner_$name.so"
    same own all || fail "tuner $name is not run_all"
done
run_to nothing tuner.yaml --policy-lib ./tuner_submits_nothing.so
grep -q '"trials": 0' nothing/summary.json || fail "submits_nothing: there are trials"
grep -q ',close,.*,all_done$' nothing/events.csv || fail "submits_nothing: its experiment does not close"
run_to itself tuner.yaml --policy-lib ./tuner_stops_itself.so
[ "$(grep -c ',kill,' itself/events.csv)" = 3 ] || fail "stops_itself: not three trials are killed"
! grep -q ',pause,' itself/events.csv || fail "stops_itself: a trial is paused after its end"
"$hetune" list tuners --policy-lib ./tuner_minimal.so | grep -q '^t - for tests$' || fail "list tuners does not show a loaded one"

# ---- right ones ----

[ "$(wc -l < "$here/minimal.c")" -le 30 ] || fail "minimal.c is not minimal"
for function in $(grep -oE '^SIM_API .*' "$here/../../sim/policy.h" | grep -oE '\bsim_[a-z_]+\(' | tr -d '('); do
    grep -qE "\b$function\(" "$here/maximal.c" "$here/x.h" || fail "maximal.c does not use $function"
done

run_to own run.yaml --policy-lib ./minimal.so
run_to built_in run.yaml -s policy=fifo
same own built_in || fail "minimal is not fifo"
for label in x 'x[every_s=0.5]' 'x[most=1]' 'x[every_s=3.25,most=2]'; do
    run_to a run.yaml --policy-lib ./maximal.so -s "policy=$label" -s overheads.start_s=1 -s overheads.save_s=0.5
    run_to b run.yaml --policy-lib ./maximal.so -s "policy=$label" -s overheads.start_s=1 -s overheads.save_s=0.5
    same a b || fail "$label: two runs differ"
done

run_to a run.yaml --policy-lib ./maximal.so -s 'policy=x[every_s=1]' -s cost.fits.0.beta_s=0.1
grep -q ',resize,' a/events.csv || fail "maximal: nothing is resized"
# It splits to and fro for as long as there are jobs, and they end all the same.
run_to a shared.yaml --policy-lib ./oscillates.so
run_to b shared.yaml --policy-lib ./oscillates.so
same a b || fail "oscillates: two runs differ"
[ "$(grep -c ',split,' a/events.csv)" -gt 20 ] || fail "oscillates: it does not"

# ---- built-in ones on random configurations ----

seed=1
below() { # a number from 0 on, into $n
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    n=$((seed / 65536 % $1))
}
pick() { # one of the words, into $word
    below $#
    shift $n
    word=$1
}

single=(fifo 'fifo[skip_ahead=true]' sjf 'sjf[skip_ahead=true]' srtf 'srtf[quantum_s=5,skip_ahead=false]'
    'las[quantum_s=7,threshold_gpu_s=20]' 'las[quantum_s=3,threshold_gpu_s=0]' rr 'rr[quantum_s=4,placement=random]'
    'rr[quantum_s=0,quantum_epochs=2]' uniform 'uniform[order=convergence,placement=per_node]' hermes
    'hermes[compare_at=latest,preempt_on=any,measure=slope,quantum_s=3]')
whole=('rr[scope=node,quantum_s=6]' 'hermes[scope=node,measure=marginal,window=3]' hermes_v2
    'hermes_v2[relocate=run,move_s=0,residence=0]' 'hermes_v2[cap=speed,gain=absolute,victim=convergence]'
    'hermes_v2[cap=none,relocate=placement,victim_loss=false]')

# Types a, b and c; models m and n; plain jobs and one study. Jobs of several GPUs if $1 is over 1.
draw_config() {
    local gpus=$1 i t
    printf 'cluster:\n  gpu_types: {a: {}, b: {memory_gib: 24}, c: {memory_gib: 40}}\n  nodes:\n'
    for t in a b c; do
        below 3; printf '    - {type: %s, gpus: %d, count: %d' $t $((n + gpus)) $((n % 2 + 1))
        below 2; [ $n = 0 ] || printf ', speed_sigma: 0.1, host_memory_gib: 1'
        printf '}\n'
    done
    printf 'cost:\n  models:\n'
    for t in m n; do
        below 50; printf '    %s: {parameters: %de6, samples_per_epoch: 1000, batch: 50}\n' $t $((n + 1))
    done
    printf '  fits:\n'
    for t in 'm, gpu: a' 'm, gpu: b' 'm, gpu: c' 'n, gpu: a' 'n, gpu: c'; do
        below 30; printf '    - {model: %s, alpha_s: 0.%03d, beta_s: 0.00%d}\n' "$t" $((n + 10)) $((n % 7 + 1))
    done
    printf '  sync: [{model: m, gpu: a, node_base_s: 0.05, cluster_base_s: 0.2}]\n'
    below 4; printf 'overheads: {start_s: %d, save_s: 0.%d, restore_s: 1, image_s: %d, host_gbps: 10, ' $n $n $n
    printf 'disk_write_gbps: 0.5, disk_read_gbps: 0.5, network_gbps: 1}\n'
    pick exact reference_table 'noisy[sigma=0.2]'; printf 'predictor: %s\n' "$word"
    pick now step epoch; printf 'preempt_at: %s\n' "$word"
    [ "$word" != epoch ] || { pick state checkpoint; printf 'keeps: %s\n' "$word"; }
    pick host storage; printf 'suspend_to: %s\n' "$word"
    pick 0 0.05; printf 'jitter: %s\n' "$word"
    below 4; printf 'experiments:\n  - {name: s, curves: %s, model: [m, n], trials: %d, gpus: %d, submit_s: %d, ' \
        "$here/../../traces/curves/cifar10_fast.yaml" $((n + 3)) $((n % gpus + 1)) $((n * 10))
    pick all_done first_good all_good; printf 'end: %s}\n' "$word"
    printf 'trace: random.csv\nseed: %d\npolicy:\n' "$n"
    printf "  - '%s'\n" "${single[@]}"
    [ "$gpus" -gt 1 ] || printf "  - '%s'\n" "${whole[@]}"
}

draw_jobs() {
    local gpus=$1 at=0 i
    echo 'submit_s,gpus,model,batch,epochs,job_id'
    for i in $(seq 12); do
        below 30; at=$((at + n))
        pick m n; printf '%d,%d,%s,%d,%d,job %d\n' $at $((n % gpus + 1)) "$word" $((n + 40)) $((n % 5 + 1)) "$i"
    done
}

runs=0
for config in $(seq 20); do
    gpus=$((config % 2 ? 1 : 3))
    draw_config $gpus > random.yaml
    draw_jobs $gpus > random.csv
    for out in a b; do
        run_to $out random.yaml -s write_jobs=false -s write_series=false -s write_events=false
    done
    (cd a && find . -name summary.json | sort | xargs cat) > a.txt
    (cd b && find . -name summary.json | sort | xargs cat) > b.txt
    cmp -s a.txt b.txt || fail "configuration $config: two runs differ"
    runs=$((runs + 2 * $(find a -name summary.json | wc -l)))
    [ $failed = 0 ] || { cat random.yaml; exit 1; }
done

[ $failed = 0 ] || exit 1
echo "$wrong wrong policies reported, $refused libraries refused, 3 right ones; $runs runs of built-in ones on 20 configurations"
