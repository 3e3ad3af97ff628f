"""``phaseten serve``."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
import threading
import webbrowser
from typing import Annotated, Final

import segno
from cyclopts import Parameter

from phaseten.cli.folders import data_folder
from phaseten.cli.options import Flag, Optional
from phaseten.cli.problems import Problem, reason
from phaseten.language import Language, from_environment, language
from phaseten.server.http.invitations import EVERYWHERE, bracketed, reach
from phaseten.server.nodes import serve_nodes
from phaseten.server.serving import check_database, listen
from phaseten.server.settings import (
    LimitError,
    Limits,
    Settings,
    allowed_hosts,
    default_bots,
    parse_limits,
)
from phaseten.server.store.database import claimed
from phaseten.server.store.interface import StoreError
from phaseten.server.store.lock import InUseError

POSTGRES: Final = ("postgresql://", "postgres://")
USUAL_PORT: Final = 8010
PORTS_TRIED: Final = 20
NUMBERS: Final = (
    "A port is a number from 0 to 65535, the bots have 1 process or more, and tables expire after 1 day or "
    "more, or with 0 never."
)
EXAMPLES: Final = """\
Examples:
  phaseten serve --open                    a server for the living room, in your browser
  phaseten serve --port 80 --host 127.0.0.1
  phaseten serve --database postgresql://phaseten@db/phaseten
      any number of these share their tables
  phaseten serve --nodes 4 --database postgresql://phaseten@db/phaseten
      four processes on one port, for four cores

Every option can be given by the environment: PHASETEN_DATABASE, PHASETEN_PORT ..."""

Texts = Annotated[tuple[str, ...], Optional, Parameter(negative="")]
"""An option that can be repeated."""


def run(  # noqa: PLR0913 - one for each option
    *,
    host: Annotated[str, Parameter(env_var="PHASETEN_HOST")] = "0.0.0.0",
    port: Annotated[int | None, Optional, Parameter(env_var="PHASETEN_PORT")] = None,
    database: Annotated[str, Optional, Parameter(env_var="PHASETEN_DATABASE")] = "",
    bots: Annotated[int, Optional, Parameter(env_var="PHASETEN_BOTS")] = 0,
    nodes: Annotated[int, Optional, Parameter(env_var="PHASETEN_NODES")] = 1,
    origin: Annotated[Texts, Parameter(env_var="PHASETEN_ORIGIN")] = (),
    allow_host: Annotated[Texts, Parameter(env_var="PHASETEN_ALLOW_HOST")] = (),
    proxies: Annotated[str, Optional, Parameter(env_var="PHASETEN_PROXIES")] = "",
    limit: Annotated[Texts, Parameter(env_var="PHASETEN_LIMIT")] = (),
    secure: Annotated[Flag, Parameter(env_var="PHASETEN_SECURE")] = False,
    open_browser: Annotated[Flag, Parameter(name="--open", env_var="PHASETEN_OPEN")] = False,
    no_qr: Annotated[Flag, Parameter(env_var="PHASETEN_NO_QR")] = False,
    expire: Annotated[int, Parameter(env_var="PHASETEN_EXPIRE")] = 60,
) -> int:
    """Serve tables, for browsers and programs.

    Keeps every table in a file in your data folder, or in PostgreSQL, where any
    number of servers can share them.

    Args:
        host: The address to listen on; 127.0.0.1 is for this machine alone.
        port: The port; 0 takes any that is free. If not given, 8010 or the next that is free.
        database: A file, or a postgresql:// URL.
        bots: How many processes think for bots; one per core but one, if not given.
        nodes: How many processes serve, each some of the tables, on one port; more than one need PostgreSQL.
        origin: Another site, such as https://example.org, whose pages may connect.
        allow_host: A name by which browsers may call the server, such as cards.example.org.
        proxies: The addresses of reverse proxies, which say who asks.
        limit: Another limit than the usual one, such as messages=30/8; see docs/server.md.
        secure: Browsers come by https only (a proxy sees to that).
        open_browser: Open the first page in your browser.
        no_qr: Print no QR code.
        expire: Days after which a table at which nothing happens is given up; 0: never.
    """
    _check(port or 0, bots, expire, nodes, database)
    chosen = database or str(data_folder() / "tables.sqlite")
    words = language(from_environment(os.environ))
    hosts = allowed_hosts(allow_host, is_behind_proxy=bool(proxies or secure))
    more = (origin, secure, _limits(limit), host, hosts, expire)
    settings = Settings(chosen, bots or default_bots(), *more)
    try:
        with claimed(chosen) as claim:
            asyncio.run(check_database(chosen))
            listening = _listen(host, port) if port is not None else _listen_anywhere(host)
            found: int = listening.getsockname()[1]
            claim.tell(_here(host, found))
            print(f"Serving tables on {host} port {found}.", flush=True)  # programs read this line
            if port is None:
                _say_if_moved(found, words)
            if not (proxies or secure):  # otherwise a proxy knows the address
                _say_where(host, found, words, with_qr=not no_qr)
            if open_browser:
                _open_aside(_here(host, found))
            serve_nodes(settings, listening, proxies, nodes)
    except InUseError as error:
        return _use_other(error, words, open_browser=open_browser)
    except StoreError as error:
        raise Problem(str(error)) from error
    return 0


def _say_if_moved(port: int, words: Language) -> None:
    """Another program has the usual port."""
    if port != USUAL_PORT:
        print(words.say("serve.start.taken", usual=USUAL_PORT, port=port))


def _limits(given: tuple[str, ...]) -> Limits:
    try:
        return parse_limits(given)
    except LimitError as error:
        raise Problem(str(error)) from error


def _open_aside(address: str) -> None:
    """Open the page in a thread: a browser in the terminal stays as long as it is used."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _check(port: int, bots: int, expire: int, nodes: int, database: str) -> None:
    """Refuse what cannot be."""
    if not 0 <= port <= 65535 or bots < 0 or expire < 0:
        raise Problem(NUMBERS)
    if nodes < 1 or (nodes > 1 and not database.startswith(POSTGRES)):
        raise Problem(
            "Several --nodes share their tables through PostgreSQL: give a --database postgresql://… as well."
        )
    if nodes > 1 and sys.platform != "linux":
        raise Problem(
            "Several --nodes on one port need Linux: start them one by one, each with a --port."
        )


