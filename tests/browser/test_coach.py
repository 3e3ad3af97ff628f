"""The coach in the browser: what was luck, what was play, and another try."""

from playwright.sync_api import expect

from phaseten import Game, make_bot
from tests.browser.people import LAPTOP, PHONE, People, assert_accessible, assert_fits
from tests.browser.test_replay import finish_game, open_file


def game_with_mistakes() -> str:
    """A record in which a rookie errs."""
    game = Game("classic", ["Ana", "Beto"], seed=2, variant="phases=1")
    bots = [make_bot("rookie", seed=1), make_bot("sharp", seed=2)]
    while game.turn:
        game.play(bots[game.turn - 1].choose(game.view()))
    return str(game.record())


def test_a_mistake_is_tried_again(people: People) -> None:
    page = people.open("/replay", screen=PHONE)
    open_file(page, game_with_mistakes())
    page.locator("[data-coach]").click()
    expect(page.locator("[data-report]")).to_be_visible()
    expect(page.locator("[data-reading]")).to_have_count(0)
    assert_accessible(page)
    assert_fits(page)
    page.locator("[data-mistake-of='1'] [data-attempt]").first.click()
    expect(page.locator("[data-eyes]")).to_have_value("1")  # with what the player knew
    page.locator("[data-answer=played]").click()
    expect(page.locator("[data-verdict-words]")).to_contain_text("gives away")
    page.locator("[data-answer=best]").click()
    expect(page.locator("[data-verdict-words]")).to_contain_text("The best there is")
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Back to the report").click()
    box = page.locator("[data-curve] svg").first.bounding_box()
    assert box
    page.locator("[data-curve] svg").first.click(position={"x": box["width"] - 8, "y": 60})
    expect(page.get_by_role("slider")).not_to_have_value("0")
    expect(page.locator("[data-mistake]")).not_to_have_count(0)


def test_a_finished_game_is_read_once(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = finish_game(page, 2, edition="express", variant="phases=1")
    for _ in range(2):
        page.goto(f"/replay/{game}?coach")
        expect(page.locator("[data-report]")).to_be_visible()
        expect(page.locator("[data-reading]")).to_have_count(0)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a picture").click()
    assert saved.value.suggested_filename.endswith(".png")
