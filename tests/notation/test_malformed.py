"""The referee answers whatever it is given, and never with a traceback."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from phaseten.notation.verdict import judge_bytes
from tests.effort import every
from tests.laws.games import examples

ROOT = Path(__file__).parents[2]
RULES = {
    *re.findall(r"^### ([A-Z0-9-]+) ·", (ROOT / "docs/rules.md").read_text("utf-8"), re.MULTILINE),
    "SYNTAX",
}
GOLDEN = sorted(
    path
    for folder in ("games", "illegal", "positions", "examples")
    for path in (ROOT / "tests/golden" / folder).glob("*.p10")
)
DATA = [path.read_bytes() for path in GOLDEN]
SHORT = [data for data in DATA if len(data) < 1500]


def check_verdict(data: bytes) -> dict[str, Any]:
    """Judge, and look at the form of the answer."""
    verdict = judge_bytes(data)
    assert json.loads(json.dumps(verdict)) == verdict
    if verdict["ok"] is True:
        assert set(verdict) == {
            "ok", "finished", "winner", "hands", "totals", "phases", "turn", "state",
        }  # fmt: skip
        assert verdict["finished"] == (verdict["winner"] is not None)
        assert (verdict["turn"] is None) == (verdict["state"] is None)
        return verdict
    assert verdict["ok"] is False
    assert set(verdict) == {"ok", "line", "seat", "rule", "message"}
    assert type(verdict["line"]) is int
    assert 1 <= verdict["line"] <= data.count(b"\n") + 1
    assert verdict["seat"] is None or type(verdict["seat"]) is int
    assert verdict["rule"] in RULES
    assert isinstance(verdict["message"], str)
    assert verdict["message"].strip()
    assert verdict["rule"] == "SYNTAX" or "{" not in verdict["message"]
    return verdict


def test_there_is_something_to_break() -> None:
    assert len(DATA) > 100
    assert len(RULES) > 40
    assert sum(check_verdict(data)["ok"] for data in DATA) > 20


# -- bytes ----------------------------------------------------------------------------------------

ODD: list[bytes] = [
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",  # a lone surrogate
    b"\xf4\x90\x80\x80",  # beyond Unicode
    b"\xc0\xaf",
    "\u0661".encode(),  # an Arabic 1
    "\u00b2".encode(),
    "\uff11".encode(),  # a wide 1
    "\u2028".encode(),
    "\u00a0".encode(),
    "\u200b".encode(),
    "\x85".encode(),
    b"\r",
    b"\x0b",
    b"\x1c",
    b"\n",
    b"\n\n",
    b" ",
    b"\t",
    b";",
    b'"',
    b"\\",
    b"[",
    b"]",
    b"*",
    b"/",
    b"?",
    b"-",
    b"@",
    b">",
    b",",
    b":",
    b"=",
    b"0",
    b"9" * 30,
    b"9" * 5000,
    b"W=",
    b"W=5",
    b"W=O12",
    b"S",
    b"L",
    b"H",
    b"D",
    b"P",
    b"N",
    b"End",
    b"Hand",
    b"Deck",
    b"Shuffle",
    b"Hand 1 tiebreak 1 2",
    b"A" * 20000,
]


def mutate(data: bytes, rng: random.Random) -> bytes:
    """One small thing wrong."""
    at = rng.randrange(len(data) + 1)
    lines = data.split(b"\n")
    here = rng.randrange(len(lines))
    other = rng.randrange(len(lines))
    match rng.randrange(14):
        case 0:
            flipped = bytearray(data)
            if flipped:
                flipped[at % len(flipped)] ^= 1 << rng.randrange(8)
            return bytes(flipped)
        case 1:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 2:
            return data[:at] + data[at + rng.randint(1, 4) :]
        case 3:
            return data[:at] + rng.choice(ODD) + data[at:]
        case 4:
            return data[:at]
        case 5:
            del lines[here]
        case 6:
            lines.insert(here, lines[other])
        case 7:
            lines[here], lines[other] = lines[other], lines[here]
        case 8:
            words = lines[here].split(b" ")
            rng.shuffle(words)
            lines[here] = b" ".join(words)
        case 9:
            words = lines[here].split(b" ")
            words[rng.randrange(len(words))] = rng.choice(ODD)
            lines[here] = b" ".join(words)
        case 10:  # another card, seat or number
            swap = rng.choice([b"R1", b"B12", b"G5", b"W", b"S", b"O3", b"1", b"2", b"3", b"7"])
            words = lines[here].split(b" ")
            words[rng.randrange(len(words))] = swap
            lines[here] = b" ".join(words)
        case 11:  # a word of another line
            words, others = lines[here].split(b" "), lines[other].split(b" ")
            words[rng.randrange(len(words))] = rng.choice(others)
            lines[here] = b" ".join(words)
        case 12:
            return re.sub(rb"[0-9]+", lambda m: m[0] if rng.random() < 0.97 else b"0", data)
        case _:
            return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b"\n\r", b" "]))
    return b"\n".join(lines)


@examples(400)
@given(which=st.integers(0, len(SHORT) - 1), seed=st.integers(0, 2**32), times=st.integers(1, 4))
def test_mutated_records(which: int, seed: int, times: int) -> None:
    rng = random.Random(seed)
    data = SHORT[which]
    for _ in range(times):
        data = mutate(data, rng)
    verdict = check_verdict(data)
    event("ok" if verdict["ok"] else verdict["rule"])


@examples(60)
@given(which=st.integers(0, len(DATA) - 1), seed=st.integers(0, 2**32))
def test_mutated_long_records(which: int, seed: int) -> None:
    check_verdict(mutate(DATA[which], random.Random(seed)))


@examples(200)
@given(st.binary(max_size=400))
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"\x00")
@example(b"[" * 10_000)
@example(b"\n" * 10_000)
def test_random_bytes(data: bytes) -> None:
    verdict = check_verdict(data)
    assert verdict["rule"] == "SYNTAX"


HEAD = (
    '[Format "phaseten-1"]\n[Edition "express"]\n[Seat1 "A"]\n[Seat2 "B"]\n[Dealer "1"]\n'
    f'[ServerSeed "{"0" * 64}"]\n[ClientSeed "x"]\nHand 1\n'
)


@examples(300)
@given(st.text(max_size=60))
def test_random_text_in_a_tag(text: str) -> None:
    for tag in ("Edition", "Variant", "House", "Seat1", "Dealer", "ClientSeed", "Seen", "Event"):
        head = re.sub(rf"\[{tag} .*\n", "", HEAD)
        check_verdict(f'[{tag} "{text}"]\n{head}'.encode("utf-8", "surrogatepass"))


LANGUAGE = """
1 2 3 0 9 D P N L L1 L10 H * / -S -S@1 -S@2 -R1 -W -G7 R1 B2 Y3 G4 W W=5 W=R W=R5 S O1 D:R1 P:W R1>1.1
W>2.1 R1,B1>1.1 S>1.1 W=3,W=3>1.1 End 1:5 2:0 1:0 Hand tiebreak Deck Shuffle ? ;
"""
WORDS = st.sampled_from([*LANGUAGE.split(), "\n", "\n"])


@examples(400)
@given(st.lists(WORDS, max_size=30))
def test_random_words_of_the_language(words: list[str]) -> None:
    verdict = check_verdict((HEAD + " ".join(words)).encode())
    event("ok" if verdict["ok"] else verdict["rule"])


TURNS = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "2", "2", "3"]),
        st.lists(
            st.sampled_from(
                [
                    "D",
                    "D",
                    "P",
                    "N",
                    "L R1 B3 W",
                    "L W W W W",
                    "H W>1.1",
                    "-S@1",
                    "-S",
                    "-W",
                    "-B1",
                    "*",
                ]
            ),
            max_size=4,
        ),
    ),
    max_size=6,
)


@examples(300)
@given(TURNS)
def test_random_turns(turns: list[tuple[str, list[str]]]) -> None:
    text = HEAD + "\n".join(" ".join([seat, *moves]) for seat, moves in turns)
    verdict = check_verdict(text.encode())
    event("ok" if verdict["ok"] else verdict["rule"])


# -- one by one -----------------------------------------------------------------------------------

RECORD = next(path for path in GOLDEN if path.stem == "express-3p-standard-cut").read_bytes()


def test_a_byte_order_mark_and_crlf_are_fine() -> None:
    verdict = check_verdict(RECORD)
    assert verdict["ok"] is True
    assert check_verdict(b"\xef\xbb\xbf" + RECORD) == verdict
    assert check_verdict(RECORD.replace(b"\n", b"\r\n")) == verdict


def test_the_line_of_bytes_that_are_no_text() -> None:
    lines = RECORD.split(b"\n")
    for number in (1, 4, 9, len(lines)):
        broken = [*lines[: number - 1], lines[number - 1] + b"\xff", *lines[number:]]
        verdict = check_verdict(b"\n".join(broken))
        assert (verdict["rule"], verdict["line"]) == ("SYNTAX", number)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd[:8]))
def test_odd_bytes_everywhere(odd: bytes) -> None:
    """In some lines, others for each: at the start, at the end, and as a word of its own."""
    lines = RECORD.split(b"\n")
    for i, line in every(3, list(enumerate(lines)), ODD.index(odd)):
        for broken in (odd + line, line + odd, line + b" " + odd):
            check_verdict(b"\n".join([*lines[:i], broken, *lines[i + 1 :]]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Hand 1\n", b"Hand 99999999999999999999\n"),
        (b"Hand 1\n", b"Hand " + b"1" * 5000 + b"\n"),
        (b"Hand 1\n", "Hand \u0661\n".encode()),
        (b"Hand 1\n", b"Hand 1 tiebreak " + b"1 " * 5000 + b"\n"),
        (b'[Dealer "', b'[Dealer "' + b"1" * 5000),
        (b'[Variant "standard"]', b'[Variant "phases=' + b"9" * 5000 + b'"]'),
        (b'[Variant "standard"]', b'[Variant "' + b"even," * 5000 + b'"]'),
        (b'[Variant "standard"]', b'[House "' + b"no_rediscard," * 5000 + b'x"]'),
        (b'[Seat1 "', b'[Seat99999999999999999999 "x"]\n[Seat1 "'),
        (b'[Edition "express"]', b'[Edition "\x00.toml"]'),
        (b'[Edition "express"]', b'[Edition "' + b"x" * 5000 + b'.toml"]'),
        (b'[Edition "express"]', b'[Edition "/dev/null/x.toml"]'),
        (b'[Edition "express"]', b'[Edition ".toml"]'),
        (b'[Edition "express"]', '[Edition "\ud800.toml"]'.encode("utf-8", "surrogatepass")),
    ],
    ids=range(14),
)
def test_numbers_and_names_out_of_all_bounds(old: bytes, new: bytes) -> None:
    assert old in RECORD
    verdict = check_verdict(RECORD.replace(old, new))
    assert verdict["ok"] is False


@pytest.mark.parametrize(
    "line",
    [
        b"End " + b"1:" + b"9" * 5000,
        b"End " + b" ".join(b"%d:0" % n for n in range(5000)),
        b"1 D -S@" + b"9" * 5000,
        b"1 D H R1>" + b"9" * 5000 + b".1",
        b"1 D H R1>1." + b"9" * 5000,
        b"1 D H " + b"R1," * 5000 + b"R1>1.1",
        b"1 D L" + b"9" * 5000 + b" R1",
        b"1 D L " + b"R1 " * 50_000,
        b"1 D L " + b"R1 / " * 50_000 + b"R1",
        b"9" * 5000 + b" D",
        b"1 " + b"D " * 50_000,
        b"Deck " + b"R1 " * 50_000,
        b"Shuffle " + b"R1 " * 50_000,
        b"Shuffle " + b"? " * 50_000,
        b";" * 200_000,
        b'[X "' + b"\\\\" * 50_000 + b'"]',
        b'[X "' + b'\\"' * 50_000,
    ],
    ids=range(17),
)
def test_very_long_lines(line: bytes) -> None:
    check_verdict(RECORD + b"\n" + line)
    check_verdict(line + b"\n" + RECORD)
    check_verdict(RECORD.replace(b"Hand 1\n", b"Hand 1\n" + line + b"\n"))


def test_every_prefix_of_a_record() -> None:
    """Cut off after any byte."""
    for end in range(0, len(RECORD), 3):
        check_verdict(RECORD[:end])


@settings(examples(100))
@given(st.integers(0, len(DATA) - 1), st.data())
def test_lines_without_one_of_them(which: int, data: st.DataObject) -> None:
    lines = DATA[which].split(b"\n")
    gone = data.draw(st.integers(0, len(lines) - 1))
    check_verdict(b"\n".join(lines[:gone] + lines[gone + 1 :]))
