"""The server sends to push services, and is not led anywhere else."""

import asyncio

import pytest

from phaseten.server.push.delivery import (
    Endpoint,
    ForbiddenEndpointError,
    is_public,
    parse_endpoint,
    post,
)
from tests.server.push.push_service import push_service


@pytest.mark.parametrize(
    "text",
    [
        "",
        "push.example.org/a",
        "http://push.example.org/a",
        "https://push.example.org:8443/a",
        "https://push.example.org",
        "https://me:secret@push.example.org/a",
        "https://push.example.org/a b",
        "https://push.example.org/a\r\nhost: other",
        "https://push.example.org/é",
        "https://[::1/a",
        "https://push.example.org:99999/a",
        "file:///etc/passwd",
        "http://127.0.0.1:9000/a",
    ],
)
def test_what_is_no_push_service_is_refused(text: str) -> None:
    with pytest.raises(ForbiddenEndpointError):
        parse_endpoint(text, ("http://127.0.0.1:9001",))


def test_a_push_service_is_read_with_its_path() -> None:
    found = parse_endpoint("https://push.example.org/send/a?b=c")
    assert found == Endpoint("https", "push.example.org", 443, "/send/a?b=c")
    own = parse_endpoint("http://127.0.0.1:9000/a", ("http://127.0.0.1:9000",))
    assert own.origin == "http://127.0.0.1:9000"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "::1", "::", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1",
        "ff02::1", "2001:0:7f00:1::",
    ],
)  # fmt: skip
def test_addresses_that_only_this_machine_reaches_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_of_the_internet_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_name_is_judged_by_where_it_leads(host: str) -> None:
    with pytest.raises(ForbiddenEndpointError):
        asyncio.run(post(parse_endpoint(f"https://{host}/a"), {}, b""))


def test_what_a_push_service_answers() -> None:
    async def main() -> None:
        async with push_service() as service:
            endpoint = parse_endpoint(f"{service.origin}/x", (service.origin,))
            service.status = 410
            assert await post(endpoint, {"ttl": "5"}, b"abc", (service.origin,)) == 410
            pushed = await service.next()
            assert (pushed.path, pushed.headers["ttl"], pushed.body) == ("/x", "5", b"abc")
            assert pushed.headers["host"] == service.origin.removeprefix("http://")

    asyncio.run(main())


@pytest.mark.parametrize("said", [b"", b"hello\r\n", b"x" * 100_000], ids=len)
def test_whoever_answers_something_else_has_not_answered(said: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            with pytest.raises(OSError):  # noqa: PT011 - of whatever kind
                await post(parse_endpoint(f"{origin}/x", (origin,)), {}, b"", (origin,))

    asyncio.run(main())
