"""Statistics as tables for the terminal and for documents, as files for programs, and as pictures."""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from phaseten.arena.intervals import Estimate
from phaseten.arena.pictures import (
    COLOURS,
    Interval,
    Series,
    count_decimals,
    draw_intervals,
    draw_series,
    format_number,
)
from phaseten.arena.statistics import (
    LAID_ON,
    MADE,
    MADE_BY_WILDS,
    MOST_WILDS,
    OUT_BY_WILDS,
    TOPICS,
    Definition,
    GameStatistics,
)
from phaseten.arena.surveys import Setting
from phaseten.cli.wording import plural
from phaseten.language import language
from phaseten.terminal.printer import visible, wrap_inked

FOOTNOTE: Final = (
    "± 95 % interval; the samples are games. pp: percentage points above the fair share, which is "
    "1 in 4 with four players."
)
NOTHING: Final = "\N{EN DASH}"
COLUMNS: Final = ("edition", "players", "variant", "bot", "figure", "of")
COLUMNS_MEASURED: Final = ("value", "low", "high", "games", "cases")
_MARGIN: Final = 29
_CELL: Final = 15
_INDENT: Final = "  "
_PHASE: Final = re.compile(r"(?<=^\d): .*|(?<=^\d\d): .*")
"""What a Phase asks for, after its number: too long to head a column."""


class Sample(NamedTuple):
    """The games of one setting."""

    setting: Setting
    statistics: GameStatistics


class Row(NamedTuple):
    """One line of a table: a figure, for every sample."""

    label: str
    cells: tuple[str, ...]


class Section(NamedTuple):
    """Lines that belong together."""

    title: str
    rows: tuple[Row, ...]


# ── what the tables say ───────────────────────────────────────────────────────────────────────


def sections(samples: Sequence[Sample]) -> list[Section]:
    """Everything there is to say about these samples."""
    found = [
        Section(title, tuple(_row(each.words, samples, each) for each in definitions))
        for title, definitions in TOPICS.items()
    ]
    phases = sorted({phase for sample in samples for phase in sample.statistics.phases})
    wilds = [(f"{n} or more" if n == MOST_WILDS else str(n), n) for n in range(MOST_WILDS + 1)]
    named = [(_phase_name(samples, phase), phase) for phase in phases]
    found += [
        _indexed("Phase made, of all attempts", samples, MADE, named),
        _indexed("Own turn on which the Phase is laid", samples, LAID_ON, named),
        Section(
            "A quarter, half, three quarters of them by turn",
            tuple(
                Row(name, tuple(_quartiles(sample.statistics, phase) for sample in samples))
                for name, phase in named
            ),
        ),
        _indexed("Phase made, by Wilds received", samples, MADE_BY_WILDS, wilds),
        _indexed("Went out, by Wilds received", samples, OUT_BY_WILDS, wilds),
    ]
    return [section for section in found if section.rows]


def _indexed(
    title: str, samples: Sequence[Sample], what: Definition, lines: Sequence[tuple[str, int]]
) -> Section:
    return Section(title, tuple(_row(name, samples, what, index) for name, index in lines))


def _row(label: str, samples: Sequence[Sample], what: Definition, index: int = 0) -> Row:
    return Row(label, tuple(cell(sample, what, index) for sample in samples))


def cell(sample: Sample, what: Definition, index: int = 0) -> str:
    """A figure in words, with its error: ``54.2 ± 0.4 %``."""
    figure = _in_unit(sample.statistics.figure(what, index), what)
    if figure is None:
        return NOTHING
    places = count_decimals(figure.error)
    value = format_number(figure.value, places)
    sign = "+" if what.kind == "gain" and figure.value > 0 and value.strip("0.") else ""
    unit = {"mean": "", "share": " %", "gain": " pp"}[what.kind]
    return f"{sign}{value} ± {format_number(figure.error, places)}{unit}"


