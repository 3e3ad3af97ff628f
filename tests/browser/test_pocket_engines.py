"""The game without a server in Firefox and WebKit: its worker starts there, keeps every step, and goes on after the page was loaded again."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import unavailable
from tests.browser.engines import ENGINES, Visitor, missing
from tests.browser.test_pocket import SHORT, WebHost

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
HELD = "[...document.querySelectorAll('[data-held]')].map(one => one.dataset.held).sort().join()"
KEPT = """(async () => {
    for (;;) {
        for (const name of await caches.keys())
            for (const { url } of await (await caches.open(name)).keys())
                if (url.includes("/memory-")) return true;
        await new Promise(done => setTimeout(done, 100));
    }
})()"""
"""Waits until the first start has kept what makes the next one faster."""


@pytest.fixture(params=ENGINES)
def ana(request: pytest.FixtureRequest, built: Path, tmp_path: Path) -> Iterator[Visitor]:
    """Somebody comes with such a browser to pages on a plain web host."""
    assert (built / "index.html").exists()
    if lacks := missing(request.param):
        unavailable(f"apt-get install {lacks}")
    host = WebHost(tmp_path / "some" / "path")
    with Visitor(ENGINES[request.param](), host.url) as visitor:
        yield visitor
    host.close()


def test_a_game_without_a_server(ana: Visitor) -> None:
    ana.go("")
    ana.see(".play .button")
    for key, value in {"setup": SHORT, "pointers": {"shown": 3}}.items():
        ana.value(f"localStorage.setItem('phaseten.{key}', {json.dumps(json.dumps(value))})")
    ana.go("")
    ana.click(".play .button")
    ana.see("[data-pile=draw]:enabled")
    ana.click("[data-pile=draw]:enabled")
    ana.until("document.querySelectorAll('[data-pile=draw]:enabled').length === 0")
    held = ana.value(HELD)
    assert held
    assert ana.value(KEPT)
    ana.value("void location.reload()")
    ana.until(f"{HELD} === {json.dumps(held)}")
    assert ana.value("document.body.innerText").count("could not be loaded") == 0
