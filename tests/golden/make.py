"""How the golden records were made.

    .venv/bin/python -m tests.golden.make            # say what would change
    .venv/bin/python -m tests.golden.make --write    # write games/, illegal/, positions/, perft.txt

Golden files are kept because they must not change: a difference means that the engine judges a game
differently than before. Write them again only when the rules or the notation were changed on
purpose, and look at the difference first.

* `games/`: games played by the players of tests/laws/games.py, with the verdict as `.json`. Game and
  verdict come from the engine itself: they guard against change, not against error. A game or position that is
  kept is never played again: the players choose otherwise today, the verdict must be the same.
* `illegal/`: built by hand below, card by card. The rule and the line are *not* taken from the
  engine: they are what the case is made to break, and the last line of its record breaks it.
* `positions/` and `perft.txt`: counts of action sequences, from a deal or from a position.
* `examples/` is not made here: it is a copy of the project's shared examples.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phaseten.notation.recording import record_game
from phaseten.notation.records import Header, format_record, parse_record
from phaseten.notation.replay import follow
from phaseten.notation.verdict import describe
from phaseten.rules.actions import Action, Discard, DrawDeck, Hit, LayPhase
from phaseten.rules.cards import Card
from phaseten.rules.editions import edition
from phaseten.rules.events import Event, GameTied, HandScored, MeldHit, PileReshuffled
from phaseten.rules.options import Rules
from phaseten.rules.referee import Shuffle, apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import seeded
from phaseten.rules.state import State, new_game
from phaseten.rules.views import legal_actions, seen_by, view_of
from tests.laws.games import Chance, Setup, Step, play

FOLDER = Path(__file__).parent
NAMES = ("Ana", "Beto", "Chus", "Dora", "Eli", "Fidel")


Wanted = Callable[[Sequence[Event], State], bool]
"""Whether a game with these events, which led to this state, is worth keeping."""


# -- games ------------------------------------------------------------------------------------


class Seeded(Chance):
    """The shuffle that a record with seeds is checked against."""

    def __init__(self, server: bytes, client: str) -> None:
        super().__init__(0)
        self._shuffle = seeded(server, client)

    def __call__(self, cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
        return self._shuffle(cards, hand, number)


@dataclass(frozen=True)
class Golden:
    """A game to be kept."""

    edition: str
    seats: int
    policies: str
    variant: str = "standard"
    house: tuple[str, ...] = ()
    note: str = ""
    seeds: bool = False
    """Write the seeds in place of the decks."""
    cut: int | None = None
    """Stop after so many actions."""
    seen: int | None = None
    """Write what that seat knew."""
    wanted: Wanted | None = None
    """The first seed is taken whose game has this in it."""

    @property
    def name(self) -> str:
        parts = [self.edition, f"{self.seats}p", self.variant.replace(",", "+")]
        return "-".join([*parts, *self.house, *([self.note] if self.note else [])])


def has(kind: type[Event]) -> Wanted:
    """Such an event has happened."""

    def check(events: Sequence[Event], state: State) -> bool:
        return any(isinstance(event, kind) for event in events)

    return check


def stood_still(events: Sequence[Event], state: State) -> bool:
    """A hand ended in which nobody went out (H-DEAD)."""
    return any(isinstance(event, HandScored) and event.out is None for event in events)


def can(kind: type[Action], least: int) -> Wanted:
    """So many actions of that kind can be chosen from at the end."""

    def check(events: Sequence[Event], state: State) -> bool:
        if state.board is None:
            return False
        listed = legal_actions(view_of(state, state.board.turn))
        return sum(isinstance(action, kind) for action in listed) >= least

    return check


GAMES = [
    Golden("classic", 2, "CC", seeds=True, note="seeds"),
    Golden("classic", 6, "CECECE", house=("natural_per_meld",)),
    Golden("classic", 3, "CEC", "phases=3", ("choose_phase", "discard_to_go_out")),
    Golden("deluxe", 3, "CCE", "even", seeds=True, note="seeds"),
    Golden("deluxe", 5, "CCCCC", "phases=2", ("no_rediscard",)),
    Golden("elchavo", 4, "CCCC"),
    Golden("elchavo", 2, "CE", "ten-hands", note="cut", cut=201),
    Golden("anniversary", 5, "CCECE", "ten-hands"),
    Golden("anniversary", 4, "CCCC", "ten-hands,even", ("discard_to_go_out",), seeds=True),
    Golden("express", 4, "CCCC"),
    Golden("express", 2, "EE", "ten-hands,phases=4,even", ("no_rediscard", "natural_per_meld")),
    Golden("express", 6, "HHHHEE", note="reshuffle", wanted=has(PileReshuffled)),
    Golden("express", 6, "HHHHEE", seeds=True, note="reshuffle-seeds", wanted=has(PileReshuffled)),
    Golden("express", 3, "EEE", "ten-hands,phases=3", note="tiebreak", wanted=has(GameTied)),
    Golden("express", 2, "EE", "phases=2", note="tiebreak", wanted=has(GameTied)),
    Golden("express", 2, "EE", note="standing-still", wanted=stood_still),
    Golden("express", 2, "EE", note="standing-still-redacted", seen=1, wanted=stood_still),
    Golden("express", 3, "CCC", note="cut", cut=47),
    Golden("classic", 5, "EEEEE", note="between-turns", cut=60, wanted=can(DrawDeck, 1)),
    Golden("express", 3, "CCC", note="redacted", cut=90, seen=2),
    Golden("classic", 4, "CCCC", note="redacted", cut=150, seen=4),
]


def game_of(golden: Golden) -> tuple[Header, list[Event], State]:
    """The game of the first seed that has what is wanted in it."""
    for seed in range(100_000):
        setup = Setup(
            golden.edition, golden.variant, golden.house, golden.seats, 1 + seed % golden.seats,
            seed, golden.policies,
        )  # fmt: skip
        server = random.Random(seed).randbytes(32)
        chance = Seeded(server, f"golden {seed}") if golden.seeds else None
        steps: list[Step] = list(play(setup, golden.cut or 5_000, chance))
        events = [event for step in steps for event in step.events]
        state = steps[-1].after
        if (golden.cut or state.sheet.winner) and (
            not golden.wanted or golden.wanted(events, state)
        ):
            header = Header(
                edition=golden.edition,
                names=NAMES[: golden.seats],
                dealer=setup.dealer,
                variant=setup.rules.variant,
                house=setup.rules.house,
                server_seed=server if golden.seeds else None,
                client_seed=f"golden {seed}" if golden.seeds else None,
                seen=golden.seen,
            )
            return header, events, state
    raise LookupError(golden.name)


def games() -> Iterator[tuple[str, str]]:
    for golden in GAMES:
        if (FOLDER / f"games/{golden.name}.p10").exists():
            continue
        header, events, state = game_of(golden)
        told = [seen_by(event, golden.seen) for event in events] if golden.seen else events
        verdict = describe(state)
        if golden.seen:
            verdict = {"ok": False, "line": 1, "seat": None, "rule": "SYNTAX"}
        yield f"games/{golden.name}.p10", format_record(record_game(header, told))
        yield f"games/{golden.name}.json", json.dumps(verdict, indent=1) + "\n"


# -- illegal records ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Illegal:
    """A record whose last line breaks a rule."""

    name: str
    rule: str
    lines: str
    """What is played after the deal, lines parted by `|`."""
    hands: tuple[str, ...] = ()
    """The cards that each seat is dealt, as far as they matter: the first cards of the hand."""
    up: str = ""
    """The card that is turned up; some numbered card where it does not matter."""
    draws: str = ""
    """The top of the draw pile."""
    edition: str = "classic"
    variant: str = "standard"
    house: str = ""
    seat: int | None = 1
    """The seat that breaks the rule, as the verdict names it."""
    seats: int = 2
    swap: tuple[str, str] | None = None
    """A card of the deck that is replaced by another."""


def deck_of(case: Illegal) -> list[str]:
    """A deck that deals these hands. Seat 1 is dealt to first: the last seat deals."""
    box = edition(case.edition)
    rest = Counter(card.text for card in box.deck)
    hands = [hand.split() for hand in case.hands] + [[]] * (case.seats - len(case.hands))
    draws = case.draws.split()
    named = [card for hand in hands for card in hand] + draws + case.up.split()
    rest.subtract(named)
    assert min(rest.values()) >= 0, case.name
    # What is not named: numbered cards in an order that makes no meld, Wilds and Skips last.
    pool = [card for card in rest.elements() if card not in "WS"]
    random.Random(case.name).shuffle(pool)
    pool += [card for card in rest.elements() if card in "WS"]
    up = case.up or pool.pop(0)
    full = [[*hand, *[pool.pop(0) for _ in range(box.deal - len(hand))]] for hand in hands]
    dealt = [full[i % case.seats][i // case.seats] for i in range(box.deal * case.seats)]
    return [*dealt, up, *draws, *pool]


PHASE_1 = "R3 B3 G3 R7 B7 G7"
LAY_1 = "L R3 B3 G3 / R7 B7 G7"
EXPRESS_1 = "R1 B3 G5 Y7"

ILLEGAL = [
    Illegal("t-turn", "T-TURN", "1 D -R1|1 D -R2", ("R1 R2",)),
    Illegal("t-turn-first", "T-TURN", "2 D", seat=2),
    Illegal("t-turn-seat-that-is-not-there", "T-TURN", "5 D", seat=5),
    Illegal("t-turn-after-the-hand", "T-TURN", "1 D L R1 B3 G5 Y7 H G9>1.1 H G11>1.1|2 D",
            ("R1 B3 G5 Y7 G9",), draws="G11", edition="express", seat=2),
    Illegal("t-turn-lost-turn-that-was-not", "T-TURN", "1 D -R1|2 *", ("R1",), seat=2),
    Illegal("t-draw-missing", "T-DRAW", "1 -R1", ("R1",)),
    Illegal("t-draw-twice", "T-DRAW", "1 D D"),
    Illegal("t-draw-take-after-draw", "T-DRAW", "1 D P", up="R5"),
    Illegal("t-draw-lay-first", "T-DRAW", f"1 {LAY_1}", (PHASE_1,)),
    Illegal("t-draw-hit-first", "T-DRAW", f"1 D {LAY_1} -R1|2 D -R2|1 H R3>1.1",
            (PHASE_1 + " R1 R3", "R2")),
    Illegal("t-draw-nothing-though-there-is", "T-DRAW", "1 N"),
    Illegal("t-draw-another-card", "T-DRAW", "1 D:R5", draws="R6"),
    Illegal("t-draw-another-discard", "T-DRAW", "1 P:R5", up="R6"),
    Illegal("t-draw-skip", "T-DRAW-SKIP", "1 D -S@3|2 P", ("S",), seats=3, seat=2),
    Illegal("t-draw-skip-turned-up", "T-DRAW-SKIP", "2 P", up="S", seats=3, seat=2),
    Illegal("t-draw-skip-spent", "T-DRAW-SKIP", "1 D -S@2|3 P", ("S",), seats=3, seat=3,
            edition="anniversary"),
    Illegal("t-lay-not-held", "T-LAY", "1 D L R3 B3 G3 / R7 B7 Y7", (PHASE_1,)),
    Illegal("t-lay-held-once", "T-LAY", "1 D L R3 R3 B3 / R7 B7 G7",
            (PHASE_1 + " R10 R11 R12 Y1",), draws="Y2"),
    Illegal("t-lay-wild-not-held", "T-LAY", "1 D L R3 B3 W=3 / R7 B7 G7", (PHASE_1,)),
    Illegal("t-lay-one-twice", "T-LAY-ONE", f"1 D {LAY_1} {LAY_1}", (PHASE_1,)),
    Illegal("t-lay-one-another-phase", "T-LAY-ONE", "1 D L4 R1 R2 R3 R4 R5 R6 R7",
            ("R1 R2 R3 R4 R5 R6 R7",)),
    Illegal("t-lay-one-no-such-phase", "T-LAY-ONE", "1 D L11 R1 R2", ("R1 R2",),
            house="choose_phase"),
    Illegal("t-hit-before-laying", "T-HIT", f"1 D {LAY_1} -R1|2 D H R3>1.1",
            (PHASE_1 + " R1", "R3"), seat=2),
    Illegal("t-hit-not-held", "T-HIT", f"1 D {LAY_1} H Y3>1.1", (PHASE_1,), draws="R1"),
    Illegal("t-hit-no-such-meld", "T-HIT", f"1 D {LAY_1} H R3>1.3", (PHASE_1 + " R3",)),
    Illegal("t-hit-no-meld-of-that-seat", "T-HIT", f"1 D {LAY_1} H R3>2.1", (PHASE_1 + " R3",)),
    Illegal("t-hit-another-number", "T-HIT", f"1 D {LAY_1} H R4>1.1", (PHASE_1 + " R4",)),
    Illegal("t-hit-two-at-once", "T-HIT", f"1 D {LAY_1} H R3,Y3>1.1", (PHASE_1 + " R3 Y3",)),
    Illegal("t-hit-not-next-in-run", "T-HIT", "1 D L2 R3 B3 G3 / R4 B5 R6 Y7 H R9>1.2",
            ("R3 B3 G3 R4 B5 R6 Y7 R9",), house="choose_phase"),
    Illegal("t-hit-inside-run", "T-HIT", "1 D L2 R3 B3 G3 / R4 B5 R6 Y7 H R5>1.2",
            ("R3 B3 G3 R4 B5 R6 Y7 R5",), house="choose_phase"),
    Illegal("t-hit-beyond-12", "T-HIT", "1 D L2 R3 B3 G3 / R9 B10 R11 Y12 H R1>1.2",
            ("R3 B3 G3 R9 B10 R11 Y12 R1",), house="choose_phase"),
    Illegal("t-hit-single-on-pairs", "T-HIT", "1 D L4 R6 Y6 B7 G7 H R8>1.1",
            ("R6 Y6 B7 G7 R8",), house="choose_phase", edition="express"),
    Illegal("t-hit-unequal-pair", "T-HIT", "1 D L4 R6 Y6 B7 G7 H R8,R5>1.1",
            ("R6 Y6 B7 G7 R8",), draws="R5", house="choose_phase", edition="express"),
    Illegal("t-hit-another-colour", "T-HIT", "1 D L7 R4 R5 R6 H B7>1.1",
            ("R4 R5 R6 B7",), house="choose_phase", edition="express"),
    Illegal("t-hit-one-step", "T-HIT", "1 D L8 R1 B3 B5 Y7 H G8>1.1",
            ("R1 B3 B5 Y7 G8",), house="choose_phase", edition="express"),
    Illegal("t-hit-another-parity", "T-HIT", "1 D L R1 B3 G5 Y7 H G8>1.1",
            (EXPRESS_1 + " G8",), edition="express"),
    Illegal("t-hit-wild-which-end", "T-HIT-WILD", "1 D L2 R3 B3 G3 / R4 B5 R6 Y7 H W>1.2",
            ("R3 B3 G3 R4 B5 R6 Y7 W",), house="choose_phase"),
    Illegal("t-hit-wild-not-next", "T-HIT-WILD", "1 D L2 R3 B3 G3 / R4 B5 R6 Y7 H W=5>1.2",
            ("R3 B3 G3 R4 B5 R6 Y7 W",), house="choose_phase"),
    Illegal("t-hit-wild-full-run", "T-HIT-WILD",
            "1 D L8 R1 B3 B5 Y7 -R2|2 D L7 R4 R5 R6 H Y9>1.1 H G11>1.1 H W>1.1",
            ("R1 B3 B5 Y7 G9", "R4 R5 R6 G11 W"), draws="R2 Y9", house="choose_phase",
            edition="express", seat=2),
    Illegal("t-hit-wild-another-number", "T-HIT-WILD", f"1 D {LAY_1} H W=4>1.1",
            (PHASE_1 + " W",)),
    Illegal("t-discard-not-held", "T-DISCARD", "1 D -R1", ("R2 R3 R4 R5 R6 R7 R8 R9 R10 R11",),
            draws="R12"),
    Illegal("t-discard-unfinished-turn", "T-DISCARD", "1 D|1 -R1", ("R1",)),
    Illegal("t-discard-just-taken", "T-DISCARD", "1 P -R5",
            ("R1 R2 R3 R4 B1 B2 B3 B4 B6 B7",), up="R5", house="no_rediscard"),
    Illegal("t-reshuffle-not-needed", "T-RESHUFFLE", "Shuffle R1", seat=None),
    Illegal("w-skip-laid", "W-SKIP", "1 D L R3 B3 G3 S / R7 B7 G7", (PHASE_1 + " S",)),
    Illegal("w-skip-hit", "W-SKIP", f"1 D {LAY_1} H S>1.1", (PHASE_1 + " S",)),
    Illegal("w-natural", "W-NATURAL", "1 D L W=4 W=4 W=4 / W=9 W=9 W=9", ("W W W W W W",)),
    Illegal("w-natural-undeclared", "W-NATURAL", "1 D L W W W / R7 B7 G7", ("W W W R7 B7 G7",)),
    Illegal("w-natural-per-meld", "W-NATURAL", "1 D L W=4 W=4 W=4 / R7 B7 G7",
            ("W W W R7 B7 G7",), house="natural_per_meld"),
    Illegal("m-exact-three-sets", "M-EXACT", "1 D L R3 B3 G3 / R7 B7 G7 / R9 B9 G9",
            (PHASE_1 + " R9 B9 G9",)),
    Illegal("m-exact-one-set", "M-EXACT", "1 D L R3 B3 G3", (PHASE_1,)),
    Illegal("m-set-two-numbers", "M-SET", "1 D L R3 B3 G4 / R7 B7 G7", ("R3 B3 G4 R7 B7 G7",)),
    Illegal("m-set-too-few", "M-SET", "1 D L R3 B3 / R7 B7 G7", (PHASE_1,)),
    Illegal("m-set-wild-says-otherwise", "M-SET", "1 D L R3 B3 W=4 / R7 B7 G7",
            ("R3 B3 W R7 B7 G7",)),
    Illegal("m-run-gap", "M-RUN", "1 D L2 R3 B3 G3 / R4 B5 R6 Y8", ("R3 B3 G3 R4 B5 R6 Y8",),
            house="choose_phase"),
    Illegal("m-run-round-the-corner", "M-RUN", "1 D L2 R3 B3 G3 / R11 B12 R1 Y2",
            ("R3 B3 G3 R11 B12 R1 Y2",), house="choose_phase"),
    Illegal("m-run-wild-13", "M-RUN", "1 D L2 R3 B3 G3 / R10 R11 B12 W",
            ("R3 B3 G3 R10 R11 B12 W",), house="choose_phase"),
    Illegal("m-run-wild-0", "M-RUN", "1 D L2 R3 B3 G3 / W R1 B2 R3",
            ("R3 B3 G3 W R1 B2 R3",), house="choose_phase"),
    Illegal("m-run-high-to-low", "M-RUN", "1 D L2 R3 B3 G3 / R7 B6 R5 Y4",
            ("R3 B3 G3 R7 B6 R5 Y4",), house="choose_phase"),
    Illegal("m-run-twice", "M-RUN", "1 D L2 R3 B3 G3 / R4 B5 R5 Y6",
            ("R3 B3 G3 R4 B5 R5 Y6",), house="choose_phase"),
    Illegal("m-color", "M-COLOR", "1 D L8 R1 R2 R2 R5 R9 R11 B12",
            ("R1 R2 R2 R5 R9 R11 B12",), house="choose_phase"),
    Illegal("m-color-too-few", "M-COLOR", "1 D L8 R1 R2 R2 R5 R9 R11",
            ("R1 R2 R2 R5 R9 R11",), house="choose_phase"),
    Illegal("m-parity-odd", "M-PARITY", "1 D L R1 B3 G5 Y8", ("R1 B3 G5 Y8",), edition="express"),
    Illegal("m-parity-even", "M-PARITY", "1 D L3 R2 B4 G4 Y11", ("R2 B4 G4 Y11",),
            edition="express", house="choose_phase"),
    Illegal("m-pairrun-gap", "M-PAIRRUN", "1 D L4 R6 Y6 B8 G8", ("R6 Y6 B8 G8",),
            edition="express", house="choose_phase"),
    Illegal("m-pairrun-three-and-one", "M-PAIRRUN", "1 D L4 R6 Y6 G6 B7", ("R6 Y6 G6 B7",),
            edition="express", house="choose_phase"),
    Illegal("m-pairrun-half-a-pair", "M-PAIRRUN", "1 D L4 R6 Y6 B7 G7 R8", ("R6 Y6 B7 G7 R8",),
            edition="express", house="choose_phase"),
    Illegal("m-colorrun", "M-COLORRUN", "1 D L7 R4 B5 R6", ("R4 B5 R6",),
            edition="express", house="choose_phase"),
    Illegal("m-colorrun-gap", "M-COLORRUN", "1 D L7 R4 R5 R7", ("R4 R5 R7",),
            edition="express", house="choose_phase"),
    Illegal("m-steprun-gap", "M-STEPRUN", "1 D L8 R1 B3 B5 Y9", ("R1 B3 B5 Y9",),
            edition="express", house="choose_phase"),
    Illegal("m-steprun-even-for-odd", "M-STEPRUN", "1 D L8 R2 B4 B6 Y8", ("R2 B4 B6 Y8",),
            edition="express", house="choose_phase"),
    Illegal("m-steprun-odd-for-even", "M-STEPRUN", "1 D L9 R1 B3 B5 Y7", ("R1 B3 B5 Y7",),
            edition="express", house="choose_phase"),
    Illegal("p-chavo", "P-CHAVO", "1 D L10 R5 R5 B5 Y5 G5 / R3 B3 Y3",
            ("R5 R5 B5 Y5 G5 R3 B3 Y3",), edition="elchavo", house="choose_phase"),
    Illegal("s-play-on-nobody", "S-PLAY", "1 D -S@4", ("S",), seats=3),
    Illegal("s-self", "S-SELF", "1 D -S@1", ("S",), seats=3),
    Illegal("s-once-a-round", "S-ONCE-A-ROUND", "1 D -S@3|2 D -S@3", ("S", "S"), seats=3, seat=2),
    Illegal("s-once-a-round-turned-up", "S-ONCE-A-ROUND", "2 D -S@1", ("", "S"), seats=3, seat=2,
            up="S"),
    Illegal("s-once-a-round-after-the-turn-was-lost", "S-ONCE-A-ROUND", "1 D -S@2|3 D -S@2",
            ("S", "", "S"), seats=4, seat=3),
    Illegal("s-one-waiting", "S-ONE-WAITING", "1 D -S@3|2 D -S@3", ("S", "S"), seats=3, seat=2,
            edition="express"),
    Illegal("s-no-target", "S-NO-TARGET", "1 D -S", ("S",), seats=3),
    Illegal("s-no-target-two-players", "S-NO-TARGET", "1 D -S", ("S",), edition="express"),
    Illegal("g-out-last-card-hit", "G-OUT", "1 D L R1 B3 G5 Y7 H G9>1.1 H G11>1.1",
            (EXPRESS_1 + " G9",), draws="G11", edition="express", house="discard_to_go_out"),
    Illegal("g-out-last-card-laid", "G-OUT", "1 D L R1 B3 G5 Y7 G9 G11",
            (EXPRESS_1 + " G9",), draws="G11", edition="express", house="discard_to_go_out"),
    Illegal("g-out-end-of-a-hand-that-goes-on", "G-OUT", "1 D -R1|End 1:0 2:0", ("R1",),
            seat=None),
    Illegal("g-points", "G-POINTS", "1 D L R1 B3 G5 Y7 G9 G11|End 1:0 2:20",
            (EXPRESS_1 + " G9", "R2 R4 R6 R8 R10"), draws="G11", edition="express", seat=2),
    Illegal("g-points-one-missing", "G-POINTS", "1 D L R1 B3 G5 Y7 G9 G11|End 1:0",
            (EXPRESS_1 + " G9", "R2 R4 R6 R8 R10"), draws="G11", edition="express", seat=2),
    Illegal("g-points-one-too-many", "G-POINTS", "1 D L R1 B3 G5 Y7 G9 G11|End 1:0 2:30 3:0",
            (EXPRESS_1 + " G9", "R2 R4 R6 R8 R10"), draws="G11", edition="express", seat=3),
    Illegal("g-win-another-hand", "G-WIN", "1 D L R1 B3 G5 Y7 G9 G11|End 1:0 2:30|Hand 2",
            (EXPRESS_1 + " G9", "R2 R4 R6 R8 R10"), draws="G11", edition="express",
            variant="phases=1", seat=None),
    Illegal("g-tie-not-due", "G-TIE", "1 D L R1 B3 G5 Y7 G9 G11|End 1:0 2:30|Hand 2 tiebreak 1 2",
            (EXPRESS_1 + " G9", "R2 R4 R6 R8 R10"), draws="G11", edition="express", seat=None),
    Illegal("h-next-wrong-number", "H-NEXT", "1 D L R1 B3 G5 Y7 G9 G11|End 1:0 2:30|Hand 3",
            (EXPRESS_1 + " G9", "R2 R4 R6 R8 R10"), draws="G11", edition="express", seat=None),
    Illegal("h-next-hand-going-on", "H-NEXT", "1 D -R1|Hand 2", ("R1",), seat=None),
    Illegal("h-deal-card-twice", "H-DEAL", "", ("R1",), swap=("R1", "R2"), seat=None),
    Illegal("h-deal-card-of-another-edition", "H-DEAL", "", swap=("B1", "O1"), seat=None),
    Illegal("syntax-action", "SYNTAX", "1 D X5", seat=None),
    Illegal("syntax-card", "SYNTAX", "1 D -R13", seat=None),
    Illegal("syntax-target", "SYNTAX", "1 D -R1@2", ("R1",), seat=None),
    Illegal("syntax-line", "SYNTAX", "first player draws", seat=None),
]  # fmt: skip


def illegal() -> Iterator[tuple[str, str]]:
    for case in ILLEGAL:
        tags = [("Format", "phaseten-1"), ("Edition", case.edition), ("Variant", case.variant)]
        tags += [("House", case.house)] if case.house else []
        tags += [(f"Seat{i}", NAMES[i - 1]) for i in range(1, case.seats + 1)]
        tags.append(("Dealer", str(case.seats)))
        lines = [f'[{name} "{value}"]' for name, value in tags]
        deck = deck_of(case)
        if case.swap:
            deck[deck.index(case.swap[0])] = case.swap[1]
        lines += ["", "Hand 1", "Deck " + " ".join(deck)]
        lines += case.lines.split("|") if case.lines else []
        verdict = {"ok": False, "line": len(lines), "seat": case.seat, "rule": case.rule}
        yield f"illegal/{case.name}.p10", "\n".join(lines) + "\n"
        yield f"illegal/{case.name}.json", json.dumps(verdict) + "\n"


# -- counts of action sequences -------------------------------------------------------------------


def perft(state: State, shuffle: Shuffle, depth: int) -> int:
    """How many sequences of so many actions there are; hands are dealt by themselves."""
    if state.board is None and state.sheet.winner is None:
        hand = len(state.sheet.hands) + 1
        dealt = deal(state, shuffle(state.rules.edition.deck, hand, 0))
        assert not isinstance(dealt, Refusal)
        state = apply_all(state, dealt)
    if depth == 0:
        return 1
    if state.board is None:
        return 0
    seat = state.board.turn
    count = 0
    for action in legal_actions(view_of(state, seat)):
        events = decide(state, seat, action, shuffle)
        assert not isinstance(events, Refusal)
        count += perft(apply_all(state, events), shuffle, depth - 1)
    return count


def start_of(where: str, players: str, seed: str) -> tuple[State, Shuffle]:
    """Where a line of perft.txt starts from, and its chance."""
    if where.endswith(".p10"):
        record = parse_record((FOLDER / where).read_text(encoding="utf-8"))
        assert record.header.server_seed is not None
        assert record.header.client_seed is not None
        *_, last = follow(record)
        return last.state, seeded(record.header.server_seed, record.header.client_seed)
    server = hashlib.sha256(f"phaseten seed {seed}".encode()).digest()
    return new_game(Rules(edition(where)), int(players), 1), seeded(server, "")


COUNTED = [
    *((name, "2", "1", "4") for name in ("classic", "deluxe", "elchavo", "anniversary")),
    *(("express", "2", "1", str(depth)) for depth in range(1, 8)),
    ("express", "3", "2", "7"),
    ("express", "6", "3", "7"),
    ("classic", "2", "7", "6"),
    ("classic", "6", "8", "5"),
    ("anniversary", "3", "9", "6"),
    ("elchavo", "4", "10", "6"),
    ("deluxe", "5", "11", "5"),
]
"""Edition, players, seed and depth of what is counted from the first deal."""

POSITIONS = [
    ("hits", Golden("express", 3, "EEE", seeds=True, cut=61, wanted=can(Hit, 3)), "6"),
    ("lays", Golden("classic", 4, "HHHH", seeds=True, cut=41, wanted=can(LayPhase, 20)), "3"),
    ("late", Golden("classic", 4, "CCCC", seeds=True, cut=165, wanted=has(MeldHit)), "6"),
    ("choose-phase", Golden("deluxe", 3, "HHH", house=("choose_phase",), seeds=True, cut=41,
                            wanted=can(LayPhase, 9)), "4"),
    ("skips-in-front", Golden("anniversary", 4, "HHHE", seeds=True, cut=41,
                              wanted=can(Discard, 10)), "4"),
    ("near-the-end", Golden("express", 2, "EE", "ten-hands", seeds=True, cut=24), "7"),
    ("empty-pile", Golden("express", 6, "HHHHHH", seeds=True, cut=46), "7"),
    ("discard-to-go-out", Golden("elchavo", 2, "CC", "phases=2", ("discard_to_go_out",),
                                 seeds=True, cut=51, wanted=can(Hit, 2)), "6"),
]  # fmt: skip
"""Positions in the middle of a hand, and the depth to count to."""


def counts() -> Iterator[tuple[str, str]]:
    lines = [
        "# How many sequences of `depth` actions there are: edition players seed depth count.",
        "# Seat 1 deals, the client seed is empty, and the server seed is the SHA-256 of the text",
        "# `phaseten seed N`. A .p10 file in place of an edition: from the position at its end.",
    ]
    for where, players, seed, depth in COUNTED:
        state, shuffle = start_of(where, players, seed)
        lines.append(f"{where} {players} {seed} {depth} {perft(state, shuffle, int(depth))}")
    for name, golden, depth in POSITIONS:
        kept = FOLDER / f"positions/{name}.p10"
        if kept.exists():
            text = kept.read_text(encoding="utf-8")
        else:
            played, events, _ = game_of(golden)
            text = format_record(record_game(played, events))
        yield f"positions/{name}.p10", text
        record = parse_record(text)
        header, state = record.header, [step.state for step in follow(record)][-1]
        assert state.board is not None, name
        assert header.server_seed is not None
        shuffle = seeded(header.server_seed, header.client_seed or "")
        count = perft(state, shuffle, int(depth))
        lines.append(f"positions/{name}.p10 {golden.seats} - {depth} {count}")
    yield "perft.txt", "\n".join(lines) + "\n"


def main() -> None:
    write = "--write" in sys.argv
    kept = {f"games/{golden.name}{end}" for golden in GAMES for end in (".p10", ".json")}
    for name, text in [*games(), *illegal(), *counts()]:
        path = FOLDER / name
        kept.add(name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            print("writing" if write else "differs:", name)
            if write:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    for path in FOLDER.glob("*/*.*"):
        name = path.relative_to(FOLDER).as_posix()
        if name not in kept and path.parent.name not in ("examples", "__pycache__"):
            print("not made here:", name)


if __name__ == "__main__":
    main()
