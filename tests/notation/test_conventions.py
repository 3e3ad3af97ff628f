"""What can be wrong only in a record: each line of the table in docs/notation.md, and the tags."""

import re
from pathlib import Path
from typing import Any

import pytest

from phaseten.game import Game
from phaseten.notation.records import RecordSyntaxError, format_record, parse_record
from phaseten.notation.verdict import judge_bytes
from phaseten.rules.editions import read_edition
from phaseten.rules.events import HandDealt, PileReshuffled
from tests.example_record import RECORD

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "tests/golden/games"

LINES = RECORD.splitlines()
DECK = next(line for line in LINES if line.startswith("Deck"))


def judge(text: str) -> dict[str, Any]:
    return judge_bytes(text.encode())


def refused(text: str) -> tuple[int, int | None, str]:
    verdict = judge(text)
    assert verdict["ok"] is False, verdict
    assert verdict["message"]
    return verdict["line"], verdict["seat"], verdict["rule"]


def with_line(number: int, *lines: str) -> str:
    """The record with one of its lines (from 1) replaced by others, or left out."""
    return "\n".join([*LINES[: number - 1], *lines, *LINES[number:]]) + "\n"


def until(number: int, *lines: str) -> str:
    """The record up to that line, and then others."""
    return "\n".join([*LINES[:number], *lines]) + "\n"


def test_the_documented_record_is_good() -> None:
    assert judge(RECORD) == {
        "ok": True,
        "finished": False,
        "winner": None,
        "hands": [{"hand": 1, "out": 2, "points": {"1": 5, "2": 0}, "made": {"1": 1, "2": 1}}],
        "totals": {"1": 5, "2": 0},
        "phases": {"1": 2, "2": 2},
        "turn": None,
        "state": None,
    }
    assert judge(until(14)) == {
        "ok": True,
        "finished": False,
        "winner": None,
        "hands": [],
        "totals": {"1": 0, "2": 0},
        "phases": {"1": 1, "2": 1},
        "turn": {"hand": 1, "seat": 2, "step": "draw"},
        "state": {
            "draw_pile": 40,
            "discard_top": "G6",
            "held": {"1": ["G2"], "2": ["Y4"]},
            "table": {"1": [["R1", "R3", "B5", "W"]], "2": [["B1", "B7", "G9", "Y11"]]},
            "skips_waiting": [],
        },
    }


def test_the_documented_record_is_the_one_in_the_docs() -> None:
    docs = (ROOT / "docs/notation.md").read_text(encoding="utf-8")
    block = next(b for b in re.findall(r"```\n(.*?)```", docs, re.DOTALL) if "[Format" in b)
    assert judge(block) == judge(RECORD)
    plain = [line.partition(";")[0].rstrip() for line in block.splitlines()]
    assert [line for line in plain if line] == [line for line in LINES if line]


@pytest.mark.parametrize("count", range(9, 17))
def test_a_record_may_stop_anywhere(count: int) -> None:
    assert judge(until(count))["ok"] is True


def test_a_turn_may_be_cut_off_anywhere() -> None:
    for number in range(10, 16):
        words = LINES[number - 1].split()
        for count in range(2, len(words) + 1):
            line = " ".join(words[:count])
            laying = " L " in line and words[count - 1][0] in "RBYG"
            if laying or line.endswith((" L", " H")):
                continue  # half an action cannot be read, or is another one
            assert judge(until(number - 1, line))["ok"] is True, line


