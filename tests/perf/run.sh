#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All benchmarks, into docs/bench.md; what was measured stays in $BUILD/bench.json for `bench compare`.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}

BUILD=$build tests/perf/icount.sh >"$build/bench.icount"
code=0
"$build/bench" --json --icount "$build/bench.icount" "$@" >"$build/bench.json" || code=$?
"$build/bench" table "$build/bench.json" >"$build/bench.md"
mv "$build/bench.md" docs/bench.md
echo
echo "docs/bench.md is new; $build/bench.json holds the same for: $build/bench compare OLD.json $build/bench.json"
exit "$code"
