"""The score keeper: a real deck at a real table, a phone between two hands of cards."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.people import (
    LANGUAGES,
    LAPTOP,
    PHONE,
    SMALL_PHONE,
    People,
    assert_accessible_in_all_themes,
    assert_fits_with_large_text_too,
    assert_translated,
)
from tests.effort import mainly

Data = dict[str, Any]
LOW, HIGH = "1\N{EN DASH}9", "10\N{EN DASH}12"


def hand(text: str) -> Data:
    """``"0* 60- 35+"``: seat 0 out, 60 and the Phase failed, 35 and the Phase made."""
    words = text.split()
    return {
        "out": next((seat for seat, word in enumerate(words) if word[-1] == "*"), None),
        "entries": [{"points": int(word[:-1]), "made": word[-1] != "-"} for word in words],
    }


def kept(*hands: str, players: int = 3, **changes: Any) -> Data:
    """What a browser remembers of a sheet with these hands."""
    sheet = {
        "edition": "classic",
        "variant": "standard",
        "any_order": False,
        "players": ["Ana", "Bo", "Cy", "Di", "Ed", "Flo"][:players],
        "dealer": 0,
        "hands": [hand(text) for text in hands],
    } | changes
    return {"id": "aa", "sheet": sheet, "changed": 1, "past": [], "draft": None, "live": None}


def remembered(*sheets: Data) -> Data:
    """What is in the storage of a browser with these sheets."""
    return {f"scores.{sheet['id']}": sheet for sheet in sheets}


def open_sheet(people: People, *hands: str, path: str = "", **changes: Any) -> Page:
    screen = changes.pop("screen", SMALL_PHONE)
    sheet = remembered(kept(*hands, **changes))
    return people.open(f"/scores/aa{path}", screen=screen, **sheet)


def player(page: Page, name: str) -> Locator:
    """A player's place in the standings."""
    return page.locator("ol > li").filter(has=page.locator(".name", has_text=name))


def tap_digits(page: Page, digits: str) -> None:
    for digit in digits:
        page.get_by_role("button", name=digit, exact=True).tap()


def cells(page: Page, number: int) -> list[str]:
    """What stands in the table for that hand."""
    row = page.locator("tbody tr").nth(number - 1)
    expect(row).to_be_visible()
    return [re.sub(r"\s+", "", text) for text in row.locator("td").all_inner_texts()]


def test_a_new_sheet(people: People) -> None:
    page = people.open("/scores")
    page.get_by_role("link", name="New sheet").tap()
    expect(page.get_by_role("heading", name="New sheet")).to_be_focused()
    start = page.get_by_role("button", name="Add at least 2 players")
    expect(start).to_be_disabled()
    field = page.get_by_label("Name", exact=True)
    for name in ("Bo", "Ana", "Cy"):
        field.fill(name)
        field.press("Enter")
    field.fill("Ana")
    expect(page.get_by_text("That name is there already.")).to_be_visible()
    field.fill("")
    page.get_by_role("button", name="Move Ana up").tap()
    page.get_by_role("radio", name="Cy deals first").check()
    page.get_by_role("radio", name="Express").check()
    page.get_by_role("radio", name="Short game").check()
    page.get_by_role("button", name="Start").tap()
    expect(page).to_have_url(re.compile(r"/scores/\w+$"))
    expect(page.locator("ol .name")).to_have_text(
        ["Ana", "Bo", re.compile("Cy.*Dealer", re.DOTALL)]
    )
    expect(page.get_by_text("Phase 1: 4 odd cards")).to_have_count(3)
    expect(page.get_by_text("Cy deals hand 1.")).to_be_visible()
    page.goto("/scores/new")
    expect(page.locator("ol .name")).to_have_text(["Ana", "Bo", "Cy"])  # they are remembered
    page.get_by_role("button", name="Remove Bo").tap()
    page.get_by_role("button", name="Add Bo").tap()
    expect(page.locator("ol .name")).to_have_text(["Ana", "Cy", "Bo"])


