#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Exports and reports of runs that this script makes, read by other programs: python3's json, csv and html.parser, and
# Chromium without a network.
set -u
cd "$(dirname "$0")/../.." || exit 1
HETUNE=$(realpath "${BIN:-build}/hetune")
ROOT=$PWD
HERE=$PWD/tests/report
HOSTILE=$PWD/tests/plots/hostile.txt
CONFIGS=$PWD/configs
export LC_ALL=C TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
checks=0
complain() { echo "FAILED: $*"; failed=1; }
# expect CODE WHAT COMMAND...: its output goes to ./out and ./err.
expect() {
    local code=$1 what=$2 got
    shift 2
    "$@" > out 2> err < /dev/null
    got=$?
    checks=$((checks + 1))
    [ $got = "$code" ] || complain "$what: exit code $got, wanted $code: $(tail -n 3 out err)"
}
says() { grep -qF -- "$1" out err || complain "$2: nothing says '$1'"; }

# A trace whose jobs are called as in hostile.txt (and worse), under a policy that preempts them.
mkdir hostile
awk 'length($0) <= 64 && $0 != ""' "$HOSTILE" > names
n_names=$(wc -l < names)
[ "$n_names" -ge 40 ] || complain "only $n_names hostile names"
{
    echo job_id,submit_s,gpus,duration_s
    awk '{ gsub(/"/, "\"\""); printf "\"%s\",%d,1,%d\n", $0, NR, 40 + NR % 7 }' names
    printf '"two\nlines",60,1,20\n"tab\t",61,1,20\n"\033[31mred\033[0m\007",62,1,20\n"\302\23331mred",63,1,20\n"\342\200\256evil",64,2,20\n'
} > hostile/trace.csv
cat > hostile/run.yaml << 'EOF'
cluster:
  gpu_types: {"<script>alert(1)</script>": {memory_gib: 0}}
  nodes: [{type: "<script>alert(1)</script>", gpus: 2}]
overheads: {start_s: 1, save_s: 1, restore_s: 1}
trace: trace.csv
policy: [fifo, "rr[quantum_s=15]"]
EOF

# ---- runs ----

demo="$CONFIGS/runs/demo.yaml"
expect 0 "run the demo" "$HETUNE" run "$demo" -q -s seeds=3 -o demo
expect 0 "run the demo, cut" "$HETUNE" run "$demo" -q -s seeds=1 -s until_s=900 -o cut
expect 0 "run the demo with checkpoints" "$HETUNE" run "$demo" -q -s seeds=1 -s keeps=checkpoint -s 'policy=[las, srtf]' -o checkpoints
expect 0 "run the demo to its first good trial" "$HETUNE" run "$demo" -q -s seeds=1 -s experiments.0.end=first_good -s policy=las -o killed
expect 0 "run hostile names" "$HETUNE" run hostile/run.yaml -q -o hostile/runs
# Jobs that share GPUs, and are moved about by chance.
expect 0 "build the mover" "${CC:-gcc}" -Wall -Wextra -shared -fPIC -I"$ROOT" -o mover.so "$HERE/mover.c"
mover() {
    expect 0 "run the mover, $1" "$HETUNE" run "$ROOT/tests/data/shared.yaml" -q -s policy=mover --policy-lib ./mover.so -s seeds=3 -s refusals=count \
        -s cluster.sharing.residents=3 -s overheads.save_s=2 -s overheads.restore_s=1 -s overheads.replica_s=2 -s keeps="$1" -o "shared/$1"
}
mover state
mover checkpoint

# ---- exports ----

