"""All languages say the same things: the same names, the same places for values."""

import re
from string import Formatter

import pytest

from phaseten.language import LANGUAGES, MissingSentenceError, language
from phaseten.language.catalogue import FOLDER, Plural, Sentence, read_catalogue
from phaseten.rules.refusals import SENTENCES

FIRST, *OTHERS = LANGUAGES


def texts(sentence: Sentence) -> tuple[str, ...]:
    return tuple(sentence) if isinstance(sentence, Plural) else (sentence,)


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


def joints(text: str) -> set[str]:
    return {spec for _, _, spec, _ in Formatter().parse(text) if spec}


def test_a_folder_for_every_language() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert folders == set(LANGUAGES)


@pytest.mark.parametrize("code", OTHERS)
def test_the_same_sentences(code: str) -> None:
    ours, theirs = language(FIRST).sentences, language(code).sentences
    assert sorted(set(ours) - set(theirs)) == [], f"missing in {code}"
    assert sorted(set(theirs) - set(ours)) == [], f"only in {code}"


@pytest.mark.parametrize("code", OTHERS)
def test_the_same_places_for_values(code: str) -> None:
    ours, theirs = language(FIRST).sentences, language(code).sentences
    for name in ours.keys() & theirs.keys():
        sentence = ours[name]
        assert type(theirs[name]) is type(sentence), name
        wanted = set[str]().union(*map(places, texts(sentence)))
        assert set[str]().union(*map(places, texts(theirs[name]))) == wanted, name


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_word_that_changes_is_explained(code: str) -> None:
    catalogue = read_catalogue(code)
    used = {"a", "and", "or"}
    for sentence in catalogue.sentences.values():
        used = used.union(*map(joints, texts(sentence)))
    assert used == set(catalogue.joints)


@pytest.mark.parametrize("code", LANGUAGES)
def test_sentences_are_well_formed(code: str) -> None:
    for name, sentence in language(code).sentences.items():
        for text in texts(sentence):
            assert text == text.strip(), name
            assert text, name
            assert "  " not in text, name
            assert all(place.isidentifier() for place in places(text)), name
            if isinstance(sentence, Plural):
                assert "count" in places(sentence.other), name


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_left_in_english(code: str) -> None:
    ours, theirs = language(FIRST).sentences, language(code).sentences
    same = {
        name
        for name, sentence in ours.items()
        if sentence == theirs.get(name)
        and len(re.findall("[a-z]{2,}", re.sub(r"\{.*?\}", "", "".join(texts(sentence))))) > 2
    }
    assert same == set()


def test_every_refusal_of_the_rules_is_translated() -> None:
    for code in LANGUAGES:
        named = {n.partition(".")[2] for n in language(code).sentences if n.startswith("refusals.")}
        assert named == set(SENTENCES)


def test_plurals() -> None:
    said = {code: [language(code).points(count) for count in (0, 1, 2, 25)] for code in LANGUAGES}
    assert said == {
        "en": ["0 points", "1 point", "2 points", "25 points"],
        "es": ["0 puntos", "1 punto", "2 puntos", "25 puntos"],
        "fr": ["0 point", "1 point", "2 points", "25 points"],
        "pt": ["0 ponto", "1 ponto", "2 pontos", "25 pontos"],
    }


def test_french_marks_do_not_start_a_line() -> None:
    for sentence in language("fr").sentences.values():
        for text in texts(sentence):
            assert not re.search(" [:;!?]", text), text


def test_a_missing_sentence_is_an_error() -> None:
    with pytest.raises(MissingSentenceError, match=r"'es' has no sentence 'game\.nonsense'"):
        language("es").say("game.nonsense")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="number"):
        language("es").say("game.phase_title")


def test_a_language_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="there is no language 'tlh': choose from en, es, fr, pt"):
        language("tlh")


def test_languages_name_themselves() -> None:
    titles = [language(code).title for code in LANGUAGES]
    assert titles == ["English", "Español", "Français", "Português"]
    assert [language(code).code for code in LANGUAGES] == list(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_one_kind_of_apostrophe(code: str) -> None:
    said = " ".join(text for one in language(code).sentences.values() for text in texts(one))
    assert not re.search("\\w\N{RIGHT SINGLE QUOTATION MARK}\\w", said), "elsewhere it is straight"
