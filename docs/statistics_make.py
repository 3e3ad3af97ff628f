"""Plays the games of docs/statistics.md and writes its figures, sentences and pictures.

Run with the Python of the virtual environment: .venv/bin/python docs/statistics_make.py
The text around the markers is written by hand; what is between them is made here.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from phaseten.arena.intervals import Estimate
from phaseten.arena.statistics import LAID_ON, MADE, MADE_BY_WILDS, TOPICS
from phaseten.cli.figures import Sample, cell, draw, for_documents
from phaseten.cli.options import count_processors
from phaseten.cli.stats import combine_settings, play
from phaseten.language import language

HERE = Path(__file__).parent
SEED = 1
ENGLISH = language("en")
FIGURES = {each.name: each for topic in TOPICS.values() for each in topic}


class Study:
    """Samples that can be looked up, and quoted."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples

    def one(self, edition: str, players: int) -> Sample:
        return next(
            sample
            for sample in self.samples
            if (sample.setting.rules.edition.name, sample.setting.players) == (edition, players)
        )

    def at(self, players: int) -> list[Sample]:
        return [sample for sample in self.samples if sample.setting.players == players]

    def of(self, edition: str) -> list[Sample]:
        return [s for s in self.samples if s.setting.rules.edition.name == edition]

    def says(self, name: str, edition: str = "classic", players: int = 4) -> str:
        return cell(self.one(edition, players), FIGURES[name])

    def known(self, name: str, edition: str = "classic", players: int = 4) -> Estimate:
        figure = self.one(edition, players).statistics.figure(FIGURES[name])
        assert figure is not None
        return figure


def learned(study: Study, variations: Study) -> str:
    """What the figures say, in sentences that follow the figures."""
    return "\n".join(
        f"{number}. {sentence}"
        for number, sentence in enumerate(
            (
                _about_games(study),
                _about_hands(study),
                _about_phases(study, "classic"),
                _about_phases(study, "express"),
                _about_the_same_phase(variations),
                _about_sitting_first(study),
                _about_one_wild(study),
                _about_most_wilds(study),
                _about_skips(study),
                _about_points(study),
                _about_endings(study),
                _about_editions(study),
            ),
            1,
        )
    )


def _about_games(study: Study) -> str:
    return (
        f"**Company makes the game longer.** Classic takes {study.says('hands', players=2)} hands "
        f"with two players, {study.says('hands')} with four and {study.says('hands', players=6)} "
        f"with six; Express {study.says('hands', 'express', 2)}, {study.says('hands', 'express')} "
        f"and {study.says('hands', 'express', 6)}."
    )


def _about_hands(study: Study) -> str:
    return (
        "**But the hands get shorter**, with more players who can end them: "
        f"{study.says('turns', players=2)} turns per player with two, {study.says('turns')} with "
        f"four, {study.says('turns', players=6)} with six. So fewer make their Phase: "
        f"{study.says('phases_made', players=2)}, {study.says('phases_made')} and "
        f"{study.says('phases_made', players=6)} of the players in a hand."
    )


def _about_phases(study: Study, edition: str) -> str:
    sample = study.one(edition, 4)
    rules = sample.setting.rules
    order = _by_ease(sample)
    easiest, hardest = order[0], order[-1]
    return (
        f"**The hardest Phase of {rules.edition.title} is {hardest}** "
        f"({ENGLISH.phase(rules.by_number[hardest])}): with four players it is made in "
        f"{cell(sample, MADE, hardest)} of the attempts, on turn {cell(sample, LAID_ON, hardest)}; "
        f"the easiest is {easiest} ({ENGLISH.phase(rules.by_number[easiest])}), "
        f"{cell(sample, MADE, easiest)} on turn {cell(sample, LAID_ON, easiest)}. "
        f"From easy to hard: {ENGLISH.listed([str(phase) for phase in order])} (neighbours may be within "
        "each other's error)."
    )


def _about_the_same_phase(variations: Study) -> str:
    sample = next(one for one in variations.samples if one.setting.rules.variant.ten_hands)
    order = _by_ease(sample)
    return (
        "**It matters what the others are trying.** A hand ends when the quickest is out, and a "
        "Phase of many cards leaves whoever makes it nearly out. In the variation of ten hands all "
        f"try the same Phase in the same hand; then the hardest of Classic is {order[-1]} "
        f"({cell(sample, MADE, order[-1])} made), and from easy to hard they are "
        f"{ENGLISH.listed([str(phase) for phase in order])}."
    )


def _by_ease(sample: Sample) -> list[int]:
    """The Phases, those made most often first."""
    shares = {
        phase: figure.value
        for phase in sample.statistics.phases
        if (figure := sample.statistics.figure(MADE, phase))
    }
    return sorted(shares, key=lambda phase: -shares[phase])


def _about_sitting_first(study: Study) -> str:
    return (
        "**Who begins a hand goes out more often than the fair share**: "
        f"by {study.says('first_out', players=2)} with two players, {study.says('first_out')} with "
        f"four and {study.says('first_out', players=6)} with six in Classic, and by "
        f"{study.says('first_out', 'express')} with four in Express. The start goes "
        "round; over the whole game, who begins its first hand wins "
        f"{study.says('first_wins', players=2)}, {study.says('first_wins')} and "
        f"{study.says('first_wins', players=6)} above the fair share, which "
        f"{_verdict([study.known('first_wins', players=players) for players in (2, 4, 6)])}."
    )


def _verdict(figures: Sequence[Estimate]) -> str:
    shown = sum(figure.low > 0 or figure.high < 0 for figure in figures)
    if not shown:
        return "so many games cannot tell from nothing"
    return "is more than chance" if shown == len(figures) else "is hardly more than chance"


