"""The table as a place: faces, moments, the end of a hand, tempo."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import LAPTOP, PHONE, SMALL_PHONE, People, Screen, assert_accessible
from tests.browser.tables import beside, draw, lay, open_table, sit_down, small, somebody, start
from tests.effort import mainly

LAST: dict[str, str] = {"custom": small("color 3", deal=3)}
"""All cards have the same colour: whoever begins lays three, discards the fourth, and has won."""
NOT_LAST: dict[str, str] = {"custom": small("color 3", "color 3", deal=3)}
"""The same, and another hand follows."""
SLOW = 10_000
"""Whoever begins the next hand could end it at once: a bot that begins gives the page time to show it."""


def go_out(page: Page) -> None:
    """The first hand is over after one turn."""
    draw(page)
    assert lay(page)
    page.locator("[data-held]").focus()
    page.keyboard.press("Delete")


@pytest.mark.parametrize("screen", mainly([SMALL_PHONE, LAPTOP], SMALL_PHONE))
def test_a_hand_ends_on_the_table(people: People, screen: Screen) -> None:
    page = somebody(people, screen)
    start(page, 3, pace=SLOW, **NOT_LAST)
    go_out(page)
    expect(page.locator("[data-over=hand] h1")).to_have_text("You are out!")
    for seat in (2, 3):
        shown = page.locator(f"[data-spot^='open:{seat}:'] [data-card]")
        expect(shown).to_have_count(3)
        expect(page.locator(f".plate[data-seat='{seat}'] .points")).to_contain_text(
            re.compile(r"\+\d+")
        )
    expect(page.get_by_text("You laid Phase 1 and went out in one go.")).to_be_visible()
    expect(page.locator("[data-owner='1'] .meld")).to_be_visible()  # the table is still there
    assert_accessible(page)
    page.locator("[data-scores]").click()
    expect(page.locator("[data-sheet]")).to_be_visible()
    page.locator("[data-deal]").click()
    expect(page.locator("[data-over]")).to_have_count(0)
    expect(page.locator("[data-held]")).to_have_count(3)


def test_the_end_takes_its_time_and_a_tap_hurries_it(people: People) -> None:
    page = somebody(people, PHONE, motion=True)
    start(page, 2, pace=SLOW, **NOT_LAST)
    go_out(page)
    expect(page.locator("[data-over=hand]")).to_be_visible()
    page.locator(".middle").click(position={"x": 300, "y": 5})
    expect(page.locator("[data-spot^='open:2:']")).to_have_count(3)
    page.locator(".middle").click(position={"x": 300, "y": 5})
    expect(page.locator("[data-sheet]")).to_be_visible()


def test_play_again_against_bots_deals_at_once(people: People) -> None:
    page = somebody(people)
    start(page, 2, pace=SLOW, **LAST)
    go_out(page)
    expect(page.locator("[data-over=game] h1")).to_have_text("You have won!")
    page.locator("[data-rematch]").click()
    expect(page.locator("[data-over]")).to_have_count(0)
    expect(page.locator("[data-held]")).not_to_have_count(0)


def test_everybody_has_a_face_that_can_be_chosen_and_looked_at(people: People) -> None:
    page = somebody(people)
    open_table(page, 2, pace=1)
    page.locator("[data-choice=whale]").click()
    sit_down(page, "Ana")
    expect(page.locator("[data-seat='1'] [data-face]")).to_have_attribute("data-face", "whale")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".plate [data-face=whale]")).to_be_visible()
    page.get_by_role("button", name="About Bruno").click()
    profile = page.get_by_role("dialog", name="Bruno")
    expect(profile.locator("[data-profile='2']")).to_contain_text("Here for a good time")
    assert_accessible(page)
    profile.get_by_role("button", name="Nice!").click()
    expect(page.locator("[data-seat='1'] .bubble")).to_contain_text("Nice!")


def test_a_tap_on_the_table_hurries_the_bots(people: People) -> None:
    page = somebody(people)
    code = start(page, 2, pace=10_000, custom=small("set 3", copies=1, deal=4))
    draw(page)
    page.locator("[data-held]").first.focus()
    page.keyboard.press("Delete")
    expect(page.locator(".plate[data-seat='2']")).to_have_attribute("aria-current", "true")
    with beside(page, code) as table:
        before = table.update["version"]
        page.locator(".middle").click(position={"x": 300, "y": 5})
        table.until(lambda update: update["version"] > before)
        assert table.update["steps"][0]["events"][0]["event"] == "BotsHurried"


def test_the_phases_are_one_tap_away(people: People) -> None:
    page = somebody(people)
    start(page, 2)
    page.locator("[data-phases]").click()
    expect(page.locator("[data-phase-list] li")).to_have_count(10)
    expect(page.locator("[data-phase-list] [aria-current=step]")).to_contain_text("2 sets of 3")


def test_table_and_backs_can_be_chosen(people: People) -> None:
    page = somebody(people)
    start(page, 2)
    drawn = page.locator("[data-pile=draw] .back-lines")
    before = drawn.get_attribute("d")
    page.locator("[data-tool=more]").click()
    page.locator("[data-tab=table]").click()
    page.get_by_role("button", name="Settings").click()
    page.locator("dialog [data-choice=linen]").click()
    page.locator("dialog [data-choice=waves]").click()
    assert_accessible(page)
    page.get_by_role("button", name="Close").click()
    expect(page.locator("html")).to_have_attribute("data-surface", "linen")
    assert drawn.get_attribute("d") != before
