"""One table on one device: requests in, messages out, and every step kept before anybody is told of it.

To keep a step may take a while, and the browser cannot wait for it in Python. So a step is made in two halves: what is
to be done (:meth:`PocketTable.hear`, :meth:`PocketTable.act`) answers with the step that has to be kept first, and
:meth:`PocketTable.kept` carries it out and tells everybody, or :meth:`PocketTable.not_kept` says why nothing was done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, assert_never

import msgspec
from msgspec import UNSET, Struct

from phaseten.bots.bot import Bot
from phaseten.bots.deep import Deep
from phaseten.bots.ladder import DEEP, LADDER, make_bot
from phaseten.bots.reasons import explain, recommend
from phaseten.kernel.players.network.look import Network
from phaseten.pocket.people import Person
from phaseten.rules.needs import needs_of
from phaseten.rules.refusals import Refusal
from phaseten.server.running.presence import Present
from phaseten.server.socket.messages import Done, encode
from phaseten.server.socket.requests import MalformedError, Requested, command_of, read_request
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.socket.updates import fit, hint, need, past, refused
from phaseten.server.store.codec import form_of, write_events
from phaseten.server.store.games import KeptAbout
from phaseten.server.store.listings import About, MyTable, listing_of
from phaseten.server.store.records import record_of
from phaseten.server.store.snapshots import FORM, begins_anew, write_table
from phaseten.table.advice import Advice
from phaseten.table.commands import (
    AskFit,
    AskHint,
    AskNeed,
    AskPast,
    AskReasons,
    ChangeOptions,
    ClaimHost,
    Command,
    Mute,
    OpenTable,
    Question,
    SeatBot,
    SeatStandIn,
    WantCoach,
)
from phaseten.table.decisions import (
    check_fit,
    check_question,
    decide_once,
    do_chore,
    open_table,
    request_mark,
)
from phaseten.table.duties import BotDuty, chore_for, next_duty
from phaseten.table.events import TableEvent
from phaseten.table.fold import apply
from phaseten.table.options import OptionsError, rules_of
from phaseten.table.state import Place, Table, empty_table
from phaseten.table.verdicts import ALREADY_DONE, TableRefusal, no
from phaseten.table.viewers import MOST_PAST, TableStep, viewer_of

LEVELS: Final = LADDER[: LADDER.index(DEEP) + 1]
"""Who plays here. The master thinks in a thousand worlds, for which the uncompiled kernel has no time."""
WITHOUT_NETWORK: Final = "sharp"
"""Who plays for deep where its weights could not be fetched, and gives hints."""


HERE: Final = "0"
"""How the names of tables and games begin that are on a device: no server's do."""


class Chance(NamedTuple):
    """What nobody may foresee, and what time it is: the browser brings both."""

    new_seed: Callable[[], bytes]
    new_bot_seed: Callable[[], int]
    now: Callable[[], int]
    """In milliseconds since 1970."""


class FinishedRecord(Struct, frozen=True):
    """A game that a step has ended, as the list of finished games shows it, and its record."""

    id: str
    code: str
    ended: int
    about: KeptAbout
    record: str
    """The whole of it (.p10), with the seeds."""
    edition: str
    """The TOML of its own edition, or nothing where it was played by one of the book."""


class StepToKeep(Struct, frozen=True):
    """A step that is to be kept before it is shown, and what lists of tables and games show after it."""

    version: int
    at: int
    events: str
    """What happened, as text that nothing but this program reads."""
    form: int
    """Of the events: a program that is older than them does not touch them."""
    listed: MyTable
    game: FinishedRecord | None = None
    snapshot: str = ""
    """The whole table, where another game begins: what came before need not be read again."""
    snapshot_form: str = FORM


class _Pending(NamedTuple):
    """What is to happen as soon as it is kept."""

    after: Table
    step: TableStep
    person: Person | None
    request: Requested | None


def first_step(
    code: str, owner: str, command: OpenTable, now: int
) -> StepToKeep | TableRefusal | Refusal:
    """The step that opens a table."""
    options = command.options
    if options.stand_in not in LEVELS:
        return no("bad-bot", names=", ".join(LEVELS))
    try:
        rules_of(options)
        decision = open_table(owner, command)
    except OptionsError as error:
        return no("bad-options", problem=error.mistake)
    if not isinstance(decision, tuple):
        return decision
    table = empty_table(code)
    return to_keep(table, [TableStep(1, now, decision)], apply(table, now, decision))


