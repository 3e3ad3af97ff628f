"""``phaseten solve``."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, cast

from cyclopts import Parameter

from phaseten.cli.completers import offer_editions
from phaseten.cli.files import STANDARD_INPUT, find_edition
from phaseten.cli.options import Flag, Optional
from phaseten.cli.positions import is_position, read_view
from phaseten.cli.problems import BAD_INPUT, Problem, complain, reason
from phaseten.cli.wording import plural, sentence
from phaseten.language import language
from phaseten.rules.cards import (
    COLOR_NAMES,
    SKIP,
    WILD,
    Card,
    CardSyntaxError,
    parse_card,
    sort_cards,
)
from phaseten.rules.editions import EditionError, Phase
from phaseten.rules.melds import held_form
from phaseten.rules.options import OptionError, Rules, parse_house
from phaseten.rules.solver import Solution, solve_phase
from phaseten.rules.state import open_phases
from phaseten.terminal.printer import printer_for

EXAMPLES: Final = """\
Examples:
  phaseten solve --phase 2 R3 B3 W S Y5 G6 R7 B8 G12 Y1
  phaseten solve --edition express --phase 4 R6 Y6 B7 W
  phaseten solve --phase 8 --json R1 R2 R5 W W R9 R12
  phaseten solve "express | hand 1 ..."    the cards and the Phase of a position
  phaseten solve --jsonl < queries.jsonl   one query a line, such as
      {"edition": "classic", "phase": 2, "cards": ["R3", "B3", "W"]}

