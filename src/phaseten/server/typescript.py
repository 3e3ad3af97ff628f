"""The messages as TypeScript, for the browser client: ``python -m phaseten.server.typescript``.

Made from the message types themselves, so that client and server cannot drift apart.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, UnsetType, structs

from phaseten.server.app import Server
from phaseten.server.settings import Settings
from phaseten.server.socket.messages import PROTOCOL, SEEN, ActionForm, Outgoing, Requested
from phaseten.table.events import Open, OpenEvent

FILE: Final = Path("web/src/protocol.ts")

_PLAIN: Final = {int: "number", float: "number", str: "string", bool: "boolean"}
_UNIONS: Final = {
    "Action": get_args(ActionForm),
    "Request": get_args(Requested),
    "Message": get_args(Outgoing),
    "TableEvent": get_args(OpenEvent),
    "GameEvent": SEEN.types,
}


def module() -> str:
    """The whole file."""
    wanted: dict[str, type[Struct]] = {}
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
            "export type Event = TableEvent | GameEvent;\n",
        ]
    )


def _of_http() -> Iterator[type[Struct]]:
    """What is sent and answered over HTTP."""
    for operation in Server(Settings(database="")).operations:
        yield from _parts(operation.answer)
        if operation.body is not None:
            yield from _parts(operation.body.kind)


def _collect(kind: type[Struct], wanted: dict[str, type[Struct]]) -> None:
    """Add the type and all that it is made of."""
    if kind.__name__ in wanted:
        return
    wanted[kind.__name__] = kind
    for hint in get_type_hints(kind, include_extras=True).values():
        for part in _parts(hint):
            if part is not Open:
                _collect(part, wanted)


def _parts(hint: Any) -> Iterator[type[Struct]]:
    """The message types in a type."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _interface(kind: type[Struct]) -> str:
    config = kind.__struct_config__
    hints = get_type_hints(kind, include_extras=True)
    lines = [f"/** {' '.join(inspect.cleandoc(kind.__doc__ or '').split())} */"]
    lines.append(f"export interface {kind.__name__} {{")
    if config.tag_field is not None:
        lines.append(f'  {config.tag_field}: "{config.tag}";')
    for field in structs.fields(kind):
        mark = "" if field.default is NODEFAULT and field.default_factory is NODEFAULT else "?"
        if not _may_be_missing(kind, hints[field.name]):
            mark = ""
        lines.append(f"  {field.encode_name}{mark}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}\n"])


def _may_be_missing(kind: type[Struct], hint: Any) -> bool:
    """What a client sends may leave out defaults; what the server says has every field but an UNSET one."""
    if kind.__struct_config__.omit_defaults:
        return True
    return any(part is UnsetType for part in get_args(hint)) or any(
        _may_be_missing(kind, part) for part in get_args(hint) if get_origin(hint) is Annotated
    )


def _type(hint: Any) -> str:
    """A type in TypeScript."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _type(get_args(hint)[0])
    if hint == ActionForm:
        return "Action"
    if hint is Open:
        return "Event"
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
