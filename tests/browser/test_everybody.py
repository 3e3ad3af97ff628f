"""Every page for everybody: languages, looks, keyboard, screen readers, no network."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import (
    LANGUAGES,
    LAPTOP,
    PHONE,
    SMALL_PHONE,
    TABLET,
    TELEVISION,
    THEMES,
    People,
    assert_accessible_in_all_themes,
    assert_fits,
    assert_fits_with_large_text_too,
    assert_translated,
)
from tests.effort import every, mainly

Going = Callable[[Page], None]


def stay(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def choose_game(page: Page) -> None:
    page.locator("button.setup").click()
    page.locator("details > summary").click()


def open_settings(page: Page) -> None:
    page.locator("header button.icon-button").last.click()
    expect(page.get_by_role("dialog")).to_be_visible()


INVITATION = {
    "code": "ABCD2345",
    "link": "http://192.168.1.20:8010/join/ABCD2345",
    "qr": {"size": 33, "path": "M4 4h25v25h-25z"},
    "warning": "",
}


def enter_lobby(page: Page) -> None:
    # Nobody else reaches the server of the tests, and then there is no QR code.
    page.route("**/invitation", lambda route: route.fulfill(json=INVITATION))
    page.locator(".ways > button.button").click()
    expect(page.locator("[data-seat]").first).to_be_visible()
    page.locator(".column details > summary").click()


def open_free_seat(page: Page) -> None:
    enter_lobby(page)
    page.locator("[data-seat='2'] button").click()


def open_options(page: Page) -> None:
    enter_lobby(page)
    page.locator(".game button").click()


PLACES: dict[str, tuple[str, Going]] = {
    "start": ("/", stay),
    "game": ("/", choose_game),
    "settings": ("/", open_settings),
    "join": ("/join", stay),
    "watch": ("/watch", stay),
    "move": ("/move/abcdefghijklmnopqrstuv", stay),
    "lobby": ("/", enter_lobby),
    "seat": ("/", open_free_seat),
    "options": ("/", open_options),
}


def visit(people: People, language: str = "en") -> Iterator[Page]:
    """One after the other, in the same browser: another one for each would take its time."""
    page = people.open("", name="Ana", language=language)
    for path, going in PLACES.values():
        page.goto(path)
        going(page)
        yield page


@pytest.mark.parametrize("language", mainly(LANGUAGES, "es"))
def test_every_page_is_translated_and_fits_a_small_phone(people: People, language: str) -> None:
    for page in visit(people, language):
        assert page.locator("html").get_attribute("lang") == language
        assert_translated(page)
        assert_fits(page)


def test_every_size_fits(people: People) -> None:
    screens = (PHONE, TABLET, LAPTOP, TELEVISION, SMALL_PHONE)
    for turn, page in enumerate(visit(people, "fr")):
        for screen in every(2, screens, turn):
            page.set_viewport_size({"width": screen.width, "height": screen.height})
            assert_fits_with_large_text_too(page)


def test_axe_finds_nothing(people: People) -> None:
    for turn, page in enumerate(visit(people)):
        assert_accessible_in_all_themes(page, turn)


def test_languages_do_not_repeat_english(people: People) -> None:
    words = {
        language: people.open(language=language).locator(".ways").inner_text()
        for language in LANGUAGES
    }
    assert len(set(words.values())) == len(LANGUAGES)


def test_settings_take_effect_at_once_and_stay(people: People) -> None:
    page = people.open()
    open_settings(page)
    page.get_by_label("Your name").fill("Inés")
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Large").check()
    page.get_by_role("switch", name="Sounds").uncheck()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-text", "large")
    page.get_by_label("Language").select_option("es")
    expect(page.get_by_role("dialog", name="Ajustes")).to_be_visible()
    expect(root).to_have_attribute("lang", "es")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Jugar ya")).to_be_visible()

    page.reload()
    expect(page.get_by_role("button", name="Jugar ya")).to_be_visible()
    expect(root).to_have_attribute("data-theme", "dark")
    open_settings(page)
    expect(page.get_by_label("Tu nombre")).to_have_value("Inés")
    expect(page.get_by_role("switch", name="Sonidos")).not_to_be_checked()


def test_the_device_decides_where_nobody_has(people: People) -> None:
    page = people.open(theme="auto", color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_choice_of_the_game_is_remembered(people: People) -> None:
    page = people.open()
    page.locator("button.setup").click()
    page.get_by_role("button", name="Fewer").click()
    page.get_by_role("radio", name="master").check()
    page.get_by_role("radio", name="Express").check()
    page.keyboard.press("Escape")
    expect(page.locator("button.setup")).to_contain_text("Express · 2 opponents, master")
    page.reload()
    expect(page.locator("button.setup")).to_contain_text("Express · 2 opponents, master")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-hand] [data-held]")).to_have_count(5)


def test_back_and_forth(people: People) -> None:
    page = people.open()
    page.get_by_role("link", name="Join").click()
    expect(page).to_have_title(re.compile("Join"))
    page.get_by_role("link", name="Start page").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Code of the table")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page).to_have_title(re.compile("phaseten"))


# -- colours ------------------------------------------------------------------------------------

SIMULATIONS = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""How light becomes what somebody sees: Machado, Oliveira and Fernandes, 2009."""

