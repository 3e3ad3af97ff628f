"""A table needs no clock, no chance, no numpy and no server: it can run in a browser."""

import json
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"

PROGRAM = '''
import sys

FORBIDDEN = {
    "asyncio", "concurrent", "multiprocessing", "numpy", "random", "secrets", "socket", "sqlite3",
    "starlette", "subprocess", "threading", "time", "uvicorn",
}
LOADED = {*sys.modules}
OURS = ("phaseten.kernel", "phaseten.arena", "phaseten.server", "phaseten.terminal")


class Refuse:
    """An importer that refuses what a table must not need."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in FORBIDDEN - LOADED or name.startswith(OURS):
            raise ImportError(f"a table must not import {name}")
        return None


sys.meta_path.insert(0, Refuse())

from phaseten.rules.actions import Discard
from phaseten.table.commands import OpenTable, Play, StartGame, TakeSeat
from phaseten.table.decisions import decide, open_table
from phaseten.table.duties import next_duty
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.sentences import Names, words
from phaseten.table.state import empty_table
from phaseten.table.viewers import FIRST, TableStep, shown

now = 0
told = []


def happen(table, events):
    global now
    assert isinstance(events, tuple), events
    now += 1_000
    after = apply(table, now, events)
    step = TableStep(after.version, now, events)
    names = Names(table.names_at(table.version), after.names_at(after.version))
    told.extend(words(shown(step, None), names, None, FIRST))
    return after


def best(actions):
    """Lay and hit where that can be done; otherwise the first, or the last where one discards."""
    return actions[-1] if all(isinstance(action, Discard) for action in actions) else actions[0]


table = empty_table("CODE")
table = happen(table, open_table("ana", OpenTable(Options("express", seats=2), "Ana", bytes(32))))
for seat, owner in enumerate(("ana", "beto"), 1):
    table = happen(table, decide(table, owner, TakeSeat(seat, owner.title())))
table = happen(table, decide(table, "ana", StartGame()))
while not table.game.sheet.hands:
    owner = table.places[table.turn - 1].owner
    assert next_duty(table) is None
    action = best(table.legal(table.turn))
    table = happen(table, decide(table, owner, Play(action, table.version)))
print(len(told), told[-1])
bad = sorted(name for name in sys.modules if name.startswith(OURS) or name == "numpy")
assert not bad, bad
'''


def test_a_hand_is_played_with_the_standard_library_and_msgspec_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PYTHONPATH": str(SOURCE), "PYTHONHASHSEED": "0"},
    )
    assert done.returncode == 0, done.stderr
    count, _, last = done.stdout.partition(" ")
    assert int(count) > 10
    assert last == "Beto is out.\n"


def test_every_module_of_the_table_can_be_imported_so() -> None:
    names = [path.stem for path in sorted((SOURCE / "phaseten" / "table").glob("*.py"))]
    head = PROGRAM[: PROGRAM.index("from phaseten.rules")]
    imports = "\n".join(f"import phaseten.table.{name}" for name in names if name != "__init__")
    done = subprocess.run(
        [sys.executable, "-c", f"{head}\n{imports}\nprint('done')"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PYTHONPATH": str(SOURCE)},
    )
    assert done.stdout == "done\n", done.stderr


def test_messages_can_be_made_without_a_server_running() -> None:
    """A browser that has a table of its own speaks the messages of the protocol with it."""
    program = """
import sys

FORBIDDEN = ("asyncio", "numpy", "sqlite3", "starlette", "uvicorn", "phaseten.kernel")


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(FORBIDDEN):
            raise ImportError(f"messages must not import {name}")
        return None


sys.meta_path.insert(0, Refuse())

from phaseten.server.socket.messages import encode
from phaseten.server.socket.requests import command_of, read_request
from phaseten.server.socket.updates import update
from phaseten.table.commands import OpenTable
from phaseten.table.decisions import decide, open_table
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import empty_table
from phaseten.table.viewers import TableStep, viewer_of

events = open_table("ana", OpenTable(Options(seats=2), "Ana", bytes(32)))
table = apply(empty_table("CODE"), 1, events)
for text in ('{"do": "sit", "seat": 1, "name": "Ana"}', '{"do": "start"}'):
    events = decide(table, "ana", command_of(read_request(text), lambda: bytes(32)))
    table = apply(table, 2, events)
step = TableStep(table.version, 2, events)
sys.stdout.buffer.write(encode(update(table, viewer_of(table, "ana"), [step])))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PYTHONPATH": str(SOURCE)},
    )
    assert done.returncode == 0, done.stderr
    message = json.loads(done.stdout)
    assert message["type"] == "update"
    assert len(message["game"]["held"]) == 10
