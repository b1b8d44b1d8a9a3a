#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The measured inputs: fits follow from the measurements in the tree, spot values, sizes; and, where the
# public files are at hand (PUBLIC_DATA), everything is made again from them.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$BUILD/convert/fit_steps" "$work/step_fits.csv" traces/step_times.csv
cmp "$work/step_fits.csv" traces/step_fits.csv
"$BUILD/convert/fit_pairs" "$work/pair_fits.csv" "$work/sharing_fits.csv" traces/pairs.csv
"$BUILD/convert/fit_slices" "$work/slice_fits.csv" traces/slices.csv
for table in pair_fits sharing_fits slice_fits; do
    cmp "$work/$table.csv" traces/$table.csv
done

value() { awk -F, -v m="$1" -v g="$2" -v b="$3" -v s="$4" '$1 == m && $2 == g && $3 == 1 && $5 == b && $8 == s { print $6 }' traces/step_times.csv; }
check() { [ "$1" = "$2" ] || { echo "$3: $1, wanted $2"; exit 1; }; }
check "$(value resnet18-cifar10 V100 128 gavel)" 0.0555713 'ResNet-18, V100, batch 128'
types=$(awk -F, 'NR > 1 && $9 == 1 { print $2 }' traces/step_times.csv | sort -u | wc -l)
models=$(awk -F, 'NR > 1 && $9 == 1 { print $1 }' traces/step_times.csv | sort -u | wc -l)
[ "$types" -ge 8 ] && [ "$models" -ge 8 ]
ratios=
for b in 16 32 64 128 256; do
    ratios+=$(awk -v v="$(value resnet18-cifar10 V100 $b gavel)" -v p="$(value resnet18-cifar10 P100 $b gavel)" 'BEGIN { printf "%.2f ", p / v }')
done
check "$ratios" '0.90 0.84 1.08 1.54 1.33 ' 'V100 : P100 by batch'
check "$(wc -l < traces/curves/cifar10_resnets.csv)" 24301 'epochs of ResNets'
check "$(wc -l < traces/curves/cifar10_cnns.csv)" 20001 'epochs of CNNs'
# Curves: what the page of a set says of it (trials, longest) is in its files, one row a trial; sums of metrics and of seconds.
page() { sed -n "s/^$2: //p" "traces/curves/$1.yaml"; }
facts() { awk -F, 'NR > 1 { n++; m += $3; s += $4; t[$1]; if ($2 > e) e = $2 } END { printf "%d %d %d %.3f %.0f", length(t), e, n, m, s }' "traces/curves/$1.csv"; }
while read -r set wanted; do
    check "$(facts "$set") $(sha256sum < "traces/curves/$set.csv" | cut -c1-8) $(sha256sum < "traces/curves/$set.trials.csv" | cut -c1-8)" "$wanted" "curves of $set"
    check "$(page "$set" trials) $(page "$set" epochs)" "$(echo "$wanted" | cut -d' ' -f1,2)" "page of $set"
    check "$(tail -n +2 "traces/curves/$set.trials.csv" | wc -l)" "$(page "$set" trials)" "trials of $set"
    "$BUILD/hetune" validate configs/runs/demo.yaml -s experiments.0.curves="traces/curves/$set.yaml" -s experiments.0.trials=0 > /dev/null
