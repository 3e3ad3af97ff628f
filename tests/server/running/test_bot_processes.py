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
from phaseten.server.running import bot_processes
from phaseten.server.running.bot_processes import MASTER_SECONDS, BotFailedError, BotProcesses
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
        with pytest.raises(
            BotFailedError, match=r"^the bot clever failed: ValueError( in \w+, line \d+)+$"
        ):
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


def pid_of(bots: BotProcesses) -> int:
    worker = bots._movers.idle.queue[0]
    assert worker is not None
    assert worker.process.pid is not None
    return worker.process.pid


def test_people_are_asked_before_bots_among_themselves_and_the_quick_before_the_slow() -> None:
    async def main() -> None:
        bots = BotProcesses(1)
        view = Game("classic", seed=1).view()
        await bots.choose("rookie", view)
        stopped = pid_of(bots)
        order: list[str] = []

        async def ask(name: str, level: str, *, is_alone: bool) -> None:
            await bots.choose(level, view, is_alone=is_alone)
            order.append(name)

        os.kill(stopped, signal.SIGSTOP)
        asked = [
            ("first", "rookie", False),
            ("bots' master", "master", True),
            ("bots' rookie", "rookie", True),
            ("people's master", "master", False),
            ("people's rookie", "rookie", False),
        ]
        tasks = [asyncio.create_task(ask(*one[:2], is_alone=one[2])) for one in asked]
        while bots.waiting < len(asked):
            await asyncio.sleep(0.01)
        os.kill(stopped, signal.SIGCONT)
        await asyncio.gather(*tasks)
        first, *rest = [one[0] for one in asked]
        assert order == [first, *rest[::-1]]
        await bots.close()

    asyncio.run(main())


def test_the_master_thinks_less_where_many_wait_and_who_gave_up_waits_no_more() -> None:
    async def main() -> None:
        bots = BotProcesses(1)
        view = Game("classic", seed=1).view()
        await bots.choose("rookie", view)
        assert bots._movers._seconds == MASTER_SECONDS
        stopped = pid_of(bots)
        os.kill(stopped, signal.SIGSTOP)
        tasks = [asyncio.create_task(bots.choose("master", view)) for _ in range(20)]
        while bots.waiting < 20:
            await asyncio.sleep(0.01)
        assert bots._movers._seconds == MASTER_SECONDS / 20
        for task in tasks[10:]:
            task.cancel()
        await asyncio.gather(*tasks[10:], return_exceptions=True)
        os.kill(stopped, signal.SIGCONT)
        assert all([await task for task in tasks[:10]])
        assert (bots.waiting, bots._movers._free) == (0, 1)
        await bots.close()

    asyncio.run(main())


def test_a_worker_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        bots = BotProcesses(1)
        view = Game("classic", seed=1).view()
        await bots.choose("rookie", view)
        os.kill(pid_of(bots), signal.SIGSTOP)
        monkeypatch.setattr(bot_processes, "LONGEST", 0.2)
        with pytest.raises(BotFailedError, match="too long"):
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
