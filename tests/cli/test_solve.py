import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from phaseten import BOOK_EDITIONS, Rules, edition, solve
from tests.cli.command import Caller, assert_refused, process
from tests.patience import PATIENCE

HAND = ["R3", "B3", "W", "S", "Y5", "G6", "R7", "B8", "G12", "Y1"]
SOLVED = {
    "possible": True,
    "missing": 0,
    "melds": [["R3", "B3", "W=3"], ["Y5", "G6", "R7", "B8"]],
    "left_points": 30,
}


def query(**fields: object) -> bytes:
    return json.dumps({"edition": "classic", "phase": 2, "cards": HAND} | fields).encode() + b"\n"


def test_json(call: Caller) -> None:
    answer = call("solve", "--edition", "classic", "--phase", "2", "--json", *HAND)
    assert answer.code == 0
    assert answer.json == SOLVED
    answer = call("solve", "--phase", "4", "--json", "R3", "S")
    assert answer.out == ('{"possible": false, "missing": 6, "melds": null, "left_points": 20}\n')


def test_in_words(call: Caller) -> None:
    answer = call("solve", "--phase", "2", *HAND)
    assert "Yes: this makes Phase 2 of Classic (set of 3 + run of 4)." in answer.out
    assert "R3" in answer.out
    assert "(30 points)" in answer.out
    answer = call("solve", "-e", "express", "-p", "4", "R6", "Y6", "B7", "W")
    assert "run of 2 pairs" in answer.out
    assert "Nothing is left in hand." in answer.out
    answer = call("solve", "--phase", "1", "R3", "B3", "Y4", "G4", "W")
    assert answer.code == 0
    assert "you need 1 more card at the least" in answer.out


def test_house_rule(call: Caller) -> None:
    cards = ["W", "W", "W", "R9", "B9", "Y9"]
    assert call("solve", "--phase", "1", "--json", *cards).json["possible"]
    answer = call("solve", "--phase", "1", "--json", "--house", "natural_per_meld", *cards)
    assert answer.json["possible"]  # a 9 goes to each set
    cards = ["W", "W", "W", "W", "W", "R9"]
    assert call("solve", "--phase", "1", "--json", *cards).json["missing"] == 0
    answer = call("solve", "--phase", "1", "--json", "--house", "natural_per_meld", *cards)
    assert answer.json["missing"] == 1


def test_more_cards_than_the_deck_has(call: Caller) -> None:
    answer = call("solve", "--phase", "1", "--json", *["R3"] * 100)
    assert answer.json["left_points"] == 0
    assert Counter(card for meld in answer.json["melds"] for card in meld) == {"R3": 100}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--phase", "2"], "which cards"),
        (["R3"], "which Phase"),
        (["--phase", "11", "R3"], "Classic has the Phases 1 to 10, not 11."),
        (["--phase", "-1", "R3"], "Phases 1 to 10"),
        (["--phase", "2", "W=5"], "one you hold is just W"),
        (["--phase", "2", "R13"], "'R13' is not a card"),
        (["--phase", "2", "r3"], "'r3' is not a card"),
        (["--phase", "2", "O3"], "Classic has no orange cards"),
        (["--phase", "2", "--edition", "nope", "R3"], "there is no edition 'nope'"),
        (["--phase", "2", "--edition", "no.toml", "R3"], "no.toml cannot be read"),
        (["--phase", "2", "--house", "nope", "R3"], "'nope' is not a house rule"),
        (["--jsonl", "a", "b"], "one file"),
        (["--jsonl", "nowhere"], "nowhere cannot be opened"),
        (["--jsonl", "."], ". cannot be opened"),
        (["--jsonl", "a\0"], "not the name of a file"),
    ],
)
def test_refusals(call: Caller, arguments: list[str], words: str) -> None:
    answer = call("solve", *arguments)
    assert_refused(answer)
    assert words.lower() in answer.err.lower()


