"""What people say at a table."""

from __future__ import annotations

from typing import Final, assert_never

from phaseten.table.commands import React, Say, TalkCommand
from phaseten.table.events import Reacted, Said
from phaseten.table.names import clean_text, is_visible
from phaseten.table.state import Table
from phaseten.table.verdicts import Decision, no

MOST_SAID: Final = 300
REACTIONS: Final = ("hello", "nice", "ouch", "wow", "haha", "hurry", "thanks", "bye")


def decide_talk(table: Table, owner: str, command: TalkCommand) -> Decision:
    """What follows when somebody wants to say this."""
    seat = table.seat_of(owner)
    if seat is None:
        return no("no-seat")
    if not table.chat:
        return no("chat-off")
    match command:
        case Say(text):
            said = clean_text(text)
            if not 0 < len(said) <= MOST_SAID:
                return no("bad-text", most=MOST_SAID)
            if not is_visible(said):
                return no("invisible")
            return (Said(seat, said),)
        case React(reaction):
            if reaction not in REACTIONS:
                return no("bad-reaction", names=", ".join(REACTIONS))
            return (Reacted(seat, reaction),)
        case _:
            assert_never(command)
