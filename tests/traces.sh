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
check "$(awk -F, 'NR > 1 { g += $2; d += $3; a += $2 * $3 } END { printf "%d %d %d", g, d, a }' traces/philly_b1k.csv)" '1583 38366043 264364614' 'PH-B1K'
check "$(tail -n +2 traces/philly_b1k.csv | sha256sum | cut -c1-16)" 382922e81814d29b 'PH-B1K'
for file in traces/*.csv traces/curves/*; do
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
