"""How a table plays: what can be chosen, and when."""

import pytest

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
from phaseten.table.options import Options, OptionsError, rules_of
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
