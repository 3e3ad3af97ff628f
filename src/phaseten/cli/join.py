"""``phaseten join``."""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.arena.entrants import check_entrant, parse_entrants, prepare_bot
from phaseten.arena.faults import EntrantError, FaultError
from phaseten.arena.programs import Program
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.bot import Bot
from phaseten.cli.options import check_time_limit
from phaseten.cli.problems import Problem
from phaseten.cli.wording import sentence
from phaseten.client.connection import TableConnection
from phaseten.client.seated_bot import JoinError, SeatedBot

EXAMPLES: Final = """\
Examples:
  phaseten join http://localhost:8000 CODE ./mybot.py
  phaseten join https://example.org CODE mybots:Nora
  phaseten join localhost:8000 CODE sharp

The bot takes an empty seat of the table with that code (or, in a game at a table that lets others in, the seat
of a bot), plays the game to its end, and comes back when the connection breaks. A program speaks the protocol of the arena: see docs/arena.md."""


def run(
    address: Annotated[str, Parameter(help="Where the server is, such as http://host:8000.")],
    code: Annotated[str, Parameter(help="The table's code.")],
    bot: Annotated[
        str, Parameter(help="A bot of the house, a class (mybots:Nora) or a program (./mybot.py).")
    ],
    *,
    time_limit: Annotated[
        float, Parameter(help="Seconds that a bot from outside may think about a move.")
    ] = 1.0,
) -> int:
    """Let a bot of yours sit at a table of a server."""
    limits = check_time_limit(time_limit)
    seed = secrets.randbits(63)
    player = _prepare(bot, seed, limits)
    connection: TableConnection | None = None
    try:
        connection = TableConnection(address, code, SeatedBot(player, seed))
        print(connection.play())
    except JoinError as error:
        raise Problem(sentence(error)) from error
    except FaultError as fault:
        if connection is not None:
            connection.leave()
        raise Problem(f"{player.name} has left the table: {fault.sentence}") from fault
    finally:
        if isinstance(player, Program):
            player.close()
    return 0


def _prepare(word: str, seed: int, limits: TimeLimits) -> Bot:
    try:
        (entrant,) = parse_entrants([word])
        check_entrant(entrant, limits)
        player = prepare_bot(entrant, seed, limits, None)
    except EntrantError as error:
        raise Problem(sentence(error)) from error
    if isinstance(player, Bot):
        return player
    raise Problem(f"{entrant.name} sees all cards: it can play in the arena only.")
