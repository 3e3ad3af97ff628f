"""What docs/deploy.md says works: the files of deploy/ are used as they are, but for names, ports and keys."""

import asyncio
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from phaseten.server.settings import parse_limits
from tests.patience import PATIENCE, wait_until
from tests.server.cluster import free_port
from tests.server.marathon import (
    Player,
    check_all,
    held_up,
    play_all,
    play_for,
    sit_down,
    slowed_down,
    strike,
)
from tests.server.service import FAST, SecretService, Service, browser, run
from tests.server.test_rolling import check_calm

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def program(name: str) -> str:
    """A program that only some machines have; the long tests say so where it is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: apt-get install {name})")
    return found


# -- what is written there -----------------------------------------------------------------------


def test_the_manual_points_at_every_file() -> None:
    manual = (ROOT / "docs" / "deploy.md").read_text()
    for path in DEPLOY.iterdir():
        assert f"(../deploy/{path.name})" in manual


def environment(text: str, word: str) -> dict[str, str]:
    """The settings in lines such as ``Environment=PHASETEN_PORT=8010``."""
    lines = [line for line in text.splitlines() if line.startswith(word)]
    assert lines
    return dict(re.findall(r"(PHASETEN_[A-Z]+)=(\S+)", " ".join(lines)))


@pytest.mark.parametrize(
    ("file", "word"), [("phaseten.service", "Environment="), ("Containerfile", "ENV ")]
)
def test_the_settings_are_understood(
    file: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is started with them, and listens elsewhere."""
    settings = environment((DEPLOY / file).read_text(), word)
    settings["PHASETEN_DATABASE"] = str(tmp_path / Path(settings["PHASETEN_DATABASE"]).name)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with SecretService(settings["PHASETEN_DATABASE"]) as service:
        answer = httpx.get(f"{service.url}/readyz", headers={"x-forwarded-for": "192.0.2.1"})
        assert answer.status_code == 200
        is_secure = "strict-transport-security" in answer.headers
        assert is_secure == (settings.get("PHASETEN_SECURE") == "true")


@pytest.mark.parametrize("file", ["phaseten.service", "Containerfile"])
def test_memory_can_be_given_back(file: str) -> None:
    """Python's own allocator returns next to nothing: see docs/server.md."""
    lines = (DEPLOY / file).read_text().splitlines()
    assert {"Environment=PYTHONMALLOC=malloc", "ENV PYTHONMALLOC=malloc"} & set(lines)


def test_the_limits_of_the_manual_exist() -> None:
    manual = (ROOT / "docs" / "deploy.md").read_text()
    parse_limits(re.findall(r"--limit (\S+=[0-9/.]+)", manual))


