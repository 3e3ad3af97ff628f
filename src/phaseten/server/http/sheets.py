"""Score sheets of real tables, live on everybody's phone.

A sheet is kept in the same log as the tables of the game: every version of it is a step that holds the
whole sheet. So two devices that write at the same time are told apart, and no store needs to know
more. Who made the sheet gets a key; who has the key may write, and everybody with the link may read.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from phaseten.rules.editions import FEWEST_PLAYERS, MOST_PLAYERS, edition
from phaseten.rules.options import OptionError, Rules, parse_variant
from phaseten.server.clock import now
from phaseten.server.http.bodies import read_json
from phaseten.server.http.guard import Guard
from phaseten.server.http.invitations import QrForm, qr_form
from phaseten.server.http.openapi import Body, Operation
from phaseten.server.http.responses import (
    Problem,
    ProblemError,
    json_response,
    language_of,
    table_problem,
)
from phaseten.server.http.tables import reach_of, warning_of
from phaseten.server.running.services import Services
from phaseten.server.settings import Settings
from phaseten.server.store.games import ID_LENGTH, ID_LETTERS, is_game_id
from phaseten.server.store.interface import ConflictError, Listing, Step
from phaseten.table.names import is_visible

MOST_BODY: Final = 65_536
MOST_HANDS: Final = 200
MOST_POINTS: Final = 9_999
MOST_VERSIONS: Final = 2_000
"""After so many changes a sheet is not live any more; a long evening has about fifty."""
MOST_KNOWN: Final = 256
"""Sheets in memory, so that the log is not read from its beginning for everybody who looks."""
KEY_BYTES: Final = 16

_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
_Count = Annotated[int, Meta(ge=0, le=200)]


class CountedForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that somebody kept, by what they cost."""

    low: _Count
    high: _Count
    skip: _Count
    wild: _Count