# -- the table, from top to bottom ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (with_line(10, "1 D discards R8"), 10),
        (with_line(10, "1 D -R13"), 10),
        (with_line(10, "1 D -r8"), 10),
        (with_line(10, "1 D -R08"), 10),
        (with_line(10, "1 DD -R8"), 10),
        (with_line(10, "1"), 10),
        (with_line(10, "1 -"), 10),
        (with_line(10, "1 D --R8"), 10),
        (with_line(10, "1D -R8"), 10),
        (with_line(10, "Ana D -R8"), 10),
        (with_line(10, "100 D -R8"), 10),
        (with_line(10, "-1 D -R8"), 10),
        (with_line(10, "1 D -S@0"), 10),
        (with_line(10, "1 D -S@"), 10),
        (with_line(10, "1 D -R8@2"), 10),
        (with_line(10, "1 N:R5"), 10),
        (with_line(10, "1 D: -R8"), 10),
        (with_line(10, "1 D:? -R8"), 10),
        (with_line(10, "1 * -R8"), 10),
        (with_line(11, "2 D L B1 B7 / -S@1"), 11),
        (with_line(11, "2 D L / B1 B7 -S@1"), 11),
        (with_line(11, "2 D L -S@1"), 11),
        (with_line(11, "2 D L0 B1 B7 G9 Y11 -S@1"), 11),
        (with_line(11, "2 D L100 B1 B7 G9 Y11 -S@1"), 11),
        (with_line(11, "2 D L B1 B7 G9 Y11 -S@l"), 11),
        (with_line(15, "2 D H G3 -Y4"), 15),
        (with_line(15, "2 D H G3>1 -Y4"), 15),
        (with_line(15, "2 D H G3>0.1 -Y4"), 15),
        (with_line(15, "2 D H >1.1 -Y4"), 15),
        (with_line(15, "2 D H G3,>1.1 -Y4"), 15),
        (with_line(15, "2 D H"), 15),
        (with_line(15, "2 D HG3>1.1 -Y4"), 15),
        (with_line(16, "End 1:5 2"), 16),
        (with_line(16, "End 1:-5 2:0"), 16),
        (with_line(16, "End 1:5 1:5"), 16),
        (with_line(16, "End 1=5"), 16),
        (with_line(16, LINES[15], LINES[15]), 17),
        (with_line(16, LINES[15], "1 D"), 17),
        (with_line(16, LINES[15], "over"), 17),
        (with_line(8, "Hand"), 8),
        (with_line(8, "Hand one"), 8),
        (with_line(8, "Hand -1"), 8),
        (with_line(8, "Hand 1 tiebreak"), 8),
        (with_line(8, "Hand 1 tiebreak one"), 8),
        (with_line(8, "Hand 1 draw"), 8),
        (with_line(8, "Hands 1"), 8),
        (with_line(8), 8),
        (with_line(9, DECK, DECK), 10),
        (with_line(9, "Deck"), 9),
        (with_line(9, DECK.replace("R1 ", "R1, ")), 9),
        (with_line(9, DECK.replace("R1 ", "? ")), 9),
        (with_line(9, DECK.replace(" W ", " W=5 ", 1)), 9),
        (with_line(9, DECK.replace("R1 ", "R13 ")), 9),
        (with_line(10, LINES[9], DECK), 11),
        (with_line(10, LINES[9], '[Seat3 "Chus"]'), 11),
        (with_line(10, "Shuffle"), 10),
        (with_line(10, "Shuffle R1 X"), 10),
    ],
)
def test_a_line_or_a_card_that_cannot_be_read(text: str, line: int) -> None:
    assert refused(text) == (line, None, "SYNTAX")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n\n", 1),
        ("; nothing but a comment", 1),
        ("Hand 1\n", 1),
        (with_line(1), 5),
        (with_line(1, '[Format "phaseten-2"]'), 1),
        (with_line(2), 5),
        (with_line(2, '[Edition "chess"]'), 1),
        (with_line(2, '[Edition "nowhere/at-all.toml"]'), 1),
        (with_line(2, '[Edition ""]'), 1),
        (with_line(3, '[Variant "long"]'), 3),
        (with_line(3, '[Variant ""]'), 3),
        (with_line(3, '[Variant "standard,even"]'), 3),
        (with_line(3, '[Variant "even,even"]'), 3),
        (with_line(3, '[Variant "phases=3,phases=3"]'), 3),
        (with_line(3, '[Variant "phases=0"]'), 1),
        (with_line(3, '[Variant "phases=11"]'), 1),
        (with_line(3, '[Variant "phases=1,even"]'), 1),
        (with_line(3, '[Variant "phases=٣"]'), 3),
        (with_line(3, '[Variant "phases=²"]'), 3),
        (with_line(3, '[House "no_jokers"]'), 3),
        (with_line(4), 4),
        (with_line(5), 1),
        (with_line(5, '[Seat3 "Beto"]'), 5),
        (with_line(5, LINES[4], '[Seat4 "Dora"]'), 6),
        (with_line(5, LINES[4], '[Seat02 "Dora"]'), 6),
        (with_line(6), 5),
        (with_line(6, '[Dealer "3"]'), 6),
        (with_line(6, '[Dealer "0"]'), 6),
        (with_line(6, '[Dealer "Beto"]'), 6),
        (with_line(6, '[Dealer "٢"]'), 6),
        (with_line(6, '[Dealer "²"]'), 6),
        (with_line(6, LINES[5], LINES[5]), 7),
        (with_line(6, LINES[5], '[ServerSeed "abc"]'), 7),
        (with_line(6, LINES[5], f'[ServerSeed "{"g" * 64}"]'), 7),
        (with_line(4, "[Seat1 Ana]"), 4),
        (with_line(4, '[Seat1 "Ana"'), 4),
        (with_line(4, '[Seat1 "Ana" "Maria"]'), 4),
        (with_line(4, '[Seat1"Ana"]'), 4),
        (with_line(4, '["Ana"]'), 4),
        (with_line(4, '[1Seat "Ana"]'), 4),
        (with_line(4, '[Seat1 "A"na"]'), 4),
        (with_line(4, '[Seat1 "Ana\\"]'), 4),
        (with_line(4, '[Seat1 "A\\na"]'), 4),
        (with_line(4, '[Seat1 "Ana"] and more'), 4),
        (with_line(6, LINES[5], *(f'[Seat{n} "x"]' for n in range(3, 8))), 1),
    ],
)
def test_a_tag_that_is_wrong_or_missing(text: str, line: int) -> None:
    seen_line, seat, rule = refused(text)
    assert (seat, rule) == (None, "SYNTAX")
    assert 1 <= seen_line <= max(1, len(text.splitlines()))
    assert abs(seen_line - line) <= 5  # where nothing stands, any place near is fine


