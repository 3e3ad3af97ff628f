"""For the reference: examples in docstrings are code, which Markdown would take for quotations."""

from __future__ import annotations

from typing import Any

import griffe


class DoctestFences(griffe.Extension):
    """Puts every example in a docstring between fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change what is shown of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with a fence before and after every block that begins with a prompt."""
    blocks = text.split("\n\n")
    return "\n\n".join(
        f"```pycon\n{block.rstrip()}\n```" if block.startswith(">>> ") else block
        for block in blocks
    )
