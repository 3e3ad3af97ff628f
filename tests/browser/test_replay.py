"""Finished games, watched again: step by step, with any eyes, by link and from a file."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from phaseten import Game
from tests.browser.people import (
    LANGUAGES,
    LAPTOP,
    PHONE,
    SMALL_PHONE,
    TABLET,
    TELEVISION,
    People,
    assert_accessible,
    assert_accessible_in_all_themes,
    assert_fits,
    assert_translated,
)
from tests.browser.tables import NO_POINTERS, draw, small
from tests.effort import mainly
from tests.example_record import RECORD

NOT_FOUND = "404"
UNREADABLE = "422"
UNTIL_THE_END = """code => new Promise(done => {
    const socket = new WebSocket(`ws://${location.host}/api/tables/${code}/play`);
    let isAsked = false;
    socket.onmessage = ({data}) => {
        const {type, table} = JSON.parse(data);
        if (type !== "update" && type !== "change") return;
        if (!isAsked) socket.send(JSON.stringify({do: "start"}));
        isAsked = true;
        if (table?.stage === "finished") { socket.close(); done(); }
    };
})"""


# -- watching ---------------------------------------------------------------------------------


def finish_game(page: Page, seats: int = 3, **options: object) -> str:
    """A game of bots at a table of the person at the page, played to its end; its name."""
    chosen = {"seats": seats, "pace": 0, "variant": "phases=2"} | options
    answer = page.request.post("/api/tables", data={"name": "Ana", "options": chosen})
    assert answer.ok, answer.text()
    page.evaluate(UNTIL_THE_END, answer.json()["code"])
    games: list[dict[str, Any]] = page.request.get("/api/games").json()
    return games[0]["id"]


def watch(page: Page, moment: str = "", seats: int = 3, **options: object) -> str:
    """A finished game, opened at that moment."""
    game = finish_game(page, seats, **options)
    page.goto(f"/replay/{game}{moment}")
    expect(page.locator("[data-film]")).to_be_visible()
    return game


def steps_of(page: Page, game: str, seat: str = "all") -> list[dict[str, Any]]:
    return page.request.get(f"/api/games/{game}/replay?seat={seat}").json()["frames"]


def expect_step(page: Page, number: int) -> None:
    expect(page.get_by_role("slider")).to_have_value(str(number - 1))


def held(page: Page, seat: int) -> list[str]:
    """The open cards of a seat."""
    cards = page.locator(f"[data-held-by='{seat}'] [data-held]").all()
    return sorted(card.get_attribute("data-held") or "" for card in cards)


def open_file(page: Page, text: str, name: str = "game.p10") -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    )


def open_more(page: Page) -> None:
    page.locator("[data-more]").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def check_shuffles(page: Page) -> None:
    open_more(page)
    page.locator("[data-check]").click()
    expect(page.get_by_role("dialog", name="Check the shuffles")).to_be_visible()


# -- step by step -----------------------------------------------------------------------------


def test_a_game_is_found_and_watched_to_its_end_by_keys_alone(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = finish_game(page, variant="phases=1")
    page.reload()
    entry = page.locator(f"[data-game='{game}'] a")
    expect(entry).to_contain_text("Ada, Bruno, and Cleo")
    expect(entry).to_contain_text("won")
    entry.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-film]")).to_be_visible()
    expect(page.get_by_role("heading", level=1, name="Classic")).to_be_focused()

    steps = steps_of(page, game)
    words = page.locator("[data-words]")
    for number, step in enumerate(steps, 1):
        expect_step(page, number)
        expect(words).to_have_text(" ".join(step["sentences"]))
        page.keyboard.press("ArrowRight")
    expect_step(page, len(steps))
    expect(page.locator("[data-result]")).to_contain_text("has won")


def test_keys_go_everywhere(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = watch(page)
    steps = steps_of(page, game)
    deals = [
        number
        for number, step in enumerate(steps, 1)
        if any(event["event"] == "DealSeen" for event in step["events"])
    ]
    assert len(deals) > 1
    page.keyboard.press("End")
    expect_step(page, len(steps))
    page.keyboard.press("PageUp")
    expect_step(page, deals[-1])
    page.keyboard.press("ArrowLeft")
    expect_step(page, deals[-1] - 1)
    expect(page.locator("[data-result]")).to_be_visible()
    page.keyboard.press("Home")
    expect_step(page, 1)
    page.keyboard.press("PageDown")
    expect_step(page, deals[1])
    expect(page.locator("[data-hands]")).to_have_value(str(deals[1] - 1))
    expect(page.locator("[data-mark]")).to_have_count(len(deals))
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect_step(page, deals[1] + 1)


def test_it_plays_by_itself_until_it_is_paused(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP, motion=True)
    watch(page)
    for speed in ("2", "4"):
        page.locator("[data-control=speed]").click()
        expect(page.locator("[data-control=speed]")).to_contain_text(speed)
    page.locator("h1").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_value(re.compile(r"^([3-9]|\d\d+)$"))
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    at = page.get_by_role("slider").input_value()
    page.wait_for_timeout(800)  # longer than two steps take at this speed
    assert page.get_by_role("slider").input_value() == at


def test_thumbs_step_too_and_keep_the_focus(people: People) -> None:
    page = people.open("/replay", screen=SMALL_PHONE)
    game = watch(page)
    last = len(steps_of(page, game))
    forward = page.locator("[data-control=forward]")
    forward.tap()
    expect_step(page, 2)
    page.locator("[data-control=last]").tap()
    expect_step(page, last)
    forward.tap(force=True)
    expect_step(page, last)
    expect(forward).to_be_focused()
    page.locator("[data-control=back]").tap()
    expect_step(page, last - 1)
    page.locator("[data-control=first]").tap()
    expect_step(page, 1)
    page.locator("[data-hands]").select_option(label="Hand 2")
    expect(page.locator("[data-words]")).to_contain_text("Hand 2")
    open_more(page)
    page.locator("[data-step]").nth(3).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-words]")).not_to_contain_text("Hand 2")


# -- with whose eyes --------------------------------------------------------------------------


@pytest.mark.parametrize("screen", mainly([SMALL_PHONE, LAPTOP], SMALL_PHONE))
def test_all_cards_lie_open_or_only_those_of_a_seat(people: People, screen: Any) -> None:
    page = people.open("/replay", screen=screen)
    game = watch(page, "#step-6")
    open_hands = steps_of(page, game)[5]["held"]
    expect(page.locator("[data-held-by]")).to_have_count(3)
    for seat in (1, 2, 3):
        assert held(page, seat) == sorted(open_hands[seat - 1])

    page.locator("[data-eyes]").select_option("2")
    expect(page.locator("[data-held-by]")).to_have_count(1)
    assert held(page, 2) == sorted(open_hands[1])
    assert_no_other_cards(page, game)
    expect_step(page, 6)

    page.locator("[data-eyes]").select_option("all")
    expect(page.locator("[data-held-by]")).to_have_count(3)


def assert_no_other_cards(page: Page, game: str) -> None:
    """Every card on the page is one that the seat saw: its own, a discard, or one in a meld."""
    seen = steps_of(page, game, "2")[5]["game"]
    allowed = {*seen["held"], *seen["board"]["discards"], "back"}
    allowed |= {
        card for melds in seen["board"]["melds"] for meld in melds for card in meld["cards"]
    }
    cards = page.locator("[data-card]").all()
    assert {card.get_attribute("data-card") for card in cards} <= allowed


def test_a_link_leads_to_the_moment(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = watch(page, "?seat=2#step-12")
    expect_step(page, 12)
    expect(page.locator("[data-eyes]")).to_have_value("2")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(rf"/replay/{game}\?seat=2#step-13$"))

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_more(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url

    somebody = people.open(link, screen=PHONE)
    expect_step(somebody, 13)
    expect(somebody.locator("[data-held-by='2']")).to_be_visible()
    somebody.evaluate("location.hash = 'step-5'")
    expect_step(somebody, 5)


def test_a_link_from_the_servers_own_machine_is_one_that_others_can_follow(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    page.route(
        "**/api/address",
        lambda route: route.fulfill(json={"base": "http://192.168.1.20:8010", "warning": ""}),
    )
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    game = watch(page, "#step-3")
    with page.expect_response("**/api/address"):
        open_more(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"http://192.168.1.20:8010/replay/{game}?seat=all#step-3"


def test_a_game_that_is_not_there_is_explained(people: People) -> None:
    people.expect_problem(NOT_FOUND)
    page = people.open("/replay/aaaaaaaaaaaaaaaaaaaaaaaaaa")
    expect(page.get_by_role("alert")).to_contain_text("There is no finished game")
    page.get_by_role("link", name="To the replays").click()
    expect(page.get_by_role("link", name="Play a game")).to_be_visible()


# -- files ------------------------------------------------------------------------------------


def test_a_file_is_watched_and_survives_a_reload(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    open_file(page, RECORD)
    expect(page.locator("[data-words]")).to_have_text(
        "Hand 1: Beto deals and turns up a yellow 12."
    )
    assert held(page, 1) == ["B5", "R1", "R3", "R8", "W"]
    page.keyboard.press("End")
    expect(page.locator("[data-words]")).to_contain_text("Beto is out")
    expect(page).to_have_url(re.compile(r"/replay/file\?seat=all#step-([2-9]|\d{2,})$"))
    page.reload()
    expect(page.locator("[data-words]")).to_contain_text("Beto is out")
    check_shuffles(page)
    expect(page.get_by_role("dialog")).to_contain_text("has no seeds")
    page.go_back()
    expect(page.locator("input[type=file]")).to_be_attached()


def test_a_file_is_dropped(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    expect(page.get_by_role("link", name="Play a game")).to_be_visible()
    page.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "game.p10"));
            for (const kind of ["dragover", "drop"]) document.querySelector("main").dispatchEvent(
                new DragEvent(kind, {dataTransfer, bubbles: true, cancelable: true}));
        }""",
        RECORD,
    )
    expect(page.locator("[data-film]")).to_be_visible()


