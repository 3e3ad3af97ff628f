import re
from functools import cache
from pathlib import Path

import pytest

from phaseten import Game
from phaseten.bots.ladder import make_bot
from phaseten.notation.recording import record_game
from phaseten.notation.records import format_record, parse_record
from phaseten.rules.events import PileReshuffled
from tests.cli.command import Caller, assert_refused


def played() -> Game:
    """A whole game in which the first hand drags on until the draw pile has been used up."""
    game = Game("classic", ["Ana", "Beto"], variant="phases=3", seed=1, client_seed="ana:k3")
    bot = make_bot("casual")
    while not any(isinstance(event, PileReshuffled) for event in game.events):
        game.play("D")
        game.play(game.legal_actions()[-1])
    while game.winner is None:
        game.play(bot.choose(game.view()))
    return game


@cache
def records() -> tuple[str, str, str]:
    """A finished game with seeds alone, and with its decks as well; and its commitment."""
    game = played()
    short = game.record()
    header = parse_record(short).header
    seeds = re.findall(r"\[(?:Server|Client)Seed .*\]\n", short)
    bare = record_game(
        type(header)(header.edition, header.names, header.dealer, header.variant), game.events
    )
    tag = '[Dealer "1"]\n'
    return short, format_record(bare).replace(tag, tag + "".join(seeds)), game.commitment


def test_seeds_alone(call: Caller) -> None:
    short, _, commitment = records()
    answer = call("verify", "-", stdin=short.encode())
    assert answer.code == 0
    assert commitment in answer.out
    assert "Hand 1: dealt from the seeds" in answer.out
    assert re.search(r"^ok: \d+ deals and [1-9]\d* reshuffles? agree", answer.out, re.MULTILINE)


def test_decks_that_agree(call: Caller, tmp_path: Path) -> None:
    _, full, commitment = records()
    (tmp_path / "game.p10").write_text(full)
    answer = call("verify", "game.p10", "--commitment", commitment.upper())
    assert answer.code == 0
    assert "as promised" in answer.out
    assert "Hand 1: deck agrees" in answer.out
    decks = call("verify", "game.p10", "--decks").out
    assert all(line.strip() in decks for line in full.splitlines() if line.startswith("Deck"))


def test_another_commitment(call: Caller) -> None:
    short, _, commitment = records()
    for wrong in ("0" * 64, commitment[:4], "nonsense"):
        answer = call("verify", "-", "--commitment", wrong, stdin=short.encode())
        assert answer.code == 1
        assert f"NOT the one promised: {wrong}" in answer.out
        assert answer.out.endswith("NOT ok.\n")


def test_a_deck_that_differs(call: Caller) -> None:
    _, full, _ = records()
    deck = re.findall(r"^Deck (.*)$", full, re.MULTILINE)[1]
    first, second, *rest = deck.split()
    assert first != second
    changed = full.replace(deck, " ".join([second, first, *rest]))
    answer = call("verify", "-", stdin=changed.encode())
    assert answer.code == 1
    assert "Hand 1: deck agrees" in answer.out
    assert f"card 1 of the Deck is {second}, and the seeds give {first}" in answer.out
    assert "NOT ok" in answer.out
    answer = call("verify", "-", stdin=full.replace(deck, " ".join(rest)).encode())
    assert answer.code == 1
    assert "the Deck has 106 cards, and the seeds give 108" in answer.out


def test_a_reshuffle_that_differs(call: Caller) -> None:
    _, full, _ = records()
    pile = re.findall(r"^Shuffle (.*)$", full, re.MULTILINE)[0]
    cards = pile.split()
    changed = full.replace(f"Shuffle {pile}", f"Shuffle {' '.join(reversed(cards))}", 1)
    answer = call("verify", "-", stdin=changed.encode())
    assert answer.code == 1
    assert "(T-RESHUFFLE)" in answer.out


def test_another_seed(call: Caller) -> None:
    _, full, _ = records()
    answer = call("verify", "-", stdin=full.replace("ana:k3", "ana:k4").encode())
    assert answer.code == 1
    assert "NOT ok" in answer.out


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("", "line 1"),
        ("nonsense", "line 1"),
        ('[Format "phaseten-1"]', "Seat1"),
    ],
)
def test_what_cannot_be_read(call: Caller, record: str, words: str) -> None:
    assert words in call("verify", "-", stdin=record.encode()).err


def test_refusals(call: Caller, tmp_path: Path) -> None:
    assert_refused(call("verify"), "Name a record")
    assert_refused(call("verify", "nowhere.p10"), "nowhere.p10 cannot be opened")
    assert_refused(call("verify", str(tmp_path)), "cannot be opened")
    short, _, _ = records()
    bare = re.sub(r"\[ServerSeed .*\]\n", "", short)
    assert_refused(call("verify", "-", stdin=bare.encode()), "does not have both seeds")
    assert_refused(call("verify", "-", stdin=b"\xff"), "UTF-8")
