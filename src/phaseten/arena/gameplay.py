"""One game between bots, played in the kernel, with every deck a function of the deal's number.

The deck of each hand follows from the seed, the number of the deal and the number of the hand, and
from nothing that was played. So a deal can be played again with other bots in the seats, and
nobody can say it was the cards. The shuffles are those of ``rules.shuffle``: every game can be
written as a record whose shuffles anybody can check.

>>> from phaseten.bots.ladder import make_bot
>>> from phaseten.rules.editions import edition
>>> terms = GameTerms(Rules(edition("classic")), players=2, seed=1)
>>> game = play_game(terms, [make_bot("sharp"), make_bot("rookie")], deal=0)
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
from phaseten.arena.kernel_steps import find_steps
from phaseten.arena.tally import HandResult, Tally
from phaseten.bots.bot import Bot
from phaseten.bots.giving_up import MOST_ACTIONS, is_stuck
from phaseten.game import Game as RecordedGame
from phaseten.kernel.convert import DISCARDS, DRAWS, ORDER, PLACE, RESHUFFLES
from phaseten.kernel.game import GOES_ON, Game
from phaseten.notation.recording import header_for
from phaseten.notation.records import Record
from phaseten.rules.actions import Action
from phaseten.rules.options import Rules
from phaseten.rules.referee import Verdict, apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import seeded
from phaseten.rules.state import State, new_game
from phaseten.rules.views import View, view_of

DRAW_DECK: Final = 0
"""The kernel's number for drawing from the draw pile."""

DEALER: Final = 1
"""Who deals the first hand. The bots change seats, so the seats need not change dealers."""


class GameTerms(NamedTuple):
    """What all games of a match share."""

    rules: Rules
    players: int
    seed: int = 0


class GameResult(NamedTuple):
    """What happened in one game."""

    winner: int | None
    """None: given up, because nobody got on any more, or forfeited."""
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
class InformedBot(Protocol):
    """A bot that wants to be told what is going on between its turns."""

    def game_begins(self, terms: GameTerms, seat: int, seed: int) -> None:
        """A new game, in that seat."""
        ...

    def hand_ends(self, view: View) -> None:
        """A hand was scored: the last one of the view's score sheet."""
        ...

    def game_ends(self, winner: int | None, fault: Fault | None) -> None:
        """The game is over: won, forfeited by a fault, or given up."""
        ...


def derive_server_seed(terms: GameTerms, deal: int) -> bytes:
    """The secret from which all shuffles of that deal follow."""
    return hashlib.sha256(f"phaseten arena {terms.seed} {deal}".encode()).digest()


def derive_bot_seed(terms: GameTerms, deal: int) -> int:
    """The seed for the bots of that deal: the same for every seat, so that seats can change."""
    return int.from_bytes(hashlib.sha256(f"bots {terms.seed} {deal}".encode()).digest()[:8])


def play_game(
    terms: GameTerms,
    bots: Sequence[Bot | FastBot],
    deal: int,
    *,
    most_actions: int = MOST_ACTIONS,
    actions: list[Action] | None = None,
) -> GameResult:
    """Play the game of that deal, the bots in the order of the seats.

    What was done is appended to ``actions``, for :func:`record_of`.
    """
    return _Play(terms, bots, deal, most_actions, actions).to_the_end()


def format_record(
    terms: GameTerms, names: Sequence[str], deal: int, actions: Sequence[Action]
) -> str:
    """The record of a game, played again by ``rules/``."""
    header = header_for(
        terms.rules, names, DEALER, server_seed=derive_server_seed(terms, deal), client_seed=""
    )
    game = RecordedGame.from_record(Record(header))
    for action in actions:
        game.play(action)
    return game.record()


