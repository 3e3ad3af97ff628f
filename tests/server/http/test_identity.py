"""Who asks, and from which page."""

import time

import pytest

from phaseten.server.http.identity import Tokens, cookie_header, is_same_origin

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


def test_a_cookie_is_set_again_before_a_browser_forgets_it() -> None:
    tokens = Tokens(b"key")
    now = int(time.time() / 60)
    ages = {
        days: tokens.find(tokens.sign(now - days * 24 * 60, bytes(14)).token) for days in (1, 31)
    }
    assert [guest is not None and guest.is_cookie_due for guest in ages.values()] == [False, True]
    assert tokens.new().is_cookie_due


def test_the_cookie_is_for_nobody_else() -> None:
    cookie = cookie_header("x" * 43, secure=True)["set-cookie"]
    name, *flags = cookie.split("; ")
    assert name == f"__Host-phaseten={'x' * 43}"
    assert set(flags) == {"Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax", "Secure"}
    plain = cookie_header("x" * 43, secure=False)["set-cookie"]
    assert plain.startswith(f"phaseten={'x' * 43}; ")
    assert "Secure" not in plain


def test_a_token_is_told_from_one_that_was_never_given() -> None:
    tokens = Tokens(bytes(32))
    guest = tokens.new()
    assert guest.is_new
    assert not guest.is_known
    found = tokens.find(guest.token)
    assert found is not None
    assert (found.owner, found.is_new) == (guest.owner, False)
    assert tokens.new().token != guest.token
    assert Tokens(bytes(31) + b"x").find(guest.token) is None, "another server's"
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for place in range(len(guest.token)):
        for letter in letters.replace(guest.token[place], ""):
            other = guest.token[:place] + letter + guest.token[place + 1 :]
            assert tokens.find(other) is None
    for other in ("", "x", "a" * 43, guest.token + "A", guest.token[:-1], "é" * 43):
        assert tokens.find(other) is None


def test_who_has_been_here_for_a_day_is_known() -> None:
    tokens = Tokens(bytes(32))
    now = tokens.new().issued
    for age, known in ((0, False), (23 * 60, False), (25 * 60, True), (10**6, True)):
        guest = tokens.find(tokens.sign(now - age, bytes(14)).token)
        assert guest is not None
        assert guest.is_known == known
