#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Calibrations as a whole: those of the tree are what the commands make, to the byte; prices that are known are found again;
# predictions are no further from measured steps than they have been; pictures are whole.
set -u
cd "$(dirname "$0")/../.." || exit 1
HETUNE=$(realpath "${BIN:-build}/hetune")
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 checks=0
complain() { echo "FAILED: $*"; failed=1; }
check() { checks=$((checks + 1)); } # before what follows

# ---- the tree's own, made again in a copy ----
mkdir "$work/tree"
cp -R configs traces "$work/tree"
rm -r "$work/tree/configs/costs/gpus"
(cd "$work/tree" && sh configs/costs/calibrate.sh "$HETUNE") || complain 'calibrate.sh ends with an error'
check; diff -r configs/costs/gpus "$work/tree/configs/costs/gpus" > "$work/diff" || complain "calibrations differ: $(head -n 3 "$work/diff")"
(cd "$work/tree" && "$HETUNE" accuracy configs/validation/split.yaml -o ../validate > ../validate.txt) || complain 'accuracy ends with an error'
check; cmp -s configs/costs/stacks.yaml "$work/validate/stacks.yaml" || complain 'stacks.yaml is not what hetune accuracy makes'
"$HETUNE" accuracy configs/validation/split.yaml > "$work/again.txt" || complain 'accuracy ends with an error'
check; cmp -s "$work/validate.txt" "$work/again.txt" || complain 'accuracy: another output the second time'

# ---- known prices, found again ----
# A run whose products take 10 us + FLOP / 10 TFLOP/s + bytes read / 500 GB/s + written / 250 GB/s + weights / 400 GB/s, and 3 % of noise.
awk 'BEGIN {
    srand(1)
    print "{\"schema\": \"hetune-microbench\", \"version\": 1,"
    print " \"gpu\": {\"type\": \"V100\", \"product\": \"made up\"},"
    print " \"origin\": {\"source\": \"tests/calibration\", \"commit\": \"none\", \"licence\": \"GPL-3.0-or-later\"},"
    print " \"software\": {\"method\": \"made up\"},"
    print " \"series\": [{\"op\": \"gemm\", \"precision\": \"fp32\", \"unit\": \"us\","
    print "  \"columns\": [\"m\", \"n\", \"k\", \"ta\", \"tb\", \"time\"], \"rows\": ["
    for (i = 0; i < 300; i++) {
        m = int(exp(3 + 6 * rand())); n = int(exp(3 + 6 * rand())); k = int(exp(3 + 6 * rand()))
        t = 1e-5 + 2 * m * n * k / 1e13 + 4 * m * k / 5e11 + 4 * m * n / 2.5e11 + 4 * n * k / 4e11
        g = 0; for (j = 0; j < 12; j++) g += rand()
        printf "   [%d, %d, %d, 0, 0, %.6g]%s\n", m, n, k, 1e6 * t * (1 + 0.03 * (g - 6)), i < 299 ? "," : "]}]}"
    } }' > "$work/known.json"
check; "$HETUNE" calibrate "$work/known.json" -q -o "$work/known.yaml" 2> "$work/err" || complain "known prices: $(head -n 1 "$work/err")"
check; grep -o '[a-z]*_s: [0-9.e-]*\|[a-z]*_se: [0-9.e-]*\|err_p50: [0-9.]*' "$work/known.yaml" | tr -d : | awk '
    { v[$1] = $2 }
    END {
        split("launch_s flop_s read_s write_s weight_s", name, " ")
        split("1e-5 1e-13 2e-12 4e-12 2.5e-12", truth, " ")
        for (i = 1; i <= 5; i++) {
            se = v[substr(name[i], 1, length(name[i]) - 1) "se"]
            off = v[name[i]] - truth[i]; off = off < 0 ? -off : off
            if (off > 4 * se || se <= 0 || se > 0.2 * truth[i]) { print name[i], v[name[i]], "is not", truth[i], "by", se; bad = 1 }
        }
        if (v["err_p50"] < 0.01 || v["err_p50"] > 0.04) { print "err_p50", v["err_p50"]; bad = 1 }
        exit bad
    }' || complain 'known prices were not found again'