class PocketTable:
    """A table, and those who sit at it."""

    def __init__(
        self,
        table: Table,
        chance: Chance,
        log: Iterable[TableStep] = (),
        network: Network | None = None,
    ) -> None:
        self.table = table
        self.network = network
        """Of deep; the browser brings it when somebody wants to play against that one."""
        self._chance = chance
        self._speaker = MessageSpeaker(chance.now, LEVELS, coach=False)
        self._people: list[Person] = []
        self._pending: _Pending | None = None
        self.log = list(log)
        """What has happened in this game: its record is made of it."""

    # -- who is there ----------------------------------------------------------------------------

    def join(self, person: Person, after: int | None = None) -> None:
        """Tell somebody how the table stands, and from now on what happens there."""
        self._people.append(person)
        self._speaker.welcome(person, self.table)
        self._show(person, self._missed(after))

    def leave(self, person: Person) -> None:
        """Tell that one nothing more."""
        self._people.remove(person)

    def _missed(self, after: int | None) -> Sequence[TableStep]:
        """What somebody has not heard of yet; nothing, where that cannot be told any more."""
        if after is None or after < self.table.since:
            return ()
        steps = [step for step in self.log if step.version > after]
        return steps if len(steps) == self.table.version - after else ()

    @property
    def _present(self) -> Present:
        """They all sit around the one device, whoever holds it; who has no seat looks on."""
        seats = {place.owner: seat for seat, place in self.table.seated if place.owner}
        watchers = {person.owner for person in self._people} - set(seats)
        return Present(frozenset(seats.values()), host=True, watchers=len(watchers))

    def _show(self, person: Person, steps: Sequence[TableStep] = ()) -> None:
        self._speaker.show(person, self.table, steps, self._present)

    # -- requests --------------------------------------------------------------------------------

    def hear(self, person: Person, text: str) -> StepToKeep | None:
        """What somebody asks for, as a message of the protocol; the step that has to be kept first, if there is one."""
        try:
            request = read_request(text)
        except MalformedError:
            self._refuse(person, TableRefusal("malformed"))
            return None
        command = command_of(request, self._chance.new_seed)
        refusal = _too_strong(command)
        if refusal is not None:
            self._answer(person, request, refusal)
            return None
        match command:
            case Mute(seat, on):
                person.muted = person.muted | {seat} if on else person.muted - {seat}
                self._show(person)
                self._answer(person, request, None)
            case AskHint(level, at) if level not in LEVELS:
                self._advise(person, AskHint(WITHOUT_NETWORK, at), request)
            case AskHint() | AskReasons():
                self._advise(person, command, request)
            case AskNeed():
                self._count(person, command, request)
            case AskFit():
                self._judge(person, command, request)
            case AskPast():
                self._tell_past(person, request)
            case ClaimHost():
                self._answer(person, request, TableRefusal("host-here"))
            case _:
                return self._do(person, command, request)
        return None

    def _do(self, person: Person, command: Command, request: Requested) -> StepToKeep | None:
        mark = None
        if request.id is not UNSET and request.at is not UNSET:
            mark = request_mark(person.owner, request.id, request.at)
        decision = decide_once(self.table, person.owner, command, mark)
        if not isinstance(decision, tuple):
            self._answer(person, request, None if decision is ALREADY_DONE else decision)
            return None
        return self._propose(decision, person, request)

    def _advise(self, person: Person, question: Question, request: Requested) -> None:
        refusal = check_question(self.table, person.owner, question)
        if refusal is not None:
            self._refuse(person, refusal, request)
            return
        view = self.table.view(self.table.turn)
        assert view is not None  # it is that one's turn
        match question:
            case AskHint(level):
                action = self._bot(level).choose(view)
                advice = Advice(action, recommend(view, action))
            case AskReasons(action):
                advice = Advice(action, explain(view, action))
            case _:
                assert_never(question)
        person.send(encode(hint(self.table, question, advice, person.language, request.id)))

    def _count(self, person: Person, question: AskNeed, request: Requested) -> None:
        seat = self.table.seat_of(person.owner)
        view = self.table.view(seat)
        if seat is None:
            self._refuse(person, TableRefusal("no-seat"), request)
        elif view is None:
            self._refuse(person, TableRefusal("no-game"), request)
        elif self.table.moved > question.at:
            self._refuse(person, TableRefusal("stale"), request)
        else:
            person.send(encode(need(self.table, needs_of(view), request.id)))

    def _judge(self, person: Person, question: AskFit, request: Requested) -> None:
        verdict = check_fit(self.table, question)
        if isinstance(verdict, TableRefusal):
            self._refuse(person, verdict, request)
        else:
            person.send(encode(fit(self.table, question, verdict, person.language, request.id)))

    def _tell_past(self, person: Person, request: Requested) -> None:
        if person.knows_past:  # once is enough: from then on everything is told
            self._refuse(person, TableRefusal("too-fast"), request)
            return
        person.knows_past = True
        viewer = viewer_of(self.table, person.owner, person.language, person.muted)
        after = max(self.table.since, self.table.version - MOST_PAST)
        steps = [step for step in self.log if step.version > after]
        person.send(encode(past(self.table, viewer, steps, request.id)))

    # -- what is due -----------------------------------------------------------------------------

    @property
    def due(self) -> int | None:
        """When something is to be done here by itself, in milliseconds since 1970."""
        duty = next_duty(self.table)
        return duty.at if duty is not None else None

    def act(self) -> StepToKeep | None:
        """Do what is due by now; the step that has to be kept first, if there is one."""
        duty = next_duty(self.table)
        if duty is None or duty.at > self._chance.now():
            return None
        action = None
        if isinstance(duty, BotDuty):
            view = self.table.view(duty.seat)
            assert view is not None  # it is that seat's turn
            action = self._bot(duty.level).choose(view)
        decision = do_chore(self.table, chore_for(duty, self.table.version, action))
        assert isinstance(decision, tuple), decision  # nothing has happened meanwhile
        return self._propose(decision)

    def _bot(self, level: str) -> Bot:
        """Who plays at that level here."""
        seed = self._chance.new_bot_seed()
        if level == DEEP and self.network is not None:
            return Deep(seed=seed, network=self.network)
        return make_bot(level if level in LEVELS and level != DEEP else WITHOUT_NETWORK, seed=seed)

    @property
    def lacks_network(self) -> bool:
        """Whether deep plays here, and its weights are not there."""
        duty = next_duty(self.table)
        return self.network is None and isinstance(duty, BotDuty) and duty.level == DEEP

    # -- steps -----------------------------------------------------------------------------------

    def _propose(
        self,
        events: tuple[TableEvent, ...],
        person: Person | None = None,
        request: Requested | None = None,
    ) -> StepToKeep:
        if self._pending is not None:
            raise RuntimeError("the step before has not been kept yet")
        at = self._chance.now()
        after = apply(self.table, at, events)
        step = TableStep(after.version, at, events)
        self._pending = _Pending(after, step, person, request)
        return to_keep(self.table, [*self.log, step], after)

    def kept(self) -> None:
        """The step is kept: carry it out and tell everybody."""
        pending = self._take_pending()
        self.table = pending.after
        self.log.append(pending.step)
        self._speaker.tell(self._people, self.table, [pending.step], self._present)
        if pending.person is not None and pending.request is not None:
            self._answer(pending.person, pending.request, None)

    def not_kept(self) -> None:
        """The step could not be kept, and so it has not happened."""
        pending = self._take_pending()
        if pending.person is not None and pending.request is not None:
            self._refuse(pending.person, TableRefusal("unavailable"), pending.request)

    def _take_pending(self) -> _Pending:
        if self._pending is None:
            raise RuntimeError("there is no step to be kept")
        pending, self._pending = self._pending, None
        return pending

    # -- answers ---------------------------------------------------------------------------------

    def _answer(
        self, person: Person, request: Requested, refusal: Refusal | TableRefusal | None
    ) -> None:
        """Say what became of a request; where it has no id, an update says enough of what was done."""
        if refusal is not None:
            self._refuse(person, refusal, request)
        elif request.id is not UNSET:
            person.send(encode(Done(self.table.version, request.id)))

    def _refuse(
        self, person: Person, refusal: Refusal | TableRefusal, request: Requested | None = None
    ) -> None:
        number = request.id if request is not None else UNSET
        person.send(encode(refused(refusal, person.language, self.table, number)))


