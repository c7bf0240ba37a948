#!/usr/bin/env bash
# check_package.sh BUILD_DIRECTORY SOURCE_DIRECTORY CMAKE CXX_FLAGS
# Installs a build to a prefix of its own, moves that prefix, and then, with nothing of the build in
# reach, builds a vendor's backend and an application against it and runs them.
set -euo pipefail
build=$1 here=$2 cmake=$3 flags=$4
unset LD_LIBRARY_PATH

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
prefix=$scratch/moved

echo "== installed commands, from a prefix that was moved"
"$prefix/bin/list-backends" --version
"$prefix/bin/list-backends" | tee "$scratch/list" || fail "list-backends finds no usable backend"
grep -q CpuRef "$scratch/list" || fail "the installed CpuRef is not listed"

# The codes that it shows are described where it says.
page=$({ "$prefix/bin/list-backends" "$scratch/list" || true; } |
  sed -n 's/^More on each code: //p')
case $page in "$prefix"/*) ;; *) fail "the page of diagnostics is \"$page\"" ;; esac
grep -q '^### BP1101 invalid-file-name$' "$page" || fail "$page does not describe BP1101"

digits=$here/../../examples/recognise-digits
if [ -x "$prefix/bin/execute-network" ]; then
  "$prefix/bin/execute-network" "$digits/digits.onnx" --test-data "$digits" ||
    fail "the installed execute-network does not run the digit model"
fi

echo "== a vendor's backend, built against the package alone"
"$cmake" -S "$here/vendor" -B "$scratch/vendor" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail "the vendor's project does not configure"; }
"$cmake" --build "$scratch/vendor" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail "the vendor's project does not build"; }
(cd "$scratch/vendor" && ctest --output-on-failure) || fail "the vendor's tests fail"
"$prefix/bin/list-backends" "$scratch/vendor/Acme_Npu_backend.so" || fail "it is not usable"
"$prefix/bin/list-backends" --probe inspect --format json "$scratch/vendor/Acme_Npu_backend.so" |
  grep -q '"vendor": "Acme & Sons"' || fail "its manifest is not shown"
"$cmake" --install "$scratch/vendor" --prefix "$prefix" >/dev/null
"$prefix/bin/list-backends" | grep -q AcmeNpu || fail "it is not found beside the installed ones"

echo "== a vendor's backend in C, in a project without C++"
mkdir "$scratch/c"
cp "$(find "$prefix" -name c_backend.c)" "$scratch/c"
cat >"$scratch/c/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.22)
project(AcmeC LANGUAGES C)
find_package(Backplane REQUIRED)
backplane_add_backend(NAME Acme_C SOURCES c_backend.c
  MANIFEST ID ExampleC VENDOR "Acme & Sons" VERSION 1.0 LICENSE MIT RANK 10 OPERATORS example/Leaky/1-2)
EOF
"$cmake" -S "$scratch/c" -B "$scratch/c/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_FLAGS="$flags -Wall -Wextra -Wpedantic" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "the project in C does not configure"; }
"$cmake" --build "$scratch/c/build" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail "the project in C does not build"; }
"$prefix/bin/list-backends" --format json "$scratch/c/build/Acme_C_backend.so" |
  grep -q '"vendor": "Acme & Sons"' || fail "the backend in C is not usable"

echo "== an application, dynamic backends and a static one"
"$cmake" -S "$here/application" -B "$scratch/application" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
  -DVENDOR_SOURCES="$here/vendor" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail "the application does not configure"; }
"$cmake" --build "$scratch/application" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail "the application does not build"; }
"$scratch/application/application" || fail "the application fails"

if [ -x "$prefix/bin/execute-network" ]; then  # which needs the importer, too
  echo "== an application that imports a model"
  example=$(find "$prefix" -type d -path '*/examples/import-a-model')
  "$cmake" -S "$example" -B "$scratch/import" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "the importing application does not configure"; }
  "$cmake" --build "$scratch/import" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "the importing application does not build"; }
  "$scratch/import/import_a_model" "$digits/digits.onnx" | tee "$scratch/top" ||
    fail "the importing application fails"
  [ "$(wc -l <"$scratch/top")" = 5 ] || fail "it does not print five numbers"
fi
