"""What a player can do, in every language."""

import pytest

from phaseten import Game
from phaseten.language import LANGUAGES, language
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, parse_card, parse_cards
from phaseten.rules.editions import parse_group
from phaseten.rules.melds import Meld
from phaseten.rules.state import put
from phaseten.rules.views import View

RUN = Meld(parse_group("run 4"), parse_cards("R3 B4 W=5 G6"))


@pytest.fixture
def view() -> View:
    view = Game("classic", ["Ana", "Beto"], seed=1).view(1)
    assert view.board is not None
    rows = put(put(view.board.melds, 1, (RUN,)), 2, (RUN,))
    return view._replace(board=view.board._replace(melds=rows, discards=parse_cards("R1 O8")))


CASES: list[tuple[Action, list[str]]] = [
    (DrawDeck(), ["draw from the draw pile", "robar del mazo", "piocher", "comprar do monte"]),
    (
        TakeDiscard(),
        [
            "take an orange 8 from the discard pile",
            "tomar un 8 naranja del descarte",
            "prendre un 8 orange dans la défausse",
            "pegar um 8 laranja do descarte",
        ],
    ),
    (
        DrawNothing(),
        ["play on without a card", "seguir sin carta", "continuer sans carte", "seguir sem carta"],
    ),
    (
        LayPhase((parse_cards("R7 W=7"),)),
        [
            "lay red 7, Wild as 7",
            "bajar 7 rojo, comodín como 7",
            "poser 7 rouge, joker en 7",
            "baixar 7 vermelho, coringa como 7",
        ],
    ),
    (
        LayPhase((parse_cards("R7 W=7"),), 4),
        [
            "lay Phase 4: red 7, Wild as 7",
            "bajar la Fase 4: 7 rojo, comodín como 7",
            "poser la Phase 4\N{NO-BREAK SPACE}: 7 rouge, joker en 7",
            "baixar a Fase 4: 7 vermelho, coringa como 7",
        ],
    ),
    (
        Hit(parse_cards("R7"), 1, 1),
        [
            "add a red 7 to your run",
            "añadir un 7 rojo a tu escalera",
            "ajouter un 7 rouge à ta suite",
            "juntar um 7 vermelho à sua sequência",
        ],
    ),
    (
        Hit(parse_cards("R7"), 2, 1),
        [
            "add a red 7 to Beto's run",
            "añadir un 7 rojo a la escalera de Beto",
            "ajouter un 7 rouge à la suite de Beto",
            "juntar um 7 vermelho à sequência de Beto",
        ],
    ),
    (
        Discard(parse_card("R5")),
        ["discard a red 5", "descartar un 5 rojo", "défausser un 5 rouge", "descartar um 5 vermelho"],
    ),
    (
        Discard(SKIP),
        ["discard a Skip", "descartar un Salta", "défausser un Passe", "descartar um Pula"],
    ),
    (Discard(SKIP, 2), ["skip Beto", "saltar a Beto", "faire passer Beto", "pular Beto"]),
]  # fmt: skip


@pytest.mark.parametrize(("action", "words"), CASES, ids=repr)
def test_actions(view: View, action: Action, words: list[str]) -> None:
    said = [language(code).action(action, view, ["Ana", "Beto"]) for code in LANGUAGES]
    assert said == words


def test_a_watcher_is_told_whose_meld_it_is(view: View) -> None:
    action = Hit(parse_cards("R7"), 1, 1)
    watched = view._replace(seat=None)
    assert language("en").action(action, watched, ["Ana", "Beto"]) == "add a red 7 to Ana's run"


def test_cards_as_the_caller_shows_them(view: View) -> None:
    def text(card: object) -> str:
        return f"<{card}>"

    said = [language("es").action(action, view, ["Ana", "Beto"], text) for action, _ in CASES[1:6]]
    assert said == [
        "tomar <O8> del descarte",
        "seguir sin carta",
        "bajar <R7> <W=7>",
        "bajar la Fase 4: <R7> <W=7>",
        "añadir <R7> a tu escalera",
    ]
