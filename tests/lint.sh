#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Layers, headers, allocators, sizes, format, analysers: no finding goes unexplained.
set -u
cd "$(dirname "$0")/.."
failed=0
complain() { echo "$1"; failed=1; }
flags="-I. -D_GNU_SOURCE -std=gnu11 $(pkg-config --cflags gsl yaml-0.1 libcjson libmd)"
sources=$(git ls-files -co --exclude-standard '*.c')
headers=$(git ls-files -co --exclude-standard '*.h')
# CUDA's, and C++ that stands in for it: sizes and format only.
cuda=$(git ls-files -co --exclude-standard '*.cu' '*.cuh' '*.hpp')
product=$(echo "$sources" | grep -E '^(sim|policies|analysis|traces|examples)/')

# A lower layer never includes a higher one.
layer() {
    case $1 in
    sim/base/*) echo 1 ;; sim/text/*) echo 2 ;; sim/types.h | sim/field.h | sim/heap.h | sim/balance.h | sim/oracle.h | sim/experiment.h | sim/policy.h | sim/tuner.h) echo 0 ;;
    sim/model/*) echo 3 ;; sim/engine/*) echo 4 ;; analysis/*) echo 5 ;; sim/cli/*) echo 6 ;; *) echo 9 ;;
    esac
}
for file in $(echo "$product $headers" | tr ' ' '\n' | grep -E '^(sim|analysis)/'); do
    own=$(layer "$file")
    for used in $(sed -n 's/^#include "\(\(sim\|analysis\)\/[^"]*\)".*/\1/p' "$file"); do
        [ "$(layer "$used")" -le "$own" ] || complain "$file: a lower layer includes $used"
    done
done
for file in $(echo "$product" | grep '^policies/'); do
    for used in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
        case $used in sim/policy.h | sim/tuner.h | sim/heap.h | policies/lib/* | policies/tuners/lib/*) ;; *) complain "$file: policies may not include $used" ;; esac
    done
done

for header in $headers; do
    # shellcheck disable=SC2086
    gcc $flags -Wall -Wextra -fsyntax-only -x c "$header" || complain "$header does not compile alone"
done

grep -nE '\b(malloc|calloc|realloc|free|strdup|strndup|asprintf)\(' $(echo "$product" | grep -vE 'sim/base/mem.c|traces/convert') |
    grep -vE '^\S+: \*|_free\(|cJSON|yaml_|gsl_' && complain "the allocator is called outside of sim/base/mem.c"
grep -nE '\b(rand|srand|time|strtok|sprintf|gets|setlocale|atoi|atof)\(' $product && complain "a forbidden function is called"

for file in $product $headers $cuda; do
    lines=$(wc -l < "$file")
    case $file in *.h | *.cuh) most=220 ;; *) most=450 ;; esac
    [ "$lines" -le $most ] || complain "$file has $lines lines, more than $most"
done
ctags -x --c-kinds=f --_xformat='%{end} %{line} %F %N' $product |
    awk '$1 - $2 > 60 { print $3 ": " $4 " has " $1 - $2 + 1 " lines"; bad = 1 } END { exit bad || !NR }' || complain "a function is too long, or ctags gave none"

# shellcheck disable=SC2086
clang-format --dry-run --Werror $sources $headers $cuda 2>&1 | head -n 20 | grep . && complain "clang-format would change files"
# shellcheck disable=SC2086
cppcheck -q --std=c11 --language=c --enable=warning,performance,portability --inline-suppr --error-exitcode=1 -I. $product || complain "cppcheck has findings"
# shellcheck disable=SC2086
export flags
# Not version.c: the Makefile gives it its two strings.
# shellcheck disable=SC2086,SC2016
echo $product | tr ' ' '\n' | grep -v base/version.c |
    xargs -n 12 -P "$(nproc)" sh -c 'exec clang-tidy --quiet "$@" -- $flags' tidy > build/clang-tidy.log 2>&1 ||
    { grep -E 'warning:|error:' build/clang-tidy.log | head -n 40; complain "clang-tidy has findings"; }
[ $failed = 0 ] && echo "lint: clean"
exit $failed
