"""People who play with each other: whole games, and what happens between people."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from phaseten.rules.editions import BOOK_EDITIONS
from tests.browser.people import (
    LAPTOP,
    PHONE,
    SMALL_PHONE,
    TABLET,
    TELEVISION,
    People,
    Screen,
    assert_accessible,
    assert_fits,
)
from tests.browser.players import By, Player, double_click, play_on, reach
from tests.browser.tables import (
    Deal,
    beside,
    discard,
    draw,
    editions,
    find_seed,
    held,
    is_my_turn,
    open_table,
    plain_card,
    sit_down,
    small,
    somebody,
    start,
    wait_for_seeds,
)

ONE_HAND = "ten-hands,phases=1"
"""A single hand."""
QUICK = small("color 3", colors="RB", deal=5)
"""A single hand in which everybody can lay at once, and hit with half of the cards from then on."""


def gather(
    people: People,
    *who: tuple[str, Screen],
    seats: int | None = None,
    hurried: bool = False,
    **options: Any,
) -> list[Page]:
    """Those people sit at one table, and the first of them has started the game."""
    pages = [somebody(people, screen, hurried=hurried) for _, screen in who]
    host = pages[0]
    code = open_table(host, seats or len(who), **options)
    for number, (page, (name, _)) in enumerate(zip(pages, who, strict=True), start=1):
        if page is not host:
            page.goto(f"/join/{code}")
        sit_down(page, name)
        expect(host.locator(f"[data-seat='{number}']")).to_contain_text(name)
    wait_for_seeds(host, code, len(who))  # so that the same cards are dealt every time
    host.get_by_role("button", name="Start").click()
    for page in pages:
        expect(page.locator("[data-hand]")).to_be_visible()
    return pages


def ana_and_beto(people: People, **options: Any) -> tuple[Page, Page]:
    """Two people: the host on a phone, the other one at a desk."""
    ana, beto = gather(people, ("Ana", SMALL_PHONE), ("Beto", LAPTOP), **options)
    return ana, beto


def on_turn(*pages: Page) -> tuple[Page, ...]:
    """The one whose turn it is, who can draw now, and then the others."""
    with beside(pages[0], code_of(pages[0])) as table:
        table.until(lambda update: update["game"] and update["game"]["board"]["turn"] <= len(pages))
        active = pages[table.update["game"]["board"]["turn"] - 1]
    expect(active.locator("[data-pile=draw]")).to_be_enabled()
    return (active, *(page for page in pages if page is not active))


def code_of(page: Page) -> str:
    """The code of the table that the page shows."""
    return page.url.rpartition("/")[2]


def points(page: Page) -> list[str]:
    """The last line but one of the score sheet: everybody's total."""
    return page.locator("tfoot tr").first.locator("td").all_inner_texts()


def open_table_menu(page: Page) -> None:
    page.locator("[data-tool=more]").click()
    page.get_by_role("tab", name="Table").click()


def hear(page: Page) -> list[dict[str, Any]]:
    """Every message that the page receives from now on."""
    messages: list[dict[str, Any]] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: messages.append(json.loads(frame))),
    )
    return messages


# -- whole games --------------------------------------------------------------------------------


def play_together(people: People, *who: tuple[str, Screen, By], **options: Any) -> list[Player]:
    """They play a game to its end, and agree about it."""
    pages = gather(people, *((name, screen) for name, screen, _ in who), **options)
    players = [Player(page, by) for page, (_, _, by) in zip(pages, who, strict=True)]
    play_on(players)
    won = [page.locator("[data-over=game] h1").inner_text() for page in pages]
    of_others = {words for words in won if words != "You have won!"}
    assert len(of_others) == 1, won  # all name the same one
    assert won.count("You have won!") <= 1
    assert len({tuple(points(page)) for page in pages}) == 1
    for page in pages:
        assert_fits(page)
    return players


