#!/usr/bin/env bash
# check_no_search_paths.sh SOURCE_DIRECTORY BACKENDS_DIRECTORY CMAKE [OPTION...]
# Builds the host with an empty DYNAMIC_BACKEND_PATHS: nothing is scanned, not even the build's own
# backends, and the command says so. OPTIONs are those of the build that this is a test of, so that a
# compiler cache has all but one file.
set -euo pipefail
source=$1 backends=$2 cmake=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$cmake" -S "$source" -B "$scratch" -G Ninja -DDYNAMIC_BACKEND_PATHS= -DBACKPLANE_BUILD_TESTS=OFF \
  -DBACKPLANE_BUILD_ONNX=OFF -DBACKPLANE_BUILD_BENCH=OFF -DBACKPLANE_BUILD_EXAMPLES=OFF \
  "$@" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; exit 1; }
"$cmake" --build "$scratch" --target list-backends >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; exit 1; }
mkdir -p "$scratch/lib/backplane/backends"
cp "$backends"/*_backend.so "$scratch/lib/backplane/backends"
status=0
"$scratch/bin/list-backends" >"$scratch/out" 2>&1 || status=$?
cat "$scratch/out"
[ $status = 2 ] || { echo "FAILED: exit status $status, expected 2" >&2; exit 1; }
grep -q DYNAMIC_BACKEND_PATHS "$scratch/out" ||
  { echo "FAILED: the output does not say what sets the search paths" >&2; exit 1; }
"$scratch/bin/list-backends" --format json >"$scratch/json" || true
grep -q '"search_paths": \[\]' "$scratch/json" ||
  { cat "$scratch/json"; echo "FAILED: a path was scanned" >&2; exit 1; }
