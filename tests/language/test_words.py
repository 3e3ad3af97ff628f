"""Cards, Phases, options and lists in every language."""

import pytest

from phaseten.language import LANGUAGES, language
from phaseten.rules.cards import COLORS, parse_card, parse_cards
from phaseten.rules.editions import (
    BOOK_EDITIONS,
    HOUSE_RULES,
    KINDS,
    VARIATIONS,
    Phase,
    edition,
    parse_group,
    parse_groups,
)
from phaseten.rules.options import parse_variant


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("R5", ["red 5", "5 rojo", "5 rouge", "5 vermelho"]),
        ("O12", ["orange 12", "12 naranja", "12 orange", "12 laranja"]),
        ("W", ["Wild", "comodín", "joker", "coringa"]),
        ("S", ["Skip", "Salta", "Passe", "Pula"]),
        ("W=7", ["Wild as 7", "comodín como 7", "joker en 7", "coringa como 7"]),
        ("W=G", ["Wild as green", "comodín como verde", "joker en vert", "coringa como verde"]),
        (
            "W=B7",
            ["Wild as blue 7", "comodín como 7 azul", "joker en 7 bleu", "coringa como 7 azul"],
        ),
    ],
)
def test_cards(text: str, words: list[str]) -> None:
    assert [language(code).card(parse_card(text)) for code in LANGUAGES] == words


def test_articles() -> None:
    english = language("en")
    said = [english.a_card(card) for card in parse_cards("R8 O5 W S O11")]
    assert said == ["a red 8", "an orange 5", "a Wild", "a Skip", "an orange 11"]
    assert [language(code).a_card(parse_card("Y3")) for code in LANGUAGES] == [
        "a yellow 3",
        "un 3 amarillo",
        "un 3 jaune",
        "um 3 amarelo",
    ]


def test_colors() -> None:
    for code in LANGUAGES:
        said = {language(code).color(letter) for letter in COLORS}
        assert len(said) == len(COLORS)


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        ((), ["", "", "", ""]),
        (("a",), ["a", "a", "a", "a"]),
        (("Ana", "Beto"), ["Ana and Beto", "Ana y Beto", "Ana et Beto", "Ana e Beto"]),
        (("Ana", "Inés"), ["Ana and Inés", "Ana e Inés", "Ana et Inés", "Ana e Inés"]),
        (("Ana", "Hilda"), ["Ana and Hilda", "Ana e Hilda", "Ana et Hilda", "Ana e Hilda"]),
        (("agua", "hielo"), ["agua and hielo", "agua y hielo", "agua et hielo", "agua e hielo"]),
        (
            ("Ana", "Beto", "Carla"),
            ["Ana, Beto and Carla", "Ana, Beto y Carla", "Ana, Beto et Carla", "Ana, Beto e Carla"],
        ),
    ],
)
def test_lists(words: tuple[str, ...], joined: list[str]) -> None:
    assert [language(code).listed(words) for code in LANGUAGES] == joined


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        (("7", "8"), "7 u 8"),
        (("10", "11"), "10 u 11"),
        (("3", "9"), "3 o 9"),
        (("Ana", "Óscar"), "Ana u Óscar"),
        (("Ana", "Hortensia"), "Ana u Hortensia"),
        (("1", "110"), "1 o 110"),
    ],
)
def test_spanish_or(words: tuple[str, ...], joined: str) -> None:
    assert language("es").listed(words, "or") == joined


