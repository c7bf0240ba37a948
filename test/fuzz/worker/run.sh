#!/bin/sh
# run.sh BUILD [SECONDS [OPTION...]]
# Runs fuzz_worker of a build of the preset "fuzz" with what one execution may take: 10 seconds, for
# a host that waits for ever is a finding too. What it finds and what it learns stay in
# BUILD/worker-corpus.
set -eu
build=$1 seconds=${2:-600}
shift; [ $# -eq 0 ] || shift
mkdir -p -- "$build/worker-corpus"
exec "$build/bin/fuzz_worker" -timeout=10 -rss_limit_mb=2048 -max_len=132 -len_control=0 \
  -max_total_time="$seconds" -artifact_prefix="$build/worker-corpus/" "$@" \
  "$build/worker-corpus" "$build/worker-seeds"