Cards: R7 is the red 7 (R, B, Y, G, O), W a Wild, S a Skip. With --jsonl, a line
that cannot be answered gives {"error": "...", "line": 3}; the others are answered
all the same, and the exit code is 2."""

_CHUNK: Final = 1 << 16


def run(
    *cards: str,
    edition: Annotated[
        str, Parameter(name=["--edition", "-e"], completer=offer_editions)
    ] = "classic",
    phase: Annotated[int | None, Parameter(name=["--phase", "-p"])] = None,
    house: Annotated[str, Optional] = "",
    json: Flag = False,
    jsonl: Flag = False,
) -> int:
    """Say whether cards make a Phase, and how.

    The way shown spends the fewest Wilds and then leaves the fewest points. When
    the Phase cannot be laid, you are told how many further cards it needs.

    Args:
        cards: The cards you hold, or a position (with --jsonl: a file of queries).
        edition: An edition, or your own .toml file.
        phase: The number of the Phase.
        house: House rules; natural_per_meld counts here.
        json: Answer with one JSON object.
        jsonl: Answer many queries, one a line.
    """
    if jsonl:
        return _answer_stream(cards, _Defaults(edition, phase, house))
    if len(cards) == 1 and is_position(cards[0]):
        return _answer_position(cards[0], phase, json=json)
    if phase is None:
        raise Problem("Say which Phase, such as --phase 2.")
    if not cards:
        raise Problem("Say which cards you hold, such as R3 B3 W S Y5.")
    try:
        desk = _desk(edition, phase, house)
        held = desk.read(list(cards))
    except _QueryError as error:
        raise Problem(sentence(error)) from error
    for note in desk.find_surplus(held):
        complain(note)
    solution = solve_phase(desk.phase, held, desk.rules)
    print(_as_json(solution) if json else _in_words(desk, held, solution))
    return 0


def _answer_position(text: str, phase: int | None, *, json: bool) -> int:
    """Answer for the seat that looks at a position: by default for the Phases that it may lay."""
    view = read_view(text, None).view
    seat = view.seat
    if view.board is None or seat is None:
        raise Problem("In this position it is nobody's turn: there are no cards to look at.")
    phases = open_phases(view.rules, view.sheet, seat)
    for number in phases if phase is None else (phase,):
        try:
            desk = _Desk(view.rules, view.rules.edition.phase(number), {})
        except EditionError as error:
            raise Problem(sentence(error)) from error
        solution = solve_phase(desk.phase, view.held, desk.rules)
        print(_as_json(solution) if json else _in_words(desk, view.held, solution))
    return 0


# -- a question --------------------------------------------------------------------------------


class _QueryError(ValueError):
    """A question that has no answer."""


class _Desk(NamedTuple):
    """All that is needed to answer questions on one Phase of one edition."""

    rules: Rules
    phase: Phase
    faces: dict[str, Card]
    """The cards one can hold in this edition, by their text."""

    def read(self, texts: list[Any]) -> tuple[Card, ...]:
        """The cards written so."""
        faces = self.faces
        try:
            return tuple([faces[text] for text in texts])
        except (KeyError, TypeError):
            raise self._wrong_card(texts) from None

    def find_surplus(self, held: Sequence[Card]) -> Iterator[str]:
        """What is held more often than it is in the deck, in sentences."""
        box = self.rules.edition
        deck = Counter(box.deck)
        for card, count in Counter(held).items():
            if count > deck[card]:
                yield (
                    f"The deck of {box.title} has {card.text} {_times(deck[card])}, not {count} times: "
                    "nobody can hold these cards."
                )

    def _wrong_card(self, texts: list[Any]) -> _QueryError:
        for text in texts:
            if not isinstance(text, str):
                return _QueryError(f"{text!r} is not a card: cards are texts such as R7")
            try:
                card = parse_card(text)
            except CardSyntaxError as error:
                return _QueryError(str(error))
            if card.is_wild and card is not WILD:
                return _QueryError(f"{text} is a Wild on the table: one you hold is just W")
            if text not in self.faces:
                title = self.rules.edition.title
                if card.color not in self.rules.edition.colors:
                    return _QueryError(f"{title} has no {COLOR_NAMES[card.color]} cards: {text}")
                return _QueryError(
                    f"{title} has numbers from 1 to {self.rules.edition.highest}: {text}"
                )
        return _QueryError("these are no cards")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


@cache
def _rules(edition: str, house: str) -> Rules:
    try:
        return Rules(find_edition(edition), house=parse_house(house))
    except (Problem, OptionError) as error:
        raise _QueryError(str(error)) from error


@cache
def _desk(edition: str, phase: int, house: str) -> _Desk:
    rules = _rules(edition, house)
    try:
        chosen = rules.edition.phase(phase)
    except EditionError as error:
        raise _QueryError(str(error)) from error
    faces = {card.text: card for card in (*rules.edition.deck, WILD, SKIP)}
    return _Desk(rules, chosen, faces)


# -- many questions ----------------------------------------------------------------------------


class _Defaults(NamedTuple):
    """What a query does not say itself."""

    edition: str
    phase: int | None
    house: str


def _answer_stream(files: tuple[str, ...], defaults: _Defaults) -> int:
    if len(files) > 1:
        raise Problem("--jsonl reads standard input, or one file of queries.")
    name = files[0] if files else STANDARD_INPUT
    number = bad = 0
    write = sys.stdout.write
    for lines in _chunks(name):
        answers: list[str] = []
        for line in lines:
            number += 1
            if not line or line.isspace():
                continue
            try:
                answers.append(_answer(line, defaults))
            except _QueryError as error:
                bad += 1
                answers.append(json.dumps({"error": sentence(error), "line": number}))
        if answers:
            answers.append("")
            write("\n".join(answers))
            sys.stdout.flush()  # whoever waits for an answer before asking on gets it
    return BAD_INPUT if bad else 0


def _answer(line: bytes, defaults: _Defaults) -> str:
    try:
        query = json.loads(str(line, "utf-8"))
    except UnicodeDecodeError:
        raise _QueryError("this is not UTF-8 text") from None
    except RecursionError:
        raise _QueryError("this is nested too deeply to be a query") from None
    except ValueError as error:
        raise _QueryError(f"this is not JSON: {error}") from None
    if type(query) is not dict:
        raise _QueryError('a query is an object such as {"phase": 2, "cards": ["R3", "W"]}')
    fields = cast("dict[str, Any]", query)
    edition = fields.get("edition", defaults.edition)
    phase = fields.get("phase", defaults.phase)
    house = fields.get("house", defaults.house)
    cards = fields.get("cards")
    if type(edition) is not str:
        raise _QueryError('edition has to be a text such as "classic"')
    if type(phase) is not int:
        raise _QueryError("phase has to be a whole number such as 2")
    if type(house) is not str:
        raise _QueryError('house has to be a text such as "natural_per_meld"')
    if type(cards) is not list:
        raise _QueryError('cards has to be a list such as ["R3", "W"]')
    desk = _desk(edition, phase, house)
    return _as_json(solve_phase(desk.phase, desk.read(cast("list[Any]", cards)), desk.rules))


def _chunks(name: str) -> Iterator[list[bytes]]:
    """The lines of the input, as many at a time as have arrived."""
    with _source(name) as source:
        rest: list[bytes] = []
        while chunk := _read(source, name):
            *complete, last = chunk.split(b"\n")
            if complete:
                complete[0] = b"".join([*rest, complete[0]])
                rest = []
                yield complete
            rest.append(last)
        if any(rest):
            yield [b"".join(rest)]


def _source(name: str) -> AbstractContextManager[BufferedReader]:
    if name == STANDARD_INPUT:
        return nullcontext(cast("BufferedReader", sys.stdin.buffer))
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise Problem(f"{name} cannot be opened: {reason(error)}.") from error
    except ValueError as error:  # a NUL in the name
        raise Problem(f"{name!r} is not the name of a file.") from error


def _read(source: BufferedReader, name: str) -> bytes:
    try:
        return source.read1(_CHUNK)
    except OSError as error:
        raise Problem(f"{name} cannot be read: {reason(error)}.") from error


# -- answers -----------------------------------------------------------------------------------


def _as_json(solution: Solution) -> str:
    """The answer as JSON. No card's text needs escaping, so that it is put together by hand."""
    missing, melds, left = solution
    if melds is None:
        return f'{{"possible": false, "missing": {missing}, "melds": null, "left_points": {left}}}'
    rows = '"], ["'.join(['", "'.join([card.text for card in meld]) for meld in melds])
    return f'{{"possible": true, "missing": 0, "melds": [["{rows}"]], "left_points": {left}}}'


def _in_words(desk: _Desk, held: tuple[Card, ...], solution: Solution) -> str:
    screen = printer_for()
    name = f"Phase {desk.phase.number} of {desk.rules.edition.title}"
    asks = f"{name} ({language('en').phase(desk.phase)})"
    if solution.melds is None:
        return screen.text(
            f"Not yet: for {asks} you need {plural(solution.missing, 'more card')} at the least.\n"
            f"In hand: {plural(solution.left_points, 'point')}."
        )
    lines = [f"Yes: this makes {asks}."]
    lines += [f"  {screen.cards(meld)}" for meld in solution.melds]
    laid = Counter(held_form([card for meld in solution.melds for card in meld]))
    rest = sort_cards((Counter(held) - laid).elements())
    if rest:
        lines.append(
            f"Left in hand: {screen.cards(rest)} ({plural(solution.left_points, 'point')})."
        )
    else:
        lines.append("Nothing is left in hand.")
    return screen.text("\n".join(lines))
