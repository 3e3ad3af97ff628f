"""A server whose chances can be foreseen: ``python -m tests.server.start --database …``.

It is the real one with all its parts. But every game is dealt from the same secret seed, so that the
client seeds alone, which players choose, decide which cards come. And its coach does not give way to
other programs: where they leave nothing of a core, tests would wait for it without an end.
"""

import argparse
import asyncio
import hashlib

from phaseten.rules.cards import Card
from phaseten.rules.options import Rules
from phaseten.rules.shuffle import SEED_BYTES, seeded
from phaseten.server.http.identity import Tokens
from phaseten.server.running import bot_processes, coaching
from phaseten.server.running.chance import KEY_BYTES, Chance
from phaseten.server.serving import check_database, listen, serve
from phaseten.server.settings import Settings, allowed_hosts, parse_limits
from phaseten.workers import end_on_signal, ignore_signals

SEED = bytes(range(SEED_BYTES))
KEY = bytes(range(KEY_BYTES))
TOKENS = Tokens(KEY)
CHANCE = Chance(lambda: SEED, lambda: 0, lambda: KEY)


def token(guest: str, issued: int = 29_000_000) -> str:
    """The token of a guest who is called so; one that such a server has given is its own."""
    if TOKENS.find(guest) is not None:
        return guest
    return TOKENS.sign(issued, hashlib.sha256(guest.encode()).digest()[:14]).token


def deck(rules: Rules, client_seed: str, hand: int = 1) -> tuple[Card, ...]:
    """The cards of a hand, from the top, as such a server deals them."""
    return seeded(SEED, client_seed)(rules.edition.deck, hand, 0)


def let_the_coach_keep_pace() -> None:
    """From now on the processes of the coach that are started here are like any other."""
    coaching.stay_behind = end_on_signal
    bot_processes.stay_behind = ignore_signals


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--database", required=True)
    parser.add_argument("--bots", type=int, default=1)
    parser.add_argument("--limit", action="append", default=[])
    parser.add_argument("--proxies", default="")
    parser.add_argument("--allow-host", action="append", default=[])
    parser.add_argument("--push-service", action="append", default=[])
    parser.add_argument("--secure", action="store_true")
    chosen = parser.parse_args()
    let_the_coach_keep_pace()
    asyncio.run(check_database(chosen.database))
    listening = listen(chosen.host, chosen.port)
    settings = Settings(
        chosen.database,
        chosen.bots,
        secure=chosen.secure,
        limits=parse_limits(chosen.limit),
        host=chosen.host,
        hosts=allowed_hosts(
            chosen.allow_host, is_behind_proxy=bool(chosen.proxies or chosen.secure)
        ),
        push_services=tuple(chosen.push_service),
    )
    print(f"Serving tables on {chosen.host} port {listening.getsockname()[1]}.", flush=True)
    serve(settings, listening, chosen.proxies, CHANCE)
