"""What happens at a table beside the game itself.

What everybody may see and what nobody may see are different types. An event that has both sides is
two events in one step: somebody took seat 2, and whose token owns it.
"""

from __future__ import annotations

from msgspec import Struct

from phaseten.rules.events import Event
from phaseten.table.options import Options


class Open(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag=True):
    """Everybody at the table may see this as it is."""


class Secret(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag=True):
    """This never leaves the server."""


# -- secret ------------------------------------------------------------------------------------


class HostOwned(Secret, frozen=True):
    """Whose token the host's is."""

    owner: str


class SeatOwned(Secret, frozen=True):
    """Whose token owns a seat."""

    seat: int
    owner: str


class OwnerBarred(Secret, frozen=True):
    """Somebody was sent away and cannot take a seat again."""

    owner: str


class SeedDrawn(Secret, frozen=True):
    """The server's seed for the next game, in hex."""

    seed: str


class PositionGiven(Secret, frozen=True):
    """Games at this table begin in this position, and not with a deal; it may show all cards."""

    text: str


class RequestDone(Secret, frozen=True):
    """This step is what a request asked for: if it is sent again, it is not done again."""

    mark: int
    """By which the request is known: see ``request_mark``."""


# -- open --------------------------------------------------------------------------------------


class TableOpened(Open, frozen=True):
    """The table exists."""

    options: Options


class OptionsChanged(Open, frozen=True):
    """The table plays in another way from now on; perhaps it has more seats, or fewer."""

    options: Options


class SeedPromised(Open, frozen=True):
    """The SHA-256 of the server's seed, before anybody adds to the client seed."""

    commitment: str


class SeedAdded(Open, frozen=True):
    """A player's part of the client seed."""

    seat: int
    text: str


class SeedRevealed(Open, frozen=True):
    """The server's seed, in hex: the game is over and every deal of it can be checked."""

    seed: str


class SeatTaken(Open, frozen=True):
    """A person sat down."""

    seat: int
    name: str


class SeatMoved(Open, frozen=True):
    """A person took another seat, before the game."""

    seat: int
    to: int


class PlayerRenamed(Open, frozen=True):
    """A person has another name."""

    seat: int
    name: str


class FaceChosen(Open, frozen=True):
    """A person has that face from now on."""

    seat: int
    face: str


class SeatLeft(Open, frozen=True):
    """Whoever sat there is gone."""

    seat: int


class PlayerRemoved(Open, frozen=True):
    """The host sent away whoever sat there."""

    seat: int
    reason: str = ""
    """Why, if the host has said so."""


class BotSeated(Open, frozen=True):
    """A bot sat down."""

    seat: int
    name: str
    level: str


class StandInSeated(Open, frozen=True):
    """A bot plays for a person who is away."""

    seat: int
    level: str


class SeatTakenBack(Open, frozen=True):
    """The person plays again."""

    seat: int


class HostChanged(Open, frozen=True):
    """Who the host is: the name, and the seat if the host has one."""

    name: str
    seat: int | None


class GameStarted(Open, frozen=True):
    """Everybody has a seat: the first hand is dealt."""

    dealer: int
    client_seed: str


class BotsHurried(Open, frozen=True):
    """Somebody does not want to wait: bots act without a pause until a person is on turn."""

    seat: int


class GamePaused(Open, frozen=True):
    """Nobody can act until the game goes on."""


class GameResumed(Open, frozen=True):
    """The game goes on."""


class GameCalledOff(Open, frozen=True):
    """The game is over, and nobody has won."""


class StepUndone(Open, frozen=True):
    """A player took back the last step, which had revealed nothing."""

    seat: int


class RematchCalled(Open, frozen=True):
    """The same people play again."""


class RematchWanted(Open, frozen=True):
    """Somebody wants to play again."""

    seat: int


class ChatSwitched(Open, frozen=True):
    """The host switched the chat on or off."""

    on: bool


class CoachSwitched(Open, frozen=True):
    """A person wants the coach to speak up after moves, or does not want it any more."""

    seat: int
    on: bool


class Said(Open, frozen=True):
    """Somebody said something."""

    seat: int
    text: str


class Reacted(Open, frozen=True):
    """Somebody reacted."""

    seat: int
    reaction: str


SeatEvent = (
    SeatTaken
    | SeatMoved
    | PlayerRenamed
    | FaceChosen
    | SeatLeft
    | PlayerRemoved
    | BotSeated
    | StandInSeated
    | SeatTakenBack
    | SeedAdded
    | RematchWanted
    | CoachSwitched
)
"""What changes who sits where, and how."""

SecretEvent = HostOwned | SeatOwned | OwnerBarred | SeedDrawn | PositionGiven | RequestDone

OpenEvent = (
    TableOpened
    | OptionsChanged
    | SeedPromised
    | SeedAdded
    | SeedRevealed
    | SeatTaken
    | SeatMoved
    | PlayerRenamed
    | FaceChosen
    | SeatLeft
    | PlayerRemoved
    | BotSeated
    | StandInSeated
    | SeatTakenBack
    | HostChanged
    | GameStarted
    | BotsHurried
    | GamePaused
    | GameResumed
    | GameCalledOff
    | StepUndone
    | RematchCalled
    | RematchWanted
    | ChatSwitched
    | CoachSwitched
    | Said
    | Reacted
)

TableEvent = SecretEvent | OpenEvent | Event
"""All that can stand in a step of a table: its own events, and those of the game."""
