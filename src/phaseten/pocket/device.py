"""What a Web Worker calls: text in, text out, one table at a time.

The worker keeps what it is told to keep, and only then shows what it is told to show (``web/src/pocket/``). Who asks
is a number: the person who holds the device, counted from 1.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from phaseten.kernel.players.network.look import Network
from phaseten.language import language
from phaseten.notation.records import RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError
from phaseten.pocket.moving import MovedStep, adopt, trouble_with
from phaseten.pocket.network import FarNetwork, Weigh
from phaseten.pocket.people import Person
from phaseten.pocket.table import Chance, PocketTable, StepToKeep, first_step
from phaseten.rules.editions import Edition, read_edition
from phaseten.rules.shuffle import SEED_BYTES
from phaseten.server.http.replays import NoSuchSeatError, book_edition, replay
from phaseten.server.socket.updates import refused
from phaseten.server.store.interface import KeptStep, Step, UnknownEventsError
from phaseten.server.store.records import read_step
from phaseten.server.store.snapshots import FORM, DamagedSnapshotError, read_table
from phaseten.table.commands import OpenTable
from phaseten.table.fold import apply
from phaseten.table.options import CUSTOM_NAME, Options
from phaseten.table.state import Table, empty_table
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import TableStep

HOST: Final = 1
VERSION: Final = 2
"""Of what a worker can ask for: raise it when an older page would not understand. The page (``web/src/pocket/runtime.ts``)
loads no program of another version."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that is to be opened: who sits there, in this order, and how it plays."""

    names: tuple[str, ...]
    options: Options
    faces: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    """What each of them adds to the shuffle."""
    position: str = ""
    """Where the game begins, instead of with a deal."""
    seat: int = 1
    """Where the first of them sits, if that one is alone."""


class Told(Struct, frozen=True):
    """What has to be kept, and what may be shown at once."""

    keep: StepToKeep | None
    messages: tuple[str, ...]


class Opened(Struct, frozen=True):
    """A table that was opened: all its steps until now, or why it was not."""

    code: str = ""
    keep: tuple[StepToKeep, ...] = ()
    problem: str = ""


class KeptText(MovedStep, frozen=True):
    """A step as it was kept, perhaps with the whole table after it."""

    snapshot: str = ""
    snapshot_form: str = ""


class FilmAnswer(Struct, frozen=True):
    """A film, or why there is none."""

    film: Any = None
    problem: str = ""


def system_chance() -> Chance:
    """What the browser brings: its own randomness, and its clock."""
    return Chance(
        lambda: os.urandom(SEED_BYTES),
        lambda: int.from_bytes(os.urandom(8)) >> 1,
        lambda: time.time_ns() // 1_000_000,
    )


