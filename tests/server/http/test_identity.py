"""Who asks, and from which page."""

import pytest

from phaseten.server.http.identity import is_same_origin, new_guest

HOST = "cards.example:8010"


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        (None, HOST, True),  # a program
        (f"http://{HOST}", HOST, True),
        (f"https://{HOST}", HOST, True),  # a proxy speaks https
        (f"http://{HOST.upper()}", HOST, True),
        ("https://friend.example", HOST, True),
        ("http://cards.example", HOST, False),  # another port
        ("http://evil.example", HOST, False),
        (f"http://evil.example/{HOST}", HOST, False),
        (f"http://{HOST}.evil.example", HOST, False),
        (f"http://evil@{HOST}", HOST, False),
        (f"ftp://{HOST}", HOST, False),
        (f"file://{HOST}", HOST, False),
        (HOST, HOST, False),
        ("", HOST, False),
        ("null", HOST, False),
        ("null", "", False),
        ("null", None, False),
        ("http://", "", False),
        ("https://friend.example.evil.example", HOST, False),
    ],
)
def test_only_pages_of_this_server(origin: str | None, host: str | None, same: bool) -> None:
    headers = {"origin": origin, "host": host}
    given = {name: value for name, value in headers.items() if value is not None}
    assert is_same_origin(given, ("https://friend.example",)) == same


def test_the_cookie_is_for_nobody_else() -> None:
    cookie = new_guest("x" * 43).headers(secure=True)["set-cookie"]
    name, *flags = cookie.split("; ")
    assert name == f"phaseten={'x' * 43}"
    assert set(flags) == {"Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax", "Secure"}
    assert "Secure" not in new_guest("x" * 43).headers(secure=False)["set-cookie"]