for run in demo/*/seed-1 cut/*/seed-1 checkpoints/*/seed-1 killed hostile/runs/*/seed-1 shared/*/mover/seed-*; do
    expect 0 "export $run --to chrome" "$HETUNE" export "$run" --to chrome -o trace.json
    expect 0 "export $run --to batsim" "$HETUNE" export "$run" --to batsim -o tables
    expect 0 "the exports of $run" python3 "$HERE/export.py" "$run" trace.json tables
    expect 0 "a window of $run" "$HETUNE" export "$run" --to chrome --window 20.5,60 -o trace.json
    expect 0 "the window of $run" python3 "$HERE/export.py" "$run" trace.json tables 20.5 60
done
"$HETUNE" export killed --to batsim -o tables > out && grep -q COMPLETED_KILLED tables/jobs.csv || complain "no job was killed at the first good trial"
# ---- stories of runs ----
for run in shared/*/mover/seed-* demo/*/seed-1 cut/*/seed-1 checkpoints/*/seed-1 killed hostile/runs/*/seed-1; do
    expect 0 "explain $run" "$HETUNE" explain "$run" --json
    cp out story.json
    rm -f job-*.json
    case $run in shared/*) for job in 0 1 2 3 4 5; do
        expect 0 "explain job $job of $run" "$HETUNE" explain "$run" --job $job --json
        cp out job-$job.json
    done ;; esac
    expect 0 "what explain says of $run" python3 "$HERE/story.py" "$run" story.json $(ls job-*.json 2> /dev/null)
done
grep -q '"pushed": {"times": 0' story.json && complain "nobody was pushed in $run"

exports=$checks

# ---- reports ----

expect 0 "report the demo" "$HETUNE" report demo
[ "$(cat out)" = demo/report.html ] || complain "report does not name its file"
expect 0 "the page of the demo" python3 "$HERE/page.py" demo/report.html
cp demo/report.html once.html
expect 0 "report the demo again" "$HETUNE" report demo
cmp -s once.html demo/report.html || complain "the same report has other bytes"
expect 0 "report a cut run" "$HETUNE" report cut -o cut.html
expect 0 "the page of a cut run" python3 "$HERE/page.py" cut.html
grep -q '6 of 6 runs were cut at until_s' cut.html || complain "the page does not say that runs were cut"
expect 0 "report oracles" "$HETUNE" report checkpoints -o oracles.html
grep -q '1 of 2 policies are oracles' oracles.html && grep -q 'srtf (oracle)' oracles.html || complain "the page does not say who is an oracle"
grep -q 'one run gives no interval' oracles.html || complain "the page does not say that one run gives no interval"

# Changes and verdicts of the page are those of compare.
"$HETUNE" compare demo | sed -n '/^JCT, mean/,/^$/p' | grep -oE '[-+][0-9.]+ %|better|worse|not clear( \(Holm\))?|the same' > compared
sed -n '/<caption>JCT, mean/,/<\/table>/p' demo/report.html | sed 's/&nbsp;/ /g; s/<[^>]*>/\n/g' |
    grep -oE '^[-+][0-9.]+ %$|^better$|^worse$|^not clear( \(Holm\))?$|^the same$' | cmp -s - compared && [ "$(wc -l < compared)" = 10 ] ||
    complain "the changes of the page are not those of compare"

# A sweep, one point of it damaged and one not run.
cat > sweep.yaml << EOF
run: hostile/run.yaml
axes:
  about: ["<script>alert(1)</script>", "' onload=alert(1) \" x=\"", "]]>&amp;"]
  seed: {from: 1, to: 2}
EOF
expect 0 "run a sweep" "$HETUNE" sweep run sweep.yaml -q -o swept
set -- swept/points/*.json
rm "$1" && echo '{}' > "$2"
expect 0 "report a sweep" "$HETUNE" report swept
printf '%s\n' "about = <script>alert(1)</script>" "about = ' onload=alert(1) \" x=\"" 'about = ]]>&amp;' "it has not been run" "its file is damaged" > shown
expect 0 "the page of a sweep" python3 "$HERE/page.py" swept/report.html shown

# ---- hostile names and labels ----

grep -vP '\t' names > plain
expect 0 "report hostile names" "$HETUNE" report hostile/runs -o names.html
expect 0 "the page of hostile names" python3 "$HERE/page.py" names.html plain
sed -e 's/[\\"]/\\&/g' -e 's/\t/\\t/g' "$HOSTILE" > labels
printf '%s\n' '\u001b[31mred\u001b[0m' 'two\nlines' 'bell\u0007\u009b31m' '\u202eevil' >> labels
n_labels=0
while IFS= read -r label; do
    [ -n "$label" ] || continue
    n_labels=$((n_labels + 1))
    dir=labelled/run-$(printf '%02d' $n_labels)
    mkdir -p "$dir" && cp demo/fifo/seed-1/*.json "$dir"
    LABEL=$label awk '
        BEGIN { label = ENVIRON["LABEL"] }
        match($0, /^ *"(policy|type|name|model|config_file|compiler)": "/) {
            $0 = substr($0, 1, RLENGTH) label "\"" (/,$/ ? "," : "")
        }
        { print }' demo/fifo/seed-1/manifest.json > "$dir/manifest.json"
done < labels
cp demo/fifo/seed-1/events.csv labelled/run-01
expect 0 "report hostile labels" "$HETUNE" report labelled -o labels.html
grep -v '^$' "$HOSTILE" | tr '\t' '?' | grep -v '?' > shown
expect 0 "the page of hostile labels" python3 "$HERE/page.py" labels.html shown

# ---- 100,000 jobs ----

awk 'BEGIN { print "submit_s,gpus,duration_s"; for (i = 0; i < 100000; i++) printf "%d,%d,%d\n", 7 * i, 1 + (i * i) % 4, 1 + (i * 7919) % 1300 }' > many.csv
cat > many.yaml << 'EOF'
cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 8, count: 40}]}
overheads: {start_s: 1, save_s: 2, restore_s: 3, image_s: 4}
trace: many.csv
policy: [fifo, las]
EOF
expect 0 "run many jobs" "$HETUNE" run many.yaml -q -o many
start=$(date +%s%N)
expect 0 "report many jobs" "$HETUNE" report many
took=$((($(date +%s%N) - start) / 1000000))
expect 0 "the page of many jobs" python3 "$HERE/page.py" many/report.html

# ---- in a browser ----

# Whatever the page logs is a violation of its policy or an error; nothing of it may be fetched.
browse() {
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr --window-size=1000,2000 \
        --host-resolver-rules='MAP * ~NOTFOUND' "$@" > dom 2> log < /dev/null
}
if command -v chromium > /dev/null && browse --dump-dom 'data:text/html,<p>works' && grep -q works dom; then
    for page in demo/report.html many/report.html swept/report.html cut.html oracles.html names.html labels.html; do
        expect 0 "open $page" browse --dump-dom "file://$work/$page"
        ! grep -q CONSOLE log || complain "$page: $(grep -m 1 CONSOLE log)"
        grep -q '</main>' dom || complain "$page: there is no page"
        ! grep -q 'class="range"' "$page" || grep -q 'wheel and drag zoom' dom || complain "$page: its script did not run"
        expect 0 "take a picture of $page" browse --screenshot="$work/shot.png" "file://$work/$page"
        [ "$(wc -c < shot.png)" -gt 20000 ] || complain "$page: its picture is empty"
    done
    for bad in '<img src=x onerror=alert(1)>' '<p style="color:red">' '<script>alert(1)</script>' '<img src="https://example.org/x.png">'; do
        BAD=$bad awk '{ print } /<main>/ { print ENVIRON["BAD"] }' cut.html > bad.html
        browse --dump-dom "file://$work/bad.html"
        grep -q CONSOLE log || complain "the browser says nothing of $bad, so that it proves nothing"
        ! python3 "$HERE/page.py" bad.html > /dev/null || complain "page.py says nothing of $bad"
        checks=$((checks + 2))
    done
    browser="in Chromium without a complaint"
else
    browser="NOT opened in a browser: chromium is not there or does not start"
fi

[ $failed = 0 ] && echo "report: $exports checks of exports and stories, $((checks - exports)) of pages, $n_names hostile names, $n_labels labels; 100,000 jobs in $took ms; $browser"
exit $failed
