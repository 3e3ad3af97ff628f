"""Games that were never played, for what is computed from games."""

from phaseten.arena.entrants import entrants
from phaseten.arena.faults import Fault
from phaseten.arena.matches import Match, free_for_all, pairings
from phaseten.arena.playing import Table
from phaseten.arena.results import GameRow, Key
from phaseten.arena.standings import Standing, standing
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules

FAULT = Fault(2, "late", "no answer within 1 s")


def a_match(players: int, *names: str) -> Match:
    tables = [Table(Rules(edition("classic")), players, 1)]
    make = pairings if len(names) == 2 else free_for_all
    return make(tables, entrants([f"{name}=sharp" for name in names]))[0]


def row(
    match: Match, deal: int, seating: int, winner: int | None, fault: Fault | None = None
) -> GameRow:
    count = match.table.players
    return GameRow(
        *match.key,
        deal,
        seating,
        tuple(match.names[bot] for bot in match.seatings[seating]),
        winner,
        (50,) * count,
        (10,) * count,
        11,
        400,
        (100,) * count,
        (0.5,) * count,
        fault,
    )


def stand(match: Match, games: list[GameRow], deals: int = 1000) -> Standing:
    rows: dict[Key, GameRow] = {game.key: game for game in games}
    found = standing(match, rows, deals)
    assert found is not None
    return found
