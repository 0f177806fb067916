#!/bin/sh
# wire.sh FOLDER COMMAND...: runs an engine and writes down what is said on its wire, in a file of its own in that folder, one line each: `> ` what the
# program sends to it, `< ` what it answers. Programs interrupt engines with a signal before they write to them, which must not end this script.
trap '' INT
log=$1/$$.log
shift
copy() {
  while IFS= read -r line; do
    printf '%s%s\n' "$1" "$line" >>"$log"
    printf '%s\n' "$line"
  done
}
copy '> ' | "$@" | copy '< '
