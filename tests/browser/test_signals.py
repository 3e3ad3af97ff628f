"""What calls somebody back to the table: title, chime, notifications, and messages when the page is closed.

That a page is hidden is pretended everywhere. Notifications are real in a Chromium that has windows; the headless
shell shows none and allows none, so that permission is pretended there, and so is a push service.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.conftest import CHROMIUMS, unavailable
from tests.browser.people import LAPTOP, PATIENCE, SETTINGS, People, assert_accessible
from tests.browser.tables import ask, beside, discard, draw, open_beside, sit_down, small, somebody
from tests.server.service import Service

DAY = 86_400
LONG: dict[str, object] = {"timer": DAY, "custom": small("run 6", deal=6)}
"""Much time for each turn, and nobody loses the first one."""
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
NOTICING = """
    let hidden = false;
    Object.defineProperty(Document.prototype, "hidden", { get: () => hidden });
    window.hide = (on) => { hidden = on; document.dispatchEvent(new Event("visibilitychange")); };
    window.tones = [];
    const Oscillator = window.OscillatorNode;
    window.OscillatorNode = class extends Oscillator {
        constructor(context, options) { super(context, options); window.tones.push(options.frequency); }
    };
    window.locks = [];
    const request = WakeLock.prototype.request;
    WakeLock.prototype.request = async function (kind) {
        const lock = await request.call(this, kind);
        window.locks.push(lock);
        return lock;
    };
"""
NOT_INSTALLED = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name == "cryptography" else find(name, *more)
"""
SHOWN = """async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    return shown.map(({ title, data }) => [title, data]);
}"""
TAPPING = """() => {
    let work = [];
    let went = [];
    ExtendableEvent.prototype.waitUntil = (one) => work.push(one);
    WindowClient.prototype.focus = async function () { went.push(["focus", new URL(this.url).pathname]); };
    clients.openWindow = async (path) => void went.push(["open", path]);
    self.tap = async () => {
        [work, went] = [[], []];
        const [notification] = await registration.getNotifications();
        dispatchEvent(new NotificationEvent("notificationclick", { notification }));
        await Promise.all(work);
        return went;
    };
}"""
"""No program can tap a notification, and only after a tap does a browser let pages come forward."""
SUBSCRIBING = f"""
    Object.defineProperty(Notification, "permission", {{ get: () => "default" }});
    Notification.requestPermission = async () => "granted";
    const bytes = (text) => Uint8Array.from(
        atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0)).buffer;
    const keys = {{ p256dh: "{POINT}", auth: "{AUTH}" }};
    let subscription = null;
    PushManager.prototype.getSubscription = async () => subscription;
    PushManager.prototype.subscribe = async (options) => {{
        subscription = {{
            endpoint: "https://push.example.org/ana",
            options: {{ applicationServerKey: bytes(options.applicationServerKey) }},
            getKey: (name) => bytes(keys[name]),
            unsubscribe: async () => {{ subscription = null; return true; }},
        }};
        return subscription;
    }};
"""
"""A browser that has a push service, which a headless one has not."""

SUBSCRIBE = """async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    await pushManager.subscribe({ applicationServerKey: "AAAA" });
}"""
"""What is pretended is gone with the page."""


def at_slow_table(people: People, ana: Page) -> tuple[str, Page]:
    """Ana and Beto at a table with a long clock, and it is Ana's turn; its code, and Beto's browser."""
    code = open_beside(ana, 2, LONG)
    ask(ana, code, {"do": "sit", "seat": 1, "name": "Ana"})
    ana.goto(f"/table/{code}")
    beto = people.open(f"/table/{code}", name="Beto")
    sit_down(beto, "Beto")
    expect(ana.locator("[data-seat='2']").first).to_contain_text("Beto")
    ask(ana, code, {"do": "start"})
    expect(ana.locator("[data-pile=draw]:enabled")).to_be_visible()
    return code, beto


def play_beside(page: Page, code: str) -> None:
    """The person of that page plays a turn."""
    with beside(page, code) as table:
        while True:
            table.until(lambda update: bool(update["actions"]))
            actions: list[dict[str, Any]] = table.update["actions"]
            wanted = next((one for one in actions if one["do"] == "draw"), None)
            action = wanted or next(one for one in actions if one["do"] == "discard")
            table.ask(**action, at=table.update["version"])
            if wanted is None:
                return


@pytest.fixture
def desktop(playwright: Playwright, service: Service) -> Iterator[People]:
    """People with a Chromium that has windows, though nobody sees them."""
    own = playwright.chromium.executable_path
    found = next(filter(None, map(shutil.which, (own, *CHROMIUMS[1:]))), None)
    if found is None:
        unavailable("Notifications need a Chromium with windows: apt-get install chromium.")
    browser = playwright.chromium.launch(
        executable_path=found,
        headless=False,
        timeout=PATIENCE,
        args=["--no-sandbox", "--headless=new"],
    )
    people = People(browser, service.url)
    yield people
    people.close()
    browser.close()
    assert not people.problems, "\n".join(people.problems)


def allow(page: Page, *permissions: str) -> None:
    """Let the browser of that page allow these."""
    browser = page.context.browser
    assert browser is not None
    target = page.context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]
    context = target["browserContextId"]
    browser.new_browser_cdp_session().send(
        "Browser.grantPermissions", {"browserContextId": context, "permissions": permissions}
    )


