"""One bot's side of a table: messages of the server in, requests out. No wires, no clock.

A bot of the house, a Python class and a program are asked exactly as in the arena: they get the same
view, made by the same codec, and the same messages between their turns.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, cast

from phaseten.arena.faults import FaultError
from phaseten.arena.gameplay import GameTerms, InformedBot
from phaseten.bots.bot import Bot
from phaseten.client.folding import fold
from phaseten.notation.codec import SEEN, DataError, read_rules, read_seen, read_view, write_action
from phaseten.notation.shapes import Data
from phaseten.rules.events import DealSeen, DrawSeen, GameTied, GameWon, HandScored, HandSeen, Seen
from phaseten.rules.options import Rules
from phaseten.rules.views import View

_TRY_AGAIN: Final = frozenset({"unavailable", "unknown"})
"""Nothing was done, or nobody knows whether it was."""
_ASK_AGAIN: Final = frozenset({"seat-taken", "no-such-seat"})
"""Somebody was faster: the next update shows another seat."""
_WAIT: Final = frozenset({"stale", "not-your-turn", "no-game", "paused"})
"""Things have moved on: an update that says how is on its way."""


class JoinError(Exception):
    """The bot cannot play at this table; the sentence says why."""


class TryAgainError(Exception):
    """The server could not say whether it did what it was asked: look again."""


class SeatedBot:
    """Plays for one seat. ``hear`` takes each message and gives the request that follows, if any."""

    def __init__(self, bot: Bot, seed: int) -> None:
        self._bot = bot
        self._informed = bot if isinstance(bot, InformedBot) else None
        self._seed = seed
        self._rules: Rules | None = None
        self._joins = False
        """Whether the table lets others take a bot's seat while a game is going on."""
        self._known: Data = {}
        """The last update, with every change since."""
        self._seen: tuple[DealSeen | HandSeen, ...] = ()
        self._hands = 0
        self._playing = False
        self._asked = 0
        """The version at which the last request was sent: one is enough."""
        self.version: int | None = None
        """What was heard of last; a connection that is lost goes on after it."""
        self.seat: int | None = None
        self.result: str | None = None
        """How the game ended, once it has."""

    def hear(self, message: Data) -> Data | None:
        """What to send in answer to a message."""
        try:
            match message.get("type"):
                case "welcome":
                    self._rules = read_rules(message["rules"])
                    self._joins = bool(message["options"].get("join"))
                    return None
                case "update":
                    return self._update(message)
                case "change":
                    return self._update(fold(self._known, message))
                case "refused":
                    return self._refused(message)
                case _:
                    return None
        except (DataError, KeyError, TypeError) as error:
            raise JoinError(
                f"the server speaks another version of the protocol ({error}): "
                "use the same version of phaseten on both sides"
            ) from error

    def reconnected(self) -> None:
        """A new connection: what was asked for before may not have arrived."""
        self._asked = 0

    # -- messages --------------------------------------------------------------------------------

    def _update(self, update: Data) -> Data | None:
        self._known = update
        version: int = update["version"]
        self.version = version
        self._remember(update)
        self.seat = update["you"]["seat"]
        table: Data = update["table"]
        if self.seat is None:
            return self._sit(table, version)
        if table["seats"][self.seat - 1]["stand_in"]:
            return self._once(version, {"do": "back"})
        if update["game"] is None:
            return None
        view = self._view(update["game"])
        self._tell(view, table)
        if not update["actions"] or self._asked == version + 1:
            return None
        action = self._bot.choose(view)
        return self._once(version, {**write_action(action), "at": version})

    def _once(self, version: int, request: dict[str, Any]) -> Data | None:
        if self._asked == version + 1:
            return None
        self._asked = version + 1
        return request

    def _remember(self, update: Data) -> None:
        """Keep what everybody has seen in this hand: told anew at the start, then step by step."""
        if "seen" in update:
            events, self._seen = update["seen"], ()
        else:
            events = [event for step in update["steps"] for event in step["events"]]
        for event in events:
            if SEEN.is_one(event):
                self._seen = _seen_after(self._seen, read_seen(event))

    def _sit(self, table: Data, version: int) -> Data | None:
        is_going = table["stage"] == "playing" and self._joins
        if table["stage"] != "waiting" and not is_going:
            raise JoinError("the game has begun, and the bot has no seat in it")
        for seat, place in enumerate(cast("list[Data]", table["seats"]), 1):
            if place["bot"] if is_going else not place["name"]:
                return self._once(version, {"do": "sit", "seat": seat, "name": self._bot.name})
        raise JoinError("every seat is taken: ask the host to clear one")

    def _refused(self, message: Data) -> Data | None:
        reason = message["reason"]
        if reason in _TRY_AGAIN:
            raise TryAgainError(message["sentence"])
        if reason in _ASK_AGAIN:
            self._asked = 0
            return None
        if reason in _WAIT:
            return None
        if self.seat is None or message["rule"] == "TABLE":
            raise JoinError(message["sentence"])
        raise FaultError("illegal", f"{message['sentence']} ({message['rule']})")

    # -- what the bot is told ---------------------------------------------------------------------

    def _view(self, data: object) -> View:
        if self._rules is None:
            raise DataError("no welcome came before the first update")
        return read_view(data, self._rules, self._seen)

    def _tell(self, view: View, table: Data) -> None:
        """Tell the bot what an arena would tell it between its turns."""
        over = table["stage"] == "finished"
        if not self._playing and not over:
            self._playing, self.result, self._hands = True, None, len(view.sheet.hands)
            if self._informed is not None and self.seat is not None:
                setup = GameTerms(view.rules, view.sheet.seats)
                self._informed.game_begins(setup, self.seat, self._seed)
        if len(view.sheet.hands) > self._hands and self._informed is not None:
            self._informed.hand_ends(view)
        self._hands = len(view.sheet.hands)
        if over and self._playing:
            self._playing = False
            winner = view.sheet.winner
            if self._informed is not None:
                self._informed.game_ends(winner, None)
            name = table["seats"][winner - 1]["name"] if winner is not None else ""
            self.result = f"{name} has won." if name else "The game was called off."


def _seen_after(
    before: tuple[DealSeen | HandSeen, ...], event: Seen
) -> tuple[DealSeen | HandSeen, ...]:
    """What everybody has seen in this hand, after one more event as the bot's seat was shown it."""
    match event:
        case DealSeen():
            return (replace(event, cards=()),)
        case DrawSeen(seat):
            return (*before, DrawSeen(seat, None))
        case HandScored() | GameTied() | GameWon():
            return ()
        case _:
            return (*before, event)
