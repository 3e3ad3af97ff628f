"""What is chosen when a table is opened."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from msgspec import Meta, Struct

from phaseten.bots.ladder import LADDER
from phaseten.rules.editions import Edition, EditionError, edition, read_edition
from phaseten.rules.mistakes import MistakeError, mistake
from phaseten.rules.options import OptionError, Rules, check_house, parse_variant

MOST_CUSTOM: Final = 8_000
"""Characters of an edition of one's own."""
MOST_DEAL: Final = 15
MOST_WILDS: Final = 12
"""What an edition of one's own may ask for at a table, where others wait while its hands are looked through. The
boxes deal 10 cards and have 8 Wilds."""
CUSTOM_NAME: Final = "your edition"
SHORTEST_TURN: Final = 5
LONGEST_TURN: Final = 604_800
"""Seconds."""


class OptionsError(MistakeError):
    """Options that do not exist or do not go together."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a table plays; everything has a default."""

    edition: Annotated[str, Meta(max_length=40, description="One of the editions by the book.")] = (
        "classic"
    )
    custom: Annotated[
        str,
        Meta(max_length=MOST_CUSTOM, description="TOML of an edition of your own, instead of one."),
    ] = ""
    variant: Annotated[
        str, Meta(max_length=60, description="standard, or any of ten-hands, phases=5, even.")
    ] = "standard"
    house: Annotated[
        tuple[str, ...], Meta(max_length=8, description="The names of the house rules.")
    ] = ()
    seats: Annotated[int, Meta(ge=2, le=6, description="How many play.")] = 4
    timer: Annotated[
        int | None,
        Meta(
            description=f"Seconds for a turn, {SHORTEST_TURN} to {LONGEST_TURN}; null: games may last "
            "for days."
        ),
    ] = None
    pace: Annotated[
        int,
        Meta(
            ge=0,
            le=10_000,
            description="Milliseconds that a bot takes to think, more or less; 0: none.",
        ),
    ] = 900
    stand_in: Annotated[
        str, Meta(max_length=20, description="The bot that fills empty seats and plays for others.")
    ] = "casual"
    public: Annotated[bool, Meta(description="Whether the list of tables shows it.")] = False
    watchers: Annotated[bool, Meta(description="Whether others may watch.")] = True
    hints: Annotated[bool, Meta(description="Whether players may ask bots for advice.")] = True
    join: Annotated[
        bool, Meta(description="Whether others may take a bot's seat while a game is going on.")
    ] = False


def rules_of(options: Options) -> Rules:
    """The rules that these options ask for; an OptionsError where they make no sense."""
    if options.timer is not None and not SHORTEST_TURN <= options.timer <= LONGEST_TURN:
        raise OptionsError(mistake("timer", least=SHORTEST_TURN, most=LONGEST_TURN))
    if options.stand_in not in LADDER:
        raise OptionsError(mistake("bot", text=options.stand_in, names=", ".join(LADDER)))
    rules = _rules(
        options.edition, options.custom, options.variant, tuple(sorted(set(options.house)))
    )
    try:
        rules.check_players(options.seats)
    except OptionError as error:
        raise OptionsError(error.mistake) from error
    return rules


def check_options(options: Options) -> None:
    """Raise an OptionsError unless a table may be opened with these options.

    A table that was opened when more was allowed goes on: its rules are those of its options.
    """
    rules = rules_of(options)
    if options.custom:
        check_own_edition(rules.edition)


def check_own_edition(box: Edition) -> None:
    """Raise an OptionsError where it asks for more than a table gives an edition of one's own."""
    if box.deal > MOST_DEAL:
        raise OptionsError(mistake("own-deal", deal=box.deal, most=MOST_DEAL))
    if box.wilds > MOST_WILDS:
        raise OptionsError(mistake("own-wilds", wilds=box.wilds, most=MOST_WILDS))


@lru_cache(maxsize=256)  # tables of the same kind share their rules
def _rules(name: str, custom: str, variant: str, house: tuple[str, ...]) -> Rules:
    try:
        if custom:
            box = read_edition(custom, CUSTOM_NAME)
        elif name.endswith(".toml"):  # nobody reads files of the server
            raise OptionsError(mistake("edition-as-text"))
        else:
            box = edition(name)
        return Rules(box, parse_variant(variant), check_house(house))
    except (EditionError, OptionError) as error:
        raise OptionsError(error.mistake) from error
