"""Games that are played to their end over real sockets, for tests of what comes after."""

from typing import Any

import httpx

from tests.patience import PATIENCE
from tests.server.service import Client, Service, cautious, is_over, open_table

SHORT: dict[str, Any] = {"edition": "express", "variant": "phases=1", "seats": 2, "pace": 0}


async def played(service: Service, token: str, **options: object) -> tuple[str, Client]:
    """A table at which a person has played a short game against a bot; its code and the player."""
    code = await open_table(service, token, **(SHORT | options))
    player = Client(service, code, token)
    await player.connect()
    await player.ask("sit", seat=1, name="Ana")
    await player.ask("seed", text="k3")
    await play_out(player)
    return code, player


async def play_out(player: Client) -> None:
    """Start the game and play it to its end."""
    await player.send("start")
    await player.until(lambda update: update["table"]["stage"] == "playing")
    await player.play(cautious, is_over)


async def games_of(service: Service, token: str) -> list[dict[str, Any]]:
    """The list of somebody's finished games."""
    async with httpx.AsyncClient(
        base_url=service.url, cookies={"phaseten": token}, verify=False, timeout=PATIENCE
    ) as http:
        return (await http.get("/api/games")).json()
