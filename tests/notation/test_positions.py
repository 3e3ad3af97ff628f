"""Positions: what can be read, what can be left out, and what is said where something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from phaseten import Game, judge, make_bot
from phaseten.notation.positions import PositionError, format_position, parse_position
from phaseten.notation.records import RecordSyntaxError, parse_record
from phaseten.rules.cards import Card, parse_cards
from phaseten.rules.options import Rules
from phaseten.rules.state import State
from phaseten.rules.views import View
from tests.example_record import RECORD

TYPED = (
    "express | hand 1 dealer 2 turn 1 play took G2"
    " | 1 held R8 G2 laid 1 R1 R3 B5 W | 2 held Y4 B4 | draw rest | discards Y12 S"
)


def state_of(text: str) -> State:
    position = parse_position(text)
    assert isinstance(position, State)
    return position


def test_what_is_typed_by_hand_may_leave_things_out() -> None:
    state = state_of(TYPED)
    board = state.board
    assert board is not None
    assert state.rules == Rules("express")
    assert state.sheet.left == (tuple(range(1, 11)),) * 2
    assert state.sheet.totals == (0, 0)
    assert (board.turn, board.step, board.taken) == (1, "play", Card("G2"))
    assert state.held == (parse_cards("R8 G2"), parse_cards("Y4 B4"))
    assert board.draw_count == len(state.draw_pile) == 54 - 10
    assert board.seen == ()
    assert format_position(state).startswith(
        "express | hand 1 dealer 2 turn 1 play took G2 | 1 phases 1-10"
    )


def test_spaces_do_not_matter() -> None:
    assert parse_position(TYPED.replace(" | ", "|").replace(" ", "   ")) == parse_position(TYPED)
    assert parse_position(f"  {TYPED}\n") == parse_position(TYPED)


def test_the_rest_is_shuffled_by_the_seed() -> None:
    one, other = Game.from_position(TYPED, seed=1), Game.from_position(TYPED, seed=2)
    assert sorted(one.state.draw_pile) == sorted(other.state.draw_pile)
    assert one.state.draw_pile != other.state.draw_pile
    assert one == Game.from_position(TYPED, seed=1)


def test_what_a_seat_knows() -> None:
    game = Game("classic", ["Ana", "Beto", "Cleo"], seed=3)
    line = game.position(2)
    view = parse_position(line)
    assert view == game.view(2)
    assert isinstance(view, View)
    for seat in (1, 3):
        assert f"| {seat} phases 1-10 points 0 holds 10 |" in line
    imagined = Game.from_position(line, seed=1)
    assert imagined.view(2) == view
    assert imagined.state != game.state
    assert imagined == Game.from_position(view, seed=1) != Game.from_position(view, seed=2)


def test_repr_can_be_pasted() -> None:
    game = Game("express", ["Ana", "Beto"], seed=3)
    game.play("D")
    again = eval(repr(game), {"Game": Game})
    assert again.state == game.state
    assert again.names == game.names
    assert again.play("-" + game.state.held[game.turn - 1][0].text)  # pyright: ignore[reportOptionalOperand]


def test_a_game_from_a_position_is_recorded_with_it() -> None:
    game = Game.from_position(TYPED, ["Nora", "Otto"], seed=1)
    bot = make_bot("sharp")
    text = game.record()
    while not game.is_over:
        verdict = judge(text)
        assert verdict["ok"], text
        assert Game.from_record(text) == game
        for _ in range(7):
            if not game.is_over:
                game.play(bot.choose(game.view()))
        text = game.record()
    assert judge(text)["winner"] == game.winner
    assert parse_record(text).header.names == ("Nora", "Otto")
    with pytest.raises(ValueError, match="no redacted record"):
        game.record(1)


def test_undo_goes_back_to_the_position() -> None:
    game = Game.from_position(TYPED)
    start = game.copy()
    game.play("-R8")
    game.play("D")
    game.undo()
    game.undo()
    assert game == start
    with pytest.raises(ValueError, match="nothing to take back"):
        game.undo()


BEGUN = Game.from_position(TYPED, seed=1)


@pytest.mark.parametrize(
    ("change", "line", "rule", "problem"),
    [
        (("Hand 1", "Hand 2"), 9, "H-NEXT", "this is hand 1, not 2"),
        (("Hand 1", "Hand 1 tiebreak 1 2"), 9, "G-TIE", "nobody is tied"),
        (("Hand 1", "Hand 1\nDeck R1"), 10, "H-DEAL", "going on in the position"),
        (('Dealer "2"]', 'Dealer "2"]\n[Seen "1"]'), 8, "SYNTAX", "cannot be a redacted one"),
        (('[Seat2 "Beto"]', '[Seat2 "Beto"]\n[Seat3 "Cleo"]'), 8, "SYNTAX", "has 2 seats, and 3"),
        (("held R8 G2", "held R8 R8"), 7, "SYNTAX", "not so many of: R8"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_record_that_does_not_go_with_its_position(
    change: tuple[str, str], line: int, rule: str, problem: str
) -> None:
    verdict = judge(BEGUN.record().replace(*change))
    assert (verdict["line"], verdict["rule"]) == (line, rule)
    assert problem in verdict["message"]


WRONG = {
    "": "begins with its edition",
    "chess | hand 1 dealer 2 turn 1 draw": "no edition 'chess'",
    "express nonsense | hand 1": "'nonsense' is not a variation",
    "express standard nonsense | hand 1": "'nonsense' is not a house rule",
    "express standard no_rediscard more | hand 1": "begins with its edition",
    "{name = 'x' | hand 1": "no end",
    "{name = 'x'} | hand 1": "missing",
    "express": "does not say how the game stands",
    "express | hand 1 dealer 2": "does not say how the game stands",
    "express | before hand 1 dealer 2 turn 1 draw": "does not say how the game stands",
    "express | hand 1 dealer 2 turn 1 draw took G2": "a card is taken before",
    "express | hand 1 dealer 2 turn 1 draw": "Express is for 2 to 6 players, not 0",
}
CHANGED = [
    ("took G2", "took X2", "'X2' is not a card"),
    ("dealer 2", "dealer 3", "there is no seat 3"),
    ("turn 1", "turn 7", "there is no seat 7"),
    ("hand 1 dealer", "hand 1 tiebreak 1 dealer", "two or more"),
    ("hand 1 dealer", "hand 1 tiebreak 2 1 dealer", "in order"),
    ("1 held", "2 held", "is not seat 1"),
    ("| 2 held", "| 1 held", "is not seat 2"),
    ("held Y4 B4", "held Y4 B4 nonsense", "is not seat 2"),
    ("held Y4 B4", "held Y4 W=4", "stands for something only on the table"),
    ("held Y4 B4", "held Y4 Q4", "'Q4' is not a card"),
    ("held Y4 B4", "holds 2", "for seat 2 'held' and its cards, or 'held -', is needed"),
    ("held Y4 B4", "phases 2-11 held Y4 B4", "not Phases of this game"),
    ("held Y4 B4", "phases x held Y4 B4", "are no Phases"),
    ("held Y4 B4", "phases - held Y4 B4", "no Phase left"),
    ("laid 1", "laid 2", "not the melds of Phase 2"),
    ("laid 1", "laid 12", "not the melds of Phase 12"),
    ("R1 R3 B5 W", "R1 R3 B4 W", "cannot lie there"),
    ("R1 R3 B5 W", "R1 R3 / B5 W", "not the melds of Phase 1"),
    ("held R8 G2 laid", "phases 3-10 held R8 G2 laid", "cannot have laid Phase 1"),
    ("draw rest", "draw 44", "'44' is not a card"),
    ("draw rest | ", "", "the draw pile is missing"),
    ("draw rest", "draw R1 R2", "not the draw pile that is left"),
    ("discards Y12 S", "discards Y12 Y12 Y12", "has not so many of: Y12"),
    ("discards Y12 S", "discards Y12 S | more", "does not belong there: more"),
    ("discards Y12 S", "discards Y12 S | seen nonsense", "begins with the turned-up card"),
    ("discards Y12 S", "discards Y12 S | seen Y12, 1 D", "leads to another table"),
    ("discards Y12 S", "discards Y12 S | seen Y12, 2 D", "the turn of seat 1, not of seat 2"),
    ("discards Y12 S", "discards Y12 S | seen Y12, 1 X", "'X' is not an action"),
    ("discards Y12 S", "discards Y12 S | seen Y12, nonsense", "is not a turn"),
    ("discards Y12 S", "discards Y12 S | seen Y12, 9 D", "is not a turn"),
    ("discards Y12 S", "discards Y12 S | seen 1 D:R5", "nobody saw the card drawn"),
    ("discards Y12 S", "discards Y12 S | seen 1 P", "say which card was taken"),
    ("discards Y12 S", "discards Y12 S | seen 1 P:G2 L R1 R3", "not what seat 1 has laid"),
    ("discards Y12 S", "discards Y12 S | seen 1 H R1>1.2", "no meld number 2"),
    ("discards Y12 S", "discards Y12 S | seen 1 H R7>1.1", "has no such end"),
    ("discards Y12 S", "discards Y12 S | seen Y12, 1 P:B3", "B3 is not on top"),
    ("discards Y12 S", "discards Y12 S | seen Y12, Shuffle 7", "no pile of 7 cards"),
    ("discards Y12 S", "discards Y12 S | seen Y12, 1 -R8", "Draw a card first"),
    ("discards Y12 S", "discards Y12 S | scores nonsense", "is no score"),
    ("discards Y12 S", "discards Y12 S | scores out 1 1:0", "points of 2 seats"),
    ("discards Y12 S", "discards Y12 S | scores out 3 1:0 2:5", "seat 3 did not play"),
    ("discards Y12 S", "discards Y12 S | scores out 1 1:0 2:5", "comes hand 2"),
    ("discards Y12 S", "discards Y12 S | scores out 1 2:5 1:0", "in order"),
    (
        "1 held R8 G2",
        "1 points 5 held R8 G2",
        "by the scores, seat 1 has 0 points",
    ),
    ("express |", "express | seat 3 sees |", "there is no seat 3"),
    ("express |", "express | seat 1 sees |", "for seat 2 'holds' and a number, is needed"),
]


@pytest.mark.parametrize(("text", "problem"), WRONG.items(), ids=lambda text: text[:40] or "empty")
def test_what_is_no_position(text: str, problem: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_position(text)
    assert problem in str(caught.value)


@pytest.mark.parametrize(("old", "new", "problem"), CHANGED, ids=lambda text: text[:40])
def test_what_makes_no_sense(old: str, new: str, problem: str) -> None:
    text = TYPED + (" | scores out 1 1:0 2:5" if "by the scores" in problem else "")
    assert old in text
    with pytest.raises(PositionError) as caught:
        parse_position(text.replace(old, new, 1))
    assert problem in str(caught.value)


def test_what_somebody_wrote_is_shown_without_harm() -> None:
    with pytest.raises(PositionError) as caught:
        parse_position("express | \x1b[31m" + "x" * 5000)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 700


def test_a_view_whose_cards_do_not_add_up() -> None:
    game = Game("express", seed=1)
    line = game.position(1)
    with pytest.raises(PositionError, match="48 cards are hidden, of which others hold 5: draw 43"):
        parse_position(line.replace("draw 43", "draw 42"))
    assert parse_position(line.replace("draw 43", "draw rest")) == game.view(1)


def test_a_position_of_another_edition() -> None:
    with pytest.raises(RecordSyntaxError):
        parse_record('[Format "phaseten-1"]\n[Position "nonsense"]')
    state = state_of(format_position(Game("anniversary", players=6, seed=1).state))
    assert state.rules == Rules("anniversary")


def test_a_record_opens_no_file_for_its_position(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('based_on = "express"\nname = "own"\ntitle = "Own"\n')
    text = BEGUN.record()
    assert '[Position "express | ' in text
    verdict = judge(text.replace('[Position "express |', f'[Position "{path} |'))
    assert (verdict["rule"], verdict["line"]) == ("SYNTAX", 7)
    assert "written out" in verdict["message"]
    own = Game.from_position(TYPED.replace("express", str(path)), seed=1)
    path.unlink()
    assert judge(own.record())["ok"]
    assert Game.from_record(own.record()) == own


def test_the_example_of_the_docs() -> None:
    """The two positions of docs/notation.md, which are broken into lines there."""
    docs = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    whole, seen = docs.partition("## Positions")[2].split("```")[1:4:2]
    game = Game.from_record(RECORD.rpartition("2 D H")[0])
    assert " ".join(seen.split()) == game.position(2)
    parts = [" ".join(line.partition(";")[0].split()) for line in whole.strip().split("\n")]
    before, after = " ".join(parts).split("…")
    assert game.position().startswith(before)
    assert game.position().endswith(after)
