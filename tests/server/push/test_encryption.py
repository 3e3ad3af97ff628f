"""Messages that only one browser can read, from a server that anybody can tell."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from phaseten.server.push.encryption import (
    CURVE,
    ServerKeys,
    check_receiver,
    decode,
    encode,
    encrypt,
    new_private,
)
from tests.server.push.push_service import Browser, signed_claims

# RFC 8291, section 5 and appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
    "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard() -> None:
    once = ec.derive_private_key(int.from_bytes(decode(SENDER)), CURVE)
    assert encode(encrypt(TEXT, POINT, AUTH, once=once, salt=decode(SALT))) == BODY
    assert Browser(RECEIVER, AUTH).read(decode(BODY)) == TEXT


def test_no_two_messages_look_alike_and_both_can_be_read() -> None:
    browser = Browser()
    keys = browser.subscribed("https://push.example.org/a")
    one, two = (encrypt(TEXT, keys["p256dh"], keys["auth"]) for _ in range(2))
    assert one != two
    assert browser.read(one) == browser.read(two) == TEXT
    assert TEXT not in one


def test_the_server_says_who_it_is() -> None:
    keys = ServerKeys(new_private())
    said = keys.authorization("https://push.example.org", "https://cards.example.org", 1_000)
    assert signed_claims(said, keys.public) == {
        "aud": "https://push.example.org",
        "exp": 1_000,
        "sub": "https://cards.example.org",
    }
    assert len(new_private()) == 64


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (POINT[:-4], AUTH),
        (POINT[:20] + "AAAA" + POINT[24:], AUTH),
        (POINT, ""),
        (POINT, "AAAA"),
        (POINT, "no base64!"),
    ],
)
def test_what_no_browser_has_is_refused(p256dh: str, auth: str) -> None:
    check_receiver(POINT, AUTH)
    with pytest.raises(ValueError):  # noqa: PT011 - what is wrong with it helps nobody
        check_receiver(p256dh, auth)
