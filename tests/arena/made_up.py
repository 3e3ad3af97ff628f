"""Games that were never played, for what is computed from games."""

from phaseten.arena.entrants import parse_entrants
from phaseten.arena.faults import Fault
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.matches import Match, match_all, match_pairs
from phaseten.arena.results import GameRow, Key
from phaseten.arena.standings import Standing, compute_standing
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules

FAULT = Fault(2, "late", "no answer within 1 s")


def a_match(players: int, *names: str) -> Match:
    tables = [GameTerms(Rules(edition("classic")), players, 1)]
    make = match_pairs if len(names) == 2 else match_all
    return make(tables, parse_entrants([f"{name}=sharp" for name in names]))[0]


def row(
    match: Match, deal: int, seating: int, winner: int | None, fault: Fault | None = None
) -> GameRow:
    count = match.terms.players
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
    found = compute_standing(match, rows, deals)
    assert found is not None
    return found
