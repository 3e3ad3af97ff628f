"""Phase 10 as an environment for learners: Gymnasium, PettingZoo and OpenSpiel (extra ``learn``).

``import phaseten.envs`` makes every edition known to Gymnasium; PettingZoo's interface is the module
``phaseten.envs.phaseten_v0``, and ``import phaseten.envs.openspiel`` makes the game known to OpenSpiel.

>>> import gymnasium, phaseten.envs
>>> env = gymnasium.make("phaseten/Express-v0", opponents="rookie")
>>> observation, info = env.reset(seed=1)
"""

from phaseten.envs.extra import missing

try:
    from phaseten.envs.registration import register_all
    from phaseten.envs.single import PhasetenEnv
    from phaseten.envs.vector import PhasetenVectorEnv
except ModuleNotFoundError as error:
    raise missing(error) from error

__all__ = ["PhasetenEnv", "PhasetenVectorEnv"]

register_all()