@pytest.mark.long
@pytest.mark.parametrize("edition", BOOK_EDITIONS)
def test_two_people_and_two_bots_play_a_short_game(people: People, edition: str) -> None:
    players = play_together(
        people,
        ("Ana", SMALL_PHONE, "touch"),
        ("Beto", LAPTOP, "mouse"),
        seats=4,
        edition=edition,
        # In the small deck a bot can be out before somebody had a turn.
        variant="phases=2" if edition == "express" else ONE_HAND,
        stand_in="sharp",
    )
    for player in players:
        assert {"draw", "discard"} <= player.did


@pytest.mark.long
@editions
def test_two_people_and_two_bots_play_a_long_game(people: People, edition: str) -> None:
    play_together(
        people,
        ("Ana", TABLET, "touch"),
        ("Beto", LAPTOP, "mouse"),
        seats=4,
        edition=edition,
        variant="phases=4",
    )


@pytest.mark.long
def test_six_people_play_a_short_game(people: People) -> None:
    players = play_together(
        people,
        ("Ana", SMALL_PHONE, "touch"),
        ("Beto", LAPTOP, "mouse"),
        ("Caro", PHONE, "touch"),
        ("Dani", TABLET, "touch"),
        ("Eva", LAPTOP, "mouse"),
        ("Fito", LAPTOP, "keys"),
        custom=QUICK,
    )
    did = {what for player in players for what in player.did}
    assert {"draw", "lay", "discard"} <= did


def test_a_whole_game_by_keyboard_alone(people: People) -> None:
    page = somebody(people, LAPTOP)
    open_table(page, 3, variant=ONE_HAND, stand_in="sharp")
    reach(page, "input")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    expect(page.locator("[data-seat='1']")).to_contain_text("Ana")
    reach(page, "footer button")
    page.keyboard.press("Enter")
    expect(page.locator("[data-hand]")).to_be_visible()
    player = Player(page, "keys")
    play_on([player])
    assert {"draw", "discard"} <= player.did
    reach(page, "[data-check]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-verdict=fair]")).to_be_visible()
    page.keyboard.press("Escape")
    reach(page, "[data-rematch]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-over]")).to_have_count(0)


# -- reload and network loss ----------------------------------------------------------------------


def test_a_reload_of_either_page_in_the_middle_of_a_turn_changes_nothing(people: People) -> None:
    active, other = on_turn(*ana_and_beto(people))
    draw(active)
    open_talk(other)
    say(other, "Take your time")
    mine, theirs = held(active), held(other)
    for page in (active, other):
        page.reload()
    expect(active.locator("[data-held]")).to_have_count(11)
    expect(other.locator("[data-held]")).to_have_count(10)
    assert (held(active), held(other)) == (mine, theirs)
    expect(active.locator("[data-pile=draw]")).to_be_disabled()
    for page in (active, other):  # what happened before, and what was said, is there again
        open_talk(page)
        expect(page.locator("[data-log]")).to_contain_text("Take your time")
        expect(page.locator("[data-log] li", has_text="draw")).to_have_count(1)
        page.keyboard.press("Escape")
    discard(active)
    expect(active.locator("[data-held]")).to_have_count(10)


