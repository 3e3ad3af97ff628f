"""One game at this terminal: who plays it, what is saved of it, undo and hints.

Nothing here knows how the game is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from phaseten.bots.bot import Bot, Reason
from phaseten.bots.ladder import make_bot
from phaseten.bots.reasons import recommend
from phaseten.game import Game
from phaseten.notation.records import parse_record
from phaseten.rules.actions import Action
from phaseten.rules.cards import CardSyntaxError, format_cards, parse_cards
from phaseten.rules.events import Event, Seen
from phaseten.rules.views import View, seen_by, view_of
from phaseten.table.undo import actor_of, last_step
from phaseten.terminal.arrangement import NUMBER, OWN, Arrangement
from phaseten.terminal.players import Player, player_tags, players_from
from phaseten.terminal.replay import Replay
from phaseten.terminal.saves import ENDED, FINISHED, GameFile, tagged

Hint = tuple[Action, tuple[Reason, ...]]
"""What a bot would do, and why."""

_ORDER: Final = "Order"
"""The tag in which a saved game remembers how a player has arranged the cards by hand."""


class Session:
    """A running game, its players and its file. Everything is saved before it is shown."""

    def __init__(
        self, game: Game, players: Sequence[Player], file: GameFile, sort: str = NUMBER
    ) -> None:
        self.game = game
        self.players = tuple(players)
        self.names = game.names
        self.trouble = ""
        """Why the game could not be saved just now, or nothing."""
        self.new_events: tuple[Event, ...] = ()
        """What the last action has led to, the next deal included."""
        self._file = file
        self._bots: dict[int, Bot] = {
            seat: make_bot(player.kind, seed=seat)
            for seat, player in enumerate(players, 1)
            if not player.is_person
        }
        self._arrangements = {seat: Arrangement(sort) for seat in self.people}
        self._seen_by_others = 0
        """How many events others have acted on: these stay."""

    @classmethod
    def resume(cls, file: GameFile, sort: str = NUMBER) -> Session:
        """The game in that file. A SaveError says why it cannot be played on."""
        game, tags = file.load()
        session = cls(game, players_from(game.names, tags), file, sort)
        for seat in session.people:
            _restore_order(session.arrangement(seat), tags.get(f"{_ORDER}{seat}", ""))
        session._put_away()
        return session

    # -- who ---------------------------------------------------------------------------------

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of the people."""
        return tuple(seat for seat, player in enumerate(self.players, 1) if player.is_person)

    @property
    def alone(self) -> bool:
        """Whether one person plays against bots: nothing needs to be hidden from anybody."""
        return len(self.people) == 1

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is, or None when the game is over."""
        return self.game.turn

    @property
    def person_on_turn(self) -> int | None:
        """The seat whose turn it is, if a person sits there."""
        return self.turn if self.turn in self.people else None

    # -- what --------------------------------------------------------------------------------

    def view(self, seat: int | None) -> View:
        """What that seat may know, or everybody when it is None."""
        return view_of(self.game.state, seat)

    def seen(self, seat: int | None, start: int = 0) -> list[Seen]:
        """What that seat was shown from an event on."""
        return [seen_by(event, seat) for event in self.game.events[start:]]

    def arrangement(self, seat: int) -> Arrangement:
        """The cards of a person, as that person keeps them."""
        arrangement = self._arrangements[seat]
        arrangement.follow(self.view(seat).held)
        return arrangement

    # -- playing -----------------------------------------------------------------------------

    def play(self, action: Action) -> tuple[Event, ...]:
        """Play an action of whoever's turn it is; an IllegalMoveError says why it is refused."""
        by_person = self.person_on_turn is not None
        before = len(self.game.events)
        events = self.game.play(action)
        self.new_events = tuple(self.game.events[before:])
        if not by_person:
            self._seen_by_others = len(self.game.events)
        self.save(durable=by_person)
        if self.game.winner is not None:
            self._put_away()
        return events

    def choose(self, seat: int) -> Action:
        """The choice of the bot in that seat. May take a while."""
        return self._bots[seat].choose(self.view(seat))

    def hint(self, level: str) -> Hint:
        """What a bot of that level would do in the place of whoever's turn it is."""
        view = self.game.view()
        bot = make_bot(level)
        action = bot.choose(view)
        return action, recommend(view, action)

    # -- taking back -------------------------------------------------------------------------

    def turn_handed_over(self) -> None:
        """Somebody else has seen the table and their cards: what was done stays."""
        self._seen_by_others = len(self.game.events)

    @property
    def can_undo(self) -> bool:
        """Whether the last step was a person's, and showed nobody anything new."""
        return self._last_step() is not None

    def undo(self) -> int | None:
        """Take the last step back; the seat whose step it was."""
        step = self._last_step()
        if step is None:
            return None
        seat = actor_of(self.game.events[step])
        self.game.undo()
        self.save(durable=True)
        return seat

    def _last_step(self) -> int | None:
        """Where the last step begins among the events, if a person may take it back."""
        events = self.game.events
        place = last_step(events, self._seen_by_others)
        if place is None or actor_of(events[place]) not in self.people:
            return None
        return place

    def replay(self) -> Replay:
        """The game from its beginning, to be watched."""
        return Replay(parse_record(self.game.record()))

    # -- saving ------------------------------------------------------------------------------

    def save(self, *, durable: bool) -> None:
        """Write the game as it stands to its file; ``trouble`` says why that failed."""
        tags = player_tags(self.players)
        for seat, arrangement in self._arrangements.items():
            if arrangement.sort == OWN:
                tags[f"{_ORDER}{seat}"] = format_cards(arrangement.faces)
        try:
            self._file.write(tagged(self.game.record(), tags), durable=durable)
        except OSError as error:
            self.trouble = error.strerror or str(error)
        else:
            self.trouble = ""

    def give_up(self) -> None:
        """End the game for good. Its record is kept."""
        self._file.rename(ENDED)

    def _put_away(self) -> None:
        """Keep the record of a game that is over under a name that says so."""
        if self.game.winner is not None and not self.trouble:
            self._file.rename(FINISHED)

    @property
    def path(self) -> str:
        """Where the game is saved."""
        return str(self._file.path)


def _restore_order(arrangement: Arrangement, text: str) -> None:
    try:
        arrangement.put_in_order(parse_cards(text))
    except CardSyntaxError:
        return  # somebody changed the file: any order will do
