"""Which language somebody gets."""

import pytest

from phaseten.language import LANGUAGES, from_environment, preferred


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ("es", "es"),
        ("es-419,es;q=0.9,en;q=0.8", "es"),
        ("de-DE,de;q=0.9,fr;q=0.7,en;q=0.5", "fr"),
        ("en;q=0.3, pt-BR;q=0.8", "pt"),
        ("PT_br.UTF-8", "pt"),
        ("de,ja", "en"),
        ("", "en"),
        ("*", "en"),
        ("fr;q=0", "en"),
        ("fr;q=1.2.3,es;q=0.1", "es"),
        ("español", "en"),
        ("fro", "en"),
        ("C", "en"),
        ("es;q=0.5,fr;q=0.5", "es"),
    ],
)
def test_wishes(wishes: str, code: str) -> None:
    assert preferred(wishes.split(",")) == code


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "es_ES"}, "es"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "pt_BR.UTF-8", "LC_MESSAGES": "es_ES"}, "pt"),
        ({"LANGUAGE": "de:es:en", "LC_ALL": "pt_BR.UTF-8"}, "es"),
        ({"LANGUAGE": "", "LANG": "es"}, "es"),
        ({"LC_ALL": "C", "LANG": "es"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_environment(environ: dict[str, str], code: str) -> None:
    assert from_environment(environ) == code
    assert code in LANGUAGES
