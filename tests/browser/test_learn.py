"""Learning the game: the rules by id, the Phases as pictures, the odds, and a guided hand."""

import importlib.util
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Position, Response, expect

from phaseten.arena.odds import odds
from phaseten.language import language as words_of
from phaseten.rules.cards import parse_card
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.melds import check_phase, read_meld
from phaseten.rules.options import Rules
from phaseten.rules.refusals import Refusal
from phaseten.terminal.rulebook import rulebook
from tests.browser.people import (
    LANGUAGES,
    LAPTOP,
    PHONE,
    SMALL_PHONE,
    People,
    assert_accessible,
    assert_accessible_in_all_themes,
    assert_fits_with_large_text_too,
    assert_translated,
)
from tests.effort import mainly

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "web/src/learn/data"
RULES = [section.id for section in rulebook("en").sections if section.id]
PAGES = ("", "/play", "/tutorial", "/phases", "/rules", "/odds", "/puzzles", "/strategy")


def maker(name: str) -> ModuleType:
    """A program of ``web/make``."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"web/make/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept(name: str) -> dict[str, Any]:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


# -- the rules -----------------------------------------------------------------------------------


def test_every_rule_has_its_place(people: People) -> None:
    page = people.open("/learn/rules")
    expect(page.locator("article").first).to_be_visible()
    shown = page.locator("article").evaluate_all("all => all.map(one => one.id)")
    assert shown == RULES


@pytest.mark.parametrize("language", mainly(LANGUAGES, "pt"))
def test_a_link_leads_to_its_rule(people: People, language: str) -> None:
    page = people.open("", language=language)
    for rule in ("T-HIT", "G-TIE", "no_rediscard"):
        page.goto("/healthz")  # each comes from somewhere else
        page.goto(f"/learn/rules#{rule}")
        (section,) = rulebook(language).find(rule)
        heading = page.locator(f"[id='{rule}'] h3")
        expect(heading).to_have_text(f"{rule} {section.title}")
        expect(heading).to_be_in_viewport()
        expect(heading).to_be_focused()


def test_the_rules_of_one_edition(people: People) -> None:
    page = people.open("/learn/rules")
    page.get_by_role("combobox").select_option("express")
    expect(page.locator("#S-IN-FRONT")).to_be_visible()
    expect(page.locator("#S-ONTO-PILE")).to_have_count(0)
    page.goto("/learn/rules#S-ONTO-PILE")  # who asks for a rule gets it all the same
    expect(page.locator("#S-ONTO-PILE h3")).to_be_focused()


def test_examples_are_pictures(people: People) -> None:
    page = people.open("/learn/rules#M-SET")
    expect(page.locator("#M-SET h3")).to_be_visible()
    cards = page.locator("#M-SET [data-card]").evaluate_all(
        "all => all.map(one => one.dataset.card)"
    )
    assert cards[:6] == ["R7", "B7", "G7", "R10", "Y10", "Y10"]
    assert page.locator("#M-SET code").count() == 0


@pytest.mark.parametrize("language", mainly(LANGUAGES, "fr"))
def test_the_rules_are_in_the_language_of_the_page(people: People, language: str) -> None:
    page = people.open("", language=language)
    loaded: list[str] = []
    page.on("response", lambda answer: loaded.append(answer.text()) if is_code(answer) else None)
    page.goto("/learn/rules")
    book = rulebook(language)
    expect(page.locator("article")).to_have_count(len(RULES))
    assert headings(page, "h2") == list(book.chapters)
    assert headings(page, "h3") == [
        f"{section.id} {section.title}" for section in book.sections if section.id
    ]
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator(".book [lang]").count() == 0
    titles = {code: rulebook(code).find("T-HIT")[0].title for code in LANGUAGES}
    assert [code for code in LANGUAGES if any(titles[code] in text for text in loaded)] == [
        language
    ]


def is_code(answer: Response) -> bool:
    return answer.url.endswith(".js")


def headings(page: Page, level: str) -> list[str]:
    return page.locator(f".book {level}").all_inner_texts()


@pytest.mark.parametrize("language", mainly(LANGUAGES, "es"))
def test_examples_and_editions_are_marked_in_every_language(people: People, language: str) -> None:
    page = people.open("/learn/rules", language=language)
    expect(page.locator("article")).to_have_count(len(RULES))
    assert page.locator("#T-HIT .example").count() == 5
    assert page.locator("#M-PARITY .only").all_inner_texts() == ["Express"]
    assert page.locator("#M-PARITY [data-card]").count() == 24
    page.get_by_role("combobox").select_option("classic")
    expect(page.locator("#M-PARITY")).to_have_count(0)


@pytest.mark.parametrize("language", mainly(LANGUAGES, "pt"))
def test_rules_that_name_another_lead_to_it(people: People, language: str) -> None:
    page = people.open("/learn/rules", language=language)
    expect(page.locator("article")).to_have_count(len(RULES))
    named = page.locator(".book a").evaluate_all("all => all.map(one => one.hash.slice(1))")
    assert {"G-TIE", "W-NATURAL", "P-CHAVO", "V1", "no_rediscard"} <= set(named) <= set(RULES)
    page.locator("#V1").get_by_role("link", name="G-TIE").tap()
    expect(page.locator("#G-TIE h3")).to_be_focused()
    expect(page.locator("#G-TIE h3")).to_be_in_viewport()


@pytest.mark.parametrize("language", mainly(LANGUAGES, "fr"))
def test_from_the_contents_to_a_chapter(people: People, language: str) -> None:
    page = people.open("/learn/rules", language=language)
    page.locator("summary").tap()
    chapter = list(rulebook(language).chapters)[1]  # with an accent in French and Portuguese
    page.get_by_role("link", name=chapter, exact=True).tap()
    expect(page.get_by_role("heading", name=chapter, exact=True)).to_be_in_viewport()
    page.reload()
    expect(page.get_by_role("heading", name=chapter, exact=True)).to_be_in_viewport()


def test_another_language_shows_the_same_rule(people: People) -> None:
    page = people.open("/learn/rules#T-HIT", language="fr")
    expect(page.locator("#T-HIT h3")).to_have_text("T-HIT Ajouter des cartes aux combinaisons")
    page.get_by_role("button", name="Réglages").tap()
    page.get_by_label("Langue").select_option("pt")
    expect(page.locator("#T-HIT h3")).to_have_text("T-HIT Juntar cartas às combinações")


def test_the_rules_without_a_network(people: People) -> None:
    people.expect_problem("Failed to load|net::ERR")
    page = people.open("/learn", language="es", offline_copy=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto("/learn/rules#G-TIE")
    expect(page.locator("#G-TIE h3")).to_have_text("G-TIE Empate")


def test_rules_that_do_not_load(people: People) -> None:
    people.expect_problem("Failed to load|net::ERR|Failed to fetch")
    page = people.open("/learn")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("link", name="The rules").tap()
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    page.context.set_offline(False)
    page.get_by_role("button", name="Load again").tap()
    expect(page.locator("article")).to_have_count(len(RULES))


# -- the Phases ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_the_pictures_of_the_phases_can_be_laid(people: People, name: str) -> None:
    page = people.open("/learn/phases", learn={"rules": "all", "edition": name})
    box = edition(name)
    expect(page.locator("ol > li")).to_have_count(len(box.phases))
    for phase, place in zip(box.phases, page.locator("ol > li").all(), strict=True):
        melds = [
            meld.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
            for meld in place.locator(".meld").all()
        ]
        cards = [[parse_card(text) for text in meld] for meld in melds]
        laid = [read_meld(*pair, box) for pair in zip(phase.groups, cards, strict=True)]
        assert not [meld for meld in laid if isinstance(meld, Refusal)], (name, phase, melds)
        assert check_phase(phase, laid, Rules(box)) is None  # pyright: ignore[reportArgumentType]
        together = Counter(card for meld in cards for card in meld)
        assert together <= Counter(box.deck), (name, phase)


# -- the numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_the_odds_are_those_of_the_command(name: str) -> None:
    rules = Rules(edition(name))
    shares = [found.layable / found.deals for found in (odds(rules, p) for p in rules.phases)]
    assert kept("figures")["odds"][name] == pytest.approx(shares, rel=1e-4)


def test_the_statistics_are_those_of_the_documentation() -> None:
    data = kept("figures")
    text = (ROOT / "docs/statistics.md").read_text("utf-8")
    said = re.search(r"Classic takes ([\d.]+) .*?, ([\d.]+) .*? and ([\d.]+)", text)
    assert said is not None
    measured = data["measured"]["classic"]["hands"]
    assert [round(value, 2) for value, _, _ in measured] == [
        round(float(said[number]), 2) for number in (1, 2, 3)
    ]
    assert f"--games {data['games']} --seed {maker('figures').SEED}" in text


def test_the_charts_and_their_numbers(people: People) -> None:
    page = people.open("/learn/odds")
    expect(page.get_by_text("Measured over 3,000 games")).to_be_visible()
    expect(page.get_by_role("row", name="2 sets of 3 18.3% 1 in 5")).to_be_visible()
    page.get_by_text("Show the numbers").first.tap()
    table = page.get_by_role("table", name="How often each Phase is made, of all attempts")
    value, low, high = kept("figures")["measured"]["classic"]["made"][1][6]
    expect(table).to_contain_text(f"{value * 100:.1f}% ± {(high - low) * 50:.1f}%")
    page.get_by_role("radio", name="Express").check()
    expect(page.get_by_text("4 odd cards")).to_be_visible()


# -- the guided hand -----------------------------------------------------------------------------


def test_strategy_says_what_was_measured(people: People) -> None:
    figures = kept("strategy")
    english = words_of("en")
    page = people.open("/learn")
    page.get_by_role("link", name=english.say("web_learn.strategy.title")).click()
    for name, values in figures["tips"].items():
        title = english.say(f"web_learn.strategy.{name}.title")
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        said = page.locator("section", has_text=title).inner_text()
        assert "{" not in said
        whole = [f"{100 * value:.0f}%" for value in values.values() if value >= 0.01]
        assert all(figure in said for figure in whole)


def test_the_guided_hand_is_that_of_the_referee() -> None:
    assert kept("tutorial") == json.loads(json.dumps(maker("tutorial").make()))


def test_a_first_hand_by_touch_ends_in_a_real_one(people: People) -> None:
    page = people.open("/learn/tutorial")
    expect(page.get_by_text("Tap the draw pile.")).to_be_visible()
    follow_lesson(page, lambda marked: marked.tap(position=CORNER, force=True))
    expect(page.get_by_text("You went out: 0 points for you.")).to_be_visible()
    page.get_by_role("button", name="Once more").tap()
    expect(page.get_by_text("Tap the draw pile.")).to_be_visible()
    expect(page.locator("[data-held]")).to_have_count(10)


@pytest.mark.long
def test_a_first_hand_by_keyboard(people: People) -> None:
    page = people.open("/learn/tutorial", screen=LAPTOP)
    follow_lesson(page, lambda marked: marked.press("Enter"))
    assert_accessible(page)
    page.locator("[data-first]").press("Enter")
    expect(page.locator("[data-held]")).to_have_count(10)
    expect(page).to_have_url(re.compile("/table/"))


CORNER = Position(x=10, y=20)
"""Of a card in the fan its neighbour covers the rest."""
GLOWS = (
    "[data-next]",
    "dialog [data-target]",
    "[data-tool=lay]:enabled",
    "[data-pile]:enabled",
    ".meld[data-may], .meld.may",
    "[data-held]:has(.pointed)",
)
"""What the lesson asks for, what comes first first."""


def follow_lesson(page: Page, act: Callable[[Locator], None]) -> None:
    """Do what glows, on the real table, until the hand is over."""
    glows, end = page.locator(", ".join(GLOWS)), page.locator("[data-over=hand]")
    coach = page.locator(".coach")
    while not end.count():
        expect(glows.or_(end).first).to_be_visible()
        if end.count():
            return
        before = coach.inner_text(), page.locator("[aria-pressed=true], dialog").count()
        marked = next(page.locator(one).first for one in GLOWS if page.locator(one).count())
        act(marked)
        page.wait_for_function(
            """([text, pressed]) => document.querySelector("[data-over=hand]")
                || document.querySelector(".coach").innerText !== text
                || document.querySelectorAll("[aria-pressed=true], dialog").length !== pressed""",
            arg=[*before],
        )


# -- puzzles -----------------------------------------------------------------------------------


def test_a_puzzle_is_solved_and_the_next_one_comes(people: People) -> None:
    page = people.open("/learn/puzzles", screen=SMALL_PHONE)
    puzzle = page.locator("[data-puzzle]")
    first = puzzle.get_attribute("data-puzzle")
    assert first
    table = page.locator("[data-film]").bounding_box()
    assert table
    assert table["height"] >= 400  # with room for the melds, without which nobody can answer
    assert int(first) == page.request.get("/api/puzzles").json()["day"]
    page.locator("[data-answer='']").first.click()
    expect(page.locator("[data-said]")).to_contain_text("gives away")
    page.locator("[data-answer=best]").click()
    expect(page.locator("[data-said]")).to_contain_text("Right!")
    expect(page.locator("[data-solved]")).to_have_text("1 solved, 0 at the first try")
    page.locator("[data-next]").click()
    expect(page.locator(f"[data-puzzle='{first}']")).to_have_count(0)
    page.reload()  # what was solved does not come again
    expect(page.locator("[data-solved]")).to_have_text("1 solved, 0 at the first try")
    expect(page.locator(f"[data-puzzle='{first}']")).to_have_count(0)
    page.locator("[data-themes]").select_option("skip")
    expect(puzzle).to_contain_text("whom to skip")


# -- everybody -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", mainly(LANGUAGES, "fr"))
def test_every_page_fits_in_every_language(people: People, language: str) -> None:
    page = people.open("/learn", language=language)
    for path in PAGES:
        page.goto(f"/learn{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_fits_with_large_text_too(page)
        assert_translated(page)


def test_every_page_is_accessible(people: People) -> None:
    page = people.open("/learn", screen=PHONE)
    for turn, path in enumerate(PAGES):
        page.goto(f"/learn{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_accessible_in_all_themes(page, turn)
