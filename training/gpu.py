"""Many tables side by side on a GPU: the lines of tables.pyx, translated (translate.py) and compiled (tables.cu).

All rows stay on the device, and whatever is asked for happens in the order of PyTorch's current stream, so that a whole
window can be recorded as a CUDA graph. Without a GPU the same lines run in a loop on a processor: for tests.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch
from torch import Tensor

from training.sizes import constants, sizes
from training.translate import TRANSLATED

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from phaseten.kernel.layout import Layout

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = ROOT / "training" / "tables.cu"
C_TYPES: Final[dict[str, Any]] = {"int": ctypes.c_int, "double": ctypes.c_double}
SHARP: Final = 2
UNKNOWN: Final = 255
# Without -rdc the compiler of CUDA 13.0 optimises across functions, and what comes out plays other games and writes
# where it must not; -fmad rounds otherwise than a processor.
GPU_FLAGS: Final = (
    *("-O3", "-rdc=true", "-fmad=false", "-arch=sm_90"),
    *("--shared", "-Xcompiler", "-fPIC", "-w"),
)
HOST_FLAGS: Final = ("-x", "c++", "-O2", "-shared", "-fPIC", "-fno-strict-aliasing", "-w")


def library_for(kind: str) -> Path:
    """Where the compiled lines are, for ``cuda`` or ``cpu``: made anew whenever the lines change."""
    lines = hashlib.sha256(SOURCE.read_bytes() + TRANSLATED.read_bytes()).hexdigest()
    return TRANSLATED.with_name(f"tables-{kind}-{lines[:12]}.so")


def compile_for(kind: str) -> None:
    """Compile the translated lines."""
    compiler = {"cuda": ["nvcc", *GPU_FLAGS], "cpu": ["g++", *HOST_FLAGS]}[kind]
    if not shutil.which(compiler[0]):
        raise SystemExit(f"{compiler[0]} is missing: it compiles {SOURCE} for {kind}.")
    subprocess.run([*compiler, "-o", str(library_for(kind)), str(SOURCE)], check=True, cwd=ROOT)


@cache
def library(kind: str) -> ctypes.CDLL:
    """The compiled lines."""
    if not TRANSLATED.exists():
        raise SystemExit(f"There is no {TRANSLATED}: `python -m training.build gpu` makes it.")
    path = library_for(kind)
    if not path.exists():
        compile_for(kind)
    found = ctypes.CDLL(str(path))
    if (found.layout_bytes(), found.tables_bytes()) != tuple(
        map(ctypes.sizeof, (layout_form(), tables_form()))
    ):
        raise SystemExit(f"{path} is of other sources: delete it.")
    if error := found.prepare():
        raise SystemExit(f"{path}: the GPU says {error}.")
    return found


def _form(name: str, fields: Iterable[tuple[str, Any]]) -> type[ctypes.Structure]:
    return type(name, (ctypes.Structure,), {"_fields_": list(fields)})


@cache
def layout_form() -> type[ctypes.Structure]:
    """A layout as the compiled lines have it: numbers, and where rows of numbers are."""
    text = (ROOT / "src/phaseten/kernel/layout.pxd").read_text(encoding="utf-8")
    fields: list[tuple[str, Any]] = []
    for kind, names in re.findall(r"cdef public (int|double|const int\[::1\]) (.*)", text):
        fields += [(name, C_TYPES.get(kind, ctypes.c_void_p)) for name in names.split(", ")]
    return _form("Layout", fields)


@cache
def tables_form() -> type[ctypes.Structure]:
    """The rows of all tables as the compiled lines have them."""
    text = (ROOT / "training/tables.pxd").read_text(encoding="utf-8")
    text = text.split("cdef struct Tables:\n")[1].split("\n\n")[0]
    fields: list[tuple[str, Any]] = []
    for line in text.splitlines():
        kind, names = re.fullmatch(r"    ([a-z ]+\*?) (\w+(?:, \w+)*)(?:  #.*)?", line).groups()  # type: ignore[union-attr]
        fields += [(name, C_TYPES.get(kind, ctypes.c_void_p)) for name in names.split(", ")]
    return _form("Tables", fields)


class GpuTables:
    """So many tables of one kind; the rows that it writes are what networks look at and answer."""

    def __init__(self, layout: Layout, edition: int, slots: int, device: torch.device) -> None:
        self.slots, self.players, self.edition = slots, layout.players, edition
        self.device = device
        self._library = library(device.type)
        self._kept: list[Tensor] = []
        self._layout = self._copy(layout)
        self._tables = tables_form()()
        self._tables.slots, self._tables.players = slots, self.players
        self._tables.edition, self._tables.opponent = edition, SHARP
        sheet = 2 * self.players + 2
        faces = constants()["FACES"]
        # By words: the first of all tables, then the second, so that neighbouring threads read neighbouring words.
        self._new("states", (layout.state_size + 3) // 4, dtype=torch.int32)
        self._new("helps", self.players * faces // 4, dtype=torch.int32)
        self._new("lacks", self.players).fill_(UNKNOWN)
        self._new("chances", dtype=torch.int64)
        self._new("games", dtype=torch.int64)
        self._new("counts", dtype=torch.int64)
        self._new("still", dtype=torch.int32)
        self._new("now", sheet, dtype=torch.int32)
        self.turns, self.ends = self._new("turns"), self._new("ends")
        self.learners, self.over = self._new("learners"), self._new("over")
        self.before = self._new("before", sheet, dtype=torch.int32)
        self.after = self._new("after", sheet, dtype=torch.int32)
        features, secrets, actions = sizes(self.players)
        self.features = self._new("features", features)
        self.secrets = self._new("secrets", secrets)
        self.masks = self._new("masks", actions)
        self.wrong = torch.zeros(1, dtype=torch.int32, device=device)
        """How many actions were not legal; sharp's were done instead."""

    def _copy(self, layout: Layout) -> Tensor:
        """A layout on the device, with its rows of numbers."""
        found = layout_form()()
        for name, kind in found._fields_:
            value = getattr(layout, name)
            if kind is ctypes.c_void_p:
                row = torch.tensor(list(value) or [0], dtype=torch.int32, device=self.device)
                self._kept.append(row)
                value = row.data_ptr()
            setattr(found, name, value)
        return torch.frombuffer(bytearray(found), dtype=torch.uint8).to(self.device)

    def _new(self, name: str, *shape: int, dtype: torch.dtype = torch.uint8) -> Tensor:
        row = torch.zeros(self.slots, *shape, dtype=dtype, device=self.device)
        self._kept.append(row)
        setattr(self._tables, name, row.data_ptr())
        return row

    def set_share(self, share: float) -> None:
        """In how many of the games half the seats are a built-in player's."""
        self._tables.share = share

    def set_opponent(self, number: int) -> None:
        """Which built-in player that is."""
        self._tables.opponent = number

    def write_to(self, features: Tensor, secrets: Tensor, masks: Tensor) -> None:
        """Where the rows for the networks are written from now on."""
        found = sizes(self.players)
        for rows, size in zip((features, secrets, masks), found, strict=True):
            if (
                rows.shape != (self.slots, size)
                or not rows.is_contiguous()
                or rows.device.type != self.device.type
            ):
                raise ValueError(f"rows must have {found} numbers, one row for each table")
        self.features, self.secrets, self.masks = features, secrets, masks
        self._tables.features, self._tables.secrets = features.data_ptr(), secrets.data_ptr()
        self._tables.masks = masks.data_ptr()

    def start(self, seed: int) -> None:
        """Begin a game at each table; the seed says which."""
        self._call("start", ctypes.c_ulonglong(seed))

    def start_games(self, seeds: NDArray[np.uint64], learners: NDArray[np.uint8]) -> None:
        """Begin a certain game at each table, in which the learners have certain seats (bits)."""
        rows = torch.from_numpy(seeds.view("int64")).to(self.device)
        bits = torch.from_numpy(learners).to(self.device)
        self._tables.once = 1
        self._call(
            "start_games", ctypes.c_void_p(rows.data_ptr()), ctypes.c_void_p(bits.data_ptr())
        )

    def play_on(self, most: int, seed: int) -> None:
        """Let sharp play up to so many actions at each table, so that no two are alike."""
        self._call("play_on", most, ctypes.c_ulonglong(seed))

    def step(self, actions: Tensor) -> None:
        """Carry out the learners' actions."""
        if actions.dtype != torch.int32 or actions.shape != (self.slots,):
            raise ValueError("an action for each table is needed, as int32")
        self._call(
            "step",
            ctypes.c_void_p(actions.data_ptr()),
            ctypes.c_void_p(self.wrong.data_ptr()),
        )

    def choose(self, out: Tensor) -> None:
        """Write what sharp would do at each table."""
        self._call("choose", ctypes.c_void_p(out.data_ptr()))

    def record_games(self, seed: int, most: int) -> tuple[Tensor, Tensor, Tensor]:
        """Let sharp play a game at each table: the score sheet before each of at most so many hands, how many
        hands there were, and who has won, as bits: nobody where there were more.
        """
        sheets = torch.zeros(
            self.slots, most, 2 * self.players + 2, dtype=torch.int32, device=self.device
        )
        found = torch.zeros(self.slots, 2, dtype=torch.int32, device=self.device)
        self._call(
            "record",
            ctypes.c_ulonglong(seed),
            ctypes.c_void_p(sheets.data_ptr()),
            most,
            ctypes.c_void_p(found.data_ptr()),
        )
        return sheets, found[:, 0], found[:, 1]

    def _call(self, name: str, *arguments: object) -> None:
        queue = torch.cuda.current_stream().cuda_stream if self.device.type == "cuda" else 0
        error = getattr(self._library, f"tables_{name}")(
            ctypes.c_void_p(self._layout.data_ptr()),
            ctypes.byref(self._tables),
            ctypes.c_void_p(queue),
            *arguments,
        )
        if error:
            raise RuntimeError(f"{name}: the GPU says {error}")