def _use_other(error: InUseError, words: Language, *, open_browser: bool) -> int:
    """Another server serves the tables: open that one, or say which it is."""
    keeper = error.keeper
    if not (open_browser and keeper.address):
        there = keeper.address or words.say("serve.start.starting")
        sentence = words.say(
            "serve.start.in-use", path=error.path, process=keeper.process, address=there
        )
        raise Problem(sentence) from error
    print(words.say("serve.start.running", address=keeper.address), flush=True)
    webbrowser.open(keeper.address)
    return 0


def _listen(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        raise Problem(
            f"{host} port {port} cannot be used: {reason(error)}. Choose another --port."
        ) from error


def _listen_anywhere(host: str) -> socket.socket:
    """On the usual port, or where another server has that, on the next that is free."""
    for port in range(USUAL_PORT, USUAL_PORT + PORTS_TRIED):
        try:
            return listen(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                break  # on another port it would be the same
    return _listen(host, USUAL_PORT)


def _here(host: str, port: int) -> str:
    """The address for this machine."""
    return f"http://{'localhost' if host in EVERYWHERE else bracketed(host)}:{port}"


def _say_where(host: str, port: int, words: Language, *, with_qr: bool) -> None:
    """Print under which addresses the server is found, and a QR code for phones."""
    print(words.say("serve.start.here", address=_here(host, port)))
    found = reach("http", f"localhost:{port}", host)
    if found.trouble:
        print(words.say(f"serve.start.{found.trouble}"))
    else:
        print(words.say("serve.start.others", address=found.base))
        if with_qr and sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf"):
            print(words.say("serve.start.scan"))
            segno.make(found.base, micro=False).terminal(sys.stdout, border=2, compact=True)
    print(words.say("serve.start.end"), flush=True)
