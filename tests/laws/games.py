"""Random tables and random games for the laws: every edition, variation and house rule.

A :class:`Setup` is drawn by hypothesis and says everything about a game, so that a failing one can
be played again; :func:`play` plays it. The styles of custom editions see to it that rare things
happen often: `tight` decks leave hardly a draw pile (reshuffles, nothing to draw), `even` ones make
equal points likely (tie-breaks), `wild` ones have more Wilds than numbered cards, and `any` ones
roam over all that a file of one's own may say. In many of these no hand can ever end; `roomy` ones
have cards enough for every Phase.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, cast

from hypothesis import example, given, settings
from hypothesis import strategies as st

from phaseten.bots.ladder import make_bot
from phaseten.rules.actions import Action, Discard, DrawDeck, Hit, LayPhase
from phaseten.rules.cards import SKIP, Card
from phaseten.rules.editions import (
    BOOK_EDITIONS,
    HOUSE_RULES,
    KINDS,
    Edition,
    edition,
    read_edition,
)
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    TurnLost,
)
from phaseten.rules.options import Rules, parse_variant
from phaseten.rules.referee import apply, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import State, new_game
from phaseten.rules.views import View, legal_actions, view_of

EVENT_TYPES: Final = (
    HandDealt,
    CardDrawn,
    PileReshuffled,
    DiscardTaken,
    NothingDrawn,
    PhaseLaid,
    MeldHit,
    CardDiscarded,
    TurnLost,
    HandScored,
    GameTied,
    GameWon,
)

STYLES: Final = ("any", "tight", "even", "wild")
_SCALE: Final = {"default": 0.2, "long": 20}


def examples(count: int) -> settings:
    """Settings for a law that looks at so many examples: at a fifth of them in `make test`, which looks at
    the same ones every time, and at far more in the long profile; under mutation the profile's own
    few must do.
    """
    scale = _SCALE.get(os.environ.get("PHASETEN_HYPOTHESIS_PROFILE", "default"))
    return settings(max_examples=int(count * scale)) if scale else settings()


# -- tables ------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def box(text: str) -> Edition:
    """The edition of that name, or the one that this TOML text describes."""
    return edition(text) if text in BOOK_EDITIONS else read_edition(text, "custom.toml")


@dataclass(frozen=True)
class Setup:
    """All that there is to say about a game, cards and choices included."""

    edition: str
    """A name, or the TOML text of a custom edition."""
    variant: str
    house: tuple[str, ...]
    seats: int
    dealer: int
    seed: int
    policies: str
    """For each seat how it plays; see POLICIES."""

    @cached_property
    def rules(self) -> Rules:
        return Rules(box(self.edition), parse_variant(self.variant), frozenset(self.house))

    def find(self, name: str) -> Edition:
        """Finds the edition of a record of this game."""
        assert name == self.rules.edition.name
        return self.rules.edition


def _toml(values: dict[str, object]) -> str:
    lines: list[str] = []
    for key, value in values.items():
        if isinstance(value, dict):
            pairs = ", ".join(f'"{number}" = {shown}' for number, shown in value.items())
            lines.append(f"{key} = {{ {pairs} }}")
        else:
            lines.append(f"{key} = {value!r}".replace("'", '"'))
    return "\n".join(lines) + "\n"


def _groups(rng: random.Random, highest: int, shortest: int, most: int) -> str:
    """One or two groups that need at most so many cards."""
    groups: list[str] = []
    left = most
    for _ in range(rng.choice([1, 1, 2, 2, 2])):
        fitting: list[tuple[str, int, int]] = []
        for name, kind in KINDS.items():
            fewest, longest = 2, left // kind.copies
            if kind.chain:
                numbers = range(2 if kind.parity == 0 else 1, highest + 1, kind.step)
                longest = min(longest, len(numbers))
                fewest = shortest if kind.copies == 1 else 2
            if fewest <= longest:
                fitting.append((name, fewest, longest))
        if not fitting:
            break
        name, fewest, longest = rng.choice(fitting)
        size = rng.randint(fewest, longest)
        groups.append(f"{name} {size}")
        left -= size * KINDS[name].copies
    return " + ".join(groups)


class _Deck(NamedTuple):
    colors: list[str]
    highest: int
    copies: int
    wilds: int
    skips: int

    @property
    def cards(self) -> int:
        return len(self.colors) * self.highest * self.copies + self.wilds + self.skips


def _deck(rng: random.Random, style: str) -> _Deck:
    colors = rng.sample("RBYGO", rng.randint(1, 5))
    highest = rng.choice([12, 12, 9, 6, 4, 3, 2, 1])
    copies = rng.randint(1, 3)
    wilds = rng.randint(0, 8)
    skips = rng.randint(0, 6)
    if style == "tight":  # Skips in front of players empty both piles
        colors, highest, copies, skips = colors[:2], min(highest, 6), 1, skips + 2
    elif style == "even":
        colors, highest, copies = colors[:2], min(highest, 4), max(copies, 2)
        wilds, skips = 0, min(skips, 1)
    elif style == "wild":
        colors, highest, copies, wilds = colors[:2], min(highest, 6), 1, wilds + 8
    elif style == "roomy":
        colors, highest, copies, wilds = [*"RBY", *"GO"[len(colors) % 3 :]], 12, 2, wilds + 2
    if len(colors) * highest * copies + wilds + skips < 6:  # two cards each for two players
        wilds += 6
    return _Deck(colors, highest, copies, wilds, skips)


def custom_edition(rng: random.Random, style: str) -> str:
    """The TOML text of a random edition that can be read."""
    deck = _deck(rng, style)
    seats = rng.randint(2, min(6, (deck.cards - 2) // 2))
    most = min(8, (deck.cards - 2) // seats)
    if style == "tight":
        dealt = most
        spare = min(deck.wilds, deck.cards - 2 - seats * dealt)
        deck = deck._replace(wilds=deck.wilds - spare)
    elif style == "roomy":
        dealt = rng.randint(4, most)
    else:
        dealt = rng.randint(2, min(most, 3) if style == "even" else most)
    shortest = 2 if style in ("even", "roomy") else min(rng.randint(2, 4), max(2, deck.highest))
    asked = {"even": 2, "roomy": min(4, dealt - 1)}.get(style, dealt + 1)
    phases = [
        _groups(rng, deck.highest, shortest, asked)
        for _ in range(2 if style == "even" else rng.randint(1, 4))
    ]
    house = rng.sample(HOUSE_RULES, rng.choice([0, 0, 0, 1, 2, 3]))
    values: dict[str, object] = {
        "name": style,
        "title": "A custom edition",
        "players": [2, seats],
        "deal": dealt,
        **deck._asdict(),
        "shortest_run": shortest,
        "skip_goes_to": rng.choice(["pile", "front"]),
        "house": house,
        "phases": phases,
    }
    if style not in ("even", "roomy") and rng.random() < 0.4:
        values["must_show"] = {rng.randint(1, len(phases)): rng.randint(1, deck.highest)}
    return _toml(values)


def _variant(rng: random.Random, made: Edition) -> str:
    """Any variation, or several together, that leaves a Phase to play."""
    phases = len(made.phases)
    # As many hands as Phases tie most easily.
    parts = ["ten-hands"] if rng.random() < (0.7 if made.name == "even" else 0.4) else []
    first = rng.randint(1, phases) if rng.random() < 0.4 and made.name != "even" else None
    parts += [f"phases={first}"] if first is not None else []
    if (first or phases) >= 2 and rng.random() < 0.3:
        parts.append("even")
    return ",".join(parts) or "standard"


def random_setup(rng: random.Random, text: str, policies: str = "CERH") -> Setup:
    """Any game of that edition that can be started."""
    made = box(text)
    most = min(made.players[1], (len(made.deck) - 2) // made.deal)
    seats = rng.randint(2, most)
    return Setup(
        edition=text,
        variant=_variant(rng, made),
        house=tuple(sorted(rng.sample(HOUSE_RULES, rng.choice([0, 0, 0, 1, 1, 2, 3, 4])))),
        seats=seats,
        dealer=rng.randint(1, seats),
        seed=rng.randrange(2**32),
        policies="".join(rng.choice(policies) for _ in range(seats)),
    )


# Hypothesis looks for small and odd values rather than for a fair mixture, and whole kinds of games
# would be missing. So it draws a number, and the game is made of that.
randoms = st.integers(0, 2**64 - 1).map(random.Random)


def custom_editions(style: str) -> st.SearchStrategy[str]:
    """Editions of that style."""
    return randoms.map(lambda rng: custom_edition(rng, style))


def setups() -> st.SearchStrategy[Setup]:
    """Any game: of one of the five editions, or of a custom one of any style."""

    def make(rng: random.Random) -> Setup:
        kind = rng.choice([*BOOK_EDITIONS, *STYLES * 2])
        return random_setup(rng, kind if kind in BOOK_EDITIONS else custom_edition(rng, kind))

    return randoms.map(make)


def _small(
    phases: str,
    *,
    deal: int,
    colors: str,
    highest: int,
    wilds: int,
    skips: int,
    skip_goes_to: str,
) -> str:
    return _toml(
        {
            "name": "small",
            "title": "A small edition",
            "deal": deal,
            "colors": list(colors),
            "highest": highest,
            "copies": 1,
            "wilds": wilds,
            "skips": skips,
            "shortest_run": 2,
            "skip_goes_to": skip_goes_to,
            "phases": phases.split(", "),
        }
    )


_PAIRS: Final = _small(
    "color 2 + colorrun 2, pairrun 2",
    deal=5, colors="RY", highest=4, wilds=10, skips=2, skip_goes_to="pile",
)  # fmt: skip
_MANY_WILDS: Final = _small(
    "color 2 + colorrun 2, pairrun 2",
    deal=6, colors="RY", highest=4, wilds=14, skips=2, skip_goes_to="pile",
)  # fmt: skip
_NO_PILE: Final = _small(
    "set 2", deal=4, colors="RB", highest=2, wilds=9, skips=5, skip_goes_to="front"
)
_SKIPS_ALONE: Final = _small(
    "set 2", deal=1, colors="R", highest=1, wilds=1, skips=6, skip_goes_to="front"
)
_OUT_AT_ONCE: Final = _small(
    "set 3", deal=2, colors="RB", highest=3, wilds=3, skips=0, skip_goes_to="front"
)
_EQUAL: Final = _small(
    "color 2, odd 2", deal=2, colors="RB", highest=2, wilds=3, skips=3, skip_goes_to="pile"
)
_STUCK: Final = _small(
    "run 2, set 3", deal=4, colors="RB", highest=3, wilds=2, skips=2, skip_goes_to="pile"
)

RARE: Final = (
    Setup(_PAIRS, "ten-hands", (), 3, 2, 7732, "EEE"),
    Setup(_NO_PILE, "ten-hands", ("choose_phase",), 4, 3, 970, "RREH"),
    Setup(_MANY_WILDS, "standard", (), 3, 2, 5853, "HEE"),
    Setup(_OUT_AT_ONCE, "standard", ("choose_phase", "no_rediscard"), 3, 2, 7030, "EER"),
    Setup(_EQUAL, "ten-hands", ("discard_to_go_out",), 4, 4, 7792, "EHER"),
    Setup(_SKIPS_ALONE, "standard", (), 6, 2, 7499, "EHRHRR"),
    Setup("express", "phases=3", ("choose_phase",), 2, 1, 4, "EE"),
    Setup(_STUCK, "ten-hands", (), 2, 1, 1989, "RE"),
    Setup(_EQUAL, "ten-hands", (), 2, 2, 496, "HH"),
)
"""Short games that between them have everything in them that can happen (test_census.py). Found by
trying seeds; every law looks at them each time, whatever else hypothesis comes up with.
"""


def law(count: int) -> Callable[[Callable[[Setup], None]], Callable[[], None]]:
    """A law about any game: the rare ones, and so many random ones."""

    def decorate(check: Callable[[Setup], None]) -> Callable[[], None]:
        test = given(setup=setups())(check)
        for setup in RARE:
            test = example(setup=setup)(test)
        return cast("Callable[[], None]", examples(count)(test))

    return decorate


# -- players -----------------------------------------------------------------------------------


def _casual(view: View, actions: Sequence[Action], rng: random.Random) -> Action:
    return make_bot("casual", seed=rng.getrandbits(64)).choose(view)


def _any(view: View, actions: Sequence[Action], rng: random.Random) -> Action:
    """Some kind of action, then one of that kind: otherwise lay-downs would drown the rest."""
    kind = rng.choice(list(dict.fromkeys(type(action) for action in actions)))
    return rng.choice([action for action in actions if type(action) is kind])


def _eager(view: View, actions: Sequence[Action], rng: random.Random) -> Action:
    """Lays and hits whenever that can be done, and plays Skips; otherwise anything."""
    pressing = [action for action in actions if isinstance(action, LayPhase | Hit)]
    if pressing and rng.random() < 0.9:
        return rng.choice(pressing)
    skips = [a for a in actions if isinstance(a, Discard) and a.card is SKIP]
    return rng.choice(skips) if skips and rng.random() < 0.8 else _any(view, actions, rng)


def _hoarder(view: View, actions: Sequence[Action], rng: random.Random) -> Action:
    """Draws from the draw pile and rarely lays, so that the pile runs out."""
    if DrawDeck() in actions and rng.random() < 0.9:
        return DrawDeck()
    discards = [action for action in actions if isinstance(action, Discard)]
    return rng.choice(discards) if discards and rng.random() < 0.9 else _any(view, actions, rng)


POLICIES: Final = {"C": _casual, "R": _any, "E": _eager, "H": _hoarder}


# -- games -------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One step of a game: an action, or a deal when nobody acts."""

    before: State
    seat: int | None
    action: Action | None
    events: tuple[Event, ...]
    states: tuple[State, ...]
    """The state after each of the events."""

    @property
    def after(self) -> State:
        return self.states[-1]


