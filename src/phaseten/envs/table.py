"""One game for learners, in one process: what the environments of all three interfaces share.

Everybody at the table acts by a *learner's action*: the kernel's numbers with seats counted from the
one on turn, and laying as one action, the last. What an episode is and what is paid for it is the same
as in :class:`phaseten.kernel.Batch`.

>>> table = Table(Terms.of("express", players=2, reward="points"))
>>> table.begin(np.random.default_rng(3))
True
>>> table.turn, table.game.actions, int(table.mask().sum())
(2, 376, 2)
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from phaseten.game import NAMES
from phaseten.kernel.game import GOES_ON, Game
from phaseten.kernel.setup import find_setup
from phaseten.notation.tables import format_table
from phaseten.rules.mistakes import expect
from phaseten.rules.options import Rules

Length = Literal["hand", "game"]
"""What an episode is."""
Reward = Literal["win", "chance", "points"]
"""What is paid: for the game, for the chance to win it after each hand, or for the points of each hand."""

MOST_SEED: Final = 2**63


class Terms(NamedTuple):
    """What is played, for how long, and for what."""

    rules: Rules
    players: int
    episode: Length
    reward: Reward
    most_actions: int
    """An episode is truncated after so many actions of all players; 0: never."""

    @classmethod
    def of(  # noqa: PLR0913 - a table has that many things to choose, by name
        cls,
        edition: str | Rules = "classic",
        players: int = 2,
        *,
        variant: str = "standard",
        house: tuple[str, ...] = (),
        episode: Length = "game",
        reward: Reward = "win",
        most_actions: int = 0,
    ) -> Terms:
        """Terms that make sense; otherwise a sentence says what does not."""
        expect(players, int, "how many play, such as players=4,")
        setup = find_setup(edition, players, variant, house)
        if episode not in get_args(Length):
            raise ValueError(f"an episode is a 'hand' or a 'game', not {episode!r}")
        if reward not in get_args(Reward):
            raise ValueError(f"the reward is 'win', 'chance' or 'points', not {reward!r}")
        if expect(most_actions, int, "a number of actions, such as 2000,") < 0:
            raise ValueError("most_actions is a number of actions, or 0 for no end")
        return cls(setup.rules, players, episode, reward, most_actions)


class Prizes:
    """What each hand of a game brings its players."""

    def __init__(self, reward: Reward, game: Game) -> None:
        self._reward: Final = reward
        self._worth = self._worth_now(game)

    def after_hand(self, game: Game) -> NDArray[np.float64]:
        """The rewards, seat 1 first, for the hand that has just ended."""
        now = self._worth_now(game)
        rewards, self._worth = now - self._worth, now
        return rewards

    def _worth_now(self, game: Game) -> NDArray[np.float64]:
        match self._reward:
            case "win":
                worth = np.zeros(game.players)
                if game.winner is not None:
                    worth[:] = -1 / (game.players - 1)
                    worth[game.winner - 1] = 1
                return worth
            case "chance":
                return np.array(game.chances())
            case "points":
                return -np.array(game.totals, np.float64)


class Table:
    """A game in which somebody is on turn, until the episode is over.

    ``rewards`` are those of the last action, seat 1 first.
    """

    game: Game
    seed: int
    """What all cards of the game follow from."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.players: Final = terms.players
        self._new_game(0, 1)
        self._start_counting()
        self.size: Final = self.game.observation_size()

    # -- beginning -----------------------------------------------------------------------------

    def begin(self, chance: np.random.Generator, *, anew: bool = False) -> bool:
        """Begin an episode; whether a new game begins with it.

        It does so unless the episode before was a hand, which the next hand of the game follows.
        """
        goes_on = self.terms.episode == "hand" and self.is_between_hands
        if goes_on and not anew:
            self._deal()
        else:
            self._new_game(int(chance.integers(MOST_SEED)), int(chance.integers(self.players)) + 1)
        self._start_counting()
        return not goes_on or anew

    def _new_game(self, seed: int, dealer: int) -> None:
        self.seed = seed
        self.game = Game(self.terms.rules, self.players, seed=seed, dealer=dealer)
        self.game.deals_itself = False

    def _deal(self) -> None:
        self.game.deal()

    def _start_counting(self) -> None:
        self.rewards: NDArray[np.float64] = np.zeros(self.players)
        self.truncated = False
        self._actions = 0
        self._prizes = Prizes(self.terms.reward, self.game)

    # -- what is so ----------------------------------------------------------------------------

    @property
    def is_between_hands(self) -> bool:
        """A hand is over and the game is not."""
        return self.game.turn is None and self.game.winner is None

    @property
    def terminated(self) -> bool:
        """The hand or the game that is the episode has been played to its end."""
        return self.game.turn is None

    @property
    def turn(self) -> int:
        """The seat on turn, from 1; 0 when the episode is over."""
        return 0 if self.truncated else self.game.turn or 0

    def mask(self) -> NDArray[np.int8]:
        """Which actions are legal for the seat on turn; none when the episode is over.

        As int8, which ``gymnasium.spaces.Discrete.sample`` asks for.
        """
        if not self.turn:
            return np.zeros(self.game.actions, np.int8)
        return self.game.mask().view(np.int8)

    def observe(self, seat: int) -> NDArray[np.int16]:
        """What that seat knows: the planes of :mod:`phaseten.kernel.knowledge`."""
        return self.game.observe(seat)

    def text(self) -> str:
        """The table with everybody's cards."""
        return text_of(self.game)

    # -- acting --------------------------------------------------------------------------------

    def step(self, number: int) -> None:
        """Carry out an action of the seat on turn, by the kernel's number."""
        ended = self.game.step(number)
        self._actions += 1
        self.rewards = np.zeros(self.players)
        if ended != GOES_ON:
            self.rewards = self._prizes.after_hand(self.game)
            if self.is_between_hands and self.terms.episode == "game":
                self._deal()
        if self.game.turn is not None and self._actions == self.terms.most_actions:
            self.truncated = True


def text_of(game: Game) -> str:
    """The table with everybody's cards."""
    return format_table(game.state_now(), NAMES)
