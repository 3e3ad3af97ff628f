"""The game at the terminal, with the typing done by a script."""

import errno
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from phaseten import Game, format_action, judge, parse_record
from phaseten.bots.casual import Casual
from phaseten.rules.options import STANDARD, parse_variant
from phaseten.terminal.play import Console, Leave, Session, Table, names_at_table, play
from phaseten.terminal.saves import Saves
from phaseten.terminal.screen import Screen

PLAIN = Screen(color=False, shapes=False, width=80)


class Script:
    """Types what it is given, then leaves; remembers what was shown."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.shown: list[str] = []
        self.since = 0

    def read(self, prompt: str) -> str:
        self.shown.append(prompt)
        try:
            line = next(self._lines)
        except StopIteration:
            raise EOFError from None
        self.since = len(self.shown)
        return line

    def write(self, text: str) -> None:
        self.shown.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)

    @property
    def last(self) -> str:
        """What was shown since the last line was typed."""
        return "\n".join(self.shown[self.since :])

    def console(self, screen: Screen = PLAIN) -> Console:
        return Console(screen, self.read, self.write)


def new_game(**options: object) -> Game:
    names = names_at_table("You", 3)
    return Game("classic", names, dealer=3, seed=7, **options)  # pyright: ignore[reportArgumentType]


def typed(game: Game, tmp_path: Path, *lines: str, screen: Screen = PLAIN) -> Script:
    script = Script(lines)
    with pytest.raises(Leave):
        Session(game, Saves(tmp_path), script.console(screen), resumed=False).run()
    return script


def hints() -> Iterator[str]:
    while True:
        yield "h"
        yield ""


# -- what is shown -----------------------------------------------------------------------------


def test_the_first_screen(tmp_path: Path) -> None:
    game = new_game()
    text = typed(game, tmp_path).text
    assert "Classic, with Beto and Carla." in text
    assert "-- Hand 1 --" in text
    assert "Phase 1: set of 3 + set of 3 - 10 cards - 0 points" in text
    assert re.search(r"Your 10 cards:  (\S+ ){9}\S+\n", text)
    assert re.search(r"Draw pile: 77 cards\.  Discard pile: \S+ on top\.", text)
    assert re.search(r"Phase 1: set of 3 \+ set of 3\. \d cards? missing\.", text)
    assert " 1 from the draw pile" in text
    assert text.isascii()


def test_own_cards_are_sorted_and_no_others_are_shown(tmp_path: Path) -> None:
    game = new_game()
    text = typed(game, tmp_path).text
    line = next(line for line in text.splitlines() if "Your 10 cards" in line)
    held = line.partition(":")[2].split()
    assert sorted(held) == sorted(card.text for card in game.view(1).held)
    numbers = [int(card[1:]) for card in held if card[0] not in "WS"]
    assert numbers == sorted(numbers)


def test_with_colour_and_shapes(tmp_path: Path) -> None:
    screen = Screen(color=True, shapes=True, width=80)
    text = typed(new_game(), tmp_path, "d", screen=screen).text
    assert "\x1b[91m▲R" in text
    assert "──" in text


def test_sorted_by_colour_where_the_phase_asks_for_one(tmp_path: Path) -> None:
    game = Game("express", ["You", "Beto"], dealer=2, seed=1, house=["choose_phase"])
    text = typed(game, tmp_path, "D").text
    assert text.count("missing") >= 8
    edition = tmp_path / "color.toml"
    edition.write_text(
        'based_on = "classic"\nname = "c"\ntitle = "Colours"\nphases = ["color 7"]\n'
    )
    game = Game(str(edition), ["You", "Beto"], dealer=2, seed=1)
    text = typed(game, tmp_path).text
    line = next(line for line in text.splitlines() if "Your 10 cards" in line)
    colors = [card[0] for card in line.partition(":")[2].split() if card[0] not in "WS"]
    assert colors == sorted(colors, key="RBYGO".index)


def test_nothing_is_wider_than_the_screen(tmp_path: Path) -> None:
    script = Script(hints())
    narrow = Screen(width=60)
    game = Game("classic", names_at_table("You", 6), dealer=6, seed=2, variant="phases=2")
    Session(game, Saves(tmp_path), script.console(narrow), resumed=False).run()
    wide = [line for part in script.shown for line in part.split("\n") if len(line) > 60]
    # Longer are only ways to lay a Phase, which stay in one piece, and the page of help.
    assert [line for line in wide if " / " not in line and "explains" not in line] == []


# -- what is typed -----------------------------------------------------------------------------


def test_numbers_and_notation_do_the_same(tmp_path: Path) -> None:
    one, other = new_game(), new_game()
    card = one.view(1).held[0].text
    typed(one, tmp_path, "1", f"-{card}")
    typed(other, tmp_path, f"d -{card.lower()}")
    assert one.events == other.events


def test_every_number_of_the_list_can_be_played(tmp_path: Path) -> None:
    script = Script([])
    count = 0
    with pytest.raises(Leave):
        Session(new_game(), Saves(tmp_path), script.console(), resumed=False).run()
    assert " 2 " in script.text
    drawn = typed(new_game(), tmp_path, "1").last
    numbers = [int(number) for number in re.findall(r"(?:^| {2})(\d+) \S", drawn, re.MULTILINE)]
    for number in numbers:
        game = new_game()
        before = len(typed(game, tmp_path, "1").text)
        game = new_game()
        after = typed(game, tmp_path, "1", str(number))
        assert len(after.text) > before
        assert "(T-" not in after.last
        count += 1
    assert count >= 8


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["P", "P"], "You have drawn your card for this turn: lay, hit or discard now. (T-DRAW)"),
        (["-R5"], "Draw a card first: from the draw pile or the discard pile. (T-DRAW)"),
        (["D", "H W=9>1.1"], "Lay your own Phase first: only then can you hit. (T-HIT)"),
        (["D", "-O5"], "You do not hold O5. (T-DISCARD)"),
        (["D", "L R3 B3 G3"], "(T-LAY)"),
        (["D", "L S S S / S S S"], "(W-SKIP)"),
    ],
)
def test_a_refusal_is_a_sentence_with_its_rule(
    tmp_path: Path, lines: list[str], words: str
) -> None:
    script = typed(new_game(), tmp_path, *lines)
    assert words in script.text
    assert re.search(r"Why\? r [TW]-", script.text)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "Type a number from the list, or ? for help."),
        ("   ", "? for help"),
        ("banana", "'BANANA' is not an action"),
        ("99", "The list goes from 1 to 2"),
        ("0", "The list goes from 1 to 2"),
        ("-1", "is not a card"),
        ("²", "is not an action"),
        ("9" * 5000, "is not an action"),
        ("9" * 4, "The list goes from 1 to 2"),
        ("H", "A bot would "),
        ("L", "a laid Phase is written"),
        ("\udcff\x00", "is not an action"),
        ("?", "Type the number of a choice"),
        ("r T-HIT", "T-HIT - Adding cards to melds"),
        ("R w-any", "W-ANY - "),
        ("r nope-nope", "There is no rule 'nope-nope'"),
        ("r", "M-SET"),
        ("s", "points of each hand"),
        ("t", "on top."),
    ],
)
def test_what_does_not_change_the_game(tmp_path: Path, line: str, words: str) -> None:
    game, untouched = new_game(), new_game()
    script = typed(game, tmp_path, line)
    assert words in script.last
    assert game.state == untouched.state


def test_the_hint_is_what_enter_does(tmp_path: Path) -> None:
    game = new_game()
    script = typed(game, tmp_path, "h")
    notation = re.search(r"which is (.+)\. \(Enter does it\)", script.last)
    assert notation
    other = new_game()
    other.play(notation[1])
    again = new_game()
    typed(again, tmp_path, "h", "")
    assert again.events == other.events
    once = new_game()
    typed(once, tmp_path, "h", "s", "")
    assert once.events == new_game().events


def test_several_actions_stop_where_the_turn_ends(tmp_path: Path) -> None:
    game = new_game()
    card = game.view(1).held[0].text
    script = typed(game, tmp_path, f"D -{card} D")
    assert "Your turn is over: D was not played." in script.text


def test_leaving(tmp_path: Path) -> None:
    for line in ("q", "quit", "EXIT"):
        typed(new_game(), tmp_path, line, "D")

    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    script = Script([])
    with pytest.raises(Leave):
        Session(
            new_game(),
            Saves(tmp_path),
            Console(PLAIN, interrupted, script.write),
            resumed=False,
        ).run()


# -- whole games -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "variant", "house"),
    [
        ("classic", "standard", ()),
        ("elchavo", "even", ("discard_to_go_out", "no_rediscard")),
        ("anniversary", "phases=4,ten-hands", ("natural_per_meld",)),
        ("deluxe", "phases=4", ("choose_phase",)),
    ],
)
def test_a_whole_game(tmp_path: Path, edition: str, variant: str, house: tuple[str, ...]) -> None:
    script = Script(hints())
    game = Game(edition, names_at_table("You", 3), variant=variant, house=house, dealer=3, seed=8)
    Session(game, Saves(tmp_path), script.console(), resumed=False).run()
    assert game.winner is not None
    assert "won the game" in script.text
    assert script.text.count("-- Hand ") == len(game.state.sheet.hands)
    verdict = judge(parse_record((tmp_path / "game.p10").read_text(encoding="utf-8")))
    assert verdict["finished"]
    assert verdict["winner"] == game.winner
    for total in game.state.sheet.totals:
        assert re.search(rf" {total}$", script.last, re.MULTILINE)


def test_a_game_chosen_by_numbers(tmp_path: Path) -> None:
    """Always the first number: draw, lay when it can be, hit when it can be, discard."""

    def ones() -> Iterator[str]:
        while True:
            yield "1"

    script = Script(ones())
    game = Game("classic", names_at_table("You", 2), variant="phases=2", dealer=2, seed=4)
    Session(game, Saves(tmp_path), script.console(), resumed=False).run()
    assert game.winner is not None
    assert "(T-" not in script.text
    assert "Lay your Phase" in script.text
    assert "Add to " in script.text


def test_a_tie_break_that_the_person_watches(tmp_path: Path) -> None:
    game = next(game for game in map(until_tie, range(500)) if game.state.sheet.tied == (2, 3))
    script = Script([])
    Session(game, Saves(tmp_path), script.console(), resumed=False).run()
    assert [hand.tiebreak for hand in game.state.sheet.hands] == [False, False, True]
    assert game.winner in (2, 3)
    assert "A tie: Beto and Carla play one more hand for the last Phase (G-TIE)." in script.text
    assert "Hand 3 was a tie-break" in script.last


def until_tie(seed: int) -> Game:
    names = names_at_table("You", 3)
    game = Game("classic", names, variant="phases=2,ten-hands", dealer=3, seed=seed)
    bot = Casual()
    while game.winner is None and not game.state.sheet.tied:
        game.play(bot.choose(game.view()))
    return game


# -- saving ------------------------------------------------------------------------------------


def test_every_move_is_saved_before_the_next_is_asked(tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    game = new_game(variant="phases=1")

    def read(_: str) -> str:
        saved = saves.load()
        assert saved is not None
        assert saved.events == game.events
        return format_action(game.legal_actions()[0])

    Session(game, saves, Console(PLAIN, read, lambda _: None), resumed=False).run()


def test_a_disk_without_room_does_not_end_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Saves, "save", full)
    script = Script(hints())
    game = new_game(variant="phases=1")
    play_all(game, tmp_path, script)
    assert game.winner is not None
    assert script.text.count("No space left on device") == 1
    script = Script(["q"])
    play(_table(), Saves(tmp_path), script.console(), saved=None)
    assert script.shown[-1] == " See you!"


def play_all(game: Game, tmp_path: Path, script: Script) -> None:
    Session(game, Saves(tmp_path), script.console(), resumed=False).run()


def _table(variant: str = "standard") -> Table:
    return Table("classic", names_at_table("Ana", 2), parse_variant(variant), frozenset(), 3)


def test_another_game(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        while True:
            yield "h"
            yield ""

    answers = iter(["y", "n"])
    endless = lines()

    def read(prompt: str) -> str:
        return next(answers) if "Another" in prompt else next(endless)

    shown: list[str] = []
    play(_table("phases=1"), Saves(tmp_path), Console(PLAIN, read, shown.append), saved=None)
    assert "\n".join(shown).count("won the game") == 2
    assert len(list(tmp_path.glob("finished-*.p10"))) == 2
    assert not (tmp_path / "game.p10").exists()
    assert _table().variant == STANDARD


@pytest.mark.parametrize("stop", [EOFError, KeyboardInterrupt])
def test_no_answer_is_no(tmp_path: Path, stop: type[BaseException]) -> None:
    endless = hints()

    def read(prompt: str) -> str:
        if "Another" in prompt:
            raise stop
        return next(endless)

    write: Callable[[str], None] = [].append
    play(_table("phases=1"), Saves(tmp_path), Console(PLAIN, read, write), saved=None)


def test_names() -> None:
    assert names_at_table("Ana", 3) == ("Ana", "Beto", "Carla")
    assert names_at_table("beto", 3) == ("beto", "Carla", "Dani")
    assert len(set(names_at_table("Beto", 6))) == 6
