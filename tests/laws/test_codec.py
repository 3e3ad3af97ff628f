"""The one JSON form: everything comes back as it was, and nothing hidden goes out."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten.notation.codec import (
    EVENTS,
    SEEN,
    DataError,
    read_action,
    read_rules,
    read_seen,
    read_view,
    write_action,
    write_rules,
    write_seen,
    write_view,
)
from phaseten.rules.actions import Action
from phaseten.rules.editions import edition
from phaseten.rules.events import CardDrawn, HandDealt, PileReshuffled
from phaseten.rules.options import Rules
from phaseten.rules.views import legal_actions, seen_by, view_of
from tests.laws.games import Setup, law, play
from tests.laws.test_leaks import exchanged, hidden_places
from tests.laws.test_text import actions

SECRET = (HandDealt, CardDrawn, PileReshuffled)


def carried(data: object) -> Any:
    """The data as it arrives."""
    return json.loads(json.dumps(data))


@given(action=actions)
def test_any_action_comes_back(action: Action) -> None:
    assert read_action(carried(write_action(action))) == action


@law(40)
def test_views_rules_events_and_actions_come_back(setup: Setup) -> None:
    rules = setup.rules
    for step in play(setup, 60):
        for seat in (None, *range(1, step.after.sheet.seats + 1)):
            view = view_of(step.after, seat)
            seen = view.board.seen if view.board is not None else ()
            assert read_view(carried(write_view(view)), rules, seen) == view
            for event in step.events:
                shown = seen_by(event, seat)
                assert read_seen(carried(write_seen(shown))) == shown
            for action in legal_actions(view, 20):
                assert read_action(carried(write_action(action))) == action
        for event in step.events:
            assert EVENTS.read(carried(EVENTS.write(event)), "the event") == event
    told = read_rules(carried(write_rules(rules)))
    assert (told.variant, told.phases) == (rules.variant, rules.phases)
    assert told.edition.deck == rules.edition.deck
    assert write_rules(told) == write_rules(rules)


@law(40)
def test_what_is_hidden_does_not_change_a_byte(setup: Setup) -> None:
    for step in play(setup, 60):
        state = step.after
        if state.board is None:
            continue
        for seat in (None, *range(1, state.sheet.seats + 1)):
            places = hidden_places(state, seat)
            if len(places) < 2:
                continue
            other = exchanged(state, places[0], places[-1])
            assert json.dumps(write_view(view_of(other, seat))) == json.dumps(
                write_view(view_of(state, seat))
            )


@law(20)
def test_only_what_was_seen_can_be_told(setup: Setup) -> None:
    for step in play(setup, 30):
        with pytest.raises(TypeError):
            write_view(step.after)  # pyright: ignore[reportArgumentType]
        for event in step.events:
            if isinstance(event, SECRET):
                assert not SEEN.is_one(EVENTS.write(event))
                with pytest.raises(TypeError):
                    write_seen(event)  # pyright: ignore[reportArgumentType]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@given(data=json_values, name=st.sampled_from(["draw", "lay", "hit", "discard"]))
def test_what_is_no_action_gets_a_sentence(data: Any, name: str) -> None:
    for given_data in (data, {"do": name, "melds": data, "cards": data, "card": data}):
        with pytest.raises(DataError):
            read_action(given_data)


def test_what_is_wrong_with_data_is_said() -> None:
    rules = Rules(edition("classic"))
    cases: list[tuple[object, str]] = [
        ({"do": "fly"}, "the action is an object whose 'do' is one of"),
        ({"do": "draw", "at": 3}, "the action has no 'at'"),
        ({"do": "discard"}, "the action lacks 'card'"),
        ({"do": "discard", "card": "X9"}, "'X9' is not a card"),
        ({"do": "hit", "cards": ["R5"], "seat": True, "meld": 1}, "the action.seat is a seat"),
    ]
    for data, sentence in cases:
        with pytest.raises(DataError, match=sentence):
            read_action(data)
    with pytest.raises(DataError, match="the view is an object"):
        read_view([], rules)
    with pytest.raises(DataError, match="no edition by the book"):
        read_rules({**write_rules(rules), "edition": "mine"})
