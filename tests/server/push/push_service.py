"""A push service of our own, and a browser that can read what arrives there."""

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from phaseten.server.push.encryption import CURVE, decode, encode, point_of
from tests.patience import PATIENCE


class Pushed(NamedTuple):
    """What came to the push service."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Takes messages for browsers; says what it was told to say."""

    def __init__(self) -> None:
        self.status = 201
        self.port = 0
        self._arrived: asyncio.Queue[Pushed] = asyncio.Queue()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def is_empty(self) -> bool:
        return self._arrived.empty()

    async def next(self) -> Pushed:
        return await asyncio.wait_for(self._arrived.get(), PATIENCE)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = [line.partition(": ") for line in lines if line]
        headers = {name: value for name, _, value in pairs}
        body = await reader.readexactly(int(headers["content-length"]))
        method, path, _ = first.split(" ")
        assert method == "POST"
        self._arrived.put_nowait(Pushed(path, headers, body))
        writer.write(f"HTTP/1.1 {self.status} Ok\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def push_service(port: int = 0) -> AsyncGenerator[PushService]:
    service = PushService()
    server = await asyncio.start_server(service.answer, "127.0.0.1", port)
    service.port = server.sockets[0].getsockname()[1]
    async with server:
        yield service


class Browser:
    """Has the keys that a browser makes when it subscribes."""

    def __init__(self, private: str = "", auth: str = "") -> None:
        number = int.from_bytes(decode(private)) if private else 0
        self._key = (
            ec.derive_private_key(number, CURVE) if number else ec.generate_private_key(CURVE)
        )
        self._auth = decode(auth) if auth else secrets.token_bytes(16)

    def subscribed(self, endpoint: str) -> dict[str, str]:
        return {
            "endpoint": endpoint,
            "p256dh": encode(point_of(self._key)),
            "auth": encode(self._auth),
        }

    def read(self, body: bytes) -> bytes:
        """Open a message as RFC 8291 says: written down apart from what the server does."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        info = b"WebPush: info\x00" + point_of(self._key) + sender
        secret = HKDF(hashes.SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(secret)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text.endswith(b"\x02")
        return text[:-1]


def signed_claims(authorization: str, public: str) -> dict[str, Any]:
    """What the server says of itself, if it has signed that with its key."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public)
    head, claims, signature = parts["t"].split(".")
    assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    both = decode(signature)
    assert len(both) == 64
    numbers = encode_dss_signature(int.from_bytes(both[:32]), int.from_bytes(both[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(public))
    try:
        key.verify(numbers, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as error:
        raise AssertionError("not signed by that key") from error
    return json.loads(decode(claims))
