"""The training itself, in a small form. These tests need torch."""

from __future__ import annotations

import hashlib
import importlib
import json
from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phaseten.kernel import Game
from phaseten.kernel.players.network.weights import EDITIONS

TRAINING = Path(__file__).resolve().parent.parent.parent / "training"
CHECKPOINTS = sorted(path.parent for path in TRAINING.glob("checkpoints/*/about.json"))

pytestmark = pytest.mark.xdist_group("training")  # whoever waits for the compiler waits alone

SMALL = """
width = 32
layers = 1
threads = 2
precision = "bfloat16"

[[tables]]
players = 2
slots = 32
steps = 16
minibatch = 128

[[tables]]
players = 3
edition = "express"
slots = 32
steps = 16
minibatch = 128
share = 0.5

[imitation]
seconds = 1e9
iterations = 3

[play]
seconds = 1e9
iterations = 3
evaluate_every = 1e9

[evaluation]
pairs = 2
last_pairs = 2
"""


@pytest.mark.usefixtures("torch_is_there")
def test_every_stage_runs_and_a_checkpoint_goes_on(tmp_path: Path) -> None:
    from training.run import Run
    from training.settings import read_settings

    (tmp_path / "small.toml").write_text(SMALL)
    settings = read_settings(tmp_path / "small.toml")
    run = Run(settings, tmp_path / "one", "cpu", 1e9)
    run.fit_value(20, 3)
    run.imitate()
    run.play()
    run.measure(2, run.settings.tables)
    about = json.loads((tmp_path / "one" / "about.json").read_text())
    assert set(about["curve"][0]["results"]) == {"classic-2", "express-3"}
    assert all(int(group.tables.wrong) == 0 for group in run.groups)
    again = Run(settings, tmp_path / "two", "cpu", 1e9)
    again.resume(tmp_path / "one")
    for mine, theirs in zip(
        again.learner.policy.parameters(), run.learner.average.parameters(), strict=True
    ):
        assert (mine - theirs).abs().max() < 2e-3  # float16


@pytest.mark.usefixtures("torch_is_there")
def test_a_seat_is_judged_at_its_own_decisions() -> None:
    torch = importlib.import_module("torch")

    from training.learning import Judged, Learner
    from training.rollout import Group
    from training.settings import Play, Settings, Table

    table = Table(players=2, slots=1, steps=4, minibatch=1)
    settings = Settings("x", (table,), width=8, layers=1, play=Play())
    group = Group(table, torch.device("cpu"), 1, 1)
    learner = Learner(settings, [group], torch.device("cpu"))
    window = group.window
    window.turns[:, 0] = torch.tensor([0, 1, 0, 1, 0])
    chances = torch.tensor([0.9, 0.1, 0.7, 0.2, 0.6])  # of seat 0
    values = torch.stack((chances, 1 - chances), dim=1).unsqueeze(1)
    never, nothing = torch.zeros(4, 1, dtype=torch.bool), torch.zeros(4, 1, 2)

    found = learner.outcomes(window, Judged(values, never, nothing), 0.5)[:, 0]
    # Seat 0 decides at 0 and 2, seat 1 at 1 and 3: what the critic says in between says nothing of them.
    assert found[:, 0].tolist() == pytest.approx([0.65, 0.65, 0.6, 0.6])
    assert found[:, 1].tolist() == pytest.approx([0.75, 0.6, 0.6, 0.4])

    ends = never.clone()
    ends[1] = True
    won = torch.tensor([0.0, 1.0]).repeat(4, 1, 1)
    ended = learner.outcomes(window, Judged(values, ends, won), 0.5)[:, 0]
    assert ended[1].tolist() == [0.0, 1.0]
    assert ended[0].tolist() == pytest.approx([0.0, 0.95])
    assert torch.equal(ended[2:], found[2:])


@pytest.mark.usefixtures("torch_is_there")
def test_one_more_training_is_like_the_others_or_not(tmp_path: Path) -> None:
    from training.reproduce import Spread, check, publish

    spread = Spread.of([0.40, 0.42, 0.44])
    assert spread.mean == pytest.approx(0.42)
    assert spread.within == pytest.approx(4.30 * 0.02 * (4 / 3) ** 0.5)
    assert spread.holds(0.5)
    assert not spread.holds(0.55)
    with pytest.raises(SystemExit, match="2 seeds: 3 to 8 are needed"):
        publish(tmp_path / "small.toml", 2, "cpu")
    with pytest.raises(SystemExit, match="train without --check first"):
        check(tmp_path / "small.toml", "cpu")


