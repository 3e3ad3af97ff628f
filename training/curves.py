"""The curve of a run as an SVG: share of the games won against seconds of play."""

from __future__ import annotations

from typing import Any

WIDTH, HEIGHT, EDGE = 640, 360, 48
COLORS = ("#1b6ca8", "#c8553d", "#4d8b31", "#7d4e9e", "#b8860b")


def draw(title: str, curve: list[dict[str, Any]]) -> str:
    """A line for each kind of table, with bars for the intervals."""
    kinds = sorted({kind for point in curve for kind in point["results"]})
    last = max([point["seconds"] for point in curve] + [1.0])
    shares = [r["share"] for point in curve for r in point["results"].values()]
    low, high = min([*shares, 0.4]) - 0.05, max([*shares, 0.6]) + 0.05

    def x(seconds: float) -> float:
        return EDGE + seconds / last * (WIDTH - 2 * EDGE)

    def y(share: float) -> float:
        return HEIGHT - EDGE - (share - low) / (high - low) * (HEIGHT - 2 * EDGE)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        "<style>text { font: 12px sans-serif }</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{EDGE}" y="20">{title}: games won against sharp, by seconds of play</text>',
    ]
    for percent in range(0, 101, 5):
        if low <= percent / 100 <= high:
            at = y(percent / 100)
            parts.append(
                f'<path d="M{EDGE} {at:.1f}H{WIDTH - EDGE}" stroke="#ddd"/>'
                f'<text x="8" y="{at + 4:.1f}">{percent} %</text>'
            )
    parts.append(
        f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 20}" text-anchor="end">{last:.0f} s</text>'
    )
    for number, kind in enumerate(kinds):
        color = COLORS[number % len(COLORS)]
        points = [(p["seconds"], p["results"][kind]) for p in curve if kind in p["results"]]
        line = " ".join(f"{x(at):.1f},{y(r['share']):.1f}" for at, r in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        for at, r in points:
            top, bottom = y(r["share"] + r["error"]), y(r["share"] - r["error"])
            parts.append(f'<path d="M{x(at):.1f} {top:.1f}V{bottom:.1f}" stroke="{color}"/>')
        parts.append(f'<text x="{EDGE + 8}" y="{40 + 16 * number}" fill="{color}">{kind}</text>')
    return "\n".join([*parts, "</svg>\n"])
