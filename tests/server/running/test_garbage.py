"""Garbage is looked for seldom, and when little is going on."""

import gc
import weakref
from collections.abc import Callable, Generator

import pytest

from phaseten.server.running.garbage import LATEST, SOONEST, Garbage


class Machine:
    """A clock, and how much of its time this process uses."""

    def __init__(self) -> None:
        self.now = 100.0
        self.used = 5.0
        self.look_takes = 0.0

    def pass_time(self, seconds: float, share: float = 0.0) -> None:
        self.now += seconds
        self.used += seconds * share


class Knot:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.held = self


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def garbage(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Generator[Garbage]:
    """With nobody else who looks."""
    collect: Callable[[], int] = gc.collect

    def look() -> int:
        machine.pass_time(machine.look_takes, 1.0)
        return collect()

    monkeypatch.setattr(gc, "collect", look)
    was_enabled = gc.isenabled()
    gc.disable()
    yield Garbage(lambda: machine.now, lambda: machine.used)
    if was_enabled:
        gc.enable()


def is_found_by(garbage: Garbage) -> bool:
    """Whether something that only holds itself goes when it sweeps."""
    knot = weakref.ref(Knot())
    assert knot() is not None
    garbage.sweep()
    return knot() is None


def test_it_is_found_when_little_is_going_on(machine: Machine, garbage: Garbage) -> None:
    machine.pass_time(SOONEST, 0.01)
    assert is_found_by(garbage)


def test_nobody_looks_again_at_once(machine: Machine, garbage: Garbage) -> None:
    machine.pass_time(SOONEST, 0.01)
    assert is_found_by(garbage)
    machine.pass_time(SOONEST / 2, 0.01)
    assert not is_found_by(garbage)
    machine.pass_time(SOONEST / 2, 0.01)
    assert is_found_by(garbage)


def test_while_much_is_going_on_nobody_is_stopped_for_it(
    machine: Machine, garbage: Garbage
) -> None:
    machine.pass_time(SOONEST * 2, 0.9)
    assert not is_found_by(garbage)
    machine.pass_time(1.0, 0.05)
    assert is_found_by(garbage)


def test_who_never_rests_is_stopped_once_an_hour(machine: Machine, garbage: Garbage) -> None:
    machine.pass_time(LATEST - 1, 0.9)
    assert not is_found_by(garbage)
    machine.pass_time(1, 0.9)
    assert is_found_by(garbage)


def test_where_a_look_takes_long_it_is_taken_less_often(machine: Machine, garbage: Garbage) -> None:
    machine.look_takes = 0.5
    machine.pass_time(SOONEST, 0.01)
    assert is_found_by(garbage)
    machine.pass_time(499, 0.01)
    assert not is_found_by(garbage)
    machine.pass_time(1, 0.01)
    assert is_found_by(garbage)
