#!/bin/sh
# scripted.sh MOVES...: an engine in xboard's protocol that plays the moves it is given, whatever the position. It goes by the usual engine's name.
say() { printf '%s\n' "$*"; }
forced=
while read -r word rest; do
  case $word in
  protover) say 'feature myname="Fairy-Max 5.0b" usermove=0 sigint=0 sigterm=0 ping=1 done=1' ;;
  ping) say "pong $rest" ;;
  new) forced= ;;
  # Moves are only taken down until it is told to go on.
  force) forced=yes ;;
  go) forced= ;;
  [a-h][1-8][a-h][1-8]*) ;;
  quit) exit ;;
  *) continue ;;
  esac
  case $word in
  go | [a-h][1-8][a-h][1-8]*)
    if [ -z "$forced" ] && [ $# -gt 0 ]; then
      say "move $1"
      shift
    fi
    ;;
  esac
done
