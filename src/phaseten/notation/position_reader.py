"""Reads a position: strictly, and with a sentence where it makes no sense.

What is wrong is said in English only: positions are typed by people who study or program the game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from phaseten.notation.editions import parse_edition
from phaseten.notation.history import HistoryError, parse_history
from phaseten.rules.cards import SKIP, Card, CardSyntaxError, format_cards, parse_card
from phaseten.rules.editions import Edition, EditionError
from phaseten.rules.events import HandScored
from phaseten.rules.folding import sheet_after
from phaseten.rules.melds import Meld, check_phase, held_form, read_meld
from phaseten.rules.mistakes import Mistake, MistakeError
from phaseten.rules.options import OptionError, Rules
from phaseten.rules.referee import dealing_order, difference
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import DRAW, PLAY, Board, ScoreSheet, State, Step, new_game, open_phases
from phaseten.rules.views import View

_EYES: Final = re.compile(r"(?:seat ([1-9])|a watcher) sees")
_MOMENT: Final = re.compile(
    r"(?:(?P<kind>hand|before hand) (?P<hand>[0-9]{1,4})(?: tiebreak(?P<tied>(?: [1-9])+))?"
    r"|over winner (?P<winner>[1-9])) dealer (?P<dealer>[1-9])"
    r"(?: turn (?P<turn>[1-9]) (?P<step>draw|play)(?: took (?P<took>\S+))?"
    r"(?: reshuffles (?P<reshuffles>[0-9]{1,4}))?(?: quiet (?P<quiet>[0-9]{1,6}))?)?"
)
_SEAT: Final = re.compile(
    r"(?P<seat>[1-9])(?: phases (?P<phases>\S+))?(?: points (?P<points>[0-9]{1,6}))?"
    r"(?: holds (?P<holds>[0-9]{1,3})| held (?P<held>-|[^a-z]+?))?"
    r"(?: laid (?P<made>[1-9][0-9]?) (?P<melds>[^a-z]+?))?"
    r"(?P<skipped> skipped)?(?: skipped-by (?P<by>[1-9]))?"
)
_SCORE: Final = re.compile(
    r"out (?P<out>[1-9]|-)(?P<points>(?: [1-9]:[0-9]{1,5})+)(?: made(?P<made>(?: [1-9]:[0-9]{1,2})+))?"
    r"(?P<tiebreak> tiebreak)?"
)
_LONGEST: Final = 600
"""Characters of a sentence: what somebody wrote may be in it."""
_REST: Final = "rest"
_NOTHING: Final = "-"


class PositionError(MistakeError):
    """A text that is no position."""

    def __init__(self, problem: str) -> None:
        short = problem if len(problem) <= _LONGEST else f"{problem[:_LONGEST]}…"
        shown = "".join([c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in short])
        super().__init__(Mistake("position", {"why": shown}))


class _Moment(NamedTuple):
    """What is said about the moment."""

    hand: int
    """The one that is going on or comes next; 0 when the game is over."""
    going_on: bool
    dealer: int
    tied: tuple[int, ...]
    winner: int | None
    turn: int
    step: Step
    took: Card | None
    reshuffles: int
    quiet: int


@dataclass
class _Seat:
    """What is said about a seat."""

    phases: tuple[int, ...] | None
    points: int | None
    count: int | None
    """How many cards it holds, where that is said or can be counted."""
    held: tuple[Card, ...] | None
    made: int
    melds: tuple[Meld, ...]
    waiting: bool
    skipped_by: int


class PositionReader:
    """Reads one line."""

    def __init__(
        self,
        text: str,
        find: Callable[[str], Edition],
        shuffle: Callable[[tuple[Card, ...]], tuple[Card, ...]],
    ) -> None:
        rules, rest = _cut_edition(text.strip())
        words, *self._fields = [" ".join(field.split()) for field in rest.split("|")]
        self._rules = _read_rules(rules, words, find)
        self._shuffle = shuffle
        self._is_view = False
        self._eyes: int | None = None

    def read(self) -> State | View:
        """The state, or the view where somebody sees it."""
        if self._fields and (match := _EYES.fullmatch(self._fields[0])):
            self._is_view = True
            self._eyes = int(match[1]) if match[1] else None
            del self._fields[0]
        moment = self._moment()
        seats = self._seats()
        self._check_seats(moment, len(seats))
        draw, discards = self._take("draw"), self._take("discards")
        scores, seen = self._take("scores"), self._take("seen")
        if self._fields:
            raise PositionError(f"this does not belong there: {self._fields[0]}")
        sheet = self._sheet(moment, seats, _read_scores(scores, len(seats)) if scores else ())
        if not moment.going_on:
            if draw is not None or discards is not None or seen is not None:
                raise PositionError("no hand is going on: there are no piles")
            return self._result(sheet, None, {}, ())
        held = self._held(moment, sheet, seats)
        pile = _read_cards(discards or _NOTHING, "discards")
        rest = self._left_over(seats, held, pile)
        hidden = sum(said.count or 0 for seat, said in enumerate(seats, 1) if seat not in held)
        count, cards = self._draw_pile(draw, rest, hidden)
        board = self._board(moment, sheet, seats, pile, count)
        if seen is not None:
            try:
                board = board._replace(seen=parse_history(seen, self._rules, sheet, board))
            except HistoryError as error:
                raise PositionError(str(error)) from error
        return self._result(sheet, board, held, cards)

    def _result(
        self,
        sheet: ScoreSheet,
        board: Board | None,
        held: dict[int, tuple[Card, ...]],
        draw: tuple[Card, ...],
    ) -> State | View:
        if self._is_view:
            return View(self._rules, self._eyes, sheet, board, held.get(self._eyes or 0, ()))
        if board is None:
            return State(self._rules, sheet)
        rows = tuple([held.get(seat, ()) for seat in range(1, sheet.seats + 1)])
        return State(self._rules, sheet, board, rows, draw)

    # -- fields --------------------------------------------------------------------------------

    def _take(self, name: str) -> str | None:
        """What stands behind that word, if the next field begins with it."""
        if self._fields and self._fields[0].partition(" ")[0] == name:
            return self._fields.pop(0).partition(" ")[2]
        return None

    def _moment(self) -> _Moment:
        text = self._fields.pop(0) if self._fields else ""
        match = _MOMENT.fullmatch(text)
        going_on = match is not None and match["kind"] == "hand"
        if match is None or going_on != bool(match["turn"]):
            raise PositionError(
                f"'{text}' does not say how the game stands: write such as 'hand 1 dealer 2 turn 1 "
                "draw', 'before hand 2 dealer 1' or 'over winner 1 dealer 2'"
            )
        step = PLAY if match["step"] == PLAY else DRAW
        took = _read_card(match["took"]) if match["took"] else None
        if took is not None and step == DRAW:
            raise PositionError(
                "a card is taken before somebody plays: write 'play' or leave it out"
            )
        return _Moment(
            int(match["hand"] or 0),
            going_on,
            int(match["dealer"]),
            tuple(map(int, (match["tied"] or "").split())),
            int(match["winner"]) if match["winner"] else None,
            int(match["turn"] or 0),
            step,
            took,
            int(match["reshuffles"] or 0),
            int(match["quiet"] or 0),
        )

    def _seats(self) -> list[_Seat]:
        seats: list[_Seat] = []
        while self._fields and self._fields[0][:1].isdecimal():
            text = self._fields.pop(0)
            match = _SEAT.fullmatch(text)
            if match is None or int(match["seat"]) != len(seats) + 1:
                raise PositionError(
                    f"'{text}' is not seat {len(seats) + 1}: write such as '{len(seats) + 1} phases "
                    "1-10 points 0 held R3 B4 W laid 1 R5 B5 G5 / Y7 R7 W'"
                )
            seats.append(self._seat(match))
        try:
            self._rules.check_players(len(seats))
        except OptionError as error:
            raise PositionError(str(error)) from error
        return seats

    def _seat(self, match: re.Match[str]) -> _Seat:
        held = None if match["held"] is None else _read_cards(match["held"], "held")
        count = int(match["holds"]) if match["holds"] else None
        made = int(match["made"] or 0)
        return _Seat(
            None if match["phases"] is None else self._phases(match["phases"]),
            None if match["points"] is None else int(match["points"]),
            len(held) if held is not None else count,
            held,
            made,
            self._melds(made, match["melds"]) if made else (),
            match["skipped"] is not None,
            int(match["by"] or 0),
        )

    def _phases(self, text: str) -> tuple[int, ...]:
        numbers: list[int] = []
        for part in text.split(",") if text != _NOTHING else ():
            match = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part)
            if match is None:
                raise PositionError(f"'{text}' are no Phases: write such as 1-10 or 3,5-10 or -")
            numbers += range(int(match[1]), int(match[2] or match[1]) + 1)
        wanted = [number for number in self._rules.by_number if number in numbers]
        if numbers != wanted:
            raise PositionError(f"'{text}' are not Phases of this game, in their order")
        return tuple(numbers)

    def _melds(self, number: int, text: str) -> tuple[Meld, ...]:
        phase = self._rules.by_number.get(number)
        rows = [_read_cards(row, "laid", on_table=True) for row in text.split("/")]
        if phase is None or len(rows) != len(phase.groups):
            raise PositionError(f"'{text.strip()}' are not the melds of Phase {number}")
        melds: list[Meld] = []
        for group, row in zip(phase.groups, rows, strict=True):
            meld = read_meld(group, row, self._rules.edition)
            if isinstance(meld, Refusal):
                raise PositionError(f"{format_cards(row)} cannot lie there: {meld}")
            melds.append(meld)
        refusal = check_phase(phase, melds, self._rules)
        if refusal is not None:
            raise PositionError(f"'{text.strip()}' cannot lie there: {refusal}")
        return tuple(melds)

    # -- whether it goes together --------------------------------------------------------------

    def _check_seats(self, moment: _Moment, seats: int) -> None:
        named = (moment.dealer, moment.winner, moment.turn, self._eyes, *moment.tied)
        for seat in named:
            if (seat or 0) > seats:
                raise PositionError(f"there is no seat {seat}: the seats are 1 to {seats}")
        if list(moment.tied) != sorted(set(moment.tied)) or len(moment.tied) == 1:
            raise PositionError("tied seats are two or more, each named once, in order")

    def _sheet(
        self, moment: _Moment, seats: list[_Seat], hands: tuple[HandScored, ...]
    ) -> ScoreSheet:
        counted = new_game(self._rules, len(seats), moment.dealer).sheet
        for hand in hands:
            counted = sheet_after(self._rules, counted, hand)
        for seat, said in enumerate(seats, 1):
            left, total = counted.left[seat - 1], counted.totals[seat - 1]
            if hands and said.phases not in (None, left):
                raise PositionError(f"by the scores, seat {seat} has made other Phases")
            if hands and said.points not in (None, total):
                raise PositionError(f"by the scores, seat {seat} has {total} points")
        if (hands or not moment.going_on) and moment.hand not in (0, len(hands) + 1):
            raise PositionError(
                f"after the scores of {len(hands)} hands comes hand {len(hands) + 1}"
            )
        return ScoreSheet(
            tuple(
                [
                    counted.left[i] if said.phases is None else said.phases
                    for i, said in enumerate(seats)
                ]
            ),
            tuple(
                [
                    counted.totals[i] if said.points is None else said.points
                    for i, said in enumerate(seats)
                ]
            ),
            hands,
            moment.dealer,
            moment.tied,
            moment.winner,
        )

    def _held(
        self, moment: _Moment, sheet: ScoreSheet, seats: list[_Seat]
    ) -> dict[int, tuple[Card, ...]]:
        """The cards that are told, by seat."""
        players = dealing_order(sheet)
        if moment.turn not in players:
            raise PositionError(f"seat {moment.turn} does not play in this hand")
        held: dict[int, tuple[Card, ...]] = {}
        for seat, said in enumerate(seats, 1):
            if seat not in players:
                if said.count or said.made or said.waiting or said.skipped_by:
                    raise PositionError(f"seat {seat} does not play in this hand")
                continue
            phases = open_phases(self._rules, sheet, seat)
            if not phases:
                raise PositionError(f"seat {seat} has no Phase left: the hand cannot go on")
            if said.made and said.made not in phases:
                raise PositionError(f"seat {seat} cannot have laid Phase {said.made}")
            own = not self._is_view or seat == self._eyes
            if said.count is None or (said.held is None) == own:
                wanted = "'held' and its cards, or 'held -'," if own else "'holds' and a number,"
                raise PositionError(f"for seat {seat} {wanted} is needed")
            if said.held is not None:
                held[seat] = said.held
        return held

    def _left_over(
        self,
        seats: list[_Seat],
        held: dict[int, tuple[Card, ...]],
        discards: tuple[Card, ...],
    ) -> tuple[Card, ...]:
        """The cards of the deck that are not told, in its order."""
        box = self._rules.edition
        told = [card for cards in held.values() for card in cards] + list(discards)
        told += [c for said in seats for meld in said.melds for c in held_form(meld.cards)]
        if box.skips_wait_in_front:
            told += [SKIP] * sum(said.waiting for said in seats)
        many = Counter(told) - Counter(box.deck)
        if many:
            raise PositionError(
                f"the deck of {box.title} has not so many of: {format_cards(sorted(many))}"
            )
        rest = Counter(box.deck) - Counter(told)
        return tuple([card for card in dict.fromkeys(box.deck) for _ in range(rest[card])])

    def _draw_pile(
        self, text: str | None, rest: tuple[Card, ...], hidden: int
    ) -> tuple[int, tuple[Card, ...]]:
        """How many cards it has, and which if that is told."""
        if text is None:
            raise PositionError(
                "the draw pile is missing: write 'draw' and its cards, or 'draw rest'"
            )
        if self._is_view:
            count = len(rest) - hidden
            if text not in (_REST, str(count)) or count < 0:
                raise PositionError(
                    f"{len(rest)} cards are hidden, of which others hold {hidden}: draw {count}"
                )
            return count, ()
        if text == _REST:
            return len(rest), self._shuffle(rest)
        cards = _read_cards(text, "draw")
        wrong = difference(cards, rest)
        if wrong:
            raise PositionError(f"this is not the draw pile that is left: {wrong}")
        return len(cards), cards

    def _board(
        self,
        moment: _Moment,
        sheet: ScoreSheet,
        seats: list[_Seat],
        discards: tuple[Card, ...],
        draw_count: int,
    ) -> Board:
        return Board(
            hand=moment.hand,
            players=dealing_order(sheet),
            turn=moment.turn,
            step=moment.step,
            counts=tuple([said.count or 0 for said in seats]),
            draw_count=draw_count,
            discards=discards,
            melds=tuple([said.melds for said in seats]),
            made=tuple([said.made for said in seats]),
            waiting=tuple([said.waiting for said in seats]),
            skipped_by=tuple([said.skipped_by for said in seats]),
            taken=moment.took,
            reshuffles=moment.reshuffles,
            quiet=moment.quiet,
        )


# -- pieces ------------------------------------------------------------------------------------


def _cut_edition(text: str) -> tuple[str, str]:
    """An edition that is written out at the beginning of the text, and what follows it."""
    if not text.startswith("{"):
        return "", text
    depth, quote, is_escaped = 0, "", False
    for place, char in enumerate(text):
        if quote:
            if char == quote and not is_escaped:
                quote = ""
            is_escaped = quote == '"' and char == "\\" and not is_escaped
        elif char in "'\"":
            quote = char
        elif char in "{}":
            depth += 1 if char == "{" else -1
            if not depth:
                return text[: place + 1], text[place + 1 :]
    raise PositionError("the edition has no end: its closing brace is missing")


def _read_rules(box: str, words: str, find: Callable[[str], Edition]) -> Rules:
    name, *more = words.split(" ") if not box else ["", *words.split()]
    if len(more) > 2 or not (box or name):
        raise PositionError(
            "a position begins with its edition, then a variation, then house rules, such as "
            "'classic ten-hands no_rediscard | hand 1 ...'"
        )
    try:
        return Rules(parse_edition(box) if box else find(name), *more)
    except (EditionError, OptionError) as error:
        raise PositionError(str(error)) from error


def _read_card(text: str) -> Card:
    try:
        return parse_card(text)
    except CardSyntaxError as error:
        raise PositionError(str(error)) from error


def _read_cards(text: str, where: str, *, on_table: bool = False) -> tuple[Card, ...]:
    words = text.split()
    cards = tuple([_read_card(word) for word in words]) if words != [_NOTHING] else ()
    for card in cards:
        if not on_table and card.held is not card:
            raise PositionError(f"{where}: {card} stands for something only on the table: write W")
    return cards


def _read_scores(text: str, seats: int) -> tuple[HandScored, ...]:
    hands: list[HandScored] = []
    for number, part in enumerate(text.split(", "), 1):
        match = _SCORE.fullmatch(part)
        if match is None:
            raise PositionError(f"'{part}' is no score: write such as 'out 2 1:35 2:0 made 2:1'")
        points, made = _pairs(match["points"], seats), _pairs(match["made"] or "", seats)
        out = int(match["out"]) if match["out"] != _NOTHING else None
        if out is not None and out not in dict(points):
            raise PositionError(f"'{part}': seat {out} did not play")
        if not match["tiebreak"] and len(points) != seats:
            raise PositionError(f"'{part}': points of {seats} seats are needed")
        hands.append(HandScored(number, out, points, made, match["tiebreak"] is not None))
    return tuple(hands)


def _pairs(text: str, seats: int) -> tuple[tuple[int, int], ...]:
    pairs = tuple(
        [(int(seat), int(value)) for seat, value in (word.split(":") for word in text.split())]
    )
    named = [seat for seat, _ in pairs]
    if named != sorted(set(named)) or any(seat > seats for seat in named):
        raise PositionError(f"'{text.strip()}': each of the seats 1 to {seats} once, in order")
    return pairs
