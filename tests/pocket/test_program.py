"""What is loaded into a browser: the pure part of the package, whole, and nothing that is not there."""

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

import hatch_build
from phaseten.pocket.device import VERSION

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "web" / "runtime"
PLAY = """
import json, sys, time

class Blocked:
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first not in sys.stdlib_module_names and first not in ("phaseten", "msgspec"):
            raise ImportError(f"{name} is not there")
        if first in ("asyncio", "multiprocessing", "sqlite3", "ssl", "subprocess"):
            raise ImportError(f"{name} is of no use there")

sys.path[:0] = [sys.argv[1]]
sys.meta_path.insert(0, Blocked())
from phaseten.pocket.device import Device
import phaseten
assert phaseten.__file__.startswith(sys.argv[1])
device = Device()
options = {"seats": 3, "pace": 0, "stand_in": "sharp", "timer": 5}
answer = json.loads(device.open(json.dumps({"names": ["Ana"], "options": options}), "0A", "es"))
assert not answer["problem"], answer
told = json.loads(device.join(1, "es", None))
welcome, update = map(json.loads, told["messages"])
assert welcome["language"] == "es"
while not update["actions"]:
    told = json.loads(device.act())
    if told["keep"]:
        told = json.loads(device.kept())
    update = json.loads(device.join(1, "es", None).encode())["messages"][1]
    update = json.loads(update)
at = update["version"]
told = json.loads(device.hear(json.dumps({"do": "hint", "at": at})))
assert json.loads(told["messages"][-1])["level"] == "sharp"
told = json.loads(device.hear(json.dumps({**update["actions"][0], "at": at})))
assert told["keep"]["version"] == at + 1

from phaseten.pocket.table import Chance
from phaseten.rules.shuffle import SEED_BYTES
device = Device(Chance(lambda: bytes(SEED_BYTES), lambda: 1, lambda: time.time_ns() // 1_000_000))
options = {"seats": 2, "pace": 0, "stand_in": "deep"}
looks = []
def weigh(features, mask):
    looks.append((len(features), len(mask)))
    return [float(bool(can)) for can in mask]
device.open(json.dumps({"names": ["Ana"], "options": options}), "0B", "en")
device.join(1, "en", None)
while not device.lacks_network:
    told = json.loads(device.join(1, "en", None))
    update = json.loads(told["messages"][1])
    moves = [move for move in update["actions"] if move["do"] != "lay"]
    device.hear(json.dumps({**moves[-1], "at": update["version"]}))
    device.kept()
device.use_network(weigh)
assert not device.lacks_network
while device.due > time.time_ns() // 1_000_000:
    time.sleep(0.01)
assert json.loads(device.act())["keep"]
assert looks == [(1536, 296)], looks
print("played")
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The program as a browser has it on its disk."""
    site = tmp_path / "src/phaseten/server/site"
    site.mkdir(parents=True)
    (site / hatch_build.STAMP).touch()
    source = tmp_path / "src"
    for path in hatch_build.program_files(ROOT / "src"):
        target = source / path.relative_to(ROOT / "src")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    hatch_build.build_program(tmp_path)
    return site / hatch_build.PROGRAM


def test_it_plays_with_msgspec_alone(program: Path, tmp_path: Path) -> None:
    note = json.loads((program / "program.json").read_text())
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(program / note["file"]) as archive:
        archive.extractall(folder)
    result = subprocess.run(
        [sys.executable, "-c", PLAY, str(folder)], capture_output=True, text=True, check=False
    )
    assert result.stdout == "played\n", result.stderr


def test_a_picture_of_its_ground_holds_nothing_but_python() -> None:
    code = (
        "import sys; from phaseten.pocket.ground import lay; lay(); print('msgspec' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.stdout == "False\n", result.stderr


def test_it_is_the_same_bytes_each_time_and_its_note_says_so(program: Path, tmp_path: Path) -> None:
    note = json.loads((program / "program.json").read_text())
    data = (program / note["file"]).read_bytes()
    assert (hashlib.sha256(data).hexdigest(), len(data)) == (note["sha256"], note["bytes"])
    hatch_build.build_program(tmp_path)
    assert [path.name for path in program.glob("*.zip")] == [note["file"]]


def test_page_and_program_are_of_one_version(program: Path) -> None:
    note = json.loads((program / "program.json").read_text())
    page = (ROOT / "web/src/pocket/runtime.ts").read_text(encoding="utf-8")
    assert f"export const DEVICE = {note['device']};" in page
    assert note["device"] == VERSION


def test_the_wheel_that_comes_with_it_is_pinned_and_of_the_version_that_is_tested() -> None:
    (wheel,) = RUNTIME.glob("*.whl")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert (RUNTIME / "SHA256SUMS").read_text() == f"{digest}  {wheel.name}\n"
    pinned = re.search(r"^msgspec==(\S+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert pinned is not None
    assert wheel.name.startswith(f"msgspec-{pinned[1]}-")
    assert msgspec.__version__ == pinned[1]