def test_must_show_in_english_takes_the_right_article() -> None:
    said = [
        language("en").phase(Phase(1, parse_groups("set 3"), number)) for number in (7, 8, 11, 12)
    ]
    assert said == [f"set of 3, with {word} or a Wild" for word in ("a 7", "an 8", "an 11", "a 12")]


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ("set 3 + run 4", ["set of 3 + run of 4", "grupo de 3 + escalera de 4", "série de 3 + suite de 4", "grupo de 3 + sequência de 4"]),
        ("set 3 + set 3", ["2 sets of 3", "2 grupos de 3", "2 séries de 3", "2 grupos de 3"]),
        ("set 5 + set 2", ["set of 5 + set of 2", "grupo de 5 + grupo de 2", "série de 5 + série de 2", "grupo de 5 + grupo de 2"]),
        ("color 7", ["7 cards of one colour", "7 cartas de un color", "7 cartes d'une couleur", "7 cartas de uma cor"]),
        ("pairrun 2", ["run of 2 pairs", "escalera de 2 parejas", "suite de 2 paires", "sequência de 2 duplas"]),
        ("evenrun 4", ["run of 4 even numbers", "escalera de 4 pares", "suite de 4 pairs", "sequência de 4 pares"]),
    ],
)  # fmt: skip
def test_phases(groups: str, words: list[str]) -> None:
    phase = Phase(1, parse_groups(groups))
    assert [language(code).phase(phase) for code in LANGUAGES] == words


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_phase_of_every_edition(code: str) -> None:
    speech = language(code)
    phases = [phase for name in BOOK_EDITIONS for phase in edition(name).phases]
    assert any(phase.must_show for phase in phases)
    for phase in phases:
        words = speech.phase(phase)
        for group in phase.groups:
            assert str(group.size) in words
        assert (str(phase.must_show) in words) or not phase.must_show
        assert "{" not in words
        assert str(phase.number) in speech.phase_title(phase.number)
    different = {phase.text for phase in phases}
    assert len({speech.phase(Phase(1, parse_groups(text))) for text in different}) == len(different)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_kind(code: str) -> None:
    speech = language(code)
    assert len({speech.kind(kind) for kind in KINDS.values()}) == len(KINDS)
    for name, kind in KINDS.items():
        twice = Phase(1, parse_groups(f"{name} 6 + {name} 6"))
        assert "6" in speech.phase(twice)
        assert speech.phase(twice)[0] == "2"
        assert "6" in speech.group(parse_group(f"{name} 6"))
        yours = speech.to_meld(kind, 1, ["Beto"], you=True)
        own = speech.to_meld(kind, 1, ["Beto"], you=False, own=True)
        theirs = speech.to_meld(kind, 1, ["Beto"], you=False)
        assert len({yours, own, theirs}) == 3
        assert "Beto" in theirs
        assert "Beto" not in yours + own


def test_french_elides_before_a_vowel() -> None:
    french, run = language("fr"), KINDS["run"]
    names = ["Ana", "Beto", "Émile", "Özgür"]
    said = [french.to_meld(run, seat, names, you=False) for seat in (1, 2, 3, 4)]
    assert said == [
        "à la suite d'Ana",
        "à la suite de Beto",
        "à la suite d'Émile",
        "à la suite d'Özgür",
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_option(code: str) -> None:
    speech = language(code)
    options = [speech.variation(name) for name in ("standard", *VARIATIONS)]
    options += [speech.house_rule(name) for name in HOUSE_RULES]
    assert len({option.title for option in options}) == len(options)
    for option in options:
        assert option.about.endswith(".")
        assert len(option.about) <= 80
    editions = {speech.edition(name) for name in (*BOOK_EDITIONS, "my.toml")}
    assert len(editions) == len(BOOK_EDITIONS) + 1
    assert speech.edition("my.toml") == speech.edition("another")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("standard", "the full game"),
        ("ten-hands", "one hand for each Phase"),
        ("phases=1", "Phase 1 only"),
        ("ten-hands,phases=5,even", "one hand for each Phase, Phases 1 to 5, even Phases only"),
    ],
)
def test_variants(text: str, words: str) -> None:
    assert language("en").variant(parse_variant(text)) == words
    said = [language(code).variant(parse_variant(text)) for code in LANGUAGES]
    assert len(set(said)) == len(said)


def test_cards_as_a_caller_shows_them() -> None:
    speech = language("en")
    cards = parse_cards("R5 W=6 B7")

    def text(card: object) -> str:
        return f"<{card}>"

    assert speech.some_cards(cards) == "a red 5, a Wild as 6 and a blue 7"
    assert speech.some_cards(cards, text) == "<R5> <W=6> <B7>"
    assert speech.melds([cards[:2], cards[2:]]) == "red 5, Wild as 6 / blue 7"
    assert speech.melds([cards[:2], cards[2:]], text) == "<R5> <W=6> / <B7>"


def test_seats_without_names() -> None:
    said = [language(code).player(2, ["Ana"]) for code in LANGUAGES]
    assert said == ["seat 2", "Jugador 2", "Joueur 2", "Jogador 2"]
    assert language("fr").player(1, ["Ana"]) == "Ana"
    assert language("en").player(0, ["Ana"]) == "seat 0"
