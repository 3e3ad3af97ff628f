"""Several nodes on one machine, on one port, with PostgreSQL behind them: ``phaseten serve --nodes 4``."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Final

from phaseten.server.logs import log, set_up_logs
from phaseten.server.serving import GRACE_SECONDS, serve
from phaseten.server.settings import Settings
from phaseten.server.socket.doorman import Doorman, make_doormen

PAUSE_SECONDS: Final = 1.0
"""Before a node that has ended is started again."""

_FRESH: Final = multiprocessing.get_context("spawn")


def serve_nodes(settings: Settings, listening: socket.socket, proxies: str, nodes: int) -> None:
    """Serve until this process is told to end; of several nodes, those that end before are replaced."""
    if nodes == 1:
        serve(settings, listening, proxies)
        return
    set_up_logs()
    with tempfile.TemporaryDirectory(prefix="phaseten-") as folder:
        crew = _Crew(settings, listening, proxies, make_doormen(Path(folder), nodes))
        previous = {one: signal.signal(one, crew.end) for one in (signal.SIGTERM, signal.SIGINT)}
        try:
            crew.watch()
        finally:
            for one, handler in previous.items():
                signal.signal(one, handler)


class _Crew:
    """The processes of the nodes."""

    def __init__(
        self,
        settings: Settings,
        listening: socket.socket,
        proxies: str,
        doormen: Sequence[Doorman],
    ) -> None:
        self._parts = (settings, listening, proxies)
        self._doormen = doormen
        self._is_over = False
        # Nobody writes to it: nodes see that it is closed when this process is gone, however it ended.
        self._life, self._held = _FRESH.Pipe(duplex=False)

    def end(self, _number: int, _frame: FrameType | None) -> None:
        """Let every node finish what was begun."""
        self._is_over = True

    def watch(self) -> None:
        """Keep the nodes running until it is over."""
        running = [self._start(doorman) for doorman in self._doormen]
        try:
            while not self._is_over:
                wait([process.sentinel for process in running], PAUSE_SECONDS / 4)
                for number, process in enumerate(running):
                    if not self._is_over and process.exitcode is not None:
                        log.error(
                            "failed", extra={"what": "node", "why": f"exit {process.exitcode}"}
                        )
                        time.sleep(PAUSE_SECONDS)
                        running[number] = self._start(self._doormen[number])
        finally:
            self._held.close()
            for process in running:
                process.terminate()
            for process in running:
                process.join(2 * GRACE_SECONDS)

    def _start(self, doorman: Doorman) -> Any:
        process = _FRESH.Process(target=_run, args=(*self._parts, doorman, self._life))
        process.start()
        return process


def _run(
    settings: Settings,
    listening: socket.socket,
    proxies: str,
    doorman: Doorman,
    life: Connection,
) -> None:
    """One node, in a process of its own."""

    def follow() -> None:
        wait([life])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=follow, daemon=True).start()
    serve(settings, listening, proxies, doorman=doorman)
