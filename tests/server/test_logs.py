"""Logs say what and where, and never what was in the cards."""

import json
import logging
from types import TracebackType

import pytest

from phaseten.rules.cards import parse_card
from phaseten.server.logs import JsonLines, where


def logged(**extra: object) -> dict[str, object]:
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), failure())
    record.__dict__.update(extra)
    return json.loads(JsonLines().format(record))


def failure() -> tuple[type[BaseException], BaseException, TracebackType | None]:
    with pytest.raises(ValueError, match="R7") as caught:
        parse_card("R7, and the seed is 1234")
    return caught.type, caught.value, caught.tb


def test_an_exception_is_logged_without_its_text() -> None:
    line = logged()
    assert line["level"] == "error"
    assert line["message"] == "failed"
    assert str(line["why"]).startswith("CardSyntaxError in parse_card, line ")
    assert "R7" not in json.dumps(line)


def test_only_known_fields_are_logged() -> None:
    line = logged(what="store", table="SECRETCODE")
    assert line["what"] == "store"
    assert "SECRETCODE" not in json.dumps(line)


def test_where_without_a_trace() -> None:
    assert where(KeyError("R7")) == "KeyError"
