"""Several nodes on one port: whoever comes is led to the node that has the table."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import asyncpg
from websockets.exceptions import InvalidStatus

from tests.patience import PATIENCE, wait_until
from tests.server.marathon import check_told, play_all, sit_down
from tests.server.service import FAST, PATH, Client, SecretService, open_table, run

NODES = 3


def children(process: int) -> list[int]:
    """The nodes, which are processes of that one."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    found = [int(child) for task in tasks for child in task.read_text().split()]
    names = {one: Path(f"/proc/{one}/cmdline").read_text() for one in found}
    return [one for one, name in names.items() if "resource_tracker" not in name]


def test_a_tables_people_meet_at_one_node_and_games_go_on_when_it_is_killed(
    new_database: Callable[[], str],
) -> None:
    database = new_database()
    with SecretService(database, "--nodes", str(NODES), *FAST) as service:

        async def main() -> None:
            options = {"edition": "express", "variant": "phases=2", "stand_in": "rookie"}
            tables = [await sit_down([service], 3, seats=3, **options) for _ in range(4)]
            codes = [players[0].client.code for players in tables]
            connection = await asyncpg.connect(database)
            rows = await connection.fetch("SELECT table_id, listeners FROM tables")
            await connection.close()
            listeners = {row["table_id"]: row["listeners"].split() for row in rows}
            assert [len(listeners[code]) for code in codes] == [1] * 4
            victim = children(service.pid)[0]
            os.kill(victim, signal.SIGKILL)
            await play_all(tables)
            for code, players in zip(codes, tables, strict=True):
                await check_told(database, code, {one.seat: one.client for one in players})

        run(main)
        wait_until(lambda: len(children(service.pid)) == NODES, "the lost node's return")
        nodes = children(service.pid)
        service.stop()
        assert not [one for one in nodes if Path(f"/proc/{one}").exists()]


def test_nodes_end_with_the_process_that_started_them(new_database: Callable[[], str]) -> None:
    with SecretService(new_database(), "--nodes", "2", *FAST) as service:

        async def main() -> None:
            async with asyncio.timeout(PATIENCE):
                while len(nodes := children(service.pid)) < 2:
                    await asyncio.sleep(0.02)
                service.kill()
                while any(Path(f"/proc/{one}").exists() for one in nodes):
                    await asyncio.sleep(0.02)

        asyncio.run(main())


def test_a_connection_that_is_handed_over_is_counted_where_it_arrives(
    new_database: Callable[[], str],
) -> None:
    most = 5
    limits = (*FAST, "--limit", f"sockets_of_address={most}")
    with SecretService(new_database(), "--nodes", "2", *limits) as service:

        async def main() -> None:
            code = await open_table(service, "host")
            clients = [Client(service, code, str(number)) for number in range(3 * most)]
            served = 0
            for client in clients:
                with suppress(InvalidStatus):
                    await client.connect()
                    served += 1
            # The connection by which the table was opened may have been noticed to be gone, or not.
            assert served in (most - 1, most)

        run(main)


def test_several_nodes_need_postgresql(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "phaseten", "serve", "--nodes", "2", "--port", "0"],
        env=os.environ | {"PYTHONPATH": PATH, "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    assert "PostgreSQL" in done.stderr
