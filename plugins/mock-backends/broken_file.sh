#!/bin/sh
# broken_file.sh OUTPUT GOOD KIND [ARGUMENT...]
# Makes the file of one row of defects.def. GOOD is a backend without fault; the argument from=FILE
# puts another in its place. CHANGE_ELF is the program of that name.
set -eu
output=$1 good=$2 kind=$3
shift 3
case ${1-} in from=*) good=${1#from=}; shift ;; esac

rm -rf -- "$output"
mkdir -p -- "$(dirname -- "$output")"
case $kind in
  copy)          cp -- "$good" "$output" ;;
  empty)         : > "$output" ;;
  text)          echo 'A text file, whatever its name says.' > "$output" ;;
  linker-script) printf '/* GNU ld script */\nINPUT(libmock.so.1)\n' > "$output" ;;
  git-lfs)       printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 20480\n' > "$output" ;;
  html)          printf '<!DOCTYPE html>\n<html><title>404 Not Found</title></html>\n' > "$output" ;;
  bytes)         # BYTE..., in octal, then 60 zero bytes
                 for byte in "$@"; do printf "\\$byte"; done > "$output"
                 head -c 60 /dev/zero >> "$output" ;;
  archive)       ar rc "$output" "$good" ;;
  tar)           tar cf "$output" -C "$(dirname -- "$good")" "$(basename -- "$good")" ;;
  short)         head -c "$1" "$good" > "$output" ;;  # NUMBER OF BYTES
  changed)       cp -- "$good" "$output"; chmod u+w "$output"; "$CHANGE_ELF" "$output" "$@" ;;  # see change_elf.cpp
  truncated)     head -c $(($(wc -c < "$good") / 2)) "$good" > "$output" ;;
  patched)       # OFFSET BYTE..., the bytes in octal
                 cp -- "$good" "$output"
                 while [ $# -ge 2 ]; do
                   printf "\\$2" | dd of="$output" bs=1 seek="$1" conv=notrunc 2> /dev/null
                   shift 2
                 done ;;
  renamed)       LC_ALL=C sed "s/$1/$2/g" "$good" > "$output" ;;  # TEXT EQUALLY_LONG_TEXT
  debug-only)    objcopy --only-keep-debug -- "$good" "$output" ;;
  unreadable)    echo 'Nobody may read this.' > "$output"; chmod 000 "$output" ;;
  world-writable) cp -- "$good" "$output"; chmod 666 "$output" ;;
  world-writable-folder) cp -- "$good" "$output"; chmod 777 "$(dirname -- "$output")" ;;
  directory)     mkdir "$output" ;;
  fifo)          mkfifo "$output" ;;
  link)          ln -s "$1" "$output" ;;  # TARGET
  *)             echo "broken_file.sh: unknown kind '$kind'" >&2; exit 1 ;;
esac
