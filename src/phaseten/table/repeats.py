"""Requests that come again, because nobody knew what had become of them: what is done is not done twice."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from phaseten.table.commands import Command
from phaseten.table.decisions import Decision, TableRefusal, decide
from phaseten.table.events import RequestDone
from phaseten.table.state import Table

ALREADY_DONE: Final = TableRefusal("already-done")
"""For a request that came again: nobody has to be told more than that it is done."""


def decide_once(table: Table, owner: str, command: Command, mark: int | None) -> Decision:
    """What follows from a request that may be sent again; ALREADY_DONE, where it was done before."""
    if mark is None:
        return decide(table, owner, command)
    if mark in table.done:
        return ALREADY_DONE
    decision = decide(table, owner, command)
    return (*decision, RequestDone(mark)) if isinstance(decision, tuple) else decision


def request_mark(owner: str, number: int, at: int) -> int:
    """By what a request is known when it comes again: of the same guest, with the same number and version."""
    return int.from_bytes(sha256(f"{owner} {number} {at}".encode()).digest()[:6])