def test_a_file_of_one_seat_has_only_its_eyes(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    seen = RECORD.replace('[Dealer "2"]', '[Dealer "2"]\n[Seen "2"]')
    for own_draw in ("2 D -G2", "2 D H G3"):  # a seat's own draws name the card
        seen = seen.replace(own_draw, own_draw.replace("D", f"D:{own_draw[-2:]}"))
    deck = next(line for line in RECORD.splitlines() if line.startswith("Deck"))
    known = deck.split()[1:12]
    hidden = [card if place in (1, 3, 5, 7, 9, 10) else "?" for place, card in enumerate(known)]
    open_file(page, seen.replace(deck, " ".join(["Deck", *hidden, *["?"] * 43])))
    expect(page.locator("[data-held-by='2'] [data-held]")).to_have_count(5)
    expect(page.locator("[data-held-by]")).to_have_count(1)
    expect(page.locator("[data-eyes]")).to_be_disabled()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (RECORD.replace("2 D -G2", "2 D -G12"), "Line 13"),
        pytest.param("Dear diary", "Line 1", marks=pytest.mark.long),
        pytest.param("", "cannot be shown", marks=pytest.mark.long),
    ],
)
def test_a_broken_file_is_explained(people: People, text: str, why: str) -> None:
    people.expect_problem(UNREADABLE)
    page = people.open("/replay")
    open_file(page, text, "diary.p10")
    problem = page.locator(".open-file [role=alert]")
    expect(problem).to_contain_text("diary.p10")
    expect(problem).to_contain_text(why)
    open_file(page, RECORD)
    expect(page.locator("[data-film]")).to_be_visible()


