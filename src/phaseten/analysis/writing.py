"""The analysis as plain data for JSON: for programs, and for the browser.

Chances, luck and losses are parts of a game from 0 to 1, rounded; lists by seat begin with seat 1; steps count as
those of :func:`phaseten.follow`, from 0, and the step -1 is the start. Actions are written as in records.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from phaseten.analysis.findings import Decision, Finding, Fortune
from phaseten.analysis.report import Player, Report

if TYPE_CHECKING:
    from phaseten.analysis.words import CoachWords

DECIMALS: Final = 5

Data = dict[str, Any]


def write_report(report: Report, words: CoachWords) -> Data:
    """What a game comes to, with its sentences in the language of the words."""
    return {
        "names": list(report.names),
        "winner": report.winner,
        "steps": report.steps,
        "players": [_player(player, words) for player in report.players],
        "turning_points": [
            {"step": each.step, "hand": each.hand, "seat": each.seat, "text": words.turn(each)}
            for each in report.turning_points
        ],
        "curve": [[point.step, point.hand, *_round(point.chances)] for point in report.curve],
    }


def _player(player: Player, words: CoachWords) -> Data:
    return {
        "seat": player.seat,
        "name": player.name,
        "start": _round1(player.start),
        "luck": _round1(player.luck),
        "play": _round1(player.play),
        "others": _round1(player.others),
        "result": _round1(player.result),
        "error": _round1(player.error),
        "accuracy": round(player.accuracy, 1),
        "decisions": player.decisions,
        "given_away": _round1(player.given_away),
        "par": _round1(player.par),
        "phases": [
            {"phase": phase, "decisions": share.decisions, "loss": _round1(share.loss)}
            for phase, share in player.phases
        ],
        "kinds": [
            {"kind": kind, "decisions": share.decisions, "loss": _round1(share.loss)}
            for kind, share in player.kinds
        ],
        "mistakes": [
            {**write_finding(each), "text": list(words.mistake(each))} for each in player.mistakes
        ],
    }


def write_findings(findings: Sequence[Finding]) -> list[Data]:
    """All findings."""
    return [write_finding(finding) for finding in findings]


def write_finding(finding: Finding) -> Data:
    """One finding."""
    match finding:
        case Decision():
            return {
                "find": "decision",
                "step": finding.step,
                "hand": finding.hand,
                "seat": finding.seat,
                "phase": finding.phase,
                "kind": finding.kind,
                "action": finding.action.text,
                "sharp": finding.sharp.text,
                "best": finding.best.text,
                "loss": _round1(finding.loss),
                "error": _round1(finding.error),
                "par": _round1(finding.par),
                "mistake": finding.is_mistake,
                "worlds": finding.worlds,
                "options": [
                    {
                        "action": option.action.text,
                        "chance": _round1(option.chance),
                        "error": _round1(option.error),
                        "behind": _round1(option.behind),
                        "doubt": _round1(option.doubt),
                    }
                    for option in finding.options
                ],
                "play": _round(finding.play),
                "luck": _round(finding.luck),
                "chances": _round(finding.chances),
            }
        case Fortune():
            return {
                "find": "fortune",
                "step": finding.step,
                "hand": finding.hand,
                "seat": finding.seat,
                "card": None if finding.card is None else finding.card.text,
                "luck": _round(finding.luck),
                "errors": _round(finding.errors),
                "chances": _round(finding.chances),
            }


def _round(values: Sequence[float]) -> list[float]:
    return [_round1(value) for value in values]


def _round1(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # no minus before a zero
