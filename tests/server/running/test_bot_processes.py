"""Bots think elsewhere, and end with the server."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from phaseten.game import Game
from phaseten.rules.views import legal_actions
from phaseten.server.running.bot_processes import BotFailedError, BotProcesses
from tests.patience import wait_until
from tests.server.service import SOURCE

STRANDED = """
import asyncio
from phaseten.game import Game
from phaseten.server.running.bot_processes import BotProcesses

async def main():
    bots = BotProcesses(1)
    await bots.choose("rookie", Game("classic").view())
    print(bots._movers.idle.queue[0].process.pid, flush=True)
    await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_bots_choose_something_legal() -> None:
    async def main() -> None:
        bots = BotProcesses(2)
        view = Game("classic", ["Ana", "Beto", "Cleo"], seed=1).view()
        levels = ("rookie", "casual", "sharp", "master")
        chosen = await asyncio.gather(*[bots.choose(level, view) for level in levels])
        assert all(action in legal_actions(view) for action in chosen)
        assert bots.waiting == 0
        await bots.close()

    asyncio.run(main())


def test_a_bot_that_fails_says_so_and_tells_nothing() -> None:
    async def main() -> None:
        bots = BotProcesses(1)
        view = Game("classic", seed=1).view()
        with pytest.raises(BotFailedError, match=r"^the bot clever failed: ValueError$"):
            await bots.choose("clever", view)
        assert await bots.choose("rookie", view)
        await bots.close()

    asyncio.run(main())


def test_a_worker_that_was_killed_is_replaced() -> None:
    async def main() -> None:
        bots = BotProcesses(1)
        view = Game("classic", seed=1).view()
        await bots.choose("rookie", view)
        worker = bots._movers.idle.queue[0]
        assert worker is not None
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.join()
        with pytest.raises(BotFailedError):
            await bots.choose("rookie", view)
        assert await bots.choose("rookie", view)
        await bots.close()

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
    wait_until(lambda: not is_running(worker), "the end of the worker")


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
