"""Between the kernel's bytes and numbers, and the states, views and actions of ``rules/``."""

from __future__ import annotations

import re
from pathlib import Path

from phaseten.kernel.layout import Layout
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, WILD, Card, natural, sort_cards, wild_as
from phaseten.rules.editions import Group
from phaseten.rules.melds import Meld
from phaseten.rules.memory import Memory, remember
from phaseten.rules.options import Rules
from phaseten.rules.state import DRAW, PLAY, Board, ScoreSheet, State
from phaseten.rules.views import View, unseen_beside

# Places in a state, from layout.pxd, where they are written.
_PLACES = {
    name: int(value)
    for name, value in re.findall(
        r"^    ([A-Z_]+) = (\d+)",
        Path(__file__).with_name("layout.pxd").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}
HAND, DEALER, PLAYING, ORDER, PLACE = (
    _PLACES[name] for name in ("HAND", "DEALER", "PLAYING", "ORDER", "PLACE")
)
STEP, WINNER, TIED, TAKEN, OUT, RESHUFFLES = (
    _PLACES[name] for name in ("STEP", "WINNER", "TIED", "TAKEN", "OUT", "RESHUFFLES")
)
DRAWS, DISCARDS, LAID, DISCARD, QUIET, CHANCE_BYTES = (
    _PLACES[name] for name in ("DRAWS", "DISCARDS", "LAID", "DISCARD", "QUIET", "CHANCE_BYTES")
)


def faces_of(rules: Rules) -> tuple[Card, ...]:
    """The faces by their kernel numbers."""
    edition = rules.edition
    naturals = [natural(c, n) for c in edition.colors for n in range(1, edition.highest + 1)]
    return (*naturals, WILD, SKIP)


class Converter:
    """Translates for one set of rules and one number of players."""

    def __init__(self, rules: Rules, layout: Layout) -> None:
        self.rules = rules
        self.layout = layout
        self.faces = faces_of(rules)
        self.index = {card: i for i, card in enumerate(self.faces)}

    # -- states --------------------------------------------------------------------------------

    def state(self, raw: bytes) -> State:
        """The state, without what happened before; piles in order, hands sorted."""
        rules, layout = self.rules, self.layout
        seats = range(layout.players)
        tied = tuple(seat + 1 for seat in seats if raw[TIED] >> seat & 1)
        sheet = ScoreSheet(
            left=tuple(self._left(raw, seat) for seat in seats),
            totals=tuple(_three(raw, layout.o_totals + 3 * seat) for seat in seats),
            dealer=raw[DEALER] + 1,
            tied=tied,
            winner=raw[WINNER] or None,
        )
        if raw[STEP] > 1:
            return State(rules, sheet)
        held = tuple(self._held(raw, seat) for seat in seats)
        pile = layout.o_pile
        draw = raw[pile + layout.deck_size - raw[DRAWS] : pile + layout.deck_size]
        return State(rules, sheet, self._board(raw), held, tuple(self.faces[f] for f in draw))

    def _board(self, raw: bytes) -> Board:
        layout = self.layout
        seats = range(layout.players)
        pile = layout.o_pile
        return Board(
            hand=raw[HAND] + 256 * raw[HAND + 1],
            players=tuple(raw[ORDER + i] + 1 for i in range(raw[PLAYING])),
            turn=raw[ORDER + raw[PLACE]] + 1,
            step=PLAY if raw[STEP] else DRAW,
            counts=tuple(raw[layout.o_size + seat] for seat in seats),
            draw_count=raw[DRAWS],
            discards=tuple(self.faces[f] for f in raw[pile : pile + raw[DISCARDS]]),
            melds=tuple(self._melds(raw, seat) for seat in seats),
            made=tuple(self._made(raw[layout.o_made + seat]) for seat in seats),
            waiting=tuple(bool(raw[layout.o_waiting + seat]) for seat in seats),
            skipped_by=tuple(raw[layout.o_skipped_by + seat] for seat in seats),
            taken=self.faces[raw[TAKEN] - 1] if raw[TAKEN] else None,
            reshuffles=raw[RESHUFFLES] + 256 * raw[RESHUFFLES + 1],
            quiet=raw[QUIET] + 256 * raw[QUIET + 1],
        )

    def memory(self, raw: bytes) -> Memory:
        """What the kernel remembers of the hand, as ``rules`` works it out; known cards sorted."""
        seats = range(self.layout.players)
        return Memory(
            tuple(self._known(raw, seat) for seat in seats),
            tuple(self._passed_over(raw, seat) for seat in seats),
            sort_cards(self._counted(raw, self.layout.o_recycled)),
        )

    def _left(self, raw: bytes, seat: int) -> tuple[int, ...]:
        bits = _three(raw, self.layout.o_left + 3 * seat)
        return tuple(phase.number for i, phase in enumerate(self.rules.phases) if bits >> i & 1)

    def _made(self, made: int) -> int:
        return self.rules.phases[made - 1].number if made else 0

    def _counted(self, raw: bytes, at: int) -> list[Card]:
        counts = raw[at : at + len(self.faces)]
        return [
            face
            for face, count in zip(self.faces, counts, strict=True)
            if count
            for _ in range(count)
        ]

    def _held(self, raw: bytes, seat: int) -> tuple[Card, ...]:
        return sort_cards(self._counted(raw, self.layout.o_held + seat * self.layout.faces))

    def _known(self, raw: bytes, seat: int) -> tuple[Card, ...]:
        at = self.layout.o_known + seat * self.layout.known_most
        size = raw[self.layout.o_known_size + seat]
        return sort_cards(self.faces[f] for f in raw[at : at + size])

    def _passed_over(self, raw: bytes, seat: int) -> tuple[Card, ...]:
        at = self.layout.o_passed_over + seat * self.layout.passed_over_bytes
        marks = int.from_bytes(raw[at : at + self.layout.passed_over_bytes], "little")
        return sort_cards(face for i, face in enumerate(self.faces) if marks >> i & 1)

    def _melds(self, raw: bytes, seat: int) -> tuple[Meld, ...]:
        layout = self.layout
        melds: list[Meld] = []
        for i in range(2):
            at = layout.o_melds + (2 * seat + i) * 4
            if not raw[at]:
                continue
            phase, number = divmod(raw[at] - 1, 2)
            group = self.rules.phases[phase].groups[number]
            cards = [
                self.faces[raw[layout.o_laid + j]]
                for j in range(raw[LAID])
                if raw[layout.o_laid_on + j] == 2 * seat + i
            ]
            color = raw[at + 3]
            letter = self.rules.edition.colors[color] if color < layout.colors else ""
            melds.append(Meld(group, arrange(group, cards, raw[at + 1], raw[at + 2], letter)))
        return tuple(melds)

    # -- views ---------------------------------------------------------------------------------

    def raw(self, view: View) -> bytes:
        """A state that agrees with a view of a hand that is going on.

        What the seat does not know is filled with the unseen cards in a fixed order: resample it.
        """
        board = view.board
        if board is None or view.seat is None:
            raise ValueError("a seat's view of a hand that is going on is needed")
        memory = remember(board, self.rules.edition)
        raw = self._open_part(board, view.sheet, memory)
        self._put_cards(raw, view, board, memory)
        return bytes(raw)

    def truth(self, state: State) -> bytes:
        """The state of a hand that is going on, with every card where it is."""
        board = state.board
        if board is None:
            raise ValueError("a hand that is going on is needed")
        raw = self._open_part(board, state.sheet, remember(board, self.rules.edition))
        for seat, hand in enumerate(state.held):
            self._put_hand(raw, seat, hand)
        end = self.layout.o_pile + self.layout.deck_size
        pile = bytes([self.index[card] for card in state.draw_pile])
        raw[end - len(pile) : end] = pile
        return bytes(raw)

    def _open_part(self, board: Board, sheet: ScoreSheet, memory: Memory) -> bytearray:
        """What everybody may know; no cards in hands, and no draw pile."""
        layout = self.layout
        raw = bytearray(layout.state_size)
        raw[HAND], raw[HAND + 1] = board.hand & 255, board.hand >> 8
        raw[DEALER] = sheet.dealer - 1
        raw[PLAYING] = len(board.players)
        raw[ORDER : ORDER + len(board.players)] = bytes(seat - 1 for seat in board.players)
        raw[PLACE] = board.players.index(board.turn)
        raw[STEP] = board.step == PLAY
        raw[TIED] = sum(1 << seat - 1 for seat in sheet.tied)
        raw[TAKEN] = self.index[board.taken] + 1 if board.taken else 0
        reshuffles = min(board.reshuffles, 65535)
        raw[RESHUFFLES], raw[RESHUFFLES + 1] = reshuffles & 255, reshuffles >> 8
        quiet = min(board.quiet, 65535)
        raw[QUIET], raw[QUIET + 1] = quiet & 255, quiet >> 8
        raw[DRAWS], raw[DISCARDS] = board.draw_count, len(board.discards)
        pile = bytes([self.index[card] for card in board.discards])
        raw[layout.o_pile : layout.o_pile + len(pile)] = pile
        self._put_seats(raw, board, sheet)
        self._put_memory(raw, memory)
        return raw

    def _put_seats(self, raw: bytearray, board: Board, sheet: ScoreSheet) -> None:
        layout = self.layout
        numbers = {phase.number: i for i, phase in enumerate(self.rules.phases)}
        for seat in range(layout.players):
            made = board.made[seat]
            raw[layout.o_made + seat] = numbers[made] + 1 if made else 0
            raw[layout.o_waiting + seat] = board.waiting[seat]
            raw[layout.o_skipped_by + seat] = board.skipped_by[seat]
            left = sum(1 << numbers[number] for number in sheet.left[seat])
            at = layout.o_left + 3 * seat
            raw[at : at + 3] = left.to_bytes(3, "little")
            at = layout.o_totals + 3 * seat
            raw[at : at + 3] = sheet.totals[seat].to_bytes(3, "little")
            for number, meld in enumerate(board.melds[seat]):
                self._put_meld(raw, 2 * seat + number, 2 * numbers[made] + number, meld)

    def _put_meld(self, raw: bytearray, slot: int, group: int, meld: Meld) -> None:
        layout = self.layout
        at = layout.o_melds + 4 * slot
        color = meld.cards[0].color if meld.group.kind.one_color else ""
        raw[at] = group + 1
        if meld.group.kind.parity is None or meld.group.kind.chain:
            raw[at + 1], raw[at + 2] = meld.cards[0].number, meld.cards[-1].number
        if meld.group.kind.one_color and not meld.group.kind.chain:
            raw[at + 1] = raw[at + 2] = 0
        raw[at + 3] = self.rules.edition.colors.index(color) if color else layout.colors
        for card in meld.cards:
            raw[layout.o_laid + raw[LAID]] = self.index[card.held]
            raw[layout.o_laid_on + raw[LAID]] = slot
            raw[LAID] += 1

    def _put_memory(self, raw: bytearray, memory: Memory) -> None:
        layout, index = self.layout, self.index
        for card in memory.recycled:
            raw[layout.o_recycled + index[card]] += 1
        for seat, cards in enumerate(memory.passed_over):
            at = layout.o_passed_over + layout.passed_over_bytes * seat
            for card in cards:
                face = index[card]
                raw[at + face // 8] |= 1 << face % 8
        for seat, cards in enumerate(memory.known):
            raw[layout.o_known_size + seat] = len(cards)
            for i, card in enumerate(cards):
                raw[layout.o_known + seat * layout.known_most + i] = index[card]

    def _put_cards(self, raw: bytearray, view: View, board: Board, memory: Memory) -> None:
        layout = self.layout
        unseen = list(unseen_beside(view, board, memory))
        for seat in range(layout.players):
            if seat + 1 == view.seat:
                hand = view.held
            else:
                known = memory.known[seat]
                hand = (*known, *[unseen.pop() for _ in range(board.counts[seat] - len(known))])
            self._put_hand(raw, seat, hand)
        end = layout.o_pile + layout.deck_size
        raw[end - len(unseen) : end] = bytes([self.index[card] for card in unseen])

    def _put_hand(self, raw: bytearray, seat: int, hand: tuple[Card, ...]) -> None:
        layout, index = self.layout, self.index
        highest = self.rules.edition.highest
        held = layout.o_held + seat * layout.faces
        numbers = layout.o_numbers + 13 * seat
        colors = layout.o_colors + layout.colors * seat
        raw[layout.o_size + seat] = len(hand)
        for card in hand:
            face = index[card]
            raw[held + face] += 1
            if card.is_natural:
                raw[numbers + card.number] += 1
                raw[colors + face // highest] += 1

    # -- actions -------------------------------------------------------------------------------

    def action(self, raw: bytes, number: int, way: bytes) -> Action:
        """The action of that number, or this way to lay."""
        layout = self.layout
        if way:
            return self._lay(way)
        if number < DISCARD:
            return (DrawDeck(), TakeDiscard(), DrawNothing())[number]
        if number < layout.a_skip:
            return Discard(self.faces[number - DISCARD])
        if number < layout.a_hit:
            return Discard(SKIP, number - layout.a_skip_at + 1 if number > layout.a_skip else None)
        meld, how = divmod(number - layout.a_hit, layout.hits)
        return Hit(self._hit_cards(raw, meld, how), meld // 2 + 1, meld % 2 + 1)

    def _hit_cards(self, raw: bytes, meld: int, how: int) -> tuple[Card, ...]:
        layout = self.layout
        if how < layout.naturals:
            return (self.faces[how],)
        at = layout.o_melds + meld * 4
        if not raw[at]:
            raise ValueError("there is no such meld on the table")
        phase, number = divmod(raw[at] - 1, 2)
        kind = self.rules.phases[phase].groups[number].kind
        low, high = raw[at + 1] - kind.step, raw[at + 2] + kind.step
        color = self.rules.edition.colors[raw[at + 3]] if kind.one_color else ""
        if how < layout.h_pairs:
            if kind.chain:
                return (wild_as(color, low if how == layout.h_wild_low else high),)
            return (
                wild_as(color, 0 if kind.one_color or kind.parity is not None else raw[at + 1]),
            )
        end, pair = divmod(how - layout.h_pairs, layout.pair_kinds)
        number = high if end else low
        one, other = self._pairs()[pair]
        return sort_cards((self._paired(one, number), self._paired(other, number)))

    def _paired(self, color: int, number: int) -> Card:
        if color == self.layout.colors:
            return wild_as(number=number)
        return natural(self.rules.edition.colors[color], number)

    def _pairs(self) -> list[tuple[int, int]]:
        """The pairs of colours by their number; the colour after the last is a Wild."""
        symbols = self.layout.colors + 1
        return [(one, other) for one in range(symbols) for other in range(one, symbols)]

    def _lay(self, way: bytes) -> LayPhase:
        phase = self.rules.phases[way[0]]
        layout = self.layout
        rows: list[tuple[Card, ...]] = []
        at = 4
        for i, _ in enumerate(phase.groups):
            shape = layout.group_shape[2 * way[0] + i] + way[2 + i]
            row: list[Card] = []
            for cell in range(
                layout.shape_cell[shape], layout.shape_cell[shape] + layout.shape_cells[shape]
            ):
                for _ in range(layout.cell_size[cell]):
                    face = self.faces[way[at]]
                    row.append(
                        self._stand(layout.cell_kind[cell], layout.cell_what[cell])
                        if face is WILD
                        else face
                    )
                    at += 1
            rows.append(tuple(row))
        return LayPhase(tuple(rows), phase.number if self.rules.choose_phase else None)

    def _stand(self, kind: int, what: int) -> Card:
        """What a Wild stands for in a cell."""
        if kind == 0:
            return wild_as(number=what)
        if kind == 1:
            return wild_as(color=self.rules.edition.colors[what])
        if kind == 2:
            return wild_as(self.faces[what].color, self.faces[what].number)
        return WILD


def arrange(group: Group, cards: list[Card], low: int, high: int, color: str) -> tuple[Card, ...]:
    """The cards of a meld in normal form; those of a meld that is no chain are sorted."""
    kind = group.kind
    if kind.chain:
        row: list[Card] = []
        stand_color = color if kind.one_color else ""
        for number in range(low, high + 1, kind.step):
            naturals = sort_cards(card for card in cards if card.number == number)
            row += naturals
            row += [wild_as(stand_color, number)] * (kind.copies - len(naturals))
        return tuple(row)
    if kind.parity is not None:
        stand = WILD
    elif kind.one_color:
        stand = wild_as(color=color)
    else:
        stand = wild_as(number=low)
    return sort_cards(stand if card is WILD else card for card in cards)


def _three(raw: bytes, at: int) -> int:
    return raw[at] + 256 * raw[at + 1] + 65536 * raw[at + 2]