class EntryForm(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was written down for a player after a hand."""

    points: Annotated[int, Meta(ge=0, le=MOST_POINTS)] | None
    made: bool
    phase: Annotated[int, Meta(ge=1, le=20)] | None = None
    cards: CountedForm | None = None


class ScoredHandForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand; null for whoever does not play in it."""

    entries: Annotated[list[EntryForm | None], Meta(min_length=2, max_length=MOST_PLAYERS)]
    out: _Seat | None


class SheetForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A score sheet. What follows from it, such as totals, everybody works out."""

    edition: Literal["classic", "deluxe", "elchavo", "anniversary", "express"]
    variant: Annotated[str, Meta(max_length=40)]
    any_order: bool
    players: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=40)]],
        Meta(min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS),
    ]
    dealer: _Seat
    hands: Annotated[list[ScoredHandForm], Meta(max_length=MOST_HANDS)]


class NewSheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet that somebody wants to share."""

    sheet: SheetForm


class SharedSheet(Struct, frozen=True):
    """A sheet that is shared from now on."""

    id: str
    key: Annotated[str, Meta(description="Who has it may write; the server keeps its hash only.")]
    version: int


class ChangedSheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet as it is to be from now on."""

    key: Annotated[str, Meta(max_length=100)]
    version: Annotated[int, Meta(ge=1, description="The version that was changed.")]
    sheet: SheetForm


class SheetVersion(Struct, frozen=True):
    """The number of a version."""

    version: int


class LiveSheet(Struct, frozen=True):
    """A sheet as it is now."""

    version: int
    sheet: SheetForm


class SheetInvitation(Struct, frozen=True):
    """How others come to see a sheet."""

    link: str
    qr: Annotated[QrForm | None, Meta(description="The link; null where it helps nobody.")]
    warning: Annotated[str, Meta(description="Why others cannot come this way, or empty.")]


class _Kept(Struct, frozen=True):
    """A version in the log."""

    key_hash: str
    sheet: SheetForm


class _Known(Struct, frozen=True):
    """The latest version that this process knows."""

    version: int
    kept: _Kept


class SheetRoutes:
    """Shares sheets, shows them, and lets those with the key change them."""

    def __init__(self, settings: Settings, guard: Guard, services: Services) -> None:
        self._settings = settings
        self._guard = guard
        self._services = services
        self._known: OrderedDict[str, _Known] = OrderedDict()

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (
            Operation(
                method="POST",
                path="/api/sheets",
                handle=self._share,
                summary="Share a score sheet.",
                body=Body(kind=NewSheet),
                answer=SharedSheet,
                status=201,
                errors=(403, 413, 415, 422),
            ),
            Operation(
                method="GET",
                path="/api/sheets/{id}",
                handle=self._show,
                summary="A shared score sheet; nothing (204) if it has not changed.",
                answer=LiveSheet,
                errors=(404,),
                query={"after": "The version that is known already."},
            ),
            Operation(
                method="PUT",
                path="/api/sheets/{id}",
                handle=self._change,
                summary="Change a shared score sheet.",
                body=Body(kind=ChangedSheet),
                answer=SheetVersion,
                errors=(403, 404, 409, 413, 415, 422),
            ),
            Operation(
                method="GET",
                path="/api/sheets/{id}/invitation",
                handle=self._invite,
                summary="The link under which others see the sheet, and its QR code.",
                answer=SheetInvitation,
                errors=(404,),
            ),
        )

    async def _share(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        self._guard.check_origin(request)
        wanted = await read_json(request, NewSheet, MOST_BODY)
        _check(wanted.sheet, request)
        self._guard.limit_creation(request)
        sheet_id = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        key = secrets.token_urlsafe(KEY_BYTES)
        kept = _Kept(_hashed(key), wanted.sheet)
        version = await self._append(sheet_id, 0, kept)
        return json_response(SharedSheet(sheet_id, key, version), 201)

    async def _show(self, request: Request) -> Response:
        _, known = await self._find(request)
        if request.query_params.get("after") == str(known.version):
            return Response(status_code=204)
        return json_response(LiveSheet(known.version, known.kept.sheet))

    async def _change(self, request: Request) -> Response:
        self._guard.check_origin(request)
        sheet_id, known = await self._find(request)
        wanted = await read_json(request, ChangedSheet, MOST_BODY)
        _check(wanted.sheet, request)
        if not hmac.compare_digest(known.kept.key_hash, _hashed(wanted.key)):
            self._guard.guesses(request).take()
            raise _sheet_problem(403, "wrong_key", request)
        if known.version >= MOST_VERSIONS:
            raise _sheet_problem(403, "too_often", request)
        if wanted.version != known.version:
            raise _sheet_problem(409, "moved_on", request)
        kept = _Kept(known.kept.key_hash, wanted.sheet)
        try:
            version = await self._append(sheet_id, wanted.version, kept)
        except ConflictError as error:
            raise _sheet_problem(409, "moved_on", request) from error
        return json_response(SheetVersion(version))

    async def _invite(self, request: Request) -> Response:
        sheet_id, _ = await self._find(request)
        found = reach_of(request, self._settings)
        link = f"{found.base}/scores/live/{sheet_id}"
        qr = None if found.trouble else qr_form(link)
        return json_response(SheetInvitation(link, qr, warning_of(found, request)))

    async def _find(self, request: Request) -> tuple[str, _Known]:
        """The sheet in the address as it is now. Who guesses names is slowed down."""
        self._guard.limit_requests(request)
        guesses = self._guard.guesses(request)
        sheet_id: str = request.path_params["id"]
        known = None
        if is_game_id(sheet_id):  # they look alike
            known = await self._latest(sheet_id)
        if known is None:
            guesses.take()
            raise _sheet_problem(404, "no_sheet", request)
        return sheet_id, known

    async def _latest(self, sheet_id: str) -> _Known | None:
        known = self._known.get(sheet_id)
        after = known.version if known else 0
        steps = await self._services.store.read(_name(sheet_id), after)
        if steps:
            kept = msgspec.json.decode(steps[-1].step.events, type=_Kept)
            known = self._remember(sheet_id, _Known(steps[-1].version, kept))
        return known

    async def _append(self, sheet_id: str, expected: int, kept: _Kept) -> int:
        step = Step(now(), msgspec.json.encode(kept).decode())
        listing = Listing(stage="sheet", public=False, due=None, about="{}", owners=())
        version = await self._services.store.append(_name(sheet_id), expected, step, listing)
        self._remember(sheet_id, _Known(version, kept))
        return version

    def _remember(self, sheet_id: str, known: _Known) -> _Known:
        before = self._known.get(sheet_id)
        if before is None or before.version < known.version:
            self._known[sheet_id] = known
        self._known.move_to_end(sheet_id)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return known


def _check(sheet: SheetForm, request: Request) -> None:
    """Refuse what types cannot: seats that are not there, and names that are none."""
    seats = len(sheet.players)
    fits = sheet.dealer < seats and all(
        len(hand.entries) == seats and (hand.out is None or hand.out < seats)
        for hand in sheet.hands
    )
    if not (fits and _is_playable(sheet) and all(map(is_visible, sheet.players))):
        raise table_problem(422, "malformed", request)


def _is_playable(sheet: SheetForm) -> bool:
    try:
        Rules(edition(sheet.edition), parse_variant(sheet.variant))
    except OptionError:
        return False
    return True


def _name(sheet_id: str) -> str:
    """What the sheet is called in the log; no table has such a name."""
    return f"sheet-{sheet_id}"


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _sheet_problem(status: int, reason: str, connection: HTTPConnection) -> ProblemError:
    sentence = language_of(connection).say(f"web_scores.problem.{reason}")
    return ProblemError(status, Problem(reason, sentence))
