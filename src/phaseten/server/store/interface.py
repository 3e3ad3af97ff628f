"""Where tables are kept: an append-only log of steps, and a list that is derived from it.

``append`` is the only way to change a table. It names the version that the change was decided on,
and is refused when the table has moved on meanwhile; so any number of nodes can serve one table
without electing anyone. ``forget`` takes a finished game out of the log, and changes nothing else.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, NamedTuple, Protocol


class StoreError(Exception):
    """Something that the store could not do."""


class ConflictError(StoreError):
    """The table is not at the version that the change was decided on: decide again."""

    def __init__(self, table: str, expected: int) -> None:
        super().__init__(f"the table is not at version {expected} any more")
        self.table = table
        self.expected = expected


class StoreUnavailableError(StoreError):
    """Nothing can be kept at the moment: a full disk, a database that does not answer."""


class OutcomeUnknownError(StoreUnavailableError):
    """The answer was lost: the change may be kept or not. Read the table again before going on."""


class StoreVersionError(StoreError):
    """The database was written by a newer program."""


class UnknownEventsError(StoreUnavailableError):
    """A step of a table cannot be read here: another node, of a newer version, may know what it means.

    That table is not available on this node; all others are.
    """


EVENTS_FORM: Final = 3
"""Which events there are, and how they are written. Raise it with every event or field that a program of the
form before could not read; steps carry the least form that can be read with (``form_of``), and a program does not touch tables that have steps of a later one."""


class Step(NamedTuple):
    """One change of a table."""

    at: int
    """When, in milliseconds since 1970."""
    events: str
    """What happened, as JSON."""
    form: int = EVENTS_FORM
    """The form of the events."""


class KeptStep(NamedTuple):
    """A step that is in the log."""

    version: int
    step: Step


class Snapshot(NamedTuple):
    """A whole table at one version: what was folded until then need not be folded again."""

    version: int
    form: str
    """Who has another form folds the log instead."""
    state: str
    """All of the table, secrets too."""
    rewrites: int
    """How often the log had been rewritten: of an older log no snapshot is kept."""
    begins: bool = False
    """Whether a game begins here. There is one for each game, and one more: the latest."""


class Base(NamedTuple):
    """From what a table can be loaded: the steps after it are to be read."""

    rewrites: int
    version: int
    """0: there is no snapshot."""
    state: str


class FinishedGame(NamedTuple):
    """A game that a step has ended."""

    game: str
    """Its name, which nobody can guess."""
    number: int
    """Which game of the table, counted from 1."""
    first: int
    """The first version of the table that belongs to it."""
    host: str
    """Whose token was the host's when it ended."""
    about: str
    """What a list of games shows, as JSON; nothing secret."""
    players: tuple[tuple[str, int], ...]
    """The tokens of those who played, and their seats; seat 0 for a host without one."""


class KeptGame(NamedTuple):
    """A finished game in the store."""

    game: str
    table: str
    number: int
    first: int
    last: int
    """The version of the table at which it ended."""
    ended: int
    """When, in milliseconds since 1970."""
    host: str
    about: str


class PlayedGame(NamedTuple):
    """A finished game in somebody's list."""

    game: KeptGame
    seat: int


class Listing(NamedTuple):
    """What can be asked about tables without reading them; it follows from the log."""

    stage: str
    public: bool
    due: int | None
    """When the server itself has to act next, in milliseconds since 1970."""
    about: str
    """What a list of tables shows, as JSON; nothing secret."""
    owners: tuple[str, ...]
    """Who sits at the table; none where they are listed already."""
    finished: FinishedGame | None = None
    """The game that this very step has ended."""
    alone: bool = False
    """Whether bots alone play there: where not all can be done at once, people come first."""
    snapshot: Snapshot | None = None
    """The table after this step, where it is to be kept."""


class Listed(NamedTuple):
    """A table in a list."""

    table: str
    stage: str
    changed: int
    about: str


REWRITTEN: Final = 0
ALL: Final = 2**31 - 1
"""As many as there are."""


class Subscription(NamedTuple):
    """A browser that wants to hear of its owner's turns when its page is closed."""

    endpoint: str
    """Where its messages go: an address at its maker's push service, which nobody can guess."""
    p256dh: str
    """Its public key, in base64url."""
    auth: str
    """A secret of its own, in base64url."""
    language: str
    site: str
    """How it calls this server: whom a push service may turn to."""


MOST_SUBSCRIPTIONS: Final = 10
"""Browsers of one owner; the oldest is forgotten for one more."""
OLD_SUBSCRIPTION: Final = 400 * 24 * 3_600_000
"""Milliseconds after which a browser that has not come back is forgotten: its cookie is gone, too."""


class Change(NamedTuple):
    """A table has got a new version, or was REWRITTEN: then what is known of it must be read again."""

    table: str
    version: int


class Notice(NamedTuple):
    """Something that nodes tell each other about a table, and nobody keeps."""

    table: str
    node: str
    """Who says so."""
    text: str