def test_too_many_players_for_the_deck() -> None:
    tags = LINES[:3] + [f'[Seat{n} "x"]' for n in range(1, 7)] + ['[Dealer "1"]']
    assert judge("\n".join(tags))["ok"] is True
    small = read_edition(
        'based_on = "express"\nname = "tiny"\ntitle = "x"\nhighest = 6\nphases = ["set 2"]\n', "x"
    )
    verdict = judge_bytes("\n".join(tags).replace("express", "tiny").encode(), lambda _: small)
    assert (verdict["ok"], verdict["rule"]) == (False, "SYNTAX")


def test_the_deck_is_missing() -> None:
    assert refused(with_line(9)) == (8, None, "SYNTAX")
    server = f'[ServerSeed "{"0" * 64}"]'
    assert refused(with_line(9).replace("[Dealer", server + "\n[Dealer"))[2] == "SYNTAX"
    client = '[ClientSeed "x"]'
    assert refused(with_line(9).replace("[Dealer", client + "\n[Dealer"))[2] == "SYNTAX"
    seeds = until(8).replace("[Dealer", f"{server}\n{client}\n[Dealer")
    assert judge(seeds)["ok"] is True


def test_the_record_is_redacted() -> None:
    text = RECORD.replace("[Dealer", '[Seen "2"]\n[Dealer')
    line, seat, rule = refused(text)
    assert (seat, rule) == (None, "SYNTAX")
    assert line >= 1
    assert "2" in judge(text)["message"]


def test_a_redacted_record_does_not_give_the_seed_away() -> None:
    tags = f'[Seen "2"]\n[ServerSeed "{"0" * 64}"]\n[Dealer'
    with pytest.raises(RecordSyntaxError):
        parse_record(RECORD.replace("[Dealer", tags))


