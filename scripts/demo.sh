#!/usr/bin/env bash
# Installs what is missing, builds, lists a directory of good and broken backends, and lets the
# reference backend recognise drawn digits.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-deps.sh
echo "building ..."
cmake --preset dev >/dev/null
cmake --build --preset dev >/dev/null --target list-backends backplane-probe recognise_digits \
  execute-network Backplane_CpuRef_backend Backplane_CpuAcc_backend \
  mock_NoGetVersion mock_HeadersNextMinor mock_MissingDependency

bin=build/dev/bin
backends=$(mktemp -d)
trap 'rm -rf "$backends"' EXIT
cp build/dev/lib/backplane/backends/Backplane_CpuRef_backend.so "$backends"
head -c 4096 "$backends/Backplane_CpuRef_backend.so" >"$backends/Acme_Truncated_backend.so"
echo "a note to myself" >"$backends/Acme_Notes_backend.so"
for mock in no-get-version headers-next-minor missing-dependency; do
  cp build/dev/mock-backends/$mock/*_backend.so "$backends"
done

echo
echo "\$ list-backends $backends"
"$bin/list-backends" "$backends" || true

digits=examples/recognise-digits
echo
echo "\$ recognise_digits $digits/images/digit_?_0.pgm"
"$bin/recognise_digits" $digits/images/digit_?_0.pgm

echo
echo "\$ execute-network $digits/digits.onnx --test-data $digits --explain"
"$bin/execute-network" $digits/digits.onnx --test-data $digits --explain