class Garbled(NamedTuple):
    """Something was heard that says nothing: another program's, or another version's."""

    why: str


Heard = Change | Notice | Garbled | None
"""What comes from other nodes; None: some of it may have been missed."""


class Store(Protocol):
    """The log of all tables."""

    @property
    def is_shared(self) -> bool:
        """Whether other nodes may use the same store."""
        ...

    async def clock(self) -> int:
        """The time by which all nodes of the store go, in milliseconds since 1970."""
        ...

    async def append(self, table: str, expected_version: int, step: Step, listing: Listing) -> int:
        """Add a step to the table at that version (0: a new table); the new version.

        When this returns, the step survives a crash and a power cut. Raises ConflictError,
        OutcomeUnknownError or, where surely nothing was kept, another StoreUnavailableError.
        """
        ...

    async def listen(self, table: str) -> None:
        """Hear of it from now on when another node changes the table; what happened before must be read after this."""
        ...

    async def shrink(self) -> None:
        """Give back what is kept in memory to be faster: nearly everybody has left."""
        ...

    def stop_listening(self, tables: Sequence[str]) -> Coroutine[None, None, None]:
        """Need not hear of these tables any more; whoever listens to one of them after this call hears all the same."""
        ...

    async def read(self, table: str, after: int = 0, most: int = ALL) -> Sequence[KeptStep]:
        """The steps of a table after that version, in order; no more than so many."""
        ...

    async def base(self, table: str, form: str, until: int = ALL) -> Base | None:
        """The last snapshot of that form, up to that version; None where there is no such table."""
        ...

    async def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keep a snapshot that no step comes with; not if the log was rewritten meanwhile."""
        ...

    async def claim_due(self, before: int, now: int, lease: int, most: int) -> Sequence[str]:
        """Tables in which the server had to act before that time: they are this node's for the lease.

        Those with people first, then the longest waiting. Who claims a table again that has not moved since gets
        it for twice as long each time: what fails again and again takes less and less of everybody's time.
        """
        ...

    async def hold_due(self, tables: Mapping[str, int], until: int) -> None:
        """This node still sees to what is due at these tables, at these versions: leave them to it."""
        ...

    async def public_tables(self, most: int) -> Sequence[Listed]:
        """The public tables that are not finished, the last changed first."""
        ...

    async def tables_of(self, owner: str, most: int) -> Sequence[Listed]:
        """The tables at which somebody sat, the last changed first."""
        ...

    async def game(self, game: str) -> KeptGame | None:
        """The finished game of that name."""
        ...

    async def games_of(self, owner: str, most: int) -> Sequence[PlayedGame]:
        """The finished games that somebody played, the last ended first."""
        ...

    async def games_at(self, table: str) -> Sequence[KeptGame]:
        """The finished games of a table, in order."""
        ...

    async def forget(
        self, game: KeptGame, expected_version: int, steps: Sequence[KeptStep] | None
    ) -> None:
        """Delete a finished game, and put these steps in the place of those of the same versions.

        None: the whole table goes. Raises ConflictError where the table has moved on. A table that has
        expired has the version 0.
        """
        ...

    async def abandoned(self, before: int, most: int) -> Sequence[tuple[str, int]]:
        """Tables at which nothing has happened since that time, and their versions."""
        ...

    async def expire(self, table: str, expected_version: int) -> None:
        """Close a table: what its finished games are told from stays, and nothing else.

        Raises ConflictError where the table has moved on.
        """
        ...

    async def keep_analysis(self, game: str, reports: Mapping[str, str]) -> None:
        """Keep what the coach says about a finished game, by language, as long as there is the game."""
        ...

    async def analysis(self, game: str, language: str) -> str | None:
        """What the coach said about a finished game, if it was asked."""
        ...

    async def keep_key(self, name: str, key: str) -> str:
        """The key of that name: this one, unless there is one already."""
        ...

    async def keep_ticket(self, ticket: str, sealed: str, now: int, expires: int) -> None:
        """Keep something sealed until somebody takes it, or until it expires."""
        ...

    async def take_ticket(self, ticket: str, now: int) -> str | None:
        """What was sealed, once and not too late."""
        ...

    async def keep_subscription(self, owner: str, subscription: Subscription, now: int) -> None:
        """Keep where somebody wants to hear of turns; no more than MOST_SUBSCRIPTIONS of one owner."""
        ...

    async def subscriptions_of(self, owner: str) -> Sequence[Subscription]:
        """Where somebody wants to hear of turns."""
        ...

    async def forget_subscription(self, owner: str, endpoint: str) -> None:
        """Somebody does not want to hear of turns there any more."""
        ...

    async def check(self) -> None:
        """Raise StoreUnavailableError unless the store can be read."""
        ...

    async def announce(self, notices: Sequence[Notice]) -> None:
        """Tell the other nodes, those that listen now."""
        ...

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[Heard]]:
        """What other nodes append or announce from now on."""
        ...

    async def close(self) -> None:
        """Finish what was begun and let go of the database."""
        ...
