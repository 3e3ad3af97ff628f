"""The laws of the coach: sums that add up, and judgement by what a player could know."""

import pickle
import random

import numpy as np
import pytest

import phaseten
from phaseten.analysis import trials
from phaseten.analysis.coach import Analysis, analyse, rounds
from phaseten.analysis.findings import Decision, Fortune
from phaseten.analysis.trials import HandStudy, Question, ask, study_hand
from phaseten.analysis.walk import HandWalk, Move, walk
from phaseten.notation.records import RecordSyntaxError
from phaseten.rules.cards import Card
from phaseten.rules.views import view_of
from phaseten.rules.worlds import imagine
from tests.analysis.games import play, record_of

GAMES = [
    (("casual", "rookie"), "express", "phases=2"),
    (("casual", "rookie", "sharp"), "express", "phases=1"),
    (("rookie", "casual"), "classic", "phases=1"),
    (("casual", "casual"), "anniversary", "ten-hands,phases=2"),
]


def finished(record: str, worlds: int = 32) -> Analysis:
    analysis = analyse(record, worlds=worlds)
    assert list(analysis)
    assert analysis.progress == 1.0
    return analysis


@pytest.mark.parametrize("game", GAMES)
def test_start_and_luck_and_play_give_the_result(game: tuple[tuple[str, ...], str, str]) -> None:
    analysis = finished(record_of(*game))
    report = analysis.report()
    for player in report.players:
        parts = player.start + player.luck + player.play + player.others
        assert parts == pytest.approx(player.result, abs=1e-9)
        assert player.play == pytest.approx(player.par - player.given_away, abs=1e-9)
        assert player.result == float(player.seat == report.winner)
        assert 0 <= player.accuracy <= 100
    for finding in analysis.findings():
        assert sum(finding.luck) == pytest.approx(0, abs=1e-9)
        assert sum(finding.chances) == pytest.approx(1)
    assert sum(player.start for player in report.players) == pytest.approx(1)


def test_it_adds_up_at_any_time() -> None:
    analysis = analyse(record_of(), worlds=64)
    seen = 0
    for _ in analysis:
        seen += 1
        if seen in (1, 30):
            for player in analysis.report().players:
                parts = player.start + player.luck + player.play + player.others
                assert parts == pytest.approx(player.result, abs=1e-9)
    assert seen > 30


def test_every_decision_and_every_card_is_found() -> None:
    analysis = finished(record_of())
    findings = analysis.findings()
    steps = [finding.step for finding in findings]
    assert steps == sorted(steps)
    draws = {move.step for hand in analysis.game.hands for move in hand.moves if move.drawn}
    deals = {hand.step for hand in analysis.game.hands}
    came = {f.step for f in findings if isinstance(f, Fortune) and (f.card or f.seat is None)}
    assert came == draws | deals
    for decision in findings:
        if isinstance(decision, Decision):
            assert decision.action in [option.action for option in decision.options]
            assert decision.best == decision.options[0].action


def test_a_sharp_player_plays_at_par() -> None:
    report = finished(record_of(("sharp", "sharp"), seed=3)).report()
    for player in report.players:
        assert player.play == 0.0
        assert player.given_away == pytest.approx(player.par)


def other_world(move: Move, seed: int) -> Move:
    """The same move, with all cards dealt anew that its player could not see."""
    rng = random.Random(seed)

    def shuffle(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(rng.sample(cards, len(cards)))

    before = imagine(view_of(move.before, move.seat), shuffle)
    return Move(move.step, move.seat, move.action, move.events, before, move.after)


def question_of(move: Move, hand: HandWalk) -> Question | None:
    study: HandStudy = study_hand(HandWalk(hand.number, hand.step, hand.start, dealt=True))
    question = ask(move, study)
    if question is not None:
        study.questions[move.step] = question
        assert list(study.improve(32))
    return question


@pytest.mark.parametrize("edition", ["classic", "express"])
def test_a_decision_is_judged_by_what_its_player_could_know(edition: str) -> None:
    game = walk(record_of(("casual", "rookie", "casual"), edition, "phases=1", 5))
    compared = 0
    for hand in game.hands:
        for move in hand.moves[:: max(1, len(hand.moves) // 6)]:
            here, there = question_of(move, hand), question_of(other_world(move, 7), hand)
            if here is None or there is None:
                assert here is there
                continue
            assert here.actions == there.actions
            assert np.array_equal(here.values, there.values)
            compared += 1
    assert compared > 3


def test_the_same_figures_however_it_is_worked_out() -> None:
    hand = walk(record_of()).hands[0]
    one, other = study_hand(hand), study_hand(hand)
    for worlds in rounds(128):
        assert list(one.improve(worlds))
        one = pickle.loads(pickle.dumps(one))  # as if another process had worked on it
    assert list(other.improve(128))
    for step, question in one.questions.items():
        assert np.array_equal(question.values, other.questions[step].values)
    for step, node in one.dealt.items():
        assert node.chances == pytest.approx(other.dealt[step].chances)


def test_the_same_figures_in_pieces_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[HandStudy] = []
    for piece in (1, 7, 10_000):
        monkeypatch.setattr(trials, "PIECE", piece)
        found.append(study_hand(walk(record_of()).hands[0]))
        assert list(found[-1].improve(64))
    for other in found[1:]:
        for step, question in found[0].questions.items():
            assert np.array_equal(question.values, other.questions[step].values)
        for step, node in found[0].dealt.items():
            assert np.array_equal(node.chances, other.dealt[step].chances)


def test_an_unfinished_game_ends_with_a_chance() -> None:
    game = play(phaseten.Game("express", players=2, seed=2), ("casual", "casual"), most=30)
    for player in finished(game.record()).report().players:
        assert 0 < player.result < 1
        parts = player.start + player.luck + player.play + player.others
        assert parts == pytest.approx(player.result, abs=1e-9)


def test_a_game_from_a_position() -> None:
    game = play(phaseten.Game("express", players=2, seed=2), ("casual", "casual"), most=5)
    there = phaseten.Game.from_position(game.position(), seed=3)
    record = play(there, ("casual", "rookie"), most=25).record()
    for player in finished(record).report().players:
        parts = player.start + player.luck + player.play + player.others
        assert parts == pytest.approx(player.result, abs=1e-9)


def test_a_phase_laid_larger_than_it_must_be() -> None:
    position = (
        "classic | hand 1 dealer 2 turn 1 play | 1 phases 2-10 held R1 R2 R3 R4 B5 G6 Y9 Y9 B9 G9 G12"
        " | 2 held B1 B2 G3 Y8 W R10 R10 G11 G11 Y12 | draw rest | discards Y11"
    )
    game = phaseten.Game.from_position(position, seed=1)
    game.play("L Y9 B9 G9 Y9 / R1 R2 R3 R4 B5 G6")
    (decision,) = [
        finding for finding in finished(game.record()).findings() if isinstance(finding, Decision)
    ]
    assert decision.kind == "lay"
    assert not decision.is_mistake


def test_a_redacted_record_is_refused() -> None:
    game = play(phaseten.Game("express", players=2, seed=2), ("casual", "casual"), most=9)
    with pytest.raises(RecordSyntaxError, match="full"):
        analyse(game.record(seat=1))


@pytest.mark.parametrize("worlds", [0, 31, 33, 10**7])
def test_a_number_of_worlds_that_makes_no_sense(worlds: int) -> None:
    with pytest.raises(ValueError, match="worlds"):
        analyse(record_of(), worlds=worlds)
