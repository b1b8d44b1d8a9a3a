#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures and stories of runs that this script makes: all kinds are there, well-formed, in embedded fonts
# and the same twice; names and labels that want to run code or break files do neither. In hostile.txt each
# line is such a name; control characters are added below.
set -u
cd "$(dirname "$0")/../.." || exit 1
HETUNE=$(realpath "${BIN:-build}/hetune")
HOSTILE=$PWD/tests/plots/hostile.txt
CONFIGS=$PWD/configs
export LC_ALL=C TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
checks=0
complain() { echo "FAILED: $*"; failed=1; }
# expect CODE WHAT COMMAND...: its output goes to $work/out and $work/err.
expect() {
    local code=$1 what=$2 got
    shift 2
    "$@" > "$work/out" 2> "$work/err" < /dev/null
    got=$?
    checks=$((checks + 1))
    [ $got = "$code" ] || complain "$what: exit code $got, wanted $code: $(tail -n 1 "$work/err")"
}
says() { grep -qF -- "$1" "$work/out" "$work/err" || complain "$2: nothing says '$1'"; }

well_formed() {
    checks=$((checks + 1))
    if command -v xmllint > /dev/null; then
        xmllint --noout "$1" 2> "$work/xml" || complain "$1 is not well-formed: $(head -n 1 "$work/xml")"
    else
        [ "$(tail -n 2 "$1" | tr -d '\n')" = '</svg>' ] && ! grep -qP '[\x00-\x08\x0b-\x1f]|\]\]>' "$1" || complain "$1 is not well-formed"
    fi
}

# Pictures: width of a page or a column, text of 7 points or more, fonts that travel with the file.
picture() {
    local fonts
    well_formed "$1.svg"
    grep -qE '<svg *$|<svg ' "$1.svg" && grep -qE 'width="(672|319|320)"' "$1.svg" || complain "$1.svg: neither 7 nor 3.33 inches wide"
    grep -oE 'font-size="[0-9.]+"' "$1.svg" | tr -dc '0-9.\n' | awk '$1 < 9.33 { bad = 1 } END { exit bad || NR == 0 }' ||
        complain "$1.svg: text below 7 points, or none"
    fonts=$(pdffonts "$1.pdf" 2> /dev/null | tail -n +3)
    [ -n "$fonts" ] || complain "$1.pdf: not a PDF with text"
    case $fonts in *"Type 3"*) complain "$1.pdf: a Type 3 font" ;; esac
    echo "$fonts" | awk '{ if ($(NF - 4) != "yes") bad = 1 } END { exit bad }' || complain "$1.pdf: a font is not embedded"
    for ending in tsv gp; do
        [ -s "$1.$ending" ] || complain "$1.$ending is missing"
    done
}

# A picture for LaTeX: what follows from data is text alone. \strut{} begins a text; in it no command is left but those
# that stand for a character, and nothing that LaTeX gives a meaning stands bare.
latex() {
    checks=$((checks + 1))
    [ "$(head -c 5 "$1-latex.pdf")" = %PDF- ] || complain "$1-latex.pdf is no PDF"
    ! grep -qP '[^\x00-\x7f\xc3\x80-\xbf]|[\x00-\x08\x0b-\x1f]' "$1-latex.tex" || complain "$1-latex.tex: characters that not all LaTeX has"
    sed -nE '/\\strut\{\}/ { s/^ *\\put\([-0-9]+,[-0-9]+\)\{\\rotatebox\{-?[0-9]+\.*[0-9]*\}(.*)\}%$/\1%/; s/^.*\\makebox[^{]*\{\\strut\{\}(.*)\}\}%$/\1/p }' "$1-latex.tex" > "$work/texts"
    [ -s "$work/texts" ] || complain "$1-latex.tex has no text"
    sed -E 's/\\(\^|~|dots|char36)\{\}//g; s/\\[&#%_{}]//g; s/\{-\}//g
        s/\$[-0-9.]*(\\(times|leq|geq|pm|rightarrow|leftarrow) ?)?([<>|]|10)?(\^\{[-0-9]*\})?\$//g' "$work/texts" > "$work/rest"
    ! grep -nE '[\$&#%_{}^~]' "$work/rest" > "$work/commands" || complain "$1-latex.tex: a text with commands: $(head -n 1 "$work/commands")"
}

