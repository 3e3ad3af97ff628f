"""Pages to read: help, the log of the game, the score sheet, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Label, Markdown, OptionList, Static
from textual.widgets.option_list import Option

from phaseten.terminal.card_faces import with_cards
from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.rulebook import Section, rulebook
from phaseten.terminal.screens.base import Dialog
from phaseten.terminal.widgets.score_sheet import hands, heading

_HELP: Final = (
    ("arrows", "← ↑ ↓ → Home End"),
    ("enter", "Enter"),
    ("space", "Space"),
    ("draw", "d"),
    ("take", "t"),
    ("lay", "l"),
    ("discard", "x"),
    ("hint", "h"),
    ("next_bot", "H"),
    ("do_hint", "y"),
    ("undo", "u"),
    ("sort", "s"),
    ("move", "<  >"),
    ("why", "r"),
    ("log", "g"),
    ("scores", "c"),
    ("leave", "q"),
)
"""What the keys do, and how they are called."""
_REPLAY_HELP: Final = (
    ("step", "← →"),
    ("turn", "↑ ↓"),
    ("hand", "PgUp PgDn p n"),
    ("ends", "Home End"),
    ("run", "Space"),
    ("speed", "+ -"),
    ("eyes", "v"),
    ("jump", "j"),
    ("analyse", "a"),
    ("mistake", "m M"),
    ("play_on", "f"),
    ("sort", "s"),
    ("log", "g"),
    ("scores", "c"),
    ("leave", "q"),
)
_NEW_GAME_HELP: Final = (
    ("go", "↑ ↓  Tab"),
    ("change", "← →  Enter"),
    ("name", "a b c"),
    ("deal", "F5"),
    ("leave", "q  Escape"),
)


class Page(Dialog[None]):
    """Something to read; Escape, q or Enter leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "close", show=False),
    ]

    def action_close(self) -> None:
        self.dismiss(None)

    def _heading(self, name: str) -> Label:
        return Label(self.say(f"page.{name}"), classes="question", markup=False)

    def _foot(self) -> Label:
        return Label(self.say("page.keys"), classes="keys", markup=False)


class HelpPage(Page):
    """What the keys and the mouse do."""

    KEYS: ClassVar[Sequence[tuple[str, str]]] = _HELP
    WORDS: ClassVar[str] = "help"

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield self._heading("help")
            with VerticalScroll():
                yield Static(self._keys(), classes="text")
            yield self._foot()

    def _keys(self) -> Content:
        lines = [
            Content.assemble((f"{key:<17}", "bold"), self.say(f"{self.WORDS}.{name}"))
            for name, key in self.KEYS
        ]
        lines += [Content(""), Content(self.say(f"{self.WORDS}.mouse"))]
        return Content("\n").join(lines)


class ReplayHelpPage(HelpPage):
    """How to watch a record."""

    KEYS: ClassVar[Sequence[tuple[str, str]]] = _REPLAY_HELP
    WORDS: ClassVar[str] = "replay_help"


class NewGameHelpPage(HelpPage):
    """How to choose a game."""

    KEYS: ClassVar[Sequence[tuple[str, str]]] = _NEW_GAME_HELP
    WORDS: ClassVar[str] = "new_game_help"


class LogPage(Page):
    """Everything that happened in the game."""

    def __init__(self, told: Sequence[str]) -> None:
        super().__init__()
        self._told = told

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield self._heading("log")
            with VerticalScroll():
                yield Static(Content("\n").join(map(with_cards, self._told)), classes="text")
            yield self._foot()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).scroll_end(animate=False)


class ReportPage(Page):
    """What the coach says of a game."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield self._heading("report")
            with VerticalScroll():
                yield Static(Content("\n".join(self._lines)), classes="text")
            yield self._foot()


class ScorePage(Page):
    """The score sheet."""

    def __init__(self, shown: DisplayState) -> None:
        super().__init__()
        self._shown = shown

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield self._heading("scores")
            yield Static(Content("\n").join(heading(self._shown, wide=True)))
            with VerticalScroll():
                yield Static(Content("\n").join(hands(self._shown, wide=True)))
            yield self._foot()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).scroll_end(animate=False)


class RulesPage(Page):
    """The rules: a list of them, and the one that was asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", show=False)]

    def __init__(self, rule: str = "") -> None:
        super().__init__()
        self._rule = rule
        self._rules: list[Section] = []

    def compose(self) -> ComposeResult:
        self._rules = [section for section in rulebook(self.language.code).sections if section.id]
        with Vertical(classes="page"):
            yield self._heading("rules")
            with Horizontal():
                yield OptionList(*[Option(rule.id) for rule in self._rules], compact=True)
                with VerticalScroll():
                    yield Markdown(open_links=False)
            yield self._foot()

    async def on_mount(self) -> None:
        ids = [rule.id for rule in self._rules]
        listed = self.query_one(OptionList)
        listed.highlighted = ids.index(self._rule) if self._rule in ids else 0
        listed.focus()

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """A rule named by another one."""
        ids = [rule.id.lower() for rule in self._rules]
        wanted = event.href.lstrip("#").lower()
        if wanted in ids:
            self.query_one(OptionList).highlighted = ids.index(wanted)

    async def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        rule = self._rules[event.option_index]
        text = f"**{rule.id} · {rule.title}**\n\n{rule.body}"
        await self.query_one(Markdown).update(text)
        self.query_one(VerticalScroll).scroll_home(animate=False)
