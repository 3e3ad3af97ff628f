"""Playing with friends: a table, an invitation, a lobby."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import LIVING_ROOM
from tests.browser.people import (
    LAPTOP,
    TABLET,
    People,
    assert_accessible,
    assert_fits,
    device_seed,
)
from tests.browser.qr import scan
from tests.browser.tables import beside, open_table, sit_down, small, wait_for_seeds


def make_table(host: Page) -> str:
    """The host makes a table; its code."""
    host.get_by_role("button", name="Play with friends").click()
    expect(host.get_by_role("heading", level=1)).to_contain_text("table")
    expect(seat(host, 1)).to_contain_text("you · host")
    return host.url.rpartition("/")[2]


def seat(page: Page, number: int):
    return page.locator(f"[data-seat='{number}']")


def open_seat(page: Page, number: int) -> None:
    seat(page, number).get_by_role("button").click()


def test_friends_come_by_link_and_by_code_and_the_game_starts(people: People) -> None:
    host = people.open(name="Ana")
    code = make_table(host)
    expect(host.get_by_role("img", name="QR")).to_have_count(0)  # nobody else reaches 127.0.0.1
    assert host.locator("strong", has_text=code[:4]).inner_text().replace(" ", "") == code

    by_link = people.open(f"/join/{code}")
    expect(by_link).to_have_url(re.compile(f"/table/{code}$"))
    sit_down(by_link, "Beto")
    expect(seat(by_link, 2)).to_contain_text("Beto")
    expect(by_link.get_by_text("Ana starts the game.")).to_be_visible()

    by_code = people.open(screen=LAPTOP)
    by_code.get_by_role("link", name="Join").click()
    by_code.get_by_label("Code of the table").fill(f" {code[:4].lower()} {code[4:].lower()}")
    by_code.get_by_role("button", name="Join").click()
    sit_down(by_code, "Caro")

    for page in (host, by_link, by_code):
        expect(seat(page, 3)).to_contain_text("Caro")
        expect(seat(page, 2)).to_contain_text("Beto")
    host.get_by_role("button", name="Start").click()
    for page in (host, by_link, by_code):
        expect(page.locator("[data-hand] [data-held]")).to_have_count(10)


def in_living_room(site: str) -> str:
    """The address under which other devices find the server."""
    return site.replace("127.0.0.1", LIVING_ROOM)


def test_a_friend_scans_the_code_of_the_table(people: People, site: str) -> None:
    host = people.open(in_living_room(site), screen=TABLET, name="Ana")
    code = make_table(host)
    link = scan(host.get_by_role("img", name="QR"))
    assert link == f"{in_living_room(site)}/join/{code}"
    friend = people.open(link)
    sit_down(friend, "Beto")
    expect(seat(host, 2)).to_contain_text("Beto")
    host.get_by_role("button", name="Start").click()
    for page in (host, friend):
        expect(page.locator("[data-hand] [data-held]")).to_have_count(10)


def test_somebody_scans_the_way_to_the_other_device(people: People, site: str) -> None:
    laptop = people.open(in_living_room(site), screen=LAPTOP, name="Ana")
    code = make_table(laptop)
    laptop.get_by_role("button", name="Settings").click()
    laptop.get_by_role("button", name="Play on another device").click()
    phone = people.open(scan(laptop.get_by_role("dialog").get_by_role("img", name="QR")))
    phone.get_by_role("button", name="Take my seats here").click()
    phone.get_by_role("link", name="Go on").click()
    expect(phone).to_have_url(re.compile(f"/table/{code}$"))
    expect(seat(phone, 1)).to_contain_text("you · host")


def test_a_link_is_copied_where_there_is_no_clipboard(people: People, site: str) -> None:
    host = people.open(in_living_room(site), name="Ana")
    code = make_table(host)
    assert host.evaluate("navigator.clipboard === undefined")
    host.get_by_role("button", name="Copy link").click()
    expect(host.get_by_role("button", name="Copied")).to_be_visible()
    other = people.open_tab(host, f"{in_living_room(site)}/join")
    other.get_by_label("Code of the table").press("ControlOrMeta+v")
    expect(other.get_by_label("Code of the table")).to_have_value(
        f"{in_living_room(site)}/join/{code}"
    )
    other.get_by_role("button", name="Join").click()
    expect(other).to_have_url(re.compile(f"/table/{code}$"))


def test_every_player_adds_to_the_shuffle(people: People) -> None:
    host = people.open(name="Ana")
    code = make_table(host)
    friend = people.open(f"/join/{code}", name="Beto")
    sit_down(friend, "Beto")
    wait_for_seeds(host, code, 2)
    seats = host.request.get(f"/api/tables/{code}").json()["seats"]
    assert [each["seed"] for each in seats if each["seed"]] == [device_seed(1), device_seed(2)]
    host.get_by_text("Nobody can know or change the shuffle").click()
    expect(host.locator("code")).to_have_text(re.compile(r"^[0-9a-f]{64}$"))


def test_the_host_arranges_the_table(people: People) -> None:
    host = people.open(name="Ana")
    code = make_table(host)
    open_seat(host, 3)
    host.get_by_role("button", name="sharp").click()
    expect(seat(host, 3)).to_contain_text("bot, sharp")
    open_seat(host, 3)
    host.get_by_role("button", name="rookie").click()
    expect(seat(host, 3)).to_contain_text("bot, rookie")

    seats = host.get_by_role("group", name="Seats")
    seats.get_by_role("button", name="Fewer").click()
    expect(host.locator("[data-seat]")).to_have_count(3)
    expect(seats.get_by_role("button", name="Fewer")).to_be_disabled()
    seats.get_by_role("button", name="More").click()
    expect(host.locator("[data-seat]")).to_have_count(4)

    open_seat(host, 3)
    host.get_by_role("button", name="Remove the bot").click()
    expect(seat(host, 3)).to_contain_text("Free seat")

    host.get_by_role("button", name="Change", exact=True).click()
    host.get_by_role("radio", name="Express").check()
    host.get_by_role("radio", name="Short game").check()
    host.get_by_role("radio", name="30 seconds").check()
    host.get_by_role("button", name="Done").click()
    expect(host.get_by_text("Express · Phases 1 to 5 · 30 seconds a turn")).to_be_visible()

    friend = people.open(f"/join/{code}")
    expect(friend.get_by_text("Express · Phases 1 to 5 · 30 seconds a turn")).to_be_visible()


def test_an_edition_of_ones_own_is_shown_and_can_be_left(people: People) -> None:
    host = people.open("")
    open_table(host, custom=small("set 3"))
    expect(host.locator(".game")).to_contain_text("Small")
    host.get_by_role("button", name="Change", exact=True).click()
    expect(host.get_by_role("radio", name="Small")).to_be_checked()
    host.get_by_role("radio", name="Deluxe").check()
    host.get_by_role("radio", name="Small").check()
    host.get_by_role("button", name="Done").click()
    expect(host.locator(".game")).to_contain_text("Small")
    host.get_by_role("button", name="Change", exact=True).click()
    host.get_by_role("radio", name="Deluxe").check()
    host.get_by_role("button", name="Done").click()
    expect(host.locator(".game")).to_contain_text("Deluxe")


def test_a_guest_changes_name_and_seat_and_leaves(people: People) -> None:
    host = people.open(name="Ana")
    code = make_table(host)
    guest = people.open(f"/join/{code}")
    sit_down(guest, "Ana")
    expect(guest.get_by_role("alert")).to_contain_text("name")  # it is taken
    sit_down(guest, "Beto")
    expect(seat(host, 2)).to_contain_text("Beto")
    open_seat(guest, 4)
    guest.get_by_role("button", name="Sit here").click()
    expect(seat(host, 4)).to_contain_text("Beto")
    open_seat(guest, 4)
    guest.get_by_role("dialog").get_by_label("Your name").fill("Berta")
    guest.get_by_role("button", name="Change name").click()
    expect(seat(host, 4)).to_contain_text("Berta")
    expect(seat(guest, 1).get_by_role("button")).to_have_count(0)  # only the host may do that
    open_seat(guest, 4)
    guest.get_by_role("button", name="Leave the seat").click()
    expect(seat(host, 4)).to_contain_text("Free seat")


def test_the_host_gives_the_table_away_and_is_sent_away(people: People) -> None:
    host = people.open(name="Ana")
    code = make_table(host)
    guest = people.open(f"/join/{code}")
    sit_down(guest, "Beto")
    open_seat(host, 2)
    host.get_by_role("button", name="Make host").click()
    expect(seat(host, 2)).to_contain_text("host")
    open_seat(guest, 1)
    guest.get_by_role("button", name="Send away").click()
    guest.locator("[data-send-away] button").click()
    expect(seat(guest, 1)).to_contain_text("Free seat")
    expect(host.get_by_role("button", name="Sit down")).to_be_visible()
    expect(host.get_by_role("alert").filter(has_text="sent you away")).to_be_visible()


def test_a_public_table_is_in_the_list(people: People) -> None:
    host = people.open(name="Zoe")
    code = make_table(host)
    guest = people.open("/join")
    expect(guest.get_by_role("button", name="Look again")).to_be_visible()
    entry = guest.get_by_role("link", name="Zoe's table")
    expect(entry).to_have_count(0)
    host.get_by_role("button", name="Change", exact=True).click()
    host.get_by_role("switch", name="Public table").check()
    host.get_by_role("button", name="Done").click()
    with beside(host, code) as table:
        table.until(lambda _: table.welcome["options"].get("public", False))
    guest.get_by_role("button", name="Look again").click()
    entry.click()
    sit_down(guest, "Beto")
    expect(seat(host, 2)).to_contain_text("Beto")


def test_a_wrong_code_is_said_where_it_can_be_mended(people: People) -> None:
    people.expect_problem(r"404.*ABCD2345")
    page = people.open("/join/abcd-2345")
    expect(page.get_by_role("alert")).to_contain_text("no table")
    expect(page.get_by_label("Code of the table")).to_have_value("abcd-2345")


def test_somebody_plays_on_with_another_device(people: People) -> None:
    first = people.open(name="Ana")
    code = make_table(first)
    first.get_by_role("button", name="Settings").click()
    with first.expect_response("**/api/moves") as answer:
        first.get_by_role("button", name="Play on another device").click()
    link: str = answer.value.json()["link"]
    second = people.open("/move/" + link.rpartition("/")[2], name="Ana")
    second.get_by_role("button", name="Take my seats here").click()
    second.get_by_role("link", name="Go on").click()
    expect(second).to_have_url(re.compile(f"/table/{code}$"))
    expect(seat(second, 1)).to_contain_text("you · host")


def test_who_left_the_page_goes_on_and_leaves_for_good_without_a_network(people: People) -> None:
    people.expect_problem("WebSocket|ERR_INTERNET_DISCONNECTED")
    page = people.open(name="Ana")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-hand] [data-held]")).to_have_count(10)
    code = page.url.rpartition("/")[2]
    page.go_back()
    expect(page.get_by_role("link", name="Go on")).to_contain_text("Your turn")
    page.get_by_role("link", name="Go on").click()
    expect(page.locator("[data-hand] [data-held]").first).to_be_visible()
    expect(page).to_have_title(re.compile("Your turn"))
    page.locator("[data-tool=more]").click()
    expect(page.locator("[data-log]")).to_contain_text(
        "Hand 1:"
    )  # it is known what happened before
    page.get_by_role("tab", name="Table").click()
    page.context.set_offline(True)
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Really leave").click()
    expect(page.get_by_role("link", name="Go on")).to_have_count(0)
    page.context.set_offline(False)
    with beside(page, code) as table:  # it has been left, though nobody could be told then
        table.until(lambda update: update["you"]["seat"] is None)


def test_what_is_said_before_the_game_is_there_after_a_reload(people: People) -> None:
    host = people.open(name="Ana")
    code = make_table(host)
    expect(host.get_by_label("Say something")).to_have_count(0)  # there is nobody to hear it
    friend = people.open(f"/table/{code}")
    sit_down(friend, "Beto")
    host.get_by_label("Say something").fill("Shall we wait for Caro?")
    host.keyboard.press("Enter")
    for page in (host, friend):
        expect(page.locator("[data-log]")).to_contain_text("Ana Shall we wait for Caro?")
    assert_accessible(friend)
    assert_fits(friend)
    friend.reload()
    expect(friend.locator("[data-log]")).to_contain_text("Ana Shall we wait for Caro?")
    late = people.open(f"/table/{code}", screen=LAPTOP)  # who has no seat reads, and cannot speak
    expect(late.locator("[data-log]")).to_contain_text("Shall we wait for Caro?")
    expect(late.get_by_label("Say something")).to_have_count(0)
