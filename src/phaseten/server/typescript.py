"""The messages as TypeScript, for the browser client: ``python -m phaseten.server.typescript``.

Made from the message types themselves, so that client and server cannot drift apart.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from msgspec import UnsetType

from phaseten.notation.codec import SEEN, ActionData, EventData, MeldData
from phaseten.rules.melds import Meld
from phaseten.server.app import Server
from phaseten.server.settings import Settings
from phaseten.server.socket.descriptions import describe, find_parts
from phaseten.server.socket.messages import PROTOCOL, Outgoing
from phaseten.server.socket.requests import RequestForm
from phaseten.table.events import Open, OpenEvent

FILE: Final = Path("web/src/protocol.ts")

_PLAIN: Final = {int: "number", float: "number", str: "string", bool: "boolean"}
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
            f"export const PROTOCOL = {PROTOCOL};\n",
            *[_interface(kind) for _, kind in sorted(wanted.items())],
            *unions,
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
    if hint is Meld:
        return MeldData.__name__
    if hint is type(None):
        return "null"
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