def test_a_promise_that_changes_in_the_middle_of_a_game_is_said_at_once(people: People) -> None:
    page = somebody(people)
    is_cheating = False

    def cheat(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def tell(message: str | bytes) -> None:
            told = json.loads(message)
            if is_cheating and "table" in told:
                told["table"]["commitment"] = "00" * 32
            elif is_cheating and told["type"] == "change":
                told["table"] = {"commitment": "00" * 32}
            socket.send(json.dumps(told))

        server.on_message(tell)

    page.route_web_socket(re.compile("/play"), cheat)
    start(page, 2)
    assert is_my_turn(page)
    is_cheating = True
    draw(page)
    expect(page.get_by_role("alert").filter(has_text="changed its promise")).to_be_visible()


def test_a_turn_survives_the_loss_of_the_network(people: People) -> None:
    people.expect_problem("WebSocket|ERR_INTERNET_DISCONNECTED")
    ana, beto = ana_and_beto(people)
    active, other = on_turn(ana, beto)
    draw(active)
    active.context.set_offline(True)
    expect(active.get_by_text("The connection is gone")).to_be_visible()
    expect(other.get_by_text("not connected").first).to_be_attached()
    double_click(plain_card(active))
    expect(active.locator("[data-held]")).to_have_count(10)  # it is seen at once, and waits
    expect(active.get_by_text("Your move is sent as soon as")).to_be_visible()
    after = held(active)
    open_talk(other)
    say(other, "Where are you?")
    active.context.set_offline(False)
    expect(active.get_by_text("The connection is gone")).to_have_count(0)
    expect(active.get_by_text("Where are you?").first).to_be_attached()
    expect(other.get_by_text("not connected")).to_have_count(0)
    expect(other.locator("[data-pile=draw]")).to_be_enabled()
    assert held(active) == after
    open_talk(active)
    log = active.locator("[data-log]")
    expect(log.get_by_text("Where are you?")).to_have_count(1)
    expect(log.get_by_text("You discard")).to_have_count(1)
    name = "Ana" if active is ana else "Beto"
    expect(other.locator("[data-log]").get_by_text(f"{name} discards")).to_have_count(1)


def test_bots_play_on_while_the_network_is_away(people: People) -> None:
    people.expect_problem("WebSocket|ERR_INTERNET_DISCONNECTED")
    page = somebody(people)
    start(page, 3, pace=400, custom=small("set 6", colors="RBYG"))  # without Skips
    assert is_my_turn(page)
    played = [words for words in log_of(page) if "discard" in words]
    page.keyboard.press("Escape")
    draw(page)
    discard(page)
    page.context.set_offline(True)
    expect(page.get_by_text("The connection is gone")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("The connection is gone")).to_have_count(0)
    assert is_my_turn(page)
    since = [words for words in log_of(page) if "discard" in words][len(played) :]
    assert len(since) == 3, since  # one's own, and one of each bot: nothing twice, nothing missed


def test_a_move_into_a_dead_network_is_made_once(people: People) -> None:
    people.expect_problem("WebSocket|ERR_INTERNET_DISCONNECTED")
    active, other = on_turn(*ana_and_beto(people))
    for _ in range(2):
        active.context.set_offline(True)
        active.locator("[data-pile=draw]").click(force=True)
        expect(active.get_by_text("The connection is gone")).to_be_visible()
        active.context.set_offline(False)
        expect(active.get_by_text("The connection is gone")).to_have_count(0)
    if active.locator("[data-pile=draw]:enabled").count():
        draw(active)
    expect(active.locator("[data-held]")).to_have_count(11)
    expect(active.locator("[data-toast]")).to_have_count(0)
    open_talk(other)
    expect(other.locator("[data-log] li", has_text="draws a card")).to_have_count(1)


def test_a_silent_connection_is_given_up(people: People) -> None:
    """A network that is gone says nothing: an answer that does not come has to be missed."""
    active, other = on_turn(*ana_and_beto(people, hurried=True))
    active.evaluate("WebSocket.prototype.send = () => {}")  # what is sent arrives nowhere
    with active.expect_websocket():  # it has opened another one
        active.locator("[data-pile=draw]").click()
    expect(active.locator("[data-pile=draw]")).to_be_enabled()
    expect(other.locator("[data-held]")).to_have_count(10)


def open_talk(page: Page) -> None:
    if not page.locator("[data-log]").count():
        page.locator("[data-tool=more]").click()
    expect(page.locator("[data-log]")).to_be_visible()


def say(page: Page, words: str) -> None:
    page.get_by_label("Say something").fill(words)
    page.keyboard.press("Enter")
    expect(page.locator("[data-log]")).to_contain_text(words)


def log_of(page: Page) -> list[str]:
    open_talk(page)
    return page.locator("[data-log] li").all_inner_texts()


# -- those who look on ----------------------------------------------------------------------------


def test_watcher_and_television_see_moves_and_no_hands(people: People) -> None:
    ana, beto = ana_and_beto(people, custom=small("color 3", colors="RBY", deal=10))
    code = code_of(ana)
    watcher, television = (people.open("", screen=screen) for screen in (PHONE, TELEVISION))
    told = [hear(watcher), hear(television)]
    watcher.goto(f"/watch/{code}")
    television.goto(f"/tv/{code}")
    expect(watcher.locator("[data-pile=draw]")).to_be_visible()
    expect(television.locator("[data-tv] h1")).to_have_text(re.compile("is playing"))
    active, other = on_turn(ana, beto)
    player = Player(active, "mouse")
    while player.step():  # of eleven cards in three colours, three have the same
        pass
    draw(other)
    for page in (watcher, television):
        expect(page.locator("[data-owner]")).not_to_have_count(0)  # Phases have been laid
        expect(page.locator("[data-held]")).to_have_count(0)
        expect(page.locator("[data-tool=lay]")).to_have_count(0)
        assert page.locator(".meld:enabled, [data-pile]:enabled").count() == 0
        assert_fits(page)
    open_talk(watcher)
    expect(watcher.locator("[data-log]")).to_contain_text("discards")
    for messages in told:
        updates = [message for message in messages if message["type"] in ("update", "change")]
        assert len(updates) >= 3  # as they came, a card that was drawn, a Phase that was laid
        for update in updates:
            assert not update.get("game", {}).get("held")
            assert not update.get("actions")
            for step in update["steps"]:
                for event in step["events"]:
                    assert event["event"] != "DrawSeen" or event["card"] is None
                    assert event["event"] != "DealSeen" or event["cards"] == []


@pytest.mark.long
def test_somebody_watches_by_code_from_the_start_page(people: People) -> None:
    player = somebody(people)
    code = start(player)
    watcher = people.open("/")
    watcher.get_by_role("link", name="Watch").tap()
    watcher.get_by_label("Code of the table").fill(code.lower())
    watcher.get_by_role("button", name="Watch").tap()
    expect(watcher).to_have_url(re.compile(f"/watch/{code}$"))
    expect(
        watcher.locator("[data-pile=draw]")
    ).to_be_visible()  # who comes later is not told the rest
    assert is_my_turn(player)
    draw(player)
    open_talk(watcher)
    expect(watcher.locator("[data-log]")).to_contain_text("Ana draws a card.")
    expect(watcher.locator("[data-held]")).to_have_count(0)


# -- time, the host, and what people say ------------------------------------------------------------


@pytest.mark.long
def test_when_the_time_is_up_a_bot_plays_on_until_one_plays_again(people: People) -> None:
    # Long enough for what people do in the test, and not a second longer: it is waited for.
    active, other = on_turn(*ana_and_beto(people, timer=12))
    banner = active.get_by_text("A bot plays for you.")
    expect(banner).to_be_visible()
    expect(other.locator("[data-pile=draw]")).to_be_enabled()
    expect(other.get_by_text("a bot plays for them").first).to_be_attached()
    active.get_by_role("button", name="Play again").click()
    expect(banner).to_have_count(0)
    draw(other)
    discard(other)
    expect(active.locator("[data-pile=draw]")).to_be_enabled()
    count = len(held(active))
    draw(active)
    expect(active.locator("[data-held]")).to_have_count(count + 1)


@pytest.mark.long
def test_what_is_said_stays_on_the_screen(people: People) -> None:
    ana, _beto, caro = gather(
        people, ("Ana", SMALL_PHONE), ("Beto", LAPTOP), ("Caro", LAPTOP), seats=3
    )
    open_talk(caro)
    say(caro, "The one on the right edge has quite a lot to say " * 5)
    expect(ana.locator(".bubble")).to_contain_text("quite a lot")
    assert_fits(ana)


def test_the_host_pauses_for_everybody(people: People) -> None:
    ana, beto = ana_and_beto(people)
    active, _other = on_turn(ana, beto)
    open_table_menu(ana)
    ana.get_by_role("button", name="Pause").click()
    ana.keyboard.press("Escape")
    for page in (ana, beto):
        expect(page.locator(".banner")).to_contain_text("The game is paused.")
        expect(page.locator("[data-spoken]")).to_contain_text("The game is paused.")
    expect(active.locator("[data-pile=draw]")).to_be_disabled()
    expect(beto.get_by_role("button", name="Go on")).to_have_count(0)
    ana.get_by_role("button", name="Go on").click()
    expect(active.locator("[data-pile=draw]")).to_be_enabled()


def test_a_bot_plays_for_somebody_who_is_away(people: People) -> None:
    ana, beto = ana_and_beto(people)
    beto.goto("/learn")
    open_table_menu(ana)
    expect(ana.locator(".person")).to_contain_text("not connected")
    ana.get_by_role("button", name="Let a bot play").click()
    expect(ana.locator(".person")).to_contain_text("a bot plays for them")
    ana.keyboard.press("Escape")
    assert is_my_turn(ana)  # the bot has played, or plays after
    draw(ana)
    beto.go_back()
    beto.get_by_role("button", name="Play again").click()
    expect(beto.get_by_text("A bot plays for you.")).to_have_count(0)
    discard(ana)
    assert is_my_turn(beto)


def test_the_host_sends_somebody_away_only_on_purpose(people: People) -> None:
    ana, beto = ana_and_beto(people)
    open_table_menu(ana)
    ana.get_by_role("button", name="Send away").click()
    expect(beto.locator("[data-hand]")).to_be_visible()
    ana.get_by_label("Why? Everybody reads it.").fill("You promised to be nice")
    ana.locator("[data-send-away] button").click()
    expect(beto.locator("[data-hand]")).to_have_count(0)
    expect(beto.get_by_text("“You promised to be nice”").first).to_be_visible()
    expect(beto.get_by_text("The host has sent you away").first).to_be_visible()
    expect(ana.locator(".person")).to_contain_text("bot")
    ana.keyboard.press("Escape")
    assert is_my_turn(ana)


def test_somebody_comes_to_a_game_and_takes_a_bots_seat(people: People) -> None:
    ana = somebody(people)
    code = start(ana, 3, pace=10_000, join=True)
    beto = somebody(people, LAPTOP)
    beto.goto(f"/join/{code}")
    beto.locator("[data-join]").click()
    dialog = beto.get_by_role("dialog")
    assert_accessible(beto)
    dialog.get_by_role("radio").nth(1).check()
    sit_down(beto, "Beto")
    expect(beto.locator("[data-held]")).to_have_count(10)
    expect(ana.locator(".plate[data-seat='3']")).to_contain_text("Beto")
    draw(ana)
    discard(ana)
    expect(beto.locator(".plate[data-seat='2']")).to_have_attribute("aria-current", "true")


@pytest.mark.long
def test_a_game_that_is_called_off_is_played_again(people: People) -> None:
    ana, beto = ana_and_beto(people)
    open_table_menu(ana)
    ana.get_by_role("button", name="Call the game off").click()
    ana.get_by_role("button", name="Really end the game").click()
    for page in (ana, beto):
        expect(page.get_by_role("heading", name="The game was called off")).to_be_visible()
    expect(beto.get_by_text("Ana can start another game.")).to_be_visible()
    beto.locator("[data-again]").click()  # half is not more than half
    expect(ana.get_by_text("1 of 2 wants another game")).to_be_visible()
    expect(beto.locator("[data-again]")).to_have_count(0)
    ana.locator("[data-rematch]").click()
    expect(beto.get_by_text("Ana starts the game.")).to_be_visible()
    ana.get_by_role("button", name="Start").click()
    for page in (ana, beto):
        expect(page.locator("[data-held]")).to_have_count(10)


def test_people_talk_react_and_mute(people: People) -> None:
    ana, beto = ana_and_beto(people)
    on_turn(ana, beto)
    open_talk(ana)
    say(ana, "Good evening")
    expect(beto.locator("[data-log]")).to_contain_text("Good evening")
    expect(beto.locator(".bubble")).to_have_text("Good evening")
    beto.get_by_role("button", name="Wow!").click()
    expect(ana.locator("[data-log]")).to_contain_text("Wow!")
    expect(ana.locator("[data-spoken]")).to_contain_text("Beto: Wow!")
    open_table_menu(beto)
    beto.get_by_role("button", name="Mute").click()
    expect(beto.get_by_role("button", name="Hear again")).to_be_visible()
    beto.reload()
    expect(beto.locator("[data-held]").first).to_be_visible()
    assert not [
        words for words in log_of(beto) if "Good evening" in words
    ]  # not from before either
    say(ana, "Do you hear me?")
    say(beto, "Silence at last")
    expect(ana.locator("[data-log]")).to_contain_text("Silence at last")
    assert not [words for words in log_of(beto) if "Do you hear me?" in words]
    open_table_menu(beto)
    beto.get_by_role("button", name="Hear again").click()
    expect(beto.get_by_role("button", name="Mute")).to_be_visible()
    say(ana, "And now?")
    expect(beto.locator("[data-log]").first).to_contain_text("And now?")


def test_talk_does_not_close_what_somebody_is_choosing(people: People) -> None:
    active, other = on_turn(*ana_and_beto(people, custom=small("color 3")))
    draw(active)
    active.locator("[data-tool=lay]").click()
    ways = active.locator("dialog [data-way]")
    expect(ways).not_to_have_count(0)
    open_talk(other)
    say(other, "Take your time")
    expect(active.locator("[data-spoken]")).to_contain_text("Take your time")
    expect(ways).not_to_have_count(0)
    ways.first.click()
    expect(active.locator("[data-owner]")).to_have_count(1)


# -- after the game -------------------------------------------------------------------------------


def test_the_end_of_a_game_is_shared_and_found_again(people: People) -> None:
    ana, beto = ana_and_beto(people, custom=QUICK)
    play_on([Player(ana, "touch"), Player(beto, "mouse")])
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.get_by_role("button", name="Copy link").click()
    expect(ana.get_by_role("button", name="Copied")).to_be_visible()
    link = ana.evaluate("navigator.clipboard.readText()")
    somebody_else = people.open(link)
    expect(somebody_else.locator("[data-film]")).to_be_visible()
    expect(somebody_else.locator("[data-held-by]")).to_have_count(2)
    ana.locator("[data-rematch]").click()
    ana.get_by_role("button", name="Start").click()
    expect(ana.locator("[data-held]")).to_have_count(5)
    ana.goto("/replay")
    expect(ana.locator("[data-game] a")).to_have_attribute(
        "href", re.compile(link.partition("/replay")[2])
    )


# -- undo and advice ----------------------------------------------------------------------------


def test_undo_is_seen_by_the_other(people: People) -> None:
    active, other = on_turn(*ana_and_beto(people, custom=small("color 3")))
    draw(active)
    before = sorted(held(active))
    active.locator("[data-tool=lay]").click()
    active.locator("dialog [data-way]").first.click()
    for page in (active, other):
        expect(page.locator("[data-owner] .meld")).to_have_count(1)
    active.locator("[data-tool=undo]").click()
    for page in (active, other):
        expect(page.locator("[data-owner]")).to_have_count(0)
    expect(active.locator("[data-held]")).to_have_count(7)
    assert sorted(held(active)) == before


def test_hints_can_be_followed_to_the_end_of_a_hand(people: People) -> None:
    page = somebody(people)
    start(page, 2, edition="express", variant=ONE_HAND)
    followed: set[str] = set()
    while is_my_turn(page):
        while page.locator("[data-prompt].mine").count():
            followed.add(follow_hint(page))
    assert followed & {"draw", "take"}
    assert followed & {"discard", "lay"}


def follow_hint(page: Page) -> str:
    """Ask for advice and do what is lit."""
    count = page.locator("[data-hand]").get_attribute("data-count")
    page.locator("[data-tool=hint]").click()
    toast = page.locator("[data-toast=hint]")
    expect(toast).to_be_visible()
    assert len(toast.inner_text()) > 20  # what to do, and why
    lit = page.locator(".hinted")
    expect(lit).to_have_count(1)
    kind = lit.get_attribute("data-pile") or lit.get_attribute("data-tool") or "hit"
    if kind == "discard" and page.locator("[data-held][aria-pressed=true]").count() == 0:
        kind = "take"
    lit.click()
    asked = page.locator("dialog")
    page.wait_for_function(
        "() => document.querySelector('dialog') || !document.querySelector('[data-toast=hint]')"
    )
    if asked.count():
        asked.locator(".hinted, .best, .button.may").first.click()
    page.wait_for_function(  # it has been done
        "count => document.querySelector('[data-hand]')?.dataset.count !== count", arg=count
    )
    expect(toast).to_have_count(0)
    return kind


# -- rules of the house, and pairs ------------------------------------------------------------------


def test_somebody_chooses_the_phase_where_the_house_allows_it(people: People) -> None:
    active, other = on_turn(
        *ana_and_beto(people, custom=small("set 6", "color 3"), house=["choose_phase"])
    )
    choice = active.get_by_role("combobox", name="Which Phase")
    expect(choice.locator("option")).to_have_text(["Phase 1", "Phase 2"])
    choice.select_option("Phase 1")
    expect(active.locator("[data-drop='row:0']")).to_have_accessible_name(re.compile("set of 6"))
    draw(active)
    expect(active.locator("[data-tool=lay]")).to_be_disabled()
    choice.select_option("Phase 2")
    expect(active.locator("[data-drop='row:0']")).to_have_accessible_name(re.compile("3 cards of"))
    active.locator("[data-tool=lay]").click()
    active.locator("dialog [data-way]").first.click()
    expect(other.locator("[data-owner]")).to_have_count(1)
    expect(other.get_by_text("Phase 2 is down").first).to_be_attached()
    expect(choice).to_have_count(0)


def has_three_pairs_in_a_row(deal: Deal) -> bool:
    pairs = {
        number for number, count in Counter(card[1:] for card in deal.hands[0]).items() if count > 1
    }
    return {"1", "2", "3"} <= pairs or {"2", "3", "4"} <= pairs


def test_a_run_of_pairs_is_laid_and_pairs_are_added(people: People) -> None:
    page = somebody(people)
    box: dict[str, Any] = {
        "custom": small("pairrun 2", colors="RBYG", highest=4, copies=2, wilds=2)
    }
    start(page, 2, seed=find_seed(has_three_pairs_in_a_row, 2, **box), **box)
    assert is_my_turn(page)
    draw(page)
    page.locator("[data-tool=lay]").click()
    ways = page.locator("dialog [data-way]")
    expect(ways.first.locator(".meld .place")).to_have_count(4)
    ways.first.click()
    expect(page.locator("[data-owner='1'] .meld [data-spot]")).to_have_count(4)
    page.locator("[data-key]:has(.fits)").first.click(position={"x": 10, "y": 40})
    page.locator(".meld.may").first.click()
    added = page.locator(".meld [data-spot]")
    expect(ways.first.or_(added.nth(5))).to_be_visible()
    if ways.count():
        expect(ways.first.locator(".new")).to_have_count(2)
        ways.first.click()
    expect(added).to_have_count(6)


# -- how it looks late in a game ----------------------------------------------------------------------


@pytest.mark.long
def test_long_melds_and_scores_of_six_stay_in_their_places(people: People) -> None:
    page = somebody(people, LAPTOP)
    start(
        page,
        6,
        custom=small(*["run 7"] * 20, colors="RBYG", copies=2, wilds=12, deal=10),
        stand_in="sharp",
    )
    player = Player(page, "mouse")
    melds = page.locator("[data-owner] .meld")
    player.wait_for_turn()
    while melds.count() < 4:
        while player.step():
            pass
        player.wait_for_turn()
    others = page.locator(".rim li")
    expect(others).to_have_count(5)
    for other in others.all():
        column = other.bounding_box()
        assert column
        for card in other.locator(".meld .place > *").all():
            box = card.bounding_box()
            assert box
            assert column["x"] - 1 <= box["x"]
            assert box["x"] + box["width"] <= column["x"] + column["width"] + 1
    assert page.locator("aside .scroll").evaluate("one => one.scrollWidth <= one.clientWidth")
    expect(page.get_by_label("Say something")).to_be_in_viewport(ratio=1)
