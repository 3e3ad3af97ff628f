"""Logs say what and where, and never what was in the cards."""

import json
import logging
import sys

from phaseten.server.logs import JsonLines, where


def logged(**extra: object) -> dict[str, object]:
    try:
        raise ValueError("the seed is 1234, the card is R7")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), sys.exc_info())
    record.__dict__.update(extra)
    return json.loads(JsonLines().format(record))


def test_an_exception_is_logged_without_its_text() -> None:
    line = logged()
    assert line["level"] == "error"
    assert line["message"] == "failed"
    assert str(line["why"]).startswith("ValueError in logged, line ")
    assert "R7" not in json.dumps(line)


def test_only_known_fields_are_logged() -> None:
    line = logged(what="store", table="SECRETCODE")
    assert line["what"] == "store"
    assert "SECRETCODE" not in json.dumps(line)


def test_where_without_a_trace() -> None:
    assert where(KeyError("R7")) == "KeyError"