def _in_unit(figure: Estimate | None, what: Definition) -> Estimate | None:
    return figure if figure is None or what.kind == "mean" else figure.scaled(100)


def _quartiles(statistics: GameStatistics, phase: int) -> str:
    found = statistics.quartiles(phase)
    return " / ".join(map(str, found)) if found else NOTHING


def _phase_name(samples: Sequence[Sample], phase: int) -> str:
    """The Phase's number, with what it asks for where that is the same for all."""
    asked = {
        language("en").phase(rules.by_number[phase]) if phase in rules.by_number else ""
        for rules in (sample.setting.rules for sample in samples)
    } - {""}
    return f"{phase}: {asked.pop()}" if len(asked) == 1 else str(phase)


class _Names(NamedTuple):
    """The settings: what they have in common, and for each what sets it apart."""

    common: tuple[str, ...]
    own: tuple[tuple[str, ...], ...]


def _names(samples: Sequence[Sample]) -> _Names:
    parts = [_parts(sample.setting) for sample in samples]
    same = [len(set(column)) == 1 for column in zip(*parts, strict=True)]
    common = tuple(part for part, alike in zip(parts[0], same, strict=True) if alike)
    own = tuple(
        tuple(part for part, alike in zip(each, same, strict=True) if not alike) for each in parts
    )
    return _Names(common, own)


def _parts(setting: Setting) -> tuple[str, ...]:
    rules, players, bot = setting.rules, setting.players, setting.bot
    variant = rules.variant.text.replace(",", ", ")
    return rules.edition.title, plural(players, "player"), variant, f"bot {bot.name}"


def labels(samples: Sequence[Sample]) -> tuple[str, ...]:
    """What sets each of the samples apart."""
    names = _names(samples)
    return tuple(", ".join(own or names.common) for own in names.own)


# ── tables ────────────────────────────────────────────────────────────────────────────────────


