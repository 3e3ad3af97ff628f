"""Structured logs: one JSON object a line, and in it nothing but fields that are known to be harmless.

Neither a message of an exception nor a value of the game is ever logged; codes of tables are not
either, because a code lets one in. A mark tells the tables apart in the logs.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sys
import threading
from datetime import UTC, datetime
from typing import Final

log: Final = logging.getLogger("phaseten.server")

_TRUSTED: Final = ("phaseten", "uvicorn")
_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z ,'-]*")
_FIELDS: Final = ("what", "why", "address", "mark")

MARK_LETTERS: Final = 5
"""20 bits of a code's 40: who has the logs still has to guess a million codes for one that exists."""


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": _message(record),
        }
        line |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[1] is not None:
            line["why"] = where(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """What is said; of what libraries say no more than the first words, because they write out values."""
    text = record.getMessage()
    if record.name.partition(".")[0] in _TRUSTED:
        return text
    words = _WORDS.match(text)
    return f"{record.name}: {words[0].strip() if words else ''}"


def set_up_logs() -> None:
    """Log to standard error, all in the same form; of libraries only what goes wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    threading.excepthook = lambda args: _log_unhandled("thread", args.exc_value)
    sys.unraisablehook = lambda args: _log_unhandled("clean-up", args.exc_value)
    for name, level in (("phaseten", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.propagate = False
        logger.setLevel(level)


def _log_unhandled(what: str, error: BaseException | None) -> None:
    """Python itself would write a traceback, with the error's text."""
    if error is not None:
        log.error("failed", extra={"what": what, "why": where(error)})


def where(error: BaseException) -> str:
    """What went wrong and where, the innermost frame first.

    Without the error's own text and without any value: those could tell cards.
    """
    frames: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}")
        trace = trace.tb_next
    return " in ".join([type(error).__name__, *reversed(frames)])


def mark_of(code: str) -> str:
    """What logs call a table: always the same for one code, and not enough to find the code."""
    return hashlib.sha256(code.encode()).hexdigest()[:MARK_LETTERS]
