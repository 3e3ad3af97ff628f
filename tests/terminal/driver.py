"""A person at the table, for tests: sits in a real application without a terminal."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import OptionList

from phaseten.bots.ladder import make_bot
from phaseten.notation.recording import record_game
from phaseten.notation.records import Hand, Header, Record, format_record, parse_record
from phaseten.notation.replay import follow
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import Card, parse_cards
from phaseten.rules.editions import edition as find_edition
from phaseten.rules.melds import held_form
from phaseten.rules.options import parse_variant
from phaseten.rules.state import without
from phaseten.rules.views import View, view_of
from phaseten.terminal.app import PhasetenApp, PlayApp
from phaseten.terminal.game_options import GameOptions, players_called
from phaseten.terminal.players import PERSON
from phaseten.terminal.saves import Saves
from phaseten.terminal.screens.home import Home
from phaseten.terminal.screens.privacy import PrivacyScreen
from phaseten.terminal.screens.question import Question
from phaseten.terminal.screens.results import GameOver, HandOver
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.session import Session
from phaseten.terminal.widgets.cards import CardFace, HeldCards
from phaseten.terminal.widgets.seats import MeldStrip
from tests.patience import PATIENCE

SMALL = (80, 24)
GOLDEN = Path(__file__).parents[1] / "golden" / "games"
CALM = 12
"""So many looks in a row at empty queues mean that nothing more comes."""


def options_for(
    *people: str, bots: Sequence[str] = (), edition: str = "classic", **options: object
) -> GameOptions:
    """A game of these people and bots; ``variant``, ``house`` and ``seed`` as given."""
    names = people or ("Ana",)
    kinds = (*[PERSON] * len(names), *bots)
    return GameOptions(
        players_called(names, kinds),
        edition,
        parse_variant(str(options.get("variant", "standard"))),
        frozenset(options.get("house", ())),  # pyright: ignore[reportArgumentType]
        options.get("seed", 5),  # pyright: ignore[reportArgumentType]
    )


class Driver:
    """What a test does at the table."""

    def __init__(self, app: PhasetenApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    # -- looking -------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What the screen shows, without colours."""
        return screen_text(self.app)

    @property
    def line(self) -> list[str]:
        return self.text.split("\n")

    @property
    def table(self) -> TableScreen:
        return next(s for s in self.app.screen_stack if isinstance(s, TableScreen))

    @property
    def session(self) -> Session:
        return self.table._session

    @property
    def faces(self) -> list[CardFace]:
        return self.table.query_one(HeldCards).faces

    def face_of(self, card: Card, *, chosen: bool = False) -> CardFace:
        return next(f for f in self.faces if f.held.card is card and f.held.chosen is chosen)

    def strip(self, owner: int, meld: int) -> MeldStrip:
        return self.table.query_one(f"#meld-{owner}-{meld}", MeldStrip)

    # -- waiting -------------------------------------------------------------------------------

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something that will happen soon."""
        limit = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > limit:
                raise AssertionError(f"waited in vain; the screen shows:\n{self.text}")
            await self.settle()

    async def settle(self) -> None:
        """Let the application work off what was sent to it: until nothing waits anywhere."""
        quiet = 0
        while quiet < CALM and self.app.is_running:
            await asyncio.sleep(0)
            quiet = 0 if self._busy() else quiet + 1
        await asyncio.sleep(0.001)  # for what runs in threads

    def _busy(self) -> bool:
        pumps = [self.app, *self.app.screen_stack]
        pumps += [widget for screen in self.app.screen_stack for widget in screen.walk_children()]
        if any(not pump._message_queue.empty() or pump._next_callbacks for pump in pumps):
            return True
        shown = self.app.screen  # what is to be drawn or done after drawing waits in no queue
        return bool(shown._layout_required or shown._dirty_widgets or shown._callbacks)

    async def rest(self) -> None:
        """Wait until bots and moves have come to an end."""

        def working() -> bool:
            asking = Question | HandOver | GameOver | PrivacyScreen
            if any(isinstance(screen, asking) for screen in self.app.screen_stack):
                return False  # until it is answered; pages may be open over it
            return any(
                not worker.is_finished for worker in self.app.workers if worker.group != "default"
            )

        await self.settle()
        await self.until(lambda: not working())
        await self.settle()

    # -- keys ----------------------------------------------------------------------------------

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other, and wait for what they do."""
        for key in keys:
            self.app.simulate_key(_character_to_key(key) if len(key) == 1 else key)
            await self.rest()

    async def fast_press(self, key: str) -> None:
        """Press a key, and do not wait for the bots."""
        self.app.simulate_key(key)
        await self.settle()

    async def key(self, key: str, done: Callable[[], object]) -> None:
        """Press a key whose effect is known: much faster."""
        self.app.simulate_key(key)
        await self.until(done)

    async def go_to(self, widget: Widget) -> None:
        """Go somewhere with the arrow keys, or with Tab."""
        await self.until(lambda: all(face.region.area for face in self.faces))
        row: list[Widget] = [*self.faces]
        here = self.app.focused
        if here in row and widget in row:
            steps = row.index(widget) - row.index(here)
            for _ in range(abs(steps)):
                await self._move_focus("right" if steps > 0 else "left")
        for _ in range(100):
            if self.app.focused is widget:
                return
            await self._move_focus("tab")
        raise AssertionError(f"{widget} cannot be reached")

    async def _move_focus(self, key: str) -> None:
        here = self.app.focused
        await self.key(key, lambda: self.app.focused is not here)

    async def choose(self, *cards: Card) -> None:
        for card in cards:
            face = self.face_of(card)
            await self.go_to(face)
            await self.key("space", lambda: face.held.chosen)  # noqa: B023 - awaited here

    async def answer(self, place: int) -> None:
        """Answer a question with the keys."""
        asked = self.app.screen
        listed = asked.query_one(OptionList)
        await self.until(lambda: listed.highlighted == 0)
        for row in range(1, place + 1):
            await self.key("down", lambda: listed.highlighted == row)  # noqa: B023
        await self.key("enter", lambda: self.app.screen is not asked)

    def answers(self) -> list[object]:
        """The answers of the question that is asked."""
        question = self.app.screen
        assert isinstance(question, Question)
        return [value for _, value in question._answers]

    async def play(self, action: Action) -> None:
        """Play an action with the keys alone."""
        before = len(self.session.game.events)

        def done() -> bool:
            return len(self.session.game.events) > before

        def asked_or_done() -> bool:
            return isinstance(self.app.screen, Question) or done()

        match action:
            case DrawDeck() | DrawNothing():
                key = "d"
            case TakeDiscard():
                key = "t"
            case LayPhase(melds):
                await self.choose(*held_form([card for meld in melds for card in meld]))
                key = "l"
            case Hit(cards, owner, meld):
                await self.choose(*held_form(cards))
                await self.go_to(self.strip(owner, meld))
                key = "enter"
            case Discard(card):
                await self.go_to(self.face_of(card))
                key = "x"
        await self.key(key, asked_or_done)
        if isinstance(self.app.screen, Question):
            await self.answer(_place(action, self.answers()))
            await self.until(done)
        await self.rest()

    # -- the mouse -----------------------------------------------------------------------------

    async def click(self, where: Widget | str) -> None:
        assert await self.pilot.click(where)
        await self.rest()

    async def click_play(self, action: Action) -> None:
        """Play an action with the mouse alone."""
        before = len(self.session.game.events)
        match action:
            case DrawDeck() | DrawNothing():
                await self.click("#draw-pile")
            case TakeDiscard():
                await self.click("#discard-pile")
            case LayPhase(melds):
                for card in held_form([card for meld in melds for card in meld]):
                    await self.click(self.face_of(card))
                await self.click("#do-lay")
            case Hit(cards, owner, meld):
                for card in held_form(cards):
                    await self.click(self.face_of(card))
                await self.click(self.strip(owner, meld))
            case Discard(card):
                await self.click(self.face_of(card))
                await self.click("#discard-pile")
        if isinstance(self.app.screen, Question):
            place = _place(action, self.answers())
            listed = self.app.screen.query_one(OptionList)
            listed.scroll_to(y=place, animate=False)
            await self.settle()
            assert await self.pilot.click(OptionList, offset=(2, place - listed.scroll_offset.y))
            await self.rest()
        assert len(self.session.game.events) > before, f"{action} did nothing:\n{self.text}"

    # -- the course of a game ------------------------------------------------------------------

    async def my_turn(self) -> bool:
        """Go on to the next turn of a person; False when the game is over."""
        while True:
            await self.rest()
            screen = self.app.screen
            if isinstance(screen, GameOver):
                return False
            if isinstance(screen, HandOver | PrivacyScreen):
                await self.key("enter", lambda: self.app.screen is not screen)  # noqa: B023
            elif self.session.person_on_turn is not None:
                return True

    def best(self) -> Action:
        """What a good player would do."""
        return make_bot("sharp").choose(self.session.game.view())


