"""What somebody at a table can ask for. Who asks is never part of the request."""

from __future__ import annotations

from typing import Final, NamedTuple

from phaseten.rules.actions import Action
from phaseten.rules.cards import Card
from phaseten.table.options import Options


class OpenTable(NamedTuple):
    """Open a table and be its host."""

    options: Options
    name: str
    seed: bytes
    """The secret seed of the first game."""
    position: str = ""
    """Where games begin, instead of with a deal: the line of a position."""


class TakeSeat(NamedTuple):
    """Sit down in an empty seat, before the game; move there, or be called that from now on.

    In a game a bot's seat can be taken, where the table allows it.
    """

    seat: int
    name: str
    face: str = ""
    """One of the FACES; empty: whichever it is now, or a free one."""


class LeaveSeat(NamedTuple):
    """Stand up for good; in a game a bot takes the seat."""


class AddSeed(NamedTuple):
    """Add to the client seed."""

    text: str


class SeatBot(NamedTuple):
    """Host: put a bot in an empty seat."""

    seat: int
    level: str


class ClearSeat(NamedTuple):
    """Host: send away whoever sits there."""

    seat: int
    reason: str = ""
    """What that one, and everybody else, is told."""


class PassHost(NamedTuple):
    """Host: make the person in that seat the host."""

    seat: int


class SeatStandIn(NamedTuple):
    """Host: let a bot play for the person in that seat, who is away."""

    seat: int
    level: str


class TakeSeatBack(NamedTuple):
    """Play again, after a bot has played for one."""


class ClaimHost(NamedTuple):
    """Become the host, when the host has been gone for long."""


class ChangeOptions(NamedTuple):
    """Host: play in another way, before the game."""

    options: Options


class StartGame(NamedTuple):
    """Host: start the game; bots fill the empty seats."""


class DealHand(NamedTuple):
    """Host, or the server when the pause is over: deal the next hand."""


class PauseGame(NamedTuple):
    """Host: let nobody act."""


class ResumeGame(NamedTuple):
    """Host: go on."""


class CallOff(NamedTuple):
    """Host: end the game without a winner."""


class Play(NamedTuple):
    """Act in the game."""

    action: Action
    at: int
    """The version of the table that the player saw."""


class Undo(NamedTuple):
    """Take back one's own last step, if it revealed nothing."""

    at: int


class HurryBots(NamedTuple):
    """Do not wait for bots until a person is on turn."""


class CallRematch(NamedTuple):
    """Host: play again with the same people."""

    seed: bytes


class WantRematch(NamedTuple):
    """Want to play again: when more than half of the people do, it is called."""

    seed: bytes


class WantCoach(NamedTuple):
    """Want the coach to speak up after moves: it does while all people at the table want it."""


class SendCoachAway(NamedTuple):
    """Do not want that any more."""


class SwitchChat(NamedTuple):
    """Host: switch the chat on or off."""

    on: bool


class Say(NamedTuple):
    """Say something to everybody."""

    text: str


class React(NamedTuple):
    """React with one of the REACTIONS."""

    reaction: str


SeatCommand = (
    LeaveSeat
    | AddSeed
    | TakeSeatBack
    | ClaimHost
    | Play
    | Undo
    | HurryBots
    | WantRematch
    | WantCoach
    | SendCoachAway
)
"""What only somebody with a seat can ask for."""

HostSeatCommand = SeatBot | ClearSeat | PassHost | SeatStandIn
"""What the host can ask for about a seat."""

HostCommand = (
    HostSeatCommand
    | ChangeOptions
    | StartGame
    | DealHand
    | PauseGame
    | ResumeGame
    | CallOff
    | CallRematch
    | SwitchChat
)
"""What only the host can ask for."""

TalkCommand = Say | React
"""What can be said."""

TALK: Final = (Say, React)
CHANGES: Final = (
    TakeSeat,
    AddSeed,
    Undo,
    ClaimHost,
    SeatBot,
    ClearSeat,
    PassHost,
    SeatStandIn,
    ChangeOptions,
    PauseGame,
    SwitchChat,
    CallRematch,
    WantRematch,
    WantCoach,
)
"""What can be done again and again without the game getting on: it has a rate, and an end for each game.
What follows from these (to leave a seat, to go on, to send the coach away) needs neither."""

Command = TakeSeat | SeatCommand | HostCommand | TalkCommand
"""What can be asked at a table that exists."""


class AskHint(NamedTuple):
    """What would a bot of that level do here?"""

    level: str
    at: int


class AskReasons(NamedTuple):
    """What speaks for that action, or against it?"""

    action: Action
    at: int


Question = AskHint | AskReasons
"""What the player on turn can ask a bot; the table stays as it is."""


class AskNeed(NamedTuple):
    """How far do my cards go toward my Phase?"""

    at: int


class AskFit(NamedTuple):
    """Can these cards of mine lie together, in that group of that Phase?"""

    phase: int
    group: int
    """Counted from 1."""
    cards: tuple[Card, ...]


class AskPast(NamedTuple):
    """Tell what happened in this game before somebody came to the table."""


class Mute(NamedTuple):
    """Do not tell this connection what that seat says and how it reacts, or tell it again."""

    seat: int
    on: bool


class PlayBot(NamedTuple):
    """The server: a bot's action."""

    seat: int
    action: Action
    at: int


class EndTurnTime(NamedTuple):
    """The server: the time of the player on turn is up."""

    at: int


class GiveUp(NamedTuple):
    """The server: end a game between bots that comes to no end."""


Chore = DealHand | PlayBot | EndTurnTime | GiveUp
"""What the server itself does at a table."""