def test_the_redacted_record_of_the_docs() -> None:
    """Beto's own cards and the turned-up one; what he drew is said where he drew it."""
    full = parse_record(until(11))
    game = Game.from_record(full)
    lines = game.record(2).splitlines()
    assert '[Seen "2"]' in lines
    deck = next(line for line in lines if line.startswith("Deck"))
    assert deck == "Deck ? B1 ? B7 ? G9 ? S ? Y4 Y12" + " ?" * 43
    assert "1 D -R8" in lines
    assert "2 D:Y11 L B1 B7 G9 Y11 -S@1" in lines


def test_the_deck_is_not_that_of_the_edition() -> None:
    swapped = DECK.replace("Y12 ", "Y11 ")
    assert refused(with_line(9, swapped)) == (9, None, "H-DEAL")
    assert refused(with_line(9, DECK.rpartition(" ")[0])) == (9, None, "H-DEAL")
    assert refused(with_line(9, DECK + " R1")) == (9, None, "H-DEAL")
    assert refused(with_line(9, DECK.replace("B10", "O10"))) == (9, None, "H-DEAL")
    classic = with_line(2, '[Edition "classic"]')
    assert refused(classic) == (9, None, "H-DEAL")


def seeded_game() -> str:
    return (GAMES / "deluxe-3p-even-seeds.p10").read_text(encoding="utf-8")


def decks_of(text: str) -> list[str]:
    """The decks that the seeds give, as lines."""
    record = parse_record(text)
    game = Game.from_record(record)
    return [
        "Deck " + " ".join(card.text for card in event.order)
        for event in game.events
        if isinstance(event, HandDealt)
    ]


def test_the_deck_must_agree_with_the_seeds() -> None:
    text = seeded_game()
    deck = decks_of(text)[0]
    assert judge(text.replace("Hand 1\n", f"Hand 1\n{deck}\n"))["ok"] is True
    words = deck.split()
    words[-1], words[-2] = words[-2], words[-1]
    assert words != deck.split()
    other = text.replace("Hand 1\n", f"Hand 1\n{' '.join(words)}\n")
    line = other.splitlines().index(" ".join(words)) + 1
    assert refused(other) == (line, None, "H-DEAL")


def test_another_seed_gives_another_game() -> None:
    text = seeded_game()
    assert judge(re.sub(r'(ClientSeed "[^"]*)', r"\1x", text))["ok"] is False


# -- reshuffles -----------------------------------------------------------------------------------

RESHUFFLE = (GAMES / "express-6p-standard-reshuffle.p10").read_text(encoding="utf-8")
SEEDED_RESHUFFLE = (GAMES / "express-6p-standard-reshuffle-seeds.p10").read_text(encoding="utf-8")


def place_of_shuffle(text: str) -> int:
    """The index of the first Shuffle line."""
    return next(i for i, line in enumerate(text.splitlines()) if line.startswith("Shuffle"))


def test_a_shuffle_is_missing_where_it_is_needed() -> None:
    lines = RESHUFFLE.splitlines()
    at = place_of_shuffle(RESHUFFLE)
    del lines[at]
    line, seat, rule = refused("\n".join(lines))
    assert rule == "T-RESHUFFLE"
    assert line == at + 1  # the turn that wanted to draw
    assert seat == int(lines[at].split()[0])


def test_a_shuffle_has_the_wrong_cards() -> None:
    lines = RESHUFFLE.splitlines()
    at = place_of_shuffle(RESHUFFLE)
    good = lines[at]
    cards = good.split()[1:]
    for wrong in (cards[:-1], [*cards, "R1"], ["W" if cards[0] != "W" else "R1", *cards[1:]]):
        lines[at] = " ".join(["Shuffle", *wrong])
        line, _, rule = refused("\n".join(lines))
        assert (line, rule) == (at + 1, "T-RESHUFFLE")


