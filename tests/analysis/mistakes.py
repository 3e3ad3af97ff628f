"""A position in which a discard gives away some 4 % of a game, and what is better."""

from typing import Final

from phaseten.rules.actions import Discard
from phaseten.rules.cards import parse_card

POSITION: Final = (
    "classic | seat 1 sees | hand 1 dealer 2 turn 1 play "
    "| 1 phases 8-10 points 150 held G9 R6 laid 8 B3 B3 B5 B8 B8 B11 W=B B9 B1 "
    "| 2 phases 9,10 points 140 holds 10 | draw 71 "
    "| discards Y12 S R4 Y8 G1 G12 G2 Y1 Y4 G8 G3 G5 R6 R8 Y5 R12 "
    "| seen Y12, 1 D -R11, 2 P:R11 -S@1, 1 *, 2 D -R4, 1 D -Y8, 2 D -B5, 1 P:B5 -G1, 2 D -G12, "
    "1 D -G2, 2 D -Y1, 1 D -Y4, 2 D -G8, 1 D L B3 B3 B5 B8 B8 B11 W=B -G3, 2 D -G5, 1 D H B9>1.1 "
    "-R6, 2 D -R8, 1 D -Y5, 2 D -R12, 1 D H B1>1.1"
)
MISTAKE: Final = Discard(parse_card("G9"))
BETTER: Final = Discard(parse_card("R6"))
