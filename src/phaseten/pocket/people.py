"""Those who sit around one device: each of them is told what a client of their own would be told."""

from __future__ import annotations

from phaseten.language import Language
from phaseten.server.running.subscribers import Known
from phaseten.table.viewers import NO_SEATS


class Person:
    """Somebody at the device, and the messages that wait to be shown."""

    def __init__(self, owner: str, language: Language) -> None:
        self.owner = owner
        self.language = language
        self.muted = NO_SEATS
        self.known: Known | None = None
        self.knows_past = False
        """Whether that one was told what happened before."""
        self._messages: list[bytes] = []

    def send(self, data: bytes) -> None:
        """Have it shown, once what happened before is kept."""
        self._messages.append(data)

    def dismiss(self, data: bytes, *, for_good: bool) -> None:
        """Nobody at the device is shut out; that one is told all the same."""
        del for_good
        self.send(data)

    def take_messages(self) -> list[bytes]:
        """What is to be shown now, in order."""
        found, self._messages = self._messages, []
        return found
