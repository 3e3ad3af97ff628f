"""Whether this installation can send messages to closed pages."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from phaseten.server.logs import log
from phaseten.server.store.interface import Store

if TYPE_CHECKING:
    from phaseten.server.push.sender import PushSender

PUSH_KEY: Final = "push"
"""The name under which the store keeps what messages are signed with."""
INSTALL: Final = "pip install 'phaseten[push]'"


async def open_sender(store: Store, allowed: Sequence[str]) -> PushSender | None:
    """Who sends, with the key that was made at the first start; None where that is not installed."""
    if find_spec("cryptography") is None:
        log.info("no-push", extra={"why": f"cryptography is not installed: {INSTALL}"})
        return None
    # Imported here: a table in the living room does not need it.
    from phaseten.server.push.encryption import new_private  # noqa: PLC0415
    from phaseten.server.push.sender import PushSender  # noqa: PLC0415

    return PushSender(await store.keep_key(PUSH_KEY, new_private()), allowed)
