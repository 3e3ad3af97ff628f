"""Complete games through the rules engine, against OpenSpiel's gin_rummy (C++), both from Python.

Both sides ask for the legal actions at every step and choose one at random; in Phase 10 a Phase is
laid and a card is hit whenever that is possible, so that games come to an end. What counts as an
action is a player's choice. What chance does (the deal; in OpenSpiel also each card drawn) takes
its time but is no action; OpenSpiel's rate and the ratio with its chance steps counted as actions
are shown in brackets.

The two take turns, round by round, so that a busy machine slows down both; times are of the CPU.
Fails when OpenSpiel is faster, or when it is not installed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from phaseten.rules.actions import Action, Hit, LayPhase
from phaseten.rules.cards import Card
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules
from phaseten.rules.referee import apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import State, new_game
from phaseten.rules.views import legal_actions, view_of

LONGEST_HAND = 5_000
"""A hand can die: in Express all sevens and Wilds may lie on the table where somebody still needs a
run of odds, and nobody can ever hit again. Live hands of these games end within some 1,500 actions.
"""
TABLES = (("classic", 2), ("classic", 4), ("express", 2), ("express", 4))


class Round(NamedTuple):
    actions: int
    chance: int
    games: int
    dead: int
    """How many of them were given up in a hand that nobody could end."""
    seconds: float

    @property
    def rate(self) -> float:
        return self.actions / self.seconds


Play = Callable[[random.Random], tuple[int, int, bool]]
"""Plays a whole game; the numbers of actions and of steps of chance, and whether it ended."""


def phase_ten(name: str, seats: int) -> Play:
    rules = Rules(edition(name))
    deck = rules.edition.deck

    def play(chance: random.Random) -> tuple[int, int, bool]:
        def shuffle(cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:  # noqa: ARG001
            return tuple(chance.sample(cards, len(cards)))

        state = new_game(rules, seats, 1)
        actions = deals = 0
        while state.sheet.winner is None:
            state = happen(state, deal(state, shuffle(deck, 0, 0)))
            deals += 1
            last = actions + LONGEST_HAND
            while (board := state.board) is not None:
                choices = legal_actions(view_of(state, board.turn))
                action = choose(choices, chance)
                state = happen(state, decide(state, board.turn, action, shuffle))
                actions += 1
                if actions == last:
                    return actions, deals, False
        return actions, deals, True

    return play


def choose(choices: list[Action], chance: random.Random) -> Action:
    """Lays and hits stand first among the legal actions."""
    first = choices[0]
    if isinstance(first, (LayPhase, Hit)):
        return first
    return choices[int(chance.random() * len(choices))]


def happen(state: State, events: object) -> State:
    if isinstance(events, Refusal) or not isinstance(events, tuple):
        raise SystemExit(f"a legal action was refused: {events}")
    return apply_all(state, events)


def gin_rummy() -> Play:
    try:
        pyspiel = import_module("pyspiel")  # of the extra `bench`, which the checks do without
    except ImportError:
        raise SystemExit("OpenSpiel is not installed: run 'make bench'") from None
    game = pyspiel.load_game("gin_rummy")

    def play(chance: random.Random) -> tuple[int, int, bool]:
        state = game.new_initial_state()
        actions = steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                steps += 1
            else:
                actions += 1
            choices = state.legal_actions()  # of a chance node: the cards, all equally likely
            state.apply_action(choices[int(chance.random() * len(choices))])
        return actions, steps, True

    return play


def play_round(play: Play, chance: random.Random, seconds: float) -> Round:
    actions = steps = games = dead = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        more, further, ended = play(chance)
        actions, steps, games = actions + more, steps + further, games + 1
        dead += not ended
    return Round(actions, steps, games, dead, time.process_time() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each side in each round")
    parser.add_argument("--seed", type=int, default=10)
    options = parser.parse_args()
    other = gin_rummy()
    worst = float("inf")
    for name, seats in TABLES:
        play = phase_ten(name, seats)
        chance = random.Random(options.seed)
        ours: list[Round] = []
        theirs: list[Round] = []
        for _ in range(options.rounds):
            ours.append(play_round(play, chance, options.seconds))
            theirs.append(play_round(other, chance, options.seconds))
        ratio = statistics.median(a.rate / b.rate for a, b in zip(ours, theirs, strict=True))
        worst = min(worst, ratio)
        rate = statistics.median(one.rate for one in ours)
        length = sum(one.actions for one in ours) / sum(one.games for one in ours)
        gin = statistics.median(one.rate for one in theirs)
        steps = statistics.median((one.actions + one.chance) / one.seconds for one in theirs)
        strict = statistics.median(
            a.rate / (b.actions + b.chance) * b.seconds for a, b in zip(ours, theirs, strict=True)
        )
        print(
            f"{name}, {seats} players: {rate:7,.0f} actions/s ({length:,.0f} a game) | "
            f"OpenSpiel gin_rummy: {gin:7,.0f} actions/s ({steps:,.0f} with its chance steps) | "
            f"ratio {ratio:.2f} ({strict:.2f})",
            flush=True,
        )
        if dead := sum(one.dead for one in ours):
            print(f"  ({dead} of {sum(one.games for one in ours)} games given up in a dead hand)")
    print(f"lowest ratio {worst:.2f} (target: 1.00 or more): {'met' if worst >= 1 else 'MISSED'}")
    return int(worst < 1)


if __name__ == "__main__":
    sys.exit(main())
