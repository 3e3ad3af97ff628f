"""``phaseten puzzles``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

from phaseten.analysis.holding_back import find_held_back
from phaseten.analysis.puzzle_finding import Quotas, find_puzzles
from phaseten.analysis.puzzles import (
    THEMES,
    Puzzle,
    offer,
    puzzle_of_the_day,
    puzzle_reasons,
    puzzles,
    read_data,
    read_puzzle,
    write_data,
)
from phaseten.analysis.words import number as in_percent
from phaseten.cli.folders import data_folder
from phaseten.cli.options import Flag, one_of
from phaseten.cli.problems import Problem
from phaseten.language import LANGUAGES, Language
from phaseten.language import language as in_language
from phaseten.language.speech import capital
from phaseten.rules.actions import Action
from phaseten.rules.cards import sort_cards
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.state import open_phases
from phaseten.terminal.printer import Printer, printer_for, table

EXAMPLES: Final = """\
Examples:
  phaseten puzzles                         the next ones that you have not solved
  phaseten puzzles --day                   the puzzle of the day, the same for everybody
  phaseten puzzles --theme skip --edition express
  phaseten puzzles --number 17
  phaseten puzzles --list
  phaseten puzzles --find 220 --output puzzles.json
  phaseten puzzles --find 10 --theme lay --output lay.json

