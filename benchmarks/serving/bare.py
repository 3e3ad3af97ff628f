"""The peer: bare Starlette that sends a text of 2 kB to four people whenever one of them says something.

It decides nothing, keeps nothing and sends everybody the same. The settings of uvicorn are ours.
"""

from __future__ import annotations

import itertools
from collections import defaultdict

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from phaseten.server.serving import configuration, listen

BYTES = 2_000
HEAD = (
    '{"type":"update","version":%d,"table":{"stage":"playing"},"actions":[{"do":"draw"}],"rest":"'
)
TAIL = '"}'
REST = "x" * (BYTES - len(HEAD) - len(TAIL))

groups: defaultdict[str, list[WebSocket]] = defaultdict(list)
versions: defaultdict[str, itertools.count[int]] = defaultdict(lambda: itertools.count(2))


async def play(socket: WebSocket) -> None:
    code = socket.path_params["code"]
    await socket.accept()
    group = groups[code]
    group.append(socket)
    await socket.send_text(HEAD % 1 + REST + TAIL)
    try:
        while True:
            await socket.receive_text()
            text = HEAD % next(versions[code]) + REST + TAIL
            for other in group:
                await other.send_text(text)
    except WebSocketDisconnect:
        group.remove(socket)


def main() -> None:
    listening = listen("127.0.0.1", 0)
    print(f"port {listening.getsockname()[1]}", flush=True)
    app = Starlette(routes=[WebSocketRoute("/play/{code}", play)])
    uvicorn.Server(configuration(app)).run([listening])


if __name__ == "__main__":
    main()