def test_who_looks_elsewhere_is_called_and_the_screen_stays_on(desktop: People) -> None:
    told = {"name": "Ana", "theme": "light", "text": "normal", "notify": True}
    ana = somebody(
        desktop, LAPTOP, offline_copy=True, storage={SETTINGS.removeprefix("phaseten."): told}
    )
    desktop.expect_problem("Push API in incognito")  # which every context of a test is
    allow(ana, "notifications", "wakeLockScreen")
    ana.add_init_script(NOTICING)
    code, beto = at_slow_table(desktop, ana)
    ana.evaluate("async () => void (await navigator.serviceWorker.ready)")
    ana.wait_for_function("() => locks.length === 1 && !locks[0].released")
    draw(ana)
    discard(ana)
    ana.wait_for_function("() => !document.title.includes('●')")
    ana.evaluate("tones.length = 0; hide(true)")
    assert ana.evaluate(SHOWN) == []
    play_beside(beto, code)
    ana.wait_for_function("() => document.title.startsWith('● Your turn')")
    ana.wait_for_function("() => tones.includes(660) && tones.includes(880)")
    while not (shown := ana.evaluate(SHOWN)):
        ana.wait_for_timeout(20)
    assert shown == [["Your turn", {"path": f"/table/{code}"}]]
    tap, show = tapping(ana)
    assert tap() == [["focus", f"/table/{code}"]]
    assert ana.evaluate(SHOWN) == []
    ana.evaluate("hide(false)")
    ana.goto("/")
    show(code)
    assert tap() == [["open", f"/table/{code}"]]


def tapping(page: Page) -> tuple[Callable[[], Any], Callable[[str], Any]]:
    """Taps the notification that the service worker has shown, and says where that leads; and shows another one."""
    (worker,) = page.context.service_workers
    worker.evaluate(TAPPING)
    again = (
        "code => registration.showNotification('Your turn', { data: { path: `/table/${code}` } })"
    )
    return lambda: worker.evaluate("() => tap()"), lambda code: worker.evaluate(again, code)


def test_a_closed_page_is_asked_about_when_there_is_time_and_never_at_first(people: People) -> None:
    ana = somebody(people, offline_copy=True)
    ana.add_init_script(SUBSCRIBING)
    at_slow_table(people, ana)
    question = ana.get_by_text("also when this page is closed")
    expect(question).to_have_count(0)
    draw(ana)
    expect(question).to_have_count(0)
    discard(ana)
    expect(question).to_be_visible()
    assert_accessible(ana)
    with ana.expect_response(
        lambda one: one.request.method == "POST" and one.status == 204
    ) as kept:
        ana.get_by_role("button", name="Yes, tell me").click()
    assert json.loads(kept.value.request.post_data or "") == {
        "endpoint": "https://push.example.org/ana",
        "p256dh": POINT,
        "auth": AUTH,
    }
    expect(question).to_have_count(0)
    ana.goto("/")
    ana.get_by_role("button", name="Settings").click()
    with ana.expect_response(
        lambda one: one.request.method == "DELETE" and one.status == 204
    ) as gone:
        ana.evaluate(SUBSCRIBE)
        ana.get_by_role("switch", name="Tell me when it is my turn").uncheck()
    assert json.loads(gone.value.request.post_data or "") == {
        "endpoint": "https://push.example.org/ana"
    }


class WithoutPush(Service):
    """A server that was installed without the extra ``push``."""

    def __init__(self, folder: Path) -> None:
        (folder / "sitecustomize.py").write_text(NOT_INSTALLED)
        self._beside = folder
        super().__init__(str(folder / "tables.sqlite"))

    @property
    def python_path(self) -> str:
        return os.pathsep.join([str(self._beside), super().python_path])


@pytest.mark.long
def test_where_the_server_cannot_send_nobody_is_asked(browser: Browser, tmp_path: Path) -> None:
    with WithoutPush(tmp_path) as service:
        people = People(browser, service.url)
        ana = somebody(people, offline_copy=True)
        ana.add_init_script(SUBSCRIBING)
        at_slow_table(people, ana)
        draw(ana)
        with ana.expect_response("**/api/push") as offered:
            discard(ana)
        assert offered.value.json() == {"key": ""}
        ana.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(done)))")
        expect(ana.get_by_text("also when this page is closed")).to_have_count(0)
        asked = {"endpoint": "https://push.example.org/ana", "p256dh": POINT, "auth": AUTH}
        answer = ana.request.post("/api/push", data=asked)
        assert answer.status == 404
        assert "pip install 'phaseten[push]'" in answer.text()
        assert "cryptography is not installed" in service.logged
        people.close()


def test_a_message_from_the_server_is_shown_and_leads_to_the_table(people: People) -> None:
    page = people.open("/", offline_copy=True)
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    (worker,) = page.context.service_workers
    worker.evaluate(
        "() => { self.shown = []; self.registration.showNotification = async (title, more) => "
        "void self.shown.push({ title, ...more }); }"
    )
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    message = {"title": "Your turn at table ABCDEFGH", "code": "ABCDEFGH"}
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": page.evaluate("location.origin"),
            "registrationId": found[0],
            "data": json.dumps(message),
        },
    )
    while not (shown := worker.evaluate("() => self.shown")):
        page.wait_for_timeout(20)
    assert [(one["title"], one["data"]) for one in shown] == [
        (message["title"], {"path": "/table/ABCDEFGH"})
    ]
    assert shown[0]["tag"] == "turn-ABCDEFGH"
