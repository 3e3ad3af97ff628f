"""The game in the player's language: words for its things, refusals, reasons, and the story of a game.

>>> language("es").say("game.points", count=25)
'25 puntos'
>>> preferred(["pt-BR", "en"])
'pt'
"""

from phaseten.language.catalogue import MissingSentenceError
from phaseten.language.choice import LANGUAGES, from_environment, preferred
from phaseten.language.speech import Language, Spoken, language
from phaseten.language.story import Story
from phaseten.language.words import CardText, Option

__all__ = [
    "LANGUAGES",
    "CardText",
    "Language",
    "MissingSentenceError",
    "Option",
    "Spoken",
    "Story",
    "from_environment",
    "language",
    "preferred",
]
