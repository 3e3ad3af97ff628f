"""Programs of the arena at a table of a server, with a person."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import Caller
from tests.server.service import SOURCE, Client, Service, cautious, is_over, open_table, run

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
ANA = "a" * 43
PATIENCE = 120
BOTS = ("nora:Nora", "./otto.py", "./ida.sh")


@contextmanager
def joining(service: Service, code: str, *bots: str) -> Generator[list[subprocess.Popen[str]]]:
    """``phaseten join`` for each of the bots."""
    running = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "phaseten",
                "join",
                service.url,
                code,
                bot,
                "--time-limit",
                "60",
            ],
            cwd=EXAMPLES,
            env=os.environ | {"PYTHONPATH": str(SOURCE)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for bot in bots
    ]
    try:
        yield running
    finally:
        for process in running:
            process.kill()
            process.communicate()


def taken(update: dict[str, object]) -> bool:
    seats = update["table"]["seats"]  # pyright: ignore[reportIndexIssue]
    return all(seat["name"] for seat in seats)


def last_words(process: subprocess.Popen[str]) -> tuple[int, str]:
    said, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, said


def test_the_three_examples_play_with_a_person_and_outlive_a_killed_server(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            code = await open_table(
                service, ANA, edition="express", variant="phases=2", pace=0, seats=4
            )
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            with joining(service, code, *BOTS) as bots:
                await ana.until(taken)
                names = {seat["name"] for seat in ana.update["table"]["seats"]}
                assert names == {"Ana", "Nora", "otto", "ida"}
                await ana.ask("start")
                await ana.play(cautious, lambda update: len(update["game"]["hands"]) == 1)
                service.kill()
                service.start()
                await ana.reconnect()
                await ana.play(cautious, is_over)
                winner = ana.update["game"]["winner"]
                name = ana.update["table"]["seats"][winner - 1]["name"]
                for process in bots:
                    status, said = await asyncio.to_thread(last_words, process)
                    assert status == 0, said
                    assert f"{name} has won." in said
                assert not any(seat["stand_in"] for seat in ana.update["table"]["seats"])

        run(main, PATIENCE)


def test_who_misbehaves_leaves_and_the_table_plays_on(tmp_path: Path) -> None:
    cheat = tmp_path / "cheat.sh"
    cheat.write_text(
        "#!/bin/sh\n"
        'read -r line; echo \'{"type":"hello","protocol":2}\'\n'
        "read -r line; read -r line\n"
        'echo \'{"action":{"do":"hit","cards":["R1"],"seat":1,"meld":1}}\'\n'
        "read -r line\n"
    )
    cheat.chmod(0o755)
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            code = await open_table(
                service, ANA, edition="express", variant="phases=1", pace=0, seats=2
            )
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            with joining(service, code, str(cheat)) as (process,):
                await ana.until(taken)
                await ana.ask("start")
                await ana.play(cautious, is_over)
                status, said = await asyncio.to_thread(last_words, process)
                assert status == 2
                assert "cheat has left the table: Draw a card first: " in said
                assert "(T-DRAW)\n" in said

        run(main, PATIENCE)


def test_why_a_bot_cannot_join(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = Caller(capsys, monkeypatch)
    monkeypatch.chdir(tmp_path)

    def why_not(*arguments: str) -> str:
        found = call("join", *arguments)
        assert found.code == 2, found.out
        return found.err

    assert "not the address of a server" in why_not("ftp://here", "ABCD", "sharp")
    assert "there is no bot 'nobody'" in why_not("localhost:1", "ABCD", "nobody").lower()
    assert "it can play in the arena only" in why_not("localhost:1", "ABCD", "peeker")
    assert "no server answers" in why_not("localhost:1", "ABCD", "sharp").lower()
    with Service(str(tmp_path / "tables.sqlite")) as service:
        said = why_not(service.url, "NOSUCH", "sharp")
        assert "no table" in said.lower()
