"""Sends one message to one browser."""

from __future__ import annotations

import hmac
import time
from collections.abc import Sequence
from typing import Final

from phaseten.server.push.delivery import ForbiddenEndpointError, parse_endpoint, post
from phaseten.server.push.encryption import ServerKeys, check_receiver, encode, encrypt
from phaseten.server.push.outcome import Outcome
from phaseten.server.store.interface import Subscription

VALID_SECONDS: Final = 12 * 3600
"""For so long a push service may believe who we are; a day is the most."""
GONE: Final = (404, 410)
MOST_TOPIC: Final = 32
"""Letters."""


class PushSender:
    """Knows the server's key, and which push services are allowed beside those of the internet."""

    def __init__(self, private: str, allowed: Sequence[str]) -> None:
        self._keys = ServerKeys(private)
        self._secret = bytes.fromhex(private)
        self._allowed = allowed

    @property
    def public(self) -> str:
        """What browsers subscribe with."""
        return self._keys.public

    def check(self, subscription: Subscription) -> None:
        """Raise a ValueError unless messages can be sent there."""
        try:
            parse_endpoint(subscription.endpoint, self._allowed)
        except ForbiddenEndpointError as error:
            raise ValueError(str(error)) from error
        check_receiver(subscription.p256dh, subscription.auth)

    async def send(
        self, subscription: Subscription, text: bytes, *, topic: str, seconds: int
    ) -> Outcome:
        """Send it. Of a topic the browser gets the last message alone, and none that is older than so many seconds."""
        try:
            endpoint = parse_endpoint(subscription.endpoint, self._allowed)
            expires = int(time.time()) + VALID_SECONDS
            headers = {
                "authorization": self._keys.authorization(
                    endpoint.origin, subscription.site, expires
                ),
                "content-encoding": "aes128gcm",
                "content-type": "application/octet-stream",
                "ttl": str(seconds),
                "topic": self._sealed(topic),
                "urgency": "high",  # else a sleeping phone hears of it in the morning
            }
            body = encrypt(text, subscription.p256dh, subscription.auth)
            status = await post(endpoint, headers, body, self._allowed)
        except (ForbiddenEndpointError, ValueError):
            return Outcome.GONE
        except OSError:  # with TimeoutError
            return Outcome.FAILED
        if status in GONE:
            return Outcome.GONE
        return Outcome.SENT if 200 <= status < 300 else Outcome.FAILED

    def _sealed(self, topic: str) -> str:
        """The same for the same topic, and nobody else can tell which: the code of a table lets one in."""
        return encode(hmac.digest(self._secret, b"topic " + topic.encode(), "sha256"))[:MOST_TOPIC]
