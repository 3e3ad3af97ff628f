"""The messages as TypeScript, for the browser client: ``python -m phaseten.server.typescript``.

Made from the message types themselves, so that client and server cannot drift apart: the types, and how a
change is folded into what was told before.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from msgspec import UnsetType

from phaseten.bots.ladder import LADDER
from phaseten.notation.codec import ACTION_NAMES, SEEN, ActionData, EventData, MeldData
from phaseten.rules.editions import HOUSE_RULES
from phaseten.rules.melds import Meld
from phaseten.server.app import Server
from phaseten.server.running.reminders import LONG_TURN
from phaseten.server.settings import Settings
from phaseten.server.socket.descriptions import describe, find_parts
from phaseten.server.socket.messages import PROTOCOL, Change, Changed, Outgoing, Update
from phaseten.server.socket.requests import RequestForm
from phaseten.table.coaching import LEAST_REMARK
from phaseten.table.events import Open, OpenEvent
from phaseten.table.names import MOST_NAME
from phaseten.table.state import MOST_LAYS
from phaseten.table.talk import MOST_SAID

CONSTANTS: Final[dict[str, tuple[str, int | tuple[str, ...]]]] = {
    "PROTOCOL": ("The version of the protocol.", PROTOCOL),
    "ACTIONS": ("What can be done in the game.", tuple(sorted(ACTION_NAMES))),
    "LEVELS": ("The levels of bots, the weakest first.", LADDER),
    "HOUSE_RULES": ("The names of the house rules.", HOUSE_RULES),
    "MOST_NAME": ("Characters of a name.", MOST_NAME),
    "MOST_SAID": ("Characters of what is said.", MOST_SAID),
    "LONG_TURN": ("Seconds for a turn with which people come and go between theirs.", LONG_TURN),
    "LEAST_REMARK": (
        "What a move must give away for the coach to say a word: percent of a game.",
        round(100 * LEAST_REMARK),
    ),
    "MOST_LAYS": ("Of the ways to lay a Phase, so many are listed at most.", MOST_LAYS),
}
"""What a client has to know before anybody tells it."""
FILE: Final = Path("web/src/protocol.ts")
FOLDING: Final = """\
/** A row in which some entries are others now: `less` of them, from `at` on, are replaced by `more`. */
export interface Splice<Entry> {
  at: number;
  less: number;
  more: readonly Entry[];
}

/** The fields that have changed; all others are as they were. */
export type Changed<Kind> = { [Name in keyof Kind]?: ChangedValue<Kind[Name]> };
type ChangedValue<Value> = Value extends readonly (infer Entry)[]
  ? Value | Splice<Entry>
  : Value extends object
    ? Changed<Value>
    : Value;