def test_a_broken_file_is_explained_in_the_language_of_the_page(people: People) -> None:
    people.expect_problem(UNREADABLE)
    page = people.open("/replay", language="fr")
    open_file(page, RECORD.replace("2 D -G2", "2 D -G22"), "moi.p10")
    problem = page.locator(".open-file [role=alert]")
    expect(problem).to_contain_text("Ligne 13 de l'enregistrement")
    expect(problem).to_contain_text("n'est pas une carte")
    open_file(page, RECORD.replace("2 D -G2", "2 D -G12"), "moi.p10")
    expect(problem).to_contain_text("Il te manque")


def test_the_record_is_saved(people: People, tmp_path: Path) -> None:
    page = people.open("/replay")
    game = watch(page)
    open_more(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as .p10").click()
    assert download.value.suggested_filename == f"{game}.p10"
    file = tmp_path / "game.p10"
    download.value.save_as(file)

    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("[data-film]")).to_be_visible()
    open_more(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as .p10").click()
    download.value.save_as(tmp_path / "again.p10")
    assert (tmp_path / "again.p10").read_text() == file.read_text()


def test_a_moment_is_played_on_from(people: People) -> None:
    page = people.open("/replay")
    game = watch(page)
    step = next(
        number
        for number, frame in enumerate(steps_of(page, game, "1"))
        if frame["game"]["board"] and frame["game"]["board"]["turn"] == 1 and number > 2
    )
    page.goto(f"/replay/{game}?seat=1#step-{step + 1}")
    expect_step(page, step + 1)
    shown = steps_of(page, game, "1")[step]["game"]
    open_more(page)
    page.locator("[data-play-on]").click()
    page.wait_for_url("**/table/*")
    cards = page.locator("[data-hand] [data-held]")
    expect(cards).to_have_count(len(shown["held"]))
    assert sorted(card.get_attribute("data-held") or "" for card in cards.all()) == sorted(
        shown["held"]
    )


def test_a_moment_of_an_edition_of_its_own_is_played_on_from(people: People) -> None:
    page = people.open("/replay", storage={"pointers": NO_POINTERS})
    game = watch(page, **OWN_EDITION)
    steps = steps_of(page, game, "1")
    step = max(  # there is one: nobody can be skipped there, and seat 1 begins
        number
        for number, frame in enumerate(steps)
        if (board := frame["game"]["board"])
        and (board["hand"], board["turn"], board["step"]) == (1, 1, "draw")
    )
    page.goto(f"/replay/{game}?seat=1#step-{step + 1}")
    expect_step(page, step + 1)
    shown = steps[step]["game"]["held"]
    open_more(page)
    page.locator("[data-play-on]").click()
    page.wait_for_url("**/table/*")
    cards = page.locator("[data-hand] [data-held]")
    expect(cards).to_have_count(len(shown))
    assert sorted(card.get_attribute("data-held") or "" for card in cards.all()) == sorted(shown)
    draw(page)
    expect(cards).to_have_count(len(shown) + 1)


def test_a_position_of_an_edition_of_ones_own_is_played(people: People) -> None:
    people.expect_problem(UNREADABLE)
    page = people.open("/replay")
    page.get_by_text("Play a position").click()
    named = (
        "small | hand 1 dealer 2 turn 1 draw | 1 held O8 B2 | 2 held O4 | draw rest | discards O9"
    )
    page.locator("[data-position]").fill(named)
    page.locator("[data-play-on]").click()
    expect(page.get_by_role("alert").filter(has_text="'small' is none of")).to_be_visible()
    page.locator("[data-position]").fill(f"{named}\n{OWN_EDITION['custom']}")
    page.locator("[data-play-on]").click()
    page.wait_for_url("**/table/*")
    expect(page.locator("[data-hand] [data-held]")).to_have_count(2)
    expect(page.locator("[data-hand] [data-held=O8]")).to_be_visible()


def test_a_position_is_played(people: People) -> None:
    people.expect_problem(UNREADABLE)
    page = people.open("/replay")
    page.get_by_text("Play a position").click()
    page.locator("[data-position]").fill("clasic | hand 1")
    page.locator("[data-play-on]").click()
    expect(page.get_by_role("alert").filter(has_text="clasic")).to_be_visible()
    game = Game(players=2, edition="express", seed=7)
    page.locator("[data-position]").fill(game.position(1))
    page.locator("[data-play-on]").click()
    page.wait_for_url("**/table/*")
    expect(page.locator("[data-hand] [data-held]")).to_have_count(len(game.view(1).held))


# -- fairness ---------------------------------------------------------------------------------


OWN_EDITION: dict[str, Any] = {"custom": small("set 3", "run 4", colors="OB", highest=9, wilds=3)}
SMALL_DECKS = [{"edition": "express", "variant": "phases=4"}, OWN_EDITION]
"""With six hands of ten out of 108 cards the draw pile ends now and then; these have 54 and 57."""


@pytest.mark.parametrize("box", SMALL_DECKS, ids=["express", "own"])
def test_every_shuffle_of_a_game_is_checked(people: People, box: dict[str, Any]) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = watch(page, seats=4, **box)
    events = [event["event"] for step in steps_of(page, game) for event in step["events"]]
    shuffles = events.count("DealSeen") + events.count("ReshuffleSeen")
    check_shuffles(page)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair")
    expect(page.locator(".findings li")).to_have_count(shuffles)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ServerSeed", "00" * 32),
        pytest.param("ClientSeed", "loaded", marks=pytest.mark.long),
    ],
)
def test_seeds_that_give_other_cards_are_found_out(people: People, name: str, other: str) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = watch(page)
    record = page.request.get(f"/api/games/{game}/record").text()
    forged = re.sub(rf'\[{name} ".*"\]', f'[{name} "{other}"]', record)
    assert forged != record
    page.route("**/record", lambda route: route.fulfill(body=forged, content_type="text/plain"))
    check_shuffles(page)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "unfair")
    expect(page.locator(".findings li:not(.wrong)")).to_have_count(0)


