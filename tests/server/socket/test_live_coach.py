"""The coach over real sockets: it speaks where all have agreed, to each of the own moves, in each one's language."""

import json

from phaseten.language import LANGUAGES
from tests.analysis.mistakes import MISTAKE, POSITION
from tests.server.service import Client, Data, Service, browser, run
from tests.server.test_play import ANA, BETO


async def at_table(service: Service, *willing: str) -> tuple[Client, Client]:
    """Ana, who is to move, and Beto, at a table where these want the coach."""
    async with browser(service, ANA) as http:
        options = {"seats": 2, "pace": 0}
        body = {"name": "Ana", "options": options, "position": POSITION}
        code = (await http.post("/api/tables", json=body)).json()["code"]
    ana, beto = Client(service, code, ANA), Client(service, code, BETO)
    for client, seat, name in ((ana, 1, "Ana"), (beto, 2, "Beto")):
        await client.connect("?language=en")
        await client.ask("sit", seat=seat, name=name)
        if name in willing:
            await client.ask("coach", on=True)
    await ana.send("start")
    for client in (ana, beto):
        await client.until(lambda update: update["table"]["stage"] == "playing")
    return ana, beto


async def err(client: Client) -> None:
    await client.send("discard", card=MISTAKE.card.text, at=client.update["version"])


async def remark(client: Client) -> Data:
    while (message := await client.receive())["type"] != "remark":
        pass
    return message


def heard(client: Client) -> set[str]:
    return {json.loads(text)["type"] for text in client.received}


def test_it_speaks_only_where_all_agree_and_only_to_the_player(service: Service) -> None:
    async def main() -> None:
        quiet = await at_table(service, "Ana")
        assert [seat["coach"] for seat in quiet[0].update["table"]["seats"]] == [True, False]
        await err(quiet[0])
        ana, beto = await at_table(service, "Ana", "Beto")
        others = [Client(service, ana.code, ANA) for _ in LANGUAGES]
        for client, language in zip(others, LANGUAGES, strict=True):
            await client.connect(f"?language={language}")
        await err(ana)
        found = await remark(ana)
        assert found["version"] == ana.update["version"]
        assert found["sentence"] == (
            "To discard a green 9 gave away about 4 %. Better: discard a red 6."
        )
        assert found["reasons"]
        assert found["percent"] == 4
        words = [(await remark(client))["sentence"] for client in others]
        assert len(set(words)) == len(LANGUAGES), "each in its language"
        # One process judges one move after the other: what was to be said before has been said.
        for client in (*quiet, beto):
            await client.ask("say", text="Well?")
            assert "remark" not in heard(client)
        await ana.send("coach", on=False)
        await beto.until(lambda update: not update["table"]["seats"][0]["coach"])

    run(main)
    assert '"failed"' not in service.logged