def to_keep(before: Table, log: Sequence[TableStep], after: Table) -> StepToKeep:
    """What is to be kept of the last step of the log."""
    _, at, events = log[-1]
    listing = listing_of(after, before)
    about = msgspec.json.decode(listing.about, type=About)
    turn = after.places[after.turn - 1] if after.turn is not None else Place()
    listed = MyTable(after.code, after.stage, at, about, turn.name, bool(turn.owner))
    game = None
    if listing.finished is not None:
        name = HERE + listing.finished.game[len(HERE) :]
        record = record_of(after, log, None, f"{name}.toml")
        assert record is not None  # the game has just ended
        result = msgspec.json.decode(listing.finished.about, type=KeptAbout)
        game = FinishedRecord(name, after.code, at, result, record, after.options.custom)
    snapshot = write_table(after) if begins_anew(events) else ""
    return StepToKeep(
        after.version, at, write_events(events), form_of(events), listed, game, snapshot
    )


def _too_strong(
    command: Command | Question | AskNeed | AskPast | AskFit | Mute,
) -> TableRefusal | None:
    """Why that bot cannot play here, or the coach speak, if what is asked for cannot be."""
    match command:
        case SeatBot(level=level) | SeatStandIn(level=level):
            pass
        case ChangeOptions(options):
            level = options.stand_in
        case WantCoach():  # it plays hands out hundreds of times, which the uncompiled kernel cannot in time
            return no("no-coach")
        case _:
            return None
    return None if level in LEVELS else no("bad-bot", names=", ".join(LEVELS))