def _about_one_wild(study: Study) -> str:
    classic = study.one("classic", 4)
    chances = [cell(classic, MADE_BY_WILDS, wilds) for wilds in range(4)]
    return (
        "**A Wild is worth a lot.** Of four players in Classic, one without a Wild makes the Phase "
        f"in {chances[0]} of the hands, with one in {chances[1]}, with two in {chances[2]}, with "
        f"three in {chances[3]}. (Part of it is that longer hands bring more Wilds.)"
    )


def _about_most_wilds(study: Study) -> str:
    return (
        "**Wilds decide hands, and games.** Whoever got the most of them goes out "
        f"{study.says('wilds_decide', players=2)} more often than by chance with two players, "
        f"{study.says('wilds_decide')} with four, {study.says('wilds_decide', players=6)} with six: "
        "so many hands in a hundred go to the luckier one. And whoever got the most in the whole "
        f"game wins it {study.says('wilds_decide_games', players=2)}, "
        f"{study.says('wilds_decide_games')} and {study.says('wilds_decide_games', players=6)} "
        "above the fair share."
    )


def _about_skips(study: Study) -> str:
    return (
        f"**Skips decide less.** {study.says('skips_used')} are used in a hand of four. With two "
        "players a Skip is another turn, and whoever used more of them goes out "
        f"{study.says('skips_decide', players=2)} above the fair share; with four it is "
        f"{study.says('skips_decide')} and with six {study.says('skips_decide', players=6)}, "
        "perhaps because a Skip hurts one of several, and fits no Phase of the one who drew it."
    )


def _about_points(study: Study) -> str:
    return (
        f"**A hand costs** {study.says('points')} points per player with four in Classic, "
        f"{study.says('caught_points')} if one is not the one who goes out; the winner ends with "
        f"{study.says('winner_points', players=2)}, {study.says('winner_points')} or "
        f"{study.says('winner_points', players=6)} points with two, four or six players."
    )


def _about_endings(study: Study) -> str:
    return (
        f"**Ties are rare, and so are hands that do not end.** A tie-break is needed in "
        f"{study.says('tie_breaks')} of the games of four in Classic and "
        f"{study.says('tie_breaks', 'express')} in Express. When every card that could still be "
        "hit lies on the table already, nobody can ever go out; in Express, with four cards of a "
        "number and three Wilds, that happens, and the hand ends as one that stands still (H-DEAD): "
        f"{study.says('stood_still', 'express', 2)}, {study.says('stood_still', 'express')} and "
        f"{study.says('stood_still', 'express', 6)} of the hands with two, four and six players, in "
        f"Classic with four {study.says('stood_still')}."
    )


def _about_editions(study: Study) -> str:
    assert study.one("deluxe", 4).statistics == study.one("classic", 4).statistics
    return (
        "**The four large editions are one game.** Deluxe plays by the rules of Classic, and the "
        "same decks give the same figures to the last digit. El Chavo differs in Phase 10 only "
        f"({cell(study.one('elchavo', 4), MADE, 10)} made, against "
        f"{cell(study.one('classic', 4), MADE, 10)}), Anniversary in where a Skip lies and how "
        f"often one may be skipped ({study.says('turns_lost', 'anniversary')} turns lost in a hand, "
        f"against {study.says('turns_lost')})."
    )


def splice(text: str, parts: dict[str, str]) -> str:
    """The text with each part between its markers."""
    for name, content in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        pattern = re.escape(begin) + ".*?" + re.escape(end)
        replacement = f"{begin}\n{content.strip()}\n{end}"
        text, count = re.subn(pattern, lambda _, new=replacement: new, text, flags=re.DOTALL)
        assert count == 1, f"the markers of {name!r} are not there"
    return text


def make(folder: Path, games: int, workers: int) -> None:
    """Play everything, and write the document and its pictures."""
    half = max(2, games // 2)
    asked = {
        "figures": (combine_settings("all", "2,4,6", ["standard"], "sharp"), games),
        "variations": (
            combine_settings(
                "classic", "4", ["standard", "ten-hands", "even", "phases=5"], "sharp"
            ),
            half,
        ),
        "bots": (combine_settings("classic", "4", ["standard"], "rookie,casual,sharp"), half),
    }
    found = {
        name: Study(play(settings, count, seed=SEED, workers=workers)[0])
        for name, (settings, count) in asked.items()
    }
    everything = found["figures"]
    parts = {name: for_documents(study.samples) for name, study in found.items()}
    parts["learned"] = learned(everything, found["variations"])
    document = folder / "statistics.md"
    document.write_text(splice(document.read_text("utf-8"), parts), "utf-8")
    drawn = {
        "hands": draw("hands", everything.samples),
        "first-out": draw("first-out", everything.samples),
        "wilds-out": draw("wilds-out", everything.samples),
        "skips-out": draw("skips-out", everything.samples),
        "editions-made": draw("phases-made", everything.at(4)),
        "editions-turn": draw("phases-turn", everything.at(4)),
        "classic-made": draw("phases-made", everything.of("classic")),
        "express-made": draw("phases-made", everything.of("express")),
        "classic-wilds": draw("wilds-made", everything.of("classic")),
        "bots-turn": draw("phases-turn", found["bots"].samples),
    }
    for name, picture in drawn.items():
        (folder / "images" / f"statistics-{name}.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3000, help="games of each setting")
    parser.add_argument("--workers", type=int, default=count_processors())
    parser.add_argument("--folder", type=Path, default=HERE, help="where statistics.md is")
    chosen = parser.parse_args()
    make(chosen.folder, chosen.games, chosen.workers)