class _Play:
    """A game that is being played."""

    def __init__(
        self,
        terms: GameTerms,
        bots: Sequence[Bot | FastBot],
        deal: int,
        most_actions: int,
        log: list[Action] | None,
    ) -> None:
        if len(bots) != terms.players:
            raise ValueError(f"{terms.players} seats need {terms.players} bots, not {len(bots)}")
        self._terms = terms
        self._bots = bots
        self._deal = deal
        self._most_actions = most_actions
        self._log = log
        self._server_seed = derive_server_seed(terms, deal)
        self._shuffle = seeded(self._server_seed, "")
        self._game = Game(terms.rules, terms.players, dealer=DEALER)
        self._game.deals_itself = False
        self._game.begin(DEALER - 1, 0, self._server_seed)
        self._decisions = [0] * terms.players
        self._seconds = [0.0] * terms.players
        self._asks: list[Callable[[], Sequence[int]]] = [
            self._fast(bot, seat) if isinstance(bot, FastBot) else self._slow(bot, seat)
            for seat, bot in enumerate(bots, 1)
        ]
        self._informed = [
            (seat, bot) for seat, bot in enumerate(bots, 1) if isinstance(bot, InformedBot)
        ]
        self._hands: list[HandResult] = []
        self._truth: State | None = None
        """The game as ``rules`` has it, with what was seen in it: where somebody is shown views."""
        if self._informed or not all(isinstance(bot, FastBot) for bot in bots):
            self._truth = new_game(terms.rules, terms.players, DEALER)
        index = self._game.setup.convert.index
        self._deck = tuple(index[card] for card in terms.rules.edition.deck)
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

    def _slow(self, bot: Bot, seat: int) -> Callable[[], Sequence[int]]:
        def ask() -> Sequence[int]:
            view = self._view(seat)
            start = perf_counter()
            try:
                action = bot.choose(view)
            finally:
                self._seconds[seat - 1] += perf_counter() - start
            return find_steps(self._game, self._known_truth(), seat, action, self._shuffle)

        return ask

    def _view(self, seat: int) -> View:
        return view_of(self._known_truth(), seat)

    # -- the truth beside the kernel -----------------------------------------------------------

    def _known_truth(self) -> State:
        assert self._truth is not None
        return self._truth

    def _happen(self, verdict: Verdict) -> None:
        """What happened in the kernel happens by the rules."""
        assert not isinstance(verdict, Refusal), f"the kernel allowed what is refused: {verdict}"
        self._truth = apply_all(self._known_truth(), verdict)

    # -- playing -------------------------------------------------------------------------------

    def to_the_end(self) -> GameResult:
        for seat, informed in self._informed:
            informed.game_begins(self._terms, seat, derive_bot_seed(self._terms, self._deal))
        fault = None
        try:
            while self._game.winner is None and self._play_hand():
                pass
        except FaultError as error:
            fault = Fault(self._game.turn or 0, error.kind, error.sentence)
        winner = None if fault else self._game.winner
        for _, informed in self._informed:
            informed.game_ends(winner, fault)
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
        """Deal a hand and play it; whether it makes sense to go on."""
        game = self._game
        hand = len(self._hands) + 1
        order = _dealt(self._server_seed, self._deck, hand)
        game.deal_order(order)
        if self._truth is not None:
            faces = game.setup.convert.faces
            self._happen(deal(self._truth, tuple(faces[face] for face in order)))
        tally = Tally(game)
        at = game.at
        ended = GOES_ON
        give_up = self._actions + self._most_actions
        while ended == GOES_ON and self._actions < give_up:
            seat = at(ORDER + at(PLACE))
            self._decisions[seat] += 1
            for number in self._asks[seat]():
                self._write_down(number)
                if number == DRAW_DECK and not at(DRAWS):
                    reshuffle(game, self._shuffle)
                tally.before(seat, number)
                ended = game.step(number)
                tally.after(seat, number)
                self._actions += 1
        if ended == GOES_ON:
            return False
        result = tally.result()
        self._hands.append(result)
        for place, informed in self._informed:
            informed.hand_ends(self._view(place))
        return not is_stuck([done.out for done in self._hands])

    def _write_down(self, number: int) -> None:
        """The seat on turn is about to do that: for the log, and by the rules."""
        if self._log is None and self._truth is None:
            return
        action = self._game.action(number)
        if self._log is not None:
            self._log.append(action)
        if self._truth is not None:
            self._happen(decide(self._truth, self._game.turn or 0, action, self._shuffle))


@lru_cache(maxsize=64)
def _dealt(seed: bytes, deck: tuple[int, ...], hand: int) -> bytes:
    """The deck for that hand. The same deal is played several times in a row."""
    return bytes(seeded(seed, "")(deck, hand, 0))


def reshuffle(game: Game, shuffle: Callable[[tuple[int, ...], int, int], tuple[int, ...]]) -> None:
    """Make the new draw pile by a shuffle from outside, before the kernel makes it by its own."""
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
