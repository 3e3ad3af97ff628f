"""Rates, places, and how they are set."""

import pytest

from phaseten.server import throttle
from phaseten.server.settings import LimitError, Limits, Rate, parse_limits
from phaseten.server.throttle import Bucket, Buckets, Slots, network_of


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills() -> None:
    clock = Clock()
    bucket = Bucket(Rate(3, 0.5), clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert bucket.is_empty
    clock.now += 2
    assert not bucket.is_empty
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 1_000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False], "no more than the burst"


def test_each_address_has_its_own() -> None:
    buckets = Buckets(Rate(1, 0.1), Clock())
    assert buckets.of("a").take()
    assert not buckets.of("a").take()
    assert buckets.of("b").take()


def test_memory_is_bounded_and_who_was_not_seen_for_long_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(throttle, "_MOST_KEPT", 3)
    buckets = Buckets(Rate(1, 0.1), Clock())
    buckets.of("a").take()
    for address in "bcd":
        buckets.of(address)
    assert buckets.of("a").is_empty, "of the generation before"
    for number in range(1_000):
        buckets.of(str(number))
        assert buckets.of("a").is_empty, "seen again and again"
    assert len(buckets._young) + len(buckets._old) <= 6
    for number in range(6):
        buckets.of(f"other {number}")
    assert not buckets.of("a").is_empty


def test_full_buckets_can_be_forgotten_and_others_cannot() -> None:
    clock = Clock()
    buckets = Buckets(Rate(3, 0.5), clock)
    for number in range(10):
        buckets.of(f"guest {number}").take()
    clock.now += 1.5
    assert [buckets.of("busy").take() for _ in range(3)] == [True] * 3
    clock.now += 0.5
    buckets.forget_full()
    assert len(buckets._young) + len(buckets._old) == 1
    assert buckets.of("busy").is_empty


def test_a_bucket_that_is_full_again_is_not_kept() -> None:
    clock = Clock()
    buckets = Buckets(Rate(3, 0.5), clock)
    for number in range(1_000):
        buckets.of(f"guest {number}").take()
    busy = buckets.of("busy")
    for _ in range(4):
        clock.now += 2  # it is used more often than it fills up
        assert buckets.of("busy") is busy
        buckets.of(f"other {clock.now}")
    clock.now += 6
    buckets.of("one")
    clock.now += 6
    buckets.of("another")
    assert len(buckets._young) + len(buckets._old) <= 3
    assert [buckets.of("guest 1").take() for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("unix:", "unix:", True),
        ("a", "b", False),
    ],
)
def test_what_counts_as_one_client(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) == same


def test_places() -> None:
    places = Slots(3, 2)
    with places.slot("a") as first, places.slot("a") as second, places.slot("a") as third:
        assert (first, second, third) == (True, True, False)
        with places.slot("b") as other, places.slot("c") as full:
            assert (other, full) == (True, False)
    with places.slot("a") as again:
        assert again


def test_limits_can_be_set() -> None:
    found = parse_limits(["messages=5/0.5", "connections=7"])
    assert found == Limits(messages=Rate(5, 0.5), connections=7)
    assert parse_limits([]) == Limits()


@pytest.mark.parametrize(
    "text", ["nothing=1", "messages", "messages=5", "connections=x", "talk=0/1"]
)
def test_limits_that_cannot_be_read(text: str) -> None:
    with pytest.raises(LimitError):
        parse_limits([text])