def film_of(page: Page, game: str) -> dict[str, Any]:
    return page.request.get(f"/api/games/{game}/replay?seat=all").json()


def expect_found_out(page: Page, game: str, film: dict[str, Any]) -> None:
    """The server tells the game like that, and one finding says what is wrong."""
    page.route("**/replay?seat=all", lambda route: route.fulfill(json=film))
    page.goto(f"/replay/{game}")
    check_shuffles(page)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "unfair")
    expect(page.locator(".findings li.wrong")).to_have_count(1)


def test_a_forged_deal_of_an_own_edition_is_found_out(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = finish_game(page, **OWN_EDITION)
    film = film_of(page, game)
    first, second = film["frames"][0]["held"][:2]
    film["frames"][0]["held"][:2] = [second, first]  # the better cards for a friend
    expect_found_out(page, game, film)


def test_a_card_that_was_not_next_is_found_out(people: People) -> None:
    page = people.open("/replay", screen=LAPTOP)
    game = finish_game(page)
    film = film_of(page, game)
    draws = [
        event for step in film["frames"] for event in step["events"] if event["event"] == "DrawSeen"
    ]
    draws[-1]["card"] = "W" if draws[-1]["card"] != "W" else "S"
    expect_found_out(page, game, film)


# -- the list ---------------------------------------------------------------------------------


def test_a_game_is_deleted_only_when_asked_twice(people: People) -> None:
    page = people.open("/replay")
    game = finish_game(page)
    page.reload()
    page.get_by_role("button", name="Delete the game").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep it").click()
    expect(page.locator(f"[data-game='{game}']")).to_be_visible()
    page.get_by_role("button", name="Delete the game").click()
    page.locator("[data-delete]").click()
    expect(page.locator("[data-game]")).to_have_count(0)
    expect(page.get_by_text("is deleted")).to_be_focused()
    expect(page.get_by_role("link", name="Play a game")).to_be_visible()
    people.expect_problem(NOT_FOUND)
    page.goto(f"/replay/{game}")
    expect(page.get_by_role("alert")).to_contain_text("deleted")


def test_only_the_host_is_offered_to_delete(people: People) -> None:
    page = people.open("/replay")
    finish_game(page)
    page.route(
        "**/api/games",
        lambda route: route.fulfill(
            json=[{**game, "host": False} for game in route.fetch().json()]
        ),
    )
    page.reload()
    expect(page.locator("[data-game]")).to_have_count(1)
    expect(page.get_by_role("button", name="Delete the game")).to_have_count(0)


def test_dates_and_lists_follow_the_language(people: People) -> None:
    page = people.open("/replay", language="fr")
    finish_game(page)
    page.reload()
    expect(page.locator("[data-game]")).to_contain_text("Ada, Bruno et Cleo")
    written = page.evaluate(
        "new Date(document.querySelector('time').dateTime).toLocaleString('fr', "
        "{dateStyle: 'medium', timeStyle: 'short'})"
    )
    expect(page.locator("time")).to_have_text(written)


# -- everybody --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", mainly(LANGUAGES, "pt"))
def test_every_view_is_translated_and_fits_a_small_phone(people: People, language: str) -> None:
    page = people.open("/replay", language=language)
    expect(page.locator(".empty")).to_be_visible()
    assert_translated(page)
    assert_fits(page)
    watch(page, "#step-20", seats=6)
    expect(page.locator("[data-held-by]")).to_have_count(6)
    assert_translated(page)
    assert_fits(page)
    page.keyboard.press("End")
    expect(page.locator("[data-result]")).to_be_visible()
    assert_translated(page)
    assert_fits(page)
    open_more(page)
    assert_translated(page)
    assert_fits(page)
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict]")).to_be_visible()
    assert_translated(page)
    assert_fits(page)
    page.goto("/replay")
    expect(page.locator("[data-game]")).to_be_visible()
    assert_translated(page)
    assert_fits(page)


