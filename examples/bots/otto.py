#!/usr/bin/env python3
"""Otto: a bot as a program. It needs nothing but Python's standard library.

    phaseten arena examples/bots/otto.py rookie

It reads a JSON object a line, and answers a ``turn`` with an action. docs/arena.md has the protocol.
Otto looks at what his Phase asks for and keeps the cards that look useful; where two look the same,
the seed decides.
"""

import json
import random
import sys
from collections import Counter


def points(card):
    """What the card costs at the end of the hand."""
    if card in ("W", "S"):
        return 25 if card == "W" else 15
    return 5 if int(card[1:]) <= 9 else 10


def usefulness(card, held, groups):
    """How well the card goes with the others, for what the Phase asks for."""
    if card in ("W", "S"):
        return 100 if card == "W" else -100
    color, number = card[0], int(card[1:])
    others = [other for other in held if other not in ("W", "S")]
    numbers = Counter(int(other[1:]) for other in others)
    worth = 0
    for group in groups:
        kind = group.split()[0]
        if kind == "set":
            worth += numbers[number]
        elif "run" in kind:
            near = {n for n in numbers if 0 < abs(n - number) < 5}
            worth += len(near) / numbers[number] if number in numbers else len(near)
        elif kind == "color":
            worth += sum(other[0] == color for other in others)
        else:
            worth += number % 2 == (kind == "odd")
    return worth


def choose(view, legal, groups, chance):
    """Lay and hit whenever that is possible; otherwise keep what is useful."""
    for first in "LH":
        for action in legal:
            if action.startswith(first):
                return action
    if view["step"] == "draw":
        laid = view["made"][view["seat"] - 1]
        top = view["discards"][-1] if view["discards"] else "S"
        worth = sorted(usefulness(card, view["held"], groups) for card in view["held"])
        wanted = not laid and usefulness(top, [*view["held"], top], groups) > worth[len(worth) // 2]
        return "P" if wanted and "P" in legal else legal[0]

    def rank(action):
        card = action[1:].partition("@")[0]
        worth = 0 if view["made"][view["seat"] - 1] else usefulness(card, view["held"], groups)
        return (worth, -points(card), chance.random())

    return min(legal, key=rank)


def asked_for(rules, view):
    """What the groups of Otto's Phase are; in a tie-break hand it is the last one."""
    left = view["left"][view["seat"] - 1]
    number = left[0] if left and not view["tied"] else rules["phases"][-1]["number"]
    return next(phase["groups"] for phase in rules["phases"] if phase["number"] == number)


def main():
    """Read, answer, and flush: without the flush the answer stays in a buffer, and is late."""
    chance = random.Random()
    rules = {}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "Otto"}
        elif message["type"] == "game":
            chance.seed(message["seed"])
            rules = message["rules"]
            continue
        elif message["type"] == "turn":
            view = message["view"]
            action = choose(view, message["legal"], asked_for(rules, view), chance)
            answer = {"action": action}
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
