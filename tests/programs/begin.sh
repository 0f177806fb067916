#!/bin/sh
# begin.sh COMMAND...: an engine that is told `new` after `xboard`. Knights does not say it, and Fairy-Max does not play without.
while IFS= read -r line; do
  printf '%s\n' "$line"
  [ "$line" = xboard ] && printf 'new\nsd 4\n'
done | "$@"
