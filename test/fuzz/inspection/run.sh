#!/bin/sh
# run.sh BUILD [SECONDS [OPTION...]]
# Runs fuzz_inspection of a build of the preset "fuzz" with what one file may take: 64 MiB and one
# second. What it finds and what it learns stay in BUILD/fuzz-corpus.
set -eu
build=$1 seconds=${2:-600}
shift; [ $# -eq 0 ] || shift
mkdir -p -- "$build/fuzz-corpus"
exec "$build/bin/fuzz_inspection" -malloc_limit_mb=64 -rss_limit_mb=512 -timeout=1 \
  -max_total_time="$seconds" -artifact_prefix="$build/fuzz-corpus/" "$@" \
  "$build/fuzz-corpus" "$build/fuzz-seeds"
