"""Names that can be seen, and that are nobody else's."""

import pytest

from phaseten.table.commands import OpenTable, Say, TakeSeat
from phaseten.table.decisions import open_table
from phaseten.table.names import clean_text, is_visible, look_alike
from phaseten.table.options import Options
from phaseten.table.verdicts import TableRefusal
from tests.table.sitting import SEED, Sitting

SEEN = (
    "Zoë", "Z\u0303oe", "李小龍", "مريم", "علی\u200cرضا", "می\u200cخواهم", "क्\u200dष", "Renée O’Neil", "x", "7", "🎴",
    "👍🏽", "👩\u200d👩\u200d👧", "👩🏽\u200d🚀", "❤️\u200d🔥", "🏳️\u200d🌈", "1️⃣", "‼️", "ℹ️", "🇧🇷", "👁️\u200d🗨️",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
)  # fmt: skip
UNSEEN = (
    "\u3164", "\u2800", "A\u2800B", "\u115f", "\u1160x", "\uffa0", "A\u200d", "A\u200dB", "A\u200cB", "\u200d", "A\ufe0f",
    "\u0301", "A\u034fB", "\U000e0041", "🏴\U000e0067", "\u202eA", "A\u200fb", "\ufeffAna", "Ana\u00ad", "علی\u200c",
    "👩\u200d", "A\U000e0100", "\u17b4",
)  # fmt: skip


@pytest.mark.parametrize("text", SEEN)
def test_what_people_write_is_accepted(text: str) -> None:
    assert is_visible(clean_text(text))


@pytest.mark.parametrize("text", UNSEEN)
def test_what_cannot_be_seen_is_refused(text: str) -> None:
    assert not is_visible(clean_text(text))
    refusal = open_table("ana", OpenTable(Options(), text, SEED))
    assert isinstance(refusal, TableRefusal)
    assert refusal.reason == "invisible"
    sitting = Sitting()
    assert sitting.refused("beto", TakeSeat(1, text)) == "invisible"
    sitting.seat("ana")
    assert sitting.refused("ana", Say(text)) == "invisible"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("\u0410na", "Ana"),  # Cyrillic
        ("\u0391\u039d\u0391", "Ana"),  # Greek
        ("Ａｎａ", "Ana"),
        ("𝓐na", "Ana"),
        ("ana", "ANA"),
        ("0tto", "Otto"),
        ("lan", "Ian"),
        ("Mamie", "Marnie"),
        ("علیرضا", "علی\u200cرضا"),
        ("♥️", "♥"),
    ],
)
def test_a_name_cannot_be_taken_for_another(name: str, other: str) -> None:
    assert look_alike(name, ["Beto", other]) == other
    sitting = Sitting()
    sitting.ask("ana", TakeSeat(1, other))
    reason = "name-taken" if name.casefold() == other.casefold() else "look-alike"
    assert sitting.refused("beto", TakeSeat(2, name)) == reason


@pytest.mark.parametrize("name", ["José", "Joseph", "Jo", "J0"])
def test_a_name_that_only_resembles_another_is_free(name: str) -> None:
    sitting = Sitting()
    sitting.ask("ana", TakeSeat(1, "Jose"))
    assert sitting.ask("beto", TakeSeat(2, name))


def test_nobody_is_in_the_own_way() -> None:
    sitting = Sitting()
    sitting.ask("ana", TakeSeat(1, "Ana"))
    assert sitting.ask("ana", TakeSeat(1, "\u0410na"))
