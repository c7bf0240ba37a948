#!/usr/bin/env bash
# Installs what building and testing Backplane needs on Debian 12. Says nothing when all is there.
#   scripts/install-deps.sh        for the suite
#   scripts/install-deps.sh --all  also the compilers that backends are built with by test.sh --all, and
#                                  libabigail, which compares what binaries see
set -euo pipefail

packages=(
  # build
  ca-certificates ccache cmake g++ git make ninja-build
  # host: scanning, logging, reading shared objects, digests, reports
  libboost-filesystem-dev libboost-log-dev libssl-dev nlohmann-json3-dev
  # commands
  libcli11-dev libpng-dev
  # CpuAcc
  libdnnl-dev
  # OpenCl: headers and loader, and a device for its tests, which is the CPU
  opencl-c-headers ocl-icd-opencl-dev pocl-opencl-icd
  # importer
  libonnx-dev libprotobuf-dev protobuf-compiler
  # tests of backends that clash: a second OpenMP runtime
  libomp-dev
  # tests: frameworks, the second compiler and its runtime, models and operator tests
  libgtest-dev libgmock-dev clang libclang-rt-14-dev clang-format lld binutils
  python3 python3-jsonschema python3-numpy python3-onnx libonnx-testdata
)
if [ "${1:-}" = --all ]; then
  packages+=(abigail-tools g++-11 clang-16 clang-19 libc++-dev libc++abi-dev tcc rustc-web cargo-web)
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
