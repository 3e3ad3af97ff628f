# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false, reportUntypedBaseClass=false
"""OpenSpiel: a Python game with explicit chance, registered as ``phaseten`` when this is imported.

>>> import pyspiel
>>> import phaseten.envs.openspiel
>>> game = pyspiel.load_game("phaseten(edition=express,episode=hand,reward=points)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 50)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from phaseten.envs.chance_nodes import OpenGame
from phaseten.envs.extra import missing
from phaseten.envs.table import Length, Reward, Terms
from phaseten.notation.positions import format_position
from phaseten.rules.cards import format_cards, sort_cards
from phaseten.rules.views import view_of

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise missing(error) from error

MOST_ACTIONS: Final[Mapping[Length, int]] = {"hand": 2_000, "game": 20_000}
"""OpenSpiel asks how long a game can be. Nobody but random players comes near."""
MOST_POINTS: Final = 2**24
"""More than the kernel can count."""
PARAMETERS: Final[Mapping[str, str | int]] = {
    "edition": "classic",
    "players": 2,
    "variant": "standard",  # written ten-hands+phases:5, for a comma would end the parameter
    "house": "",
    "episode": "game",
    "reward": "win",
    "most_actions": 0,
    "dealer": 0,  # the last seat, so that player 0 begins
}


def _type(reward: Reward) -> pyspiel.GameType:
    zero_sum = reward != "points"
    return pyspiel.GameType(
        short_name="phaseten",
        long_name="Phase 10",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM
        if zero_sum
        else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(PARAMETERS),
    )


class PhasetenGame(pyspiel.Game):
    """The game with its parameters."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen: dict[str, Any] = {**PARAMETERS, **(params or {})}
        episode = cast("Length", chosen["episode"])
        self.terms = Terms.of(
            chosen["edition"],
            chosen["players"],
            variant=chosen["variant"].replace("+", ",").replace(":", "="),
            house=tuple(filter(None, chosen["house"].split("+"))),
            episode=episode,
            reward=chosen["reward"],
            most_actions=chosen["most_actions"],
        )
        if not self.terms.most_actions:
            self.terms = self.terms._replace(most_actions=MOST_ACTIONS[episode])
        dealer: int = chosen["dealer"] or self.terms.players
        if not 1 <= dealer <= self.terms.players:
            raise ValueError(f"the dealer is a seat from 1 to {self.terms.players}, or 0")
        # OpenSpiel makes an initial state for every clone and every tensor: a copy is the quickest way.
        self.start = OpenGame(self.terms, dealer)
        game = self.start.game
        points = self.terms.reward == "points"
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=game.setup.layout.faces,
            num_players=self.terms.players,
            min_utility=-MOST_POINTS if points else -1.0,
            max_utility=0.0 if points else 1.0,
            utility_sum=None if points else 0.0,
            max_game_length=self.terms.most_actions,
        )
        super().__init__(_type(self.terms.reward), info, chosen)

    def new_initial_state(self) -> PhasetenState:
        """Before the first deal."""
        return PhasetenState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """How a player sees a state; None for kinds that this game does not know."""
        if not isinstance(iig_obs_type, pyspiel.IIGObservationType):
            iig_obs_type = pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"observations of phaseten have no parameters, not {params}")
        kind = (iig_obs_type.perfect_recall, iig_obs_type.public_info, iig_obs_type.private_info)
        tell = TELLERS.get(kind)
        size = self.start.game.observation_size()
        return tell and Observer(tell, size if tell is _observation else 0)


class PhasetenState(pyspiel.State):
    """A state; players count from 0."""

    def __init__(self, game: PhasetenGame) -> None:
        super().__init__(game)
        self.play = deepcopy(game.start)

    def current_player(self) -> int:
        """Who is on turn, chance included."""
        if self.play.is_over:
            return pyspiel.PlayerId.TERMINAL
        if self.play.waits_for_chance:
            return pyspiel.PlayerId.CHANCE
        return (self.play.game.turn or 0) - 1

    def _legal_actions(self, player: int) -> list[int]:
        assert player == self.current_player()
        return np.flatnonzero(self.play.game.mask()).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The faces that can come next, and how likely each is."""
        return self.play.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.play.waits_for_chance:
            self.play.turn_up(action)
        else:
            self.play.act(self.play.game.absolute(action))

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.play.game
        if player == pyspiel.PlayerId.CHANCE:
            return str(game.setup.convert.faces[action])
        return game.name(game.absolute(action))

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self.play.is_over

    def returns(self) -> list[float]:
        """What everybody has got, when it is over."""
        return self.play.returns if self.play.is_over else [0.0] * self.play.terms.players

    def resample_from_infostate(self, player: int, _sampler: object) -> PhasetenState:
        """Another state that the player cannot tell from this one, for search with imagined worlds."""
        other = self.clone()
        other.play = self.play.resampled(player + 1)
        return other

    def __str__(self) -> str:
        """All that there is to know."""
        position = format_position(self.play.game.state_now())
        return f"{position} | {' '.join(event.text for event in self.play.events)}"


class Observer:
    """Numbers and text for one player: see ``open_spiel/python/observation.py``.

    What is seen at the moment has numbers and text. With perfect recall there is text alone: all that
    the player has seen and done, of which no tensor of a sensible size could be made.
    """

    def __init__(self, tell: Callable[[OpenGame, int], str], size: int) -> None:
        self._tell = tell
        self.tensor: NDArray[np.float32] | None = np.zeros(size, np.float32) if size else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: PhasetenState, player: int) -> None:
        """Write what the player sees."""
        if self.tensor is not None:
            self.tensor[:] = state.play.game.observe(player + 1)

    def string_from(self, state: PhasetenState, player: int) -> str:
        """What the player sees, or with perfect recall has seen, in text."""
        return self._tell(state.play, player + 1)


def _observation(play: OpenGame, seat: int) -> str:
    return format_position(play.game.view(seat))


def _recalled(play: OpenGame, seat: int) -> str:
    return " ".join(event.seen_by(seat) for event in play.events)


def _public(play: OpenGame, _seat: int) -> str:
    return format_position(view_of(play.game.state_now(), None))


def _private(play: OpenGame, seat: int) -> str:
    held = play.game.view(seat).held
    return format_cards(sort_cards(held or ()))


TELLERS: Final = {
    (False, True, pyspiel.PrivateInfoType.SINGLE_PLAYER): _observation,
    (True, True, pyspiel.PrivateInfoType.SINGLE_PLAYER): _recalled,
    (False, True, pyspiel.PrivateInfoType.NONE): _public,
    (False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER): _private,
}
"""Whether all that was seen is told, what everybody sees, and what is seen in a hand."""


pyspiel.register_game(_type("win"), PhasetenGame)