def _place(action: Action, answers: Sequence[object]) -> int:
    """Where an action stands among the answers; one way to lay is as good as another."""
    for place, answer in enumerate(answers):
        if answer == action or (
            isinstance(answer, LayPhase)
            and isinstance(action, LayPhase)
            and [Counter(row) for row in answer.melds] == [Counter(row) for row in action.melds]
        ):
            return place
    if isinstance(action, LayPhase):
        swapped = LayPhase(action.melds[::-1], action.phase)
        if swapped != action:
            return _place(swapped, answers)
    raise AssertionError(f"{action} is not among {answers}")


# -- opening an application ----------------------------------------------------------------------


@asynccontextmanager
async def seated(app: PhasetenApp, size: tuple[int, int] = SMALL) -> AsyncGenerator[Driver]:
    """Run an application without a terminal."""
    async with app.run_test(size=size, notifications=True) as pilot:
        driver = Driver(app, pilot)
        await driver.settle()
        yield driver


@asynccontextmanager
async def playing(
    folder: Path,
    options: GameOptions | None = None,
    size: tuple[int, int] = SMALL,
    **settings: str,
) -> AsyncGenerator[Driver]:
    """Sit down to a new game; without options, at the start."""
    chosen = {"language": "en", "pace": "none"} | settings
    async with seated(PlayApp(Saves(folder), options, **chosen), size) as driver:
        if options is not None:
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen | PrivacyScreen))
        await driver.rest()
        yield driver