def test_a_hand_with_one_thumb(people: People) -> None:
    page = open_sheet(people)
    page.get_by_role("link", name="Write down hand 1").tap()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_focused()
    page.get_by_role("button", name="Bo went out").tap()
    tap_digits(page, "35")
    page.get_by_role("button", name="Ana made Phase 1").tap()
    page.get_by_role("button", name="Next").tap()
    expect(page.get_by_text("Without a Phase")).to_have_count(0)
    tap_digits(page, "456")
    page.get_by_role("button", name="Delete the last digit").tap()
    page.get_by_role("button", name="Next").tap()
    warning = "Without a Phase one still holds 10 cards: at least 50 points."
    expect(page.locator("li", has_text="Cy").get_by_text(warning)).to_be_visible()
    expect(page.get_by_role("link", name="Why? Rule T-DISCARD")).to_have_attribute(
        "href", "/learn/rules#T-DISCARD"
    )
    page.get_by_role("button", name="Save", exact=True).tap()  # it warns, it does not forbid
    expect(page.get_by_role("heading", name="Classic")).to_be_focused()
    assert cells(page, 1) == ["35✓Phasemade", "0✓Phasemadewentout", "45"]
    expect(player(page, "Ana")).to_contain_text("Phase 2: set of 3 + run of 4")
    expect(player(page, "Cy")).to_contain_text("Phase 1: 2 sets of 3")
    expect(player(page, "Bo")).to_contain_text("Dealer")
    expect(page.get_by_text("Bo deals hand 2.")).to_be_visible()
    doubtful = page.get_by_role("link", name="Correct hand 1. Something looks wrong here.")
    expect(doubtful).to_be_visible()


def test_digits_go_to_whose_phase_was_tapped(people: People) -> None:
    page = open_sheet(people)
    page.get_by_role("link", name="Write down hand 1").tap()
    page.get_by_role("button", name="Cy made Phase 1").tap()
    tap_digits(page, "20")
    expect(page.get_by_label("Points of Cy")).to_have_value("20")


def test_counting_cards(people: People) -> None:
    page = open_sheet(people, path="/hand/1", players=2)
    page.get_by_role("button", name="Ana went out").tap()
    page.get_by_role("button", name="Count cards").tap()
    for name, count in ((LOW, 7), (HIGH, 2), ("Skip", 1), ("Wild", 1)):
        for _ in range(count):
            page.get_by_role("button", name=f"One more: {name}").tap()
    page.get_by_role("button", name=f"One less: {LOW}").tap()
    expect(page.get_by_text("10 cards · 90 points")).to_be_visible()
    expect(page.get_by_label("Points of Bo")).to_have_value("90")
    page.get_by_role("button", name=f"One more: {LOW}").tap()
    page.get_by_role("button", name="Next").tap()
    expect(page.get_by_text("Without a Phase one still holds all 10 cards.").last).to_be_visible()


def test_a_hand_by_keyboard_alone(people: People) -> None:
    page = open_sheet(people, screen=LAPTOP, players=2)
    page.get_by_role("link", name="Write down hand 1").press("Enter")
    page.get_by_label("Points of Ana").focus()
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Points of Bo")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Bo went out")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_label("Points of Bo")).to_have_value("0")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    assert cells(page, 1) == ["60", "0✓Phasemadewentout"]


def test_points_that_are_missing(people: People) -> None:
    page = open_sheet(people, path="/hand/1", players=2)
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.get_by_text("The points of Ana are missing.").last).to_be_visible()
    expect(page).to_have_url(re.compile("/hand/1$"))


def test_a_hand_begun_survives_a_reload(people: People) -> None:
    page = open_sheet(people, path="/hand/1", players=2)
    page.get_by_role("button", name="Ana went out").tap()
    tap_digits(page, "75")
    page.reload()
    expect(page.get_by_label("Points of Bo")).to_have_value("75")
    page.goto("/scores/aa")
    page.get_by_role("link", name="Go on with hand 1").tap()
    page.get_by_role("button", name="Cancel").tap()
    expect(page.get_by_role("link", name="Write down hand 1")).to_be_visible()


def test_correcting_and_taking_back(people: People) -> None:
    page = open_sheet(people, "0* 60- 35+", "5+ 0* 70-")
    page.get_by_role("link", name="Correct hand 1").tap()
    page.get_by_label("Points of Bo").tap()
    tap_digits(page, "80")
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.locator("tfoot td")).to_have_text(["5", "80", "105"])
    page.get_by_role("link", name="Correct hand 2").tap()
    page.get_by_role("button", name="Delete hand 2").tap()
    expect(page.locator("tfoot td")).to_have_text(["0", "80", "35"])
    undo = page.get_by_role("button", name="Undo")
    undo.tap()
    expect(page.locator("tfoot td")).to_have_text(["5", "80", "105"])
    undo.tap()
    expect(page.locator("tfoot td")).to_have_text(["5", "60", "105"])
    expect(undo).to_be_disabled()


