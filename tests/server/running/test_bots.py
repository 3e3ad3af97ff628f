"""Bots think elsewhere, and end with the server."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from phaseten.game import Game
from phaseten.rules.views import legal_actions
from phaseten.server.running.bots import Thinkers, ThinkingError
from tests.server.service import SOURCE

STRANDED = """
import asyncio
from phaseten.game import Game
from phaseten.server.running.bots import Thinkers

async def main():
    thinkers = Thinkers(1)
    await thinkers.choose("rookie", Game("classic").view())
    print(thinkers._movers.idle.queue[0].process.pid, flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_bots_choose_something_legal() -> None:
    async def main() -> None:
        thinkers = Thinkers(2)
        view = Game("classic", ["Ana", "Beto", "Cleo"], seed=1).view()
        levels = ("rookie", "casual", "sharp", "master")
        chosen = await asyncio.gather(*[thinkers.choose(level, view) for level in levels])
        assert all(action in legal_actions(view) for action in chosen)
        assert thinkers.waiting == 0
        await thinkers.close()

    asyncio.run(main())


def test_a_bot_that_fails_says_so_and_tells_nothing() -> None:
    async def main() -> None:
        thinkers = Thinkers(1)
        view = Game("classic", seed=1).view()
        with pytest.raises(ThinkingError, match=r"^the bot clever failed: ValueError$"):
            await thinkers.choose("clever", view)
        assert await thinkers.choose("rookie", view)
        await thinkers.close()

    asyncio.run(main())


def test_a_worker_that_was_killed_is_replaced() -> None:
    async def main() -> None:
        thinkers = Thinkers(1)
        view = Game("classic", seed=1).view()
        await thinkers.choose("rookie", view)
        worker = thinkers._movers.idle.queue[0]
        assert worker is not None
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.join()
        with pytest.raises(ThinkingError):
            await thinkers.choose("rookie", view)
        assert await thinkers.choose("rookie", view)
        await thinkers.close()

    asyncio.run(main())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_nobody_is_left_behind_when_the_server_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "stranded.py"
    script.write_text(STRANDED)
    environ = os.environ | {"PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=environ, text=True
    ) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert is_running(worker)
        server.kill()
    for _ in range(100):
        if not is_running(worker):
            return
        time.sleep(0.05)
    pytest.fail("the worker goes on")


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
