"""The same view is the same bytes to a client of the server, to a program and in a film."""

import json
import random
from typing import Any

import msgspec
import pytest

from phaseten.arena.gameplay import GameTerms
from phaseten.arena.programs import Program
from phaseten.game import Game
from phaseten.language import LANGUAGES, language
from phaseten.notation.codec import write_view
from phaseten.notation.records import parse_record
from phaseten.notation.verdict import describe
from phaseten.rules.views import View, legal_actions
from phaseten.server.http.replays import replay
from phaseten.server.socket.messages import encode
from phaseten.server.socket.updates import update
from phaseten.table.options import Options
from phaseten.table.viewers import viewer_of
from tests.table.sitting import Sitting

ECHO = r"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"hello","protocol":2}', flush=True)
    elif message["type"] == "turn":
        at = line.index('"view":') + len('"view":')
        with open(sys.argv[1], "w") as file:
            file.write(line[at : line.index(',"seen":')])
        print(json.dumps({"action": message["actions"][0]}), flush=True)
"""


def in_bytes(view: View) -> bytes:
    return msgspec.json.encode(write_view(view))


def game_in(message: bytes) -> bytes:
    """The bytes of the game in an update."""
    at = message.index(b'"game":') + len(b'"game":')
    return message[at : message.index(b',"actions":')]


@pytest.mark.parametrize("edition", ["classic", "express"])
def test_server_and_codec(edition: str) -> None:
    sitting = Sitting(Options(edition=edition, pace=0, seats=3, variant="phases=1"))
    sitting.seat("ana", "beto", "cleo")
    sitting.start()
    rng = random.Random(3)
    looked_at = 0
    while sitting.table.stage == "playing" and looked_at < 60:
        table = sitting.table
        for owner in ("ana", "beto", "cleo", "a watcher"):
            viewer = viewer_of(table, owner)
            view = table.view(viewer.seat)
            assert view is not None
            assert game_in(encode(update(table, viewer, []))) == in_bytes(view)
        looked_at += 1
        sitting.act(rng)


def test_program_film_and_codec(tmp_path: Any) -> None:
    bot, heard = tmp_path / "echo.py", tmp_path / "heard"
    bot.write_text(ECHO)
    game = Game("express", ["Ana", "Beto"], variant="phases=1", seed=5)
    program = Program(["python3", str(bot), str(heard)], name="echo")
    program.game_begins(GameTerms(game.rules, players=2), 2, 0)
    told: list[bytes] = []
    try:
        for _ in range(40):
            if game.is_over:
                break
            view = game.view()
            if view.seat == 2:
                action = program.choose(view)
                assert heard.read_bytes() == in_bytes(view)
            else:
                action = legal_actions(view)[0]
            game.play(action)
            told.append(in_bytes(game.view(2)) if game.state.board else b"")
            assert describe(game.state)["totals"] == dict(
                zip(("1", "2"), game.state.sheet.totals, strict=True)
            )
    finally:
        program.close()
    film = replay(parse_record(game.record()), 2, language(LANGUAGES[0]))
    frames = {msgspec.json.encode(frame.game) for frame in film.frames}
    assert len(told) > 10
    assert json.loads(told[0])["seat"] == 2
    for view in told:
        assert not view or view in frames
