"""What happened in a hand that is played in the kernel, counted while it is played."""

from __future__ import annotations

from typing import NamedTuple

from phaseten.kernel.convert import ORDER, OUT, PLACE, PLAYING, STEP, TIED
from phaseten.kernel.game import Game

_DRAWING = 3
"""Actions below this number draw, and begin a turn."""
_DRAW_STEP = 0


class HandResult(NamedTuple):
    """What happened in one hand, by seat. A seat that sat out a tie-break hand has zeros."""

    first: int
    """The seat left of the dealer, which begins; a Skip turned up first costs it that turn."""
    out: int
    """The seat that went out; 0: nobody, the hand stood still (H-DEAD)."""
    turns: tuple[int, ...]
    """Turns each seat began; a lost turn is none."""
    points: tuple[int, ...]
    """What each seat still held. In a tie-break hand they do not count."""
    made: tuple[int, ...]
    """The number of the Phase each seat laid, 0 for none."""
    aimed: tuple[int, ...]
    """The Phase each seat had to make; 0 where it chooses or does not play."""
    laid_on: tuple[int, ...]
    """On which of its own turns each seat laid, 0 for none."""
    wilds: tuple[int, ...]
    """Wilds each seat was dealt, drew or took."""
    skips: tuple[int, ...]
    """Skips each seat used on somebody."""
    lost_turns: tuple[int, ...]
    tiebreak: bool


class Tally:
    """Counts a hand: from the deal on, told before and after every action."""

    def __init__(self, game: Game) -> None:
        layout = game.setup.layout
        seats = range(game.players)
        self._game = game
        self._layout = layout
        raw = game.save()
        self._players = list(raw[ORDER : ORDER + raw[PLAYING]])
        self._tiebreak = bool(raw[TIED])
        self._aimed = tuple(self._aim(raw, seat) for seat in seats)
        self._wild_places = [
            layout.o_held + seat * layout.faces + layout.naturals for seat in seats
        ]
        self._wilds = [raw[place] for place in self._wild_places]
        self._wilds_held = 0
        self._turns = [0] * game.players
        self._laid_on = [0] * game.players
        self._skips = [0] * game.players
        self._lost = [0] * game.players
        if raw[PLACE]:  # a Skip was turned up
            self._lost[self._players[0]] = 1

    def _aim(self, raw: bytes, seat: int) -> int:
        """The number of the Phase the seat has to make."""
        rules = self._game.rules
        if seat not in self._players:
            return 0
        if self._tiebreak:
            return rules.phases[-1].number
        if rules.choose_phase:
            return 0
        at = self._layout.o_left + 3 * seat
        left = int.from_bytes(raw[at : at + 3], "little")
        return rules.phases[(left & -left).bit_length() - 1].number if left else 0

    def before(self, seat: int, number: int) -> None:
        """The seat, counted from 0, is about to do that."""
        if number < _DRAWING:
            self._turns[seat] += 1
            self._wilds_held = self._game.at(self._wild_places[seat])

    def after(self, seat: int, number: int) -> None:
        """The seat has done that."""
        game, layout = self._game, self._layout
        if number < _DRAWING:
            self._wilds[seat] += game.at(self._wild_places[seat]) - self._wilds_held
        elif number >= layout.a_lay:
            self._laid_on[seat] = self._turns[seat]
        elif layout.a_skip < number < layout.a_hit:
            self._skips[seat] += 1
        if game.at(STEP) == _DRAW_STEP:
            self._count_lost(seat)

    def _count_lost(self, seat: int) -> None:
        """The turn has passed: whoever sits between the seat and the one on turn has lost one."""
        players = self._players
        place = (players.index(seat) + 1) % len(players)
        while place != self._game.at(PLACE):
            self._lost[players[place]] += 1
            place = (place + 1) % len(players)

    def result(self) -> HandResult:
        """The whole hand, which has ended."""
        game, layout = self._game, self._layout
        raw = game.save()
        phases, faces = game.rules.phases, game.setup.convert.faces
        points: list[int] = []
        made: list[int] = []
        for seat in range(game.players):
            held = raw[layout.o_held + seat * layout.faces :]
            points.append(
                sum(count * face.points for face, count in zip(faces, held, strict=False) if count)
            )
            laid = raw[layout.o_made + seat]
            made.append(phases[laid - 1].number if laid else 0)
        return HandResult(
            first=self._players[0] + 1,
            out=raw[OUT],
            turns=tuple(self._turns),
            points=tuple(points),
            made=tuple(made),
            aimed=self._aimed,
            laid_on=tuple(self._laid_on),
            wilds=tuple(self._wilds),
            skips=tuple(self._skips),
            lost_turns=tuple(self._lost),
            tiebreak=self._tiebreak,
        )
