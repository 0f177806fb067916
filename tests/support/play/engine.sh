#!/bin/sh
# A UCI engine that plays the moves it is given, whatever the position: the n-th move of its side is the n-th word.
# Before the moves: --slow N SECONDS thinks so long at its move N; --babble N FILE answers nonsense at its move N, once
# (FILE remembers, since the engine is replaced); --twice N gives its answer at its move N a second time, which nobody asked for;
# --ponder N REPLY OWN expects REPLY to its move N, and after `go ponder` and `ponderhit` answers OWN to it.
slow_at=0 babble_at=0 twice_at=0 ponders= pondering=
while :; do
  case $1 in
  --slow) slow_at=$2 seconds=$3; shift 3 ;;
  --babble) babble_at=$2 babbled=$3; shift 3 ;;
  --twice) twice_at=$2; shift 2 ;;
  --ponder) ponders=yes; eval "reply_$2=\$3 own_$2=\$4"; shift 4 ;;
  *) break ;;
  esac
done
own=$*
number=1

# The move, and what is expected after it.
best() {
  eval "reply=\${reply_$number}"
  printf 'info depth 1 score cp 25 nodes 1 pv %s %s\nbestmove %s%s\n' "$1" "$reply" "$1" "${reply:+ ponder $reply}"
}

answer() {
  shift "$((number - 1))"
  best "$1"
}

# What came of the reply that was pondered on.
pondered() {
  eval "best \"\$own_$((number - 1))\""
  pondering=
}

while read -r line; do
  case $line in
  uci)
    echo 'id name scripted'
    [ -n "$ponders" ] && echo 'option name Ponder type check default false'
    echo uciok
    ;;
  isready) echo readyok ;;
  'position '*)
    case $line in
    *' moves '*) set -- ${line#* moves } ;;
    *) set -- ;;
    esac
    number=$(($# / 2 + 1))
    ;;
  'go ponder'*)
    pondering=yes
    eval "echo info depth 1 score cp 30 nodes 1 pv \"\$own_$((number - 1))\""
    ;;
  ponderhit) [ -n "$pondering" ] && pondered ;;
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
  stop)
    if [ -n "$pondering" ]; then
      pondered
    elif [ -n "$thinking" ] && kill "$thinking" 2>/dev/null; then
      answer $own
    fi
    ;;
  quit) exit ;;
  esac
done
