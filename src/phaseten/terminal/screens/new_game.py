"""Choosing a game: edition, variation, house rules and who plays."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, HorizontalGroup, Vertical, VerticalGroup
from textual.content import Content
from textual.events import DescendantFocus
from textual.widgets import Button, Input, Label, Static

from phaseten.language import LANGUAGES, language
from phaseten.rules.editions import BOOK_EDITIONS, HOUSE_RULES, MOST_PLAYERS, EditionError, edition
from phaseten.rules.options import OptionError, Variant
from phaseten.table.coaching import LEAST_REMARK
from phaseten.terminal.card_faces import shapes_row
from phaseten.terminal.game_options import GameOptions
from phaseten.terminal.navigation import nearest
from phaseten.terminal.pace import PACES
from phaseten.terminal.players import BOT_NAMES, KINDS, LONGEST_NAME, Player, is_name
from phaseten.terminal.screens.base import GameScreen
from phaseten.terminal.screens.pages import NewGameHelpPage
from phaseten.terminal.settings import COACH, THEMES
from phaseten.terminal.widgets.choice import Choice

EMPTY: Final = "empty"
_NO, _YES = "no", "yes"


class SeatLine(HorizontalGroup):
    """A seat: who sits there, and the name."""

    def __init__(self, seat: int, name: str, choice: Choice) -> None:
        super().__init__(classes="seat-line")
        self._seat = seat
        self._name = name
        self._choice = choice

    def compose(self) -> ComposeResult:
        yield Label(f"{self._seat} ")
        yield Input(self._name, max_length=LONGEST_NAME, compact=True, id=f"name-{self._seat}")
        yield self._choice

    def follow_choice(self) -> None:
        """Names are for seats where somebody sits."""
        empty = self._choice.value == EMPTY
        name = self.query_one(Input)
        name.can_focus = not empty
        name.set_class(empty, "-empty")


class NewGameScreen(GameScreen[GameOptions | None]):
    """Answers with the options chosen, or None where nobody wants to play."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "leave", show=False),
        Binding("question_mark", "help", show=False),
        Binding("up", "go('up')", show=False),
        Binding("down", "go('down')", show=False),
        Binding("f5", "deal", show=False),
    ]

    def __init__(self, options: GameOptions) -> None:
        super().__init__()
        self._options = options

    # -- what is shown -------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        title = Content.assemble(shapes_row(), "   ", (self.say("new_game.title"), "bold"))
        with VerticalGroup(id="new-game"):
            yield Static(title, id="title")
            with Horizontal(id="columns"):
                with Vertical(classes="column"):
                    yield Label(self.say("new_game.game"), classes="heading", markup=False)
                    yield from self._game_choices()
                with Vertical(classes="column"):
                    yield Label(self.say("new_game.players"), classes="heading", markup=False)
                    for seat in range(1, MOST_PLAYERS + 1):
                        yield self._seat_line(seat)
                    yield Label(self.say("new_game.terminal"), classes="heading gap", markup=False)
                    yield from self._terminal_choices()
            yield Static("", id="about", markup=False)
            with HorizontalGroup(id="deal-line"):
                yield Button(self.say("new_game.deal"), id="deal", compact=True)
                yield Label(self.say("new_game.keys"), classes="keys", markup=False)

    def _game_choices(self) -> ComposeResult:
        options = self._options
        names = list(dict.fromkeys([*BOOK_EDITIONS, options.edition]))
        editions = [(name, _edition_title(name)) for name in names]
        yield Choice("edition", self.say("new_game.edition"), editions, options.edition)
        variant = options.variant
        yield Choice(
            "hands",
            self.say("new_game.hands"),
            [(_NO, self.say("new_game.hands_all")), (_YES, self.say("new_game.hands_ten"))],
            _YES if variant.ten_hands else _NO,
        )
        counts = [("0", self.say("new_game.phases_all"))]
        counts += [(str(n), self.say("new_game.phases_first", count=n)) for n in range(1, 10)]
        yield Choice("phases", self.say("new_game.phases"), counts, str(variant.first or 0))
        yield self._switch("even", self.say("new_game.even"), on=variant.even)
        yield Label(self.say("new_game.house"), classes="heading gap", markup=False)
        for rule in HOUSE_RULES:
            title = self.language.house_rule(rule).title
            yield self._switch(rule, title, on=rule in options.house)

    def _switch(self, name: str, title: str, *, on: bool) -> Choice:
        options = [(_NO, self.say("new_game.no")), (_YES, self.say("new_game.yes"))]
        return Choice(name, title, options, _YES if on else _NO)

    def _seat_line(self, seat: int) -> SeatLine:
        players = self._options.players
        player = players[seat - 1] if seat <= len(players) else None
        kinds = [*KINDS, *([EMPTY] if seat > 2 else [])]
        options = [(kind, self.say(f"level.{kind}")) for kind in kinds]
        choice = Choice(f"kind-{seat}", "", options, player.kind if player else EMPTY)
        return SeatLine(seat, player.name if player else self._free_name(seat), choice)

    def _free_name(self, seat: int) -> str:
        taken = {player.name for player in self._options.players}
        free = [name for name in BOT_NAMES if name not in taken]
        return free[(seat - len(self._options.players) - 1) % len(free)]

    def _terminal_choices(self) -> ComposeResult:
        settings = self.game_app.settings
        languages = [(code, language(code).title) for code in LANGUAGES]
        yield Choice("language", self.say("new_game.language"), languages, self.language.code)
        paces = [(pace, self.say(f"pace.{pace}")) for pace in PACES]
        yield Choice("pace", self.say("new_game.pace"), paces, settings.pace)
        looks = [(theme, self.say(f"theme.{theme}")) for theme in THEMES]
        yield Choice("theme", self.say("new_game.theme"), looks, settings.theme)
        answers = [(coach, self.say(f"coach.{coach}")) for coach in COACH]
        yield Choice("coach", self.say("new_game.coach"), answers, settings.coach)

    def on_mount(self) -> None:
        for line in self.query(SeatLine):
            line.follow_choice()
        self.query_one("#deal").focus()

    @on(DescendantFocus)
    def _explain(self) -> None:
        """Say what the choice in focus is about."""
        name = self.focused.id or "" if self.focused is not None else ""
        if name in HOUSE_RULES:
            text = self.language.house_rule(name).about
        elif name == "edition":
            text = self.language.edition(self._value("edition"))
        elif name.startswith("kind-"):
            kind = self._value(name)
            text = self.say(f"level_about.{kind}")
        elif name in ("hands", "phases", "even"):
            variation = {"hands": "ten-hands"}.get(name, name)
            text = self.language.variation(variation).about
        elif name == "coach":
            text = self.say("coach.about", least=round(100 * LEAST_REMARK))
        else:
            text = ""
        self._about(text)

    def _about(self, text: str, *, refused: bool = False) -> None:
        about = self.query_one("#about", Static)
        about.update(text)
        about.set_class(refused, "-refusal")

    # -- what is done --------------------------------------------------------------------------

    def _value(self, name: str) -> str:
        return self.query_one(f"#{name}", Choice).value

    @on(Choice.Changed)
    async def _changed(self, event: Choice.Changed) -> None:
        name, value = event.choice.id or "", event.choice.value
        if name.startswith("kind-"):
            for line in self.query(SeatLine):
                line.follow_choice()
        if name in ("pace", "theme", "coach"):
            self.game_app.remember(**{name: value})
        if name == "language":
            self._options = self._chosen_options()
            self.game_app.remember(language=value)
            await self.recompose()
            self.on_mount()
            self.query_one("#language").focus()
            return
        self._explain()

    def action_go(self, direction: str) -> None:
        here = self.focused
        if here is not None:
            place = nearest(here.region, direction, self.focus_chain)
            if place is not None:
                self.set_focus(place)

    def on_button_pressed(self) -> None:
        self.action_deal()

    def action_deal(self) -> None:
        options = self._chosen_options()
        names = [player.name.casefold() for player in options.players]
        try:
            options.check()
        except (OptionError, EditionError) as error:
            self._about(self.say("new_game.does_not_fit", why=str(error)), refused=True)
            return
        if not all(is_name(player.name) for player in options.players):
            self._about(self.say("new_game.bad_name", count=LONGEST_NAME), refused=True)
        elif len(set(names)) < len(names):
            self._about(self.say("new_game.same_name"), refused=True)
        elif not any(player.is_person for player in options.players):
            self._about(self.say("new_game.nobody"), refused=True)
        else:
            self.dismiss(options)

    def _chosen_options(self) -> GameOptions:
        first = int(self._value("phases"))
        variant = Variant(self._value("hands") == _YES, first or None, self._value("even") == _YES)
        players = [
            Player(self.query_one(f"#name-{seat}", Input).value.strip(), kind)
            for seat in range(1, MOST_PLAYERS + 1)
            if (kind := self._value(f"kind-{seat}")) != EMPTY
        ]
        house = frozenset(rule for rule in HOUSE_RULES if self._value(rule) == _YES)
        return GameOptions(tuple(players), self._value("edition"), variant, house)

    def action_help(self) -> None:
        self.game_app.push_screen(NewGameHelpPage())

    def action_leave(self) -> None:
        self.dismiss(None)


def _edition_title(name: str) -> str:
    try:
        box = edition(name)
    except EditionError:
        return name
    return f"{box.title} ({box.year})" if box.year else box.title
