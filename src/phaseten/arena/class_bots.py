"""A bot that is a Python class of somebody else's.

It plays inside our process, so it is kept from doing harm by mistake, not from doing it on purpose:
strangers send a program.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import phaseten
from phaseten.arena.bot_logs import append_log
from phaseten.arena.faults import CRASHED, LATE, NONSENSE, EntrantError, FaultError
from phaseten.arena.time_limits import LateError, TimeLimits, interrupt_after
from phaseten.notation.moves import MoveSyntaxError, format_action, parse_action
from phaseten.rules.actions import Action
from phaseten.rules.views import View

_OURS: Final = Path(phaseten.__file__).parent


class ClassBot:
    """Plays by asking an object of somebody's class, which may fail."""

    def __init__(
        self,
        name: str,
        kind: Callable[..., Any],
        seed: int,
        limits: TimeLimits,
        log: Path | None = None,
    ) -> None:
        self.name = name
        self._log = log
        self._limits = limits
        self._bot: Any = None
        self._fault: FaultError | None = None
        try:
            self._bot = construct(kind, seed)
        except EntrantError as error:
            self._fault = FaultError(CRASHED, str(error))
            self._keep(error)

    def choose(self, view: View) -> Action:
        """The choice of the object; a FaultError when it makes none, or not in time."""
        if self._fault is not None:
            raise self._fault
        start = time.monotonic()
        try:
            with interrupt_after(self._limits.move):
                action = self._bot.choose(view)
        except LateError:
            action = None
        except (Exception, SystemExit) as error:
            self._keep(error)
            raise FaultError(CRASHED, f"choose raised {_describe(error)}") from error
        if time.monotonic() - start > self._limits.move:
            raise FaultError(LATE, f"no answer within {self._limits.move:g} s")
        return _clean(action)

    def _keep(self, error: BaseException) -> None:
        """Add the traceback to the log."""
        if self._log is not None:
            append_log(self._log, "".join(traceback.format_exception(error)).encode())


def _describe(error: BaseException) -> str:
    """What was raised, and by which line of the bot."""
    reason = f"{type(error).__name__}: {error}"[:200]
    if isinstance(error, SyntaxError):  # which says itself where it is
        return reason
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not Path(frame.filename).is_relative_to(_OURS)]
    theirs = [frame for frame in theirs if not frame.filename.startswith("<")]
    if not theirs:
        return reason
    return f"{reason} ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})"


def _clean(action: object) -> Action:
    """The action, made of nothing but what actions are made of."""
    if not isinstance(action, Action):
        raise FaultError(NONSENSE, f"choose returned {repr(action)[:60]}, which is not an action")
    try:
        return parse_action(format_action(action))
    except (MoveSyntaxError, AttributeError, TypeError, ValueError) as error:
        raise FaultError(NONSENSE, f"choose returned a broken action: {error}") from error


def find_class(path: str) -> Callable[..., Any]:
    """The class at that import path, such as ``mybots:Nora``."""
    module, _, name = path.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:  # the command does not look in the current folder by itself
        sys.path.insert(0, here)
    try:
        found: object = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        raise EntrantError(
            f"there is no module {error.name} for {path}: start in its folder, or install it"
        ) from error
    except AttributeError as error:
        raise EntrantError(f"the module {module} has no {name}") from error
    except Exception as error:
        raise EntrantError(f"{module} cannot be imported: {_describe(error)}") from error
    if not callable(found) or not callable(getattr(found, "choose", None)):
        raise EntrantError(
            f"{path} is not a bot: a class with a method choose(self, view) is needed"
        )
    return found


def construct(kind: Callable[..., Any], seed: int) -> Any:
    """An object of the class, with the seed if it takes one."""
    try:
        takes_seed = "seed" in inspect.signature(kind).parameters
        return kind(seed=seed) if takes_seed else kind()
    except Exception as error:
        name = getattr(kind, "__name__", repr(kind))
        raise EntrantError(f"{name} cannot be made: {_describe(error)}") from error
