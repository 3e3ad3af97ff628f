"""The two engines side by side: the same decks and actions through ``rules/`` and ``kernel/``.

A :class:`Table` says everything about a game. :class:`Twins` plays it in both engines and compares
after every action; in the kernel's bytes hands have no order and neither have the cards of a set,
so states are compared in a normal form.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import pytest

from phaseten.kernel import Game
from phaseten.kernel.convert import QUIET
from phaseten.kernel.game import game_of
from phaseten.kernel.players import POLICIES
from phaseten.rules.actions import Action, Discard, DrawDeck, Hit, LayPhase
from phaseten.rules.cards import SKIP, Card, sort_cards
from phaseten.rules.editions import (
    BOOK_EDITIONS,
    HOUSE_RULES,
    KINDS,
    Edition,
    Phase,
    edition,
    parse_groups,
)
from phaseten.rules.events import (
    CardDiscarded,
    Event,
    HandDealt,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
)
from phaseten.rules.melds import Meld
from phaseten.rules.memory import remember
from phaseten.rules.options import Rules, Variant
from phaseten.rules.referee import apply, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shapes import plan_for
from phaseten.rules.state import State, new_game
from phaseten.rules.views import legal_actions, view_of
from tests.effort import LONG

# -- tables ------------------------------------------------------------------------------------

STYLES: Final = ("any", "roomy", "tight", "equal", "wild", "low")


@dataclass(frozen=True)
class Table:
    """A game to be played: cards and choices follow from the seed."""

    rules: Rules
    seats: int
    seed: int


def make_edition(**changes: object) -> Edition:
    """A small edition; ``phases`` is a text such as ``set 2 + run 3, color 4``."""
    values: dict[str, object] = {
        "name": "small", "title": "Small", "year": 0, "players": (2, 6), "deal": 5,
        "colors": "RBYG", "highest": 6, "copies": 1, "wilds": 2, "skips": 2, "shortest_run": 2,
        "skip_goes_to": "pile", "variations": (), "house": (), "must_show": {},
    }  # fmt: skip
    values |= changes
    shows = values.pop("must_show")
    assert isinstance(shows, dict)
    texts = str(values.pop("phases")).split(",")
    phases = tuple(
        Phase(number, parse_groups(text), shows.get(number, 0))
        for number, text in enumerate(texts, 1)
    )
    return Edition(**values, phases=phases)  # pyright: ignore[reportArgumentType]


def random_groups(rng: random.Random, highest: int, most: int) -> str:
    """One or two groups that need at most so many cards; ``most`` is 2 or more."""
    groups: list[str] = []
    left = most
    for _ in range(rng.choice((1, 2, 2))):
        fitting: list[tuple[str, int]] = []
        for name, kind in KINDS.items():
            longest = left // kind.copies
            if kind.chain:
                first = 2 if kind.parity == 0 else 1
                longest = min(longest, len(range(first, highest + 1, kind.step)))
            if longest >= 2:
                fitting.append((name, longest))
        if not fitting:
            break
        name, longest = rng.choice(fitting)
        size = rng.randint(2, min(longest, rng.choice((2, 3, 4, 9))))
        groups.append(f"{name} {size}")
        left -= size * KINDS[name].copies
    return " + ".join(groups)


def random_edition(rng: random.Random) -> Edition:
    """An edition of anybody's own. ``tight`` ones leave hardly a draw pile, ``equal`` ones make
    equal points likely, ``wild`` ones have many Wilds, ``low`` ones hardly any numbers.
    """
    style = rng.choice(STYLES)
    colors = rng.sample("RBYGO", rng.randint(1, 5))
    highest, copies = rng.randint(4, 12), rng.randint(1, 3)
    wilds, skips = rng.randint(0, 8), rng.randint(0, 6)
    if style == "roomy":
        colors, copies = rng.sample("RBYGO", rng.randint(3, 5)), 2
    elif style == "tight":
        colors, highest, copies, skips = colors[:2], min(highest, 6), 1, skips + 2
    elif style == "equal":
        colors, highest, copies, wilds = colors[:2], 4, 2, 0
        skips = min(skips, 1)
    elif style == "wild":
        colors, highest, copies, wilds = colors[:2], min(highest, 6), 1, wilds + 6
    elif style == "low":
        highest = rng.randint(1, 3)
        wilds += 2
    cards = len(colors) * highest * copies + wilds + skips
    if cards < 8:
        wilds, cards = wilds + 8, cards + 8
    seats = rng.randint(2, min(6, (cards - 2) // 2))
    most = min(7 if style == "wild" else 10, (cards - 2) // seats)
    dealt = most if style == "tight" else rng.randint(2, min(most, 3) if style == "equal" else most)
    if style == "tight":
        wilds -= min(wilds, cards - 2 - seats * dealt)
    asked = 2 if style == "equal" else min(dealt, 6) if style == "roomy" else dealt + 1
    count = rng.randint(1, 4)
    return make_edition(
        name=style,
        players=(2, seats),
        deal=dealt,
        colors="".join(colors),
        highest=highest,
        copies=copies,
        wilds=wilds,
        skips=skips,
        skip_goes_to=rng.choice(("pile", "front")),
        house=tuple(rule for rule in HOUSE_RULES if rng.random() < 0.1),
        phases=",".join(random_groups(rng, highest, max(2, asked)) for _ in range(count)),
        must_show={rng.randint(1, count): rng.randint(1, highest)} if rng.random() < 0.3 else {},
    )


def random_table(rng: random.Random) -> Table:
    """Any game that can be started."""
    box = edition(rng.choice(BOOK_EDITIONS)) if rng.random() < 0.4 else random_edition(rng)
    first = rng.randint(1, len(box.phases)) if rng.random() < 0.4 else None
    even = rng.random() < 0.3 and (first or len(box.phases)) > 1
    variant = Variant(rng.random() < 0.4, first, even)
    chance = rng.choice((0.0, 0.3, 0.6))
    house = frozenset(rule for rule in HOUSE_RULES if rng.random() < chance)
    most = min(box.players[1], (len(box.deck) - 2) // box.deal)
    return Table(Rules(box, variant, house), rng.randint(2, most), rng.getrandbits(32))


_NO_PILE: Final = make_edition(
    phases="set 2", deal=4, colors="RB", highest=2, wilds=9, skips=5, skip_goes_to="front"
)
_SKIPS_ALONE: Final = make_edition(
    phases="set 2", deal=1, colors="R", highest=1, wilds=1, skips=6, skip_goes_to="front"
)
_EQUAL: Final = make_edition(
    phases="color 2, odd 2", deal=2, colors="RB", highest=2, wilds=3, skips=3
)
_TANGLED: Final = make_edition(
    phases="pairrun 2, color 4 + set 3, even 2 + odd 2",
    deal=7, colors="OYR", highest=5, wilds=6, skips=3, copies=2,
)  # fmt: skip

RARE: Final = (
    # Skips in front of players empty both piles: nothing to draw, with cards in hand and without.
    *[Table(Rules(_NO_PILE), 4, seed) for seed in range(10)],
    *[Table(Rules(_SKIPS_ALONE), 6, seed) for seed in range(60)],
    # Equal points: tie-break hands, some of them without some seats.
    *[Table(Rules(_EQUAL, Variant(ten_hands=True)), 4, seed) for seed in range(40)],
    # Runs of pairs, colours in an order of their own, and a colour that is tangled with a number.
    *[Table(Rules(_TANGLED, house=frozenset({"choose_phase"})), 3, seed) for seed in range(10)],
)
"""Games that between them have everything in them that can happen."""


# -- one form for both -------------------------------------------------------------------------


def normal_meld(meld: Meld) -> Meld:
    """Cards of a meld in the order that the kernel tells."""
    kind = meld.group.kind
    if not kind.chain:
        return Meld(meld.group, sort_cards(meld.cards))
    if kind.copies == 1:
        return meld
    pairs = [sort_cards(meld.cards[i : i + 2]) for i in range(0, len(meld.cards), 2)]
    return Meld(meld.group, tuple(card for pair in pairs for card in pair))


def normal(state: State) -> State:
    """The state as the kernel tells it: hands sorted, nothing of what happened before."""
    sheet = state.sheet._replace(hands=())
    board = state.board
    if board is None:
        return State(state.rules, sheet)
    return State(
        state.rules,
        sheet,
        board._replace(
            seen=(),
            melds=tuple([tuple([normal_meld(meld) for meld in row]) for row in board.melds]),
        ),
        tuple([sort_cards(cards) for cards in state.held]),
        state.draw_pile,
    )


# -- players -----------------------------------------------------------------------------------

Choose = Callable[[Game, list[Action], random.Random], Action]


def _any(game: Game, actions: list[Action], rng: random.Random) -> Action:
    """Some kind of action, then one of that kind: otherwise lay-downs would drown the rest."""
    kind = rng.choice(list(dict.fromkeys(type(action) for action in actions)))
    return rng.choice([action for action in actions if type(action) is kind])


def _eager(game: Game, actions: list[Action], rng: random.Random) -> Action:
    """Lays and hits whenever that can be done, and plays Skips."""
    pressing = [action for action in actions if isinstance(action, LayPhase | Hit)]
    if pressing and rng.random() < 0.9:
        return rng.choice(pressing)
    skips = [a for a in actions if isinstance(a, Discard) and a.card is SKIP]
    return rng.choice(skips) if skips and rng.random() < 0.8 else _any(game, actions, rng)


def _hoarder(game: Game, actions: list[Action], rng: random.Random) -> Action:
    """Draws from the draw pile and rarely lays, so that the pile runs out."""
    if isinstance(actions[0], DrawDeck) and rng.random() < 0.9:
        return actions[0]
    discards = [action for action in actions if isinstance(action, Discard)]
    return rng.choice(discards) if discards and rng.random() < 0.9 else _any(game, actions, rng)


def wait(game: Game, actions: list[Action], rng: random.Random) -> Action:
    """Draws and discards, and never lays or hits: so a hand comes to stand still."""
    return rng.choice([action for action in actions if not isinstance(action, LayPhase | Hit)])


def _picks(policy: str) -> Choose:
    def choose(game: Game, actions: list[Action], rng: random.Random) -> Action:
        return game.action(game.pick(policy))

    return choose


PLAYERS: Final[tuple[Choose, ...]] = (
    _any,
    _eager,
    _eager,
    _hoarder,
    _picks("casual"),
    *[_picks(name) for name in POLICIES],
)


# -- both engines ------------------------------------------------------------------------------


def shuffled(cards: tuple[Card, ...], rng: random.Random) -> tuple[Card, ...]:
    """The cards in another order."""
    return tuple(rng.sample(cards, len(cards)))


class Twins:
    """A game in both engines."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rng = rng = random.Random(f"{table.seed} {table.rules.edition.name}")
        dealer = rng.randint(1, table.seats)
        self.choosers = [rng.choice(PLAYERS) for _ in range(table.seats)]
        deck = shuffled(table.rules.edition.deck, rng)
        self.game = Game(table.rules, table.seats, dealer=dealer, seed=table.seed, deck=deck)
        self.game.deals_itself = False
        self.state = new_game(table.rules, table.seats, dealer)
        self.happens(deal(self.state, deck))

    def happens(self, events: tuple[Event, ...] | Refusal) -> tuple[Event, ...]:
        """Change the state by the rules, and compare."""
        assert not isinstance(events, Refusal), events
        for event in events:
            self.state = apply(self.state, event)
        self.compare()
        return events

    def set_quiet(self, turns: int) -> None:
        """Make as if so many turns had begun since a Phase was laid or a card hit."""
        assert self.state.board is not None
        self.state = self.state._replace(board=self.state.board._replace(quiet=turns))
        raw = bytearray(self.game.save())
        raw[QUIET], raw[QUIET + 1] = turns & 255, turns >> 8
        self.game.restore(bytes(raw))
        self.compare()

    def compare(self) -> None:
        """The state and every seat's view must be the same, and what the game tells."""
        game, state = self.game, normal(self.state)
        there = game.state_now()
        if there != state:  # which part, for the one who has to find the mistake
            assert there.sheet == state.sheet, f"{there.sheet} != {state.sheet}"
            assert there.board == state.board, f"{there.board} != {state.board}"
            assert there.held == state.held, f"{there.held} != {state.held}"
            assert there.draw_pile == state.draw_pile
        assert there == state
        for seat in (None, *range(1, game.players + 1)):
            assert view_of(there, seat) == view_of(state, seat)
        assert game.totals == state.sheet.totals
        assert game.winner == state.sheet.winner
        assert game.dealer == state.sheet.dealer
        assert game.turn == (state.board.turn if state.board else None)
        if state.board:
            assert game.hand == state.board.hand
            self.compare_memories()

    def compare_memories(self) -> None:
        """What the kernel remembers is what follows from what was seen, in its views as well."""
        board = self.state.board
        assert board is not None
        memory = remember(board, self.state.rules.edition)
        memory = memory._replace(known=tuple([sort_cards(cards) for cards in memory.known]))
        assert self.game.memory_now() == memory
        if LONG or len(board.seen) % 3 == 0:  # to work out once more all that was seen takes long
            assert game_of(view_of(self.state, board.turn)).memory_now() == memory

    def choices(self) -> tuple[list[Action], dict[Action, int]]:
        """The legal actions in the order of the rules, and their numbers in the kernel."""
        game, board = self.game, self.state.board
        assert board is not None
        actions = legal_actions(view_of(self.state, board.turn))
        assert actions, "a player must never be stuck without a legal move"
        codes = game.legal()
        raw, convert, a_lay = game.save(), game.setup.convert, game.setup.layout.a_lay
        mine = [convert.action(raw, c, game.way(c) if c >= a_lay else b"") for c in codes]
        numbers = dict(zip(mine, codes, strict=True))
        assert len(numbers) == len(codes) == len(actions)
        assert set(numbers) == set(actions), set(numbers) ^ set(actions)
        lays = [action for action in actions if isinstance(action, LayPhase)]
        assert lays == [action for action in mine if isinstance(action, LayPhase)]
        assert [numbers[lay] for lay in lays] == list(range(a_lay, a_lay + len(lays)))
        return actions, numbers

    def act(self) -> tuple[Event, ...]:
        """One action, or the next deal, in both engines."""
        board, rng, game = self.state.board, self.rng, self.game
        if board is None:
            deck = shuffled(self.table.rules.edition.deck, rng)
            game.deal_cards(deck)
            return self.happens(deal(self.state, deck))
        actions, numbers = self.choices()
        if rng.random() < 0.005:
            self.refuses_others(set(numbers.values()))
        action = self.choosers[board.turn - 1](game, actions, rng)
        game.step(numbers[action])
        return self.happens(decide(self.state, board.turn, action, self.as_reshuffled))

    def as_reshuffled(self, *_: object) -> tuple[Card, ...]:
        """The new order of the draw pile, as the kernel's chance made it, one card drawn."""
        assert self.state.board is not None
        turn = self.state.board.turn
        there = self.game.state_now()
        drawn = Counter(there.held[turn - 1]) - Counter(self.state.held[turn - 1])
        return (*drawn.elements(), *there.draw_pile)

    def refuses_others(self, legal: set[int]) -> None:
        """Whatever is not legal is refused and changes nothing."""
        before = self.game.save()
        for number in range(-3, self.game.setup.layout.a_lay + len(legal) + 40):
            if number not in legal:
                with pytest.raises(ValueError, match="not legal"):
                    self.game.step(number)
        assert self.game.save() == before


