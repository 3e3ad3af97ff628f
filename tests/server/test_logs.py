"""Logs say what and where, and never what was in the cards."""

import json
import logging
import subprocess
import sys
from types import TracebackType

import pytest

from phaseten.rules.cards import parse_card
from phaseten.server.logs import JsonLines, where


def logged(**extra: object) -> dict[str, object]:
    record = logging.LogRecord("phaseten.server", logging.ERROR, "f", 1, "failed", (), failure())
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


UNHANDLED = """
import asyncio, gc, logging, threading, warnings
from phaseten.server.logs import set_up_logs

class Leaky:
    def __del__(self):
        raise ValueError("R7")

async def fail():
    raise ValueError("R7")

async def main():
    asyncio.create_task(fail())
    asyncio.get_running_loop().call_soon(int, "R7")
    await asyncio.sleep(0.1)
    gc.collect()

set_up_logs()
asyncio.run(main())
warnings.warn("the card is R7")
logging.getLogger("asyncpg").error("the row is %r", ("R7",))
thread = threading.Thread(target=int, args=("R7",))
thread.start()
thread.join()
Leaky()
"""


def test_what_libraries_and_python_itself_report_is_json_and_tells_no_value() -> None:
    done = subprocess.run(
        [sys.executable, "-c", UNHANDLED], capture_output=True, text=True, check=True
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["message"] for line in lines] == [
        "asyncio: Task exception was never retrieved",
        "asyncio: Exception in callback int",
        "py.warnings: ",
        "asyncpg: the row is",
        "failed",
        "failed",
    ]
    whys = [str(line.get("why")) for line in lines]
    assert [why.split(" in ")[0] for why in whys] == [
        *["ValueError"] * 2,
        *["None"] * 2,
        *["ValueError"] * 2,
    ]
    assert "R7" not in done.stderr
