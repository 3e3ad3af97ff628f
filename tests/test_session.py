"""What somebody who knows python-chess types in a first session, and what they get."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import phaseten
from phaseten import (
    SKIP,
    Card,
    DrawDeck,
    Game,
    IllegalMoveError,
    MoveSyntaxError,
    Rules,
    TakeDiscard,
    View,
)
from phaseten.rules.actions import Action, Discard, LayPhase
from phaseten.rules.editions import BOOK_EDITIONS, KINDS, edition
from phaseten.rules.state import PLAY
from phaseten.rules.views import legal_actions


def played(game: Game, actions: int = 10_000) -> Game:
    """The game after so many actions of a player who knows what to do."""
    bot = phaseten.make_bot("sharp", seed=1)
    for _ in range(actions):
        if game.is_over:
            break
        game.play(bot.choose(game.view()))
    return game


# -- a game --------------------------------------------------------------------------------------


def test_a_first_session() -> None:
    game = phaseten.Game(seed=7)
    assert not game.is_over
    assert game.outcome is None
    assert game.legal_actions() == [DrawDeck(), TakeDiscard()]
    assert game.legal_texts() == ["D", "P"]
    assert [str(action) for action in game.legal_actions()] == ["D", "P"]
    assert game.is_legal("D")
    assert game.can(DrawDeck())
    assert game.why_not("D") is None
    game.play("D")
    assert not game.is_legal("P")
    refusal = game.why_not("P")
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("T-DRAW", "already-drawn")
    with pytest.raises(IllegalMoveError) as caught:
        game.play("P")
    assert caught.value.refusal == refusal
    with pytest.raises(MoveSyntaxError, match="'Q5' is not an action"):
        game.is_legal("Q5")
    assert game.undo() == DrawDeck()
    assert game == phaseten.Game(seed=7)


def test_another_seat_cannot_act() -> None:
    game = Game(players=3, seed=1)
    other = next(seat for seat in (1, 2, 3) if seat != game.turn)
    refusal = game.why_not("D", seat=other)
    assert refusal is not None
    assert refusal.rule == "T-TURN"


def test_so_many_players() -> None:
    assert Game(players=4).names == ("Ana", "Beto", "Cleo", "Davi")
    assert len(Game(players=6).view(6).held) == 10
    assert Game("express", ["Nora", "Otto"], players=2).names == ("Nora", "Otto")
    with pytest.raises(ValueError, match="players=3, but 2 names: Nora, Otto"):
        Game("express", ["Nora", "Otto"], players=3)
    with pytest.raises(ValueError, match="2 to 6 players, not 9"):
        Game(players=9)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, Game.copy], ids=lambda f: f.__name__)
def test_playing_on_in_a_copy_leaves_the_game_alone(twin: object) -> None:
    game = played(Game(seed=3), 25)
    record, state = game.record(), game.state
    other = twin(game)  # pyright: ignore[reportCallIssue]
    assert other == game
    played(other, 25)
    assert game.record() == record
    assert game.state is state
    assert other != game
    played(game, 25)
    assert other == game


def test_pickle() -> None:
    game = played(Game("anniversary", players=3, seed=3), 100)
    other = pickle.loads(pickle.dumps(game))
    assert other == game
    assert other.record() == game.record()
    assert played(other).record() == played(game).record()
    assert pickle.loads(pickle.dumps(Rules("classic"))) == Rules("classic")


def test_what_the_law_tells_apart_by_identity_stays_one_object() -> None:
    for each in (Card("S"), Card("R7"), KINDS["set"], DrawDeck()):
        again = pickle.loads(pickle.dumps(each))
        assert again == each
        assert isinstance(each, DrawDeck) or again is each
    phase = edition("classic").phases[0]
    assert pickle.loads(pickle.dumps(phase)).groups[0].kind is phase.groups[0].kind


def test_an_illegal_move_can_be_pickled() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Game(seed=1).play("-R1")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("box", BOOK_EDITIONS)
def test_everything_can_be_taken_back(box: str) -> None:
    game = Game(box, players=3, seed=5, variant="phases=2")
    bot = phaseten.make_bot("sharp")
    past: list[tuple[Game, Action]] = []
    while not game.is_over:
        action = bot.choose(game.view())
        past.append((game.copy(), action))
        game.play(action)
    record = game.record()
    for before, action in reversed(past):
        assert game.undo() == action
        assert game.state == before.state
    assert game == Game(box, players=3, seed=5, variant="phases=2")
    with pytest.raises(ValueError, match="nothing to take back"):
        game.undo()
    for _, action in past:
        game.play(action)
    assert game.record() == record


def test_a_reshuffle_is_taken_back_with_its_draw() -> None:
    game = Game("express", players=4, seed=1)
    board = game.state.board
    while board and (board.draw_count or board.step == PLAY):
        game.play(game.legal_actions()[-1] if board.step == PLAY else "D")
        board = game.state.board
    before = game.copy()
    game.play("D")
    assert type(game.events[-2]).__name__ == "PileReshuffled"
    game.undo()
    assert game == before


@pytest.mark.parametrize("box", BOOK_EDITIONS)
def test_a_larger_lay_down_is_legal(box: str) -> None:
    """M-MORE: legal_actions lists a Phase at its least size, is_legal knows the others."""
    found = 0
    for seed in range(20):
        game = Game(box, seed=seed)
        for _ in range(60):
            lays = [each for each in game.legal_actions() if isinstance(each, LayPhase)]
            for action in lays[:1]:
                larger = _larger(game, action)
                for each in larger:
                    assert each not in lays
                    assert game.is_legal(each)
                    assert game.is_legal(each.text)
                found += len(larger)
            game.play(phaseten.make_bot("sharp").choose(game.view()))
    assert found > 3


def _larger(game: Game, action: LayPhase) -> list[LayPhase]:
    """The same Phase with a further held card at the end of one of its melds, where that is legal."""
    larger: list[LayPhase] = []
    for number, meld in enumerate(action.melds):
        for card in dict.fromkeys(game.view().held):
            melds = (*action.melds[:number], (*meld, card), *action.melds[number + 1 :])
            bigger = LayPhase(melds, action.phase)
            if game.can(bigger):
                larger.append(bigger)
    return larger


# -- its end -------------------------------------------------------------------------------------


def test_the_outcome_says_who_and_why() -> None:
    game = played(Game("express", seed=4, variant="phases=2"))
    assert game.is_over
    assert game.turn is None
    assert game.legal_actions() == []
    outcome = game.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.why, outcome.rule) == (game.winner, "phases", "G-WIN")
    assert outcome.totals == game.state.sheet.totals
    assert str(outcome) == f"Seat {game.winner} has won: it made the last Phase. (G-WIN)"
    refusal = game.why_not("D")
    assert refusal is not None
    assert refusal.reason == "game-over"


def test_every_reason_to_win_comes_up() -> None:
    reasons = {
        game.outcome.why
        for seed in range(40)
        for variant in ("phases=1", "ten-hands,phases=1")
        if (game := played(Game("express", players=4, seed=seed, variant=variant))).outcome
    }
    assert reasons >= {"phases", "points", "ten-hands"}


# -- how it shows --------------------------------------------------------------------------------


def test_print_shows_the_table() -> None:
    game = played(Game("express", players=3, seed=2), 40)
    text = str(game)
    board = game.state.board
    assert board is not None
    assert text.startswith(f"Express, hand {board.hand}: ")
    assert all(name in text for name in game.names)
    assert all(card.text in text for held in game.state.held for card in held)
    assert f"Draw pile: {board.draw_count}." in text
    assert "Game" in repr(game)


def test_print_before_and_after() -> None:
    game = played(Game("express", seed=2, variant="phases=1"))
    assert "has won" in str(game)
    assert "Phase" in str(game)


# -- records -------------------------------------------------------------------------------------


def test_a_record_is_read_from_text_and_from_a_file(tmp_path: Path) -> None:
    game = played(Game("express", seed=3), 60)
    text = game.record()
    path = tmp_path / "game.p10"
    path.write_text(text, encoding="utf-8")
    record = phaseten.parse_record(text)
    for source in (text, path, str(path), record):
        assert phaseten.judge(source)["ok"]
        assert Game.from_record(source).record() == text
    assert phaseten.judge("nothing like it")["rule"] == "SYNTAX"
    with pytest.raises(FileNotFoundError):
        phaseten.judge(tmp_path / "gone.p10")


def test_an_edition_is_found_beside_the_record(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('based_on = "express"\nname = "own"\ntitle = "Own"\n')
    game = Game(tmp_path / "own.toml", seed=3)
    path = tmp_path / "game.p10"
    path.write_text(game.record().replace(str(tmp_path / "own.toml"), "own.toml"))
    assert phaseten.judge(path)["ok"]
    assert Game.from_record(path).rules == game.rules


def test_a_record_move_by_move() -> None:
    game = played(Game("express", seed=3), 60)
    board = Game("express", seed=3)
    for step in phaseten.follow(game.record()):
        if step.action is not None:
            assert board.turn == step.seat
            board.play(step.action)
    assert board.record() == game.record()
    mine = [(step.seat, step.action, step.events, step.state) for step in game.steps()]
    theirs = phaseten.follow(game.record())
    assert mine == [(step.seat, step.action, step.events, step.state) for step in theirs]


def test_a_redacted_record_move_by_move() -> None:
    game = played(Game("express", seed=3), 60)
    *_, last = phaseten.follow_seen(game.record(2))
    assert last.view == game.view(2)


# -- cards, rules, solver, odds ------------------------------------------------------------------


def test_cards() -> None:
    assert Card("R7") is Card("r7") is Card(" R7 ") is phaseten.parse_card("R7")
    assert Card("s") is SKIP
    assert Card("w=r5").number == 5
    assert sorted(phaseten.parse_cards("S W G1 R12 R2")) == [*phaseten.parse_cards("R2 R12 G1 W S")]
    assert max(phaseten.parse_cards("R2 B1")) is Card("B1")
    assert Card("R2") < Card("B1")
    assert Card("B1") >= Card("B1") > Card("R2") <= Card("R2")
    assert {Card("R7"): 1}[Card("R7")] == 1
    with pytest.raises(ValueError, match="'X9' is not a card"):
        Card("X9")
    with pytest.raises(AttributeError, match="cards do not change"):
        Card("R7").number = 8


def test_rules() -> None:
    assert Rules() == Rules("classic") == Rules(edition("classic"))
    rules = Rules("classic", "ten-hands", ["no_rediscard"])
    assert rules.variant.ten_hands
    assert rules.no_rediscard
    assert rules == Rules("classic", "ten-hands", "no_rediscard")
    with pytest.raises(ValueError, match="'no_discard' is not a house rule"):
        Rules("classic", house=["no_discard"])


def test_solve() -> None:
    solution = phaseten.solve("classic", 4, "r3 b4, w g6 y7; r8 g9 r12 s".replace(";", ","))
    assert solution.possible
    assert str(solution.melds) == "((R3, B4, W=5, G6, Y7, R8, G9),)"
    assert phaseten.solve(Rules("classic"), 4, ["R3", Card("B4")]).missing == 5
    with pytest.raises(ValueError, match="the deck of Classic has no O3"):
        phaseten.solve("classic", 1, "O3")
    with pytest.raises(ValueError, match="one you hold is just W"):
        phaseten.solve("classic", 1, "W=3")
    with pytest.raises(ValueError, match="the Phases 1 to 10, not 11"):
        phaseten.solve("classic", 11, "R3")


def test_odds() -> None:
    chance = phaseten.odds("express", 5)
    assert chance == phaseten.odds(Rules("express"), edition("express").phase(5))
    assert chance.layable == 349368
    assert 0.11 < chance.probability < 0.12


# -- bots ----------------------------------------------------------------------------------------


def test_make_bot() -> None:
    game = Game(seed=7)
    for name in phaseten.LADDER:
        assert game.is_legal(phaseten.make_bot(name).choose(game.view()))
    with pytest.raises(ValueError, match="there is no bot 'shrap'"):
        phaseten.make_bot("shrap")
    assert phaseten.explain(game.view(), DrawDeck())


@pytest.mark.parametrize("actions", [0, 1, 57])
def test_evaluate_gives_every_legal_action_its_chance(actions: int) -> None:
    game = played(Game("express", seed=7), actions)
    found = phaseten.evaluate(game.view(), worlds=40)
    assert {each.action for each in found} == set(game.legal_actions())
    assert all(0 <= each.chance <= 1 and 0 <= each.error < 0.2 for each in found)
    assert [each.chance for each in found] == sorted((e.chance for e in found), reverse=True)
    assert found == phaseten.evaluate(game.view(), worlds=40)


def test_evaluate_looks_only_at_what_the_seat_knows() -> None:
    game = Game("express", seed=7)
    other = game.copy()
    pile = game.state.draw_pile
    other.state = game.state._replace(draw_pile=(*pile[3:], *pile[:3]))
    found = phaseten.evaluate(game.view(), worlds=20)
    assert found == phaseten.evaluate(other.view(), worlds=20)


def test_evaluate_sees_who_goes_out() -> None:
    """Holding the last card of a hit that wins the game, everything else is worse."""
    game = Game("express", seed=3, variant="phases=1")
    for _ in range(2000):
        actions = game.legal_actions()
        if game.is_over:
            break
        best = phaseten.evaluate(game.view(), worlds=5)[0]
        winning = [each for each in actions if _wins(game, each)]
        if winning:
            assert best.action in winning
            assert best.chance == 1
            return
        game.play(phaseten.make_bot("sharp").choose(game.view()))
    pytest.fail("nobody won")


def _wins(game: Game, action: Action) -> bool:
    after = game.copy()
    after.play(action)
    return after.winner == game.turn


class Careless:
    """Does the first thing that comes to mind."""

    def choose(self, view: View) -> Action:
        return legal_actions(view)[-1]


class Cheat:
    """Discards what it does not hold."""

    name = "cheat"

    def choose(self, _view: View) -> Action:
        return Discard(SKIP, 1)


def test_match() -> None:
    contest = phaseten.match(["sharp", Careless()], games=30, edition="express", seed=1)
    assert len(contest.rows) == contest.summary.games == 30
    assert {row.seats for row in contest.rows} == {("sharp", "Careless"), ("Careless", "sharp")}
    assert contest.shares["sharp"] > 0.9
    assert contest.summary.verdict.startswith("sharp is stronger than Careless")
    assert str(contest).startswith("sharp ")
    again = phaseten.match(["sharp", Careless()], games=30, edition="express", seed=1)
    assert [row.winner for row in again.rows] == [row.winner for row in contest.rows]


def test_match_of_a_class_a_stranger_and_a_crowd() -> None:
    contest = phaseten.match(["rookie", Careless, Careless()], games=3, edition="express")
    assert contest.summary.match == "rookie - Careless - Careless (2)"
    faults = phaseten.match(["rookie", Cheat()], games=2, edition="express")
    assert all(row.fault and row.fault.kind == "illegal" for row in faults.rows)
    assert faults.shares == {"rookie": 1.0, "cheat": 0.0}
    four = phaseten.match(["sharp", "rookie"], games=2, players=4, edition="express")
    assert four.rows[0].seats == ("sharp", "rookie", "sharp", "rookie")
    with pytest.raises(ValueError, match="there is no bot 'shrap'"):
        phaseten.match(["shrap", "rookie"])


# -- wrong types get a sentence ------------------------------------------------------------------


WRONG = {
    "Card(7)": "a card's text such as 'R7' is needed, not 7",
    "parse_card(['R7'])": "a card's text such as 'R7' is needed, not ['R7']",
    "parse_cards(7)": "cards, such as 'R3 B3 W' or a list of them, is needed, not 7",
    "parse_cards([7])": "a card's text such as 'R7' is needed, not 7",
    "Rules(5)": "the name of an edition, such as 'classic', is needed, not 5",
    "Rules('classic', 5)": "a variation's text such as 'ten-hands' is needed, not 5",
    "Rules('classic', house=5)": "house rules, such as ['no_rediscard'], is needed, not 5",
    "Game(4)": "the name of an edition, such as 'classic', is needed, not 4",
    "Game('classic', 4)": "or a number such as players=4, is needed, not 4",
    "Game('classic', 'Ana')": "a list of names such as ['Ana', 'Beto']",
    "Game(players='4')": "how many play, such as players=4, is needed, not '4'",
    "Game(seed='x')": "a whole number as the seed is needed, not 'x'",
    "Game(dealer='1')": "the seat that deals, such as 1, is needed, not '1'",
    "Game(house=7)": "house rules, such as ['no_rediscard'], is needed, not 7",
    "Game().play(7)": "an action, or its text such as 'D', is needed, not 7",
    "Game().view('1')": "a seat, such as 1, is needed, not '1'",
    "Game.from_record(7)": "a record, its text or the path of its file is needed, not 7",
    "judge(7)": "a record, its text or the path of its file is needed, not 7",
    "parse_record(b'')": "the text of a record is needed, not b''",
    "parse_action(7)": "an action's text such as 'D' or '-R5' is needed, not 7",
    "solve(7, 1, 'R3')": "the name of an edition, such as 'classic', is needed, not 7",
    "solve('classic', '1', 'R3')": "the number of a Phase is needed, not '1'",
    "solve('classic', 1, 7)": "cards, such as 'R3 B3 W' or a list of them, is needed, not 7",
    "odds('classic', '1')": "the number of a Phase is needed, not '1'",
    "make_bot(7)": "the name of a bot, such as 'sharp', is needed, not 7",
    "evaluate(7)": "what a seat sees, such as game.view(), is needed, not 7",
    "match('sharp')": "a list of bots such as ['sharp', 'rookie']",
    "match(7)": "a list of bots such as ['sharp', 'rookie'] is needed, not 7",
    "match(['sharp', 7])": "an object with a method choose(view), not 7",
    "match(['sharp', 'rookie'], games='2')": "a number of games is needed, not '2'",
}


@pytest.mark.parametrize(("call", "sentence"), WRONG.items(), ids=WRONG)
def test_wrong_types_get_a_sentence(call: str, sentence: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        eval(call, vars(phaseten) | {name: getattr(phaseten, name) for name in phaseten.__all__})
    assert sentence in str(caught.value)


def test_a_seat_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="there is no seat 3: the seats are 1 to 2"):
        Game().view(3)
    with pytest.raises(ValueError, match="there is no seat 0"):
        Game().play("D", seat=0)


# -- what is imported ----------------------------------------------------------------------------


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


BLOCK = """
import sys
allowed = {{*sys.stdlib_module_names, "phaseten", {also}}}

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed:
            raise ImportError(f"{{name}} is not installed")

