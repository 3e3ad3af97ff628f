"""Makes one file that a GPU can run from the C files of the law, the features and the tables.

Cython's C for functions without Python objects is plain C. Those that ``tables.cu`` calls, and all that they call in
turn, are taken over word for word; what they need besides is the layout of a game and a few constants. So
what a GPU plays is what the kernel plays, and a test plays both.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TRANSLATED: Final = ROOT / "training" / "build" / "gpu" / "tables.cuh"
FIRST: Final = ("start_game", "play_some", "step_one", "choose_one", "record_one")
"""The functions of tables.pyx that are called from outside."""
COUNTS: Final = (
    ("phaseten.kernel.players.network.features", "count_features"),
    ("phaseten.kernel.players.network.actions", "count_actions"),
    ("training.secrets", "count_secrets"),
    ("phaseten.kernel.chance", "stream"),
)
"""Others that tables.cu needs."""
BEGINNING: Final = """\
// Made by training/translate.py from Cython's C files.
#include <stddef.h>
#include <string.h>
#ifdef __CUDACC__
#define ON_GPU __device__
#define KEPT __device__ const
#define APART __noinline__
#else
#define ON_GPU static
#define APART
#define KEPT static const
#endif
#define PY_LONG_LONG long long
#define likely(x) (x)
#define unlikely(x) (x)
#define CYTHON_INLINE inline
#define CYTHON_UNUSED
typedef ptrdiff_t Py_ssize_t;
typedef struct { const char *data; } __Pyx_memviewslice;
"""

LONGEST_INT: Final = len("0x7fffffff")
LONGEST_INLINE: Final = 40
"""Lines. With all in one function a thread needs 17 kB for it, and the compiler a minute for each kernel."""
Definitions = dict[str, str]


def without_comments(text: str) -> str:
    """C without comments."""
    return re.sub(r"\n\s*\n+", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))


class Sources:
    """All C files, and what is defined in them."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.rglob("*.c"))
        if not files:
            raise SystemExit(
                f"There are no C files in {folder}: `python -m training.build c` first."
            )
        self.functions: Definitions = {}
        self.enums: Definitions = {}
        self.structs: Definitions = {}
        self.values: Definitions = {}
        """What constants are set to when their module is imported."""
        for path in files:
            self._read(path.read_text())

    def _read(self, text: str) -> None:
        for found in re.finditer(
            r"^static [^\n;=]*?\b(__pyx_f_\w+)\([^\n;]*\) \{\n.*?^\}\n",
            text,
            re.MULTILINE | re.DOTALL,
        ):
            self.functions.setdefault(found[1], without_comments(found[0]))
        for found in re.finditer(r"^enum  \{\n.*?^\};\n", text, re.MULTILINE | re.DOTALL):
            for name in re.findall(r"__pyx_e_\w+", found[0]):
                self.enums[name] = without_comments(found[0])
        for found in re.finditer(
            r"^struct (__pyx_(?:obj|t)_\w+) \{\n.*?^\};\n", text, re.MULTILINE | re.DOTALL
        ):
            self.structs.setdefault(found[1], without_comments(found[0]))
        for found in re.finditer(r"^  (__pyx_v_\d\w+) = ([-\w.]+);$", text, re.MULTILINE):
            self.values.setdefault(found[1], found[2])


def mangled(module: str, name: str) -> str:
    """What Cython calls a name of a module."""
    return "_".join(f"{len(part)}{part}" for part in module.split(".")) + f"_{name}"


@cache
def arrays() -> Definitions:
    """The constants that are rows of numbers, by the names that Cython gives them."""
    features = ROOT / "src/phaseten/kernel/players/network/features.py"
    found: dict[str, list[float]] = {}
    loops: list[ast.stmt] = []
    for part in ast.parse(features.read_text()).body:
        if isinstance(part, ast.For):
            loops.append(part)
            for name in re.findall(r"[A-Z]+(?=\[)", ast.unparse(part)):
                found[name] = [0.0] * len(ast.literal_eval(part.iter.args[0]))  # type: ignore[attr-defined]
    exec(compile(ast.Module(loops, []), str(features), "exec"), dict(found))
    module = "phaseten.kernel.players.network.features"
    rows = {mangled(module, name): row for name, row in found.items()}
    text = (ROOT / "training/secrets.pyx").read_text()
    for name, row in re.findall(r"^cdef int\[\d+\] (\w+) = \[(.*)\]$", text, re.MULTILINE):
        rows[mangled("training.secrets", name)] = [int(value) for value in row.split(",")]
    return {
        f"__pyx_v_{name}": f"KEPT {'double' if any(map(is_fraction, row)) else 'int'} __pyx_v_{name}"
        f"[{len(row)}] = {{{', '.join(map(repr, row))}}};\n"
        for name, row in rows.items()
    }


def is_fraction(value: float) -> bool:
    """Whether a number is not whole."""
    return value != int(value)


def needed(sources: Sources, first: list[str]) -> list[str]:
    """These functions and all that they call."""
    found = dict.fromkeys(first)
    waiting = list(first)
    while waiting:
        name = waiting.pop()
        if name not in sources.functions:
            raise SystemExit(f"{name} is called, and is in none of the C files.")
        body = sources.functions[name].split("{", 1)[1]
        for called in re.findall(r"\b(__pyx_f_\w+)\(", body):
            if called not in found:
                found[called] = None
                waiting.append(called)
    return list(found)


def declare(function: str) -> str:
    """A function as it is written for a GPU: only short ones become part of those that call them."""
    kind = "ON_GPU" if function.count("\n") < LONGEST_INLINE else "ON_GPU APART"
    return re.sub(r"^static (CYTHON_INLINE )?", f"{kind} ", function)


def constants(sources: Sources, text: str) -> list[str]:
    """What the functions need besides: enums, values and rows of numbers."""
    parts: list[str] = []
    for name in dict.fromkeys(re.findall(r"\b__pyx_e_\w+", text)):
        if sources.enums[name] not in parts:
            parts.append(sources.enums[name])
    for name in dict.fromkeys(re.findall(r"\b__pyx_v_\d\w+", text)):
        if name in arrays():
            parts.append(arrays()[name])
        else:
            value = sources.values[name]
            parts.append(f"#define {name} ({value}{'ULL' * (len(value) > LONGEST_INT)})\n")
    return parts


def translate(folder: Path) -> str:
    """The one file."""
    sources = Sources(folder)
    wanted = {name: mangled("training.tables", name) for name in FIRST}
    wanted |= {name: mangled(module, name) for module, name in COUNTS}
    first = [f"__pyx_f_{name}" for name in wanted.values()]
    functions = [declare(sources.functions[name]) for name in needed(sources, first)]
    text = "\n".join(functions)
    heads = [function.split(" {\n", 1)[0] + ";\n" for function in functions]
    layout = f"__pyx_obj_{mangled('phaseten.kernel.layout', 'Layout')}"
    tables = f"__pyx_t_{mangled('training.tables', 'Tables')}"
    structs = [sources.structs[layout].replace("  PyObject_HEAD\n", ""), sources.structs[tables]]
    names = [f"#define {name} {long}\n" for name, long in zip(wanted, first, strict=True)]
    names += [f"typedef struct {layout} Layout;\n", f"typedef struct {tables} Tables;\n"]
    return "\n".join([BEGINNING, *structs, *constants(sources, text), *heads, *functions, *names])


def write(folder: Path) -> None:
    """Make the one file from the C files in a folder."""
    TRANSLATED.parent.mkdir(parents=True, exist_ok=True)
    TRANSLATED.write_text(translate(folder))
