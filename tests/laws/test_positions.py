"""Every state and every view is a line of text, and the line is the same state or view again."""

from __future__ import annotations

import random
from collections import Counter

from phaseten import Game, make_bot
from phaseten.notation.positions import format_position, parse_position
from phaseten.rules.memory import remember
from phaseten.rules.referee import apply_all
from phaseten.rules.state import State
from phaseten.rules.views import View, legal_actions, view_of
from tests.laws.games import Setup, Step, law, play


def check(position: State | View) -> None:
    line = format_position(position)
    assert "\n" not in line
    again = parse_position(line)
    assert again == position
    assert format_position(again) == line


def seats_and_watcher(state: State) -> list[int | None]:
    return [None, *range(1, state.sheet.seats + 1)]


@law(40)
def test_every_position_round_trips(setup: Setup) -> None:
    """Between hands, in the middle of turns, in tie-breaks, and after the end."""
    rng = random.Random(setup.seed)
    steps = list(play(setup, 250))
    for step in steps:
        if step is steps[-1] or rng.random() < 0.1:
            check(step.after)
            check(view_of(step.after, rng.choice(seats_and_watcher(step.after))))
    for seat in seats_and_watcher(steps[-1].after):
        check(view_of(steps[-1].after, seat))


@law(60)
def test_between_the_events_of_a_step_too(setup: Setup) -> None:
    """A hand that was just scored is not over yet for who looks at single events."""
    rng = random.Random(setup.seed)
    for step in play(setup, 120):
        if rng.random() < 0.1 or len(step.events) > 2:
            for count in range(1, len(step.events)):
                check_between(step, count)


def check_between(step: Step, count: int) -> None:
    state = apply_all(step.before, step.events[:count])
    check(state)
    check(view_of(state, 1))


@law(30)
def test_a_game_goes_on_from_any_position(setup: Setup) -> None:
    """The same actions are legal; with the history left out, too; and its record is judged good."""
    rng = random.Random(setup.seed)
    states = [step.after for step in play(setup, 120)]
    state = rng.choice(states)
    line = format_position(state)
    whole = Game.from_position(line, seed=setup.seed)
    bare = Game.from_position(line.partition(" | seen ")[0], seed=setup.seed)
    assert legal_actions(whole.view()) == legal_actions(bare.view())
    for _ in range(30):
        if whole.is_over:
            break
        action = rng.choice(whole.legal_actions())
        whole.play(action)
        bare.play(action)
        check(bare.state)
    assert whole.events == bare.events
    assert Game.from_record(bare.record()) == bare
    assert Game.from_record(whole.record()) == whole


@law(40)
def test_what_a_seat_knows_can_be_played_on(setup: Setup) -> None:
    """What it does not know is dealt by chance, and agrees with all that it knows."""
    rng = random.Random(setup.seed)
    states = [step.after for step in play(setup, 150)]
    for state in rng.sample(states, min(5, len(states))):
        seat = rng.choice(seats_and_watcher(state))
        game = Game.from_position(view_of(state, seat), seed=1)
        if state.board is None:
            continue
        assert view_of(game.state, seat) == view_of(state, seat)
        check(game.state)
        for known, held in zip(
            remember(state.board, setup.rules.edition).known, game.state.held, strict=True
        ):
            assert not Counter(known) - Counter(held)
        if not game.is_over:
            game.play(rng.choice(game.legal_actions()))


@law(20)
def test_bots_play_on_from_a_position_without_history(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    state = rng.choice([step.after for step in play(setup, 120)])
    game = Game.from_position(format_position(state).partition(" | seen ")[0], seed=1)
    bots = [make_bot("sharp"), make_bot("master@8")]
    for turn in range(40):
        if game.is_over:
            break
        game.play(bots[turn % 2].choose(game.view()))


@law(40)
def test_an_imagined_draw_pile_is_made_of_what_was_shuffled_into_it(setup: Setup) -> None:
    for step in play(setup, 250):
        state = step.after
        if state.board is not None and state.board.reshuffles:
            recycled = remember(state.board, setup.rules.edition).recycled
            pile = Game.from_position(view_of(state, 1), seed=1).state.draw_pile
            assert len(pile) == state.board.draw_count
            assert not Counter(pile) - Counter(recycled)
            break
