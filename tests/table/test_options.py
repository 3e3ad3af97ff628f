"""How a table plays: what can be chosen, and when."""

from collections import Counter
from typing import Any

import pytest

from phaseten.rules import laying
from phaseten.rules.actions import LayPhase
from phaseten.rules.cards import WILD, Card
from phaseten.rules.editions import BOOK_EDITIONS, EDITIONS_FOLDER
from phaseten.rules.state import PLAY, put
from phaseten.rules.views import LEAST_TRIES, TRIES_FOR_A_LAY
from phaseten.table.commands import (
    CallOff,
    CallRematch,
    ChangeOptions,
    ClearSeat,
    SeatBot,
)
from phaseten.table.events import (
    OptionsChanged,
)
from phaseten.table.options import Options, OptionsError, check_options, rules_of
from phaseten.table.state import MOST_LAYS, MOST_WAYS
from tests.table.sitting import Sitting, sitting_of_two


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (Options(edition="none"), "no edition 'none'"),
        (Options(edition="/etc/passwd.toml"), "as text"),
        (Options(custom="name = "), "your edition"),
        (Options(variant="odd"), "not a variation"),
        (Options(house=("cheat",)), "not a house rule"),
        (Options(timer=1), "5 to 604800"),
        (Options(stand_in="clever"), "no bot 'clever'"),
        (Options(custom='based_on = "classic"\nplayers = [2, 3]', seats=4), "2 to 3 players"),
    ],
)
def test_options_that_make_no_sense(options: Options, sentence: str) -> None:
    with pytest.raises(OptionsError, match=sentence):
        rules_of(options)


def own(deal: int = 10, wilds: int = 8, phases: str = '"run 7"') -> Options:
    """The options of a table of six with an edition of its own."""
    custom = f"""
        based_on = "classic"
        name = "ours"
        title = "Ours"
        deal = {deal}
        wilds = {wilds}
        skips = 0
        copies = 3
        shortest_run = 3
        phases = [{phases}]
        house = ["choose_phase"]
    """
    return Options(custom=custom, seats=6)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (own(deal=16), "deals up to 15 cards, not 16"),
        (own(wilds=13), "up to 12 Wilds, not 13"),
        (own(deal=20, phases='"run 8 + even 10"'), "deals up to 15 cards, not 20"),
    ],
)
def test_what_an_edition_of_ones_own_may_not_ask_for(options: Options, sentence: str) -> None:
    rules_of(options)  # a table that has been opened so goes on
    with pytest.raises(OptionsError, match=sentence):
        check_options(options)
    sitting = Sitting(Options())
    sitting.seat("ana", "beto")
    assert sitting.refused("ana", ChangeOptions(options)) == "bad-options"


@pytest.mark.parametrize("edition", BOOK_EDITIONS)
def test_every_box_would_do_as_an_edition_of_ones_own(edition: str) -> None:
    custom = (EDITIONS_FOLDER / f"{edition}.toml").read_text(encoding="utf-8")
    check_options(Options(custom=custom))


WORST = '"colorrun 3 + run 7"', '"run 9 + run 4"', '"run 7 + odd 4"', '"colorrun 4 + color 5"'


@pytest.mark.parametrize("phases", [*WORST, ", ".join(WORST * 5)])
def test_the_worst_editions_are_looked_through_for_no_longer_than_others(
    phases: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = own(15, 12, phases)
    check_options(options)
    sitting = Sitting(options)
    sitting.seat("ana", "beto", "carla", "dora", "eva", "fio")
    sitting.start()
    table = sitting.table
    assert table.game is not None
    assert table.game.board is not None
    turn = table.game.board.turn
    wilds = [WILD] * 6
    naturals = [card for card in table.rules.edition.deck if card.is_natural][::10]
    held = put(table.game.held, turn, (*wilds, *naturals[:10]))
    board = table.game.board._replace(step=PLAY)
    tried = 0

    def allow(tries: Any, held: Counter[Card]) -> bool:
        nonlocal tried
        tried += 1
        return really(tries, held)

    really = laying._Tries.allow  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(laying._Tries, "allow", allow)  # pyright: ignore[reportPrivateUsage]
    game = table.game._replace(held=held, board=board)
    lays = [one for one in table._replace(game=game).legal(turn) if isinstance(one, LayPhase)]
    assert 0 < len(lays) <= MOST_LAYS
    # Some more than allowed: who is in the middle of a row finishes it.
    assert 0 < tried < 2 * (LEAST_TRIES + TRIES_FOR_A_LAY * MOST_WAYS)


def test_options_change_before_the_game() -> None:
    sitting = Sitting(Options(seats=3))
    sitting.seat("ana", "beto")
    wanted = Options("express", seats=6, timer=60)
    assert sitting.ask("ana", ChangeOptions(wanted)) == (OptionsChanged(wanted),)
    assert [place.name for place in sitting.table.places] == ["Ana", "Beto", "", "", "", ""]
    assert sitting.table.rules.edition.name == "express"
    sitting.ask("ana", SeatBot(5, "sharp"))
    assert sitting.refused("ana", ChangeOptions(Options(seats=4))) == "seat-needed"
    sitting.ask("ana", ClearSeat(5))
    sitting.ask("ana", ChangeOptions(Options(seats=2)))
    assert len(sitting.table.places) == 2
    assert sitting.refused("ana", ChangeOptions(Options("none"))) == "bad-options"
    assert sitting.refused("ana", ChangeOptions(Options(timer=1))) == "bad-options"
    sitting.start()
    assert sitting.refused("ana", ChangeOptions(Options(seats=2))) == "game-going-on"
    sitting.ask("ana", CallOff())
    sitting.ask("ana", CallRematch(bytes(32)))
    sitting.ask("ana", ChangeOptions(Options("deluxe", seats=5)))
    sitting.start()
    assert len(sitting.table.game.held if sitting.table.game else ()) == 5
    assert sitting.replayed() == sitting.table


def test_an_edition_of_ones_own() -> None:
    custom = 'based_on = "classic"\nname = "ours"\ntitle = "Ours"\nphases = ["set 2"]\n'
    sitting = sitting_of_two(Options(custom=custom, seats=2))
    sitting.start()
    assert [phase.text for phase in sitting.table.rules.phases] == ["set 2"]
