"""The table at which people play."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.content import Content

from phaseten.analysis.remarks import remark_on
from phaseten.bots.ladder import LADDER
from phaseten.rules.cards import SKIP
from phaseten.rules.events import Event, HandScored, Seen
from phaseten.rules.state import DRAW
from phaseten.rules.views import View, seen_by
from phaseten.table.coaching import remark_words
from phaseten.terminal.card_faces import card_text
from phaseten.terminal.navigation import nearest
from phaseten.terminal.pace import Pacer
from phaseten.terminal.saves import SaveError
from phaseten.terminal.screens.pages import HelpPage, LogPage, RulesPage, ScorePage
from phaseten.terminal.screens.player_actions import PlayerActions
from phaseten.terminal.screens.privacy import READY, PrivacyScreen
from phaseten.terminal.screens.results import HOME, QUIT, GameOver, HandOver
from phaseten.terminal.screens.table_display import HINT, TROUBLE
from phaseten.terminal.session import Session
from phaseten.terminal.widgets.cards import CardFace, HeldCards
from phaseten.terminal.widgets.key_bar import KeyBar
from phaseten.terminal.widgets.messages import MessageLine
from phaseten.terminal.widgets.piles import DiscardPile, DrawPile
from phaseten.terminal.widgets.seats import MeldStrip, SeatInfo
from phaseten.terminal.widgets.spot import Spot

_END: Final = "end"
"""To end the game for good."""

_ALWAYS: Final = frozenset({"q", "question_mark", "g", "c", "r", "ctrl+c", "ctrl+q"})
"""Keys that do what they always do, also while others play; any other key hurries them."""


class TableScreen(PlayerActions):
    """A game: the people at this keyboard play, the bots move by themselves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "draw"),
        Binding("t", "take"),
        Binding("l", "lay"),
        Binding("x", "discard"),
        Binding("h", "hint"),
        Binding("H", "next_bot"),
        Binding("y", "do_hint"),
        Binding("u", "undo"),
        Binding("s", "sort"),
        Binding("<", "move(-1)"),
        Binding(">", "move(1)"),
        Binding("shift+left", "move(-1)"),
        Binding("shift+right", "move(1)"),
        Binding("escape", "choose_nothing"),
        Binding("question_mark", "help"),
        Binding("r", "why"),
        Binding("g", "log"),
        Binding("c", "scores"),
        Binding("q", "leave"),
        Binding("left", "go('left')"),
        Binding("right", "go('right')"),
        Binding("up", "go('up')"),
        Binding("down", "go('down')"),
        Binding("home", "go_to_card(0)"),
        Binding("end", "go_to_card(-1)"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._pacer = Pacer()
        self._turns = 0
        """How many turns of people are over."""
        self._judged = -1
        """The turn of whose moves the coach may still say something."""

    async def on_mount(self) -> None:
        await self._show()
        self._go_on()

    # -- how the game goes on ----------------------------------------------------------------

    @work(group="game", exclusive=True)
    async def _go_on(self) -> None:
        """Let the bots play until it is a person's turn or the game is over."""
        session = self._session
        self._pacer.start(self.game_app.settings.pace)
        while session.turn is not None and session.person_on_turn is None:
            await self._bot_plays(session.turn)
        if session.turn is None:
            over = GameOver(self._display_state(), self._told(), session.replay())
            self._leave_table(await self.game_app.push_screen_wait(over))
            return
        if not session.alone:
            await self._hand_over(session.turn)
        await self._show()

    async def _bot_plays(self, seat: int) -> None:
        """One action of a bot, which thinks in a thread of its own."""
        board = self._session.view(seat).board
        drawing = board is not None and board.step == DRAW
        action, _ = await asyncio.gather(
            asyncio.to_thread(self._session.choose, seat), self._pacer.wait(drawing=drawing)
        )
        events = self._session.play(action)
        await self._show()
        await self._tell_end(events)

    async def _tell_end(self, events: Sequence[Event]) -> None:
        """At the end of a hand: the points, before the next one begins."""
        if any(isinstance(event, HandScored) for event in events) and self._session.turn:
            await self.game_app.push_screen_wait(HandOver(self._display_state(), self._told()))
            self._pacer.start(self.game_app.settings.pace)

    async def _hand_over(self, seat: int) -> None:
        """Hide everything until the next person sits down; the last one may think again."""
        privacy = PrivacyScreen(self._names[seat - 1], can_undo=self._session.can_undo)
        if await self.game_app.push_screen_wait(privacy) == READY:
            self._session.turn_handed_over()
            self._eyes = seat
        else:
            self._eyes = self._session.undo()

    async def _turn_over(self, events: Sequence[Event]) -> None:
        self._turns += 1
        self._cards.settle()
        if not self._session.alone:
            self._eyes = None
        await self._show()
        await self._tell_end(events)
        self._go_on()

    def _out_of_turn(self) -> None:
        self._pacer.hurry()

    def on_key(self, event: events.Key) -> None:
        """While others play, any key hurries them."""
        undoing = event.key == "u" and self._can_undo
        if self._session.person_on_turn is None and event.key not in _ALWAYS and not undoing:
            self._pacer.hurry()
            event.stop()

    # -- the keys ------------------------------------------------------------------------------

    def action_draw(self) -> None:
        self._start(self._draw())

    def action_take(self) -> None:
        self._start(self._take())

    def action_lay(self) -> None:
        self._start(self._lay())

    def action_discard(self) -> None:
        face = self.focused
        focused = (face.held.card,) if isinstance(face, CardFace) else ()
        self._start(self._discard(self._cards.chosen or focused))

    def action_go(self, direction: str) -> None:
        """Go to the nearest place in a direction."""
        here = self.focused
        faces = self.query_one(HeldCards).faces
        if here is None:
            place = faces[0] if faces else None
        else:
            places = [spot for spot in self.query(Spot) if spot.can_focus and spot is not here]
            place = nearest(here.region, direction, places)
        if place is not None:
            self.set_focus(place)

    def action_go_to_card(self, place: int) -> None:
        """Go to the first of the player's cards, or to the last one."""
        faces = self.query_one(HeldCards).faces
        if faces:
            self.set_focus(faces[place])

    async def action_choose_nothing(self) -> None:
        self._cards.choose_nothing()
        self._forget()
        await self._show()

    async def action_sort(self) -> None:
        if self._eyes is not None:
            self._cards.next_sort()
            self.game_app.remember(sort=self._cards.sort)
            await self._show()

    async def action_move(self, by: int) -> None:
        """Move the card in focus to the left or to the right."""
        faces = self.query_one(HeldCards).faces
        if isinstance(self.focused, CardFace):
            place = faces.index(self.focused)
            to = max(0, min(place + by, len(faces) - 1))
            await self._move(place, to)
            self.set_focus(faces[to])

    async def _move(self, place: int, to: int) -> None:
        self._cards.move(place, to)
        self._session.save(durable=False)
        await self._show()

    # -- the mouse -----------------------------------------------------------------------------

    @on(KeyBar.Pressed)
    async def _key_clicked(self, event: KeyBar.Pressed) -> None:
        await self.run_action(event.action)

    @on(CardFace.Picked)
    async def _card_picked(self, event: CardFace.Picked) -> None:
        held = event.face.held
        held.chosen = not held.chosen
        self._forget()
        event.face.show(held, self.say("new_card"))
        await self._show_possible()

    @on(CardFace.Dropped)
    async def _card_dropped(self, event: CardFace.Dropped) -> None:
        """A card was dragged: onto another card, a pile or a meld."""
        held, target = event.face.held, event.target
        faces = self.query_one(HeldCards).faces
        if isinstance(target, CardFace):
            await self._move(faces.index(event.face), faces.index(target))
        elif isinstance(target, DiscardPile):
            self._start(self._discard((held.card,)))
        elif isinstance(target, MeldStrip):
            self._cards.choose_nothing()
            held.chosen = True
            self._start(self._hit(target))

    @on(Spot.Chosen)
    def _spot_chosen(self, event: Spot.Chosen) -> None:
        spot, board = event.spot, self._view.board
        match spot:
            case CardFace():
                self._start(self._act_with(spot.held.card))
            case DrawPile():
                self._start(self._draw())
            case DiscardPile() if board is not None and board.step == DRAW:
                self._start(self._take())
            case DiscardPile():
                self._start(self._discard(self._cards.chosen))
            case MeldStrip():
                self._start(self._hit(spot))
            case SeatInfo() if self._cards.chosen == (SKIP,):
                self._start(self._skip(spot.seat))
            case _:
                pass

    # -- taking back, hints --------------------------------------------------------------------

    async def action_undo(self) -> None:
        if not self._can_undo:
            self._object(self.say("no_undo"))
            return
        self._session.undo()
        self._judged = -1
        self._remarks = [one for one in self._remarks if one[0] <= len(self._session.game.events)]
        self._cards.settle()
        self._forget()
        await self._show()
        self._go_on()

    def action_hint(self) -> None:
        self._start(self._give_hint())

    async def _give_hint(self) -> None:
        level = self.game_app.settings.hint
        self._forget()
        self._hint, reasons = await asyncio.to_thread(self._session.hint, level)
        action = self.language.action(self._hint, self._view, self._names, card_text)
        bot = self.say(f"bot.{level}")
        why = [self.language.reason(reason, self._names, card_text) for reason in reasons]
        text = self.say("hint", bot=bot, action=action, why=" ".join(why))
        if not self.query_one(MessageLine).has_room_for(text):
            text = self.say("hint", bot=bot, action=action, why=why[0])
        self.tell(text, HINT)
        await self._show_possible()

    def action_next_bot(self) -> None:
        """Ask another bot for hints."""
        level = self.game_app.settings.hint
        self.game_app.remember(hint=LADDER[(LADDER.index(level) + 1) % len(LADDER)])
        self.action_hint()

    def action_do_hint(self) -> None:
        if self._hint is not None:
            self._start(self._play(self._hint))

    # -- the coach -----------------------------------------------------------------------------

    def _moved(self, view: View, event: Event) -> None:
        """Have the coach judge it, where one person plays against bots and wants that."""
        if self.game_app.settings.coach == "on" and self._session.alone:
            self._judged = self._turns
            self._judge(view, seen_by(event, view.seat), len(self._session.game.events))

    @work(group="coach")
    async def _judge(self, view: View, event: Seen, after: int) -> None:
        """What it says comes when it is ready; nothing, once the player has gone on in the next turn."""
        turn = self._judged
        remark = await asyncio.to_thread(remark_on, view, event)
        if remark is None or self._judged != turn:
            return
        sentence, *why = remark_words(remark, view, self._names, self.language, card_text)
        text = " ".join((sentence, *why))
        self._remarks.append((after, self.say("coach.says", text=text)))
        self._remark = text if self.query_one(MessageLine).has_room_for(text) else sentence
        await self._show()

    # -- pages ---------------------------------------------------------------------------------

    def action_help(self) -> None:
        self.game_app.push_screen(HelpPage())

    def action_why(self) -> None:
        self.game_app.push_screen(RulesPage(self._rule))

    def action_scores(self) -> None:
        self.game_app.push_screen(ScorePage(self._display_state()))

    def action_log(self) -> None:
        self.game_app.push_screen(LogPage(self._told()))

    @work(group="leaving", exclusive=True)
    async def action_leave(self) -> None:
        answers = [(Content(self.say(f"leave.{name}")), name) for name in (QUIT, HOME, _END)]
        answer = await self._ask("ask.leave", answers)
        if answer == _END:
            self._give_up()
        elif answer is not None:
            self._leave_table(answer)

    def _give_up(self) -> None:
        try:
            self._session.give_up()
        except SaveError as error:
            self.tell(str(error), TROUBLE)
        else:
            self._leave_table(HOME)

    def _leave_table(self, answer: str) -> None:
        """Leave the table, and whatever page was still open over it."""
        while self.game_app.screen is not self:
            self.game_app.pop_screen()
        self.dismiss(answer)
