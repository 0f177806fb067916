#!/bin/sh
# A UCI engine that plays the moves it is given, whatever the position: the n-th move of its side is the n-th word.
# Before the moves: --slow N SECONDS thinks so long at its move N; --babble N FILE answers nonsense at its move N, once
# (FILE remembers, since the engine is replaced); --twice N gives its answer at its move N a second time, which nobody asked for.
slow_at=0 babble_at=0 twice_at=0
while :; do
  case $1 in
  --slow) slow_at=$2 seconds=$3; shift 3 ;;
  --babble) babble_at=$2 babbled=$3; shift 3 ;;
  --twice) twice_at=$2; shift 2 ;;
  *) break ;;
  esac
done
own=$*
number=1

answer() {
  shift "$((number - 1))"
  printf 'info depth 1 score cp 25 nodes 1 pv %s\nbestmove %s\n' "$1" "$1"
}

while read -r line; do
  case $line in
  uci) printf 'id name scripted\nuciok\n' ;;
  isready) echo readyok ;;
  'position '*)
    case $line in
    *' moves '*) set -- ${line#* moves } ;;
    *) set -- ;;
    esac
    number=$(($# / 2 + 1))
    ;;
  'go '*)
    if [ "$number" = "$babble_at" ] && [ ! -e "$babbled" ]; then
      : >"$babbled"
      echo 'bestmove a1a1'
    elif [ "$number" = "$slow_at" ]; then
      # In the background, so that it still says that it is there.
      (sleep "$seconds" && answer $own) &
      thinking=$!
    else
      answer $own
      [ "$number" = "$twice_at" ] && answer $own
    fi
    ;;
  stop) [ -n "$thinking" ] && kill "$thinking" 2>/dev/null && answer $own ;;
  quit) exit ;;
  esac
done