INKS = """() => [...document.querySelectorAll("svg[data-card]")].flatMap(card => {
    const colour = (what, property) => getComputedStyle(card.querySelector(what))[property];
    if (!/^[A-Z]\\d+$/.test(card.dataset.card)) return [];
    return {
        color: card.dataset.card[0],
        shapes: [...card.querySelectorAll(".small-shape, .shape")].map(one => one.getAttribute("d")),
        face: colour(".face", "fill"),
        band: colour(".band", "fill"),
        numeral: colour(".on-band .numeral", "stroke"),
        edge: colour(".shape", "stroke"),
        quiet: colour(".quiet .numeral", "stroke"),
    };
})"""


@pytest.mark.parametrize("theme", THEMES)
def test_cards_can_be_told_by_those_who_see_other_colours(people: People, theme: str) -> None:
    shapes: dict[str, set[str]] = {}
    for edition in ("classic", "anniversary"):  # together they have all five colours
        page = people.open("/learn/phases", theme=theme, learn={"edition": edition})
        expect(page.locator("svg[data-card]").first).to_be_visible()
        for card in page.evaluate(INKS):
            assert len(card["shapes"]) == 2, card  # one is in the strip that a fan leaves visible
            shapes.setdefault(card["color"], set()).update(card["shapes"])
            for seen_by, simulation in SIMULATIONS.items():
                least = 4.5 if seen_by == "everybody" else 3
                for on, ink in (("band", "numeral"), ("face", "edge"), ("face", "quiet")):
                    found = contrast(card[on], card[ink], simulation)
                    assert found >= least, (seen_by, on, ink, card)
    assert sorted(shapes) == ["B", "G", "O", "R", "Y"]
    assert all(len(found) == 1 for found in shapes.values())
    assert len(set.union(*shapes.values())) == 5


def contrast(one: str, other: str, simulation: tuple[tuple[float, ...], ...]) -> float:
    """How much lighter one colour is than the other, as WCAG counts it."""
    light = sorted(luminance(colour, simulation) for colour in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


def luminance(colour: str, simulation: tuple[tuple[float, ...], ...]) -> float:
    values = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values
    ]
    seen = [
        min(1, max(0, sum(part * value for part, value in zip(row, linear, strict=True))))
        for row in simulation
    ]
    return 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]


def test_focus_follows_to_the_new_page_and_back_from_a_sheet(people: People) -> None:
    page = people.open(screen=LAPTOP)
    page.get_by_role("link", name="Watch").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Watch", level=1)).to_be_focused()
    button = page.get_by_role("button", name="Settings")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_a_game_is_reached_by_keyboard_alone(people: People) -> None:
    page = people.open(screen=LAPTOP)
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == "Play now":
            break
    page.keyboard.press("Enter")
    expect(page.locator("[data-hand] [data-held]")).to_have_count(10)


def test_an_address_that_leads_nowhere_leads_back(people: People) -> None:
    page = people.open("/join")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate(
        "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    page.get_by_role("link", name="Start page").last.click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_a_table_that_does_not_exist_leads_back(people: People) -> None:
    people.expect_problem("404")
    page = people.open("/table/ABCD2345")
    expect(page.get_by_role("heading", name="This table cannot be opened.")).to_be_visible()
    page.get_by_role("link", name="To the start page").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_a_page_that_cannot_be_loaded_says_what_to_do(people: People) -> None:
    people.expect_problem("Failed to load|net::ERR|dynamically imported")
    page = people.open()
    page.route("**/assets/Watch-*", lambda route: route.abort())
    page.get_by_role("link", name="Watch").click()
    expect(page.get_by_role("alert")).to_contain_text("Check your connection")
    page.unroute("**/assets/Watch-*")
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("heading", name="Watch", level=1)).to_be_visible()
    page.route("**/assets/en-*", lambda route: route.abort())  # not even words
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text("Check your connection")
    page.unroute("**/assets/en-*")
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_a_page_that_breaks_says_what_to_do(people: People) -> None:
    people.expect_problem("TypeError")
    page = people.open("")
    nonsense = [{"code": "ABCD2345", "stage": "waiting"}]
    page.route("**/api/tables", lambda route: route.fulfill(json=nonsense))
    page.goto("/join")
    expect(page.get_by_role("alert")).to_contain_text("your game is safe")
    page.unroute("**/api/tables")
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_label("Code of the table")).to_be_visible()


def test_the_client_opens_without_a_network(people: People) -> None:
    people.expect_problem("Failed to load|net::ERR")
    page = people.open(offline_copy=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    kept = page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async name =>
            (await (await caches.open(name)).keys()).map(kept => new URL(kept.url).pathname)))).flat()"""
    )
    assert kept
    assert not [path for path in kept if path.startswith("/api")]
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("alert")).to_contain_text("not connected")
    for path in ("/scores", "/learn"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.context.set_offline(False)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-hand] [data-held]")).to_have_count(10)


def test_it_can_be_installed(people: People) -> None:
    page = people.open()
    address = page.locator("link[rel=manifest]").get_attribute("href")
    assert address
    manifest = page.request.get(address).json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.headers["content-type"] == icon["type"]
