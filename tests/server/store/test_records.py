"""Records of a table's games."""

import random

from phaseten.notation.records import parse_record
from phaseten.notation.verdict import judge
from phaseten.rules.actions import DrawDeck, TakeDiscard
from phaseten.server.store.records import record_of
from phaseten.table.commands import AddSeed, CallRematch, Undo
from phaseten.table.options import Options
from tests.server.socket.test_messages import steps_of
from tests.table.sitting import SEED, Sitting

OPTIONS = Options(edition="express", seats=2, pace=0, variant="phases=1")


def playing() -> Sitting:
    sitting = Sitting(OPTIONS)
    sitting.seat("ana", "beto")
    sitting.ask("ana", AddSeed("k3"))
    sitting.start()
    return sitting


def test_what_was_taken_back_is_not_in_the_record() -> None:
    sitting = playing()
    owner = sitting.table.places[(sitting.table.turn or 0) - 1].owner
    sitting.play(owner, TakeDiscard())
    sitting.ask(owner, Undo(sitting.table.version))
    sitting.play(owner, DrawDeck())
    sitting.play_on(random.Random(2), 3_000)
    text = record_of(sitting.table, steps_of(sitting), None)
    assert text is not None
    verdict = judge(parse_record(text))
    assert verdict["ok"], verdict
    game = sitting.table.game
    assert game is not None
    assert verdict["winner"] == game.sheet.winner
    assert f'[ServerSeed "{SEED.hex()}"]' in text
    assert '[ClientSeed "1:k3"]' in text
    assert " P" not in text.partition("Hand 1")[2].split("\n")[1]


def test_a_running_game_is_told_as_the_seat_knows_it() -> None:
    sitting = playing()
    sitting.play_on(random.Random(2), 20)
    assert record_of(sitting.table, steps_of(sitting), None) is None
    text = record_of(sitting.table, steps_of(sitting), 1)
    assert text is not None
    assert '[Seen "1"]' in text
    assert SEED.hex() not in text
    deck = text.partition("Deck ")[2].split("\n")[0].split()
    assert len([card for card in deck if card != "?"]) == sitting.table.rules.edition.deal + 1


def test_an_edition_of_ones_own_is_named_as_a_file() -> None:
    custom = 'based_on = "express"\nname = "ours"\ntitle = "Ours"\n'
    sitting = Sitting(Options(custom=custom, seats=2, pace=0))
    sitting.seat("ana", "beto")
    sitting.start()
    text = record_of(sitting.table, steps_of(sitting), 1)
    assert text is not None
    assert '[Edition "custom.toml"]' in text


def test_only_the_last_game_is_told() -> None:
    sitting = playing()
    sitting.play_on(random.Random(2), 3_000)
    sitting.ask("ana", CallRematch(bytes(32)))
    assert record_of(sitting.table, steps_of(sitting), 1) is None
    sitting.start()
    sitting.play_on(random.Random(3), 3_000)
    text = record_of(sitting.table, steps_of(sitting), None)
    assert text is not None
    assert f'[ServerSeed "{"00" * 32}"]' in text
    assert judge(parse_record(text))["ok"]
