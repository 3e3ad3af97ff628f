"""Following a redacted record: what one seat knew, judged as far as it can be."""

from pathlib import Path

import pytest

from phaseten import Game, parse_record
from phaseten.bots.ladder import make_bot
from phaseten.notation.records import RecordSyntaxError
from phaseten.notation.replay import IllegalRecordError, SeenStep, follow, follow_seen
from phaseten.rules.cards import SKIP
from phaseten.rules.events import GameTied
from phaseten.rules.views import fold, new_view, view_of

GOLDEN = Path(__file__).parents[1] / "golden" / "games"
FULL = sorted(path for path in GOLDEN.glob("*.p10") if "[Seen " not in path.read_text())
REDACTED = sorted(path for path in GOLDEN.glob("*-redacted.p10"))


def steps(text: str) -> list[SeenStep]:
    return list(follow_seen(parse_record(text)))


@pytest.mark.parametrize("path", FULL, ids=lambda path: path.stem)
def test_it_tells_exactly_what_the_seat_was_shown(path: Path) -> None:
    game = Game.from_record(parse_record(path.read_text(encoding="utf-8")))
    for seat in (1, len(game.names)):
        found = steps(game.record(seat))
        assert [event for step in found for event in step.events] == game.seen(seat)
        last = found[-1].view
        assert last == view_of(game.state, seat)


@pytest.mark.parametrize("path", REDACTED, ids=lambda path: path.stem)
def test_redacted_golden_games(path: Path) -> None:
    record = parse_record(path.read_text(encoding="utf-8"))
    found = list(follow_seen(record))
    assert found
    view = new_view_of(found[0])
    for step in found:
        for event in step.events:
            view = fold(view, event)
        assert view == step.view
    with pytest.raises(RecordSyntaxError, match="only by its full record"):
        list(follow(record))


def new_view_of(first: SeenStep):
    from phaseten.rules.state import new_game  # noqa: PLC0415

    sheet = first.view.sheet
    return new_view(new_game(first.view.rules, sheet.seats, sheet.dealer), first.view.seat)


@pytest.mark.parametrize(
    ("edition", "house"),
    [
        ("classic", ("no_rediscard",)),
        ("express", ("choose_phase", "discard_to_go_out")),
        ("anniversary", ("natural_per_meld",)),
    ],
)
def test_house_rules_and_clumsy_players(edition: str, house: tuple[str, ...]) -> None:
    for seed in range(3):
        game = Game(edition, ["Ana", "Beto", "Chus"], house=house, seed=seed, variant="phases=3")
        bot = make_bot("rookie", seed=seed)
        for _ in range(1500):
            if game.winner is None:
                game.play(bot.choose(game.view()))
        for seat in (1, 2, 3):
            shown = [event for step in steps(game.record(seat)) for event in step.events]
            assert shown == game.seen(seat)


def test_a_tie_break_that_the_seat_watches() -> None:
    path = GOLDEN / "express-3p-ten-hands+phases=3-tiebreak.p10"
    game = Game.from_record(parse_record(path.read_text(encoding="utf-8")))
    tied = next(event.seats for event in game.events if isinstance(event, GameTied))
    (watcher,) = {1, 2, 3} - set(tied)
    assert [e for step in steps(game.record(watcher)) for e in step.events] == game.seen(watcher)


# -- what is wrong -------------------------------------------------------------------------------


def seen_record(seat: int = 1) -> str:
    game = Game("classic", ["Ana", "Beto"], seed=7, variant="phases=1")
    bot = make_bot("sharp")
    while game.winner is None:
        game.play(bot.choose(game.view()))
    return game.record(seat)


def test_a_full_record_is_none() -> None:
    with pytest.raises(RecordSyntaxError, match="the tag Seen is missing"):
        steps(Game("classic", ["Ana", "Beto"], seed=7).record())


def lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


def test_the_end_line_is_needed_where_a_hand_ends() -> None:
    text = "\n".join(line for line in lines(seen_record()) if not line.startswith("End"))
    with pytest.raises(RecordSyntaxError, match="its End line is missing"):
        steps(text)


def test_points_that_no_cards_can_have() -> None:
    text = seen_record()
    end = next(line for line in lines(text) if line.startswith("End"))
    loser = 2 if end.split()[1] == "1:0" else 1
    wrong = " ".join(f"{word}1" if word.startswith(f"{loser}:") else word for word in end.split())
    with pytest.raises(IllegalRecordError) as error:
        steps(text.replace(end, wrong))
    assert error.value.rule == "G-POINTS"


def test_the_deck_is_needed() -> None:
    text = "\n".join(line for line in lines(seen_record()) if not line.startswith("Deck"))
    with pytest.raises(RecordSyntaxError, match="the Deck is missing"):
        steps(text)


def test_a_deck_of_wrong_cards() -> None:
    with pytest.raises(IllegalRecordError) as error:
        steps(seen_record().replace("Deck ?", "Deck O1").replace("Deck R", "Deck O"))
    assert error.value.rule == "H-DEAL"


def test_the_own_draw_is_named() -> None:
    text = seen_record()
    named = next(word for word in text.split() if word.startswith("D:"))
    with pytest.raises(RecordSyntaxError, match="saw its card"):
        steps(text.replace(named, "D", 1))


def test_an_illegal_move_of_somebody_else_is_found() -> None:
    text = "\n".join(lines(Game("classic", ["Ana", "Beto"], seed=7).record(1)))
    for moves, rule in (
        ("2 D D", "T-DRAW"),
        ("2 D L R3 B3 G3 / Y4 R5 B6", "M-SET"),
        ("2 D H R3>1.1", "T-HIT"),
        ("2 D -S@2", "S-SELF"),
        ("1 D:R1 -R1", "T-TURN"),
        ("7 D -R1", "T-TURN"),
    ):
        with pytest.raises(IllegalRecordError) as error:
            steps(f"{text}\n{moves}\n")
        assert error.value.rule == rule, moves


def test_an_illegal_move_of_the_own_is_found() -> None:
    game = Game("classic", ["Ana", "Beto"], seed=7)
    held = game.view(2).held
    card = next(card for card in game.rules.edition.deck if card not in held and card is not SKIP)
    with pytest.raises(IllegalRecordError) as error:
        steps(f"{game.record(2)}2 D:W -{card}\n")
    assert error.value.rule == "T-DISCARD"


def test_a_new_draw_pile_has_as_many_cards_as_were_put_away() -> None:
    text = Game("classic", ["Ana", "Beto"], seed=7).record(1)
    with pytest.raises(IllegalRecordError) as error:
        steps(f"{text}Shuffle ? ? ?\n2 D -R1\n")
    assert error.value.rule == "T-RESHUFFLE"


def test_a_card_that_cannot_be_in_the_new_draw_pile() -> None:
    path = GOLDEN / "express-6p-standard-reshuffle.p10"
    game = Game.from_record(parse_record(path.read_text(encoding="utf-8")))
    found = lines(game.record(1))
    for place, line in enumerate(found):
        follows = found[place + 1].split() if place + 1 < len(found) else []
        if line.startswith("Shuffle") and follows[0] == "1":
            changed = " ".join(["1", "D:O1", *follows[2:]])
            with pytest.raises(IllegalRecordError) as error:
                steps("\n".join([*found[: place + 1], changed]))
            assert error.value.rule == "T-RESHUFFLE"
            return
    pytest.fail("seat 1 never drew from a new pile")
