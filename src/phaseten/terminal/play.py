"""A game for one person against bots, line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from phaseten.bots.casual import Casual
from phaseten.game import Game, IllegalMoveError
from phaseten.notation.moves import MoveSyntaxError, format_action, parse_moves
from phaseten.rules.actions import Action
from phaseten.rules.events import DealSeen, GameWon, HandScored, Seen
from phaseten.rules.options import Variant
from phaseten.rules.state import DRAW
from phaseten.rules.views import seen_by
from phaseten.terminal import rulebook
from phaseten.terminal.menu import Menu, menu_for
from phaseten.terminal.saves import SaveError, Saves
from phaseten.terminal.screen import Screen
from phaseten.terminal.story import Story
from phaseten.terminal.view import own_lines, score_lines, table_lines
from phaseten.terminal.words import listed

HUMAN: Final = 1
"""The person's seat."""
BOT_NAMES: Final = ("Beto", "Carla", "Dani", "Emil", "Fay", "Gabi")

HELP: Final = """\
Type the number of a choice, or write an action:
  D            draw from the draw pile
  P            take the top discard
  L R3 B3 W / Y4 R5 B6 G7
               lay your Phase, its melds in order, a run from low to high
  H R7>2.1     add a card to the first meld of seat 2; H W=9>1.2 says what a Wild is
  -R5          discard; -S@3 discards a Skip and skips seat 3
Several actions in one line are played one after the other. Small letters will do.

  h  a hint: what the bots would do; then Enter does it
  t  the table again          s  the score sheet
  r  a rule: r T-HIT          q  quit; the game is saved, and 'phaseten play' goes on
"""


class Leave(Exception):  # noqa: N818 - not an error
    """The person leaves the table."""


@dataclass(frozen=True)
class Table:
    """What is chosen before a game."""

    edition: str
    names: tuple[str, ...]
    variant: Variant
    house: frozenset[str]
    seed: int | None = None

    def new_game(self) -> Game:
        """A fresh game, in which the person plays first."""
        return Game(
            self.edition,
            self.names,
            variant=self.variant,
            house=self.house,
            dealer=len(self.names),
            seed=self.seed,
        )


def names_at_table(name: str, players: int) -> tuple[str, ...]:
    """The person and as many bots as are needed, all with different names."""
    bots = [bot for bot in BOT_NAMES if bot.casefold() != name.casefold()]
    return (name, *bots[: players - 1])


@dataclass(frozen=True)
class Console:
    """Where the person reads and types."""

    screen: Screen
    read: Callable[[str], str] = input
    write: Callable[[str], None] = print


