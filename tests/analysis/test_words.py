"""The report in words: it gives reasons for what it advises, and none against it."""

import pytest

from phaseten.analysis.coach import Analysis, analyse
from phaseten.analysis.findings import Decision
from phaseten.analysis.words import CoachWords
from phaseten.bots.reasons import AGAINST, HOPES, USELESS, explain
from phaseten.language import LANGUAGES, language
from phaseten.rules.actions import TakeDiscard
from tests.analysis.games import record_of


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    found = analyse(record_of(("rookie", "rookie"), "classic", "phases=2"), worlds=32)
    assert list(found)
    return found


def decisions(analysis: Analysis) -> list[Decision]:
    found = [each for each in analysis.findings() if isinstance(each, Decision)]
    return [each for each in found if each.best != each.action]


def test_the_report_does_not_contradict_its_advice(analysis: Analysis) -> None:
    words = CoachWords(analysis.game, language("en"))
    contradicted = 0
    for decision in decisions(analysis):
        reasons = explain(words.view(decision), decision.best, most=None)
        against = {reason.name for reason in reasons} & AGAINST
        if isinstance(decision.best, TakeDiscard) and any(one.name in USELESS for one in reasons):
            against |= USELESS | HOPES
        said = {
            language("en").reason(one, analysis.game.names)
            for one in reasons
            if one.name in against
        }
        contradicted += bool(said)
        assert not said & set(words.reasons(decision))
    assert contradicted, "something would have spoken against the advice"


@pytest.mark.parametrize("code", LANGUAGES)
def test_there_is_always_something_to_say(analysis: Analysis, code: str) -> None:
    words = CoachWords(analysis.game, language(code))
    said = [words.reasons(decision) for decision in decisions(analysis)]
    assert all(said)
    tried = [one for one in said if "32" in one[0]]
    assert tried, "where no reason can be counted out it says how it was found"
