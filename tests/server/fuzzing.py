"""A great many inputs of every kind, without a server: ``python -m tests.server.fuzzing 1000000``.

Each goes the way that it would go in the server. Whatever it is, it is refused in good order, or does
what may be done: any other exception ends the run, with the seed and the number of the input.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

import msgspec

from phaseten.language import LANGUAGES, language
from phaseten.notation.records import RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError
from phaseten.server.http.hosts import is_own_name, name_in
from phaseten.server.http.identity import Tokens, is_same_origin
from phaseten.server.http.replays import NoSuchSeatError, replay
from phaseten.server.http.tables import NewTable
from phaseten.server.socket.messages import encode
from phaseten.server.socket.requests import MalformedError, command_of, read_request
from phaseten.server.socket.updates import refused
from phaseten.server.store.codec import read_events, write_events
from phaseten.table.commands import AskFit, AskNeed, AskPast, Mute, OpenTable, Play, Question, Undo
from phaseten.table.decisions import check_question, decide, open_table
from phaseten.table.fold import apply
from phaseten.table.names import clean_text, is_visible, look_alike
from phaseten.table.options import Options, OptionsError
from tests.example_record import RECORD
from tests.server.test_fuzz import DOS, FUZZED, WEIRD, message_of
from tests.table.sitting import SEED

OWNERS = ("ana", "beto", "cleo", "")
TOKENS = Tokens(bytes(32))
GIVEN = TOKENS.new().token


def message(rng: random.Random) -> str:
    """A message over a socket, of anybody, to a table in the middle of a game."""
    owner, table = rng.choice(OWNERS), FUZZED.table
    try:
        command = command_of(read_request(message_of(rng, table.version, DOS)), lambda: SEED)
    except MalformedError:
        return "malformed"
    if isinstance(command, Play | Undo | Question) and rng.random() < 0.8:
        command = command._replace(at=table.version)
    if isinstance(command, Mute | AskNeed | AskPast | AskFit):
        return "own"
    if isinstance(command, Question):
        decision = check_question(table, owner, command)
        if decision is None:
            return "question"
    else:
        decision = decide(table, owner, command)
    if isinstance(decision, tuple):
        assert read_events(write_events(decision)) == decision
        assert apply(table, 1, decision).version == table.version + 1
        return "done"
    encode(refused(decision, language(rng.choice(LANGUAGES)), table))
    return "refused"


def body(rng: random.Random) -> str:
    """The body of a request that opens a table."""
    options = {
        name: rng.choice(
            (*WEIRD, 2, 4, True, "express", "ten-hands", ["no_luck"], 'based_on = "classic"')
        )
        for name in rng.sample(Options.__struct_fields__, rng.randrange(4))
    }
    text = _json({"name": rng.choice((*WEIRD, "Ana")), "options": options})
    try:
        wanted = msgspec.json.decode(_damaged(rng, text), type=NewTable)
        decision = open_table("ana", OpenTable(wanted.options, wanted.name, SEED))
    except (msgspec.DecodeError, OptionsError, RecursionError, UnicodeError):
        return "refused"
    return "done" if isinstance(decision, tuple) else "refused"


def _json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, ValueError, OverflowError, UnicodeError):
        return b'{"name":"\\ud800"}'


def record(rng: random.Random) -> str:
    """A record that is sent to be shown."""
    try:
        found = parse_record(decode_record(_damaged(rng, RECORD.encode())))
        replay(found, rng.choice((None, 1, 2, 6)), language(rng.choice(LANGUAGES)))
    except (RecordSyntaxError, IllegalRecordError, NoSuchSeatError):
        return "refused"
    return "done"


def name(rng: random.Random) -> str:
    """A name, of letters from all over Unicode."""
    text = "".join(chr(rng.choice(_LETTERS)) for _ in range(rng.randrange(30)))
    shown = clean_text(text)
    look_alike(shown, ["Ana", "Beto"])
    if not is_visible(shown):
        return "refused"
    assert shown == clean_text(shown)
    assert not any(char in "\u202e\u2066\u200b\ufeff\0\n" for char in shown)
    return "done"


_LETTERS = (
    *range(0x20, 0x7F),
    *range(0x300, 0x700),
    *range(0x200B, 0x2070),
    *range(0x1F300, 0x1F650),
    0x3164,
    0xFE0F,
)


def header(rng: random.Random) -> str:
    """A Host, an Origin or a cookie."""
    text = _damaged(
        rng, rng.choice((GIVEN, "http://cards.example:8010", "[::1]:80", "a.local")).encode()
    )
    value = text.decode("latin-1")
    found = TOKENS.find(value)
    assert found is None or value == GIVEN
    is_same_origin({"origin": value, "host": value}, ())
    return "done" if is_own_name(name_in(value), ()) or found is not None else "refused"


def _damaged(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(4):
            case 0:
                changed[at:at] = rng.randbytes(rng.randrange(1, 4))
            case 1:
                del changed[at : at + rng.randrange(1, 9)]
            case 2:
                changed[at : at + 1] = rng.choice((b"\0", b"\xff", b"9", b"\n", b"{", b'"'))
            case _:
                other = rng.randrange(len(changed) + 1)
                changed[at:at] = changed[other : other + rng.randrange(1, 20)]
    return bytes(changed)


KINDS: tuple[tuple[Callable[[random.Random], str], int], ...] = (
    (message, 700),
    (name, 150),
    (header, 115),
    (body, 30),
    (record, 5),
)
"""What is tried, and how many of a thousand inputs are of that kind: those that take long are few."""


def fuzz(count: int, seed: int) -> Counter[str]:
    """Try so many inputs; how many of which kind ended how."""
    ends: Counter[str] = Counter()
    kinds = [kind for kind, share in KINDS for _ in range(share)]
    choices = random.Random(seed)
    for number in range(count):
        kind = choices.choice(kinds)
        try:
            end = kind(random.Random(f"{seed} {number}"))
        except Exception as error:
            error.add_note(f"input {number} of seed {seed}: {kind.__name__}")
            raise
        ends[f"{kind.__name__} {end}"] += 1
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    chosen = parser.parse_args()
    began = time.perf_counter()
    ends = fuzz(chosen.count, chosen.seed)
    seconds = time.perf_counter() - began
    print(
        f"{chosen.count:,} inputs, seed {chosen.seed}, {seconds:.0f} s", dict(sorted(ends.items()))
    )


if __name__ == "__main__":
    sys.exit(main())
