"""What makes the table fast, as far as it holds on any machine. Times: ``benchmarks/browser.py``."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import PHONE, People, wait_for_motion
from tests.browser.players import Finger
from tests.browser.tables import discard, draw, is_my_turn, somebody, start
from tests.effort import mainly

CHEAP = {"transform", "translate", "rotate", "scale", "opacity"}
"""What a compositor animates alone, without laying out or painting the page."""

NOTE_ANIMATIONS = """
    window.animated = {};
    const note = () => {
        for (const animation of document.getAnimations()) {
            const { target, pseudoElement } = animation.effect;
            const who = [target.className.baseVal ?? target.className, pseudoElement].join("");
            for (const frame of animation.effect.getKeyframes())
                for (const name of Object.keys(frame))
                    if (!["offset", "computedOffset", "easing", "composite"].includes(name))
                        (animated[name] ??= {})[who] = true;
        }
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
"""

NOTE_MEASURING = """
    window.order = [];
    let task = "";
    const end = () => { if (task) order.push(task); task = ""; };
    const wrap = (owner, name, letter) => {
        const done = owner[name];
        owner[name] = function (...how) {
            if (!task) setTimeout(end);
            task += letter;
            return done.apply(this, how);
        };
    };
    wrap(Element.prototype, "getBoundingClientRect", "m");
    wrap(Element.prototype, "animate", "a");
    // Messages come before what was to be done later: each begins a task of its own.
    window.WebSocket = class extends WebSocket {
        constructor(...how) {
            super(...how);
            this.addEventListener("message", end);
        }
    };
"""
NOTE_DEAL = """
    window.dealt = [];
    const watch = () => {
        const moves = document.getAnimations().filter(one => one.effect.target?.dataset.held);
        const pile = document.querySelector("[data-pile=draw]");
        if (moves.length) {
            const { x, y, width, height } = pile.getBoundingClientRect();
            const reached = document.elementFromPoint(x + width / 2, y + height / 2);
            dealt.push({
                cards: moves.length,
                by: Object.keys(moves[0].effect.getKeyframes()[0]),
                reachable: pile.contains(reached),
            });
        }
        requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
"""
"""In every frame: how many of the own cards are on their way, and whether the draw pile is free."""
LOOKS = """button => [button, ...button.querySelectorAll("*")].map(one => {
    const { translate, scale } = getComputedStyle(one);
    return [translate, scale, one.getAnimations().length].join();
})"""
NOTE_PRESS = f"""
    window.pressed = [];
    addEventListener("pointerdown", ({{ target }}) => requestAnimationFrame(
        () => pressed.push(({LOOKS})(target.closest("button")))), true);
"""


def test_the_first_load_is_small(people: People) -> None:
    page = people.open("")
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: len_of(answer.headers)}))
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-hand] [data-held]")).to_have_count(10)
    total = sum(size for url, size in sizes.items() if "/api/" not in url)
    assert 10_000 < total < 150_000, sizes


def len_of(headers: dict[str, str]) -> int:
    return int(headers.get("content-length", "0"))


def play_a_turn(page: Page) -> None:
    """From the deal to the end of the first own turn."""
    start(page, 4)
    assert is_my_turn(page)
    wait_for_motion(page)
    draw(page)
    wait_for_motion(page)
    discard(page)
    expect(page.locator("[data-pile=draw]:enabled, [data-over]").first).to_be_visible()
    wait_for_motion(page)


def test_cards_are_moved_by_the_compositor_alone(people: People) -> None:
    page = somebody(people, PHONE, motion=True)
    page.add_init_script(NOTE_ANIMATIONS)
    play_a_turn(page)
    animated: dict[str, dict[str, bool]] = page.evaluate("animated")
    assert set(animated) <= CHEAP, animated
    moved = " ".join(animated["transform"])
    assert all(what in moved for what in ("held", "top", "flight")), moved


def test_everything_is_measured_before_anything_moves(people: People) -> None:
    page = somebody(people, PHONE, motion=True)
    page.add_init_script(NOTE_MEASURING)
    play_a_turn(page)
    order: list[str] = page.evaluate("order")
    assert any("ma" in task for task in order), order
    assert not [task for task in order if "am" in task], order


@pytest.mark.parametrize(("motion", "by"), [(True, "transform"), (False, "opacity")])
def test_play_now_deals_the_cards_and_a_finger_need_not_wait(
    people: People, motion: bool, by: str
) -> None:
    page = people.open("", screen=PHONE, name="Ana", motion=motion)
    page.add_init_script(NOTE_DEAL)
    page.goto("/")
    page.get_by_role("button", name="Play now").tap()
    page.wait_for_function("() => dealt.length")
    page.locator("[data-pile=draw]").tap(force=True)
    expect(page.locator("[data-held]")).to_have_count(11)
    dealt: list[dict[str, Any]] = page.evaluate("dealt")
    assert dealt[0]["cards"] == 10
    assert by in dealt[0]["by"]
    assert all(frame["reachable"] for frame in dealt), dealt


@pytest.mark.parametrize(
    "what", mainly(["[data-pile=draw]", "[data-held]", "[data-tool=sort]"], "[data-pile=draw]")
)
def test_a_finger_is_answered_in_the_next_frame(people: People, what: str) -> None:
    page = somebody(people, PHONE, motion=True)
    page.add_init_script(NOTE_PRESS)
    start(page)
    assert is_my_turn(page)
    wait_for_motion(page)
    button = page.locator(what).first
    before: list[str] = button.evaluate(LOOKS)
    finger = Finger(page)
    finger.touch(what)
    page.wait_for_function("() => pressed.length")
    assert page.evaluate("pressed[0]") != before
    expect(button).to_have_attribute("data-pressed", "")
    finger.lift()
    expect(page.locator("[data-pressed]")).to_have_count(0)
