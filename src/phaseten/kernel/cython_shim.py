"""Stands in for the ``cython`` module where a kernel that was not compiled runs without Cython.

The compiled modules are Python with declarations for the compiler. Uncompiled, the declarations
mean nothing: types are placeholders, decorators return what they are given.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self, TypeVar

Thing = TypeVar("Thing")

compiled: Final = False


class _Type:
    """A type of C, whose arrays and views are types too: ``uchar[8]``, ``int[::1]``."""

    def __init__(self, convert: Callable[[Any], Any]) -> None:
        self.convert = convert

    def __getitem__(self, _: object) -> Self:
        return self


class _Nogil:
    """The decorator ``@nogil`` and the block ``with nogil:``."""

    def __call__(self, function: Thing) -> Thing:
        return function

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


nogil: Final = _Nogil()

_whole = _Type(int)
_real = _Type(float)
_pointer = _Type(lambda value: value)

uchar = short = uint = longlong = ulonglong = Py_ssize_t = bint = _whole
double = _real
void = _Type(lambda _: None)
p_uchar = p_uint = p_short = p_int = p_float = p_double = p_longlong = p_ulonglong = _pointer
int = _whole  # noqa: A001 - as Cython calls it
float = _real  # noqa: A001


def cfunc(function: Thing) -> Thing:
    """A function of C."""
    return function


inline = cclass = final = cfunc


def exceptval(*_: object, **__: object) -> Callable[[Thing], Thing]:
    """How a function of C says that something was raised."""
    return cfunc


def declare(_: object, value: Any = None, **__: object) -> Any:
    """A variable of C: its first value."""
    return value


def cast(kind: _Type, value: Any) -> Any:
    """The value as that type."""
    return kind.convert(value)
