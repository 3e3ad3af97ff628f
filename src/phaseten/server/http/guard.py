"""Who may come in, and how often."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from phaseten.server.http.identity import Guest, is_same_origin
from phaseten.server.http.responses import server_problem, table_problem
from phaseten.server.settings import Settings
from phaseten.server.throttle import Bucket, Buckets, network_of


class Guard:
    """Stands before every request."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._requests = Buckets(settings.limits.requests)
        self._guesses = Buckets(settings.limits.guesses)
        self._tables = Buckets(settings.limits.tables)

    def limit_requests(self, connection: HTTPConnection) -> None:
        """Refuse whoever asks for too much."""
        if not self._requests.of(address_of(connection)).take():
            raise table_problem(429, "too-fast", connection)

    def guesses(self, connection: HTTPConnection) -> Bucket:
        """From which a token is to be taken for every name that does not exist."""
        guesses = self._guesses.of(address_of(connection))
        if guesses.is_empty:
            raise table_problem(429, "too-fast", connection)
        return guesses

    def limit_creation(self, connection: HTTPConnection) -> None:
        """Refuse whoever makes too much that has to be kept."""
        if not self._tables.of(address_of(connection)).take():
            raise table_problem(429, "too-fast", connection)

    def check_origin(self, connection: HTTPConnection) -> None:
        """Refuse the pages of other sites."""
        if not is_same_origin(connection.headers, self._settings.origins):
            raise server_problem(403, "origin", connection)

    def cookie(self, guest: Guest) -> dict[str, str]:
        """The header that sets the guest's cookie, where one is needed."""
        return guest.headers(secure=self._settings.secure)


def address_of(connection: HTTPConnection) -> str:
    """Whose limits count: an address, or the network that somebody with IPv6 has."""
    return network_of(connection.client.host) if connection.client is not None else ""
