"""A bot from outside the house: a class with a method ``choose``, and nothing else."""

from phaseten.bots.ladder import make_bot
from phaseten.rules.actions import Action
from phaseten.rules.views import View


class Visitor:
    """Plays as the casual bot does."""

    name = "visitor"

    def choose(self, view: View) -> Action:
        return make_bot("casual").choose(view)