What is best is best as far as you can know: docs/coach.md says how that is found
out. What you have solved is kept in your data folder."""

SOLVED: Final = "puzzles.json"


def run(  # noqa: PLR0913 - options, by name
    *,
    theme: str | None = None,
    edition: str | None = None,
    number: int | None = None,
    day: Flag = False,
    list: Flag = False,  # noqa: A002 - as it is called on the command line
    language: str = "en",
    find: int | None = None,
    output: str | None = None,
    seed: int = 0,
) -> int:
    """Solve puzzles: positions in which one move is clearly best.

    Args:
        theme: keep, take, lay, wild, skip or end.
        edition: Only those of an edition.
        number: One puzzle, by its number.
        day: The puzzle of the day.
        list: List the puzzles instead.
        language: en, es, fr or pt.
        find: Find so many new ones in games of bots; takes a few seconds for each.
        output: The file that gets those; if it has some already, it is filled up.
        seed: Another number searches other games.
    """
    one_of("--theme", theme, THEMES)
    one_of("--edition", edition, BOOK_EDITIONS)
    one_of("--language", language, LANGUAGES)
    if find is not None:
        editions = (edition,) if edition else BOOK_EDITIONS
        return _find(find, output, editions, theme=theme, seed=seed)
    chosen = [
        puzzle
        for puzzle in puzzles()
        if theme in (None, puzzle.theme) and edition in (None, puzzle.edition)
    ]
    printer = printer_for()
    if list:
        print(printer.text("\n".join(_listed(chosen, printer))))
        return 0
    solver = Solver(printer, in_language(language), sys.stdin, data_folder() / SOLVED)
    if number is not None:
        chosen = [puzzle for puzzle in puzzles() if puzzle.number == number]
        if not chosen:
            raise Problem(f"There is no puzzle {number}: there are {len(puzzles())}.")
    elif day:
        chosen = [puzzle_of_the_day(datetime.now(UTC).date())]
    else:
        chosen = [puzzle for puzzle in chosen if puzzle.number not in solver.solved] or chosen
    solver.solve(chosen)
    return 0


def _listed(chosen: Sequence[Puzzle], printer: Printer) -> list[str]:
    rows = [["", "theme", "edition", "players", "Phase"]]
    rows += [
        [str(each.number), each.theme, each.edition, str(each.players), str(each.phase)]
        for each in chosen
    ]
    return table(rows, printer.width)


def _find(
    count: int, output: str | None, editions: tuple[str, ...], *, theme: str | None, seed: int
) -> int:
    if output is None:
        raise Problem("Name the file that gets the puzzles, such as --output puzzles.json.")
    if count < 1:
        raise Problem("--find is how many puzzles to find: 1 or more.")
    if theme not in (None, "lay"):
        raise Problem("--find finds all themes but lay together: leave --theme out, or name lay.")
    quotas = Quotas(count, len(editions))
    found = (
        [read_puzzle(entry) for entry in read_data(Path(output))] if Path(output).exists() else []
    )
    for puzzle in found:
        quotas.take(puzzle.edition, puzzle.theme, puzzle.phase)
    search = find_held_back(editions, seed) if theme else find_puzzles(editions, quotas, seed)
    for puzzle in search:
        found.append(replace(puzzle, number=len(found) + 1))
        write_data(Path(output), found)  # whoever interrupts keeps what there is
        sys.stderr.write(f"\r{len(found)}")
        if len(found) == count:
            break
    sys.stderr.write("\n")
    return 0


class Solver:
    """Asks, listens and tells, line by line."""

    def __init__(self, printer: Printer, words: Language, answers: TextIO, kept: Path) -> None:
        self._printer = printer
        self._words = words
        self._answers = answers
        self._kept = kept
        self.solved: dict[int, bool] = _read_solved(kept)
        """The puzzles that were solved, and whether at the first try."""

    def say(self, name: str, **values: object) -> str:
        return self._words.say(f"puzzles.{name}", **values)

    def solve(self, chosen: Sequence[Puzzle]) -> None:
        """One puzzle after the other, until somebody has had enough."""
        for puzzle in chosen:
            self._print(self._position(puzzle))
            offered = offer(puzzle)
            self._print([f"  {i}  {self._action(puzzle, a)}" for i, a in enumerate(offered, 1)])
            if not self._ask(puzzle, offered):
                return
        self._print([self.say("done", count=sum(self.solved.values()))])

    def _print(self, lines: Sequence[str]) -> None:
        print(self._printer.text("\n".join(lines)), flush=True)

    def _ask(self, puzzle: Puzzle, offered: Sequence[Action]) -> bool:
        """Whether to go on to the next one."""
        first = True
        while True:
            print(self.say("ask", count=len(offered)), end=" ", flush=True)
            line = self._answers.readline()
            text = line.strip()
            if not line or text.lower() == "q":
                print()
                return False
            if not (text.isdecimal() and 1 <= int(text) <= len(offered)):
                continue
            action = offered[int(text) - 1]
            right = action == puzzle.best
            self._print(self._verdict(puzzle, action))
            if right:
                self._remember(puzzle, first=first)
                return True
            first = False

    def _verdict(self, puzzle: Puzzle, action: Action) -> list[str]:
        if action != puzzle.best:
            loss = self._words.say("coach.percent", value=in_percent(puzzle.loss(action)))
            lines = [self.say("wrong", loss=loss), *self._why(puzzle, action)]
            return [self._printer.wrap(line, indent="  ") for line in lines]
        gap = self._words.say("coach.percent", value=in_percent(puzzle.gap))
        lines = [self.say("right", gap=gap), *self._why(puzzle, action)]
        return [*[self._printer.wrap(line, indent="  ") for line in lines], ""]

    def _why(self, puzzle: Puzzle, action: Action) -> list[str]:
        card = self._printer.card
        return puzzle_reasons(puzzle, action, self._words, card)

    def _action(self, puzzle: Puzzle, action: Action) -> str:
        return capital(self._words.action(action, puzzle.view, (), self._printer.card))

    def _position(self, puzzle: Puzzle) -> list[str]:
        view, printer = puzzle.view, self._printer
        board = view.board
        assert board is not None, "a puzzle is about a hand that is going on"
        title = self.say("title", number=puzzle.number, theme=self.say(f"theme.{puzzle.theme}"))
        lines = [printer.bold(title), f"{view.rules.edition.title}"]
        for seat in range(1, view.sheet.seats + 1):
            lines.append(self._seat(puzzle, seat))
            lines += [f"      {printer.cards(meld.cards)}" for meld in board.melds[seat - 1]]
        top = printer.card(board.top) if board.top else "-"
        lines.append(self.say("piles", top=top, count=board.draw_count))
        lines.append(self.say("held", cards=printer.cards(sort_cards(view.held))))
        return lines

    def _seat(self, puzzle: Puzzle, seat: int) -> str:
        view = puzzle.view
        board = view.board
        assert board is not None, "a puzzle is about a hand that is going on"
        made = board.made[seat - 1]
        number = made or (*open_phases(view.rules, view.sheet, seat), 0)[0]
        phase = self._words.phase(view.rules.by_number[number])
        return self.say(
            "laid" if made else "works",
            player=self.say("you") if seat == view.seat else self._words.player(seat, ()),
            phase=number,
            what=phase,
            cards=self._words.say("game.cards", count=board.counts[seat - 1]),
            points=self._words.points(view.sheet.totals[seat - 1]),
        )

    def _remember(self, puzzle: Puzzle, *, first: bool) -> None:
        self.solved[puzzle.number] = first
        self._kept.parent.mkdir(parents=True, exist_ok=True)
        self._kept.write_text(json.dumps(self.solved), encoding="utf-8")


def _read_solved(path: Path) -> dict[int, bool]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {int(number): bool(first) for number, first in kept.items()}
    except (OSError, ValueError, AttributeError):
        return {}  # nothing solved yet, or somebody changed the file
