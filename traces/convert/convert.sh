#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traces/convert/convert.sh DATA_DIR - makes the tables and curves of traces/ from public files.
#
# Run from the root of the tree; the converters are expected in build/convert (or in $CONVERTERS).
# A second run gives the same bytes.
set -eu

[ $# -eq 1 ] || { echo "usage: traces/convert/convert.sh DATA_DIR" >&2; exit 2; }
data=$1
bin=${CONVERTERS:-build/convert}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

pollux="$data/pollux/steptime_placements_T4.csv $data/pollux/steptime_scalability_T4.csv"
sia="$data/sia/steptime_placements.csv $data/sia/steptime_scalability.csv"

# Measured step times: one part a source, under one header line.
"$bin/gavel_steps" "$tmp/1.csv" "$data/gavel/isolated_throughput.csv"
"$bin/adaptdl_steps" "$tmp/2.csv" "$data/pollux/steptime_placements_T4.csv" \
    "$data/sia/steptime_placements.csv"
"$bin/lambda_steps" "$tmp/3.csv" "$data/lambda/train_throughput.csv" \
    "$data/lambda/train_throughput_v0.csv"
"$bin/tf_steps" "$tmp/4.csv" "$data/tf-benchmarks/train_images_per_s.csv"
head -n 1 "$tmp/1.csv" > "$tmp/step_times.csv"
for part in 1 2 3 4; do
    tail -n +2 "$tmp/$part.csv" >> "$tmp/step_times.csv"
done
mv "$tmp/step_times.csv" traces/step_times.csv

# Whole steps of models that have a list of operators.
gzip -dc "$data/orion/v100_kernel_profiles.csv.gz" |
    "$bin/whole_steps" traces/whole_steps.csv "$data/neusight/e2e_latency.csv" -

# Jobs beside each other on a GPU, and on slices of one.
"$bin/gavel_pairs" "$tmp/5.csv" traces/step_times.csv "$data/gavel/colocated_pairs.csv"
"$bin/lucid_pairs" "$tmp/6.csv" "$data/lucid/colocated_pairs.csv"
{ cat "$tmp/5.csv" && tail -n +2 "$tmp/6.csv"; } > "$tmp/pairs.csv"
mv "$tmp/pairs.csv" traces/pairs.csv
"$bin/miso_slices" traces/slices.csv "$data/miso/a100_mig_iteration_time.csv" \
    "$data/miso/memory_MB.csv"

# How busy jobs alone keep a GPU.
"$bin/lucid_utilisation" "$tmp/7.csv" "$data/lucid/single.csv"
"$bin/miso_utilisation" "$tmp/8.csv" "$data/miso/util_full_gpu.csv"
{ cat "$tmp/7.csv" && tail -n +2 "$tmp/8.csv"; } > "$tmp/utilisation.csv"
mv "$tmp/utilisation.csv" traces/utilisation.csv

# Fits. The lists of tables are split into words on purpose.
"$bin/fit_steps" traces/step_fits.csv traces/step_times.csv
# shellcheck disable=SC2086
"$bin/fit_sync" traces/sync_fits.csv traces/step_fits.csv $pollux $sia
"$bin/fit_pairs" traces/pair_fits.csv traces/sharing_fits.csv traces/pairs.csv
"$bin/fit_slices" traces/slice_fits.csv traces/slices.csv

# Learning curves.
nas() {
    gzip -dc "$data/accelerating_nas/$2.csv.gz" |
        "$bin/nas_curves" "traces/curves/$1.csv" "traces/curves/$1.trials.csv" -
}
nas cifar10_resnets deep_resnets_cifar10
nas cifar10_cnns metaqnn_cifar10
nas svhn_cnns metaqnn_svhn
nas ptb_lstm lstm_ptb
batches() {
    "$bin/batch_curves" "traces/curves/$1.csv" "traces/curves/$1.trials.csv" \
        "$data/pollux/learning_curves.csv" "$2"
}
batches cifar10_resnet18_batch cifar10
batches imagenet_resnet50_batch imagenet
batches squad_bert_batch bert
batches arctic_deepspeech2_batch deepspeech2
batches movielens_ncf_batch ncf
"$bin/fast_curves" traces/curves/cifar10_fast.csv traces/curves/cifar10_fast.trials.csv \
    "$data/cifar10-fast/experiments.csv"
dawn() {
    gzip -dc "$data/dawnbench/curves.csv.gz" |
        "$bin/dawn_curves" "traces/curves/$1.csv" "traces/curves/$1.trials.csv" - \
            "$data/dawnbench/entries.csv" "$2"
}
dawn cifar10_dawnbench CIFAR10
dawn imagenet_dawnbench ImageNet
opda() {
    gzip -dc "$data/opda/$2_curves.csv.gz" |
        "$bin/opda_curves" "traces/curves/share_alike/$1.csv" \
            "traces/curves/share_alike/$1.trials.csv" - "$data/opda/$2_trials.csv"
}
mkdir -p traces/curves/share_alike
opda imagenet_alexnet alexnet_imagenet
opda imagenet_convnext convnext_tiny_imagenet

# Recorded searches.
gzip -dc "$data/deepcave/bohb_large.csv.gz" |
    "$bin/searches" traces/searches.csv "$data/deepcave/bohb_small.csv" -

# Jobs.
xz -dc "$data/pollux/philly_jobs.csv.xz" | "$bin/philly" traces/philly_b1k.csv - b436b2 1000

# Microbenchmarks: a file a source and a GPU, its name the source's and, in small letters, the GPU's.
mkdir -p traces/microbench
bench() {
    name=$1-$(echo "$3" | tr '[:upper:]' '[:lower:]')
    converter=$2
    shift 2
    "$bin/$converter" "traces/microbench/$name.json" "$@"
}
for gpu in M40 TitanX-Maxwell TitanX-Pascal TitanXp 1080Ti P100 V100 T4; do
    bench deepbench deepbench "$gpu" "$data/deepbench/gemm_train.csv" \
        "$data/deepbench/conv_train.csv" "$data/deepbench/allreduce.csv" "$data/deepbench/specs.csv"
done
for table in conv_fwd linear bmm elementwise heldout_ops; do
    gzip -dc "$data/neusight/${table}_fp32.csv.gz" > "$tmp/$table.csv"
done
for gpu in V100 P100 T4 P4 A100 A100-80-PCIe L4 H100; do
    bench neusight neusight "$gpu" "$tmp/conv_fwd.csv" "$tmp/linear.csv" "$tmp/bmm.csv" \
        "$tmp/elementwise.csv" "$tmp/heldout_ops.csv"
done
# Eight rows of the source lack cells; none is of a small kernel that was launched.
awk -F, 'NF == 11' "$data/gpu-benches/small_kernel_launch.csv" > "$tmp/launch.csv"
for gpu in V100 A100 A100-80 A40 L40 H100-PCIe H200; do
    bench gpu-benches gpu_benches "$gpu" "$data/gpu-benches/stream_bandwidth.csv" \
        "$tmp/launch.csv"
done
for gpu in K80 TitanX-Maxwell TitanXp; do
    bench babelstream babelstream "$gpu" "$data/babelstream/babelstream_nvidia.csv"
done
for set in gpuinspector-v100 gpuinspector-a100 bandwidthtest-t4 bandwidthtest-v100 nccl-h100; do
    "$bin/interconnect" "traces/microbench/$set.json" "$set" \
        "$data/interconnect/link_and_peak_figures.csv" \
        "$data/interconnect/nccl_allreduce_16xH100_2nodes.csv"
done

# How far the fits are from the rows.
"$bin/fit_report" "$tmp/report" traces/step_fits.csv traces/sync_fits.csv traces/step_times.csv
cat "$tmp/report"
