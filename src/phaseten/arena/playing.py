"""One game between bots, played in the kernel, with every deck a function of the deal's number.

The deck of each hand follows from the seed, the number of the deal and the number of the hand, and
from nothing that was played. So a deal can be played again with other bots in the seats, and
nobody can say it was the cards. The shuffles are those of ``rules.shuffle``: every game can be
written as a record whose shuffles anybody can check.

>>> from phaseten.bots.ladder import make_bot
>>> from phaseten.rules.editions import edition
>>> table = Table(Rules(edition("classic")), players=2, seed=1)
>>> game = play_game(table, [make_bot("sharp"), make_bot("rookie")], deal=0)
>>> game.winner, len(game.hands) > 9
(1, True)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Final, NamedTuple, Protocol, runtime_checkable

from phaseten.arena.faults import Fault, FaultError
from phaseten.arena.judging import judge
from phaseten.arena.tally import HandResult, Tally
from phaseten.bots.bot import Bot
from phaseten.game import Game as RecordedGame
from phaseten.kernel.convert import DISCARDS, DRAWS, ORDER, PLACE, RESHUFFLES
from phaseten.kernel.game import GOES_ON, Game
from phaseten.notation.records import Header, Record
from phaseten.rules.actions import Action
from phaseten.rules.events import HandScored
from phaseten.rules.options import Rules
from phaseten.rules.shuffle import seeded
from phaseten.rules.views import View

MOST_ACTIONS: Final = 2_000
"""A game is given up when a hand takes so many: hands exist that nobody can end."""

DRAW_DECK: Final = 0
"""The kernel's number for drawing from the draw pile."""

DEALER: Final = 1
"""Who deals the first hand. The bots change seats, so the seats need not change dealers."""


class Table(NamedTuple):
    """What all games of a match share."""

    rules: Rules
    players: int
    seed: int = 0


class GameResult(NamedTuple):
    """What happened in one game."""

    winner: int | None
    """None: given up, because a hand could not end, or forfeited."""
    totals: tuple[int, ...]
    hands: tuple[HandResult, ...]
    """The hands that were ended."""
    actions: int
    decisions: tuple[int, ...]
    """How often each seat was asked."""
    seconds: tuple[float, ...]
    """How long each seat thought, all in all."""
    fault: Fault | None = None
    """Why the game was forfeited."""


@runtime_checkable
class FastBot(Protocol):
    """A bot of the house that chooses inside the kernel."""

    def choose_in(self, game: Game) -> int:
        """The number of its choice for the seat on turn."""
        ...


@runtime_checkable
class Listener(Protocol):
    """A bot that wants to be told what is going on between its turns."""

    def game_begins(self, table: Table, seat: int, seed: int) -> None:
        """A new game, in that seat."""
        ...

    def hand_ends(self, view: View) -> None:
        """A hand was scored: the last one of the view's score sheet."""
        ...

    def game_ends(self, winner: int | None, fault: Fault | None) -> None:
        """The game is over: won, forfeited by a fault, or given up."""
        ...


def server_seed(table: Table, deal: int) -> bytes:
    """The secret from which all shuffles of that deal follow."""
    return hashlib.sha256(f"phaseten arena {table.seed} {deal}".encode()).digest()


def bot_seed(table: Table, deal: int) -> int:
    """The seed for the bots of that deal: the same for every seat, so that seats can change."""
    return int.from_bytes(hashlib.sha256(f"bots {table.seed} {deal}".encode()).digest()[:8])


def play_game(
    table: Table,
    bots: Sequence[Bot | FastBot],
    deal: int,
    *,
    most_actions: int = MOST_ACTIONS,
    actions: list[Action] | None = None,
) -> GameResult:
    """Play the game of that deal, the bots in the order of the seats.

    What was done is appended to ``actions``, for :func:`record_of`.
    """
    return _Play(table, bots, deal, most_actions, actions).to_the_end()


def record_of(table: Table, names: Sequence[str], deal: int, actions: Sequence[Action]) -> str:
    """The record of a game, played again by ``rules/``."""
    rules = table.rules
    header = Header(
        edition=rules.edition.source or rules.edition.name,
        names=tuple(names),
        dealer=DEALER,
        variant=rules.variant,
        house=rules.house | frozenset(rules.edition.house),
        server_seed=server_seed(table, deal),
        client_seed="",
    )
    game = RecordedGame.from_record(Record(header))
    for action in actions:
        game.play(action)
    return game.record()