class Chance:
    """Seeded chance in the form the referee wants."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
        pile = list(cards)
        random.Random(f"{self._seed} {hand} {number}").shuffle(pile)
        return tuple(pile)


def happen(state: State, events: tuple[Event, ...]) -> tuple[State, ...]:
    """The states after each of the events."""
    states: list[State] = []
    for one in events:
        state = apply(state, one)
        states.append(state)
    return tuple(states)


def play(setup: Setup, most: int = 250, chance: Chance | None = None) -> Iterator[Step]:
    """The steps of the game, at most so many actions of it."""
    state = new_game(setup.rules, setup.seats, setup.dealer)
    chance = chance or Chance(setup.seed)
    rng = random.Random(setup.seed)
    acted = 0
    while state.sheet.winner is None and acted < most:
        board = state.board
        if board is None:
            hand = len(state.sheet.hands) + 1
            seat = action = None
            verdict = deal(state, chance(setup.rules.edition.deck, hand, 0))
        else:
            seat = board.turn
            view = view_of(state, seat)
            actions = legal_actions(view)
            assert actions, "a player must never be stuck without a legal move"
            action = POLICIES[setup.policies[seat - 1]](view, actions, rng)
            verdict = decide(state, seat, action, chance)
            acted += 1
        assert not isinstance(verdict, Refusal), (action, verdict)
        states = happen(state, verdict)
        yield Step(state, seat, action, verdict, states)
        state = states[-1]


def notes_on(step: Step) -> set[str]:
    """What a step had in it, the rare forms of events by names of their own."""
    notes: set[str] = set()
    for one, before in zip(step.events, (step.before, *step.states), strict=False):
        notes.add(type(one).__name__)
        board = before.board
        match one:
            case HandDealt(players=players, tiebreak=tiebreak):
                if tiebreak and len(players) < before.sheet.seats:
                    notes.add("tie-break without some seats")
                if one.turned_up is SKIP:
                    notes.add("a Skip turned up")
                    if tiebreak and one.dealer not in players:
                        notes.add("a Skip turned up by a dealer who does not play")
            case NothingDrawn(seat):
                assert board is not None
                notes.add(
                    "nothing drawn, " + ("some" if board.counts[seat - 1] else "none") + " held"
                )
            case CardDiscarded(seat, card, target) if card is SKIP:
                assert board is not None
                notes.add("a Skip without target" if target is None else "a Skip played")
                if board.counts[seat - 1] == 1 and board.made[seat - 1]:
                    notes.add("out with a Skip")
            case MeldHit(seat, cards, owner):
                notes.add("a hit on another's meld" if owner != seat else "a hit on the own meld")
                if any(card.is_wild for card in cards):
                    notes.add("a Wild hit")
                if len(cards) == 2:
                    notes.add("a pair hit")
            case PhaseLaid(seat, phase, melds):
                if not before.sheet.tied and phase != before.sheet.left[seat - 1][0]:
                    notes.add("a Phase out of order")
                if any(all(card.is_wild for card in meld.cards) for meld in melds):
                    notes.add("a meld of Wilds alone")
            case HandScored(out=None, tiebreak=tiebreak):
                notes.add("a tie-break hand stands still" if tiebreak else "a hand stands still")
                if isinstance(step.action, Discard) and step.action.card is SKIP:
                    notes.add("a hand stands still with a Skip")
            case HandScored():
                notes.add(f"out with {type(step.events[0]).__name__}")
                if before.board and any(before.board.waiting):
                    notes.add("the hand ends while a Skip waits")
            case GameTied(seats):
                notes.add(
                    "tie in " + ("ten hands" if before.rules.variant.ten_hands else "standard")
                )
                if len(seats) > 2:
                    notes.add("tie of more than two")
            case _:
                pass
        if len([e for e in step.events if isinstance(e, TurnLost)]) > 1:
            notes.add("two turns lost in a row")
    return notes


def plain(value: object) -> object:
    """Everything that is in a value, as plain data: nothing can hide in a field without a repr."""
    if isinstance(value, Card):
        return [value.text, value.color, value.number]
    if isinstance(value, Rules | Edition):
        return value.edition.name if isinstance(value, Rules) else value.name
    names = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    if names is not None:
        return [type(value).__name__, {name: plain(getattr(value, name)) for name in names}]
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    assert value is None or isinstance(value, str | int | bool | float), type(value)
    return value
