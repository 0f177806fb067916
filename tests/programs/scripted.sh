#!/bin/sh
# scripted.sh MOVES...: an engine in xboard's protocol that plays the moves it is given, whatever the position. It goes by the usual engine's name.
say() { printf '%s\n' "$*"; }
answer() {
  [ $# -gt 0 ] && say "move $1"
}
while read -r word rest; do
  case $word in
  protover) say 'feature myname="Fairy-Max 5.0b" usermove=0 sigint=0 sigterm=0 ping=1 done=1' ;;
  ping) say "pong $rest" ;;
  # White's engine is told to begin.
  go | [a-h][1-8][a-h][1-8]*)
    answer "$@"
    [ $# -gt 0 ] && shift
    ;;
  quit) exit ;;
  esac
done