@pytest.mark.long
@pytest.mark.usefixtures("torch_is_there")
def test_the_published_settings_bring_the_same_again() -> None:
    from training.reproduce import Spread, train

    path = TRAINING / "small.toml"
    published = json.loads(path.with_suffix(".json").read_text())["shares"]
    for kind, share in train(path, seed=6, device="cpu").items():
        spread = Spread.of(published[kind])
        # The command asks for 95 %; a test may not fail in one run of twenty.
        assert abs(share - spread.mean) < 3 * spread.within


@pytest.mark.usefixtures("torch_is_there")
def test_numpy_sees_what_torch_sees(tmp_path: Path) -> None:
    torch = importlib.import_module("torch")

    from training.checkpoint import save_weights
    from training.look import Look
    from training.network import Policy
    from training.sizes import sizes

    torch.manual_seed(1)
    policy = Policy(64, 2)
    save_weights(policy, tmp_path / "policy.npz")
    look = Look(tmp_path / "policy.npz")
    chance = np.random.default_rng(1)
    for players in (2, 4, 6):
        features, _, actions = sizes(players)
        row = (chance.random(features) < 0.2).astype(np.uint8)
        mask = (chance.random(actions) < 0.3).astype(np.uint8)
        logs = policy(torch.from_numpy(row)[None], torch.from_numpy(mask)[None], torch.float32)[0]
        liked = look.weigh(row)[:actions][mask > 0]
        chances = np.exp(liked) / np.exp(liked).sum()
        assert np.abs(chances - logs.exp().detach().numpy()[mask > 0]).max() < 2e-3
        assert mask[look.choose(row, mask)]


@pytest.mark.long
@pytest.mark.usefixtures("torch_is_there")
def test_a_small_network_gets_better(tmp_path: Path) -> None:
    from training.run import Run
    from training.settings import read_settings

    run = Run(read_settings(TRAINING / "small.toml"), tmp_path, "cpu", 1e9)
    run.fit_value(500, 100)
    at_first = run.measure(64, run.settings.tables)["classic-2"].share
    run.imitate()
    followed = float(run.learner.figures[0, 0])
    learned = run.measure(64, run.settings.tables)["classic-2"].share
    run.play()
    assert followed > 0.75
    assert learned > at_first + 0.1
    assert run.measure(64, run.settings.tables)["classic-2"].share > at_first + 0.1
    assert float(run.learner.figures[0, 5]) > 0.5  # of the variance that the critic explains


@pytest.mark.parametrize("folder", CHECKPOINTS, ids=lambda folder: folder.name)
def test_a_checkpoint_is_what_it_says(folder: Path) -> None:
    import hashlib

    from training.look import Look

    about = json.loads((folder / "about.json").read_text())
    for name, expected in about["sha256"].items():
        content = (folder / f"{name}.npz").read_bytes()
        assert hashlib.sha256(content).hexdigest() == expected
        assert len(content) <= 4 << 20
    assert Look(folder / "policy.npz").first.shape[1] == about["settings"]["width"]


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    from training.settings import read_settings

    (tmp_path / "wrong.toml").write_text("widht = 3")
    with pytest.raises(SystemExit, match="widht: there is no such setting"):
        read_settings(tmp_path / "wrong.toml")


@pytest.mark.parametrize(
    "path",
    sorted([*TRAINING.glob("*.toml"), *TRAINING.glob("checkpoints/*/*.toml")]),
    ids=lambda path: path.name,
)
def test_the_settings_that_ship_can_be_read(path: Path) -> None:
    from training.settings import read_settings

    assert read_settings(path).updates() > 0


def test_settings_that_ask_for_more_than_is_played_are_refused(tmp_path: Path) -> None:
    from training.settings import read_settings

    path = tmp_path / "greedy.toml"
    path.write_text("[[tables]]\nslots = 64\nsteps = 4\nminibatch = 64\n[play]\nupdates = 5\n")
    with pytest.raises(
        SystemExit, match="classic with 2 players has enough for 4 updates, not for 5"
    ):
        read_settings(path)


