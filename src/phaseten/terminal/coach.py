"""The coach beside a replay: an analysis that works in the background and can be asked at any moment."""

from __future__ import annotations

from collections.abc import Iterator

from phaseten.analysis.coach import EFFORTS, Analysis
from phaseten.analysis.findings import Decision, Finding
from phaseten.analysis.report import Player, Report
from phaseten.analysis.walk import walk
from phaseten.analysis.words import CoachWords
from phaseten.language import CardText, Language
from phaseten.terminal.printer import Printer, table
from phaseten.terminal.replay import Replay


class ReplayCoach:
    """What the coach has found out about a game that is watched."""

    def __init__(self, replay: Replay, language: Language, card_text: CardText) -> None:
        self._analysis = Analysis(walk(replay.record, replay.find), EFFORTS["full"])
        self._words = CoachWords(self._analysis.game, language, card_text)
        self._plain = CoachWords(self._analysis.game, language)
        self._findings: dict[int, list[Finding]] = {}
        self._stopped = False

    @property
    def progress(self) -> float:
        """How much of the work is done, from 0 to 1."""
        return self._analysis.progress

    def work(self) -> Iterator[float]:
        """Do the work; yields how much is done, whenever there is something new to show."""
        shown = 0.0
        for finding in self._analysis:
            known = self._findings.get(finding.step, [])
            self._findings[finding.step] = [
                each for each in known if type(each) is not type(finding)
            ] + [finding]
            if self._stopped:
                return
            if self.progress > shown:
                shown = self.progress
                yield shown

    def stop(self) -> None:
        """Leave off."""
        self._stopped = True

    @property
    def mistakes(self) -> list[int]:
        """The steps of the mistakes found so far."""
        return sorted(
            step
            for step, found in self._findings.items()
            if any(isinstance(each, Decision) and each.is_mistake for each in found)
        )

    def comment(self, step: int) -> str:
        """Everybody's chance to win after a step, and a word on what was decided in it."""
        found = self._findings.get(step, [])
        parts = [self._chances(found)] if found else []
        for each in found:
            if isinstance(each, Decision) and each.is_mistake:
                parts += self._words.verdict(each)
        return " ".join(parts)

    def _chances(self, found: list[Finding]) -> str:
        names = self._analysis.game.names
        chances = found[-1].chances
        return " · ".join(
            f"{name} {self._words.percent(chance)}"
            for name, chance in zip(names, chances, strict=True)
        )

    def report(self, width: int) -> list[str]:
        """The report so far, in lines of that width."""
        printer = Printer(shapes=True, width=width)
        return [*report_lines(self._analysis.report(), self._plain, printer)]


def report_lines(report: Report, words: CoachWords, printer: Printer) -> Iterator[str]:
    """A report as lines of text."""
    yield from table(words.sums(report), printer.width)
    yield ""
    yield printer.wrap(words.say("about"))
    yield printer.wrap(words.say("par"))
    if report.winner is None:
        yield printer.wrap(words.say("unfinished"))
    yield ""
    yield printer.bold(words.say("turning_points"))
    for finding in report.turning_points:
        yield printer.wrap(words.turn(finding), indent="  ")
    if printer.shapes:
        yield ""
        yield printer.bold(words.say("curve"))
        longest = max(len(name) for name in report.names)
        for player in report.players:
            yield f"  {player.name:<{longest}}  {words.curve(report, player)}"
    for player in report.players:
        yield from _player_lines(player, words, printer)


def _player_lines(player: Player, words: CoachWords, printer: Printer) -> Iterator[str]:
    yield ""
    if player.mistakes:
        yield printer.bold(words.say("mistakes", player=player.name))
    else:
        yield words.say("no_mistakes", player=player.name)
    for decision in player.mistakes:
        first, *more = words.mistake(decision)
        yield printer.wrap(first, indent="  ")
        yield printer.wrap(" ".join(more), indent="    ")
    yield ""
    yield printer.bold(words.say("where", player=player.name))
    yield from [f"  {line}" for line in table(words.places(player), printer.width - 2)]
