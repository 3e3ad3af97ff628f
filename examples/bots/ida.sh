#!/bin/sh
# Ida: a bot in POSIX shell, to show how little a program needs.
#
#     phaseten arena examples/bots/ida.sh rookie
#
# She always does the first thing that is legal. Laying and hitting stand before discarding in the list, so
# she gets on, but she knows nothing about her cards. The arena writes its lines without spaces, and
# "actions" comes last, so that this is all the reading it takes.

while IFS= read -r line; do
  case $line in
    '{"type":"hello"'*)
      echo '{"type":"hello","protocol":2,"name":"Ida"}'
      ;;
    '{"type":"turn"'*)
      actions=${line##*'"actions":['}
      echo "{\"action\":${actions%%\}*}}}"
      ;;
  esac
done
