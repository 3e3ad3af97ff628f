"""Everything a seat knows goes out, and nothing that it does not know."""

import json
from typing import Any

import pytest

from phaseten.arena.wire import legal_texts, rules_data, view_data
from phaseten.kernel import Game
from phaseten.notation.moves import parse_action
from phaseten.rules.cards import parse_cards
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.events import HandScored
from phaseten.rules.options import Rules
from phaseten.rules.state import Board, ScoreSheet
from phaseten.rules.views import View, legal_actions


def positions(name: str = "classic", players: int = 3, count: int = 120) -> list[Game]:
    game = Game(name, players, seed=2)
    found: list[Game] = []
    for _ in range(count):
        found.append(game.copy())
        game.step(game.pick("sharp"))
    return found


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_what_is_hidden_does_not_change_a_byte(name: str) -> None:
    for game in positions(name)[::7]:
        for seat in (1, 2, 3):
            before = json.dumps(view_data(game.view(seat)))
            other = game.copy()
            other.resample(seat)
            assert json.dumps(view_data(other.view(seat))) == before


def test_every_field_of_a_view_is_there() -> None:
    """A field that is added to a view has to be given a place here, or this fails."""
    places: dict[type[Any], set[str]] = {
        View: {"rules", "seat", "sheet", "board", "held"},
        ScoreSheet: {"left", "totals", "hands", "dealer", "tied", "winner"},
        Board: {
            *("hand", "players", "turn", "step", "counts", "draw_count", "discards", "melds"),
            *(
                "made",
                "waiting",
                "skipped_by",
                "known",
                "spurned",
                "taken",
                "recycled",
                "reshuffles",
            ),
        },
    }
    for kind, names in places.items():
        assert set(kind._fields) == names
    renamed = {"draw_count": "draw_pile", "melds": "table"}
    data = view_data(positions()[40].view(1))
    wanted = {renamed.get(name, name) for names in places.values() for name in names}
    assert set(data) == wanted - {"rules", "sheet", "board"}


def test_a_view_in_data() -> None:
    game = next(
        g
        for g in positions()
        if (b := g.state_now().board) and any(b.melds) and any(b.known) and b.step == "play"
    )
    seat = game.turn
    assert seat is not None
    view = game.view(seat)
    board = view.board
    assert board is not None
    data: dict[str, Any] = json.loads(json.dumps(view_data(view)))
    assert parse_cards(data["held"]) == view.held
    assert parse_cards(data["discards"]) == board.discards
    assert data["turn"] == data["seat"] == seat
    assert data["draw_pile"] == board.draw_count
    assert [[parse_cards(m) for m in row] for row in data["table"]] == [
        [meld.cards for meld in row] for row in board.melds
    ]
    assert [parse_cards(cards) for cards in data["known"]] == list(board.known)
    assert [parse_cards(cards) for cards in data["spurned"]] == list(board.spurned)
    assert data["totals"] == list(view.sheet.totals)
    assert data["left"] == [list(left) for left in view.sheet.left]
    assert [parse_action(text) for text in legal_texts(view)] == legal_actions(view)


def test_between_hands_there_is_no_board() -> None:
    game = positions()[0]
    scored = HandScored(1, 2, ((1, 35), (2, 0)), ((2, 1),), tiebreak=False)
    view = game.view(1)
    view = view._replace(board=None, held=(), sheet=view.sheet._replace(hands=(scored,)))
    data = view_data(view)
    assert "held" not in data
    assert "turn" not in data
    assert data["hands"] == [
        {"hand": 1, "out": 2, "points": {"1": 35, "2": 0}, "made": {"2": 1}, "tiebreak": False}
    ]


def test_a_state_cannot_be_sent() -> None:
    state: Any = positions()[0].state_now()
    with pytest.raises(AttributeError):
        view_data(state)


def test_the_rules() -> None:
    data: Any = rules_data(Rules(edition("elchavo"), house=frozenset(["choose_phase"])))
    assert data["edition"] == "elchavo"
    assert data["house"] == ["choose_phase"]
    assert len(data["deck"]) == len(edition("elchavo").deck)
    assert [phase["number"] for phase in data["phases"]] == list(range(1, 11))
    assert any(phase["must_show"] for phase in data["phases"])
    assert json.loads(json.dumps(data)) == data
