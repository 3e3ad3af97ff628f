"""The table in play: every move by mouse, touch and keyboard, from the first deal to the last card."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.people import (
    LANGUAGES,
    LAPTOP,
    PHONE,
    SMALL_PHONE,
    TABLET,
    TELEVISION,
    People,
    Screen,
    assert_accessible,
    assert_fits,
    assert_translated,
    wait_for_motion,
)
from tests.browser.players import double_click
from tests.browser.tables import (
    Deal,
    ask,
    begins,
    discard,
    draw,
    editions,
    find_seed,
    held,
    is_my_turn,
    lay,
    open_table,
    plain_card,
    sit_down,
    small,
    somebody,
    start,
    turns,
)
from tests.effort import mainly

# -- whole games --------------------------------------------------------------------------------


@editions
def test_a_game_is_played_to_its_end_and_its_shuffles_are_checked(
    people: People, edition: str
) -> None:
    page = somebody(people)
    start(page, 3, edition=edition, variant="phases=1")
    for _ in range(60):
        for _turn in turns(page):
            lay(page)
        if page.locator("[data-over=game]").count():
            break
        page.locator("[data-deal], [data-hand], [data-over=game]").first.wait_for()
        if page.locator("[data-deal]").count():
            page.locator("[data-deal]").click(force=True)
            expect(page.locator("[data-over=hand]")).to_have_count(0)
    expect(page.locator("[data-over=game] h1")).to_have_text(re.compile("won"))
    expect(page.get_by_role("link", name="Watch the replay")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict=fair]")).to_be_visible()
    expect(page.get_by_text("Hand 1: your cards are those that the seeds give.")).to_be_visible()


@pytest.mark.parametrize(
    "box", [{"edition": "classic"}, {"custom": small("set 2", colors="RB", wilds=2)}]
)
def test_another_deal_than_the_seeds_give_is_found_out(people: People, box: dict[str, Any]) -> None:
    page = somebody(people)
    code = start(page, 2, **box)
    ask(page, code, {"do": "call_off"})
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict=fair]")).to_be_visible()
    expect(page.get_by_text("Hand 1: your cards are those that the seeds give.")).to_be_visible()
    page.evaluate(
        """code => {
            const key = `phaseten.seen.${code}`, seen = JSON.parse(localStorage.getItem(key));
            seen.deals[0].cards.reverse();
            localStorage.setItem(key, JSON.stringify(seen));
        }""",
        code,
    )
    page.reload()
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict=unfair]")).to_be_visible()
    expect(page.get_by_text("Hand 1: your cards are not those")).to_be_visible()


def test_the_same_people_play_again(people: People) -> None:
    page = somebody(people)
    code = start(page, 2)
    ask(page, code, {"do": "call_off"})
    expect(page.get_by_role("heading", name="The game was called off")).to_be_visible()
    page.locator("[data-rematch]").click()
    expect(page.locator("[data-over]")).to_have_count(0)


# -- every move by mouse, touch and keyboard ------------------------------------------------------


def test_a_turn_by_keyboard_alone(people: People) -> None:
    page = somebody(people, LAPTOP)
    start(page)
    assert is_my_turn(page)
    page.locator("[data-held]").first.focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-pile=discard]")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-pile=draw]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-held]")).to_have_count(11)
    expect(page.locator("[data-held]:focus")).to_have_count(1)  # the pile can be used no more
    page.keyboard.press("Home")
    for _ in range(10):
        if page.locator("[data-held]:focus").get_attribute("data-held") not in ("W", "S"):
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("[data-held]:focus")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowUp")
    while page.locator("[data-pile=discard]:focus").count() == 0:
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("[data-held]")).to_have_count(10)


def test_cards_are_arranged_by_keyboard_and_stay_so(people: People) -> None:
    page = somebody(people)
    start(page)
    assert is_my_turn(page)
    before = held(page)
    page.locator("[data-held]").first.focus()
    page.keyboard.press("Shift+ArrowRight")
    expected = [before[1], before[0], *before[2:]]
    assert held(page) == expected
    draw(page)
    expect(page.locator("[data-held]")).to_have_count(11)
    assert held(page)[:10] == expected
    page.locator("[data-tool=sort]").click()
    assert sorted(held(page), key=number) == held(page)


def number(card: str) -> int:
    return {"W": 90, "S": 99}.get(card) or int(card[1:])


def test_cards_are_dragged_into_order_and_onto_the_discard_pile(people: People) -> None:
    page = somebody(people, LAPTOP, motion=True)
    start(page)
    assert is_my_turn(page)
    wait_for_motion(page)
    before = held(page)
    drag(page, page.locator("[data-held]").nth(1), page.locator("[data-held]").nth(6))
    assert held(page) == [before[0], *before[2:7], before[1], *before[7:]]
    draw(page)
    wait_for_motion(page)
    card = plain_card(page)
    thrown = card.get_attribute("data-held")
    drag(page, card, page.locator("[data-pile=discard]"))
    expect(page.locator("[data-held]")).to_have_count(10)
    expect(page.locator("[data-log]")).to_contain_text("You discard")
    assert thrown
    assert held(page).count(thrown) < 2


def drag(page: Page, card: Locator, to: Locator) -> None:
    begin, end = card.bounding_box(), to.bounding_box()
    assert begin
    assert end
    page.mouse.move(begin["x"] + 12, begin["y"] + 40)
    page.mouse.down()
    page.mouse.move(begin["x"] + 20, begin["y"] + 30, steps=3)
    page.mouse.move(end["x"] + 14, end["y"] + 40, steps=8)
    page.mouse.up()
    wait_for_motion(page)


def test_a_finger_drags_and_a_double_tap_discards(people: People) -> None:
    page = somebody(people)
    start(page)
    assert is_my_turn(page)
    before = held(page)
    touch = page.context.new_cdp_session(page)
    begin = page.locator("[data-held]").nth(2).bounding_box()
    end = page.locator("[data-held]").nth(8).bounding_box()
    assert begin
    assert end
    x, y = begin["x"] + 16, begin["y"] + 40
    points = [{"x": x + (end["x"] - begin["x"]) * step / 10, "y": y} for step in range(11)]
    for kind, at in zip(["touchStart", *["touchMove"] * 10], points, strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("[data-held]").nth(8)).to_have_attribute("data-held", before[2])
    page.locator("[data-pile=draw]").tap()
    expect(page.locator("[data-held]")).to_have_count(11)
    double_click(plain_card(page))
    expect(page.locator("[data-held]")).to_have_count(10)


# -- Wilds, Skips, laying, hitting ---------------------------------------------------------------


def begin_with(page: Page, seats: int, *wanted: str) -> None:
    """The first turn, with all of these cards in the hand, and one drawn."""

    def has_them(deal: Deal) -> bool:
        return begins(deal) and not Counter(wanted) - Counter(deal.hands[0])

    start(page, seats, seed=find_seed(has_them, seats))
    assert is_my_turn(page)
    draw(page)
    assert not Counter(wanted) - Counter(held(page))


def test_a_skip_asks_whom_and_is_never_thrown_by_accident(people: People) -> None:
    page = somebody(people)
    begin_with(page, 3, "S")
    skips = held(page).count("S")
    double_click(page.locator("[data-held=S]").first)
    dialog = page.get_by_role("dialog", name="Who loses a turn?")
    expect(dialog.locator("[data-target]")).not_to_have_count(0)
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_have_count(0)
    assert held(page).count("S") == skips
    page.locator("[data-held=S]").first.focus()
    page.keyboard.press("Delete")
    page.locator("[data-target]").first.click()
    expect(page.locator("[data-held=S]")).not_to_have_count(skips)


def test_a_wild_is_not_discarded_without_a_question(people: People) -> None:
    page = somebody(people)
    begin_with(page, 2, "W")
    wilds = held(page).count("W")
    page.locator("[data-held=W]").first.focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("dialog", name="Discard a Wild?")).to_be_visible()
    page.keyboard.press("Escape")
    assert held(page).count("W") == wilds


def test_a_wild_on_a_run_asks_for_its_end_and_undo_takes_it_back(people: People) -> None:
    page = somebody(people)
    box: dict[str, Any] = {"custom": small("run 3", copies=1, wilds=12)}
    start(page, 2, seed=find_seed(has_three_in_a_row_and_a_wild, 2, **box), **box)
    assert is_my_turn(page)
    draw(page)
    lay_in_the_middle(page)
    add_a_wild_at_an_end(page)


def has_three_in_a_row_and_a_wild(deal: Deal) -> bool:
    """Three that can grow at both ends."""
    held = set(deal.hands[0])
    runs = ({f"R{number}", f"R{number + 1}", f"R{number + 2}", "W"} for number in range(2, 10))
    return any(run <= held for run in runs)


def lay_in_the_middle(page: Page) -> None:
    """Lay a run without Wilds that can grow at both ends."""
    page.locator("[data-tool=lay]").click()
    page.locator("dialog [data-way]").first.wait_for()
    for way in page.locator("dialog [data-way]").all():
        words = way.get_attribute("aria-label") or ""
        numbers = [int(found) for found in re.findall(r"\d+", words)]
        if min(numbers) > 1 and max(numbers) < 12 and "Wild" not in words:  # it is needed later
            way.click()
            expect(page.locator("[data-owner='1'] .meld")).to_have_count(1)
            return
    pytest.fail("no such run was offered")


def add_a_wild_at_an_end(page: Page) -> None:
    before = len(held(page))
    meld = page.locator("[data-owner='1'] .meld")
    cards = meld.locator("[data-spot]")
    expect(cards).to_have_count(3)
    page.locator("[data-held=W]").first.click(position={"x": 10, "y": 40})
    meld.click()
    ways = page.get_by_role("dialog", name="Where does it go?").locator("[data-way]")
    expect(ways).to_have_count(2)  # before and after
    numbers = [re.findall(r"\d+", way.get_attribute("aria-label") or "") for way in ways.all()]
    assert abs(int(numbers[0][-1]) - int(numbers[1][-1])) == 4
    ways.first.click()
    expect(cards).to_have_count(4)
    expect(page.locator("[data-held]")).to_have_count(before - 1)
    page.locator("[data-tool=undo]").click()
    expect(cards).to_have_count(3)
    expect(page.locator("[data-held]")).to_have_count(before)


def fill_slots(page: Page) -> None:
    """Put three cards into the slots of the only group."""
    assert is_my_turn(page)
    draw(page)
    for placed in range(3):
        page.locator("[data-held]").first.click(position={"x": 10, "y": 40})
        page.locator("[data-row='0']").click()
        expect(page.locator("[data-slot-card]")).to_have_count(placed + 1)


def test_cards_put_into_the_slots_are_laid(people: People) -> None:
    page = somebody(people)
    start(page, 2, custom=small("color 3"))  # all cards have the same colour
    fill_slots(page)
    page.locator("[data-tool=lay]").click()
    expect(page.locator("[data-owner='1'] .meld [data-spot]")).to_have_count(3)
    expect(page.locator("[data-held]")).to_have_count(4)
    expect(page.locator("[data-slot-card]")).to_have_count(0)


def test_a_card_that_cannot_belong_is_refused_by_its_slot_at_once_with_a_reason(
    people: People,
) -> None:
    page = somebody(people)
    start(page, 2, custom=small("set 3", copies=1, deal=4))  # no number is there twice
    assert is_my_turn(page)
    draw(page)
    for _ in range(2):
        page.locator("[data-held]").first.click(position={"x": 10, "y": 40})
        page.locator("[data-row='0']").click()
        expect(page.locator("[data-slot-card]")).to_have_count(1)
    refused = page.locator("[data-toast=refusal]")
    expect(refused).to_contain_text("A set is made of cards of one number")
    expect(refused.get_by_role("link")).to_have_attribute("href", "/learn/rules#M-SET")
    expect(page.locator("[data-tool=lay]")).to_be_disabled()
    expect(page.locator("[data-held]")).to_have_count(4)
    page.get_by_role("button", name="Put back").press("Enter")  # the reason lies over it
    expect(page.locator("[data-slot-card]")).to_have_count(0)
    expect(page.locator("[data-held]")).to_have_count(5)


def test_a_hint_shows_what_to_do_and_why(people: People) -> None:
    page = somebody(people)
    start(page)
    assert is_my_turn(page)
    page.locator("[data-tool=hint]").click()
    expect(page.locator("[data-toast=hint]")).to_contain_text(re.compile(r"Draw|Take"))
    expect(page.locator(".hinted")).to_be_visible()
    draw(page)
    expect(page.locator("[data-toast]")).to_have_count(0)


# -- others, and the network ----------------------------------------------------------------------


def test_a_lost_connection_comes_back_by_itself(people: People) -> None:
    page = somebody(people, hurried=True)  # a connection that says nothing is given up
    people.expect_problem("WebSocket")
    sockets: list[WebSocketRoute] = []
    refusing = [False]

    def connect(socket: WebSocketRoute) -> None:
        if refusing[0]:
            socket.close(code=1012)
            return
        sockets.append(socket)
        server = socket.connect_to_server()
        # Said by hand: left to Playwright, the late end of this one ends the next one too.
        socket.on_close(lambda _code, _reason: server.close())
        server.on_close(lambda _code, _reason: None)

    page.route_web_socket(re.compile("/play"), connect)
    start(page)
    assert is_my_turn(page)
    refusing[0] = True
    for socket in sockets:
        socket.close(code=1012)
    expect(page.get_by_text("The connection is gone")).to_be_visible()
    refusing[0] = False
    expect(page.get_by_text("The connection is gone")).to_have_count(0)
    draw(page)
    expect(page.locator("[data-held]")).to_have_count(11)


def hold_back(page: Page, do: str, until: str = "") -> list[str]:
    """Requests of the first kind do not reach the server before one of the second; the list of them."""
    held_back: list[str] = []

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            kind = json.loads(message)["do"]
            if kind == do:
                held_back.append(str(message))
                return
            server.send(message)
            if kind == until:
                for late in held_back:
                    server.send(late)

        socket.on_message(pass_on)

    page.route_web_socket(re.compile("/play"), connect)
    return held_back


def test_a_move_does_not_wait_for_what_one_said(people: People) -> None:
    page = somebody(people, LAPTOP)
    said = hold_back(page, "say")
    start(page)
    assert is_my_turn(page)
    page.get_by_label("Say something").fill("Where is the other one?")
    page.keyboard.press("Enter")
    draw(page)
    assert said
    expect(page.locator("[data-held]")).to_have_count(11)


def test_who_added_to_the_shuffle_too_late_did_nothing_wrong(people: People) -> None:
    page = somebody(people, LAPTOP)
    seeds = hold_back(page, "seed", until="draw")
    code = open_table(page, 2)
    sit_down(page, "Ana")
    expect(page.locator("[data-seat='1']")).to_contain_text("Ana")
    page.get_by_role("button", name="Start").click()
    assert is_my_turn(page)
    draw(page)
    assert seeds
    ask(page, code, {"do": "say", "text": "What was that?"})  # the answer has come before
    expect(page.locator("[data-log]")).to_contain_text("What was that?")
    expect(page.locator("[data-toast]")).to_have_count(0)


def test_people_talk_and_a_watcher_sees_no_hand(people: People) -> None:
    page = somebody(people)
    code = start(page)
    assert is_my_turn(page)
    watcher = people.open(f"/watch/{code}")
    expect(watcher.locator("[data-pile=draw]")).to_be_visible()
    expect(watcher.locator("[data-held]")).to_have_count(0)
    expect(watcher.locator("[data-tool=lay]")).to_have_count(0)
    page.locator("[data-tool=more]").click()
    page.get_by_role("button", name="Nice!").click()
    page.get_by_label("Say something").fill("Good evening")
    page.keyboard.press("Enter")
    expect(page.locator("[data-log]")).to_contain_text("Good evening")
    expect(watcher.get_by_text("Good evening").first).to_be_visible()


def test_the_television_says_whose_turn_it_is(people: People) -> None:
    page = somebody(people)
    code = start(page)
    assert is_my_turn(page)
    television = people.open(f"/tv/{code}", screen=TELEVISION)
    expect(television.get_by_role("heading", level=1)).to_have_text("Ana is playing")
    expect(television.locator("[data-held]")).to_have_count(0)
    expect(television.locator("[data-tv]")).to_contain_text(f"{code[:4]} {code[4:]}")
    assert_fits(television)
    assert_accessible(television)


def test_the_first_turn_has_three_pointers_once(people: People) -> None:
    page = people.open("", name="Ana")
    start(page)
    assert is_my_turn(page)
    expect(page.locator("[data-pointer=draw]")).to_be_visible()
    draw(page)
    page.locator("[data-pointer=phase]").get_by_role("button").click()
    expect(page.locator("[data-pointer=drop]")).to_be_visible()
    discard(page)
    assert is_my_turn(page)
    expect(page.locator("[data-pointer]")).to_have_count(0)
    page.reload()
    expect(page.locator("[data-held]")).to_have_count(10)
    expect(page.locator("[data-pointer]")).to_have_count(0)


# -- how it looks -------------------------------------------------------------------------------


@pytest.mark.parametrize("language", mainly(LANGUAGES, "fr"))
def test_six_players_fit_on_a_small_phone(people: People, language: str) -> None:
    page = somebody(people, SMALL_PHONE, language=language)
    start(page, 6)
    for turn in turns(page):
        lay(page)
        assert_fits(page)
        if turn == 2:
            break
    assert_translated(page)
    strips = page.locator("[data-held]").all()[:2]
    boxes = [strip.bounding_box() for strip in strips]
    if len(boxes) == 2 and boxes[0] and boxes[1]:
        assert boxes[1]["x"] - boxes[0]["x"] >= 24


@pytest.mark.parametrize(
    ("screen", "theme"),
    [
        (PHONE, "contrast"),
        (LAPTOP, "dark"),
        pytest.param(TABLET, "dark", marks=pytest.mark.long),
        pytest.param(SMALL_PHONE, "dark", marks=pytest.mark.long),
        pytest.param(SMALL_PHONE, "light", marks=pytest.mark.long),
        pytest.param(LAPTOP, "light", marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing_at_the_table(people: People, screen: Screen, theme: str) -> None:
    page = somebody(people, screen, theme=theme)
    start(page, 4)
    assert is_my_turn(page)
    draw(page)
    page.locator("[data-held]").first.click(position={"x": 10, "y": 40})
    assert_accessible(page)
    assert_fits(page)
    page.locator("[data-tool=more]").click()
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert_accessible(page)