def test_tables_of_another_kind_can_be_asked_for() -> None:
    from training.settings import Table

    assert Table(slots=8).as_kind("express-4") == Table("express", 4, slots=8)
    for wrong in ("express", "express-7", "uno-2"):
        with pytest.raises(SystemExit, match="a kind of table is an edition"):
            Table().as_kind(wrong)


@pytest.mark.usefixtures("torch_is_there")
def test_actions_are_drawn_by_their_chances_and_impossible_ones_never() -> None:
    torch = importlib.import_module("torch")
    from training.network import NEVER, chances_of, draw

    logits = torch.tensor([[NEVER, 1.0, NEVER, 0.0, NEVER], [0.0, NEVER, NEVER, NEVER, NEVER]])
    chances = chances_of(logits.log_softmax(dim=1))
    assert torch.allclose(chances.sum(dim=1), torch.ones(2))
    generator = torch.Generator()
    generator.manual_seed(1)
    drawn = draw(chances.repeat(20_000, 1), generator).view(-1, 2)
    assert (drawn[:, 1] == 0).all()
    assert set(drawn[:, 0].tolist()) == {1, 3}
    assert float((drawn[:, 0] == 1).float().mean()) == pytest.approx(0.731, abs=0.01)


def test_a_precision_that_there_is_none_of_is_refused(tmp_path: Path) -> None:
    from training.settings import read_settings

    path = tmp_path / "rough.toml"
    path.write_text('precision = "int3"\n[[tables]]\n')
    with pytest.raises(SystemExit, match="a precision is float32 or bfloat16, not int3"):
        read_settings(path)


@pytest.mark.usefixtures("torch_is_there")
def test_a_pupil_learns_to_like_what_its_teacher_likes(tmp_path: Path) -> None:
    torch = importlib.import_module("torch")
    from training.checkpoint import load_policy
    from training.distil import Distillery, keep, make_kinds
    from training.network import Policy

    torch.manual_seed(3)
    teachers = {
        name: Policy(32, 2).requires_grad_(requires_grad=False) for name in ("", "express-3")
    }
    kinds = make_kinds("classic-2:2 express-3:1", 32, 1, teachers, 0.5)
    assert [kind.teacher for kind in kinds] == list(teachers.values())
    still = Distillery(Policy(16, 1), kinds)
    first, *_, last = [still.step(3e-3)[0] for _ in range(121)]
    assert last < first / 2
    assert still.decisions == 121 * 96

    paths = {"": tmp_path / "one", "express-3": tmp_path / "other"}
    for path in paths.values():
        path.mkdir()
        (path / "about.json").write_text(f'{{"sha256": {{"policy": "{path.name}"}}}}')
    known = {"settings": {"width": 16, "layers": 1}}
    keep(still.average, kinds, paths, tmp_path / "pupil", known)
    about = json.loads((tmp_path / "pupil" / "about.json").read_text())
    assert about["taught_by"] == {"others": "one", "express-3": "other"}
    assert {"edition": "express", "players": 3} in about["met"]
    kept = load_policy(tmp_path / "pupil").state_dict()
    for name, part in still.average.state_dict().items():
        assert torch.allclose(kept[name], part, atol=1e-2)


@pytest.mark.usefixtures("torch_is_there")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_network_wins_half_against_itself_on_the_same_deals(players: int) -> None:
    torch = importlib.import_module("torch")
    from training.checkpoint import load_policy
    from training.evaluation import LAY, evaluate

    torch.manual_seed(4)
    one, other = (load_policy(TRAINING / "checkpoints/pupil") for _ in range(2))
    other.trunk.last.weight += 0.1 * torch.randn_like(other.trunk.last.weight)

    def duel(policy: Any, against: Any, always: int | None = None) -> Any:
        return evaluate(
            policy,
            edition="express",
            players=players,
            pairs=4,
            seed=2,
            threads=1,
            kind=torch.float32,
            against=against,
            always=always,
        )

    alone = duel(one, one)
    seats = (players + 1) // 2 / players, players // 2 / players
    assert alone.share == pytest.approx(sum(seats) / 2)
    assert alone.error == 0 or players == 3  # half of three seats are one or two
    assert duel(one, one, LAY).laid == 1  # what the other lets go does not count
    forth, back = duel(one, other), duel(other, one)
    if players != 3:
        assert forth.share + back.share == pytest.approx(1)


