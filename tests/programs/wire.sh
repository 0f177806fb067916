#!/bin/sh
# wire.sh LOG COMMAND...: runs an engine and writes down what is said on its wire, one line each: `> ` what the program sends to it, `< ` what it
# answers. Programs interrupt engines with a signal before they write to them, which must not end this script.
trap '' INT
log=$1
shift
copy() {
  while IFS= read -r line; do
    printf '%s%s\n' "$1" "$line" >>"$log"
    printf '%s\n' "$line"
  done
}
copy '> ' | "$@" | copy '< '
