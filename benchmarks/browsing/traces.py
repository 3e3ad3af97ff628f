"""What a trace of Chromium says about frames and about the page's own thread."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

CATEGORIES = [
    "-*",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "blink.user_timing",
]
MARK = "measured"
"""What is marked in the page ties its clock to the trace's."""
LATE = 25.0
"""Milliseconds between two frames after which one was missed; 16.7 is every one."""
LONG = 50.0
NOTHING_TO_SEE = 1 << 17
"""``kAnimationHasNoVisibleChange``: off the screen, or from a place to itself. Counted as neither."""
WORK = {
    "script": ("FunctionCall", "EvaluateScript", "v8.evaluateModule"),
    "style and layout": ("UpdateLayoutTree", "Layout"),
    "painting": ("PrePaint", "Paint", "Layerize", "Commit"),
}

Event = dict[str, Any]


class Span(NamedTuple):
    """From when to when, in milliseconds of the page's clock."""

    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start

    def shared(self, other: Span) -> float:
        return max(0.0, min(self.end, other.end) - max(self.start, other.start))


class Task(NamedTuple):
    """Something that the page's thread did."""

    name: str
    span: Span
    used: float
    """Milliseconds of the processor: without the time in which another program had it."""


class Frames(NamedTuple):
    """What was shown while something moved: the times from frame to frame, in milliseconds."""

    gaps: Sequence[float]

    @property
    def seconds(self) -> float:
        return sum(self.gaps) / 1000

    @property
    def rate(self) -> float:
        return len(self.gaps) / self.seconds

    @property
    def late(self) -> float:
        """The share of frames before which another one was missed."""
        return sum(gap > LATE for gap in self.gaps) / len(self.gaps)


class Trace:
    """One page, traced; ``marked`` is when it was marked, by its own clock."""

    def __init__(self, data: bytes, marked: float) -> None:
        events: list[Event] = json.loads(data)["traceEvents"]
        mark = next(event for event in events if event["name"] == MARK)
        self._process = mark["pid"]
        self._zero = mark["ts"] / 1000 - marked
        self._events = [event for event in events if event["pid"] == self._process]
        self._thread = next(
            event["tid"]
            for event in self._events
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        )

    def frames(self, moving: Iterable[Span]) -> Frames:
        """What the screen was given in those times, which do not overlap."""
        gaps: list[float] = []
        for span in moving:
            first = bisect_left(self._presented, span.start)
            shown = self._presented[first : bisect_right(self._presented, span.end)]
            gaps += [after - before for before, after in pairwise(shown)]
        return Frames(gaps)

    def work(self, moving: Sequence[Span]) -> float:
        """Milliseconds of the page's thread in those times."""
        return sum(
            task.used * span.shared(task.span) / task.span.length
            for task in self.tasks
            for span in moving
            if task.span.length
        )

    @cached_property
    def tasks(self) -> list[Task]:
        return list(self._done("RunTask"))

    def kinds(self) -> dict[str, float]:
        """Milliseconds of the page's thread by kind of work. What a script makes the page lay out
        counts as both."""
        return {
            kind: sum(task.used for name in names for task in self._done(name))
            for kind, names in WORK.items()
        }

    def forced(self) -> int:
        """How often at most a script made the page lay itself out in one task."""
        layouts = [task.span.start for task in self._done("Layout")]
        counts = Counter(
            index
            for index, task in enumerate(self._done("FunctionCall"))
            for at in layouts
            if task.span.start <= at <= task.span.end
        )
        return max(counts.values(), default=0)

    def animations(self) -> tuple[int, Counter[str]]:
        """How many were left to the compositor, and those that were not: what, and why."""
        composited, painted = 0, Counter[str]()
        targets: dict[str, str] = {}
        for event in self._events:
            if event["name"] != "Animation":
                continue
            data = event["args"].get("data", {})
            if event["ph"] == "b":
                targets[event["id2"]["local"]] = data["nodeName"]
            elif data.get("compositeFailed", 0) & NOTHING_TO_SEE:
                continue
            elif data.get("compositeFailed"):
                why = data.get("unsupportedProperties") or [f"reason {data['compositeFailed']}"]
                target = targets.get(event["id2"]["local"], "?")
                painted.update(f"{target}: {one}" for one in why)
            elif "compositeFailed" in data:
                composited += 1
        return composited, painted

    def _done(self, name: str) -> Iterator[Task]:
        for event in self._events:
            if event["name"] == name and event["tid"] == self._thread and event["ph"] == "X":
                start = self._time(event)
                span = Span(start, start + event.get("dur", 0) / 1000)
                yield Task(name, span, event.get("tdur", 0) / 1000)

    @cached_property
    def _presented(self) -> list[float]:
        """When frames reached the screen."""
        states: dict[str, str] = {}
        shown: set[float] = set()
        for event in self._events:
            if event["name"] != "PipelineReporter":
                continue
            frame = event["id2"]["local"]
            if event["ph"] == "b":
                states[frame] = event["args"]["frame_reporter"]["state"]
            elif states.pop(frame, "").startswith("STATE_PRESENTED"):
                shown.add(self._time(event))
        return sorted(shown)

    def _time(self, event: Event) -> float:
        return event["ts"] / 1000 - self._zero


def joined(spans: Iterable[Span]) -> list[Span]:
    """The same times without overlaps."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start <= result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result
