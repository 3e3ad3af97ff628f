"""What may be taken back, by one rule for every host."""

import random

import pytest

from phaseten.rules.actions import Discard, DrawDeck, LayPhase, TakeDiscard
from phaseten.rules.cards import Card
from phaseten.rules.events import (
    CardDiscarded,
    DiscardTaken,
    Event,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    TurnLost,
)
from phaseten.rules.melds import held_form
from phaseten.rules.views import legal_actions, view_of
from phaseten.table.commands import (
    PlayBot,
    SeatStandIn,
    TakeSeatBack,
    Undo,
)
from phaseten.table.events import (
    Open,
    Secret,
)
from phaseten.table.options import Options
from phaseten.table.undo import actor_of, last_step, reveals_nothing
from tests.laws.games import EVENT_TYPES, RARE, Setup, play
from tests.table.sitting import SEED, Sitting, sitting_of_two

QUIET = (DiscardTaken, NothingDrawn, PhaseLaid, MeldHit, CardDiscarded, TurnLost)


def cards_in(event: Event) -> tuple[Card, ...]:
    """The cards that the event shows, as they were held."""
    match event:
        case DiscardTaken() | CardDiscarded():
            return (event.card,)
        case PhaseLaid():
            return held_form([card for meld in event.melds for card in meld.cards])
        case MeldHit():
            return held_form(event.cards)
        case _:
            return ()


@pytest.mark.parametrize("setup", RARE, ids=range(len(RARE)))
def test_who_acts_knew_every_card_of_a_step_that_reveals_nothing(setup: Setup) -> None:
    for step in play(setup):
        state = step.before
        for event in step.events:
            assert reveals_nothing(event) == isinstance(event, QUIET)
            seat = actor_of(event)
            if seat is not None and reveals_nothing(event):
                view = view_of(state, seat)
                assert view.board is not None
                assert {*cards_in(event)} <= {*view.held, *view.board.discards[-1:]}


def test_only_what_a_player_does_is_a_step() -> None:
    events = [event for setup in RARE for step in play(setup) for event in step.events]
    assert {type(event) for event in events} == {*EVENT_TYPES}
    for event in events:
        seat = actor_of(event)
        assert seat is None or seat == getattr(event, "seat", None)


@pytest.mark.parametrize("seed", range(6))
def test_a_table_takes_back_what_the_rule_allows(seed: int) -> None:
    """The table remembers what the rule says, for all that happened since the turn began."""
    sitting = Sitting(Options(edition="express", seats=2, pace=0), seed=SEED)
    sitting.seat("ana", "beto")
    sitting.start()
    rng = random.Random(seed)
    events: list[Event] = []
    begun = 0
    for _ in range(150):
        turn, before = sitting.table.turn, len(sitting.log)
        sitting.act(rng)
        assert len(sitting.log) == before + 1
        events += [e for e in sitting.last if not isinstance(e, Open | Secret)]
        if sitting.table.turn != turn or isinstance(events[-1], CardDiscarded | TurnLost):
            begun = len(events)
        assert bool(sitting.table.undo) == (last_step(events, begun) is not None)


def test_a_discard_is_taken_back_only_where_nobody_has_seen_it() -> None:
    sitting = Sitting(Options(edition="classic", seats=2, pace=0))
    sitting.seat("ana", "beto")
    sitting.start()
    turn = sitting.table.turn
    rng = random.Random(4)
    events: list[Event] = []
    while not isinstance(events[-1] if events else None, CardDiscarded):
        sitting.act(rng)
        events += [e for e in sitting.last if not isinstance(e, Open | Secret)]
    assert sitting.table.turn != turn
    assert not sitting.table.undo, "at a table the next player sees it at once"
    assert last_step(events) == len(events) - 1, "at one screen nobody has, yet"
    assert last_step(events, len(events)) is None


def test_undo_takes_back_what_revealed_nothing() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    owner, other = sitting.table.places[turn - 1].owner, sitting.table.places[2 - turn].owner
    before = sitting.table.game
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"
    sitting.play(owner, TakeDiscard())
    assert sitting.refused(other, Undo(sitting.table.version)) == "nothing-to-undo"
    sitting.ask(owner, Undo(sitting.table.version))
    assert sitting.table.game == before
    assert sitting.replayed() == sitting.table
    sitting.play(owner, DrawDeck())
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"


def test_a_laid_phase_can_be_taken_back_until_the_turn_ends() -> None:
    rng = random.Random(1)
    for _ in range(60):
        sitting = sitting_of_two()
        sitting.start()
        while sitting.table.stage == "playing":
            turn = sitting.table.turn or 0
            view = sitting.table.view(turn)
            assert view is not None
            lays = [action for action in legal_actions(view) if isinstance(action, LayPhase)]
            if not lays:
                sitting.act(rng)
                continue
            owner, before = sitting.table.places[turn - 1].owner, sitting.table.game
            sitting.play(owner, lays[0])
            if sitting.table.turn != turn:
                break
            sitting.ask(owner, Undo(sitting.table.version))
            assert sitting.table.game == before
            discard = next(a for a in sitting.table.legal(turn) if isinstance(a, Discard))
            sitting.play(owner, discard)
            assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"
            return
    pytest.fail("nobody ever laid a Phase")


def test_what_a_bot_did_for_somebody_is_not_taken_back() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    owner = sitting.table.places[turn - 1].owner
    sitting.ask("ana", SeatStandIn(turn, "casual"))
    sitting.chore(PlayBot(turn, TakeDiscard(), sitting.table.version))
    sitting.ask(owner, TakeSeatBack())
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"


def test_what_one_did_before_a_bot_came_and_went_is_taken_back() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    owner, before = sitting.table.places[turn - 1].owner, sitting.table.game
    sitting.play(owner, TakeDiscard())
    sitting.ask("ana", SeatStandIn(turn, "casual"))
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"
    sitting.ask(owner, TakeSeatBack())
    sitting.ask(owner, Undo(sitting.table.version))
    assert sitting.table.game == before
