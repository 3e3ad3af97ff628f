"""``phaseten serve``."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.cli.common import Flag, Optional, Problem, reason
from phaseten.server.serving import check_database, listen, serve
from phaseten.server.settings import LimitError, Settings, default_bots, parse_limits
from phaseten.server.store import StoreError
from phaseten.terminal.saves import data_folder

EXAMPLES: Final = """\
Examples:
  phaseten serve                           a server for the living room
  phaseten serve --port 80 --host 127.0.0.1
  phaseten serve --database postgresql://phaseten@db/phaseten
      any number of these share their tables

Every option can be given by the environment: PHASETEN_DATABASE, PHASETEN_PORT ..."""


def run(  # noqa: PLR0913 - one for each option
    *,
    host: Annotated[str, Parameter(env_var="PHASETEN_HOST")] = "0.0.0.0",
    port: Annotated[int, Parameter(env_var="PHASETEN_PORT")] = 8010,
    database: Annotated[str, Optional, Parameter(env_var="PHASETEN_DATABASE")] = "",
    bots: Annotated[int, Optional, Parameter(env_var="PHASETEN_BOTS")] = 0,
    origin: Annotated[
        tuple[str, ...], Optional, Parameter(env_var="PHASETEN_ORIGIN", negative="")
    ] = (),
    proxies: Annotated[str, Optional, Parameter(env_var="PHASETEN_PROXIES")] = "",
    limit: Annotated[
        tuple[str, ...], Optional, Parameter(env_var="PHASETEN_LIMIT", negative="")
    ] = (),
    secure: Annotated[Flag, Parameter(env_var="PHASETEN_SECURE")] = False,
) -> int:
    """Serve tables, for browsers and programs.

    Keeps every table in a file in your data folder, or in PostgreSQL, where any
    number of servers can share them.

    Args:
        host: The address to listen on; 127.0.0.1 is for this machine alone.
        port: The port; 0 takes any that is free.
        database: A file, or a postgresql:// URL.
        bots: How many processes think for bots; one per core but one, if not given.
        origin: Another site, such as https://example.org, whose pages may connect.
        proxies: The addresses of reverse proxies, which say who asks.
        limit: Another limit than the usual one, such as messages=30/8; see docs/server.md.
        secure: Browsers come by https only (a proxy sees to that).
    """
    if not 0 <= port <= 65535 or bots < 0:
        raise Problem("A port is a number from 0 to 65535, and the bots have 1 process or more.")
    try:
        limits = parse_limits(limit)
    except LimitError as error:
        raise Problem(str(error)) from error
    chosen = database or str(data_folder() / "tables.sqlite")
    try:
        asyncio.run(check_database(chosen))
    except StoreError as error:
        raise Problem(str(error)) from error
    try:
        listening = listen(host, port)
    except OSError as error:
        raise Problem(
            f"{host} port {port} cannot be used: {reason(error)}. Choose another --port."
        ) from error
    settings = Settings(chosen, bots or default_bots(), origin, secure, limits)
    print(
        f"Serving tables on {host} port {listening.getsockname()[1]}. Ctrl+C ends it.", flush=True
    )
    serve(settings, listening, proxies)
    return 0
