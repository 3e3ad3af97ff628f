"""What is chosen when a table is opened."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from msgspec import Meta, Struct

from phaseten.bots.ladder import LADDER
from phaseten.rules.editions import EditionError, edition, read_edition
from phaseten.rules.options import OptionError, Rules, check_house, parse_variant

MOST_CUSTOM: Final = 8_000
"""Characters of an edition of one's own."""
CUSTOM_NAME: Final = "your edition"


class OptionsError(ValueError):
    """Options that do not exist or do not go together, in a sentence."""


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
        Meta(description="Seconds for a turn, 5 to 604800; null: games may last for days."),
    ] = None
    pace: Annotated[
        int, Meta(ge=0, le=10_000, description="Milliseconds a bot takes for an action; 0: none.")
    ] = 1_200
    stand_in: Annotated[
        str, Meta(max_length=20, description="The bot that fills empty seats and plays for others.")
    ] = "casual"
    public: Annotated[bool, Meta(description="Whether the list of tables shows it.")] = False
    watchers: Annotated[bool, Meta(description="Whether others may watch.")] = True
    hints: Annotated[bool, Meta(description="Whether players may ask bots for advice.")] = True


def rules_of(options: Options) -> Rules:
    """The rules that these options ask for; an OptionsError where they make no sense."""
    if options.timer is not None and not 5 <= options.timer <= 604_800:
        raise OptionsError("a turn takes from 5 to 604800 seconds, or null for no limit")
    if options.stand_in not in LADDER:
        raise OptionsError(f"there is no bot {options.stand_in!r}: choose from {', '.join(LADDER)}")
    rules = _rules(
        options.edition, options.custom, options.variant, tuple(sorted(set(options.house)))
    )
    try:
        rules.check_players(options.seats)
    except OptionError as error:
        raise OptionsError(str(error)) from error
    return rules


@lru_cache(maxsize=256)  # tables of the same kind share their rules
def _rules(name: str, custom: str, variant: str, house: tuple[str, ...]) -> Rules:
    try:
        if custom:
            box = read_edition(custom, CUSTOM_NAME)
        elif name.endswith(".toml"):  # nobody reads files of the server
            raise OptionsError("give an edition of your own as text, not as the name of a file")
        else:
            box = edition(name)
        return Rules(box, parse_variant(variant), check_house(house))
    except (EditionError, OptionError) as error:
        raise OptionsError(str(error)) from error
