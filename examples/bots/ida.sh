#!/bin/sh
# Ida: a bot in POSIX shell, to show how little a program needs.
#
#     phaseten arena examples/bots/ida.sh rookie
#
# She always does the first thing that is legal. Laying and hitting stand before discarding in the list, so
# she gets on, but she knows nothing about her cards. The arena writes its lines without spaces, and
# "legal" comes last, so that this is all the reading it takes.

while IFS= read -r line; do
  case $line in
    '{"type":"hello"'*)
      echo '{"type":"hello","protocol":1,"name":"Ida"}'
      ;;
    '{"type":"turn"'*)
      legal=${line##*'"legal":["'}
      echo "{\"action\":\"${legal%%\"*}\"}"
      ;;
  esac
done
