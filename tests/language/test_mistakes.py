"""What is wrong with something that was written, in every language."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from phaseten.language import LANGUAGES, language
from phaseten.notation.records import RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError, follow
from phaseten.rules.cards import parse_card
from phaseten.rules.editions import EditionError, edition, read_edition
from phaseten.rules.mistakes import SENTENCES, Mistake, MistakeError, mistake
from phaseten.rules.options import OptionError, Rules, parse_variant
from phaseten.rules.refusals import Refusal
from tests.example_record import RECORD

ROOT = Path(__file__).resolve().parents[2]
# Mutation testing works in a copy whose sources are full of mutants: the true ones lie above it.
SOURCES = (ROOT.parent if ROOT.name == "mutants" else ROOT) / "src" / "phaseten"
OTHERS = LANGUAGES[1:]


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of ``mistake`` in the sources, and where it stands."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "mistake"
            ):
                yield f"{path.name}:{node.lineno}", node


def test_every_mistake_has_a_sentence_with_its_values_and_every_sentence_is_used() -> None:
    used = {"edition", "position"}  # what is wrong with such a text, in English only
    for where, call in calls():
        (name,) = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        assert isinstance(name, str), where
        given = {keyword.arg for keyword in call.keywords}
        assert set(re.findall(r"{(\w+)}", SENTENCES[name])) == given, f"{where}: {name}"
        used.add(name)
    assert used == set(SENTENCES)


@pytest.mark.parametrize("name", SENTENCES)
def test_mistakes_stand_inside_sentences(name: str) -> None:
    for code in LANGUAGES:
        text = language(code).sentences[f"mistakes.{name}"]
        assert isinstance(text, str)
        assert not text.endswith((".", "!", "?"))
        assert re.match(r"[a-zéà{'«“]|Deck", text), text


def why(text: str) -> Mistake | Refusal:
    """What is wrong with that record."""
    with pytest.raises((RecordSyntaxError, IllegalRecordError)) as found:
        for _ in follow(parse_record(decode_record(text.encode())), edition):
            pass
    error = found.value
    assert isinstance(error, RecordSyntaxError | IllegalRecordError)
    assert str(error) == error.why.sentence
    return error.why


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("2 D -G2", "2 D -G22", "«G22» no es una carta: escribe un color (R, B, Y, G, O) y un número del 1 al 12, como R7, o W para un comodín, o S para un Salta."),
        ("2 D -G2", "2 D X", "«X» no es una acción: D o P roban, N si no hay nada que robar, L baja, H añade, - descarta."),
        ('"standard"', '"phases=40"', "Phases=40: Express tiene las Fases 1 a 10."),
        ('"express"', '"tarot"', "No hay ninguna edición «tarot»: elige entre classic, deluxe, elchavo, anniversary, express, o da la ruta de tu propio archivo terminado en .toml."),
        ("Deck R1 B1", "Deck R1 B2", "Estas no son las cartas del mazo de esta edición: sobran 2 azul y faltan 1 azul."),
        ("End 1:5", "End 1:10", "El asiento 1 suma 5 puntos."),
        ("Hand 1", "Hand 2", "Esta es la mano 1, no la 2."),
        ("1 P L R1", "1 D L R1", "No tienes un 3 verde."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_record(right: str, wrong: str, said: str) -> None:
    assert right in RECORD
    found = why(RECORD.replace(right, wrong))
    assert language("es").fault(found) == said
    assert len({language(code).fault(found) for code in LANGUAGES}) == len(LANGUAGES)


def test_cards_that_the_seeds_do_not_give_are_named_as_they_are_written() -> None:
    seeds = f'[ServerSeed "{"00" * 32}"]\n[ClientSeed "x"]\n[Dealer'
    found = why(RECORD.replace("[Dealer", seeds).replace("Deck R1", "Deck W"))
    assert found.sentence == "not what the seeds give: too many of W and without R1"
    assert language("fr").fault(found) == (
        "Ce n'est pas ce que donnent les graines\N{NO-BREAK SPACE}: avec en trop W et sans R1."
    )


@pytest.mark.parametrize("code", OTHERS)
def test_a_mistake_stands_in_a_sentence(code: str) -> None:
    with pytest.raises(OptionError) as found:
        Rules(edition("express"), parse_variant("ten")).check_players(2)
    assert found.value.mistake == mistake("variation", text="ten")
    said = language(code).explain("table.refusal.bad-options", {"problem": found.value.mistake})
    assert language(code).mistake(found.value.mistake) in said
    assert "is not a variation" not in said


def test_what_is_wrong_with_a_file_is_said_as_it_is() -> None:
    with pytest.raises(EditionError) as found:
        read_edition("name = 3", "mine.toml")
    assert {language(code).mistake(found.value.mistake) for code in LANGUAGES} == {str(found.value)}


def test_mistakes_travel_between_processes() -> None:
    with pytest.raises(MistakeError) as found:
        parse_card("R77")
    again = pickle.loads(pickle.dumps(found.value))
    assert str(again) == str(found.value)
    assert type(again) is type(found.value)


def test_a_text_is_made_fit_to_be_shown() -> None:
    shown = mistake("turn", text="\x1b[31m" + "9" * 5000).sentence
    assert "\x1b" not in shown
    assert len(shown) < 400
    assert "…" in shown