class Device:
    """The one table that is played at, and the person who holds the device."""

    def __init__(self, chance: Chance | None = None) -> None:
        # Where this runs nobody can compile it, and it is fast enough.
        warnings.filterwarnings("ignore", "the kernel is not compiled", RuntimeWarning)
        self._chance = chance or system_chance()
        self._table: PocketTable | None = None
        self._person: Person | None = None
        self._network: Network | None = None

    # -- opening ---------------------------------------------------------------------------------

    def open(self, text: str, code: str, language_code: str) -> str:
        """Open a table, seat everybody and deal; all of it is to be kept at once."""
        words = language(language_code)
        wanted = msgspec.json.decode(text, type=NewTable)
        first = first_step(
            code,
            str(HOST),
            OpenTable(wanted.options, wanted.names[0], self._chance.new_seed(), wanted.position),
            self._chance.now(),
        )
        if not isinstance(first, StepToKeep):
            return _text(Opened(problem=refused(first, words, None).sentence))
        self.load(code, _text([first]))
        keep = [first]
        for number, request in _requests(wanted):
            self.join(number, language_code, None)
            told = msgspec.json.decode(self.hear(request), type=Told)
            if told.keep is None:
                return _text(Opened(problem=_sentence(told.messages[-1])))
            self.kept()
            keep.append(told.keep)
        return _text(Opened(code, tuple(keep)))

    def load(self, code: str, text: str) -> str:
        """Go on at a table from the steps that were kept; why that cannot be (``Trouble``), or nothing."""
        kept = msgspec.json.decode(text, type=list[KeptText])
        problem = trouble_with(kept)
        if problem:
            return problem
        try:
            table, log = _loaded(code, kept)
        except UnknownEventsError:
            return "broken"
        self._table = PocketTable(table, self._chance, log, self._network)
        self._person = None
        return ""

    def adopt(self, text: str) -> str:
        """The steps of a game from another device, to be kept here."""
        return _text(adopt(text))

    # -- playing ---------------------------------------------------------------------------------

    def join(self, number: int, language_code: str, after: int | None) -> str:
        """From now on that person holds the device; what that one is told."""
        if self._person is not None:
            self._open_table.leave(self._person)
        self._person = Person(str(number), language(language_code))
        self._open_table.join(self._person, after)
        return self._told(None)

    def hear(self, text: str) -> str:
        """What the person who holds the device asks for."""
        assert self._person is not None  # who asks has come
        return self._told(self._open_table.hear(self._person, text))

    def act(self) -> str:
        """Do what is due by now."""
        return self._told(self._open_table.act())

    @property
    def lacks_network(self) -> bool:
        """Whether a bot is to act whose weights are not there; without them another one plays for it."""
        return self._table is not None and self._table.lacks_network

    def use_network(self, weigh: Weigh) -> None:
        """The weights are there: what the browser computes with them."""
        self._network = FarNetwork(weigh)
        if self._table is not None:
            self._table.network = self._network

    @property
    def due(self) -> int | None:
        """When something is to be done by itself, in milliseconds since 1970."""
        return self._open_table.due if self._table is not None else None

    def kept(self) -> str:
        """What was to be kept is kept."""
        self._open_table.kept()
        return self._told(None)

    def not_kept(self) -> str:
        """What was to be kept could not be."""
        self._open_table.not_kept()
        return self._told(None)

    # -- watching --------------------------------------------------------------------------------

    def film(self, text: str, seat: int | None, language_code: str, own: str = "") -> str:
        """A record step by step; ``own`` is the TOML of its own edition, where it has one."""
        words = language(language_code)

        def find(name: str) -> Edition:
            return read_edition(own, CUSTOM_NAME) if own else book_edition(name)

        try:
            record = parse_record(decode_record(text.encode()))
            return _text(FilmAnswer(replay(record, seat, words, find)))
        except (RecordSyntaxError, IllegalRecordError) as error:
            why = words.fault(error.why)
            said = words.say("serve.problem.bad-record", line=error.line, why=why)
            return _text(FilmAnswer(problem=said))
        except NoSuchSeatError:
            return _text(FilmAnswer(problem=words.say("serve.problem.no-such-view")))

    def answer(self, path: str, text: str, language_code: str) -> str:
        """What is otherwise asked of a server over HTTP."""
        from phaseten.pocket.answers import answer  # noqa: PLC0415 - the first card waits for none of it

        return _text(answer(path, text, language(language_code)))

    @property
    def _open_table(self) -> PocketTable:
        assert self._table is not None  # a table has been opened
        return self._table

    def _told(self, keep: StepToKeep | None) -> str:
        messages = self._person.take_messages() if self._person is not None else []
        return _text(Told(keep, tuple([message.decode() for message in messages])))


def _requests(wanted: NewTable) -> list[tuple[int, str]]:
    """What everybody asks for until the first card is dealt, and who asks."""
    found: list[tuple[int, dict[str, object]]] = []
    alone = len(wanted.names) == 1
    for number, name in enumerate(wanted.names, HOST):
        seat = wanted.seat if alone else number
        face = wanted.faces[number - 1] if number <= len(wanted.faces) else ""
        found.append((number, {"do": "sit", "seat": seat, "name": name, "face": face}))
    for number, text in enumerate(wanted.seeds, HOST):
        found.append((number, {"do": "seed", "text": text}))
    found.append((HOST, {"do": "start"}))
    return [(number, msgspec.json.encode(request).decode()) for number, request in found]


def _loaded(code: str, kept: Sequence[KeptText]) -> tuple[Table, list[TableStep]]:
    """The table, and the steps of the game that goes on there."""
    table = empty_table(code)
    rest = list(kept)
    for place in range(len(kept) - 1, -1, -1):
        one = kept[place]
        if one.snapshot and one.snapshot_form == FORM:
            try:
                table = read_table(one.snapshot)
            except DamagedSnapshotError:
                continue
            rest = list(kept[place + 1 :])
            break
    log: list[TableStep] = []
    for one in rest:
        step = read_step(KeptStep(one.version, Step(one.at, one.events, one.form)))
        table = apply(table, step.at, step.events)
        log.append(step)
    return table, log


def _sentence(message: str) -> str:
    found = msgspec.json.decode(message)
    return str(found.get("sentence", TableRefusal("unavailable").reason))


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
