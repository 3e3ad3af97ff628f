"""The pages of the browser client: a folder of files that are known when the server starts.

Only what was found then is served, by its name; so there is no way to any other file.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from phaseten.server.http.responses import accepts, server_problem, text_response

FOLDER: Final = Path(__file__).parents[1] / "site"
INDEX: Final = "index.html"
BESIDE: Final = {
    "pocket/deep.weights": Path(__file__).parents[2] / "kernel/players/network/deep.weights"
}
"""What lies elsewhere in the package, by its path among the pages."""
CLIENT_PATHS: Final = (
    "",
    "editions",
    "join",
    "learn",
    "me",
    "move",
    "replay",
    "scores",
    "table",
    "tv",
    "watch",
)
"""How the addresses begin that the client itself understands, such as /join/CODE."""

_HASHED: Final = "assets/"
"""The build writes a hash into the names of these: they never change."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".weights": "application/octet-stream",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}
_POCKET: Final = re.compile(r"assets/pocket-[^/]+\.js")
"""The script in which Python runs."""
_POCKET_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
)
"""WebAssembly is allowed there, and nowhere else."""


class _File(NamedTuple):
    """A file of the client."""

    bodies: Mapping[str, bytes]
    """By encoding; the plain one is ``""``. What is large may be there packed alone."""
    headers: Mapping[str, str]


class Pages:
    """Answers requests for pages."""

    def __init__(self, folder: Path) -> None:
        self._files = dict(_read(folder))

    async def answer(self, request: Request) -> Response:
        """The file of that address, or the client's first page where the client knows the address."""
        path: str = request.path_params["path"]
        file = self._files.get(path)
        if file is None and path.partition("/")[0] in CLIENT_PATHS:
            file = self._files.get(INDEX)
            if file is None:
                return _not_built(request)
        if file is not None:
            return _answer(request, file)
        page = self._files.get(INDEX)
        if page is not None and "text/html" in request.headers.get("accept", ""):
            return _answer(request, page, 404)  # the client says it better
        raise server_problem(404, "no-page", request)


def _answer(request: Request, file: _File, status: int = 200) -> Response:
    headers = dict(file.headers)
    encoding = next(
        (name for name in _ENCODINGS if name in file.bodies and accepts(request, name)), ""
    )
    if encoding:
        headers["content-encoding"] = encoding
    body = file.bodies.get(encoding)
    if body is None:  # a client that can read nothing packed
        body = gzip.decompress(file.bodies["gzip"])
    headers["etag"] = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    if headers["etag"] in request.headers.get("if-none-match", ""):
        del headers["content-type"]
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers)


def _not_built(connection: HTTPConnection) -> Response:
    return text_response(server_problem(404, "no-pages", connection).problem.sentence, 404)


def _read(folder: Path) -> list[tuple[str, _File]]:
    """The files of the folder by their paths in it; precompressed ones belong to the plain ones."""
    names = {_plain(path.relative_to(folder).as_posix()) for path in sorted(folder.rglob("*.*"))}
    if names:
        names |= set(BESIDE)
    found: list[tuple[str, _File]] = []
    for name in sorted(names):
        path = BESIDE.get(name, folder / name)
        kind = _KINDS.get(path.suffix)
        if kind is None:
            continue
        ways = {"": path} | {
            encoding: path.with_name(path.name + ending) for encoding, ending in _ENCODINGS.items()
        }
        bodies = {encoding: way.read_bytes() for encoding, way in ways.items() if way.is_file()}
        if not bodies:
            continue
        keep = _FOR_EVER if name.startswith(_HASHED) else _ASK_AGAIN
        headers = {"content-type": kind, "cache-control": keep}
        if _POCKET.fullmatch(name):
            headers["content-security-policy"] = _POCKET_POLICY
        if set(bodies) != {""}:
            headers["vary"] = "accept-encoding"
        found.append((name, _File(bodies, headers)))
    return found


def _plain(name: str) -> str:
    """The name of a file without what says how it is packed."""
    for ending in _ENCODINGS.values():
        name = name.removesuffix(ending)
    return name