def test_small_deck(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(
        'based_on = "classic"\nname = "s"\ntitle = "Small"\nhighest = 9\nphases = ["run 4"]\n'
    )
    arguments = ("solve", "--phase", "1", "--edition", "small.toml")
    assert call(*arguments, "--json", "R6", "R7", "R8", "R9").json["possible"]
    assert_refused(call(*arguments, "R10"), "Small has numbers from 1 to 9: R10.")


# -- many at once ------------------------------------------------------------------------------


def test_many_queries(call: Caller) -> None:
    lines = query() + b"\n  \n" + query(phase=4) + query(edition="express", phase=5).rstrip()
    answer = call("solve", "--jsonl", stdin=lines)
    assert answer.code == 0
    assert [line["possible"] for line in answer.lines] == [True, False, True]
    assert answer.lines[0] == SOLVED


def test_options_fill_in_what_queries_leave_out(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_bytes(json.dumps({"cards": HAND}).encode())
    answer = call("solve", "--jsonl", "--edition", "deluxe", "--phase", "2", "q.jsonl")
    assert answer.lines == [SOLVED]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"nope", "not JSON"),
        (b"[]", "a query is an object"),
        (b"\xff", "not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"phase": 1' + b"1" * 5000 + b', "cards": []}', ""),
        (query(cards="R3 B3"), "cards has to be a list"),
        (query(cards=None), "cards has to be a list"),
        (query(cards=[["R3"]]), "is not a card"),
        (query(cards=[3]), "is not a card"),
        (query(cards=["W=5"]), "just W"),
        (query(cards=["O3"]), "no orange cards"),
        (query(cards=["R3", "S "]), "'S ' is not a card"),
        (query(phase="2"), "whole number"),
        (query(phase=True), "whole number"),
        (query(phase=2.0), "whole number"),
        (query(phase=0), "Phases 1 to 10"),
        (query(edition=7), "edition has to be a text"),
        (query(edition="a\0.toml"), "not the name of a file"),
        (query(edition="nope"), "no edition"),
        (query(house=[]), "house has to be a text"),
        (query(house="nope"), "not a house rule"),
        (b'{"cards": []}', "phase has to be"),
    ],
)
def test_a_bad_line_is_said_and_the_others_are_answered(
    call: Caller, line: bytes, words: str
) -> None:
    answer = call("solve", "--jsonl", stdin=query() + line.rstrip() + b"\n" + query())
    assert answer.code == 2
    first, bad, last = answer.lines
    assert first == last == SOLVED
    assert set(bad) == {"error", "line"}
    assert bad["line"] == 2
    assert words.lower() in bad["error"].lower()


def test_same_answers_as_the_engine(call: Caller) -> None:
    chance = random.Random(4)
    queries: list[tuple[str, int, list[str]]] = []
    for name in BOOK_EDITIONS:
        box = edition(name)
        for _ in range(40):
            held = [card.text for card in chance.sample(box.deck, box.deal + 1)]
            queries.append((name, chance.randint(1, 10), held))
    lines = b"".join(query(edition=e, phase=p, cards=c) for e, p, c in queries)
    answers = call("solve", "--jsonl", stdin=lines).lines
    for (name, phase, cards), answer in zip(queries, answers, strict=True):
        rules = Rules(edition(name))
        expected = solve(rules, phase, cards)
        melds = expected.melds and [[card.text for card in meld] for meld in expected.melds]
        assert answer == {
            "possible": expected.possible,
            "missing": expected.missing,
            "melds": melds,
            "left_points": expected.left_points,
        }


def test_lines_longer_than_a_chunk(call: Caller) -> None:
    lines = query(padding="x" * 200_000) + query() * 2000
    answer = call("solve", "--jsonl", stdin=lines)
    assert answer.code == 0
    assert len(answer.lines) == 2001


def test_answers_come_before_the_next_question() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "phaseten", "solve", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as solver:
        assert solver.stdin is not None
        assert solver.stdout is not None
        for _ in range(3):
            solver.stdin.write(query())
            solver.stdin.flush()
            assert json.loads(solver.stdout.readline()) == SOLVED
        solver.stdin.close()
        assert solver.wait(PATIENCE) == 0


def test_output_that_is_not_utf8() -> None:
    answer = process("solve", "--phase", "2", *HAND, env={"PYTHONIOENCODING": "ascii"})
    assert "  R3 B3 W=3\n" in answer.out
    answer = process("solve", "--phase", "2", *HAND, env={"PYTHONIOENCODING": "utf-8"})
    assert "  ▲R3 ●B3 W=3\n" in answer.out


def test_more_copies_than_the_deck_has(call: Caller) -> None:
    """The answer is given all the same, as --jsonl gives it: whoever asks may have reasons."""
    answer = call(
        "solve", "--phase", "1", *["R3", "R3", "R3", "Y7", "Y7", "W", "S", "S", "S", "S", "S"]
    )
    assert answer.code == 0
    assert answer.out.startswith("Yes: ")
    assert answer.err == (
        "phaseten: The deck of Classic has R3 twice, not 3 times: nobody can hold these cards.\n"
        "phaseten: The deck of Classic has S 4 times, not 5 times: nobody can hold these cards.\n"
    )
    once = call("solve", "-e", "express", "--phase", "5", "R3", "R3", "W", "--json")
    assert once.json["possible"]
    assert "Express has R3 once, not 2 times" in once.err
