"""Watching a record: step by step, by turns, by hands, or by itself."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer

from phaseten.bots.ladder import LADDER
from phaseten.language import Story
from phaseten.terminal.arrangement import Arrangement
from phaseten.terminal.card_faces import card_text
from phaseten.terminal.coach import ReplayCoach
from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.replay import Replay
from phaseten.terminal.screens.pages import LogPage, ReplayHelpPage, ReportPage, ScorePage
from phaseten.terminal.screens.question import Question
from phaseten.terminal.screens.table_layout import TableLayout
from phaseten.terminal.widgets.key_bar import Key, KeyBar

MIN_WIDTH: Final = 60
"""A report is not written narrower."""
SPEEDS: Final = (2.0, 1.0, 0.5, 0.25, 0.1)
"""Seconds from step to step when it plays by itself."""


class ReplayScreen(TableLayout[None]):
    """A record on the table."""

    class Found(Message):
        """The coach has found something."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)"),
        Binding("left", "step(-1)"),
        Binding("down", "turn(1)"),
        Binding("up", "turn(-1)"),
        Binding("pagedown,n", "hand(1)"),
        Binding("pageup,p", "hand(-1)"),
        Binding("home", "begin"),
        Binding("end", "finish"),
        Binding("space", "run"),
        Binding("+,=", "speed(1)"),
        Binding("-", "speed(-1)"),
        Binding("v", "eyes"),
        Binding("j", "jump"),
        Binding("a", "analyse"),
        Binding("m", "mistake(1)"),
        Binding("M", "mistake(-1)"),
        Binding("f", "play_on"),
        Binding("s", "sort"),
        Binding("g", "log"),
        Binding("c", "scores"),
        Binding("question_mark", "help"),
        Binding("q,escape", "leave"),
    ]

    def __init__(self, replay: Replay, eyes: int | None = None) -> None:
        super().__init__(len(replay.names))
        self._replay = replay
        self._place = 0
        self._eyes = eyes or replay.seen
        """The seat through whose eyes it is watched; None: all cards lie open."""
        self._cards = Arrangement()
        self._speed = 1
        self._timer: Timer | None = None
        self._coach: ReplayCoach | None = None

    async def on_mount(self) -> None:
        await self._show()

    # -- showing -------------------------------------------------------------------------------

    async def _show(self) -> None:
        shown = self._display_state()
        self._cards.follow(shown.view.held)
        await self.present(shown, self._cards.cards)
        self.tell(self._where())
        keys = [("←→", "step"), ("↑↓", "turn"), ("n", "hand"), ("space", "run"), ("v", "eyes")]
        keys += [("a", "analyse"), ("f", "play_on"), ("j", "jump"), ("g", "log"), ("c", "scores")]
        keys += [("?", "help"), ("q", "leave")]
        await self.query_one(KeyBar).show([self._key(*key) for key in keys])

    def _key(self, key: str, name: str) -> Key:
        action = {"step": "step(1)", "turn": "turn(1)", "hand": "hand(1)"}.get(name, name)
        return Key(key, self.say(f"replay.key.{name}"), action)

    def _display_state(self) -> DisplayState:
        replay, place = self._replay, self._place
        seat = self._eyes
        view = replay.view(place, seat)
        if seat is None and view.board is not None:  # all cards: those on turn lie in front
            view = replay.view(place, view.board.turn)
        story = Story(self.language, replay.names, seat, card_text)
        told = list(story.tell(replay.happened(place, seat)))
        hands = replay.open_hands(place) if seat is None else ()
        return DisplayState(view, replay.names, self.language, told, self._who(), hands)

    def _who(self) -> str:
        if self._eyes is None:
            return self.say("replay.all_cards")
        return self.say("replay.eyes", player=self._replay.names[self._eyes - 1])

    def _where(self) -> str:
        text = self.say("replay.where", step=self._place, last=self._replay.last)
        if self._place == self._replay.last and self._replay.trouble:
            return self.say("replay.trouble", why=self._replay.trouble)
        if self._timer is not None:
            text += " · " + self.say("replay.running", seconds=f"{SPEEDS[self._speed]:g}")
        if self._coach is not None:
            if self._coach.progress < 1:
                text += " · " + self.say("replay.analysed", part=int(100 * self._coach.progress))
            text += f" · {self._coach.comment(self._place)}"
        return text

    # -- going ---------------------------------------------------------------------------------

    async def _go(self, place: int) -> None:
        self._place = max(0, min(place, self._replay.last))
        await self._show()

    async def action_step(self, by: int) -> None:
        await self._go(self._place + by)

    async def action_turn(self, by: int) -> None:
        await self._go(self._replay.turn(self._place, by))

    async def action_hand(self, by: int) -> None:
        await self._go(self._replay.hand(self._place, by))

    async def action_begin(self) -> None:
        await self._go(0)

    async def action_finish(self) -> None:
        await self._go(self._replay.last)

    async def action_run(self) -> None:
        """Play by itself, or stop."""
        if self._timer is None:
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        else:
            self._stop()
        await self._show()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    async def _tick(self) -> None:
        if self._place == self._replay.last:
            self._stop()
        await self._go(self._place + 1)

    async def action_speed(self, by: int) -> None:
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        if self._timer is not None:
            self._stop()
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        await self._show()

    async def action_eyes(self) -> None:
        """Look from the next seat; after the last, at all cards."""
        if self._replay.seen is None:
            order = [None, *self._replay.eyes]
            self._eyes = order[(order.index(self._eyes) + 1) % len(order)]
        await self._show()

    @work(group="asking", exclusive=True)
    async def action_jump(self) -> None:
        answers = [
            (Content(self.language.say("game.hand_title", number=number)), place)
            for number, place in self._replay.hands.items()
        ]
        place = await self.game_app.push_screen_wait(
            Question(self.say("replay.which_hand"), answers)
        )
        if place is not None:
            await self._go(place)

    @on(KeyBar.Pressed)
    async def _key_clicked(self, event: KeyBar.Pressed) -> None:
        await self.run_action(event.action)

    async def action_sort(self) -> None:
        self._cards.next_sort()
        await self._show()

    # -- the coach -----------------------------------------------------------------------------

    def action_analyse(self) -> None:
        """Ask the coach; once it has begun, read its report."""
        if self._replay.seen is not None or self._replay.trouble:
            self.tell(self.say("replay.no_analysis"), "refusal")
        elif self._coach is None:
            self._coach = ReplayCoach(self._replay, self.language, card_text)
            self._analyse(self._coach)
        else:
            width = max(MIN_WIDTH, self.size.width - 12)
            self.game_app.push_screen(ReportPage(self._coach.report(width)))

    @work(thread=True)
    def _analyse(self, coach: ReplayCoach) -> None:
        """Let the coach work beside the screen, as long as that is open."""
        for _ in coach.work():
            self.post_message(self.Found())

    def on_unmount(self) -> None:
        if self._coach is not None:
            self._coach.stop()

    def on_replay_screen_found(self) -> None:
        if self.is_current:
            self.tell(self._where())

    async def action_mistake(self, by: int) -> None:
        """Go to the next mistake that the coach has found, or to the one before."""
        steps = [] if self._coach is None else self._coach.mistakes
        if by > 0:
            place = next((step for step in steps if step > self._place), None)
        else:
            place = next((step for step in reversed(steps) if step < self._place), None)
        if place is None:
            self.tell(self.say("replay.no_mistake"), "refusal")
        else:
            await self._go(place)

    @work(group="asking", exclusive=True)
    async def action_play_on(self) -> None:
        """Play on from this moment, against bots."""
        position = self._replay.position(self._place)
        if position.sheet.winner is not None:
            self.tell(self.say("replay.over"), "refusal")
            return
        self._stop()
        answers = [(Content(self.say(f"level.{level}")), level) for level in LADDER]
        level = await self.game_app.push_screen_wait(
            Question(self.say("replay.which_bots"), answers)
        )
        if level is not None:
            self.game_app.play_from(position, self._replay.names, level)

    # -- pages ---------------------------------------------------------------------------------

    def action_log(self) -> None:
        self.game_app.push_screen(LogPage(self._display_state().told))

    def action_scores(self) -> None:
        self.game_app.push_screen(ScorePage(self._display_state()))

    def action_help(self) -> None:
        self.game_app.push_screen(ReplayHelpPage())

    def action_leave(self) -> None:
        self._stop()
        self.dismiss(None)