def test_a_shuffle_where_nothing_is_shuffled() -> None:
    assert refused(with_line(10, "Shuffle R1", LINES[9])) == (10, None, "T-RESHUFFLE")
    lines = RESHUFFLE.splitlines()
    at = place_of_shuffle(RESHUFFLE)
    twice = [*lines[:at], lines[at], *lines[at:]]
    line, _, rule = refused("\n".join(twice))
    assert rule == "T-RESHUFFLE"
    assert line in (at + 1, at + 2)
    late = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
    assert refused("\n".join(late))[2] == "T-RESHUFFLE"


def test_a_wrong_shuffle_at_the_end_of_a_record() -> None:
    """Whether or not somebody has drawn from it yet."""
    lines = RESHUFFLE.splitlines()
    at = place_of_shuffle(RESHUFFLE)
    assert judge("\n".join(lines[: at + 1]))["ok"] is True
    cards = lines[at].split()
    wrong = [*lines[:at], " ".join(cards[:-1])]
    line, _, rule = refused("\n".join(wrong))
    assert (line, rule) == (at + 1, "T-RESHUFFLE")


def test_a_shuffle_that_nobody_draws_from() -> None:
    lines = RESHUFFLE.splitlines()
    at = place_of_shuffle(RESHUFFLE)
    turn = lines[at + 1].split()
    assert turn[1] == "D"
    taken = [*lines[: at + 1], f"{turn[0]} P"]
    verdict = judge("\n".join(taken))
    assert verdict["ok"] is False
    assert verdict["rule"] in ("T-RESHUFFLE", "T-DRAW-SKIP")


def test_a_shuffle_must_agree_with_the_seeds() -> None:
    game = Game.from_record(parse_record(SEEDED_RESHUFFLE))
    order = next(event.order for event in game.events if isinstance(event, PileReshuffled))
    steps = SEEDED_RESHUFFLE.splitlines()
    with_decks = parse_record(SEEDED_RESHUFFLE)
    assert format_record(with_decks) == SEEDED_RESHUFFLE
    # The record cut off before the turn that reshuffles has an empty draw pile.
    # It is in the hand whose record, with decks, has the first Shuffle.
    at = 0
    while True:
        at += 1
        verdict = judge("\n".join(steps[:at]))
        if verdict.get("state") and not verdict["state"]["draw_pile"]:
            break
    row = "Shuffle " + " ".join(card.text for card in order)
    for number in range(at, at + 8):
        told = "\n".join([*steps[:number], row, *steps[number:]])
        if judge(told)["ok"]:
            words = row.split()
            swap = next(i for i in range(2, len(words)) if words[i] != words[1])
            words[1], words[swap] = words[swap], words[1]
            wrong = "\n".join([*steps[:number], " ".join(words), *steps[number:]])
            line, _, rule = refused(wrong)
            assert (line, rule) == (number + 1, "T-RESHUFFLE")
            return
    raise AssertionError("the Shuffle was accepted nowhere")


NO_PILE = """
name = "no-pile"
title = "No pile"
deal = 4
colors = ["R", "B"]
highest = 3
copies = 1
wilds = 0
skips = 4
shortest_run = 2
skip_goes_to = "front"
phases = ["set 3"]
"""


def judge_no_pile(*lines: str) -> dict[str, Any]:
    """Two players: seat 1 holds R1 R2 B1 S, seat 2 holds R3 B3 S S; S is turned up, S is drawn."""
    made = read_edition(NO_PILE, "no-pile.toml")
    head = [
        '[Format "phaseten-1"]',
        '[Edition "no-pile"]',
        '[Seat1 "A"]',
        '[Seat2 "B"]',
        '[Dealer "1"]',
    ]
    deck = "Deck R3 R1 B3 R2 S B1 S S B2 S"
    text = "\n".join([*head, "Hand 1", deck, *lines])
    return judge_bytes(text.encode(), lambda _: made)


