"""Who may come in, and how often."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from phaseten.server.http.identity import (
    Guest,
    Tokens,
    cookie_header,
    cookie_name,
    is_same_origin,
)
from phaseten.server.http.responses import ProblemError, server_problem, table_problem
from phaseten.server.settings import Settings
from phaseten.server.throttle import Bucket, Buckets, network_of


class Guard:
    """Stands before every request."""

    _tokens: Tokens

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._requests = Buckets(settings.limits.requests)
        self._guesses = Buckets(settings.limits.guesses)
        self._tables = Buckets(settings.limits.tables)
        self._analyses = Buckets(settings.limits.analyses)

    def forget_full(self) -> None:
        """Forget those who may do everything again."""
        for buckets in (self._requests, self._guesses, self._tables, self._analyses):
            buckets.forget_full()

    def limit_requests(self, connection: HTTPConnection) -> None:
        """Refuse whoever asks for too much."""
        if not self._requests.of(address_of(connection)).take():
            raise self.too_fast(connection)

    def guesses(self, connection: HTTPConnection) -> Bucket:
        """From which a token is to be taken for every name that does not exist; a problem where it is empty."""
        guesses = self.guesses_of(connection)
        if guesses.is_empty:
            raise self.too_fast(connection)
        return guesses

    def guesses_of(self, connection: HTTPConnection) -> Bucket:
        """The same, also where it is empty.

        Whoever has been here for long has a bucket apart from the address: others there may guess.
        """
        guest = self.guest(connection)
        return self._guesses.of(guest.owner if guest.is_known else address_of(connection))

    def too_fast(self, connection: HTTPConnection) -> ProblemError:
        """What is said to whoever asks too often."""
        return table_problem(429, "too-fast", connection)

    def limit_creation(self, connection: HTTPConnection) -> None:
        """Refuse whoever makes too much that has to be kept."""
        if not self._tables.of(address_of(connection)).take():
            raise self.too_fast(connection)

    def limit_analyses(self, connection: HTTPConnection) -> None:
        """Refuse whoever keeps the coach from others."""
        if not self._analyses.of(address_of(connection)).take():
            raise self.too_fast(connection)

    def check_origin(self, connection: HTTPConnection) -> None:
        """Refuse the pages of other sites."""
        if not is_same_origin(connection.headers, self._settings.origins):
            raise server_problem(403, "origin", connection)

    # -- who asks --------------------------------------------------------------------------------

    def open(self, tokens: Tokens) -> None:
        """From now on guests have these tokens."""
        self._tokens = tokens

    def guest(self, connection: HTTPConnection) -> Guest:
        """Who asks; somebody new, where there is no cookie or none that was given here."""
        return self.returning_guest(connection) or self._tokens.new()

    def returning_guest(self, connection: HTTPConnection) -> Guest | None:
        """Who asks, if that one has a token."""
        name = cookie_name(secure=self._settings.secure)
        return self._tokens.find(connection.cookies.get(name, ""))

    def cookie(self, token: str) -> dict[str, str]:
        """The header that sets a guest's cookie, or renews it."""
        return cookie_header(token, secure=self._settings.secure)


def address_of(connection: HTTPConnection) -> str:
    """Whose limits count: an address, or the network that somebody with IPv6 has."""
    return network_of(connection.client.host) if connection.client is not None else ""