class _Play:
    """A game that is being played."""

    def __init__(
        self,
        table: Table,
        bots: Sequence[Bot | FastBot],
        deal: int,
        most_actions: int,
        log: list[Action] | None,
    ) -> None:
        if len(bots) != table.players:
            raise ValueError(f"{table.players} seats need {table.players} bots, not {len(bots)}")
        self._table = table
        self._bots = bots
        self._deal = deal
        self._most_actions = most_actions
        self._log = log
        self._server_seed = server_seed(table, deal)
        self._shuffle = seeded(self._server_seed, "")
        self._game = Game(table.rules, table.players, dealer=DEALER)
        self._game.deals_itself = False
        self._game.begin(DEALER - 1, 0)
        self._decisions = [0] * table.players
        self._seconds = [0.0] * table.players
        self._asks: list[Callable[[], Sequence[int]]] = [
            self._fast(bot, seat) if isinstance(bot, FastBot) else self._guest(bot, seat)
            for seat, bot in enumerate(bots, 1)
        ]
        self._listeners = [
            (seat, bot) for seat, bot in enumerate(bots, 1) if isinstance(bot, Listener)
        ]
        self._hands: list[HandResult] = []
        self._scored: list[HandScored] = []
        index = self._game.setup.convert.index
        self._deck = tuple(index[card] for card in table.rules.edition.deck)
        self._actions = 0

    # -- asking --------------------------------------------------------------------------------

    def _fast(self, bot: FastBot, seat: int) -> Callable[[], Sequence[int]]:
        game, choose, seconds = self._game, bot.choose_in, self._seconds

        def ask() -> Sequence[int]:
            start = perf_counter()
            number = choose(game)
            seconds[seat - 1] += perf_counter() - start
            return (number,)

        return ask

    def _guest(self, bot: Bot, seat: int) -> Callable[[], Sequence[int]]:
        def ask() -> Sequence[int]:
            view = self._view(seat)
            start = perf_counter()
            try:
                action = bot.choose(view)
            finally:
                self._seconds[seat - 1] += perf_counter() - start
            return judge(self._game, seat, action, self._shuffle)

        return ask

    def _view(self, seat: int) -> View:
        """What the seat knows, with the hands before, which the kernel forgets."""
        view = self._game.view(seat)
        return view._replace(sheet=view.sheet._replace(hands=tuple(self._scored)))

    # -- playing -------------------------------------------------------------------------------

    def to_the_end(self) -> GameResult:
        for seat, listener in self._listeners:
            listener.game_begins(self._table, seat, bot_seed(self._table, self._deal))
        fault = None
        try:
            while self._game.winner is None and self._play_hand():
                pass
        except FaultError as error:
            fault = Fault(self._game.turn or 0, error.kind, error.sentence)
        winner = None if fault else self._game.winner
        for _, listener in self._listeners:
            listener.game_ends(winner, fault)
        return GameResult(
            winner,
            self._game.totals,
            tuple(self._hands),
            self._actions,
            tuple(self._decisions),
            tuple(self._seconds),
            fault,
        )

    def _play_hand(self) -> bool:
        """Deal a hand and play it; whether it came to an end."""
        game = self._game
        hand = len(self._hands) + 1
        game.deal_order(_dealt(self._server_seed, self._deck, hand))
        tally = Tally(game)
        at = game.at
        ended, seat = GOES_ON, 0
        give_up = self._actions + self._most_actions
        while ended == GOES_ON and self._actions < give_up:
            seat = at(ORDER + at(PLACE))
            self._decisions[seat] += 1
            for number in self._asks[seat]():
                if self._log is not None:
                    self._log.append(game.action(number))
                if number == DRAW_DECK and not at(DRAWS):
                    _reshuffle(game, self._shuffle)
                tally.before(seat, number)
                ended = game.step(number)
                tally.after(seat, number)
                self._actions += 1
        if ended == GOES_ON:
            return False
        result = tally.result(seat)
        self._hands.append(result)
        self._scored.append(tally.scored(hand, result))
        for place, listener in self._listeners:
            listener.hand_ends(self._view(place))
        return True


@lru_cache(maxsize=64)
def _dealt(seed: bytes, deck: tuple[int, ...], hand: int) -> bytes:
    """The deck for that hand. The same deal is played several times in a row."""
    return bytes(seeded(seed, "")(deck, hand, 0))


def _reshuffle(game: Game, shuffle: Callable[[tuple[int, ...], int, int], tuple[int, ...]]) -> None:
    """Make the new draw pile by the seeds of the deal, before the kernel makes it by its own."""
    layout = game.setup.layout
    raw = bytearray(game.save())
    count = raw[DISCARDS] - 1
    old, end = layout.o_pile, layout.o_pile + layout.deck_size
    pile = tuple(raw[old : old + count])
    number = raw[RESHUFFLES] + 256 * raw[RESHUFFLES + 1] + 1
    raw[old] = raw[old + count]
    raw[end - count : end] = bytes(shuffle(pile, game.hand, number))
    raw[layout.o_recycled : layout.o_recycled + layout.faces] = bytes(
        pile.count(face) for face in range(layout.faces)
    )
    raw[DISCARDS], raw[DRAWS] = 1, count
    raw[RESHUFFLES], raw[RESHUFFLES + 1] = number & 255, number >> 8 & 255
    game.restore(bytes(raw))
