"""The start page, and what one tap on it does."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import LAPTOP, PHONE, SMALL_PHONE, People, Screen, assert_fits

LARGEST = """() => [...document.querySelectorAll("main button, main a, .start button, .start a")]
    .map(one => [one.getBoundingClientRect(), one.textContent.trim()])
    .sort(([one], [other]) => other.width * other.height - one.width * one.height)[0][1]"""


def test_a_new_user_draws_a_card_with_two_taps(people: People) -> None:
    """Without reading: the first tap goes to what is largest, the second to what is pointed at."""
    page = people.open(motion=True)
    play = page.get_by_role("button", name="Play now")
    expect(play).to_be_in_viewport(ratio=1)
    assert page.evaluate(LARGEST) == "Play now"
    play.tap()
    expect(page).to_have_url(re.compile(r"/table/[A-Z0-9]{8}$"))
    hand = page.locator("[data-hand] [data-held]")
    expect(hand).to_have_count(10)
    draw = page.locator("[data-pile=draw]")
    expect(draw).to_be_enabled()  # a bot may begin
    assert draw.evaluate("pile => pile.classList.contains('may')"), "it glows"
    expect(page.locator("[data-pointer=draw]")).to_be_in_viewport(ratio=1)
    draw.tap()
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