def for_terminal(samples: Sequence[Sample], width: int, bold: Callable[[str], str]) -> list[str]:
    """Tables with a column for each sample; more of them, where they do not fit side by side."""
    names = _names(samples)
    games = Row("games", tuple(f"{sample.statistics.games:,}" for sample in samples))
    found = [Section("", (games,)), *sections(samples)]
    most = max(1, (width - _MARGIN) // (_CELL + 2))
    across = math.ceil(len(samples) / math.ceil(len(samples) / most))
    common = wrap_inked(" · ".join(names.common), width) if names.common else []
    lines = [bold(line) for line in common]
    for start in range(0, len(samples), across):
        chosen = slice(start, start + across)
        lines += (
            _heading(names.own[chosen])
            if width >= _MARGIN + _CELL + 2
            else _narrow_heading(names.own[chosen], width)
        )
        for section in found:
            lines += ["", *map(bold, wrap_inked(section.title, width))] if section.title else []
            for row in section.rows:
                lines += _line(row.label, row.cells[chosen], width)
        lines.append("")
    return lines


def _line(label: str, cells: Sequence[str], width: int) -> list[str]:
    """A figure for each sample; where not even one fits beside its name, after it."""
    if width >= _MARGIN + _CELL + 2:
        return [_fit(_INDENT + label) + "".join(map(_right, cells))]
    room = width - 2 * len(_INDENT)
    words = [*wrap_inked(f"{label}:", room), *cells]
    if visible(f"{words[-2]} {words[-1]}") <= room:
        words[-2:] = [f"{words[-2]} {words[-1]}"]
    return [_INDENT * (2 if i else 1) + line for i, line in enumerate(words)]


def _heading(names: Sequence[tuple[str, ...]]) -> list[str]:
    """What sets the columns apart, each part in as many lines as it needs."""
    lines: list[str] = []
    for parts in zip(*names, strict=True):
        wrapped = [textwrap.wrap(part, _CELL) for part in parts]
        lines += [
            " " * _MARGIN + "".join(map(_right, line))
            for line in zip_longest(*wrapped, fillvalue="")
        ]
    return lines


def _narrow_heading(names: Sequence[tuple[str, ...]], width: int) -> list[str]:
    return [line for parts in names for line in wrap_inked(" · ".join(parts), width) if parts]


def _right(text: str) -> str:
    return "  " + text.rjust(_CELL)


def _fit(text: str) -> str:
    short = text if len(text) <= _MARGIN else text[: _MARGIN - 1].rstrip() + "…"
    return short.ljust(_MARGIN)


def for_documents(samples: Sequence[Sample]) -> str:
    """Tables in Markdown, with a line for each sample."""
    names = labels(samples)
    blocks = [_markdown(section, names) for section in sections(samples)]
    return "\n\n".join(blocks) + "\n"


def _markdown(section: Section, names: Sequence[str]) -> str:
    heading = ["", *(_PHASE.sub("", row.label) for row in section.rows)]
    lines = [heading, ["---", *("---:" for _ in section.rows)]]
    lines += [
        [name, *(row.cells[place] for row in section.rows)] for place, name in enumerate(names)
    ]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"**{section.title}**\n\n{table}"


# ── files for programs ────────────────────────────────────────────────────────────────────────


def records(samples: Sequence[Sample]) -> Iterator[dict[str, Any]]:
    """Every figure of every sample, one after the other; shares between 0 and 1."""
    for sample in samples:
        rules, players = sample.setting.rules, sample.setting.players
        values = (rules.edition.name, players, rules.variant.text, sample.setting.bot.name)
        setting = dict(zip(COLUMNS, values, strict=False))
        for name, index, measured in _measured(sample.statistics):
            yield {
                **setting,
                "figure": name,
                "of": index,
                **dict(zip(COLUMNS_MEASURED, measured, strict=True)),
            }


def _measured(
    statistics: GameStatistics,
) -> Iterator[tuple[str, int | None, tuple[float | None, ...]]]:
    for what in (each for topic in TOPICS.values() for each in topic):
        yield what.name, None, _columns(statistics, what)
    for phase in statistics.phases:
        for what in (MADE, LAID_ON):
            yield what.name, phase, _columns(statistics, what, phase)
        laid = statistics.laid[phase].total() if phase in statistics.laid else 0
        for part, turn in enumerate(statistics.quartiles(phase) or (), 1):
            yield f"laid_on_quartile_{part}", phase, (turn, None, None, None, laid)
    for what in (MADE_BY_WILDS, OUT_BY_WILDS):
        for wilds in range(MOST_WILDS + 1):
            yield what.name, wilds, _columns(statistics, what, wilds)


def _columns(
    statistics: GameStatistics, what: Definition, index: int = 0
) -> tuple[float | None, ...]:
    figure = statistics.figure(what, index)
    if figure is None:
        return (None, None, None, 0, 0)
    ratio = statistics.ratios[what.name, index]
    return (*figure, ratio.games, ratio.below)


def for_spreadsheets(samples: Sequence[Sample]) -> str:
    """The records as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*COLUMNS, *COLUMNS_MEASURED], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records(samples))
    return text.getvalue()


# ── pictures ──────────────────────────────────────────────────────────────────────────────────


class Picture(NamedTuple):
    """What a picture shows: with an axis a line for each sample, and otherwise a row."""

    title: str
    unit: str
    figure: str
    axis: str = ""


PICTURES: Final = {
    "hands": Picture("Hands per game", "", "hands"),
    "turns": Picture("Turns per player and hand", "", "turns"),
    "points": Picture("Points per player and hand", "", "points"),
    "first-out": Picture("Who begins a hand goes out, above the fair share", "pp", "first_out"),
    "first-wins": Picture(
        "Who begins the first hand wins, above the fair share", "pp", "first_wins"
    ),
    "skips-out": Picture(
        "Who used the most Skips goes out, above the fair share", "pp", "skips_decide"
    ),
    "wilds-out": Picture(
        "Who got the most Wilds goes out, above the fair share", "pp", "wilds_decide"
    ),
    "wilds-wins": Picture(
        "Who got the most Wilds in the game wins it, above the fair share",
        "pp",
        "wilds_decide_games",
    ),
    "phases-made": Picture("How often each Phase is made, of all attempts", "%", "made", "Phase"),
    "phases-turn": Picture("Own turn on which each Phase is laid", "", "laid_on", "Phase"),
    "wilds-made": Picture(
        "How often the Phase is made, by Wilds received", "%", "made_by_wilds", "Wilds received"
    ),
}
"""The pictures by name, which is that of their file."""

_DEFINITIONS: Final = {
    each.name: each
    for each in (
        *(one for topic in TOPICS.values() for one in topic),
        *(MADE, LAID_ON, MADE_BY_WILDS),
    )
}


def pictures(samples: Sequence[Sample]) -> dict[str, str]:
    """All pictures of these samples that something is known for, by name."""
    wanted = [
        (name + suffix, name, group)
        for name, picture in PICTURES.items()
        for suffix, group in (_groups(samples) if picture.axis else [("", samples)])
    ]
    drawn = {full: draw(name, group) for full, name, group in wanted}
    return {name: text for name, text in drawn.items() if text}


def draw(name: str, samples: Sequence[Sample]) -> str:
    """One picture; empty where nothing is known."""
    picture = PICTURES[name]
    what = _DEFINITIONS[picture.figure]
    named = list(zip(labels(samples), samples, strict=True))
    if not picture.axis:
        rows = [row for label, sample in named for row in _intervals(sample, what, {0: label})]
        reference = 0.0 if what.kind == "gain" else None
        note = _note(samples)
        if not rows:
            return ""
        return draw_intervals(
            picture.title, rows, unit=picture.unit, reference=reference, note=note
        )
    series = [
        Series(label, _intervals(sample, what, _places(sample, what))) for label, sample in named
    ]
    series = [one for one in series if one.points]
    if not series:
        return ""
    return draw_series(
        picture.title, series, unit=picture.unit, axis=picture.axis, note=_note(samples)
    )


def _places(sample: Sample, what: Definition) -> dict[int, str]:
    """The Phases, or the numbers of Wilds, and how the axis names them."""
    if what is MADE_BY_WILDS:
        return {n: f"{n}+" if n == MOST_WILDS else str(n) for n in range(MOST_WILDS + 1)}
    return {phase: str(phase) for phase in sample.statistics.phases}


def _intervals(sample: Sample, what: Definition, places: dict[int, str]) -> tuple[Interval, ...]:
    found = {name: _in_unit(sample.statistics.figure(what, n), what) for n, name in places.items()}
    return tuple(Interval(name, *figure) for name, figure in found.items() if figure is not None)


def _groups(samples: Sequence[Sample]) -> list[tuple[str, Sequence[Sample]]]:
    """The samples in groups that one picture can tell apart: by edition, if they are too many."""
    if len(samples) <= len(COLOURS):
        return [("", samples)]
    groups: list[tuple[str, Sequence[Sample]]] = []
    for edition in dict.fromkeys(sample.setting.rules.edition for sample in samples):
        mine = [sample for sample in samples if sample.setting.rules.edition == edition]
        for start in range(0, len(mine), len(COLOURS)):
            more = f"-{start // len(COLOURS) + 1}" if start else ""
            groups.append((f"-{edition.name}{more}", mine[start : start + len(COLOURS)]))
    return groups


def _note(samples: Sequence[Sample]) -> str:
    counts = sorted({sample.statistics.games for sample in samples})
    games = f"{counts[0]:,} games" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} games"
    common = ", ".join(_names(samples).common) if len(samples) > 1 else labels(samples)[0]
    return f"{common}{': ' if common else ''}{games}{' each' if len(samples) > 1 else ''}. Bars: 95 % intervals."
