"""A question with several answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalGroup
from textual.content import Content
from textual.events import Click, Key
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from phaseten.terminal.screens.base import Dialog

T = TypeVar("T")


class Question(Dialog["T | None"], Generic[T]):
    """Answers with what was chosen, or None where the player thought better of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", show=False),
        Binding("space", "select", show=False),
    ]

    def __init__(self, question: str, answers: Sequence[tuple[Content, T]]) -> None:
        super().__init__()
        self._question = question
        self._answers = answers

    def compose(self) -> ComposeResult:
        with VerticalGroup(classes="dialog"):
            yield Label(self._question, classes="question", markup=False)
            yield OptionList(*self._options())
            yield Label(self.say("question.keys"), classes="keys", markup=False)

    def _options(self) -> Iterator[Option]:
        """The answers; the first nine also have a number."""
        for number, (text, _) in enumerate(self._answers, 1):
            yield Option(Content.assemble(f"{number if number < 10 else ' '} ", text))

    def on_key(self, event: Key) -> None:
        if event.key.isdecimal() and 1 <= int(event.key) <= len(self._answers):
            self.dismiss(self._answers[int(event.key) - 1][1])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._answers[event.option_index][1])

    def action_select(self) -> None:
        self.query_one(OptionList).action_select()

    def action_cancel(self) -> None:
        self.dismiss(None)

    def on_click(self, event: Click) -> None:
        """A click beside the question takes it back."""
        if event.widget is self:
            self.action_cancel()
