#!/usr/bin/env bash
# check_no_search_paths.sh SOURCE_DIRECTORY CMAKE
# Compiles as the preset dev does, so that a compiler cache has nearly all of it.
# Builds the host with an empty DYNAMIC_BACKEND_PATHS: nothing is scanned, and the command says so.
set -euo pipefail
source=$1 cmake=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$cmake" -S "$source" -B "$scratch" -G Ninja -DDYNAMIC_BACKEND_PATHS= -DBACKPLANE_BUILD_TESTS=OFF \
  -DBACKPLANE_BUILD_ONNX=OFF -DBACKPLANE_BUILD_BENCH=OFF -DBACKPLANE_BUILD_EXAMPLES=OFF \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
"$cmake" --build "$scratch" --target list-backends Backplane_CpuRef_backend >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; exit 1; }
status=0
"$scratch/bin/list-backends" >"$scratch/out" 2>&1 || status=$?
cat "$scratch/out"
[ $status = 2 ] || { echo "FAILED: exit status $status, expected 2" >&2; exit 1; }
grep -q DYNAMIC_BACKEND_PATHS "$scratch/out" ||
  { echo "FAILED: the output does not say what sets the search paths" >&2; exit 1; }
"$scratch/bin/list-backends" --format json >"$scratch/json" || true
grep -q '"search_paths": \[\]' "$scratch/json" ||
  { cat "$scratch/json"; echo "FAILED: a path was scanned" >&2; exit 1; }
