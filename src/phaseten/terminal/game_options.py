"""The options of a game, chosen before it begins."""

from __future__ import annotations

from dataclasses import dataclass

from phaseten.game import Game
from phaseten.rules.editions import EditionError, edition
from phaseten.rules.options import (
    STANDARD,
    OptionError,
    Rules,
    Variant,
    check_house,
    parse_variant,
)
from phaseten.terminal.players import PERSON, Player, bot_names
from phaseten.terminal.session import Session
from phaseten.terminal.settings import PlayerSettings


@dataclass(frozen=True)
class GameOptions:
    """The edition, the players, the variation and the house rules of a game to be played."""

    players: tuple[Player, ...]
    edition: str = "classic"
    variant: Variant = STANDARD
    house: frozenset[str] = frozenset()
    seed: int | None = None
    position: str = ""
    """Where the game begins, if not with its first hand."""

    def check(self) -> None:
        """Raise an OptionError or EditionError where these do not go together."""
        rules = Rules(edition(self.edition), self.variant, self.house)
        rules.check_players(len(self.players))

    def deal(self) -> Game:
        """A new game, in which the first person plays first; or the one that stands so."""
        if self.position:
            names = [player.name for player in self.players]
            return Game.from_position(self.position, names, seed=self.seed)
        first = next(seat for seat, player in enumerate(self.players) if player.is_person)
        return Game(
            self.edition,
            [player.name for player in self.players],
            variant=self.variant,
            house=self.house,
            dealer=first or len(self.players),
            seed=self.seed,
        )

    def remembered_in(self, settings: PlayerSettings) -> PlayerSettings:
        """The settings with this as what was played last."""
        return settings.with_changes(
            edition=self.edition,
            variant=self.variant.text,
            house=tuple(sorted(self.house)),
            names=tuple(player.name for player in self.players if player.is_person),
            kinds=tuple(player.kind for player in self.players),
        )


def options_of(session: Session) -> GameOptions:
    """The options of a game that is being played."""
    rules = session.game.rules
    box = rules.edition
    house = rules.house - frozenset(box.house)
    name = box.source or box.name
    try:
        edition(name)
    except EditionError:  # the record or the position had an edition whose file is not here
        return GameOptions(session.players)
    return GameOptions(session.players, name, rules.variant, house)


def players_called(people: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[Player, ...]:
    """Players of these kinds: the people by their names, the bots by names of their own."""
    names = iter(people)
    bots = iter(bot_names(people, len(kinds)))
    return tuple(Player(next(names if kind == PERSON else bots), kind) for kind in kinds)


def last_options(settings: PlayerSettings, you: str) -> GameOptions:
    """The options of the last time, as far as it still goes together; ``you`` is a nameless one."""
    count = settings.kinds.count(PERSON)
    people = [*settings.names, you, *[f"{you} {number}" for number in range(2, 7)]][:count]
    players = players_called(tuple(people), settings.kinds)
    try:
        options = GameOptions(
            players, settings.edition, parse_variant(settings.variant), check_house(settings.house)
        )
        options.check()
    except (OptionError, EditionError):
        return GameOptions(players)
    return options
