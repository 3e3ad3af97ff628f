"""The coach in the browser: what was luck, what was play, and another try."""

from playwright.sync_api import Page, expect

from phaseten import Game, make_bot
from tests.analysis.mistakes import MISTAKE, POSITION
from tests.browser.people import LAPTOP, PHONE, People, assert_accessible, assert_fits
from tests.browser.tables import ask, sit_down, somebody
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


# -- while people play --------------------------------------------------------------------------


def begin_in_position(page: Page, **options: object) -> str:
    """A table at which a mistake can be made at once, before its game; its code."""
    chosen = {"seats": 2} | options
    data = {"name": "Ana", "options": chosen, "position": POSITION}
    code: str = page.request.post("/api/tables", data=data).json()["code"]
    ask(page, code, {"do": "sit", "seat": 1, "name": "Ana"})
    page.goto(f"/table/{code}")
    return code


def err(page: Page) -> None:
    page.locator(f"[data-held='{MISTAKE.card.text}']").focus()
    page.keyboard.press("Delete")


def test_a_mistake_gets_a_quiet_word(people: People) -> None:
    """The bot takes its time: what the coach says stays until the player goes on."""
    page = somebody(people, PHONE)
    begin_in_position(page, pace=10_000)
    page.locator("[data-coach-switch] input").check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-hand]")).to_be_visible()
    expect(page.locator("[data-remark]")).to_have_count(0)
    err(page)
    word = page.locator("[data-remark]")
    expect(word).to_contain_text("To discard a green 9 gave away about 4 %.")
    expect(page.locator("[data-spoken]")).to_contain_text("gave away about 4 %")
    assert_accessible(page)
    assert_fits(page)
    word.get_by_role("button", name="Close").click()
    expect(word).to_have_count(0)
    page.get_by_role("button", name="More").click()
    expect(page.locator("[data-log] .coach")).to_contain_text("The coach To discard a green 9")


def test_it_is_off_until_everybody_wants_it(people: People) -> None:
    ana, beto = somebody(people, PHONE), somebody(people, LAPTOP)
    code = begin_in_position(ana)
    beto.goto(f"/table/{code}")
    sit_down(beto, "Beto")
    switch = ana.locator("[data-coach-switch]")
    expect(switch).to_contain_text("Nobody wants it yet.")
    expect(switch.locator("input")).not_to_be_checked()
    beto.locator("[data-coach-switch] input").check()
    expect(switch).to_contain_text("So far: Beto.")
    assert_accessible(ana)
    ana.get_by_role("button", name="Start").click()
    err(ana)
    expect(ana.locator("[data-pile=draw]")).to_be_disabled()
    ana.get_by_role("button", name="More").click()
    ana.get_by_role("tab", name="Table").click()
    expect(switch).to_contain_text("So far: Beto.")
    switch.locator("input").check()
    expect(switch).to_contain_text("So far: Ana, Beto.")
    switch.locator("input").uncheck()
    expect(switch).to_contain_text("So far: Beto.")
    expect(ana.locator("[data-remark]")).to_have_count(0)