sys.meta_path.insert(0, Nothing())
"""
NOTHING_INSTALLED = BLOCK.format(also="")
NUMPY_ALONE = BLOCK.format(also="'numpy'")


def test_the_law_and_the_notation_need_nothing() -> None:
    code = """
import phaseten
game = phaseten.Game(players=4, seed=1)
while not game.is_over and len(game.events) < 60:
    game.play(game.legal_actions()[-1])
assert phaseten.judge(game.record())["ok"]
assert phaseten.solve("classic", 1, "r3 b3 g3 y4 y4 w").possible
import pickle, pkgutil, importlib
assert pickle.loads(pickle.dumps(game)) == game
for package in (phaseten.rules, phaseten.notation):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
print("fine")
"""
    assert run(NOTHING_INSTALLED + code) == "fine\n"


def test_the_kernel_needs_numpy_alone() -> None:
    code = """
import phaseten
game = phaseten.kernel.Game("classic")
assert phaseten.kernel.simulate("express", games=2).games == 2
view = phaseten.Game(seed=1).view()
assert phaseten.make_bot("sharp").choose(view)
assert phaseten.evaluate(view, worlds=4)
print(phaseten.odds("express", 5).layable)
"""
    assert run(NUMPY_ALONE + code) == "349368\n"


def test_import_loads_next_to_nothing() -> None:
    code = """
import sys
before = set(sys.modules)
import phaseten
new = {name for name in set(sys.modules) - before}
print(sorted(name for name in new if name.startswith("phaseten")))
assert phaseten.__version__[0].isdigit()
"""
    assert run(code) == "['phaseten']\n"


def test_every_public_name_is_there_and_explained() -> None:
    for name in phaseten.__all__:
        value = getattr(phaseten, name)
        assert value is not None
        if callable(value):
            assert value.__doc__, name
    assert set(phaseten.__all__) <= set(dir(phaseten))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = phaseten.nonsense  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    assert phaseten.__version__ == phaseten.__version__
