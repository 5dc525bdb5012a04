#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
#
# run.sh BUILD SECONDS: runs the fuzz targets of a build folder, SECONDS for all of them together.
# The folder was set up with
#
#   CC=clang meson setup BUILD -Dgtk=disabled -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
#
# Each target starts from tests/fuzz/seeds and from the files of tests/cases, tests/fixtures and
# models, and ends at the first fault, whose input it leaves in BUILD/fuzz/TARGET/faults; put a small
# one into seeds/TARGET together with the fix, where the tests replay it for ever.

set -uo pipefail

if [ $# != 2 ]; then
  echo "usage: run.sh BUILD SECONDS" >&2
  exit 2
fi

build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
targets=(model safetensors folder config gguf tokenizer encode)
seconds=$(($2 / ${#targets[@]}))

export G_DEBUG=fatal-criticals OPENBLAS_NUM_THREADS=1 LC_ALL=C.UTF-8
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# seeds TARGET: the files to start from, small ones only, so that an input takes a millisecond.
seeds() {
  find "$root/tests/fuzz/seeds/$1" -type f
  case $1 in
  model) find "$root/models" "$root/tests/cases" -name '*.json' -size -40k \
    -not -name 'expect.json' -not -name 'tokenizer.json' -not -name '*schema.json' ;;
  safetensors) find "$root/tests/cases" -name '*.safetensors' -size -40k ;;
  config) find "$root/tests/cases" "$root/tests/fixtures" -name 'config.json' -size -40k ;;
  tokenizer) find "$root/tests/cases" "$root/tests/fixtures" -name 'tokenizer.json' -size -40k ;;
  esac
}

status=0
for target in "${targets[@]}"; do
  folder=$build/fuzz/$target
  mkdir -p "$folder/corpus" "$folder/faults"
  seeds "$target" | while read -r file; do
    cp -n "$file" "$folder/corpus/$(echo "${file#"$root"/}" | tr / _)"
  done

  dict=$root/tests/fuzz/json.dict
  if [ "$target" = gguf ]; then dict=$root/tests/fuzz/gguf.dict; fi

  echo "fuzz-$target: $seconds s from $(find "$folder/corpus" -type f | wc -l) inputs"
  "$build/tests/fuzz/fuzz-$target" "$folder/corpus" -artifact_prefix="$folder/faults/" \
    -dict="$dict" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 -verbosity=0 || status=1
done

exit $status
