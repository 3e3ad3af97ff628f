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


def choose(view, actions, groups, chance):
    """Lay and hit whenever that is possible; otherwise keep what is useful."""
    by_name = {action["do"]: action for action in reversed(actions)}
    for name in ("lay", "hit"):
        if name in by_name:
            return by_name[name]
    board, held = view["board"], view["held"]
    laid = board["made"][view["seat"] - 1]
    if board["step"] == "draw":
        top = board["discards"][-1] if board["discards"] else "S"
        worth = sorted(usefulness(card, held, groups) for card in held)
        wanted = not laid and usefulness(top, [*held, top], groups) > worth[len(worth) // 2]
        return by_name["take"] if wanted and "take" in by_name else actions[0]

    def rank(action):
        card = action["card"]
        worth = 0 if laid else usefulness(card, held, groups)
        return (worth, -points(card), chance.random())

    return min(actions, key=rank)


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
            answer = {"type": "hello", "protocol": 2, "name": "Otto"}
        elif message["type"] == "game":
            chance.seed(message["seed"])
            rules = message["rules"]
            continue
        elif message["type"] == "turn":
            view = message["view"]
            action = choose(view, message["actions"], asked_for(rules, view), chance)
            answer = {"action": action}
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