@pytest.mark.usefixtures("torch_is_there")
def test_how_fast_tables_are_is_told_for_each_kind(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from training import speed

    words = ["speed", "classic-2", "express-3", "--slots", "8", "--threads", "1"]
    monkeypatch.setattr("sys.argv", [*words, "--device", "cpu"])
    speed.main()
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("classic-2: ")
    assert second.startswith("express-3: ")
    assert second.endswith("M decisions a second at 8 tables on cpu")


@pytest.mark.usefixtures("torch_is_there")
def test_who_names_no_checkpoint_is_told(tmp_path: Path) -> None:
    from training.checkpoint import load_policy

    with pytest.raises(SystemExit, match="there is no checkpoint; python -m training makes one"):
        load_policy(tmp_path)


@pytest.mark.usefixtures("torch_is_there")
def test_who_is_stopped_while_writing_leaves_the_weights_that_were_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.checkpoint import load_weights, save_weights
    from training.network import SheetValue

    value = SheetValue()
    before = save_weights(value, tmp_path / "value.npz")

    def stopped(file: Any, **_: object) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", stopped)
    with pytest.raises(KeyboardInterrupt):
        save_weights(SheetValue(), tmp_path / "value.npz")
    assert hashlib.sha256((tmp_path / "value.npz").read_bytes()).hexdigest() == before
    load_weights(value, tmp_path / "value.npz")


@pytest.mark.usefixtures("torch_is_there")
def test_a_pupil_can_go_on_by_playing(tmp_path: Path) -> None:
    """It has learned to choose, and neither to foresee nor what score sheets are worth."""
    from training.run import Run
    from training.settings import read_settings

    path = tmp_path / "go-on.toml"
    path.write_text(SMALL.replace("width = 32", "width = 128"))
    run = Run(read_settings(path), tmp_path / "out", "cpu", 1e9)
    run.resume(TRAINING / "checkpoints/pupil")
    assert all(map(run.is_known, run.groups))
    assert run.curve == []
    run.play()
    run.measure(2, run.settings.tables)
    assert run.decisions > 0


@pytest.mark.usefixtures("torch_is_there")
def test_the_kernel_counts_score_sheets_as_torch_does() -> None:
    torch = importlib.import_module("torch")

    from phaseten.kernel.convert import DEALER
    from phaseten.kernel.players.network.sheet_chances import SheetChances
    from training.network import SheetValue
    from training.sheets import flatten, play

    torch.manual_seed(5)
    value = SheetValue()
    weights = array("f", flatten(value).astype("f").tolist())
    kernel = SheetChances(weights)
    with torch.no_grad():
        for part in value.parameters():
            part.copy_(part.half().float())
    for edition, players in (("classic", 3), ("express", 6)):
        found = play(edition, players, 3)
        layout, number = Game(edition, players).setup.layout, EDITIONS.index(edition)
        said = value(found.sheets, number).exp()
        for row, chances in zip(found.sheets.tolist(), said.tolist(), strict=True):
            state = bytearray(Game(edition, players).save())
            for seat in range(players):
                for first, count in ((layout.o_left, row[seat]), (layout.o_totals, row[players + seat])):  # fmt: skip
                    at = first + 3 * seat
                    state[at : at + 3] = count.to_bytes(3, "little")
            state[DEALER] = row[2 * players]
            assert kernel.chances(layout, bytes(state), number) == pytest.approx(chances, abs=1e-5)


@pytest.mark.usefixtures("torch_is_there")
def test_what_score_sheets_are_worth_can_be_learned() -> None:
    torch = importlib.import_module("torch")

    from training.network import SheetValue
    from training.sheets import compare, play
    from training.value import fit

    torch.manual_seed(1)
    value, found = SheetValue(), [play("classic", 2, 600)]
    fit(value, found, steps=300, size=512)
    with torch.no_grad():
        (losses,) = compare(value, found).values()
    assert losses["network"] < losses["rule_of_thumb"] < losses["nothing"]
