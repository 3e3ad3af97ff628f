"""The start page, and what one tap on it does."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import LAPTOP, PHONE, SMALL_PHONE, People, Screen, assert_fits


def test_one_tap_leads_to_a_game_in_which_the_first_card_can_be_drawn(people: People) -> None:
    page = people.open()
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(re.compile(r"/table/[A-Z0-9]{8}$"))
    hand = page.locator("[data-hand] [data-card]")
    expect(hand).to_have_count(10)
    page.locator("[data-pile=draw]").click()
    expect(hand).to_have_count(11)


@pytest.mark.parametrize("screen", [SMALL_PHONE, PHONE, LAPTOP], ids=["small", "phone", "laptop"])
def test_everything_is_in_view_without_scrolling(people: People, screen: Screen) -> None:
    page = people.open(screen=screen)
    expect(page.locator("footer")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Play now")).to_be_in_viewport(ratio=1)
    for name in ("Join", "Watch", "Keep score", "Replays", "Learn"):
        expect(page.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert_fits(page)
