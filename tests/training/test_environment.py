"""Many tables side by side, against the kernel's own games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from phaseten.kernel import Game
from phaseten.kernel.setup import find_setup

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.environment import Environment

KINDS = [
    ("classic", 2),
    ("classic", 4),
    ("anniversary", 3),
    ("elchavo", 2),
    ("express", 2),
    ("express", 6),
]
LAY, COMMON, SEAT, MELD = 53, 56, 40, 16

# What the bot itself looks at is tested in every run (tests/kernel/players/test_network.py); to compile the rest
# takes longer than these tests.
pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("environment_is_built"),
    pytest.mark.xdist_group("training"),  # whoever waits for the compiler waits alone
]


class Tables:
    """An environment with its rows."""

    def __init__(self, edition: str, players: int, slots: int = 64, threads: int = 1) -> None:
        from training.environment import Environment
        from training.sizes import sizes

        self.layout = find_setup(edition, players).layout
        self.environment: Environment = Environment(self.layout, 0, slots, threads)
        self.rows: list[NDArray[np.uint8]] = [
            np.zeros((slots, size), np.uint8) for size in sizes(players)
        ]
        self.environment.write_to(*self.rows)
        self.chance = np.random.default_rng(5)

    @property
    def features(self) -> NDArray[np.uint8]:
        return self.rows[0]

    @property
    def secrets(self) -> NDArray[np.uint8]:
        return self.rows[1]

    @property
    def masks(self) -> NDArray[np.uint8]:
        return self.rows[2]

    def random_actions(self) -> NDArray[np.int32]:
        noise = self.chance.random(self.masks.shape)
        return (self.masks * noise).argmax(axis=1).astype(np.int32)

    def sharp_actions(self) -> NDArray[np.int32]:
        actions = np.zeros(self.environment.slots, np.int32)
        self.environment.choose(actions)
        return actions


def ours(tables: Tables, seat: int, action: int) -> int:
    """The network's action for one of the kernel's, worked out once more."""
    g = tables.layout
    if action >= g.a_lay:
        return LAY
    if action <= g.a_skip:
        return action
    if action < g.a_hit:
        return COMMON + SEAT * ((action - g.a_skip_at - seat) % g.players)
    meld, how = divmod(action - g.a_hit, g.hits)
    if how < g.naturals:
        how %= 12  # the numbers of a colour
    elif how < g.h_pairs:
        how = 12 + how - g.naturals
    else:
        how = 14 + (how - g.h_pairs) // g.pair_kinds
    owner, which = divmod(meld, 2)
    return COMMON + SEAT * ((owner - seat) % g.players) + 1 + MELD * which + how


@pytest.mark.parametrize(("edition", "players"), KINDS)
def test_legal_actions_are_the_kernels(edition: str, players: int) -> None:
    tables = Tables(edition, players, slots=24)
    tables.environment.start(3)
    game = Game(edition, players=players)
    for step in range(60):
        for i in range(tables.environment.slots):
            game.restore(tables.environment.saved(i))
            seat = int(tables.environment.turns[i])
            expected = {ours(tables, seat, action) for action in game.legal()}
            assert set(np.flatnonzero(tables.masks[i]).tolist()) == expected
        actions = tables.random_actions() if step % 3 == 0 else tables.sharp_actions()
        assert tables.environment.step(actions) == 0


@pytest.mark.parametrize(("edition", "players"), KINDS)
def test_sharp_chooses_what_is_legal(edition: str, players: int) -> None:
    tables = Tables(edition, players)
    tables.environment.start(4)
    tables.environment.play_on(300, 4)
    ends = 0
    for _ in range(150):
        actions = tables.sharp_actions()
        assert tables.masks[np.arange(len(actions)), actions].all()
        assert tables.environment.step(actions) == 0
        ends += int(tables.environment.ends.sum())
    assert ends > 0


def test_an_illegal_action_is_counted() -> None:
    tables = Tables("classic", 2, slots=2)
    tables.environment.start(1)
    illegal = np.flatnonzero(tables.masks[0] == 0)[-1]
    assert tables.environment.step(np.full(2, illegal, np.int32)) == 2


@pytest.mark.parametrize(("edition", "players"), KINDS)
def test_a_policy_sees_nothing_of_unseen_cards(edition: str, players: int) -> None:
    tables = Tables(edition, players)
    tables.environment.start(6)
    tables.environment.play_on(200, 6)
    for step in range(20):
        tables.environment.step(tables.sharp_actions())
        features, masks = tables.features.copy(), tables.masks.copy()
        secrets = tables.secrets.copy()
        tables.environment.exchange_unseen(step)
        assert (tables.features == features).all()
        assert (tables.masks == masks).all()
        assert (tables.secrets != secrets).any()


def test_a_critic_is_told_which_of_the_others_are_built_in() -> None:
    told = 300  # BUILT_IN in training/secrets.pxd
    tables = Tables("classic", 4, slots=3)
    learners = np.array([0b1111, 0b0101, 0b1001], np.uint8)
    tables.environment.start_games(np.arange(3, dtype=np.uint64), learners)
    for _ in range(40):
        tables.environment.step(tables.sharp_actions())
        for row, seat, bits in zip(tables.secrets, tables.environment.turns, learners, strict=True):
            others = [(int(bits) >> (int(seat) + i) % 4) & 1 for i in (1, 2, 3)]
            assert row[told : told + 4].tolist() == [*(1 - one for one in others), 0]


def test_the_seed_of_a_game_deals_the_same_to_whoever_plays() -> None:
    tables = Tables("classic", 2, slots=40)
    seeds = np.repeat(np.arange(20, dtype=np.uint64), 2)
    learners = np.tile(np.array([1, 2], np.uint8), 20)
    tables.environment.start_games(seeds, learners)
    size = tables.layout.state_size
    for i in range(0, 40, 2):
        one, other = (tables.environment.saved(j)[:size] for j in (i, i + 1))
        assert one[2] == other[2]  # who deals
    while not tables.environment.over.all():
        tables.environment.step(tables.sharp_actions())
    assert (tables.environment.after[:, -1] > 0).all()


def test_threads_change_nothing() -> None:
    found: list[NDArray[np.uint8]] = []
    for threads in (1, 3):
        tables = Tables("classic", 3, slots=50, threads=threads)
        tables.environment.start(9)
        tables.environment.play_on(100, 9)
        for _ in range(30):
            tables.environment.step(tables.sharp_actions())
        found.append(tables.features.copy())
    assert (found[0] == found[1]).all()


def test_a_hand_that_stands_still_ends() -> None:
    tables = Tables("classic", 2, slots=8)
    tables.environment.start(2)
    hands = np.zeros(8, int)
    for _ in range(1000):
        allowed = tables.masks.copy()
        allowed[:, LAY] = 0  # nobody ever lays
        tables.environment.step(
            (allowed * tables.chance.random(allowed.shape)).argmax(1).astype(np.int32)
        )
        hands += tables.environment.ends
    assert (hands >= 2).all()


def test_score_sheets_follow_each_other() -> None:
    tables = Tables("classic", 4, slots=64)
    tables.environment.start(7)
    before: dict[int, NDArray[np.int32]] = {}
    ends = 0
    for _ in range(600):
        tables.environment.step(tables.sharp_actions())
        for i in np.flatnonzero(tables.environment.ends).tolist():
            old, new = tables.environment.before[i], tables.environment.after[i]
            assert (new[4:8] >= old[4:8]).all()
            assert (new[:4] & ~old[:4] == 0).all()
            assert new[8] == (old[8] + 1) % 4
            if i in before and not before[i][9]:
                assert (before[i] == old).all()
            before[i] = new.copy()
            ends += 1
    assert ends > 200


def test_games_begin_from_score_sheets() -> None:
    tables = Tables("classic", 2, slots=16)
    sheet = np.array([[0b1000000000, 0b1100000000, 120, 85, 0, 0]], np.int32)
    tables.environment.begin_from(sheet)
    tables.environment.start(1)
    seen = False
    for _ in range(200):
        tables.environment.step(tables.sharp_actions())
        for i in np.flatnonzero(tables.environment.ends).tolist():
            if not seen:
                assert tables.environment.before[i][:4].tolist() == sheet[0, :4].tolist()
                seen = True
    assert seen


def test_recorded_games_have_winners() -> None:
    tables = Tables("classic", 2, slots=32)
    sheets = np.zeros((32, 64, 6), np.int32)
    hands, winners = np.zeros(32, np.int32), np.zeros(32, np.int32)
    tables.environment.record_games(3, sheets, hands, winners)
    assert (hands >= 10).all()
    assert (winners > 0).all()
    assert (sheets[:, 0, :2] == 1023).all()
    assert (sheets[np.arange(32), hands - 1, 2:4].sum(axis=1) > 0).all()


def test_a_kind_that_networks_do_not_know_is_refused() -> None:
    from training.environment import Environment

    layout = find_setup("classic", 2).layout
    environment = Environment(layout, 0, 4, 1)
    with pytest.raises(ValueError, match="rows must have"):
        environment.write_to(*(np.zeros((4, 3), np.uint8) for _ in range(3)))
