"""The law of one game as flat tables of integers, made from ``rules/``.

What a Phase can look like is taken from :mod:`phaseten.rules.shapes`, so that the kernel knows no
rule of its own about shapes: it only counts.
"""

from __future__ import annotations

from array import array
from typing import Any, cast

from phaseten.rules.cards import SKIP, WILD, natural
from phaseten.rules.editions import Group
from phaseten.rules.options import Rules
from phaseten.rules.referee import QUIET_TURNS
from phaseten.rules.shapes import Cell, Line, plan_for

NO_PARITY = 2
NEVER = 65536
"""More turns than are counted."""
BY_NUMBER, BY_COLOR, BY_FACE, BY_PARITY = range(4)

Tables = dict[str, Any]


def tables_for(rules: Rules, players: int) -> Tables:
    """Everything the engine has to know about a game with these rules and that many players."""
    rules.check_players(players)
    edition = rules.edition
    faces = [
        natural(color, number)
        for color in edition.colors
        for number in range(1, edition.highest + 1)
    ]
    cards = [*faces, WILD, SKIP]
    index = {card: i for i, card in enumerate(cards)}
    tables: Tables = {
        "players": players,
        "colors": len(edition.colors),
        "highest": edition.highest,
        "naturals": len(faces),
        "deck_size": len(edition.deck),
        "deal": edition.deal,
        "phases": len(rules.phases),
        "in_front": edition.skips_wait_in_front,
        "discard_to_go_out": rules.discard_to_go_out,
        "natural_per_meld": rules.natural_per_meld,
        "no_rediscard": rules.no_rediscard,
        "choose_phase": rules.choose_phase,
        "ten_hands": rules.variant.ten_hands,
        "quiet_turns": NEVER if rules.endless_hands else QUIET_TURNS,
        "pairs": any(g.kind.copies == 2 for phase in rules.phases for g in phase.groups),
        "deck": [index[card] for card in edition.deck],
        "face_count": [edition.deck.count(card) for card in cards],
        "number_of": [card.number for card in cards],
        "color_of": [*[i for i in range(len(edition.colors)) for _ in range(edition.highest)]]
        + [len(edition.colors)] * 2,
        "points_of": [card.points for card in cards],
        "order_of": [card.order for card in cards],
    }
    tables |= _phase_tables(rules, index)
    return {
        name: array("i", cast("list[int]", value)) if isinstance(value, list) else int(value)
        for name, value in tables.items()
    }


def _phase_tables(rules: Rules, index: dict[Any, int]) -> Tables:
    names = (
        "phase_number phase_groups phase_show phase_tangled phase_same phase_cards "
        "group_chain group_step group_copies group_colored group_parity group_size "
        "group_line group_lines group_shape group_shapes "
        "line_cell line_cells line_width line_shape "
        "shape_cell shape_cells shape_low shape_color "
        "cell_size cell_kind cell_what cell_key cell_face cell_faces cell_order face_list"
    )
    out: dict[str, list[int]] = {name: [] for name in names.split()}
    for phase in rules.phases:
        plan = plan_for(phase, rules.edition)
        out["phase_number"].append(phase.number)
        out["phase_groups"].append(len(phase.groups))
        out["phase_show"].append(phase.must_show)
        out["phase_tangled"].append(plan.tangled)
        out["phase_same"].append(len(phase.groups) == 2 and phase.groups[0] == phase.groups[1])
        out["phase_cards"].append(sum(group.cards for group in phase.groups))
        for i in range(2):  # two places for every Phase, so that a group is found by arithmetic
            one = min(i, len(phase.groups) - 1)
            _add_group(out, phase.groups[one], plan.groups[one], rules, index)
    return dict(out)


def _add_group(
    out: dict[str, list[int]],
    group: Group,
    lines: tuple[Line, ...],
    rules: Rules,
    index: dict[Any, int],
) -> None:
    kind = group.kind
    out["group_chain"].append(kind.chain)
    out["group_step"].append(kind.step)
    out["group_copies"].append(kind.copies)
    out["group_colored"].append(kind.one_color)
    out["group_parity"].append(NO_PARITY if kind.parity is None else kind.parity)
    out["group_size"].append(group.size)
    out["group_line"].append(len(out["line_cell"]))
    out["group_lines"].append(len(lines))
    out["group_shape"].append(len(out["shape_cell"]))
    out["group_shapes"].append(sum(len(line.shapes) for line in lines))
    for line in lines:
        first_cell = len(out["cell_size"])
        out["line_cell"].append(first_cell)
        out["line_cells"].append(len(line.cells))
        out["line_width"].append(line.width)
        out["line_shape"].append(len(out["shape_cell"]))
        for cell in line.cells:
            _add_cell(out, cell, kind.parity, rules, index)
        for shape in line.shapes:
            stand = shape.cells[0].stand
            out["shape_cell"].append(first_cell + shape.first)
            out["shape_cells"].append(len(shape.cells))
            out["shape_low"].append(stand.number)
            out["shape_color"].append(
                rules.edition.colors.index(stand.color)
                if stand.color
                else len(rules.edition.colors)
            )


def _add_cell(
    out: dict[str, list[int]],
    cell: Cell,
    parity: int | None,
    rules: Rules,
    index: dict[Any, int],
) -> None:
    stand = cell.stand
    if stand.color and stand.number:
        kind, what = BY_FACE, index[cell.faces[0]]
    elif stand.color:
        kind, what = BY_COLOR, rules.edition.colors.index(stand.color)
    elif stand.number:
        kind, what = BY_NUMBER, stand.number
    else:
        assert parity is not None
        kind, what = BY_PARITY, parity  # a deck of ones alone has no even numbers
    out["cell_size"].append(cell.size)
    out["cell_kind"].append(kind)
    out["cell_what"].append(what)
    out["cell_key"].append(cell.key)
    out["cell_face"].append(len(out["face_list"]))
    out["cell_faces"].append(len(cell.faces))
    out["cell_order"].append(stand.order)
    out["face_list"] += [index[face] for face in cell.faces]
