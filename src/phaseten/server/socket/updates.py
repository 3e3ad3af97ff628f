"""What somebody at a table is told: built from the table, field by field, for one seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import UNSET, UnsetType

from phaseten.bots.ladder import LADDER
from phaseten.language import Language
from phaseten.notation.codec import (
    EventData,
    ViewData,
    write_action,
    write_board,
    write_rules,
    write_seen,
    write_view,
)
from phaseten.notation.shapes import card_texts
from phaseten.rules import needs
from phaseten.rules.events import HandDealt, Seen
from phaseten.rules.refusals import Refusal
from phaseten.rules.views import View
from phaseten.server.running.presence import NOBODY, Present
from phaseten.server.socket.messages import (
    PROTOCOL,
    AimForm,
    EndedForm,
    Fit,
    Hint,
    Need,
    Past,
    Refused,
    Remark,
    SeatForm,
    SlotForm,
    StepForm,
    TableForm,
    Update,
    Welcome,
    YouForm,
)
from phaseten.table import advice
from phaseten.table.characters import FACES
from phaseten.table.coaching import JudgedMove, percent_of, remark_words
from phaseten.table.commands import AskFit, AskHint, Question
from phaseten.table.duties import next_duty
from phaseten.table.events import Open, StepUndone
from phaseten.table.sentences import Names, Shown, mentioned, words
from phaseten.table.state import FINISHED, Table
from phaseten.table.talk import REACTIONS
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import TableStep, Viewer, shown

TABLE_RULE: Final = "TABLE"


def welcome(
    table: Table,
    language: Language,
    now: int,
    bots: tuple[str, ...] = LADDER,
    *,
    coach: bool = True,
) -> Welcome:
    """The first message of a connection."""
    return Welcome(
        PROTOCOL,
        table.code,
        language.code,
        table.options,
        write_rules(table.rules),
        tuple([language.phase(phase) for phase in table.rules.phases]),
        bots,
        REACTIONS,
        FACES,
        coach,
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
    lies_open = write_view(watched) if watched is not None else None
    tellers = [Teller(table, step) for step in steps]
    seen = seen_anew(table, steps)
    ended = ended_form(table)
    return {
        viewer: Update(
            table.version,
            tuple([teller.form(viewer) for teller in tellers]),
            around,
            you_form(table, viewer),
            _with_held(lies_open, table.view(viewer.seat)),
            tuple([write_action(action) for action in table.legal(viewer.seat)]),
            seen,
            ended,
        )
        for viewer in viewers
    }


class Teller:
    """Tells one step to everybody, and says nothing twice."""

    def __init__(self, table: Table, step: TableStep) -> None:
        self._step = step
        self._names = Names(table.names_at(step.version - 1), table.names_at(step.version))
        self._lies_open = shown(step, None)
        self.concerned = mentioned(self._lies_open)
        """The seats that hear of themselves: all others are told the same."""
        self._deals = any(isinstance(event, HandDealt) for event in step.events)

    def form(self, viewer: Viewer) -> StepForm:
        """The step as that viewer may see it."""
        seat = viewer.seat if viewer.seat in self.concerned else None
        sees = viewer.seat if self._deals else seat
        events = self._lies_open
        if sees is not None or viewer.muted:
            events = shown(self._step, sees, viewer.muted)
        return _step_form(self._step, events, words(events, self._names, seat, viewer.language))


def seen_anew(table: Table, steps: Sequence[TableStep]) -> tuple[EventData, ...] | UnsetType:
    """What was seen in this hand, for those who cannot make it of the steps."""
    board = table.game.board if table.game is not None else None
    if board is None or (steps and not any(_takes_back(step) for step in steps)):
        return UNSET
    return tuple([write_seen(event) for event in board.seen])


def _takes_back(step: TableStep) -> bool:
    return any(isinstance(event, StepUndone) for event in step.events)


def ended_form(table: Table) -> EndedForm | UnsetType:
    """How the last hand ended, while there is no other one."""
    ended = table.ended
    if ended is None:
        return UNSET
    return EndedForm(write_board(ended.board), tuple([card_texts(held) for held in ended.held]))


def _with_held(lies_open: ViewData | None, view: View | None) -> ViewData | None:
    """What a watcher knows, and the viewer's own seat and cards."""
    if lies_open is None or view is None or view.seat is None:
        return lies_open
    return {**lies_open, "seat": view.seat, "held": card_texts(view.held)}


def you_form(table: Table, viewer: Viewer) -> YouForm:
    """Who the viewer is."""
    seat = viewer.seat
    acts = seat is not None and seat == table.acting
    return YouForm(
        seat,
        viewer.host,
        acts and bool(table.undo),
        acts and table.options.hints,
        tuple(sorted(viewer.muted)),
    )


def step_form(step: TableStep, seat: int | None) -> StepForm:
    """A step as that seat, or a watcher, may see it, without words."""
    return _step_form(step, shown(step, seat), ())


def _step_form(step: TableStep, events: Sequence[Shown], said: tuple[str, ...]) -> StepForm:
    forms = [event if isinstance(event, Open) else _seen_data(event) for event in events]
    return StepForm(step.version, step.at, tuple(forms), said)


@lru_cache(
    maxsize=4_096
)  # that somebody draws, or discards a certain card, is told again and again
def _seen_data(event: Seen) -> EventData:
    return write_seen(event)


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
                    place.face,
                    place.again,
                    place.coach,
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
    given: advice.Advice,
    language: Language,
    request: int | UnsetType = UNSET,
) -> Hint:
    """What a bot advises, in the player's language."""
    names = [place.name for place in table.places]
    return Hint(
        table.version,
        question.level if isinstance(question, AskHint) else None,
        write_action(given.action),
        tuple([language.reason(reason, names) for reason in given.reasons]),
        request,
    )


def remark(
    table: Table, version: int, move: JudgedMove, said: advice.Remark, language: Language
) -> Remark:
    """What the coach says about somebody's move, in that one's language."""
    names = [place.name for place in table.places]
    sentence, *reasons = remark_words(said, move.view, names, language)
    return Remark(version, percent_of(said), sentence, tuple(reasons))


def fit(
    table: Table,
    question: AskFit,
    refusal: Refusal | None,
    language: Language,
    request: int | UnsetType = UNSET,
) -> Fit:
    """Whether cards can lie together in a group, and why not."""
    return Fit(
        table.version,
        question.group,
        card_texts(question.cards),
        refusal.rule if refusal is not None else "",
        language.refusal(refusal, ()) if refusal is not None else "",
        request,
    )


def need(table: Table, found: Sequence[needs.Need], request: int | UnsetType = UNSET) -> Need:
    """How far somebody's cards go toward the Phases that can be laid."""
    return Need(table.version, tuple([_aim(one) for one in found]), request)


def past(
    table: Table, viewer: Viewer, steps: Sequence[TableStep], request: int | UnsetType = UNSET
) -> Past:
    """What happened before, as that viewer may know it."""
    forms = tuple([Teller(table, step).form(viewer) for step in steps])
    return Past(table.version, forms, request)


def _aim(found: needs.Need) -> AimForm:
    rows = tuple(
        [tuple([SlotForm(slot.card.text, slot.filled) for slot in row]) for row in found.rows]
    )
    return AimForm(found.phase.number, found.missing, rows, card_texts(found.helpful))
