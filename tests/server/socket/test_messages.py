"""Messages: strict in; and out goes only what its receiver may know."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints, is_typeddict

import msgspec
import pytest
from msgspec import UNSET

from phaseten.language import LANGUAGES, language
from phaseten.notation.codec import (
    ACTION_NAMES,
    EVENTS,
    SEEN,
    write_action,
    write_seen,
    write_view,
)
from phaseten.notation.shapes import fields_of
from phaseten.rules.actions import DrawDeck
from phaseten.rules.melds import Meld
from phaseten.rules.refusals import refuse
from phaseten.rules.views import legal_actions, view_of
from phaseten.server.socket import protocol
from phaseten.server.socket.messages import (
    Form,
    Message,
    Outgoing,
    StepForm,
    encode,
)
from phaseten.server.socket.requests import (
    MOST_BYTES,
    MalformedError,
    Request,
    RequestForm,
    command_of,
    read_id,
    read_request,
)
from phaseten.server.socket.updates import refused, step_form, update, welcome
from phaseten.server.store.codec import read_events
from phaseten.table.commands import (
    AskFit,
    AskNeed,
    AskPast,
    CallRematch,
    Command,
    Mute,
    Play,
    Question,
)
from phaseten.table.events import Open, OpenEvent, Secret, SeedDrawn
from phaseten.table.options import Options
from phaseten.table.state import Table
from phaseten.table.talk import REACTIONS
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import TableStep, Viewer, viewer_of
from tests.laws.games import RARE, Setup, play
from tests.laws.test_leaks import exchanged, hidden_places
from tests.table.sitting import SEED, Sitting

SAMPLES = {
    "draw": {"at": 3},
    "take": {"at": 3},
    "nothing": {"at": 3},
    "lay": {"melds": [["R3", "W=3"]], "at": 3},
    "hit": {"cards": ["R5"], "seat": 2, "meld": 1, "at": 3},
    "discard": {"card": "S", "target": 2, "at": 3},
    "undo": {"at": 3},
    "sit": {"seat": 1, "name": "Ana"},
    "leave": {},
    "back": {},
    "seed": {"text": "k3"},
    "say": {"text": "hi"},
    "react": {"reaction": "nice"},
    "bot": {"seat": 2, "level": "sharp"},
    "clear": {"seat": 2},
    "host": {"seat": 2},
    "stand_in": {"seat": 2, "level": "sharp"},
    "claim_host": {},
    "options": {"options": {"seats": 3}},
    "start": {},
    "deal": {},
    "hurry": {},
    "pause": {},
    "resume": {},
    "call_off": {},
    "rematch": {},
    "chat": {"on": True},
    "coach": {"on": True},
}
"""What changes the table."""
OWN = {
    "hint": {"at": 3, "level": "sharp"},
    "explain": {"at": 3, "action": {"do": "discard", "card": "R5"}},
    "need": {"at": 3},
    "fit": {"phase": 1, "group": 1, "cards": ["R7", "W"]},
    "again": {},
    "past": {},
    "mute": {"seat": 2, "on": True},
}
"""What changes nothing for anybody else."""
ALL = SAMPLES | OWN


def message(do: str, **more: object) -> bytes:
    return json.dumps({"do": do, **ALL[do], **more}).encode()


# -- in ----------------------------------------------------------------------------------------


def test_there_is_a_sample_of_every_request() -> None:
    others = {kind.__struct_config__.tag for kind in get_args(RequestForm)}
    assert others | ACTION_NAMES == set(ALL)


@pytest.mark.parametrize("do", ALL)
def test_every_request_becomes_a_command(do: str) -> None:
    command = command_of(read_request(message(do, id=7)), lambda: SEED)
    asked = (AskNeed, AskPast, AskFit, Mute)
    assert isinstance(command, (*get_args(Command), *get_args(Question), *asked))
    if do == "rematch":
        assert command == CallRematch(SEED)


@pytest.mark.parametrize("do", ALL)
def test_unknown_fields_and_wrong_types_are_refused(do: str) -> None:
    with pytest.raises(MalformedError):
        read_request(message(do, more=1))
    with pytest.raises(MalformedError):
        read_request(message(do, id="7"))
    for field, value in ALL[do].items():
        with pytest.raises(MalformedError):
            read_request(message(do, **{field: {"x": value}}))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"do":"fly"}',
        b'{"do":["draw"],"at":1}',
        b"\xff\xfe",
        b'{"do":"say","text":"\xed\xa0\x80"}',
        b"[" * 3_000,
        b'{"do":"say","text":"' + b"x" * MOST_BYTES + b'"}',
        b'{"do":"sit","seat":7,"name":"x"}',
        b'{"do":"sit","seat":1.5,"name":"x"}',
        b'{"do":"sit","seat":true,"name":"x"}',
        b'{"do":"draw","at":1e400}',
    ],
)
def test_what_cannot_be_read(data: bytes) -> None:
    with pytest.raises(MalformedError):
        read_request(data)


def test_the_number_of_what_is_not_carried_out_is_known_wherever_it_can_be() -> None:
    assert read_id(b'{"do": "fly", "id": 12}') == 12
    for data in (b'{"do": "draw"}', b'{"id": "12"}', b"[12]", b"\xff", b"{" * 5_000):
        assert read_id(data) is UNSET


@pytest.mark.parametrize(
    "data",
    [
        b'{"do":"draw"}',
        b'{"do":"undo"}',
        b'{"do":"discard","card":"R99","at":1}',
        b'{"do":"hit","cards":["?"],"seat":1,"meld":1,"at":1}',
        b'{"do":"lay","melds":[["r3"]],"at":1}',
    ],
)
def test_what_can_be_read_but_makes_no_sense(data: bytes) -> None:
    with pytest.raises(MalformedError):
        command_of(read_request(data), lambda: SEED)


@pytest.mark.parametrize("setup", RARE, ids=range(len(RARE)))
def test_every_legal_action_comes_back_as_it_was_sent(setup: Setup) -> None:
    for step in play(setup, 60):
        board = step.after.board
        if board is None:
            continue
        for action in legal_actions(view_of(step.after, board.turn)):
            sent = write_action(action)
            assert "at" not in sent
            assert "id" not in sent
            back = read_request(json.dumps({**sent, "at": 5}))
            assert command_of(back, lambda: SEED) == Play(action, 5)


# -- out: by type ------------------------------------------------------------------------------


def reachable(kind: Any) -> Iterator[Any]:
    """All types that can stand somewhere in a message of that type."""
    parts = get_args(kind)
    if parts:
        for part in parts:
            yield from reachable(part)
    elif isinstance(kind, type):
        yield kind
        if is_typeddict(kind) or issubclass(kind, msgspec.Struct):
            for hint in get_type_hints(kind).values():
                yield from reachable(hint)


def test_nothing_secret_can_be_reached_from_the_messages() -> None:
    found = {*reachable(Outgoing)}
    for kind in get_args(OpenEvent):
        found |= {*reachable(kind)}
    for kind in SEEN.kinds:
        for shape in fields_of(kind).shapes.values():
            found |= {*reachable(shape.form)} - {Meld}
    allowed = (Form, Message, Request, Open, Options)
    for kind in found:
        if kind in (int, str, bool, type(None), msgspec.UnsetType) or is_typeddict(kind):
            continue  # what the codec writes has a place for nothing but these either
        assert issubclass(kind, allowed), kind
        assert not issubclass(kind, Secret), kind


def test_the_truth_cannot_be_encoded() -> None:
    sitting = Sitting(Options(pace=0))
    sitting.start()
    table = sitting.table
    assert table.game is not None
    for wrong in (table, table.game, table.rules, *read_events(sitting.log[-1][1])):
        with pytest.raises(TypeError):
            encode(cast("Any", wrong))
        with pytest.raises(TypeError):
            write_view(cast("Any", wrong))
    dealt = next(e for e in read_events(sitting.log[-1][1]) if type(e).__name__ == "HandDealt")
    with pytest.raises(TypeError):
        write_seen(cast("Any", dealt))
    for wrong in (dealt, EVENTS.write(dealt), SeedDrawn(SEED.hex()), table.game):
        with pytest.raises(TypeError):
            StepForm(1, 1, cast("Any", (wrong,)), ())


# -- out: what is said -------------------------------------------------------------------------


def viewers(table: Table) -> list[Viewer]:
    return [Viewer(None, host=False), *[Viewer(s, host=s == 1) for s, _ in table.seated]]


def steps_of(sitting: Sitting) -> list[TableStep]:
    return [
        TableStep(version, at, read_events(text))
        for version, (at, text) in enumerate(sitting.log, 1)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_no_message_has_a_seed_a_token_or_a_hidden_card(seed: int) -> None:
    """Whole games: exchange what a viewer cannot know, and not a byte changes."""
    rng = random.Random(seed)
    secret = rng.randbytes(32)
    edition = ["express", "classic", "deluxe", "elchavo"][seed]
    sitting = Sitting(
        Options(edition=edition, pace=0, seats=3, variant="phases=1"), "token-ana", seed=secret
    )
    sitting.ask("token-ana", cast("Any", command_of(read_request(message("sit")), lambda: SEED)))
    sitting.start()
    while sitting.table.stage == "playing":
        table = sitting.table
        for viewer in viewers(table):
            sent = encode(update(table, viewer, steps_of(sitting)[-1:]))
            assert b"token" not in sent
            assert secret.hex().encode() not in sent
            if table.game is None or table.game.board is None or rng.random() < 0.7:
                continue
            places = hidden_places(table.game, viewer.seat)
            mixed = table.game
            for place in places:
                mixed = exchanged(mixed, place, rng.choice(places))
            other = table._replace(game=mixed, server_seed="00" * 32)
            assert encode(update(other, viewer, [])) == encode(update(table, viewer, []))
        sitting.act(rng)
    assert secret.hex().encode() in encode(update(sitting.table, viewers(sitting.table)[0], []))


def test_a_step_is_shown_to_each_as_it_may_be_seen() -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.seat("ana", "beto")
    sitting.start()
    turn = sitting.table.turn or 0
    sitting.play(sitting.table.places[turn - 1].owner, read_draw())
    step = steps_of(sitting)[-1]
    own, others, watchers = (
        msgspec.to_builtins(step_form(step, seat))["events"] for seat in (turn, 3 - turn, None)
    )
    assert own[0]["event"] == others[0]["event"] == "DrawSeen"
    assert own[0]["card"]
    assert [*others] == [*watchers] == [{"event": "DrawSeen", "seat": turn, "card": None}]
    opened = msgspec.to_builtins(step_form(steps_of(sitting)[0], None))["events"]
    assert [event["event"] for event in opened] == ["TableOpened", "HostChanged", "SeedPromised"]


def read_draw() -> Any:
    return DrawDeck()


def test_an_update_tells_who_looks_what_can_be_done() -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.seat("ana", "beto")
    before = msgspec.json.decode(encode(update(sitting.table, viewer_of(sitting.table, "ana"), [])))
    assert before["game"] is None
    assert before["you"] == {"seat": 1, "host": True, "undo": False, "hint": False, "muted": []}
    sitting.start()
    turn = sitting.table.turn or 0
    for owner, seat in (("ana", 1), ("beto", 2), ("cleo", None)):
        sent = json.loads(encode(update(sitting.table, viewer_of(sitting.table, owner), [])))
        assert sent["you"]["seat"] == seat
        assert sent["you"]["hint"] == (seat == turn)
        assert [action["do"] for action in sent["actions"]][:1] == ["draw"] * (seat == turn)
        assert len(sent["game"]["held"]) == (10 if seat else 0)


@pytest.mark.parametrize("code", LANGUAGES)
def test_refusals_speak_the_players_language(code: str) -> None:
    sitting = Sitting(Options(seats=2))
    sitting.seat("ana", "beto")
    words = language(code)
    by_rule = refused(refuse("T-TURN", "not-your-turn", seat=1, turn=2), words, sitting.table, 9)
    assert (by_rule.rule, by_rule.reason, by_rule.id) == ("T-TURN", "not-your-turn", 9)
    assert "Beto" in by_rule.sentence
    assert by_rule.version == sitting.table.version
    of_table = refused(TableRefusal("bad-name", {"most": 24}), words, None)
    assert (of_table.rule, of_table.version) == ("TABLE", 0)
    assert "24" in of_table.sentence
    first = welcome(sitting.table, words, 77)
    assert first.now == 77
    assert first.reactions == REACTIONS
    assert json.loads(encode(first))["language"] == code


def test_sentences_differ_by_language() -> None:
    refusal = TableRefusal("stale")
    assert len({refused(refusal, language(code), None).sentence for code in LANGUAGES}) == 4


def test_the_page_about_the_protocol_is_up_to_date() -> None:
    page = Path(__file__).resolve().parents[3] / protocol.PAGE
    assert page.read_text(encoding="utf-8") == protocol.page(), (
        "run: python -m phaseten.server.socket.protocol"
    )