def screen_text(app: PhasetenApp) -> str:
    """What an application shows, line by line, without spaces at the ends."""
    app.screen._on_timer_update()
    strips = app.screen._compositor.render_strips(app.size)
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def prepared(
    folder: Path, options: GameOptions, ready: Callable[[View], object], *, seeds: int = 200
) -> None:
    """Save a game in which seat 1 is on turn in a situation; the cards are tried out for it."""
    for seed in range(seeds):
        game = replace(options, seed=seed).deal()
        bot = make_bot("sharp")
        for _ in range(400):
            view = game.view()
            if game.winner is not None:
                break
            if view.seat == 1 and ready(view):
                Session(game, options.players, Saves(folder).new_file()).save(durable=True)
                return
            game.play(bot.choose(view))
    raise AssertionError("no such situation was found")


def from_golden(folder: Path, name: str, ready: Callable[[View, int], object]) -> None:
    """Save a golden game as it stood when seat 1 was on turn in a situation.

    No bot has a part in it, so it stays the same when bots learn to play better.
    """
    record = parse_record((GOLDEN / f"{name}.p10").read_text(encoding="utf-8"))
    tags = {"Player1": "person"} | {f"Player{seat}": "rookie" for seat in range(2, 7)}
    header = replace(record.header, server_seed=None, client_seed=None, other=tags)
    steps = list(follow(record))
    for place, step in enumerate(steps):
        view = view_of(step.state, 1)
        if view.board is not None and view.board.turn == 1 and ready(view, len(steps) - place):
            events = [event for each in steps[: place + 1] for event in each.events]
            text = format_record(record_game(header, events))
            (folder / "game-1.p10").write_text(text, encoding="utf-8")
            return
    raise AssertionError("no such situation was found")


def dealt(folder: Path, held: str, draws: str = "", *, variant: str = "standard") -> None:
    """Save a game against a bot in which the first seat has been dealt these cards."""
    box = find_edition("classic")
    own, coming = parse_cards(held), parse_cards(draws)
    rest = list(without(box.deck, (*own, *coming)))
    order: list[Card] = []
    for card in own:
        order += [card, rest.pop(0)]
    order += [rest.pop(0), *coming, *rest]
    tags = {"Player1": "person", "Player2": "rookie"}
    header = Header("classic", ("Ana", "Beto"), 2, parse_variant(variant), other=tags)
    record = Record(header, (Hand(1, deck=tuple(order)),))
    (folder / "game-1.p10").write_text(format_record(record), encoding="utf-8")


@asynccontextmanager
async def resuming(
    folder: Path,
    options: GameOptions | None = None,
    ready: Callable[[View], object] = bool,
    size: tuple[int, int] = SMALL,
    **settings: str,
) -> AsyncGenerator[Driver]:
    """Sit down to a game in a certain situation; without options, to the saved one."""
    if options is not None:
        prepared(folder, options, ready)
    async with playing(folder, None, size, **settings) as driver:
        await driver.until(lambda: isinstance(driver.app.screen, Home))
        await driver.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, TableScreen | PrivacyScreen))
        await driver.rest()
        yield driver


# -- tests of one thing --------------------------------------------------------------------------

ONE_BOT = options_for("Ana", bots=["rookie"])
TWO_BOTS = options_for("Ana", bots=["rookie", "rookie"])
Test = Callable[[Driver], Awaitable[None]]


def at_table(folder: Path, test: Test, *, hint: str = "sharp") -> None:
    """Test something at a new table with one bot."""

    async def run() -> None:
        async with playing(folder, ONE_BOT, hint=hint) as driver:
            await test(driver)

    asyncio.run(run())


def when(folder: Path, ready: Callable[[View], object], test: Test, options=TWO_BOTS) -> None:
    """Test something in a situation, which is looked for."""

    async def run() -> None:
        async with resuming(folder, options, ready) as driver:
            await test(driver)

    asyncio.run(run())


def events(driver: Driver) -> list[object]:
    """What has happened in the game."""
    return list(driver.session.game.events)
