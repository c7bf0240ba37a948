#!/bin/sh
# copy_seeds.sh MOCK_BACKENDS SEEDS
# Copies the mock backends that are files and not too large to be changed many times.
set -eu
rm -rf -- "$2"
mkdir -p -- "$2"
find "$1" -type f -name '*_backend.so*' -readable -size -64k -exec cp -- {} "$2" \;