function foldRow<Entry>(
  before: readonly Entry[] | undefined,
  now: readonly Entry[] | Splice<Entry> | undefined,
): readonly Entry[] {
  if (!now) return before ?? [];
  if (!("more" in now)) return now;
  const { at, less, more } = now;
  return [...(before?.slice(0, at) ?? []), ...more, ...(before?.slice(at + less) ?? [])];
}
"""

_OF_ONE_MESSAGE: Final = frozenset(
    field.name for field in describe(Update).fields if field.may_lack
)
"""What an update can lack is nothing that stays."""
_PLAIN: Final = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    NoneType: "null",
    Meld: MeldData.__name__,
}
_UNIONS: Final[dict[str, tuple[type, ...]]] = {
    "Action": get_args(ActionData),
    "Asked": get_args(RequestForm),
    "Message": get_args(Outgoing),
    "TableEvent": get_args(OpenEvent),
    "GameEvent": SEEN.kinds,
}


def module() -> str:
    """The whole file."""
    wanted: dict[str, type] = {}
    for kind in (*(kind for kinds in _UNIONS.values() for kind in kinds), *_of_http()):
        _collect(kind, wanted)
    unions = [
        f"export type {name} =\n  | " + "\n  | ".join(kind.__name__ for kind in kinds) + ";\n"
        for name, kinds in _UNIONS.items()
    ]
    return "\n".join(
        [
            "// Made by `python -m phaseten.server.typescript` from the server's message types.\n",
            *[
                f"/** {about} */\nexport const {name} = {json.dumps(value)} as const;\n"
                for name, (about, value) in CONSTANTS.items()
            ],
            *[_interface(kind) for _, kind in sorted(wanted.items())],
            *unions,
            FOLDING,
            *_folds(),
            "export type Request = Asked | (Action & { at: number; id?: number });\n",
            "export type Event = TableEvent | GameEvent;\n",
        ]
    )


def _of_http() -> Iterator[type]:
    """What is sent and answered over HTTP."""
    for operation in Server(Settings(database="")).operations:
        yield from find_parts(operation.answer)
        if operation.body is not None:
            yield from find_parts(operation.body.kind)


def _folds() -> Iterator[str]:
    """How a change is folded: a function for each form that can come as its changed fields."""
    for kind in reversed(_changing(Change, {}).values()):
        name = kind.__name__
        rows = [
            f"    {field.name}: foldRow(before?.{field.name}, now.{field.name}),"
            for field in describe(kind).fields
            if get_origin(_bare(field.hint)) is tuple
        ]
        yield "\n".join(
            [
                f"function fold{name}(before: {name} | null, now: Changed<{name}>): {name} {{",
                "  return {\n    ...before,\n    ...now,",
                *[f"    {one}: {_fold(one, part)}," for one, part in _records(kind)],
                *rows,
                f"  }} as {name};\n}}\n",
            ]
        )
    records = dict(_records(Change))
    lines = [
        f"    {field.name}: "
        + (
            _fold(field.name, records[field.name])
            if field.name in records
            else f"now.{field.name} ?? before.{field.name}"
            if field.may_lack and field.name not in _OF_ONE_MESSAGE
            else f"now.{field.name}"
        )
        + ","
        for field in describe(Change).fields
    ]
    yield "\n".join(
        [
            "/** The update that says the same as the one before and a change. */",
            "export function fold(before: Update, now: Change): Update {",
            '  return {\n    type: "update",',
            *lines,
            "  };\n}\n",
        ]
    )


def _fold(name: str, kind: type) -> str:
    folded = f"fold{kind.__name__}(before?.{name} ?? null, now.{name})"
    return f"now.{name} === undefined ? before?.{name} : now.{name} && {folded}"


def _records(kind: type) -> Iterator[tuple[str, type]]:
    """The fields of a form that are forms themselves, and of which."""
    for field in describe(kind).fields:
        hint = _bare(field.hint)
        if get_origin(hint) is tuple or (kind is Change and field.name in _OF_ONE_MESSAGE):
            continue
        for part in (hint, *get_args(hint)):
            inner = get_args(part)[0] if get_origin(part) is Changed else part
            if inner is not NoneType and not get_origin(inner) and [*find_parts(inner)] == [inner]:
                yield field.name, inner


def _changing(kind: type, found: dict[str, type]) -> dict[str, type]:
    """The forms that can come as their changed fields, the outer ones first."""
    for _, inner in _records(kind):
        found[inner.__name__] = inner
        _changing(inner, found)
    return found


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _collect(kind: type, wanted: dict[str, type]) -> None:
    """Add the type and all that it is made of."""
    if kind.__name__ in wanted or kind is Open:
        return
    wanted[kind.__name__] = kind
    for field in describe(kind).fields:
        for part in find_parts(field.hint):
            _collect(part, wanted)


def _interface(kind: type) -> str:
    found = describe(kind)
    lines = [f"/** {found.about} */", f"export interface {found.name} {{"]
    if found.tag is not None:
        lines.append(f'  {found.tag[0]}: "{found.tag[1]}";')
    for field in found.fields:
        mark = "?" if field.may_lack else ""
        lines.append(f"  {field.name}{mark}: {_type(field.hint)};")
    return "\n".join([*lines, "}\n"])


def _type(hint: Any) -> str:
    """A type in TypeScript."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _type(get_args(hint)[0])
    if hint in (ActionData, dict[str, Any]):
        return "Action"
    if hint in (Open, EventData, Open | EventData):
        return "Event"
    if origin is Changed:
        return f"Changed<{_type(get_args(hint)[0])}>"
    if origin in (Union, types.UnionType):
        return " | ".join(_type(part) for part in get_args(hint) if part is not UnsetType)
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in get_args(hint))
    if origin is list:
        return f"readonly ({_type(get_args(hint)[0])})[]"
    if origin is dict:
        return f"{{ readonly [name: string]: {_type(get_args(hint)[1])} }}"
    if origin is tuple:
        parts = get_args(hint)
        if parts[-1] is Ellipsis:
            return f"readonly ({_type(parts[0])})[]"
        return f"readonly [{', '.join(_type(part) for part in parts)}]"
    return _PLAIN.get(hint) or hint.__name__


def main() -> int:
    """Write the file."""
    FILE.write_text(module(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
