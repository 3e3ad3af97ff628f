"""The laws prove nothing about what never happens in their games: this says that it does happen."""

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from phaseten.rules.editions import BOOK_EDITIONS, HOUSE_RULES, KINDS
from tests.laws.games import (
    EVENT_TYPES,
    POLICIES,
    RARE,
    STYLES,
    Setup,
    notes_on,
    play,
    setups,
)

NOTES = {
    *(one.__name__ for one in EVENT_TYPES),
    "a Phase out of order",
    "a Skip played",
    "a Skip turned up",
    "a Skip turned up by a dealer who does not play",
    "a Skip without target",
    "a Wild hit",
    "a hit on another's meld",
    "a hit on the own meld",
    "a hand stands still",
    "a hand stands still with a Skip",
    "a meld of Wilds alone",
    "a tie-break hand stands still",
    "a pair hit",
    "nothing drawn, none held",
    "nothing drawn, some held",
    "out with CardDiscarded",
    "out with MeldHit",
    "out with PhaseLaid",
    "out with a Skip",
    "the hand ends while a Skip waits",
    "tie in standard",
    "tie in ten hands",
    "tie of more than two",
    "tie-break without some seats",
    "two turns lost in a row",
}


def notes_of(setup: Setup) -> set[str]:
    return set[str]().union(*(notes_on(step) for step in play(setup)))


def test_everything_that_can_happen_happens_in_the_rare_games() -> None:
    missing = NOTES - set[str]().union(*map(notes_of, RARE))
    assert not missing, "look for other seeds in games.py: RARE"


@pytest.mark.skipif(
    os.environ.get("PHASETEN_HYPOTHESIS_PROFILE") == "mutation",
    reason="it tests the games and not the engine",
)
def test_random_games_are_of_all_kinds() -> None:
    """What `setups` draws, the rare games apart: enough of everything but the rarest."""
    games: Counter[str] = Counter()
    notes: Counter[str] = Counter()

    @settings(
        max_examples=300,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(setup=setups())
    def look(setup: Setup) -> None:
        rules = setup.rules
        found = {rules.edition.name, rules.edition.skip_goes_to, f"{setup.seats} players"}
        found |= {*setup.house, *setup.policies, *setup.variant.replace("=", ",").split(",")}
        found |= {"combined house rules"} if len(setup.house) > 1 else set()
        found |= {"must_show"} if any(phase.must_show for phase in rules.phases) else set()
        if setup.edition not in BOOK_EDITIONS:
            found |= {group.kind.name for phase in rules.phases for group in phase.groups}
            found |= {f"{len(phase.groups)} groups" for phase in rules.phases}
        games.update(found)
        notes.update(notes_of(setup))

    look()
    wanted = {*BOOK_EDITIONS, *HOUSE_RULES, *KINDS, *STYLES, *POLICIES, "pile", "front"}
    wanted |= {"combined house rules", "must_show", "1 groups", "2 groups"}
    wanted |= {"standard", "ten-hands", "phases", "even", *(f"{n} players" for n in range(2, 7))}
    assert {what: games[what] for what in wanted if games[what] < 5} == {}
    often = {"PhaseLaid", "MeldHit", "PileReshuffled", "TurnLost", "HandScored", "GameWon"}
    often |= {"a Skip turned up", "a Wild hit", "a hit on another's meld", "out with MeldHit"}
    assert {note: notes[note] for note in often if notes[note] < 20} == {}
    assert notes["GameTied"] >= 2