@pytest.mark.parametrize("seat", mainly(["all", "2"], "all"))
def test_every_size_fits(people: People, seat: str) -> None:
    page = people.open("/replay", language="fr")
    watch(page, f"?seat={seat}#step-20", seats=4)
    for screen in (SMALL_PHONE, PHONE, TABLET, LAPTOP, TELEVISION):
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        for text in ("normal", "large"):
            page.evaluate("text => (document.documentElement.dataset.text = text)", text)
            expect(page.locator("[data-control=play]")).to_be_in_viewport(ratio=1)
            expect(page.locator("[data-pile=discard]")).to_be_in_viewport(ratio=1)
            assert_fits(page)


@pytest.mark.parametrize("screen", mainly([SMALL_PHONE, LAPTOP], LAPTOP))
def test_axe_finds_nothing(people: People, screen: Any) -> None:
    page = people.open("/replay", screen=screen)
    expect(page.locator(".empty")).to_be_visible()
    assert_accessible(page)
    game = watch(page, "#step-20")
    assert_accessible_in_all_themes(page)
    page.locator("[data-eyes]").select_option("2")
    expect(page.locator("[data-held-by]")).to_have_count(1)
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.locator("[data-control=last]").click()
    expect(page.locator("[data-result]")).to_be_visible()
    assert_accessible(page)
    open_more(page)
    assert_accessible(page)
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict]")).to_be_visible()
    assert_accessible(page)
    page.goto("/replay")
    page.locator(f"[data-game='{game}'] button").click()
    assert_accessible(page)
