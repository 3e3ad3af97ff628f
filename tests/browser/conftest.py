"""A real server with the built client, and a real Chromium."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

import hatch_build
from tests.browser.people import PATIENCE, People
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
expect.set_options(timeout=PATIENCE)
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What tests need, and then what has windows too."""


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups, whatever is loaded first
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
    """A running server with the client, whose deals can be foreseen."""
    assert (built / "index.html").exists()
    database = tmp_path_factory.mktemp("site") / "tables.sqlite"
    with Service(str(database), *GENEROUS) as service:
        assert httpx.get(f"{service.url}/readyz", timeout=PATIENCE / 1_000).is_success
        yield service


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
            "there is no Chromium: apt-get install chromium-headless-shell, or playwright install chromium"
        )
    browser = playwright.chromium.launch(
        executable_path=found,
        timeout=PATIENCE,
        args=["--no-sandbox", f"--host-resolver-rules=MAP {LIVING_ROOM} 127.0.0.1"],
    )
    yield browser
    browser.close()


def find_chromium(playwright: Playwright) -> str | None:
    own = Path(playwright.chromium.executable_path)
    return str(own) if own.exists() else next(filter(None, map(shutil.which, CHROMIUMS)), None)


@pytest.fixture
def people(browser: Browser, service: Service) -> Iterator[People]:
    """Opens pages as different people; nothing may go wrong in any of them."""
    people = People(browser, service.url)
    logged = len(service.logged)
    yield people
    people.close()
    print(service.logged[logged:])  # shown where the test has failed
    assert not people.problems, "\n".join(people.problems)
