"""The player's Phase: what it asks for, what is there already, and what would help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content
from textual.widget import Widget

from phaseten.rules.cards import WILD, total_points
from phaseten.rules.needs import Need, Slot, needs_of
from phaseten.terminal.card_faces import card_text, chip, empty_chip, with_cards
from phaseten.terminal.display_state import DisplayState


class PhaseLine(Widget):
    """Two lines about the Phase in work."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: DisplayState | None = None

    def show(self, shown: DisplayState) -> None:
        self._shown = shown
        self.refresh()

    def render(self) -> Content:
        shown = self._shown
        if shown is None or shown.board is None or shown.view.seat not in shown.board.players:
            return Content("")
        needs = needs_of(shown.view)
        if not needs:
            return _after_laying(shown)
        titles = list(_titles(shown, needs[0]))
        fitting = [title for title in titles if title.cell_length <= self.content_size.width]
        return Content("\n").join([(fitting or titles[-1:])[0], _slots(needs[0].rows)])


def _after_laying(shown: DisplayState) -> Content:
    language, view = shown.language, shown.view
    made = view.board.made[(view.seat or 1) - 1] if view.board else 0
    title = language.say("terminal.phase.down", phase=language.phase_title(made))
    points = language.say("terminal.phase.in_hand", points=language.points(total_points(view.held)))
    return Content("\n").join([Content.styled(title, "bold"), Content.styled(points, "$quiet")])


def _titles(shown: DisplayState, need: Need) -> Iterator[Content]:
    """The Phase and what is missing: from all that could be said to the least."""
    language = shown.language
    number = language.phase_title(need.phase.number)
    groups = language.phase(need.phase)
    whole = language.say("terminal.phase.title", phase=number, groups=groups)
    missing = language.say("terminal.phase.complete")
    if need.missing:
        missing = language.say("terminal.phase.missing", count=need.missing)
    wishes = [card_text(card)[1 if card.is_wild else 0 :] for card in need.helpful]
    if wishes:
        cards = " ".join([*wishes, card_text(WILD)])
        helpful = f"{missing} · {language.say('terminal.phase.helpful', cards=cards)}"
        for title in (whole, number):
            yield Content.assemble((title, "bold"), "  ", with_cards(helpful))
    for title in (whole, number):
        yield Content.assemble((title, "bold"), "  ", missing)


def _slots(rows: Sequence[Sequence[Slot]]) -> Content:
    parts: list[Content | tuple[str, str]] = []
    for row in rows:
        if parts:
            parts.append(("  +  ", "$quiet"))
        for slot in row:
            if slot.filled:
                parts += [chip(slot.card, ""), (" ", "")]
            else:
                parts.append((f"[{empty_chip(slot.card)}] ", "$quiet"))
    return Content.assemble(*parts)
