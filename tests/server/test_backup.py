"""Backups as docs/deploy.md describes them, made while the server runs."""

import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.server.cluster import programs
from tests.server.service import Client, Service, cautious, open_table, run
from tests.server.test_play import ANA


def backed_up(database: str, back_up: Callable[[], str]) -> None:
    """Play, back up, play on; the restored table is the one that was backed up."""
    with Service(database) as service:
        code, restored = "", ""
        known: dict[str, object] = {}

        async def before() -> None:
            nonlocal code, known
            code = await open_table(service, ANA, seats=2, pace=0)
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("start")
            await ana.until(lambda update: bool(update["actions"]))
            known = ana.update

        async def meanwhile() -> None:
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask(**cautious(ana.update), at=ana.update["version"])

        run(before)
        restored = back_up()
        run(meanwhile)
    with Service(restored) as service:

        async def after() -> None:
            ana = Client(service, code, ANA)
            await ana.connect("?after=99")  # more than the backup knows
            assert {**ana.update, "seen": None} == {**known, "steps": [], "seen": None}
            answer = await ana.ask(**cautious(ana.update), at=ana.update["version"])
            assert answer["type"] == "update"

        run(after)


def test_sqlite(tmp_path: Path) -> None:
    database, backup = tmp_path / "tables.sqlite", tmp_path / "backup.sqlite"

    def back_up() -> str:
        connection = sqlite3.connect(database)
        connection.execute(f"VACUUM INTO '{backup}'")
        connection.close()
        return str(backup)

    backed_up(str(database), back_up)


def test_postgresql(new_database: Callable[[], str], tmp_path: Path) -> None:
    database, empty = new_database(), new_database()
    dump = tmp_path / "backup.dump"

    def back_up() -> str:
        folder = programs()
        assert folder is not None
        saved = subprocess.run(
            [folder / "pg_dump", "--format=custom", database], check=True, capture_output=True
        )
        dump.write_bytes(saved.stdout)
        restore = [folder / "pg_restore", f"--dbname={empty}", str(dump)]
        subprocess.run(restore, check=True, capture_output=True)
        return empty

    backed_up(database, back_up)
