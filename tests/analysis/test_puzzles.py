"""The puzzles that ship, how they are found, and solving them."""

from datetime import date, timedelta

import pytest

from phaseten.analysis.holding_back import try_actions
from phaseten.analysis.puzzle_finding import ERRORS, Quotas, find_puzzles, gap_of, measure
from phaseten.analysis.puzzles import (
    DATA,
    DEEP,
    LICENCE,
    THEMES,
    Puzzle,
    puzzle_of_the_day,
    puzzles,
    read_data,
    read_puzzle,
)
from phaseten.game import Game
from phaseten.kernel.game import game_of
from phaseten.notation.moves import parse_action
from phaseten.rules.actions import Discard
from phaseten.rules.cards import WILD
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.views import legal_actions
from tests.analysis.mistakes import BETTER, MISTAKE, POSITION


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
    assert {puzzle.theme for puzzle in found} == set(THEMES)
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


def test_deep_players_play_on_from_what_the_seat_knows_alone() -> None:
    """Each seed deals what the seat does not see anew: the trials are the same."""
    values: list[list[list[float]]] = []
    for seed in (1, 2):
        game = game_of(Game.from_position(POSITION, seed=seed).view())
        numbers = [game.number(action) for action in (MISTAKE, BETTER)]
        values.append(try_actions(game, numbers, 6, seed=5).tolist())
    assert values[0] == values[1]
    assert len({tuple(row) for row in values[0]}) > 1, "other worlds, other ends"


@pytest.mark.long
def test_every_answer_stands_with_another_seed() -> None:
    for puzzle in puzzles():
        game = game_of(puzzle.view)
        numbers = [n for n in game.legal() if game.name(n) in dict(puzzle.chances)]
        if puzzle.trials == DEEP:
            again = gap_of(try_actions(game, numbers, puzzle.worlds, seed=31))
        else:
            again = measure(puzzle.view, numbers, 2 * puzzle.worlds, seed=31)
        assert game.name(numbers[again.best]) == puzzle.answer, puzzle.number
