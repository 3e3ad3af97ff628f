"""The puzzles that ship, how they are found, and solving them."""

from datetime import date, timedelta

import pytest

from phaseten.analysis.puzzle_finding import ERRORS, Quotas, find_puzzles, measure
from phaseten.analysis.puzzles import (
    DATA,
    LICENCE,
    THEMES,
    Puzzle,
    puzzle_of_the_day,
    puzzles,
    read_data,
    read_puzzle,
)
from phaseten.kernel.game import game_of
from phaseten.notation.moves import parse_action
from phaseten.rules.actions import Discard
from phaseten.rules.cards import WILD
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.views import legal_actions


def test_every_puzzle_can_be_solved() -> None:
    for puzzle in puzzles():
        legal = legal_actions(puzzle.view)
        assert puzzle.best in legal, puzzle.number
        assert parse_action(puzzle.tempting) in legal, puzzle.number
        assert puzzle.answer != puzzle.tempting
        assert puzzle.chances[0][0] == puzzle.answer
        assert puzzle.gap > ERRORS * puzzle.error
        assert puzzle.best != Discard(WILD)
        assert puzzle.view.rules.edition.name == puzzle.edition
        assert puzzle.view.sheet.seats == puzzle.players
        assert puzzle.loss(puzzle.best) == 0
        assert puzzle.loss(parse_action(puzzle.tempting)) > 0


def test_something_of_everything() -> None:
    found = puzzles()
    assert [puzzle.number for puzzle in found] == list(range(1, len(found) + 1))
    assert len({puzzle.position for puzzle in found}) == len(found)
    assert {puzzle.theme for puzzle in found} <= set(THEMES)
    assert {puzzle.edition for puzzle in found} == set(BOOK_EDITIONS)
    assert {puzzle.phase for puzzle in found} == set(range(1, 11))
    assert LICENCE in DATA.read_text()


def test_the_puzzle_of_the_day_is_the_same_for_everybody() -> None:
    day = date(2026, 11, 16)
    assert puzzle_of_the_day(day) == puzzle_of_the_day(day)
    days = [puzzle_of_the_day(day + timedelta(days=i)).number for i in range(len(puzzles()))]
    assert len(set(days[:30])) == 30


def test_written_and_read_again() -> None:
    assert [read_puzzle(entry).write() for entry in read_data(DATA)] == read_data(DATA)


def test_a_puzzle_is_found() -> None:
    puzzle: Puzzle = next(find_puzzles(("express",), Quotas(50, 1), seed=1))
    assert puzzle.gap > ERRORS * puzzle.error
    game = game_of(puzzle.view)
    names = {game.name(number): number for number in game.legal()}
    again = measure(puzzle.view, [names[puzzle.answer], names[puzzle.tempting]], 400, seed=99)
    assert again.best == 0


@pytest.mark.long
def test_every_answer_stands_with_another_seed() -> None:
    for puzzle in puzzles():
        game = game_of(puzzle.view)
        numbers = [n for n in game.legal() if game.name(n) in dict(puzzle.chances)]
        again = measure(puzzle.view, numbers, 2 * puzzle.worlds, seed=31)
        assert game.name(numbers[again.best]) == puzzle.answer, puzzle.number