def test_drawing_when_there_is_nothing_to_draw() -> None:
    # Seat 2 takes the only discard and skips seat 1; the Skip goes to the pile; seat 2 draws the
    # last card and skips again: the piles hold two Skips, one of which can be shuffled.
    lines = ["2 P -S@1", "1 *"]
    assert judge_no_pile(*lines)["ok"] is True
    verdict = judge_no_pile(*lines, "2 P")
    assert verdict["rule"] == "T-DRAW-SKIP"
    verdict = judge_no_pile(*lines, "2 N")
    assert verdict["rule"] == "T-DRAW"
    verdict = judge_no_pile(*lines, "2 D:S -S@1", "1 *", "2 D")
    assert verdict["rule"] == "T-RESHUFFLE"
    assert judge_no_pile(*lines, "2 D:S -S@1", "1 *", "Shuffle S", "2 D:S -S@1")["ok"] is True


# -- the rest of the table ------------------------------------------------------------------------


def test_the_card_named_is_not_the_one_drawn() -> None:
    assert judge(with_line(10, "1 D:G6 -R8"))["ok"] is True
    assert refused(with_line(10, "1 D:G7 -R8")) == (10, 1, "T-DRAW")
    assert judge(with_line(14, "1 P:G2 L R1 R3 B5 W -G6"))["ok"] is True
    assert refused(with_line(14, "1 P:G3 L R1 R3 B5 W -G6")) == (14, 1, "T-DRAW")
    assert refused(with_line(10, "1 D:W=5 -R8")) == (10, 1, "T-DRAW")


def test_a_hand_line_out_of_order() -> None:
    assert refused(with_line(8, "Hand 2")) == (8, None, "H-NEXT")
    assert refused(with_line(8, "Hand 0")) == (8, None, "H-NEXT")
    assert refused(with_line(8, "Hand 9999")) == (8, None, "H-NEXT")
    assert refused(RECORD + "Hand 1\n" + DECK) == (17, None, "H-NEXT")
    assert refused(RECORD + "Hand 3\n" + DECK) == (17, None, "H-NEXT")
    assert refused(until(14, "Hand 2", DECK)) == (15, None, "H-NEXT")
    assert refused(until(9, "Hand 2", DECK)) == (10, None, "H-NEXT")
    assert judge(RECORD + "Hand 2\n" + DECK)["ok"] is True


TIEBREAK = (GAMES / "express-2p-phases=2-tiebreak.p10").read_text(encoding="utf-8")
TIE_OF_SOME = (GAMES / "express-3p-ten-hands+phases=3-tiebreak.p10").read_text(encoding="utf-8")


def header_of_tiebreak(text: str) -> str:
    return next(line for line in text.splitlines() if "tiebreak" in line)


@pytest.mark.parametrize("text", [TIEBREAK, TIE_OF_SOME])
def test_tiebreak_is_missing_or_names_the_wrong_seats(text: str) -> None:
    header = header_of_tiebreak(text)
    line = text.splitlines().index(header) + 1
    start = header.partition(" tiebreak")[0]
    seats = header.split()[3:]
    for wrong in (start, f"{start} tiebreak {seats[0]}", f"{header} 4", f"{start} tiebreak 3 5"):
        assert refused(text.replace(header, wrong)) == (line, None, "G-TIE")
    assert judge(text.replace(header, f"{start} tiebreak {' '.join(seats[::-1])}"))["ok"] is True


def test_tiebreak_is_not_due() -> None:
    assert refused(with_line(8, "Hand 1 tiebreak 1 2")) == (8, None, "G-TIE")
    assert refused(RECORD + "Hand 2 tiebreak 1 2\n" + DECK) == (17, None, "G-TIE")


def test_seats_that_are_not_tied_do_not_play() -> None:
    header = header_of_tiebreak(TIE_OF_SOME)
    seats = {1, 2, 3} - set(map(int, header.split()[3:]))
    if not seats:
        pytest.skip("all are tied in this game")
    (other,) = seats
    lines = TIE_OF_SOME.splitlines()
    at = lines.index(header)
    cut = [*lines[: at + 2], f"{other} D"]
    assert refused("\n".join(cut)) == (at + 3, other, "T-TURN")


