"""The application: settings, language and looks, and the way from screen to screen."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType

from phaseten.language import Language, from_environment, language
from phaseten.notation.positions import format_position
from phaseten.notation.records import RecordSyntaxError
from phaseten.notation.replay import IllegalRecordError
from phaseten.rules.state import State
from phaseten.rules.views import View
from phaseten.terminal.game_options import GameOptions, last_options, options_of
from phaseten.terminal.players import PERSON, Player
from phaseten.terminal.replay import Replay
from phaseten.terminal.saves import GameFile, SaveError, Saves
from phaseten.terminal.screens.home import LEAVE, NEW, RECORDS, RULES, Home, HomeChoice
from phaseten.terminal.screens.new_game import NewGameScreen
from phaseten.terminal.screens.pages import RulesPage
from phaseten.terminal.screens.records import Records
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.screens.results import AGAIN, QUIT
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.session import Session
from phaseten.terminal.settings import PlayerSettings, load_settings, save_settings
from phaseten.terminal.themes import DAYLIGHT, EVENING


class PhasetenApp(App[None]):
    """Phase 10 in a terminal: what playing and watching share."""

    CSS_PATH = "style.tcss"
    TITLE = "phaseten"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+q", "quit", show=False, priority=True),
    ]

    def __init__(self, saves: Saves, **changes: str) -> None:
        super().__init__()
        self.saves = saves
        self.settings: PlayerSettings = load_settings(saves.folder).with_changes(**changes)
        self.register_theme(EVENING)
        self.register_theme(DAYLIGHT)
        self.theme = self.settings.theme

    @property
    def language(self) -> Language:
        """The player's language."""
        return language(self.settings.language or from_environment(os.environ))

    def remember(self, **changes: Any) -> None:
        """Change settings, and keep them for the next time."""
        self.settings = self.settings.with_changes(**changes)
        self.theme = self.settings.theme
        save_settings(self.saves.folder, self.settings)

    def on_mount(self) -> None:
        self._show_screens()

    @work
    async def _show_screens(self) -> None:
        await self.run_screens()
        self.exit()

    async def run_screens(self) -> None:
        """From screen to screen, until somebody leaves."""
        raise NotImplementedError

    def keeping(self) -> AbstractContextManager[None]:
        """Keep others from the saved games while one is played."""
        return nullcontext()

    @work
    async def play_from(self, position: State | View, names: tuple[str, ...], level: str) -> None:
        """Play on from a position, against bots of that level, and come back when that is over.

        Who plays sits where it is the turn.
        """
        board = position.board
        own = 1 if board is None else board.turn
        players = tuple(
            Player(name, PERSON if seat == own else level) for seat, name in enumerate(names, 1)
        )
        options = GameOptions(players, position=format_position(position))
        try:
            with self.keeping():
                file = self.saves.new_file()
                session = Session(options.deal(), players, file, self.settings.sort)
                session.save(durable=True)
                if await self.push_screen_wait(TableScreen(session)) == QUIT:
                    self.exit()
        except SaveError as error:
            self.notify(str(error), severity="warning")

    async def choose_record(self) -> str:
        """Let somebody choose a game that is over, and watch it; what went wrong."""
        game = await self.push_screen_wait(Records(self.saves.over()))
        if game is None:
            return ""
        try:
            replay = Replay(GameFile(game.path).read())
        except (SaveError, RecordSyntaxError, IllegalRecordError) as error:
            return str(error)
        await self.push_screen_wait(ReplayScreen(replay))
        return ""


class PlayApp(PhasetenApp):
    """Playing: from the start to the table and back."""

    def __init__(self, saves: Saves, options: GameOptions | None = None, **changes: str) -> None:
        super().__init__(saves, **changes)
        self._options = options
        """The options given on the command line."""

    async def run_screens(self) -> None:
        session = await self._first_game()
        trouble = ""
        while True:
            if session is None:
                choice = await self.push_screen_wait(Home(self.saves.running(), trouble))
                if choice.what == LEAVE:
                    return
                session, trouble = await self._follow(choice)
                continue
            answer = await self.push_screen_wait(TableScreen(session))
            if answer == QUIT:
                return
            session = self._begin(options_of(session)) if answer == AGAIN else None

    async def _first_game(self) -> Session | None:
        """The game to begin with, if the start need not be asked what to do."""
        options = self._options
        if options is None and not self.saves.running():
            options = await self._ask_for_options()
        return self._begin(options) if options is not None else None

    @property
    def _you(self) -> str:
        return self.language.say("terminal.you")

    async def _ask_for_options(self) -> GameOptions | None:
        return await self.push_screen_wait(NewGameScreen(last_options(self.settings, self._you)))

    def _begin(self, options: GameOptions) -> Session:
        self.settings = options.remembered_in(self.settings)
        save_settings(self.saves.folder, self.settings)
        file = self.saves.new_file()
        session = Session(options.deal(), options.players, file, self.settings.sort)
        session.save(durable=True)
        return session

    async def _follow(self, choice: HomeChoice) -> tuple[Session | None, str]:
        """The game that was chosen, if one was; and what went wrong."""
        if choice.what == NEW:
            options = await self._ask_for_options()
            return (self._begin(options) if options is not None else None), ""
        if choice.game is not None:
            try:
                return Session.resume(GameFile(choice.game.path), self.settings.sort), ""
            except SaveError as error:
                return None, str(error)
        if choice.what == RULES:
            await self.push_screen_wait(RulesPage())
        if choice.what == RECORDS:
            return None, await self.choose_record()
        return None, ""


class ReplayApp(PhasetenApp):
    """Watching one record; without one, those that are chosen from the list."""

    def __init__(
        self, saves: Saves, replay: Replay | None = None, eyes: int | None = None, **changes: str
    ) -> None:
        super().__init__(saves, **changes)
        self._replay = replay
        self._eyes = eyes
        self.trouble = ""
        """Why the chosen record cannot be watched."""

    def keeping(self) -> AbstractContextManager[None]:
        return self.saves.locked()

    async def run_screens(self) -> None:
        if self._replay is not None:
            await self.push_screen_wait(ReplayScreen(self._replay, self._eyes))
        else:
            self.trouble = await self.choose_record()