done <<'END'
arctic_deepspeech2_batch 6 80 480 15234.813 0 643bb036 0f08d4a9
cifar10_cnns 1000 20 20000 12470.519 0 bb67f1bd bef16a6b
cifar10_dawnbench 31 400 4218 3688.863 2171952 8dfa6cc0 39fea12a
cifar10_fast 16 60 484 384.043 2031 e41189e9 c25d6978
cifar10_resnet18_batch 6 100 600 532.607 0 d9e9c730 3bda503a
cifar10_resnets 486 50 24300 15195.831 0 498cfde3 dbf541d0
imagenet_dawnbench 26 113 1528 911.734 2877328 66990045 c766dad1
imagenet_resnet50_batch 7 90 630 400.033 0 6f773bc8 13c02ef7
movielens_ncf_batch 8 10 80 54.559 0 a85160e5 d6d23b81
ptb_lstm 280 60 16800 1856174.040 0 1c136ea7 590bf873
share_alike/imagenet_alexnet 512 100 22025 2938.870 6870145 8d5c9e0e 3967b0d5
share_alike/imagenet_convnext 512 100 18586 3764.584 23934681 60a204ec e8820570
squad_bert_batch 6 2 12 1046.986 0 adbefdb9 b9e35a4c
svhn_cnns 1300 20 26000 22429.664 0 ec7b0b5e 66bb60cf
END
check "$(find traces/curves -name '*.yaml' | wc -l)" 14 'sets of curves'
diverged() { awk -F, -v end="$(head -n 1 "traces/curves/$1.trials.csv" | tr , '\n' | grep -nx end | cut -d: -f 1)" 'FNR == 1 { f++ } f == 1 && $end == "diverged" { d[$1]; n++ }
    f == 2 && FNR > 1 { if ($4 == "") { empty++; last[$1] = $3 } else if ($1 in last) late++ } END { for (t in last) if ((t in d) && last[t] == 0.001) chance++; printf "%d %d %d %d", n, empty, chance, late }' \
    "traces/curves/$1.trials.csv" "traces/curves/$1.csv"; }
check "$(diverged share_alike/imagenet_alexnet), $(diverged share_alike/imagenet_convnext)" '147 147 147 0, 224 224 224 0' 'diverged trials end at chance'
row() { grep -m 1 "^$2," "traces/curves/$1.csv"; }
check "$(row ptb_lstm 0,60)" 0,60,87.01 'the first LSTM'
check "$(row svhn_cnns 1,20)" 1,20,0.9322 'the second CNN on SVHN'
check "$(row imagenet_resnet50_batch 6,90)" 6,90,0.75118 'ResNet-50, batch 12800'
check "$(row arctic_deepspeech2_batch 0,80)" 0,80,22.91 'DeepSpeech2, batch 20'
check "$(row squad_bert_batch 5,2)" 5,2,88.0835 'BERT, batch 384'
check "$(row movielens_ncf_batch 0,10)" 0,10,0.695033 'NCF, batch 256'
check "$(row share_alike/imagenet_alexnet 0,2)" 0,2,0.0021,245.8 'AlexNet: seconds of an epoch'
hours() { awk -F, -v e="$2" 'NR == FNR { if ($2 == e) t = $1; next } $1 == t { s += $4 } END { printf "%.3f", s / 3600 }' "traces/curves/$1.trials.csv" "traces/curves/$1.csv"; }
check "$(hours cifar10_dawnbench dawn_resnet164_b_1k80-ec2_pytorch) $(hours cifar10_dawnbench dawn_resnet164_b_1p100-dawn_pytorch)" '12.249 3.978' 'ResNet-164 on the K80 and the P100'
check "$(hours imagenet_dawnbench google_resnet50_tpu_tensorflow111) $(hours imagenet_dawnbench google_resnet50_tpu_tensorflow111_fastai)" '7.995 4.007' 'without what came before training'
check "$(awk -F, 'NR > 1 { g += $2; d += $3; a += $2 * $3 } END { printf "%d %d %d", g, d, a }' traces/philly_b1k.csv)" '1583 38366043 264364614' 'PH-B1K'
check "$(tail -n +2 traces/philly_b1k.csv | sha256sum | cut -c1-16)" 382922e81814d29b 'PH-B1K'

# Recorded searches: rows and sum of losses, evaluations that failed, evaluations at each budget.
check "$(awk -F, 'NR > 1 { n[$1]++; s[$1] += $5; e[$1 " " $4]++; failed += $5 == "" } END { printf "%d %.4f %d %.4f %d:", n["small"], s["small"], n["large"], s["large"], failed; for (b = 1; b <= 81; b *= 3) printf " %d", e["large " b] }' traces/searches.csv)" \
    '113 45.3193 696 453.0719 1: 324 216 81 45 30' 'recorded searches'

# Jobs beside each other and on slices: rows by stack and rule, sums, single values.
rows() { awk -F, -v s="$2" -v r="$3" -v c="$(head -n 1 "traces/$1.csv" | tr , '\n' | grep -nx stack | cut -d: -f 1)" 'NR > 1 && $c ~ "^" s "$" && $(c + 2) ~ r { n++ } END { print n + 0 }' "traces/$1.csv"; }
for case in 'pairs|gavel|^$|1463' 'pairs|gavel|fit in memory|147' 'pairs|gavel|two tables differ|373' 'pairs|gavel|peak|25' 'pairs|gavel|dip|20' \
    'pairs|lucid|^$|623' 'pairs|lucid-amp|^$|484' 'pairs|lucid-one-amp|^$|1062' 'pairs|lucid.*|exactly 1|318' \
    'pairs|lucid.*|too slow|265' 'pairs|lucid.*|over 1.2 times|24' 'pairs|.*|.*|4804' 'slices|miso|^$|130' \
    'slices|miso|fit in memory|15' 'slices|miso|unsteady|15' 'slices|.*|.*|160'; do
    IFS='|' read -r table stack rule wanted <<< "$case"
    check "$(rows "$table" "$stack" "$rule")" "$wanted" "rows of $table, $stack, '$rule'"
done
sum() { awk -F, -v v="$2" -v u="$3" 'NR > 1 && (!u || $u == 1) { s += $v } END { printf "%.4f", s }' "traces/$1.csv"; }
check "$(sum pairs 6 0) $(sum pairs 6 10) $(sum slices 5 0) $(sum slices 6 0)" '3725.8427 2853.2429 101.9355 145.0000' 'sums of speeds, and jobs that fit'
beside() { grep "^$1," traces/pairs.csv | cut -d, -f 6; }
check "$(beside resnet18-cifar10,16,resnet50-imagenet,16,K80)" 0.5118 'ResNet-18 beside ResNet-50 on the K80'
check "$(beside a3c,,cyclegan,,V100) $(beside cyclegan,,a3c,,V100)" '0.6358 0.7147' 'A3C and CycleGAN on the V100'
check "$(beside mobilenet3-imagenet,32,resnet18-cifar10,32,3090 | xargs)" '0.9830 1.0550 0.9850 0.9970' 'MobileNet and ResNet-18 on the 3090'
pair() { awk -F, -v m="$1" -v o="$2" -v g="$3" -v s="$4" '$1 == m && $2 == o && $3 == g && $4 == s { print $5, $6 }' traces/pair_fits.csv; }
check "$(pair resnet18-cifar10 lstm-wikitext2 P100 gavel)" '0.7037 25' 'ResNet-18 beside the LSTM on the P100'
check "$(pair recommendation-ml20m a3c V100 gavel)$(pair ppo-lunarlander dcgan-lsun 3090 lucid)" '' 'pairs that rules leave without a figure'
check "$(awk -F, '$1 == "cyclegan" && $2 == 1 { printf "%s %s ", $4, $5 }' traces/slices.csv)" '7g 1.0000 4g 0.7806 3g 0.7174 2g 0.4605 1g 0.2400 ' 'CycleGAN by slice'
check "$(awk -F, 'NR > 1 { printf "%s %s %s %s; ", $1, $2, $3, $6 }' traces/sharing_fits.csv)" \
    '3090 lucid 1.5520 229; 3090 lucid-amp 1.7720 211; 3090 lucid-one-amp 1.6840 415; K80 gavel 0.0448 177; P100 gavel 0.1540 223; V100 gavel 0.7659 198; ' 'eta'
# How busy jobs alone keep a GPU: rows, sum, and a share for every pair and slice that counts, unless the source has none.
check "$(awk -F, 'NR > 1 { n[$5]++; s[$5] += $6 } END { printf "%d %.4f %d %.4f", n["lucid"], s["lucid"], n["miso"], s["miso"] }' traces/utilisation.csv)" \
    '56 24.5966 32 21.9950' 'busy shares'
check "$(awk -F, '$1 == "resnet18-cifar10" && $2 == 32 { printf "%s %s ", $3, $6 }' traces/utilisation.csv)" 'fp32 0.5867 amp 0.4067 ' 'ResNet-18 alone on the 3090'
check "$(awk -F, 'NR == FNR { there[$1 "," $2 "," $3] = 1; next } $9 ~ /^lucid/ && $10 == 1 && !(($1 "," $2 "," $7) in there && ($3 "," $4 "," $8) in there) { n++ } END { print n + 0 }' \
    traces/utilisation.csv traces/pairs.csv)" 0 'pairs of Lucid without busy shares'
# eta with known busy shares is fitted by the simulator's own solver, as the calibrations are its as well.
"$BUILD/hetune" accuracy configs/validation/split.yaml -o "$work/accuracy" > "$work/accuracy.txt"
cmp "$work/accuracy/duty_fits.csv" traces/duty_fits.csv
check "$(awk -F, 'NR > 1 { printf "%s %s %s %.2f %s; ", $1, $2, $3, $4, $7 }' traces/duty_fits.csv)" \
    'P100 gavel calibrated 0.00 78; V100 gavel calibrated 0.00 76; 3090 lucid measured 0.64 623; 3090 lucid-one-amp measured 0.82 1062; 3090 lucid-amp measured 0.74 484; ' 'eta with busy shares'
# Where they help, they do; on the P100 they do not. traces/README.md says so.
check "$(awk -F, 'NR > 1 && $8 > $10 { print $1, $2 }' traces/duty_fits.csv)" 'P100 gavel' 'where one eta without busy shares is as good'
while read -r line; do
    grep -qxF "    $line" traces/README.md || { echo "traces/README.md has no line '$line'"; exit 1; }
done < <(awk -F, 'NR > 1 { printf "%-6s %-14s %-10s %5.2f %19s %4d %7.3f %10.2f %7.3f %6.3f\n", $1, $2, $3, $4, sprintf("%.2f to %.2f", $5, $6), $7, $8, $9, $10, $11 }' traces/duty_fits.csv)
check "$(awk '/^speed on a slice/ { on = 1 } on && $1 == "all" { print $2, $4, $5, $6 } on && $1 ~ /^(transformer|bert|mobilenet|gnn|deepspeech2)$/ { print $1, $4, $6 }' "$work/accuracy.txt" | xargs)" \
    '99 0.109 0.142 0.184 bert 0.053 0.173 deepspeech2 0.333 0.189 gnn 0.158 0.069 mobilenet 0.182 0.309 transformer 0.032 0.214' 'slices by busy shares'
# What a run with measured step times can meet in Gavel's pairs has the same name in both.
while read -r model; do
    grep -q "^  $model:\$" configs/costs/measured.yaml || { echo "measured.yaml does not know $model"; exit 1; }
done < <(awk -F, '$9 == "gavel" { print $1; print $3 }' traces/pairs.csv | sort -u)

# Whole steps: rows by stack, mode and rule, sums, single values.
check "$(awk -F, 'NR > 1 { n[$7 " " $4 " " $8 " " $9]++; s += $6; u += $8 * $6 } END { for (k in n) print k ":", n[k]; printf "sum: %.4f %.4f\n", s, u }' traces/whole_steps.csv | sort | xargs -d '\n' printf '%s; ')" \
    'neusight inference 0 fused kernels: 12; neusight inference 0 mixture of experts: no list of its operators: 9; neusight inference 1 : 48; neusight training 0 mixture of experts: no list of its operators: 4; neusight training 0 several GPUs: 11; neusight training 1 : 22; orion inference 1 : 2; orion training 1 : 2; sum: 139.7424 112.7570; ' \
    'whole steps'
check "$(grep '^resnet50-imagenet,V100,32,training' traces/whole_steps.csv | cut -d, -f 6)" 0.0952777 'kernels of ResNet-50'


# Microbenchmarks: series by file with rows, sum of results and rows set aside; totals by operator; rules; spot values.
mapfile -t converted < <(grep -L '"source": "hetune"' traces/microbench/*.json)
bench() { awk -v "$1" -f tests/microbench.awk "${converted[@]}"; }
bench sums=1 > "$work/series"
check "$(sort "$work/series" | sha256sum | cut -c1-16) $(wc -l < "$work/series") ${#converted[@]}" 'b5797dbf90041e1c 231 31' 'series of microbenchmarks'
check "$(awk '{ rows[$2] += $5; aside[$2] += $7 } END { for (op in rows) print op, rows[op], aside[op] }' "$work/series" | sort | xargs)" \
    'all_reduce 172 16 bmm 28964 0 conv 27638 57 copy 12 0 elementwise 25429 0 gemm 1753 7 launch 182 0 layer_norm 1908 0 linear 35338 6 peer 4 0 softmax 2348 0 stream 121 4' \
    'rows used and set aside by operator'
series() { grep -E "^$1 " "$work/series"; }
check "$(series 'deepbench-v100 gemm - fp16')" 'deepbench-v100 gemm - fp16 160 277.044 0' 'tensor cores of the V100'
check "$(series 'deepbench-p100 conv backward_data fp16_storage')" 'deepbench-p100 conv backward_data fp16_storage 77 176.932 17' 'half precision on the P100'
check "$(series 'neusight-h100 .*' | xargs)" 'neusight-h100 linear - fp32 1040 24964.281684 0 neusight-h100 bmm - fp32 2477 25341.995472 0' 'NeuSight on the H100'
check "$(bench rules=1 | sort | uniq -c | awk '{ $1 = $1 } 1' | tr '\n' ';')" \
    '4 ECC off;16 not NCCL;11 over 1.1 times the peak rate;13 over 10 times as slow as the other passes of the layer;46 over 3 times as slow as one at least as large in every size;' \
    'rules of microbenchmarks'
has() { grep -qF "$2" "traces/microbench/$1.json" || { echo "$1 has no row $2"; exit 1; }; }
has deepbench-v100 '[1760, 16, 1760, 0, 0, 0.02]'
has neusight-a100 '[58, 13, 141, 0.054507]'
has neusight-a100-80-pcie '[38, 893, 5, 5, 326, 3, 3, 1, 1, 1, 1, 0.967]'
has neusight-l4 '[1024, 2560, 2560, 1.1338]'
has deepbench-1080ti '[400000, 2, 0.0623291]'
has gpu-benches-v100 '[100, 814]'
has nccl-h100 '[8589934592, 16, 47535]'
# Products of 20 GFLOP and more, TFLOP/s: median and 95th percentile. Linear layers of the P4 and the P100 were throttled.
check "$(bench rates=1 | grep -E '^neusight-(p100|p4|t4|v100) ' | sort -k 1,2 -k 3,3g |
    awk 'function put() { if (n) printf "%s %.1f %.1f ", key, v[int((n + 1) / 2)], v[int(n * 0.95)] } key != $1 " " $2 { put(); n = 0; key = $1 " " $2 } { v[++n] = $3 } END { put() }')" \
    'neusight-p100 bmm 6.7 7.7 neusight-p100 linear 5.4 6.6 neusight-p4 bmm 2.9 3.4 neusight-p4 linear 1.1 2.3 neusight-t4 bmm 2.7 3.4 neusight-t4 linear 3.0 3.5 neusight-v100 bmm 9.6 11.2 neusight-v100 linear 11.8 12.8 ' \
    'rates of products'

for file in traces/*.csv traces/curves/* traces/curves/share_alike/* traces/populations/*.yaml traces/populations/share_alike/* traces/microbench/*; do
    [ "$(stat -c %s "$file")" -lt 1000000 ] || { echo "$file has a megabyte or more"; exit 1; }
done

if [ -d "${PUBLIC_DATA-}" ]; then
    cp -R traces "$work/before"
    CONVERTERS=$BUILD/convert traces/convert/convert.sh "$PUBLIC_DATA"
    diff -r "$work/before" traces
    echo "made again from the public files: the same bytes"
else
    echo "the public files are not at hand (PUBLIC_DATA): the conversion itself was not repeated"
fi
echo "$types GPU types, $models models; fits repeated, spot values and sums right"