def test_the_points_of_a_tiebreak_do_not_count() -> None:
    verdict = judge(TIEBREAK)
    assert verdict["finished"]
    assert verdict["winner"] == verdict["hands"][-1]["out"]
    assert len(set(verdict["totals"].values())) == 1
    counted = [hand["points"] for hand in verdict["hands"][:-1]]
    assert verdict["totals"] == {s: sum(p[s] for p in counted) for s in ("1", "2")}


def test_a_hand_after_the_end_of_the_game() -> None:
    text = TIEBREAK + f"\nHand 4\n{DECK}\n"
    assert refused(text) == (text.splitlines().index("Hand 4") + 1, None, "G-WIN")
    over = with_line(3, '[Variant "phases=1"]') + "Hand 2\n" + DECK
    assert refused(over) == (17, None, "G-WIN")


def test_a_lost_turn_that_was_not_lost() -> None:
    assert refused(with_line(10, "1 *")) == (10, 1, "T-TURN")
    assert refused(with_line(12, "2 *")) == (12, 2, "T-TURN")
    assert refused(with_line(12, "1 *", "1 *")) == (13, 1, "T-TURN")
    assert refused(with_line(13, LINES[12], "1 *")) == (14, 1, "T-TURN")
    assert refused(with_line(12, "3 *")) == (12, 3, "T-TURN")
    assert refused(RECORD.replace("End", "1 *\nEnd")) == (16, 1, "T-TURN")
    assert judge(with_line(12)) == judge(RECORD)  # it may be left out


def test_a_turn_that_is_not_finished() -> None:
    assert refused(with_line(10, "1 D", "1 -R8")) == (11, 1, "T-DISCARD")
    assert refused(with_line(10, "1 D", "1 D")) == (11, 1, "T-DISCARD")
    assert refused(until(9, "1 D", "2 D")) == (11, 2, "T-TURN")
    assert refused(with_line(15, "2 D", "2 H G3>1.1 -Y4")) == (16, 2, "T-DISCARD")


def test_end_while_the_hand_is_going_on() -> None:
    assert refused(until(14, "End 1:5 2:0")) == (15, None, "G-OUT")
    assert refused(until(9, "End 1:0 2:0")) == (10, None, "G-OUT")
    assert refused(until(9, "1 D", "End 1:0 2:0"))[0] == 11


def test_end_with_a_wrong_figure_or_one_missing() -> None:
    assert refused(with_line(16, "End 1:6 2:0")) == (16, 1, "G-POINTS")
    assert refused(with_line(16, "End 1:5 2:5")) == (16, 2, "G-POINTS")
    assert refused(with_line(16, "End 1:5")) == (16, 2, "G-POINTS")
    assert refused(with_line(16, "End 2:0")) == (16, 1, "G-POINTS")
    assert refused(with_line(16, "End")) == (16, 1, "G-POINTS")
    assert refused(with_line(16, "End 1:5 2:0 3:0")) == (16, 3, "G-POINTS")
    assert judge(with_line(16, "End 2:0 1:5")) == judge(RECORD)
    assert judge(with_line(16)) == judge(RECORD)


# -- comments, blank lines, tags ------------------------------------------------------------------


def test_comments_and_blank_lines_mean_nothing() -> None:
    text = "; a comment\n\n" + RECORD.replace("\n", " ; as we saw\n\n   \n\t; and so on [Seat1\n")
    assert judge(text) == judge(RECORD)
    assert parse_record(text) == parse_record(RECORD)
    assert judge(RECORD.replace("\n", ";\n")) == judge(RECORD)
    assert judge(RECORD.replace(" ", "  ").replace("[Seat1  ", "[Seat1 \t "))["ok"] is True
    assert judge("\n".join("  " + line + "\t " for line in LINES)) == judge(RECORD)
    assert judge(RECORD.rstrip()) == judge(RECORD)