# ---- how far off predictions are ----
# GROUP MOST: the mean error in % of a group's held-out steps, rounded up from what it is now.
gate() {
    local got
    got=$(awk -v group="$1, held out" '$0 == group { on = 1; next } on && $1 == "all" { print $3; exit }' "$work/validate.txt")
    checks=$((checks + 1))
    awk -v got="$got" -v most="$2" 'BEGIN { exit !(got != "" && got > 0 && got <= most) }' || complain "$1: $got % off, wanted at most $2"
    said="${said:+$said, }$1 $got %"
}
said=
gate 'CNN, fp32' 14
gate 'CNN, TF32' 33
gate 'CNN, mixed precision' 11
gate 'transformers, fp32' 10
gate 'transformers, TF32' 11
gate 'transformers, mixed precision' 9.5
check; awk '/^ratios/ { on = 1 } on && $1 == "of" { exit !($9 > 0 && $9 <= 7.5) }' "$work/validate.txt" || complain 'ratios between saturated GPUs are off by more than 7.5 %'

# ---- what is carried over: from a V100 alone, against what was measured on the GPU itself ----
printf 'model,gpu,batch\n' > "$work/questions.csv"
for model in resnet18-cifar10,128 resnet50-imagenet,64 vgg16-imagenet,32 inception3-imagenet,32 densenet161-imagenet,32 bert-base-squad,16; do
    for gpu in P100 T4 TitanXp 1080Ti TitanX-Pascal M40; do echo "${model%,*},$gpu,${model#*,}" >> "$work/questions.csv"; done
done
cp -R configs "$work/carried"
for gpu in P100 T4 TitanXp 1080Ti TitanX-Pascal M40; do
    "$HETUNE" calibrate --gpu $gpu --donor configs/costs/gpus/V100.yaml --nominal configs/costs/nominal.csv -q -o "$work/carried/costs/gpus/$gpu.yaml"
done
"$HETUNE" predict --questions "$work/questions.csv" > "$work/own.csv" && "$HETUNE" predict --questions "$work/questions.csv" --costs "$work/carried" > "$work/carried.csv" || complain 'predict ends with an error'
check; carried=$(paste -d, "$work/own.csv" "$work/carried.csv" | awk -F, 'NR > 1 { x = log($4 / $(NF / 2 + 4)); s += x * x; n++; by[$2] += x * x; k[$2]++ }
    END { printf "%.2f", sqrt(s / n); for (g in by) if (g == "T4") printf " (T4 %.2f)", sqrt(by[g] / k[g]) }')
awk -v x="$carried" 'BEGIN { exit !(x + 0 > 0.1 && x + 0 < 0.3) }' || complain "what is carried over is off by $carried"

# ---- pictures ----
picture() {
    checks=$((checks + 1))
    for ending in svg pdf gp tsv; do [ -s "$1.$ending" ] || complain "$1.$ending is missing"; done
    [ "$(tail -n 2 "$1.svg" | tr -d '\n')" = '</svg>' ] || complain "$1.svg is not whole"
    pdffonts "$1.pdf" | tail -n +3 | awk '{ if ($(NF - 4) != "yes" || /Type 3/) bad = 1; n++ } END { exit bad || !n }' || complain "$1.pdf: fonts are not embedded"
}
fits() { "$HETUNE" calibrate traces/microbench/deepbench-v100.json traces/microbench/neusight-v100.json -q -o "$work/V100.yaml" --plot "$1"; }
fits "$work/fits" || complain 'calibrate --plot ends with an error'
for name in calibration_fit calibration_flop calibration_bytes; do picture "$work/fits/$name"; done
for name in accuracy accuracy_error accuracy_ratios; do picture "$work/validate/$name"; done
fits "$work/fits2"
check; diff -r "$work/fits" "$work/fits2" > /dev/null || complain 'pictures of the same fits differ'
check; [ "$(tail -n +2 "$work/validate/points.csv" | wc -l)" = "$(sed -n '1s/ .*//p' "$work/validate.txt")" ] || complain 'points.csv has not all points'
code=0
PATH=/nonexistent fits "$work/none" 2> "$work/err" || code=$?
check; [ $code = 3 ] && grep -q gnuplot "$work/err" && [ -s "$work/none/calibration_fit.tsv" ] && [ -s "$work/V100.yaml" ] || complain "without gnuplot: exit code $code"

[ $failed = 0 ] && echo "$checks checks; held out: $said; carried over: $carried"
exit $failed
