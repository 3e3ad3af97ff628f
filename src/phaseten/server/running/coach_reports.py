"""What the coach says about a game, as the forms that people are shown."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Final

import msgspec

from phaseten.analysis.coach import EFFORTS, Analysis, analyse
from phaseten.analysis.findings import Decision
from phaseten.analysis.picture import draw_report
from phaseten.analysis.report import Player, Report
from phaseten.analysis.words import CoachWords
from phaseten.language import LANGUAGES, language
from phaseten.server.running.coaching import (
    AnalysisForm,
    JudgedForm,
    MistakeForm,
    OptionForm,
    PointForm,
    Reading,
    ReportForm,
    TurningPointForm,
    Word,
    line_of,
)

PAUSE: Final = 0.3
"""Seconds between two words on how far the coach is."""
MOST_SECONDS: Final = 300.0
"""Nobody's game keeps the others' waiting for longer: what is known by then is said."""
REPORT_PAUSE: Final = 1.5
"""The same between two reports."""


def reports_on(reading: Reading) -> Iterator[Word]:
    """What is found in a game, while it is read."""
    analysis = analyse(
        reading.record, worlds=EFFORTS["quick"], seconds=MOST_SECONDS, find=reading.find
    )
    said = reported = monotonic()
    for _ in analysis:
        now = monotonic()
        if now - reported >= REPORT_PAUSE:
            said = reported = now
            form = report_form(analysis, reading.language)
            yield Word(line_of(AnalysisForm(analysis.progress, form)))
        elif now - said >= PAUSE:
            said = now
            yield Word(line_of(AnalysisForm(analysis.progress, None)))
    reports = {code: report_form(analysis, code) for code in LANGUAGES}
    yield Word(
        line_of(AnalysisForm(1.0, reports[reading.language])),
        {code: msgspec.json.encode(report).decode() for code, report in reports.items()},
    )


def report_form(analysis: Analysis, code: str) -> ReportForm:
    """What is known so far, in that language."""
    words = CoachWords(analysis.game, language(code))
    report = analysis.report()
    is_over = report.winner is not None
    return ReportForm(
        title=words.say("title"),
        about=(
            words.say("about"),
            words.say("par"),
            *(() if is_over else (words.say("unfinished"),)),
        ),
        sums=tuple([tuple(row) for row in words.sums(report)]),
        players=tuple([_judged(player, words) for player in report.players]),
        turning_points_title=words.say("turning_points"),
        turning_points=tuple(
            [TurningPointForm(each.step, words.turn(each)) for each in report.turning_points]
        ),
        curve_title=words.say("curve"),
        curve=_curve(report),
        picture=draw_report(report, words),
    )


def _judged(player: Player, words: CoachWords) -> JudgedForm:
    title = "mistakes" if player.mistakes else "no_mistakes"
    return JudgedForm(
        seat=player.seat,
        name=player.name,
        accuracy=round(player.accuracy, 1),
        mistakes_title=words.say(title, player=player.name),
        mistakes=tuple([_mistake(decision, words) for decision in player.mistakes]),
        places_title=words.say("where", player=player.name),
        places=tuple([tuple(row) for row in words.places(player)]),
    )


def _mistake(decision: Decision, words: CoachWords) -> MistakeForm:
    played, better, *_ = words.mistake(decision)
    return MistakeForm(
        step=decision.step,
        hand=decision.hand,
        loss=round(decision.loss, 5),
        error=round(decision.error, 5),
        words=(played, better),
        reasons=tuple(words.reasons(decision)),
        options=tuple(
            [
                OptionForm(
                    text=words.action(decision, option.action),
                    chance=round(option.chance, 5),
                    behind=round(option.behind, 5),
                    doubt=round(option.doubt, 5),
                    is_best=option.action == decision.best,
                    was_played=option.action == decision.action,
                )
                for option in decision.options
            ]
        ),
    )


def _curve(report: Report) -> tuple[PointForm, ...]:
    return tuple(
        [
            PointForm(point.step, point.hand, tuple([round(chance, 4) for chance in point.chances]))
            for point in report.curve
        ]
    )
