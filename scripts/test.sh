#!/usr/bin/env bash
# Installs what is missing, builds, and runs the test suite.
#   scripts/test.sh        the suite; the host with the mock backends again, the core under address and
#                          undefined-behaviour sanitizers
#   scripts/test.sh --all  everything under these, and under the thread sanitizer; the suite as on
#                          processors with SSE4.1 alone and with AVX2; the headers by every compiler
#                          and flag; what binaries see, by libabigail; the benchmarks are built too,
#                          and every source by itself
set -euo pipefail
cd "$(dirname "$0")/.."

all=no
hang_seconds=600
case "${1:-}" in
  "") ;;
  --all) all=yes hang_seconds=3600 ;;
  *) echo "usage: scripts/test.sh [--all]" >&2; exit 64 ;;
esac

if [ $all = yes ]; then scripts/install-deps.sh --all; else scripts/install-deps.sh; fi

# preset, then options for cmake
build() {
  local preset=$1
  shift
  cmake --preset "$preset" "$@" >"build-$preset.log" 2>&1 || { cat "build-$preset.log"; return 1; }
  cmake --build --preset "$preset" >>"build-$preset.log" 2>&1 || { tail -50 "build-$preset.log"; return 1; }
  rm -f "build-$preset.log"
}

# A test that hangs is ended, and fails by its name. None takes a tenth of that time. Some only wait,
# so that there is one more than processors.
run() {
  echo "== $1"
  ctest --preset "$1" --parallel "$(($(nproc) + 1))" --timeout $hang_seconds "${@:2}"
}

# The sanitizer guesses where thread-local storage of libraries that were opened lies, and its search
# for leaks dies where the guess is wrong, as it is with OpenMP's threads.
export ASAN_OPTIONS=detect_leaks=1:intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1
if [ $all = yes ]; then
  build asan -DBACKPLANE_BUILD_ONNX=ON -DBACKPLANE_BUILD_EXAMPLES=ON \
    -DBACKPLANE_BUILD_BACKEND_TESTS=ON -DBACKPLANE_BUILD_RUNTIME_TESTS=ON \
    -DBACKPLANE_BUILD_CPUACC=ON -DCMAKE_CXX_FLAGS_DEBUG=-g1
  run asan
  build tsan
  run tsan --label-exclude no-tsan
  build tsan-cpuacc
  run tsan-cpuacc
  build plain
else
  build asan-core
  # What a sanitizer changes nothing about runs once, in the whole suite; so does what is done again
  # in processes of their own, whose parts all have tests of their own. With --all, all of it runs.
  once='abi|isolated|package|sandboxed|structure|fuzz|JsonSchema|ListBackends|RefusedMemory'
  run asan-core --exclude-regex "^(($once)\\.|Table/DefectsInChild)"
fi
# Last, so that the closing lines are those of the whole suite.
build dev -DBACKPLANE_BUILD_BENCH=$all
if [ $all = no ]; then
  run dev --label-exclude matrix
else
  for isa in SSE41 AVX2; do
    echo "== ONEDNN_MAX_CPU_ISA=$isa"
    ONEDNN_MAX_CPU_ISA=$isa run dev
  done
  echo "== 2,000 random open models"
  /usr/bin/python3 -B test/fuzz/open_models/open_models.py --build build/dev
  echo "== 1,000 random models at many shapes"
  /usr/bin/python3 -B test/fuzz/open_shapes/open_shapes.py --build build/dev --count 1000
  echo "== 6,000 lying tables"
  BACKPLANE_TABLE_SEEDS=6000 run dev --tests-regex IsolatedTables
  run dev
fi
