#!/usr/bin/env bash
# Installs what is missing, builds, lists a directory of good and broken backends, and lets the
# reference backend recognise drawn digits.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-deps.sh
echo "building ..."
cmake --preset dev >/dev/null
cmake --build --preset dev >/dev/null

bin=build/dev/bin
backends=$(mktemp -d)
trap 'rm -rf "$backends"' EXIT
cp build/dev/lib/backplane/backends/Backplane_CpuRef_backend.so "$backends"
head -c 4096 "$backends/Backplane_CpuRef_backend.so" >"$backends/Acme_Truncated_backend.so"
echo "a note to myself" >"$backends/Acme_Notes_backend.so"
for mock in missing_get_version api_minor_too_new_by_headers missing_dependency; do
  find "build/dev/mock-backends/$mock" -name '*_backend.so' -exec cp {} "$backends" \; 2>/dev/null || true
done

echo
echo "\$ list-backends $backends"
"$bin/list-backends" "$backends" || true

echo
echo "\$ recognise-digits digits.onnx images/*.pgm"
"$bin/recognise-digits" examples/recognise-digits/digits.onnx examples/recognise-digits/images/*.pgm