# Where there is LaTeX, it sets all of a folder's pictures and no code runs; fonts are embedded, none is of Type 3.
typeset() {
    command -v pdflatex > /dev/null || return 0
    (
        cd "$1" || exit
        {
            printf '\\documentclass{article}\n\\usepackage{graphicx,color,calc}\n\\begin{document}\\footnotesize\n'
            for tex in *-latex.tex; do printf '\\noindent\\input{%s}\\par\n' "${tex%.tex}"; done
            printf '\\end{document}\n'
        } > all.tex
        expect 0 "typeset $1" pdflatex -shell-escape -halt-on-error -interaction=nonstopmode all.tex
        pdffonts all.pdf | grep -q 'Type 3' && complain "$1: typeset with a Type 3 font"
        rm -f all.*
        exit $failed
    ) || failed=1
}

# Nothing on a terminal but text: no escape, no other control character.
clean() {
    checks=$((checks + 1))
    ! grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xC2[\x80-\x9f]' "$work/out" "$work/err" || complain "$1: control characters are printed"
}

# ---- all kinds, twice ----

demo="$work/demo"
expect 0 "run the demo" "$HETUNE" run "$CONFIGS/runs/demo.yaml" -q -s seeds=2 -s policy='[fifo, "hermes_v2[relocate=placement]"]' -o "$demo"
expect 0 "plot the demo" "$HETUNE" plot "$demo" --terminal svg,pdf,png,latex
cp "$work/out" "$work/files"
for name in hpo_time jct change best_metric metric jct_cdf slowdown_cdf fairness jct_box slowdown_box queue utilisation \
    curves_1 curves_2 gantt_1 gantt_2 gantt_jobs_1 gantt_jobs_2; do
    grep -qxF "$demo/plots/$name.svg" "$work/files" || complain "plot does not name $name.svg"
    picture "$demo/plots/$name"
    latex "$demo/plots/$name"
    file=$demo/plots/$name.png
    [ "$(od -An -tx1 -j16 -N4 "$file" | tr -d ' \n')" = "$(printf %08x "$(sed -n 's/.*width="\([0-9]*\)".*/\1/p' "$demo/plots/$name.svg" | head -n 1 | awk '{ print $1 == 672 ? 2016 : 959 }')")" ] ||
        complain "$file is not as wide as the SVG at 288 dots an inch"
done
typeset "$demo/plots"
[ "$(ls "$demo/plots" | wc -l)" = "$(wc -l < "$work/files")" ] || complain "plot names other files than it makes"
kinds=$("$HETUNE" plot --help | sed -n '/^ *kinds: /,/^$/p' | sed 's/^ *kinds: //' | grep -v ' of a ')
for kind in $kinds; do
    expect 0 "plot --kind $kind" "$HETUNE" plot "$demo" --terminal svg,pdf,png,latex --kind "$kind" -o "$work/again"