def test_a_semicolon_in_a_tag_is_no_comment() -> None:
    text = with_line(4, '[Seat1 "Ana; the first"] ; and a comment "]')
    assert parse_record(text).header.names[0] == "Ana; the first"
    assert judge(text) == judge(RECORD)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"Ana \"the Fox\" Ruiz", 'Ana "the Fox" Ruiz'),
        (r"C:\\Ana", r"C:\Ana"),
        (r"\\\"", '\\"'),
        (r"\\", "\\"),
        ("", ""),
        ("[Ana]", "[Ana]"),
        ('\\"]', '"]'),
        ("Ana 한글 🂡 é", "Ana 한글 🂡 é"),
    ],
)
def test_quotes_and_backslashes_in_tags(written: str, name: str) -> None:
    record = parse_record(with_line(4, f'[Seat1 "{written}"]'))
    assert record.header.names[0] == name
    assert parse_record(format_record(record)) == record
    assert f'[Seat1 "{written}"]' in format_record(record)
    assert judge(with_line(4, f'[Seat1 "{written}"]')) == judge(RECORD)


def test_unknown_tags_are_kept() -> None:
    text = with_line(6, LINES[5], '[Event "Club \\"night\\""]', '[Round "3"]', '[Seating "x"]')
    record = parse_record(text)
    assert record.header.other == {"Event": 'Club "night"', "Round": "3", "Seating": "x"}
    assert parse_record(format_record(record)) == record
    assert judge(text) == judge(RECORD)


def test_tags_come_in_any_order() -> None:
    assert judge("\n".join([*LINES[5::-1], *LINES[6:]])) == judge(RECORD)


def test_variant_and_house_may_be_left_out_or_spaced() -> None:
    assert judge(with_line(3)) == judge(RECORD)
    assert parse_record(with_line(3, '[House " no_rediscard , choose_phase,"]')).header.house == {
        "no_rediscard",
        "choose_phase",
    }
    assert parse_record(with_line(3, '[House ""]')).header.house == frozenset()
    variant = parse_record(with_line(3, '[Variant "even, phases=07 ,ten-hands"]')).header.variant
    assert (variant.ten_hands, variant.first, variant.even) == (True, 7, True)


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('based_on = "express"\nname = "mine"\ntitle = "Mine"\n', encoding="utf-8")
    assert judge(with_line(2, f'[Edition "{path}"]')) == judge(RECORD)
    path.write_text("deal = ", encoding="utf-8")
    assert refused(with_line(2, f'[Edition "{path}"]'))[2] == "SYNTAX"
    path.write_bytes(b"\xff")
    assert refused(with_line(2, f'[Edition "{path}"]'))[2] == "SYNTAX"
    assert refused(with_line(2, f'[Edition "{tmp_path}/a.toml"]'))[2] == "SYNTAX"
    (tmp_path / "folder.toml").mkdir()
    assert refused(with_line(2, f'[Edition "{tmp_path}/folder.toml"]'))[2] == "SYNTAX"


@pytest.mark.parametrize(
    "text",
    [
        "deal = " + "9" * 5000,
        "x = " + "[" * 5000 + "]" * 5000,
        'based_on = "express"\nname = "x"\ntitle = "x"\nmust_show = { "' + "9" * 5000 + '" = 1 }',
        'based_on = "express"\nname = "x"\ntitle = "x"\nmust_show = { "²" = 1 }',
        'based_on = "express"\nname = "x"\ntitle = "x"\nphases = ["set 99999999999999999999"]',
        'based_on = "express"\nname = "x"\ntitle = "x"\nphases = ["set ²"]',
        'based_on = ["express"]',
        "based_on = { a = 1 }",
        'based_on = "express"\nplayers = [2, 2.5]',
    ],
    ids=range(9),
)
def test_an_edition_file_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert refused(with_line(2, f'[Edition "{path}"]'))[2] == "SYNTAX"
