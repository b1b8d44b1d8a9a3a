#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The CUDA microbenchmarks where there is no GPU. Emulated on the CPU (emulated.hpp): every benchmark computes what its
# check wants and writes valid results, and every check notices when a kernel or a library call does nothing. With nvcc:
# all is compiled without a warning, and without a device the program ends with one line and exit code 3.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

# ---- make without nvcc says so ----
code=0
make -s microbench CUDA=/nonexistent BUILD="$BUILD" > "$work/log" 2>&1 || code=$?
[ $code = 2 ] && grep -q '^make microbench: nvcc is missing' "$work/log" || { cat "$work/log"; fail "make microbench without nvcc: exit code $code"; }

# ---- emulated ----
checks=0 results=0
build_emulated() {
    mkdir "$work/include"
    for header in cuda_runtime cuda_fp16 cuda_bf16; do
        echo '#include "tests/microbench/emulated.hpp"' > "$work/include/$header.h"
    done
    for header in cublas_v2 cudnn nccl; do
        echo '#include "tests/microbench/emulated_libraries.hpp"' > "$work/include/$header.h"
    done
    local objects
    objects=$(ls analysis/microbench/*.c sim/base/{mem,diag,utf8,bug}.c sim/text/{out,num}.c | sed "s|^|$BUILD/|; s/c\$/o/")
    # shellcheck disable=SC2086
    make -s BUILD="$BUILD" $objects
    printf '%s\n' analysis/microbench/*.cu | xargs -P "$(nproc)" -I{} sh -c 'g++ -std=c++17 -O2 -Wall -Wextra -Werror \
        -Wno-missing-field-initializers -DMB_CUDNN -DMB_NCCL -D_GNU_SOURCE -I. -I"$1/include" -x c++ -c -o "$1/$(basename "$2").o" "$2"' sh "$work" {}
    # shellcheck disable=SC2086
    g++ -o "$work/emulated" "$work"/*.cu.o $objects -ldl
}

# The first turn of every grid on two devices: in the schema, every operator there. Then as its user does it, by run.sh,
# of operators whose first turn has points enough for a fit.
works() {
    EMU_GPUS=2 "$work/emulated" -o "$work/all.json" --quick > "$work/log" 2>&1 || { cat "$work/log"; fail 'a whole run fails'; }
    printf '#!/bin/sh\nexec %s --quick --only elementwise,stream,launch,copy,context "$@"\n' "$work/emulated" > "$work/quick" && chmod +x "$work/quick"
    EMU_GPUS=2 MICROBENCH=$work/quick analysis/microbench/run.sh "$work/run" 1 > "$work/log" 2>&1 || { cat "$work/log"; fail 'run.sh fails'; }
    grep -q 'op: elementwise, precision: fp32' "$work/run/Emulated.yaml" && grep -q 'name: context' "$work/run/Emulated.yaml" || fail 'run.sh leaves no calibration'
    results=$(python3 - "$work/all.json" "$("$work/emulated" --list | cut -d' ' -f 1 | xargs)" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
assert (run["schema"], run["version"]) == ("hetune-microbench", 1)
assert run["gpu"]["product"] == "Emulated" and run["origin"]["source"] == "hetune"
rows = dict.fromkeys(sys.argv[2].split(), 0)
for series in run["series"]:
    assert series["unit"] in ("us", "ms", "GB/s", "1"), series
    columns = series["columns"]
    assert ("time" in columns) != ("rate" in columns)
    for row in series["rows"]:
        assert len(row) == len(columns) and all(v is not None and v >= 0 for v in row), row
        assert all(isinstance(v, int) for c, v in zip(columns, row) if c not in ("time", "rate", "spread")), row
    assert len({tuple(r[:columns.index("time" if "time" in columns else "rate")]) for r in series["rows"]}) == len(series["rows"])
    rows[series["op"]] += len(series["rows"])
assert all(n for op, n in rows.items() if op != "shared"), rows # four processes may be too slow here
print(sum(rows.values()))
PY
)
}

# An operator, what does nothing now: a wrong result, told in one line, and no file.
notices() {
    local code=0
    EMU_GPUS=2 EMU_DROP=$2 "$work/emulated" -o "$work/bad.json" --quick --only "$1" > "$work/log" 2>&1 || code=$?
    [ $code = 1 ] && [ "$(wc -l < "$work/log")" = 1 ] && grep -q "^microbench: error: $1.*: wrong result: " "$work/log" && ! ls "$work"/*bad.json* 2> /dev/null ||
        { cat "$work/log"; fail "$1 does not notice that $2 does nothing: exit code $code"; }
    checks=$((checks + 1))
}

if g++ --version > /dev/null 2>&1; then
    build_emulated
    works
    for case in gemm:cublasGemm bmm:cublasGemm conv:cudnnConvolution elementwise:apply softmax:softmax reduce:sum_rows \
        layer_norm:normalise layer_norm:input_gradient layer_norm:column_sums batch_norm:cudnnBatchNormalizationForward \
        batch_norm:cudnnBatchNormalizationBackward embedding:gather embedding:scatter optimizer:update stream:pass_over \
        launch:count launch:cudaGraphLaunch copy:cudaMemcpyAsync peer:cudaMemcpyPeerAsync all_reduce:ncclAllReduce; do
        notices "${case%:*}" "${case#*:}"
    done
    # What does not fit is left out, and said.
    EMU_LIMIT=200000 "$work/emulated" -o "$work/small.json" --quick --only copy > "$work/log" 2>&1
    grep -qx 'skipped: copy, [0-9]* cases: not enough memory' "$work/log" || { cat "$work/log"; fail 'too little memory is not told'; }
    code=0
    EMU_GPUS=0 "$work/emulated" -o "$work/none.json" 2> "$work/log" || code=$?
    [ $code = 3 ] && grep -qx 'microbench: error: no CUDA device: none is visible; .*' "$work/log" || fail "no device: exit code $code"
    said="emulated: $results results, $checks checks notice what does nothing"
else
    said='emulation skipped: there is no g++'
fi

# ---- compiled ----
if [ -x "${NVCC:-/usr/local/cuda/bin/nvcc}" ]; then
    arch=$("${NVCC:-/usr/local/cuda/bin/nvcc}" --list-gpu-arch | head -n 1 | sed 's/compute/sm/')
    make -s -j"$(nproc)" BUILD="$work/build" CUDA_ARCH="$arch" microbench > "$work/log" 2>&1 || { cat "$work/log"; fail 'nvcc stops'; }
    ! grep -i warning "$work/log" || fail 'nvcc warns'
    real=$work/build/microbench/microbench
    "$real" --help > /dev/null
    if nvidia-smi -L > /dev/null 2>&1; then
        said+="; compiled by nvcc; there is a GPU, so that its absence is not tested"
    else
        code=0
        "$real" -o "$work/real.json" > "$work/out" 2> "$work/log" || code=$?
        [ $code = 3 ] && [ "$(wc -l < "$work/log")" = 1 ] && grep -q '^microbench: error: no CUDA device: ' "$work/log" && [ ! -s "$work/out" ] && [ ! -e "$work/real.json" ] ||
            { cat "$work/log"; fail "without a device: exit code $code"; }
        said+="; compiled by nvcc, ends cleanly without a device"
    fi
else
    said+='; nvcc skipped: there is none'
fi
echo "$said"
