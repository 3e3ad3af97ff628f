"""The two looks of the table: a kitchen in the evening, and by day."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

EVENING: Final = Theme(
    name="evening",
    primary="#B79CF2",
    accent="#B79CF2",
    foreground="#EDE6D8",
    background="#1E2430",
    surface="#262D3B",
    panel="#2E3646",
    warning="#E8B04B",
    error="#F08A80",
    success="#8CCB9B",
    dark=True,
    variables={
        "may": "#B79CF2",
        "quiet": "#9AA3B5",
        "turn": "#2E3646",
        "block-cursor-background": "#3D4961",
        "block-cursor-foreground": "#FBF7EE",
        "block-cursor-text-style": "bold",
        "input-selection-background": "#3D4961",
    },
)

DAYLIGHT: Final = Theme(
    name="daylight",
    primary="#6A3FC4",
    accent="#6A3FC4",
    foreground="#22252B",
    background="#EFE7DA",
    surface="#E6DCCB",
    panel="#DDD1BD",
    warning="#7A5200",
    error="#A3252F",
    success="#256B42",
    dark=False,
    variables={
        "may": "#6A3FC4",
        "quiet": "#645D50",
        "turn": "#DDD1BD",
        "block-cursor-background": "#C9BBA3",
        "block-cursor-foreground": "#22252B",
        "block-cursor-text-style": "bold",
        "input-selection-background": "#C9BBA3",
    },
)