class Session:
    """A person at the terminal, and a game."""

    def __init__(self, game: Game, saves: Saves, console: Console, *, resumed: bool) -> None:
        self._game = game
        self._saves = saves
        self._screen = console.screen
        self._read = console.read
        self._write = console.write
        self._resumed = resumed
        self._bot = Casual()
        self._story = Story(game.names, HUMAN, console.screen)
        self._told = len(game.events) if resumed else 0
        self._trouble = ""
        self._hint: Action | None = None

    @property
    def saved(self) -> bool:
        """Whether the game as it stands is saved."""
        return not self._trouble

    def run(self) -> None:
        """Play to the end of the game. Leave is raised when the person goes before that."""
        self._welcome()
        try:
            self._save()
            while self._game.winner is None:
                self._turn()
            self._tell()
        except (EOFError, KeyboardInterrupt) as stop:
            self._write("")
            raise Leave from stop
        finally:
            self._save()

    # -- turns ---------------------------------------------------------------------------------

    def _turn(self) -> None:
        """One action of whoever's turn it is."""
        if self._game.turn == HUMAN:
            self._tell()
            self._human()
        else:
            self._game.play(self._bot.choose(self._game.view()))
            self._save(durable=False)

    def _human(self) -> None:
        board = self._game.state.board
        if board is not None and board.step == DRAW:
            self._show_table()
        self._show("", *own_lines(self._game.view(HUMAN), self._screen))
        menu = menu_for(self._game, self._story, self._screen)
        self._show(*menu.lines(self._screen))
        self._hint = None
        while not self._answer(self._read("> ").strip(), menu):
            pass

    def _answer(self, text: str, menu: Menu) -> bool:
        """Do what the person asks; whether it changed the game."""
        word, _, rest = text.partition(" ")
        hint, self._hint = self._hint, None
        match word.lower():
            case "" if hint is not None:
                return self._play([hint])
            case "":
                self._show(" Type a number from the list, or ? for help.")
            case "?" | "help":
                self._show(HELP)
            case "q" | "quit" | "exit":
                raise Leave
            case "s":
                self._show(*score_lines(self._game.state, self._game.names, self._screen))
            case "t":
                self._show_table()
                self._show(*own_lines(self._game.view(HUMAN), self._screen))
                self._show(*menu.lines(self._screen))
            case "r":
                self._show_rule(rest)
            case "h" if not rest:
                self._give_hint()
            case _ if word.isascii() and word.isdecimal() and len(word) < 5 and not rest:
                return self._choose(int(word), menu)
            case _:
                return self._write_action(text)
        return False

    def _choose(self, number: int, menu: Menu) -> bool:
        if not 1 <= number <= len(menu.actions):
            self._show(f" The list goes from 1 to {len(menu.actions)}: choose one of these.")
            return False
        return self._play([menu.actions[number - 1]])

    def _write_action(self, text: str) -> bool:
        try:
            moves = parse_moves(text.upper())
        except MoveSyntaxError as error:
            self._show(f" {error}. (? shows how)")
            return False
        return self._play([move.action for move in moves])

    def _play(self, actions: Sequence[Action]) -> bool:
        """Play the person's actions; whether any of them went through."""
        for number, action in enumerate(actions):
            if number and (self._game.turn != HUMAN or self._game.winner is not None):
                rest = " ".join(format_action(left) for left in actions[number:])
                self._show(f" Your turn is over: {rest} was not played.")
                return True
            try:
                self._game.play(action, HUMAN)
            except IllegalMoveError as error:
                self._show(f" {error}", f" Why? r {error.refusal.rule}")
                return number > 0
            self._save()
        return True

    def _give_hint(self) -> None:
        self._hint = self._bot.choose(self._game.view(HUMAN))
        words = self._story.describe(self._hint)
        hint = f"A bot would {words}, which is {format_action(self._hint)}. (Enter does it)"
        self._show(self._screen.wrap(hint, "   ", " "))

    # -- telling -------------------------------------------------------------------------------

    def _welcome(self) -> None:
        game = self._game
        others = listed(list(game.names[1:]))
        if self._resumed:
            self._show(self._screen.bold(f"Welcome back! The game with {others} goes on."))
        else:
            self._show(
                self._screen.bold(f"{game.rules.edition.title}, with {others}."),
                "? explains what you can type. Every move is saved.",
            )

    def _tell(self) -> None:
        """Say what happened since the person last looked."""
        new: list[Seen] = [seen_by(event, HUMAN) for event in self._game.events[self._told :]]
        self._told += len(new)
        start = 0
        for number, event in enumerate(new):
            if isinstance(event, DealSeen):
                self._tell_part(new[start:number])
                self._show("", self._screen.rule(f"Hand {event.hand}"))
                start = number
        self._tell_part(new[start:])

    def _tell_part(self, events: Sequence[Seen]) -> None:
        """Tell the events of one hand; at its end, the points."""
        for sentence in self._story.tell(events):
            self._show(self._screen.wrap(sentence, "   ", " "))
        if any(isinstance(event, HandScored) for event in events):
            self._show("", *self._scores_after(events))

    def _scores_after(self, events: Sequence[Seen]) -> list[str]:
        scored = next(event for event in events if isinstance(event, HandScored))
        points = dict(scored.points)
        made = dict(scored.made)
        lines = [
            f" {self._game.names[seat - 1]}: {points[seat]} points"
            + (f", Phase {made[seat]} made" if seat in made else "")
            for seat in sorted(points)
        ]
        over = any(isinstance(event, GameWon) for event in events)
        if over or len(self._game.state.sheet.hands) == scored.hand:
            lines += ["", *score_lines(self._game.state, self._game.names, self._screen)]
        return lines

    def _show_table(self) -> None:
        self._show("", *table_lines(self._game.view(HUMAN), self._game.names, self._screen))

    def _show_rule(self, wanted: str) -> None:
        if not wanted.strip():
            self._show(rulebook.contents(self._screen))
            return
        found = rulebook.find(wanted)
        for section in found:
            self._show(rulebook.render(section, self._screen))
        if not found:
            near = listed(rulebook.suggestions(wanted), "or") or "r alone lists them all"
            self._show(f" There is no rule {wanted.strip()!r}: {near}?")

    def _show(self, *lines: str) -> None:
        for line in lines:
            self._write(self._screen.text(line))

    # -- saving --------------------------------------------------------------------------------

    def _save(self, *, durable: bool = True) -> None:
        try:
            self._saves.save(self._game, resumed=self._resumed, durable=durable)
        except OSError as error:
            trouble = error.strerror or str(error)
            if trouble != self._trouble:
                self._show(
                    f" The game cannot be saved in {self._saves.folder}: {trouble}. "
                    "It goes on, but would be lost if you left now."
                )
            self._trouble = trouble
        else:
            self._trouble = ""


def play(table: Table, saves: Saves, console: Console, *, saved: Game | None) -> None:
    """Play the saved game, or a new one; then another one as long as the person likes."""
    while True:
        game = saved or table.new_game()
        session = Session(game, saves, console, resumed=saved is not None)
        try:
            session.run()
        except Leave:
            console.write(f" See you!{' Go on with: phaseten play' if session.saved else ''}")
            return
        with suppress(SaveError):
            if kept := saves.put_aside("finished"):
                console.write(f" The game is kept in {kept}")
        try:
            again = console.read(" Another game? (y/n) ").strip().lower().startswith("y")
        except (EOFError, KeyboardInterrupt):
            console.write("")
            return
        if not again:
            return
        saved = None
