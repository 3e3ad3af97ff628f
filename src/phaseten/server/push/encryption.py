"""What a push service must not read (RFC 8291, aes128gcm), and how it knows who sends it (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import json
import secrets
from typing import Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
SALT_BYTES: Final = 16
AUTH_BYTES: Final = 16
RECORD: Final = 4_096
"""The size of a record, of which there is one: our messages are short."""
_LAST: Final = b"\x02"
"""Ends the last record."""
_INTEGER: Final = 32


def decode(text: str) -> bytes:
    """Bytes from base64url, as browsers write it; a ValueError for anything else.

    >>> decode("BTBZMqHH6r4Tts7J_aSIgg").hex()
    '05305932a1c7eabe13b6cec9fda48882'
    """
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def encode(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public key, as it is sent."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_receiver(p256dh: str, auth: str) -> None:
    """Raise a ValueError unless these are the keys of a browser."""
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(p256dh))
    if len(decode(auth)) != AUTH_BYTES:
        raise ValueError("The secret must have 16 bytes.")


def encrypt(
    text: bytes,
    p256dh: str,
    auth: str,
    *,
    once: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body that only the browser with these keys can read. The key and the salt are for once."""
    once = once or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(SALT_BYTES)
    receiver = decode(p256dh)
    shared = once.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver))
    sender = point_of(once)
    key, nonce = content_keys(shared, decode(auth), salt, receiver + sender)
    header = salt + RECORD.to_bytes(4) + bytes([len(sender)]) + sender
    return header + AESGCM(key).encrypt(nonce, text + _LAST, None)


def content_keys(shared: bytes, auth: bytes, salt: bytes, points: bytes) -> tuple[bytes, bytes]:
    """The key and the nonce of the message; ``points`` are the receiver's and the sender's public keys."""
    secret = _derived(auth, shared, b"WebPush: info\0" + points, 32)
    key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    return key, _derived(salt, secret, b"Content-Encoding: nonce\0", 12)


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class ServerKeys:
    """By which push services know this server: browsers subscribe to messages of this key alone."""

    def __init__(self, private: str) -> None:
        self._key = ec.derive_private_key(int(private, 16), CURVE)
        self.public = encode(point_of(self._key))

    def authorization(self, service: str, site: str, expires: int) -> str:
        """The header that says who sends to the push service of that origin, until then (in seconds since 1970)."""
        claims = {"aud": service, "exp": expires, "sub": site}
        signed = ".".join([_packed({"typ": "JWT", "alg": "ES256"}), _packed(claims)])
        signature = self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        numbers = decode_dss_signature(signature)
        both = b"".join(number.to_bytes(_INTEGER) for number in numbers)
        return f"vapid t={signed}.{encode(both)}, k={self.public}"


def new_private() -> str:
    """A new key for a server, in hex."""
    return f"{ec.generate_private_key(CURVE).private_numbers().private_value:064x}"


def _packed(value: object) -> str:
    return encode(json.dumps(value, separators=(",", ":")).encode())
