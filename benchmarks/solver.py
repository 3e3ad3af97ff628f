"""The Phase solver on random classic hands of eleven cards, over all ten Phases.

A question is one hand and one Phase. Rates are of CPU time on one core, the median over rounds; the
command's are of wall-clock time, from start to end. Fails when ``solve`` misses its target.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from phaseten.rules.cards import Card
from phaseten.rules.editions import Phase, edition
from phaseten.rules.laying import ways_to_lay
from phaseten.rules.options import Rules
from phaseten.rules.solver import missing_cards, solve_phase

TARGET = 20_000
HELD = 11

Question = tuple[Phase, Sequence[Card]]


def questions(rules: Rules, hands: int, seed: int) -> list[Question]:
    chance = random.Random(seed)
    deck = rules.edition.deck
    dealt = [tuple(chance.sample(deck, HELD)) for _ in range(hands)]
    return [(phase, held) for held in dealt for phase in rules.phases]


def rate(ask: Callable[[Phase, Sequence[Card]], object], asked: Sequence[Question]) -> float:
    start = time.process_time()
    for phase, held in asked:
        ask(phase, held)
    return len(asked) / (time.process_time() - start)


def measure(rules: Rules, hands: int, rounds: int, seed: int) -> dict[str, float]:
    functions: dict[str, Callable[[Phase, Sequence[Card]], object]] = {
        "solve": lambda phase, held: solve_phase(phase, held, rules),
        "missing_cards": lambda phase, held: missing_cards(phase, held, rules),
        "ways_to_lay (all)": lambda phase, held: sum(1 for _ in ways_to_lay(phase, held, rules)),
        "ways_to_lay (first)": lambda phase, held: next(ways_to_lay(phase, held, rules), None),
    }
    rates: dict[str, list[float]] = {name: [] for name in functions}
    for number in range(rounds):
        asked = questions(rules, hands, seed + number)
        for name, function in functions.items():
            rates[name].append(rate(function, asked))
    return {name: statistics.median(some) for name, some in rates.items()}


def command_rate(rules: Rules, hands: int, seed: int) -> float | None:
    """Questions per second through ``phaseten solve --jsonl``; None where there is no command."""
    command = Path(sys.executable).with_name("phaseten")
    if not command.exists():
        return None
    lines = [
        json.dumps({"edition": "classic", "phase": phase.number, "cards": [c.text for c in held]})
        for phase, held in questions(rules, hands, seed)
    ]
    text = "\n".join(lines) + "\n"
    start = time.perf_counter()
    done = subprocess.run(
        [str(command), "solve", "--jsonl"], input=text, capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - start
    answers = done.stdout.splitlines()
    if len(answers) != len(lines) or any("error" in json.loads(answer) for answer in answers):
        raise SystemExit("phaseten solve --jsonl did not answer every question")
    return len(lines) / seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--hands", type=int, default=1_000, help="in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=10)
    options = parser.parse_args()
    rules = Rules(edition("classic"))
    rates = measure(rules, options.hands, options.rounds, options.seed)
    for name, value in rates.items():
        print(f"{name:>22}: {value:9,.0f} questions/s", flush=True)
    through = command_rate(rules, options.hands * 5, options.seed)
    if through is not None:
        print(
            f"{'phaseten solve --jsonl':>22}: {through:9,.0f} questions/s, start and end included"
        )
    met = rates["solve"] >= TARGET
    print(f"solve against its target of {TARGET:,}/s: {'met' if met else 'MISSED'}")
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
