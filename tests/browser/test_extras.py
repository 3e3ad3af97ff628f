"""Beside the game: keys, full screen, paper, statistics, an edition of one's own."""

from pathlib import Path

from playwright.sync_api import Page, expect

from phaseten.rules.editions import EDITIONS_FOLDER, edition, read_edition
from tests.browser.people import (
    LAPTOP,
    PHONE,
    People,
    assert_accessible,
    assert_accessible_in_all_themes,
    assert_fits,
)
from tests.browser.tables import NO_POINTERS, draw, lay, small, somebody, start

LAST: dict[str, str] = {"custom": small("color 3", deal=3)}
"""All cards have the same colour: whoever begins lays three, discards the fourth, and has won."""


def win(page: Page) -> None:
    start(page, 2, pace=10_000, **LAST)
    draw(page)
    assert lay(page)
    page.locator("[data-held]").focus()
    page.keyboard.press("Delete")
    expect(page.locator("[data-over=game] h1")).to_have_text("You have won!")


def test_keys_do_what_buttons_do_and_are_listed(people: People) -> None:
    page = somebody(people, LAPTOP)
    start(page, 2)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("d")  # in a dialog keys are the dialog's
    page.get_by_role("switch", name="Single keys do something").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("d")
    expect(page.locator("[data-held]")).to_have_count(10)
    page.locator("[data-tool=more]").click()
    page.locator("[data-tab=table]").click()
    page.locator("[data-keys-list]").click()
    page.get_by_role("switch", name="Single keys do something").check()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("d")
    expect(page.locator("[data-held]")).to_have_count(11)


def test_the_television_fills_the_screen(people: People) -> None:
    page = somebody(people, LAPTOP)
    code = start(page, 2)
    page.goto(f"/tv/{code}")
    page.locator("[data-full]").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement === null")


def test_a_finished_game_is_printed_and_counted(people: People) -> None:
    page = somebody(people, PHONE)
    page.add_init_script("window.print = () => document.body.dataset.printed = 'yes'")
    win(page)
    assert_accessible_in_all_themes(page)
    page.locator("[data-print]").click()
    expect(page.locator("body[data-printed]")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.locator("[data-print]")).to_be_hidden()
    expect(page.get_by_role("table").first).to_be_visible()
    page.emulate_media(media="screen")
    page.goto("/me")
    facts = page.locator("[data-statistics]")
    expect(facts).to_contain_text("Games 1")
    expect(facts).to_contain_text("Won 1")
    expect(page.get_by_role("row", name="Bruno")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)


def test_an_edition_of_ones_own_is_made_checked_saved_and_played(people: People) -> None:
    people.expect_problem("422")  # what cannot be played
    page = people.open("/editions", screen=PHONE, name="Ana", pointers=NO_POINTERS)
    verdict = page.locator("[data-verdict]")
    expect(verdict).to_contain_text("108 cards, 2 to 6 players")
    page.get_by_label("Name").fill("Kitchen")
    page.get_by_label("Phase 1, group 1: How many").fill("10")
    expect(verdict).to_contain_text("Kitchen: Phase 1 needs 13 cards")
    expect(page.locator("[data-play]")).to_be_disabled()
    page.get_by_label("Phase 1, group 1: How many").fill("4")
    expect(page.get_by_text("set of 4 + set of 3")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    with page.expect_download() as saved:
        page.locator("[data-save]").click()
    box = read_edition(Path(saved.value.path()).read_text("utf-8"), "saved.toml")
    assert (box.title, box.phases[0].text) == ("Kitchen", "set 4 + set 3")
    page.locator("[data-play]").click()
    expect(page.locator("[data-held]")).to_have_count(10)
    expect(page.locator("[data-phases]")).to_be_visible()


def test_a_file_of_the_command_line_is_opened_and_nothing_of_it_is_lost(
    people: People, tmp_path: Path
) -> None:
    people.expect_problem("422")  # what is no edition
    page = people.open("/editions", screen=PHONE)
    expect(page.locator("[data-verdict]")).to_contain_text("108 cards")
    broken = tmp_path / "broken.toml"
    broken.write_text('title = "Broken"\nphases = 7\n', "utf-8")
    page.locator("[data-open]").set_input_files(broken)
    expect(page.locator("[data-unread]")).to_contain_text("broken.toml cannot be opened: ")
    expect(page.get_by_label("Name")).to_have_value("")  # what was there is there still
    page.locator("[data-open]").set_input_files(EDITIONS_FOLDER / "elchavo.toml")
    box = edition("elchavo")
    expect(page.get_by_label("Name")).to_have_value(box.title)
    expect(page.locator("[data-unread]")).to_be_empty()
    expect(page.locator("[data-verdict]")).to_contain_text(f"{len(box.deck)} cards")
    with page.expect_download() as saved:
        page.locator("[data-save]").click()
    assert read_edition(Path(saved.value.path()).read_text("utf-8"), "saved.toml") == box
    assert_accessible(page)
    assert_fits(page)
