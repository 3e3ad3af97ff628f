"""What somebody at a table is told: built from the table, field by field, for one seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType, structs

from phaseten.bots.ladder import LADDER
from phaseten.language import Language
from phaseten.rules.refusals import Refusal
from phaseten.rules.views import View, seen_by
from phaseten.server.deciding import REACTIONS, TableRefusal
from phaseten.server.events import Open, Secret, TableEvent
from phaseten.server.forms import card_texts
from phaseten.server.table import FINISHED, WAITING, Table, next_duty
from phaseten.server.wire import (
    PROTOCOL,
    GameForm,
    Refused,
    SeatForm,
    StepForm,
    TableForm,
    Update,
    Welcome,
    YouForm,
    action_form,
    game_form,
    rules_form,
    seen_form,
)

TABLE_RULE: Final = "TABLE"


class Viewer(NamedTuple):
    """Who looks: a seat or a watcher, and whether it is the host."""

    seat: int | None
    host: bool


class TableStep(NamedTuple):
    """A step of a table, read."""

    version: int
    at: int
    events: tuple[TableEvent, ...]


def viewer_of(table: Table, owner: str) -> Viewer:
    """Who the one with that token is at this table."""
    return Viewer(table.seat_of(owner), owner == table.host)


def may_look(table: Table, viewer: Viewer) -> bool:
    """Whether the viewer may see what happens: before the game everybody may, to find a seat."""
    watches = viewer.seat is None and not viewer.host
    return not watches or table.options.watchers or table.stage == WAITING


def welcome(table: Table, language: Language) -> Welcome:
    """The first message of a connection."""
    return Welcome(
        PROTOCOL,
        table.code,
        language.code,
        table.options,
        rules_form(table.rules, language.phase),
        LADDER,
        REACTIONS,
    )


def update(table: Table, viewer: Viewer, steps: Sequence[TableStep]) -> Update:
    """How the table stands for that viewer, and these steps."""
    return updates(table, [viewer], steps)[viewer]


def updates(
    table: Table, viewers: Iterable[Viewer], steps: Sequence[TableStep]
) -> dict[Viewer, Update]:
    """How the table stands for each of these viewers. What lies open is put into words once."""
    around = table_form(table)
    watched = table.view(None)
    lies_open = game_form(watched) if watched is not None else None
    return {
        viewer: Update(
            table.version,
            tuple([step_form(step, viewer.seat) for step in steps]),
            around,
            YouForm(viewer.seat, viewer.host, _can_undo(table, viewer.seat)),
            _with_held(lies_open, table.view(viewer.seat)),
            tuple([action_form(action) for action in table.legal(viewer.seat)]),
        )
        for viewer in viewers
    }


def _with_held(lies_open: GameForm | None, view: View | None) -> GameForm | None:
    """What a watcher knows, and the viewer's own cards."""
    if lies_open is None or view is None or not view.held:
        return lies_open
    return structs.replace(lies_open, held=card_texts(view.held))


def _can_undo(table: Table, seat: int | None) -> bool:
    return bool(
        seat is not None
        and seat == table.turn
        and table.undo
        and not table.paused
        and not table.places[seat - 1].played_by
    )


def step_form(step: TableStep, seat: int | None) -> StepForm:
    """A step as that seat, or a watcher, may see it."""
    events: list[Open] = []
    for event in step.events:
        match event:
            case Open():
                events.append(event)
            case Secret():
                pass
            case _:
                events.append(seen_form(seen_by(event, seat)))
    return StepForm(step.version, step.at, tuple(events))


def table_form(table: Table) -> TableForm:
    """The table around the game: the same for everybody."""
    duty = next_duty(table)
    return TableForm(
        table.stage,
        table.paused,
        table.chat,
        tuple(
            [SeatForm(place.name, place.bot, place.stand_in, place.seed) for place in table.places]
        ),
        table.host_seat,
        table.host_name,
        table.commitment,
        table.client_seed,
        table.server_seed if table.stage == FINISHED else None,
        duty.at if duty is not None else None,
    )


def refused(
    refusal: Refusal | TableRefusal,
    language: Language,
    table: Table | None,
    request: int | UnsetType = UNSET,
) -> Refused:
    """Why something was not done, in the player's language."""
    version = table.version if table is not None else 0
    if isinstance(refusal, Refusal):
        names = [place.name for place in table.places] if table is not None else []
        sentence = language.refusal(refusal, names)
        return Refused(refusal.rule, refusal.reason, sentence, version, request)
    sentence = language.say(f"table.refusal.{refusal.reason}", **refusal.values)
    return Refused(TABLE_RULE, refusal.reason, sentence, version, request)
