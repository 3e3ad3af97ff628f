"""The application: settings, language and looks, and the way from screen to screen."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType

from phaseten.language import Language, from_environment, language
from phaseten.notation.records import RecordSyntaxError
from phaseten.notation.replay import IllegalRecordError
from phaseten.terminal.agreement import Agreement, agreement_of, last_agreement
from phaseten.terminal.look import DAYLIGHT, EVENING
from phaseten.terminal.replaying import Replay
from phaseten.terminal.saves import GameFile, SaveError, Saves
from phaseten.terminal.screens.home import LEAVE, NEW, RECORDS, RULES, Home, Wish
from phaseten.terminal.screens.over import AGAIN, QUIT
from phaseten.terminal.screens.pages import RulesPage
from phaseten.terminal.screens.records import Records
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.screens.setup import Setup
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.session import Session
from phaseten.terminal.settings import Settings, load_settings, save_settings


class PhasetenApp(App[None]):
    """Phase 10 in a terminal: what playing and watching share."""

    CSS_PATH = "look.tcss"
    TITLE = "phaseten"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+q", "quit", show=False, priority=True),
    ]

    def __init__(self, saves: Saves, **changes: str) -> None:
        super().__init__()
        self.saves = saves
        self.settings: Settings = load_settings(saves.folder).with_changes(**changes)
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
        self._run_course()

    @work
    async def _run_course(self) -> None:
        await self.course()
        self.exit()

    async def course(self) -> None:
        """From screen to screen, until somebody leaves."""
        raise NotImplementedError

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

    def __init__(self, saves: Saves, agreement: Agreement | None = None, **changes: str) -> None:
        super().__init__(saves, **changes)
        self._agreement = agreement
        """What was agreed on already, on the command line."""

    async def course(self) -> None:
        session = await self._first_game()
        trouble = ""
        while True:
            if session is None:
                wish = await self.push_screen_wait(Home(self.saves.running(), trouble))
                if wish.what == LEAVE:
                    return
                session, trouble = await self._fulfil(wish)
                continue
            answer = await self.push_screen_wait(TableScreen(session))
            if answer == QUIT:
                return
            session = self._begin(agreement_of(session)) if answer == AGAIN else None

    async def _first_game(self) -> Session | None:
        """The game to begin with, if the start need not be asked what to do."""
        agreement = self._agreement
        if agreement is None and not self.saves.running():
            agreement = await self._agree()
        return self._begin(agreement) if agreement is not None else None

    @property
    def _you(self) -> str:
        return self.language.say("terminal.you")

    async def _agree(self) -> Agreement | None:
        return await self.push_screen_wait(Setup(last_agreement(self.settings, self._you)))

    def _begin(self, agreement: Agreement) -> Session:
        self.settings = agreement.remembered_in(self.settings)
        save_settings(self.saves.folder, self.settings)
        file = self.saves.new_file()
        session = Session(agreement.deal(), agreement.players, file, self.settings.sort)
        session.save(durable=True)
        return session

    async def _fulfil(self, wish: Wish) -> tuple[Session | None, str]:
        """The game that was wished for, if one was; and what went wrong."""
        if wish.what == NEW:
            agreement = await self._agree()
            return (self._begin(agreement) if agreement is not None else None), ""
        if wish.game is not None:
            try:
                return Session.resume(GameFile(wish.game.path), self.settings.sort), ""
            except SaveError as error:
                return None, str(error)
        if wish.what == RULES:
            await self.push_screen_wait(RulesPage())
        if wish.what == RECORDS:
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

    async def course(self) -> None:
        if self._replay is not None:
            await self.push_screen_wait(ReplayScreen(self._replay, self._eyes))
        else:
            self.trouble = await self.choose_record()
