"""What the people at the table see of their game."""

from __future__ import annotations

from typing import Final

from phaseten.language import Story
from phaseten.rules.actions import Action
from phaseten.rules.events import HandDealt
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import DRAW
from phaseten.rules.views import View
from phaseten.terminal.arrangement import Arrangement
from phaseten.terminal.card_faces import card_text
from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.possible_actions import possible_now
from phaseten.terminal.screens.table_layout import TableLayout
from phaseten.terminal.session import Session
from phaseten.terminal.widgets.cards import HeldCards
from phaseten.terminal.widgets.key_bar import Key, KeyBar
from phaseten.terminal.widgets.piles import DiscardPile, DrawPile
from phaseten.terminal.widgets.seats import MeldStrip
from phaseten.terminal.widgets.spot import Spot

REFUSAL: Final = "refusal"
HINT: Final = "hint"
TROUBLE: Final = "trouble"
"""What sort of thing is said."""


class TableDisplay(TableLayout[str]):
    """A game as the person sees it whose turn it is; the only person sees it always."""

    def __init__(self, session: Session) -> None:
        super().__init__(len(session.names))
        self._session = session
        self._names = session.names
        self._eyes: int | None = session.people[0] if session.alone else None
        """The seat whose cards are on the screen."""
        self._hint: Action | None = None
        self._rule = ""
        """The rule of the last refusal."""
        self._remark = ""
        """What the coach says about the last move."""
        self._remarks: list[tuple[int, str]] = []
        """All that it has said, and after how many events."""
        self._trouble = ""
        """What was said of saving."""

    @property
    def _view(self) -> View:
        return self._session.view(self._eyes)

    @property
    def _my_turn(self) -> bool:
        """Whether the one who looks may act."""
        return self._eyes is not None and self._eyes == self._session.person_on_turn

    @property
    def _cards(self) -> Arrangement:
        return self._session.arrangement(self._eyes or self._session.people[0])

    # -- showing -------------------------------------------------------------------------------

    async def _show(self) -> None:
        """Bring everything on the screen up to date."""
        await self.present(
            self._display_state(), self._cards.cards if self._eyes is not None else ()
        )
        held = self.query_one(HeldCards)
        if self._my_turn and not isinstance(self.focused, Spot) and held.faces:
            self.set_focus(held.faces[0])
        await self._show_possible()

    async def _show_possible(self) -> None:
        """Mark what may be done, and say it."""
        possible = possible_now(self._view, self._cards.chosen if self._my_turn else ())
        self.query_one(DrawPile).offer("d" if possible.draw else "")
        self.query_one(DiscardPile).offer("t" if possible.take else "x" if possible.discard else "")
        for strip in self.query(MeldStrip):
            strip.possible = (strip.owner, strip.number) in possible.melds
        await self.query_one(KeyBar).show(self._keys())
        self._prompt()

    def _display_state(self) -> DisplayState:
        session = self._session
        deals = [i for i, event in enumerate(session.game.events) if isinstance(event, HandDealt)]
        start = deals[-1] if deals else 0  # a game that began in a position: in its first hand
        return DisplayState(self._view, self._names, self.language, self._told(start), self._now())

    def _told(self, start: int = 0) -> list[str]:
        """What happened from an event on, as the one who looks was shown it."""
        story = Story(self.language, self._names, self._eyes, card_text)
        seen = self._session.seen(self._eyes, start)
        told: list[str] = []
        done = 0
        for after, words in sorted(self._remarks):
            if after > start:
                told += [*story.tell(seen[done : after - start]), words]
                done = after - start
        return [*told, *story.tell(seen[done:])]

    def _now(self) -> str:
        """Whose turn it is."""
        turn = self._session.turn
        if turn is None:
            return self.say("now.over")
        if turn == self._eyes:
            return self.say("now.you")
        return self.say("now.other", player=self._names[turn - 1])

    # -- what can be done ----------------------------------------------------------------------

    @property
    def _can_undo(self) -> bool:
        return self._session.can_undo and (self._my_turn or self._session.alone)

    def _keys(self) -> list[Key]:
        """What can be done now, and with which key."""
        keys = self._turn_keys()
        if self._rule:
            keys.append(self._key("r", "why"))
        if self._can_undo:
            keys.append(self._key("u", "undo"))
        if self._eyes is not None:
            keys.append(self._key("s", "sort"))
        keys += [self._key("g", "log"), self._key("c", "scores")]
        return [*keys, self._key("?", "help"), self._key("q", "leave")]

    def _turn_keys(self) -> list[Key]:
        board = self._view.board
        if not self._my_turn or board is None:
            return []
        possible = possible_now(self._view, ())
        keys: list[Key] = []
        if board.step == DRAW:
            keys += [self._key("d", "draw", urged=True)] if possible.draw else []
            keys += [self._key("t", "take", urged=True)] if possible.take else []
        else:
            keys += [self._key("l", "lay", urged=True)] if possible.lay else []
            keys += [self._key("x", "discard", urged=True)]
        if self._hint is not None:
            keys.append(self._key("y", "do_hint", urged=True))
        return [*keys, self._key("h", "hint")]

    def _key(self, key: str, action: str, *, urged: bool = False) -> Key:
        return Key(key, self.say(f"key.{action}"), action, urged)

    # -- saying --------------------------------------------------------------------------------

    def _prompt(self) -> None:
        """Say what can be done next, unless a refusal or a hint stands there."""
        trouble = self._session.trouble
        if trouble and trouble != self._trouble:
            self.tell(self.say("not_saved", why=trouble), TROUBLE)
        elif self._remark and not self._rule and self._hint is None:
            self.tell(self._remark, HINT)
        elif not self._rule and self._hint is None:
            self.tell(self._what_now())
        self._trouble = trouble

    def _what_now(self) -> str:
        view, board = self._view, self._view.board
        if board is None or not self._my_turn:
            return self.say("prompt.wait") if self._session.turn else ""
        chosen = self._cards.chosen
        possible = possible_now(view, chosen)
        if board.step == DRAW:
            if possible.draw and possible.take and board.top is not None:
                return self.say("prompt.draw_or_take", card=card_text(board.top))
            return self.say("prompt.draw" if possible.draw else "prompt.take")
        if chosen:
            name = "chosen_after" if board.made[board.turn - 1] else "chosen"
            return self.say(f"prompt.{name}", count=len(chosen))
        if possible.lay:
            return self.say("prompt.lay")
        return self.say("prompt.hit" if possible.melds else "prompt.discard")

    def _forget(self) -> None:
        """What was said is no longer about what is so."""
        self._hint = None
        self._rule = ""
        self._remark = ""

    def _object(self, sentence: str) -> None:
        """Say what stands in the way, where no rule does."""
        self._forget()
        self.tell(sentence, REFUSAL)

    async def _refuse(self, refusal: Refusal) -> None:
        """Say why something may not be done, and by which rule."""
        self._forget()
        self._rule = refusal.rule
        sentence = self.language.refusal(refusal, self._names, card_text)
        self.tell(self.say("refused", sentence=sentence, rule=refusal.rule), REFUSAL)
        await self._show_possible()