def test_a_tie_is_played_off(people: People) -> None:
    page = open_sheet(people, "0* 20+ 50-", "20+ 0* 50-", variant="phases=2")
    expect(page.get_by_text("A tie: Ana and Bo play one more hand")).to_be_visible()
    expect(page.get_by_text("Cy deals hand 3.")).to_be_visible()
    page.get_by_role("link", name="Write down hand 3").tap()
    expect(page.get_by_label("Points of Cy")).to_have_count(0)
    page.get_by_role("button", name="Bo went out").tap()
    tap_digits(page, "60")
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.get_by_text("Bo has won")).to_be_visible()
    expect(page.locator("tfoot td")).to_have_text(["20", "20", "100"])
    expect(page.get_by_role("link", name="Write down")).to_have_count(0)


def test_phases_in_any_order(people: People) -> None:
    page = open_sheet(people, path="/hand/1", players=2, any_order=True)
    page.get_by_label("Which Phase has Ana made?").select_option("4")
    page.get_by_role("button", name="Bo went out").tap()
    tap_digits(page, "5")
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(player(page, "Ana")).to_contain_text("9 Phases left")
    expect(player(page, "Ana").locator(".made")).to_have_text("4")


def test_files(people: People, tmp_path: Path) -> None:
    page = open_sheet(people, "0* 60- 35+", "5+ 0* 70-")
    page.get_by_role("button", name="Share or save").tap()
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as a table (CSV)").tap()
    table = tmp_path / "table.csv"
    found.value.save_as(table)
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert [(row["player"], row["points"], row["total"]) for row in rows[3:]] == [
        ("Ana", "5", "5"),
        ("Bo", "0", "60"),
        ("Cy", "70", "105"),
    ]
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as a picture").tap()
    picture = tmp_path / "picture.png"
    found.value.save_as(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000


def test_on_paper_there_are_no_buttons(people: People) -> None:
    page = people.open("/scores/aa", theme="dark", **remembered(kept("0* 60- 35+")))
    page.emulate_media(media="print")
    expect(page.locator("table").first).to_be_visible()
    expect(page.get_by_role("link", name="Write down hand 2")).to_be_hidden()
    expect(page.get_by_role("button", name="Share or save")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_deleting_and_bringing_back(people: People) -> None:
    other = kept("0* 60-", players=2) | {"id": "bb", "changed": 2}
    page = people.open("/scores", **remembered(kept("0* 60- 35+"), other))
    sheets = page.get_by_role("list").get_by_role("link")
    expect(sheets).to_have_count(2)
    page.get_by_role("button", name="Delete the sheet of Ana and Bo", exact=True).tap()
    expect(sheets).to_have_count(1)
    page.get_by_role("button", name="Undo").tap()
    expect(sheets).to_have_count(2)
    page.reload()
    expect(sheets).to_have_count(2)


def test_without_a_connection(people: People) -> None:
    people.expect_problem("ERR_INTERNET_DISCONNECTED.*icon")
    page = open_sheet(people, players=2)
    write = page.get_by_role("link", name="Write down hand 1")
    expect(write).to_be_visible()
    page.context.set_offline(offline=True)
    write.tap()
    page.get_by_role("button", name="Ana went out").tap()
    tap_digits(page, "60")
    page.get_by_role("button", name="Save", exact=True).tap()
    assert cells(page, 1) == ["0✓Phasemadewentout", "60"]
    page.context.set_offline(offline=False)
    page.reload()
    assert cells(page, 1) == ["0✓Phasemadewentout", "60"]


def test_a_cold_start_without_a_connection(people: People) -> None:
    """The client was visited once; then a new tab is opened far from any network."""
    people.expect_problem("Failed to load|net::ERR")
    first = people.open("/", offline_copy=True)
    first.wait_for_function("() => navigator.serviceWorker.controller !== null")
    first.context.set_offline(offline=True)
    first.close()
    page = people.open_tab(first, "/")
    page.get_by_role("link", name="Keep score").tap()
    expect(page).to_have_url(re.compile("/scores$"))
    page = people.open_tab(page, "/scores")
    page.get_by_role("link", name="New sheet").tap()
    field = page.get_by_label("Name", exact=True)
    for name in ("Ana", "Bo"):
        field.fill(name)
        field.press("Enter")
    page.get_by_role("button", name="Start").tap()
    write_hand(page, "60")
    assert cells(page, 1) == ["0✓Phasemadewentout", "60"]
    page.reload()
    assert cells(page, 1) == ["0✓Phasemadewentout", "60"]
    again = people.open_tab(page, page.url)
    write_hand(again, "75")
    expect(again.locator("tfoot td")).to_have_text(["0", "135"])
    people.open_tab(page, "/scores").get_by_role("link", name="Ana and Bo").tap()


def share(page: Page) -> str:
    """Share the sheet; the link for those who look."""
    page.get_by_role("button", name="Share or save").tap()
    page.get_by_role("button", name="Share this sheet").tap()
    link = page.get_by_text(re.compile(r"^http.*/scores/live/\w{26}$")).inner_text()
    page.get_by_role("button", name="Close").tap()
    return link


def write_hand(page: Page, points: str) -> None:
    page.get_by_role("link", name=re.compile("Write down hand")).tap()
    page.get_by_role("button", name="Ana went out").tap()
    tap_digits(page, points)
    page.get_by_role("button", name="Save", exact=True).tap()


def test_live_on_everybodys_phone(people: People) -> None:
    people.expect_problem("ERR_INTERNET_DISCONNECTED")
    keeper = open_sheet(people, "0* 60-", players=2)
    path = re.sub("^https?://[^/]+", "", share(keeper))
    watcher = people.open(path)
    expect(watcher.locator("tfoot td")).to_have_text(["0", "60"])
    expect(watcher.get_by_role("link", name="Write down")).to_have_count(0)
    write_hand(keeper, "75")
    expect(watcher.locator("tfoot td")).to_have_text(["0", "135"])
    keeper.context.set_offline(offline=True)
    write_hand(keeper, "50")
    expect(keeper.get_by_text("No connection: go on writing")).to_be_visible()
    keeper.context.set_offline(offline=False)
    expect(watcher.locator("tfoot td")).to_have_text(["0", "185"])
    expect(keeper.get_by_text("Live: the others see this.")).to_be_visible()


def test_two_devices_that_write(people: People) -> None:
    people.expect_problem("ERR_INTERNET_DISCONNECTED|409")
    keeper = open_sheet(people, "0* 60-", players=2)
    path = re.sub("^https?://[^/]+", "", share(keeper))
    key = keeper.evaluate("JSON.parse(localStorage.getItem('phaseten.scores.aa')).live.key")
    second = people.open(f"{path}#{key}")
    expect(second).to_have_url(re.compile(r"/scores/\w+$"))  # it is one of its own sheets now
    write_hand(second, "70")
    expect(keeper.locator("tfoot td")).to_have_text(["0", "130"])
    second.context.set_offline(offline=True)
    write_hand(second, "55")
    write_hand(keeper, "80")
    expect(keeper.get_by_text("Live: the others see this.")).to_be_visible()
    second.context.set_offline(offline=False)
    second.get_by_role("button", name="The other one").tap()
    expect(second.locator("tfoot td")).to_have_text(["0", "210"])


def test_a_sheet_that_is_not_there(people: People) -> None:
    people.expect_problem("404")
    page = people.open(f"/scores/live/{'a' * 26}")
    expect(page.get_by_text("There is no such sheet.")).to_be_visible()
    page.goto("/scores/zz")
    expect(page.get_by_text("This sheet is not on this device.")).to_be_visible()


HANDS = ("0* 60- 35+ 75- 80- 5+", "5+ 0* 70- 20+ 45- 55-")
PAGES = ("/scores", "/scores/new", "/scores/aa", "/scores/aa/hand/3", "/scores/aa/hand/2")


@pytest.mark.parametrize("language", mainly(LANGUAGES, "pt"))
def test_every_page_fits_in_every_language(people: People, language: str) -> None:
    page = people.open("/scores", language=language, **remembered(kept(*HANDS, players=6)))
    for path in PAGES:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_fits_with_large_text_too(page)
        assert_translated(page)


def test_every_page_is_accessible(people: People) -> None:
    page = people.open("/scores", screen=PHONE, **remembered(kept(*HANDS, players=6)))
    for turn, path in enumerate(PAGES):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_accessible_in_all_themes(page, turn)
    page.goto("/scores/aa")
    page.get_by_role("button", name="Share or save").tap()
    assert_accessible_in_all_themes(page)


def test_a_full_sheet_is_accessible(people: People) -> None:
    hands = ("0* 60- 35+", "5+ 0* 70-", "0* 20+ 45-", *["0* 55+ 5+"] * 7)
    page = open_sheet(people, *hands, screen=PHONE)
    expect(page.locator("tbody tr").nth(len(hands) - 1)).to_be_visible()
    assert_accessible_in_all_themes(page, 1)
