"""A real server with the built client, and a real Chromium."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

import hatch_build
from tests.browser.people import People
from tests.server.service import FAST, Service

ROOT = Path(__file__).resolve().parents[2]
GENEROUS = (
    *FAST,
    "--limit=guesses=100000/100000",
    "--limit=talk=100000/100000",
    "--limit=hints=100000/100000",
)
LIVING_ROOM = "living-room.test"
"""The server under a name for other devices: there is no https, and less that browsers allow."""
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # A browser test waits for its server and its browser: with other tests between them they would
    # be started again and again.
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def unavailable(what: str) -> None:
    """Skip; but where everything has to be checked, fail."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def built() -> Path:
    """The client, as its sources are now; built once by whichever worker comes first."""
    with (Path(tempfile.gettempdir()) / "phaseten-site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if hatch_build.needs_site(ROOT):
            hatch_build.build_site(ROOT)
    return ROOT / hatch_build.SITE


@pytest.fixture(scope="session")
def service(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running server with the client. Tests that stop it start one of their own."""
    assert (built / "index.html").exists()
    with Service(str(tmp_path_factory.mktemp("site") / "tables.sqlite"), *GENEROUS) as service:
        wait_for(service)
        yield service


def wait_for(service: Service) -> None:
    """Until it answers."""
    for _ in range(200):
        try:
            if httpx.get(f"{service.url}/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(f"the server does not answer:\n{service.logged}")


@pytest.fixture(scope="session")
def site(service: Service) -> str:
    """Where the client is served."""
    return service.url


# Not for the session: as long as Playwright runs, no other test of the process has an event loop.
@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Playwright's own Chromium, or the system's."""
    found = find_chromium(playwright)
    if found is None:
        unavailable(
            "there is no Chromium: apt-get install chromium, or playwright install chromium"
        )
    browser = playwright.chromium.launch(
        executable_path=found,
        args=["--no-sandbox", f"--host-resolver-rules=MAP {LIVING_ROOM} 127.0.0.1"],
    )
    yield browser
    browser.close()


def find_chromium(playwright: Playwright) -> str | None:
    own = Path(playwright.chromium.executable_path)
    return str(own) if own.exists() else next(filter(None, map(shutil.which, CHROMIUMS)), None)


@pytest.fixture
def people(browser: Browser, site: str) -> Iterator[People]:
    """Opens pages as different people; nothing may go wrong in any of them."""
    people = People(browser, site)
    yield people
    people.close()
    assert not people.problems, "\n".join(people.problems)
