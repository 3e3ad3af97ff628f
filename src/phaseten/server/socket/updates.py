"""What somebody at a table is told: built from the table, field by field, for one seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType, structs

from phaseten.bots.ladder import LADDER
from phaseten.language import LANGUAGES, Language, language
from phaseten.rules import needs
from phaseten.rules.refusals import Refusal
from phaseten.rules.views import View, seen_by
from phaseten.server.running.bots import Advice
from phaseten.server.running.presence import NOBODY, Present
from phaseten.server.socket.messages import (
    PROTOCOL,
    AimForm,
    GameForm,
    Hint,
    Need,
    Refused,
    SeatForm,
    SlotForm,
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
from phaseten.table.commands import AskHint, Question
from phaseten.table.decisions import REACTIONS, TableRefusal
from phaseten.table.events import Open, Reacted, Said, Secret, TableEvent
from phaseten.table.forms import card_texts
from phaseten.table.sentences import Names, Shown, mentioned, words
from phaseten.table.state import FINISHED, WAITING, Table, next_duty

TABLE_RULE: Final = "TABLE"
NO_SEATS: Final = frozenset[int]()
FIRST: Final = language(LANGUAGES[0])
"""For whoever has not said which language to use."""


class Viewer(NamedTuple):
    """Who looks: a seat or a watcher, whether it is the host, and how that one wants to be told."""

    seat: int | None
    host: bool
    language: Language = FIRST
    muted: frozenset[int] = NO_SEATS
    """The seats whose talk is not told."""


class TableStep(NamedTuple):
    """A step of a table, read."""

    version: int
    at: int
    events: tuple[TableEvent, ...]


def viewer_of(
    table: Table,
    owner: str,
    language: Language = FIRST,
    muted: frozenset[int] = NO_SEATS,
) -> Viewer:
    """Who the one with that token is at this table."""
    return Viewer(table.seat_of(owner), owner == table.host, language, muted)


def may_look(table: Table, viewer: Viewer) -> bool:
    """Whether the viewer may see what happens: before the game everybody may, to find a seat."""
    watches = viewer.seat is None and not viewer.host
    return not watches or table.options.watchers or table.stage == WAITING


def welcome(table: Table, language: Language, now: int) -> Welcome:
    """The first message of a connection."""
    return Welcome(
        PROTOCOL,
        table.code,
        language.code,
        table.options,
        rules_form(table.rules, language.phase),
        LADDER,
        REACTIONS,
        now,
    )


def update(
    table: Table, viewer: Viewer, steps: Sequence[TableStep], present: Present = NOBODY
) -> Update:
    """How the table stands for that viewer, and these steps."""
    return updates(table, [viewer], steps, present)[viewer]


def updates(
    table: Table, viewers: Iterable[Viewer], steps: Sequence[TableStep], present: Present = NOBODY
) -> dict[Viewer, Update]:
    """How the table stands for each of these viewers. What lies open is put into words once."""
    around = table_form(table, present)
    watched = table.view(None)
    lies_open = game_form(watched) if watched is not None else None
    tellers = [_Teller(table, step) for step in steps]
    return {
        viewer: Update(
            table.version,
            tuple([teller.form(viewer) for teller in tellers]),
            around,
            _you_form(table, viewer),
            _with_held(lies_open, table.view(viewer.seat)),
            tuple([action_form(action) for action in table.legal(viewer.seat)]),
        )
        for viewer in viewers
    }


class _Teller:
    """Tells one step to everybody, and says nothing twice."""

    def __init__(self, table: Table, step: TableStep) -> None:
        self._step = step
        self._names = Names(table.names_at(step.version - 1), table.names_at(step.version))
        self._concerned: frozenset[int] | None = None
        self._said: dict[tuple[object, ...], tuple[str, ...]] = {}

    def form(self, viewer: Viewer) -> StepForm:
        """The step as that viewer may see it."""
        events = shown(self._step, viewer.seat, viewer.muted)
        return _step_form(self._step, events, self._words(events, viewer))

    def _words(self, events: Sequence[Shown], viewer: Viewer) -> tuple[str, ...]:
        if self._concerned is None:
            self._concerned = mentioned(events)
        seat = viewer.seat if viewer.seat in self._concerned else None
        key = (seat, viewer.language.code, viewer.muted)
        said = self._said.get(key)
        if said is None:
            said = self._said[key] = words(events, self._names, seat, viewer.language)
        return said


def _with_held(lies_open: GameForm | None, view: View | None) -> GameForm | None:
    """What a watcher knows, and the viewer's own cards."""
    if lies_open is None or view is None or not view.held:
        return lies_open
    return structs.replace(lies_open, held=card_texts(view.held))


def _you_form(table: Table, viewer: Viewer) -> YouForm:
    seat = viewer.seat
    acts = seat is not None and table.is_on_turn(seat)
    return YouForm(
        seat,
        viewer.host,
        acts and bool(table.undo),
        acts and table.options.hints,
        tuple(sorted(viewer.muted)),
    )


def shown(step: TableStep, seat: int | None, muted: frozenset[int] = NO_SEATS) -> list[Shown]:
    """What that seat, or a watcher, is shown of a step."""
    found: list[Shown] = []
    for event in step.events:
        match event:
            case Said(by) | Reacted(by) if by in muted:
                pass
            case Open():
                found.append(event)
            case Secret():
                pass
            case _:
                found.append(seen_by(event, seat))
    return found


def step_form(step: TableStep, seat: int | None) -> StepForm:
    """A step as that seat, or a watcher, may see it, without words."""
    return _step_form(step, shown(step, seat), ())


def _step_form(step: TableStep, events: Sequence[Shown], said: tuple[str, ...]) -> StepForm:
    forms = [event if isinstance(event, Open) else seen_form(event) for event in events]
    return StepForm(step.version, step.at, tuple(forms), said)


def table_form(table: Table, present: Present = NOBODY) -> TableForm:
    """The table around the game: the same for everybody."""
    duty = next_duty(table)
    return TableForm(
        table.stage,
        table.paused,
        table.chat,
        tuple(
            [
                SeatForm(
                    place.name,
                    place.bot,
                    place.stand_in,
                    place.seed,
                    bool(place.bot) or seat in present.seats,
                )
                for seat, place in table.seated
            ]
        ),
        table.host_seat,
        table.host_name,
        present.host,
        present.watchers,
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
    sentence = language.explain(f"table.refusal.{refusal.reason}", refusal.values)
    return Refused(TABLE_RULE, refusal.reason, sentence, version, request)


def hint(
    table: Table,
    question: Question,
    advice: Advice,
    language: Language,
    request: int | UnsetType = UNSET,
) -> Hint:
    """What a bot advises, in the player's language."""
    names = [place.name for place in table.places]
    return Hint(
        table.version,
        question.level if isinstance(question, AskHint) else None,
        action_form(advice.action),
        tuple([language.reason(reason, names) for reason in advice.reasons]),
        request,
    )


def need(table: Table, found: Sequence[needs.Need], request: int | UnsetType = UNSET) -> Need:
    """How far somebody's cards go toward the Phases that can be laid."""
    return Need(table.version, tuple([_aim(one) for one in found]), request)


def _aim(found: needs.Need) -> AimForm:
    rows = tuple(
        [tuple([SlotForm(slot.card.text, slot.filled) for slot in row]) for row in found.rows]
    )
    return AimForm(found.phase.number, found.missing, rows, card_texts(found.helpful))