@pytest.mark.long
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    unit = tmp_path / "phaseten.service"
    text = (DEPLOY / "phaseten.service").read_text()
    assert "/opt/phaseten/bin/phaseten" in text
    unit.write_text(
        text.replace("/opt/phaseten/bin/phaseten", str(Path(sys.executable).with_name("phaseten")))
    )
    done = subprocess.run([analyze, "verify", unit], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    security = [analyze, "security", "--offline=true", "--threshold=20", unit]
    done = subprocess.run(security, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_nginx_takes_the_file_with_a_certificate(tmp_path: Path) -> None:
    nginx, openssl = program("nginx"), program("openssl")
    keys = [
        openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=cards.example.org",
        "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem",
    ]  # fmt: skip
    subprocess.run(keys, check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text()
    text = text.replace("/etc/letsencrypt/live/cards.example.org", str(tmp_path))
    check = [nginx, "-t", "-e", "stderr", "-c", nginx_file(tmp_path, text)]
    done = subprocess.run(check, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# -- behind a proxy ------------------------------------------------------------------------------


class Proxy(NamedTuple):
    """A proxy that runs; what it needs to know stands in its file."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def nginx_file(folder: Path, text: str) -> Path:
    """The file of a whole nginx whose sites are these."""
    site, whole = folder / "site.conf", folder / "nginx.conf"
    site.write_text(text)
    whole.write_text(
        f"daemon off; pid {folder}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ access_log off; include {site}; }}\n"
    )
    return whole


def nginx(folder: Path, port: int, nodes: list[Service]) -> list[str]:
    """deploy/nginx.conf without TLS, on this port, for these nodes."""
    text = (DEPLOY / "nginx.conf").read_text().partition("server {\n    listen 80")[0]
    text = text.replace("listen 443 ssl;", f"listen 0.0.0.0:{port};")
    text = re.sub(r" *(listen \[::\]|ssl_certificate).*\n", "", text)
    (line,) = [line for line in text.splitlines() if "server 127.0.0.1:8010" in line]
    text = text.replace(line, "\n".join(line.replace("8010", str(node.port)) for node in nodes))
    return [program("nginx"), "-e", "stderr", "-c", str(nginx_file(folder, text))]


def caddy(folder: Path, port: int, nodes: list[Service]) -> list[str]:
    """deploy/Caddyfile without TLS, on this port, for these nodes."""
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace("cards.example.org {", f":{port} {{")
    text = text.replace("127.0.0.1:8010", " ".join(f"127.0.0.1:{node.port}" for node in nodes))
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}")
    return [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]


Starting = Callable[[Path, int, list[Service]], list[str]]
PROXIES = pytest.mark.parametrize("starting", [nginx, caddy], ids=["nginx", "caddy"])


@contextmanager
def proxied(starting: Starting, folder: Path, nodes: list[Service]) -> Generator[Proxy]:
    proxy = Proxy(free_port())
    command = starting(folder, proxy.port, nodes)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:

        def answers() -> bool:
            assert process.poll() is None, (folder / "log").read_text()
            try:
                return httpx.get(f"{proxy.url}/healthz", timeout=PATIENCE).is_success
            except httpx.TransportError:
                return False

        wait_until(answers, "an answer of the proxy")
        yield proxy
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.mark.long
@PROXIES
def test_a_game_through_a_proxy(starting: Starting, tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    options = (*FAST, "--proxies", "127.0.0.1", "--secure")
    with Service(database, *options) as service, proxied(starting, tmp_path, [service]) as proxy:

        async def main() -> None:
            players = await sit_down([proxy], 2, seats=3, variant="phases=1", edition="express")
            await play_all([players])
            assert players[0].lost == []
            await check_all(database, [players])
            async with browser(proxy) as http:
                assert (await http.get("/metrics")).status_code == 403
                answer = await http.post("/api/tables", json={"name": "Ana"})
                assert "strict-transport-security" in answer.headers
                assert "Secure" in answer.headers["set-cookie"]

        run(main)


@pytest.mark.long
@PROXIES
def test_a_proxy_says_who_asks_and_clients_cannot(starting: Starting, tmp_path: Path) -> None:
    options = ("--proxies", "127.0.0.1", "--limit", "guesses=3/0.001")
    with (
        Service(str(tmp_path / "tables.sqlite"), *options) as service,
        proxied(starting, tmp_path, [service]) as proxy,
    ):

        async def guess(address: str, pretended: str = "") -> int:
            transport = httpx.AsyncHTTPTransport(local_address=address)
            headers = {"x-forwarded-for": pretended} if pretended else {}
            async with httpx.AsyncClient(transport=transport, base_url=proxy.url) as http:
                answer = await http.get("/api/tables/ABCDEFGH", headers=headers)
            return answer.status_code

        async def main() -> None:
            assert [await guess("127.0.0.1") for _ in range(4)] == [404, 404, 404, 429]
            assert await guess("127.0.0.1", "192.0.2.7") == 429, "it believes what a client says"
            assert await guess("127.0.0.2") == 404, "another address has its own limit"

        run(main)


@pytest.mark.long
@PROXIES
def test_a_page_of_the_proxy_may_connect(starting: Starting, tmp_path: Path) -> None:
    with (
        Service(str(tmp_path / "tables.sqlite")) as service,
        proxied(starting, tmp_path, [service]) as proxy,
    ):
        for origin, status in ((proxy.url, 201), ("http://evil.example", 403)):
            answer = httpx.post(
                f"{proxy.url}/api/tables", json={"name": "Ana"}, headers={"origin": origin}
            )
            assert answer.status_code == status, origin


@pytest.mark.long
@PROXIES
def test_a_rolling_restart_behind_a_proxy(
    starting: Starting, tmp_path: Path, new_database: Callable[[], str]
) -> None:
    """As docs/deploy.md describes it: one node after the other; nobody sees anything but a reconnect."""
    url = new_database()
    options = (*FAST, "--proxies", "127.0.0.1")
    with (
        Service(url, *options) as one,
        Service(url, *options) as two,
        proxied(starting, tmp_path, [one, two]) as proxy,
    ):
        order = [one, two] * 2
        wrong: list[str] = []
        tables: list[list[Player]] = []

        async def restart() -> None:
            node = order[0]
            async with slowed_down(tables, 20):
                await asyncio.to_thread(node.stop)
            await play_for(tables, 10)
            async with held_up(tables):
                await asyncio.to_thread(node.start)
            order.pop(0)

        async def look_around() -> None:
            async with browser(proxy) as http:
                while order:
                    for path in ("/readyz", "/api/tables"):
                        answer = await http.get(path)
                        if not answer.is_success:
                            wrong.append(f"{path} {answer.status_code} {answer.text}")
                    await asyncio.sleep(0.02)

        async def main() -> None:
            tables[:] = [await sit_down([proxy], 2) for _ in range(3)]
            await play_all(tables, strike(tables, 4, random.Random(3), restart), look_around())
            assert wrong == []
            await check_all(url, tables)
            check_calm(tables, one, two)

        run(main)