done
diff -r "$demo/plots" "$work/again" > "$work/diff" || complain "drawn again, kind by kind, files differ: $(head -n 1 "$work/diff")"
expect 0 "gnuplot draws it again" bash -c "cd '$work/again' && cp change.svg old.svg && gnuplot -d change.gp && cmp change.svg old.svg"
expect 0 "a column wide" "$HETUNE" plot "$demo" --width 3.33 -o "$work/column"
for svg in "$work"/column/*.svg; do
    picture "${svg%.svg}"
    grep -qE 'width="(319|320)"' "$svg" || complain "$svg is not a column wide"
done
expect 0 "two metrics" "$HETUNE" plot "$demo" --kind metric --metric jct_p90_s --metric starts -o "$work/column"
grep -q '^jct_p90' "$work/column/metric.tsv" && grep -q '^starts' "$work/column/metric.tsv" || complain "two metrics: they are not in the data"
expect 0 "plot --json" "$HETUNE" plot "$demo" --json --kind gantt --kind change -o "$work/json"
says '"files": ["gantt_2.svg", "gantt_2.pdf", "gantt_2.tsv", "gantt_2.gp"]' "plot --json"

# Colours of lines and of the Gantts' full boxes are told apart in grey and by the colour-blind.
palette() {
    checks=$((checks + 1))
    awk -v grey=9.9 -v seen=14 -f tests/plots/palette.awk > "$work/palette" || complain "palette of $1: $(head -n 1 "$work/palette")"
}
sed -n 's/^array colour\[8\] = \[\(.*\)\]/\1/p' analysis/plots/style.gp | tr -d ' ' | tr , '\n' | palette "lines"
grep -o 'boxxyerror linecolor rgb 0x[0-9A-F]*' analysis/plots/gantt.gp | grep -o '0x.*' | grep -v 777777 | palette gantt
sed -n 's/^array colour_of\[7\] = \[\(.*\)\]/\1/p' analysis/plots/gantt_jobs.gp | tr -d ' ' | tr , '\n' | sed 2,3d | palette gantt_jobs

# Finish-time fairness of a run that can be done by hand: three jobs on one GPU, one after the other.
printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,10\n0,1,20\n' > "$work/three.csv"
printf 'cluster: {gpu_types: {g: {}}, nodes: [{type: g, gpus: 1}]}\ntrace: three.csv\npolicy: fifo\n' > "$work/three.yaml"
expect 0 "run three jobs" "$HETUNE" run "$work/three.yaml" -q -o "$work/three"
expect 0 "plot three jobs" "$HETUNE" plot "$work/three" --kind fairness
# In the system: 3 until 10 s, 2 until 20 s, 1 until 40 s. 10 / (10 * 3), 20 / (10 * 2.5), 40 / (20 * 1.75).
sed -n '/share$/,$p' "$work/three/plots/fairness.tsv" | cut -f2 | tail -n 3 | tr '\n' ' ' > "$work/three.got"
[ "$(cat "$work/three.got")" = '0.3333333333333333 0.8 1.1428571428571428 ' ] || complain "fairness of three jobs: $(cat "$work/three.got")"

# ---- a sweep ----

cat > "$work/sweep.yaml" << EOF
about: two axes
run: $CONFIGS/runs/hermes_v2.yaml
axes:
  policy: [hermes, hermes_v2]
  overheads.image_s: [12, 72, 300]
  predictor: [reference_table, exact]
  seed: {from: 1, to: 3}
EOF
sweep=$work/sweep
expect 0 "run a sweep" "$HETUNE" sweep run "$work/sweep.yaml" -q -o "$sweep"
expect 0 "plot a sweep" "$HETUNE" plot "$sweep" --terminal svg,pdf,png,latex
for name in heat axis_1 axis_2 ablation box_case box_axis_1 box_axis_2; do
    picture "$sweep/plots/$name"
    latex "$sweep/plots/$name"
    expect 0 "plot a sweep, $name" "$HETUNE" plot "$sweep" --terminal svg,pdf,png,latex --kind "${name%_[0-9]}" -o "$work/sweep_again"
done
typeset "$sweep/plots"
diff -r "$sweep/plots" "$work/sweep_again" > "$work/diff" || complain "a sweep drawn again, kind by kind, files differ: $(head -n 1 "$work/diff")"
expect 0 "a sweep, a column wide" "$HETUNE" plot "$sweep" --width 3.33 --metric makespan_s --baseline hermes_v2 -o "$work/sweep_column"
for svg in "$work"/sweep_column/*.svg; do picture "${svg%.svg}"; done

# The mean and the change are those that merge's table gives.
expect 0 "merge it" "$HETUNE" sweep merge "$sweep"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["overheads.image_s"] == 72 { sum[$at["policy"]] += $at["hpo_mean_good_s"]; n[$at["policy"]]++ }
    $at["overheads.image_s"] == 72 && $at["predictor"] == "exact" { one[$at["policy"]] += $at["hpo_mean_good_s"] }
    END { printf "%.6g %.6g", sum["hermes_v2"] / n["hermes_v2"], 100 * (one["hermes_v2"] / one["hermes"] - 1) }' "$sweep/merged.csv" > "$work/wanted"
{
    awk -F'\t' '$1 == 2 && $2 == 72 { printf "%.6g ", $3 }' "$sweep/plots/axis_1.tsv"
    awk -F'\t' '/^case\tvalues/ { rows = 1 } rows && $2 == "72, exact" { row = $1 } { line[NR] = $0 }
        END { for (i = 1; i <= NR; i++) { split(line[i], c, "\t"); if (c[1] == row && c[2] == 1 && c[3] != "") printf "%.6g", c[3] } }' "$sweep/plots/heat.tsv"
} > "$work/got"
[ -s "$work/got" ] && cmp -s "$work/got" "$work/wanted" || complain "a sweep's figures: $(cat "$work/got"), wanted $(cat "$work/wanted")"

# The boxes are those of the table, seed by seed: the median of an odd number is one of them.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["overheads.image_s"] == 72 && $at["predictor"] == "exact" { x[$at["policy"], $at["seed"]] = $at["hpo_mean_good_s"] }
    END { for (s = 1; s <= 3; s++) printf "%.6g\n", 100 * (1 - x["hermes_v2", s] / x["hermes", s]) }' "$sweep/merged.csv" | sort -g | sed -n 2p > "$work/wanted"
awk -F'\t' '{ line[NR] = $0 } $2 == "72, exact" { row = $1 }
    END { for (i = 1; i <= NR; i++) { split(line[i], c, "\t"); if (c[1] == 2 && c[2] == row && c[9] == 3) printf "%.6g\n", c[5] } }' "$sweep/plots/box_case.tsv" > "$work/got"
[ -s "$work/got" ] && cmp -s "$work/got" "$work/wanted" || complain "the boxes of a sweep: $(cat "$work/got"), wanted $(cat "$work/wanted")"

# ---- GPUs that are shared ----

expect 0 "build the mover" "${CC:-gcc}" -shared -fPIC -I. -o "$work/mover.so" tests/report/mover.c
on_shared=(--policy-lib "$work/mover.so" -s refusals=count -s overheads.save_s=2 -s overheads.replica_s=2)
expect 0 "run on shared GPUs" "$HETUNE" run tests/data/shared.yaml -q "${on_shared[@]}" -s 'policy=[even_split, mover]' -s seeds=2 -o "$work/shared"
expect 0 "plot shared GPUs" "$HETUNE" plot "$work/shared" --terminal svg,pdf,png,latex
for name in job_slowdown shares_1 shares_2 utilisation gantt_1 gantt_2 gantt_jobs_2 jct change; do
    picture "$work/shared/plots/$name"
    latex "$work/shared/plots/$name"
    expect 0 "plot shared GPUs, $name" "$HETUNE" plot "$work/shared" --terminal svg,pdf,png,latex --kind "${name%_[0-9]}" -o "$work/shared_again"
done
typeset "$work/shared/plots"
for file in "$work"/shared_again/*; do cmp "$file" "$work/shared/plots/${file##*/}" || complain "shared GPUs drawn again: ${file##*/} differs"; done
expect 0 "shared GPUs, a column wide" "$HETUNE" plot "$work/shared" --width 3.33 -o "$work/shared_column"
for svg in "$work"/shared_column/*.svg; do picture "${svg%.svg}"; done
expect 2 "slowdowns where no GPU is shared" "$HETUNE" plot "$demo" --kind job_slowdown
says "no cluster of these runs shares its GPUs" "slowdowns where no GPU is shared"
# Slowdowns are those of jobs.csv; shares sum to the batch while the job has GPUs, and to nothing afterwards.
awk -F, 'NR > 1 { printf "%d %.9g\n", $1, $22 }' "$work/shared/mover/seed-1/jobs.csv" | sort -n > "$work/wanted"
awk -F'\t' '/^policy/ { block++ } block == 2 && $1 == 2 { printf "%d %.9g\n", $2, $3 }' "$work/shared/plots/job_slowdown.tsv" > "$work/got"
[ -s "$work/got" ] && cmp -s "$work/got" "$work/wanted" || complain "slowdowns by job: $(tr '\n' ';' < "$work/got")"
awk -F'\t' '/^time_s/ { on = 1; n++; next } NF < 5 { on = 0 } on && $5 != 0 && ($5 < 1 - 1e-9 || $5 > 1 + 1e-9) { bad = 1 } on { last[n] = $5 }
    END { for (i = 1; i <= n; i++) if (last[i] != 0) bad = 1; exit bad || n != 6 }' "$work/shared/plots/shares_2.tsv" ||
    complain "shares_2.tsv: six panels whose shares sum to 1, and to 0 at the end, are wanted"

# Fluid against step by step: in the plan, an axis is given that name.
cat > "$work/pairs.yaml" << EOF
run: $PWD/tests/data/shared.yaml
axes:
  policy: [even_split, mover]
  cluster.gpu_types.g.eta: [0.15, 0.3]
  seed: {from: 1, to: 3}
set: {refusals: count}
EOF
expect 0 "run a sweep on shared GPUs" "$HETUNE" sweep run "$work/pairs.yaml" --policy-lib "$work/mover.so" -q -o "$work/pairs"
expect 0 "merge it" "$HETUNE" sweep merge "$work/pairs"
sed -i 's/"cluster.gpu_types.g.eta": "0.15"/"fidelity": "fluid"/; s/"cluster.gpu_types.g.eta": "0.3"/"fidelity": "step"/' "$work/pairs/plan.jsonl"
expect 0 "plot a sweep on shared GPUs" "$HETUNE" plot "$work/pairs" --terminal svg,pdf,png,latex
for name in fidelity box_case box_axis heat axis; do
    picture "$work/pairs/plots/$name"
    latex "$work/pairs/plots/$name"
done
typeset "$work/pairs/plots"
expect 0 "the same, a column wide" "$HETUNE" plot "$work/pairs" --width 3.33 -o "$work/pairs_column"
for svg in "$work"/pairs_column/*.svg; do picture "${svg%.svg}"; done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { x[$at["cluster.gpu_types.g.eta"], $at["policy"], $at["seed"]] = $at["slowdown_max"] }
    END { for (p = 0; p < 2; p++) for (s = 1; s <= 3; s++) { n = p ? "mover" : "even_split"; e = x[0.15, n, s] / x[0.3, n, s] - 1; printf "%.6g\n", 100 * (e < 0 ? -e : e) } }' \
    "$work/pairs/merged.csv" | sort -g | awk '{ e[NR] = $1 } END { printf "%.4f", (e[3] + e[4]) / 2 }' > "$work/wanted"
awk '$1 == "median" { printf "%.4f", $3 }' "$work/pairs/plots/fidelity.gp" > "$work/got"
[ -s "$work/got" ] && cmp -s "$work/got" "$work/wanted" || complain "the error of fluid rates: $(cat "$work/got"), wanted $(cat "$work/wanted")"
expect 2 "a sweep without that axis" "$HETUNE" plot "$sweep" --kind fidelity
says "no axis fidelity" "a sweep without that axis"

# ---- what cannot be drawn ----

expect 0 "run a trace" "$HETUNE" run "$CONFIGS/runs/philly_b1k.yaml" -q -o "$work/philly"
expect 0 "plot a trace" "$HETUNE" plot "$work/philly"
says "hpo_time is left out: there are no experiments" "plot a trace"
for name in jct metric jct_cdf slowdown_cdf fairness jct_box slowdown_box queue utilisation gantt gantt_jobs; do
    picture "$work/philly/plots/$name"
done
expect 2 "a kind that makes no sense" "$HETUNE" plot "$work/philly" --kind hpo_time
says "hpo_time cannot be drawn" "a kind that makes no sense"
expect 2 "an unknown kind" "$HETUNE" plot "$work/philly" --kind gant
says "did you mean 'gantt'?" "an unknown kind"
expect 2 "an unknown terminal" "$HETUNE" plot "$work/philly" --terminal svg,gif
says "'gif' is none of svg, pdf, png, latex" "an unknown terminal"
expect 2 "no width" "$HETUNE" plot "$work/philly" --width 2
says "'2' is not a width in inches" "no width"
expect 2 "an unknown metric" "$HETUNE" plot "$work/philly" --kind metric --metric jct_mean
says "did you mean 'jct_mean_s'?" "an unknown metric"
expect 2 "runs as a sweep" "$HETUNE" plot "$work/philly" --kind heat
says "heat shows a sweep" "runs as a sweep"
expect 2 "a sweep as runs" "$HETUNE" plot "$sweep" --kind gantt
says "gantt shows runs" "a sweep as runs"
expect 2 "two sweeps" "$HETUNE" plot "$sweep" "$sweep"
says "one folder of a sweep" "two sweeps"
expect 2 "two metrics of a sweep" "$HETUNE" plot "$sweep" --metric starts --metric jobs
says "one at a time" "two metrics of a sweep"
expect 2 "a sweep without that baseline" "$HETUNE" plot "$sweep" --baseline lifo
says "the sweep has no policy 'lifo'" "a sweep without that baseline"
cp -r "$sweep" "$work/torn" && sed -i 's/"done": 1/"done": 9/' "$work"/torn/points/*
expect 2 "damaged points" "$HETUNE" plot "$work/torn"
says "it is not as it was written" "damaged points"
rm "$work"/torn/points/*
expect 2 "no points" "$HETUNE" plot "$work/torn"
says "no point of the sweep is complete" "no points"
expect 3 "no gnuplot" env PATH=/nonexistent "$HETUNE" plot "$work/philly" -o "$work/bare"
says "gnuplot: cannot" "no gnuplot"
[ -s "$work/bare/jct.tsv" ] && [ -s "$work/bare/gantt.gp" ] && [ ! -e "$work/bare/jct.svg" ] || complain "no gnuplot: wanted data and scripts alone"
mkdir "$work/trap"
printf '#!/bin/sh\n: > "%s/canary"\n' "$work" > "$work/trap/gnuplot"
chmod +x "$work/trap/gnuplot"
expect 3 "a gnuplot that lies where we are" bash -c "cd '$work/trap' && PATH=.: '$HETUNE' plot '$work/philly' -o . --kind jct"

# ---- stories ----

one="$demo/fifo/seed-1"
expect 0 "explain a run" "$HETUNE" explain "$one"
says "longest waits" "explain a run"
expect 0 "explain a job" "$HETUNE" explain "$one" --job 3
says "ends, all its work is done" "explain a job"
expect 2 "explain many runs" "$HETUNE" explain "$demo"
says "holds 4 runs" "explain many runs"
expect 2 "no such job" "$HETUNE" explain "$one" --job 32
says "the run has jobs 0 to 31" "no such job"
expect 0 "run without events" "$HETUNE" run "$CONFIGS/runs/philly_b1k.yaml" -q -s write_events=false -o "$work/noevents"
expect 2 "explain without events" "$HETUNE" explain "$work/noevents" --job 1
says "write_events=true" "explain without events"

# The waiting, set-up and progress of all jobs that are told are those of jobs.csv.
tail -n +2 "$demo/hermes_v2-relocate-placement/seed-1/jobs.csv" | cut -d, -f1,11-15 | sort -t, -k1,1n > "$work/rows"
while IFS=, read -r job jct wait setup run lost; do
    expect 0 "explain job $job" "$HETUNE" explain "$demo/hermes_v2-relocate-placement/seed-1" --job "$job" --json
    says "\"jct_s\": $jct, \"wait_s\": $wait, \"setup_s\": $setup, \"run_s\": $run, \"lost_s\": $lost" "explain job $job"
    awk -v wait="$wait" -v setup="$setup" -v run="$run" '
        function get(key,   rest) { rest = substr($0, index($0, "\"" key "\": ") + length(key) + 4); return rest + 0 }
        /"waited_s"/ { w += get("waited_s"); s += (get("begin_s") < get("to_s") ? get("begin_s") : get("to_s")) - get("from_s")
                       if (/"ran": true/) r += get("progress_until_s") - get("begin_s") }
        END { exit !(w - wait < 1e-3 && wait - w < 1e-3 && s - setup < 1e-3 && setup - s < 1e-3 && r - run < 1e-3 && run - r < 1e-3) }' \
        "$work/out" || complain "explain job $job: its stretches do not add up to its row of jobs.csv"
done < "$work/rows"

# ---- hostile names in a trace ----

mkdir "$work/cwd" && cd "$work/cwd" || exit 1
awk 'length($0) <= 64 && $0 != ""' "$HOSTILE" > "$work/names"
n_names=$(wc -l < "$work/names")
[ "$n_names" -ge 40 ] || complain "only $n_names hostile names"
{
    echo job_id,submit_s,gpus,duration_s
    awk '{ gsub(/"/, "\"\""); printf "\"%s\",%d,1,%d\n", $0, NR, 40 + NR % 7 }' "$work/names"
    printf '"two\nlines; `touch canary`",60,1,20\n"tab\t$(touch canary)",61,1,20\n"\033[31mred\033[0m\007",62,1,20\n'
    printf '"\302\23331mred",63,1,20\n"\342\200\256evil",64,2,20\n'
} > trace.csv
cat > run.yaml << 'EOF'
cluster:
  gpu_types: {g: {memory_gib: 0}}
  nodes: [{type: g, gpus: 2}]
overheads: {start_s: 1, save_s: 1, restore_s: 1}
trace: trace.csv
policy: [fifo, "rr[quantum_s=15]"]
EOF
expect 0 "run hostile names" "$HETUNE" run run.yaml -o runs
clean "run hostile names"
expect 0 "plot hostile names" "$HETUNE" plot runs --terminal svg,pdf,latex
clean "plot hostile names"
for svg in runs/plots/*.svg; do picture "${svg%.svg}"; latex "${svg%.svg}"; done
rr=runs/rr-quantum_s-15/seed-1
expect 0 "explain the run of hostile names" "$HETUNE" explain $rr
clean "explain the run of hostile names"
number=0
while IFS= read -r name; do
    expect 0 "explain '$name'" "$HETUNE" explain $rr --job "$name"
    clean "explain '$name'"
    case $name in *[!0-9]*) says "job $number '" "explain '$name'" ;; esac
    number=$((number + 1))
done < "$work/names"
for last in $(seq "$number" $((number + 4))); do
    expect 0 "explain job $last" "$HETUNE" explain $rr --job "$last"
    clean "explain job $last"
    expect 0 "explain job $last --json" "$HETUNE" explain $rr --job "$last" --json
    clean "explain job $last --json"
done
expect 2 "an unknown hostile name" "$HETUNE" explain $rr --job "$(printf '\033[31m`touch canary`')"
clean "an unknown hostile name"
printf 'job_id,submit_s,gpus,duration_s\n"bro\377ken",1,1,1\n' > broken.csv
expect 2 "a name that is no UTF-8" "$HETUNE" run run.yaml -s trace=broken.csv
clean "a name that is no UTF-8"

# ---- hostile labels, types, experiments and paths in manifests ----

sed -e 's/[\\"]/\\&/g' -e 's/\t/\\t/g' "$HOSTILE" > "$work/labels"
cat >> "$work/labels" << 'EOF'
\u001b[31mred\u001b[0m
two\nlines `touch canary`
tab\t$(touch canary)
bell\u0007\u009b31m
\u202eevil

EOF
i=0
while IFS= read -r label; do
    i=$((i + 1))
    dir=$(printf 'labels/run-%02d' $i)
    mkdir -p "$dir"
    cp "$demo/fifo/seed-1/"* "$dir"
    LABEL=$label awk '
        BEGIN { label = ENVIRON["LABEL"] }
        match($0, /^ *"(policy|type|name|model|config_file)": "/) {
            $0 = substr($0, 1, RLENGTH) label "\"" (/,$/ ? "," : "")
        }
        { print }' "$demo/fifo/seed-1/manifest.json" > "$dir/manifest.json"
done < "$work/labels"
expect 0 "plot hostile labels" "$HETUNE" plot labels --terminal svg,pdf,latex
expect 0 "plot hostile labels as PNG" "$HETUNE" plot labels --terminal png --kind change --kind jct --kind jct_cdf --kind jct_box -o png
clean "plot hostile labels"
for svg in labels/plots/*.svg; do picture "${svg%.svg}"; latex "${svg%.svg}"; done
typeset labels/plots
[ "$(ls labels/plots/gantt_[0-9]*.svg | wc -l)" = $i ] || complain "hostile labels: a Gantt is missing"
grep -qF "'; system('touch canary'); '" labels/plots/hpo_time.svg || complain "a label with quotes is not shown whole"
! grep -l -e canary -e evil -e alpha labels/plots/*.gp || complain "a label got into a script"
! grep -lP '[\x00-\x08\x0b-\x1f\x7f]' labels/plots/*.tsv || complain "a control character got into data"
# The same as names of policies and axes and as values, in the plan of a sweep: case i differs from the first in axis i.
mkdir -p axes && cp -r "$sweep/points" axes
grep -v '^$' "$work/labels" > "$work/texts"
n_axes=$(wc -l < "$work/texts")
hash_of() { grep "\"policy\": \"$1\"" "$sweep/plan.jsonl" | head -n 1 | cut -c12-27; }
ONE=$(hash_of hermes) TWO=$(hash_of hermes_v2) awk '
    { text[NR] = $0 }
    END {
        for (i = 0; i <= NR; i++)
            for (p = 1; p <= 8; p++) {
                printf "{\"point\": \"%s\", \"policy\": \"%s\", \"seed\": 1, \"axes\": {", (p % 2 ? ENVIRON["ONE"] : ENVIRON["TWO"]), text[p]
                for (k = 1; k <= NR; k++) printf "%s\"%s\": \"%s\"", (k > 1 ? ", " : ""), text[k], (i == k ? text[k] : "base")
                print "}}"
            }
    }' "$work/texts" > axes/plan.jsonl
expect 0 "plot hostile axes" "$HETUNE" plot axes --terminal svg,pdf,latex
clean "plot hostile axes"
for svg in axes/plots/*.svg; do picture "${svg%.svg}"; latex "${svg%.svg}"; done
typeset axes/plots
[ "$(ls axes/plots/axis_*.svg | wc -l)" = "$n_axes" ] || complain "hostile axes: a picture is missing"
! grep -l -e canary -e evil -e alpha axes/plots/*.gp || complain "an axis got into a script"
! grep -lP '[\x00-\x08\x0b-\x1f\x7f]' axes/plots/*.tsv || complain "a control character of an axis got into data"

for dir in labels/run-*; do
    expect 0 "explain $dir" "$HETUNE" explain "$dir"
    clean "explain $dir"
    expect 0 "explain $dir --job 1" "$HETUNE" explain "$dir" --job 1
    clean "explain $dir --job 1"
done

cd /
found=$(find "$work" -name 'canary*')
[ -z "$found" ] || complain "code in a name was run: $found"
[ $failed = 0 ] && echo "plots: $checks checks, $n_names hostile names, $i hostile labels, no canary"
exit $failed