def play(table: Table, most: int) -> Iterator[tuple[Twins, tuple[Event, ...]]]:
    """Play and compare up to so many actions: the twins, and what happened, after each."""
    twins = Twins(table)
    yield twins, ()
    for _ in range(most):
        if twins.state.sheet.winner is not None:
            return
        yield twins, twins.act()


def notes_on(twins: Twins, events: tuple[Event, ...]) -> Iterator[str]:
    """What happened, the rare forms by names of their own."""
    state = twins.state
    for event in events:
        yield type(event).__name__
        match event:
            case HandDealt(players=players, tiebreak=tiebreak):
                if tiebreak and len(players) < state.sheet.seats:
                    yield "tie-break without some seats"
                if event.turned_up is SKIP:
                    yield "a Skip turned up"
            case NothingDrawn():
                some = state.board and state.board.step == "play"
                yield f"nothing drawn, {'some' if some else 'none'} held"
            case CardDiscarded(card=card, target=target) if card is SKIP:
                yield "a Skip without target" if target is None else "a Skip played"
            case MeldHit(cards=cards):
                if any(card.is_wild for card in cards):
                    yield "a Wild hit"
                if len(cards) == 2:
                    yield "a pair hit"
            case PhaseLaid(phase=number):
                plan = plan_for(state.rules.by_number[number], state.rules.edition)
                if plan.tangled and len(plan.groups) == 2:
                    yield "a tangled Phase laid"
            case _:
                pass
