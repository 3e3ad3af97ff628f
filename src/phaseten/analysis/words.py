"""The report in words, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from phaseten.analysis.findings import Decision, Finding, Fortune
from phaseten.analysis.report import Player, Report
from phaseten.analysis.walk import Move, Walk
from phaseten.bots.reasons import recommend
from phaseten.language import CardText, Language
from phaseten.language.speech import capital
from phaseten.rules.actions import Action
from phaseten.rules.events import CardDiscarded, PhaseLaid
from phaseten.rules.views import View, view_of

LEVELS = "▁▂▃▄▅▆▇█"
MINUS = "\N{MINUS SIGN}"


class CoachWords:
    """Says what was found in one game."""

    def __init__(self, game: Walk, language: Language, card_text: CardText | None = None) -> None:
        self._game = game
        self._language = language
        self._card_text = card_text
        self._moves = {move.step: move for hand in game.hands for move in hand.moves}

    def say(self, name: str, **values: object) -> str:
        """A sentence of the coach."""
        return self._language.say(f"coach.{name}", **values)

    # -- numbers -------------------------------------------------------------------------------

    def percent(self, part: float, *, sign: bool = False) -> str:
        """A part of a game in percent, such as ``12.3 %``."""
        return self.say("percent", value=number(part, sign=sign))

    def loss(self, decision: Decision) -> str:
        """What a decision gave away, with its error."""
        return self.say("amount", value=number(decision.loss), error=number(decision.error))

    # -- the report ----------------------------------------------------------------------------

    def sums(self, report: Report) -> list[list[str]]:
        """Luck and play of everybody, as the rows of a table."""
        players = report.players
        rows = [["", *[player.name for player in players]]]
        for name, signed in (("start", 0), ("luck", 1), ("play", 1), ("others", 1), ("result", 0)):
            cells = [self._cell(player, name, signed=bool(signed)) for player in players]
            rows.append([self.say(name), *cells])
        rows.append([self.say("accuracy"), *[f"{player.accuracy:.0f}" for player in players]])
        rows.append(
            [self.say("given_away"), *[self.percent(max(p.given_away, 0.0)) for p in players]]
        )
        rows.append([self.say("sharp_gives"), *[self.percent(max(p.par, 0.0)) for p in players]])
        rows.append([self.say("decisions"), *[str(player.decisions) for player in players]])
        return rows

    def _cell(self, player: Player, name: str, *, signed: bool) -> str:
        value: float = getattr(player, name)
        return self.percent(value, sign=signed)

    def places(self, player: Player) -> list[list[str]]:
        """Where a player gave something away, as the rows of a table."""
        shares = [
            *[(self._language.phase_title(phase), share) for phase, share in player.phases],
            *[(self.say(f"kind.{kind}"), share) for kind, share in player.kinds],
        ]
        heading = ["", self.say("decisions"), self.say("given_away")]
        return [
            heading,
            *[
                [name, str(share.decisions), self.percent(max(share.loss, 0.0))]
                for name, share in shares
            ],
        ]

    def curve(self, report: Report, player: Player) -> str:
        """A player's chance to win after every hand, as a row of blocks."""
        ends: dict[int, float] = {}
        for point in report.curve:
            ends[point.hand] = point.chances[player.seat - 1]
        chances = [player.start, *ends.values()]
        return "".join(
            LEVELS[min(int(chance * len(LEVELS)), len(LEVELS) - 1)] for chance in chances
        )

    def mistake(self, decision: Decision) -> Iterator[str]:
        """What would have been better, and why."""
        yield self.say(
            "mistake.played",
            hand=decision.hand,
            step=decision.step,
            played=self.action(decision, decision.action),
        )
        better = self.action(decision, decision.best)
        yield self.say("mistake.better", better=better, loss=self.loss(decision))
        yield from self.reasons(decision)

    def reasons(self, decision: Decision) -> list[str]:
        """Why the best action of a decision is better."""
        names = self._game.names
        found = [
            self._language.reason(reason, names, self._card_text)
            for reason in recommend(self.view(decision), decision.best)
        ]
        return found or [self.say("mistake.tried", worlds=decision.worlds)]

    def verdict(self, decision: Decision | None) -> list[str]:
        """A quiet word on one decision."""
        if decision is None:
            return [self.say("verdict.forced")]
        if not decision.is_mistake:
            return [self.say("verdict.good")]
        better = self.action(decision, decision.best)
        return [
            self.say("verdict.small", loss=self.loss(decision), better=better),
            *self.reasons(decision),
        ]

    def view(self, decision: Decision) -> View:
        """What the player knew who decided."""
        return view_of(self._moves[decision.step].before, decision.seat)

    def action(self, decision: Decision, action: Action) -> str:
        """An action in words: ``discard a red 5``."""
        view = self.view(decision)
        return self._language.action(action, view, self._game.names, self._card_text)

    # -- turning points ------------------------------------------------------------------------

    def turn(self, finding: Finding) -> str:
        """A turning point in one sentence."""
        match finding:
            case Decision():
                return self._decided(finding)
            case Fortune():
                return self._came(finding)
            case _:
                assert_never(finding)

    def _decided(self, decision: Decision) -> str:
        seat = decision.seat - 1
        amount = decision.play[seat] + decision.luck[seat]
        values = {
            "hand": decision.hand,
            "player": self._game.names[seat],
            "played": self.action(decision, decision.action),
            "amount": self.percent(amount, sign=True),
        }
        if decision.is_mistake and -decision.play[seat] > abs(decision.luck[seat]):
            return self.say("turn.choice", better=self.action(decision, decision.best), **values)
        return self.say("turn.hidden", **values)

    def _came(self, fortune: Fortune) -> str:
        lucky = max(range(self._game.seats), key=lambda seat: fortune.luck[seat])
        seat = lucky if fortune.seat is None or fortune.card is None else fortune.seat - 1
        amount = self.percent(fortune.luck[seat], sign=True)
        player = self._game.names[seat]
        if fortune.seat is None:
            return self.say("turn.deal", hand=fortune.hand, player=player, amount=amount)
        if fortune.card is None:
            return self.say("turn.end", hand=fortune.hand, player=player, amount=amount)
        card = self._language.a_card(fortune.card, self._card_text)
        values = {"hand": fortune.hand, "player": player, "card": card, "amount": amount}
        if fortune.luck[seat] < 0:
            return self.say("turn.draw_bad", **values)
        move = self._moves[fortune.step]
        for later in self._rest_of_turn(move):
            laid = next((each for each in later.events if isinstance(each, PhaseLaid)), None)
            if later.after.board is None:
                return self.say("turn.draw_out", **values)
            if laid is not None:
                return self.say("turn.draw_lay", phase=laid.phase, **values)
        return self.say("turn.draw_good", **values)

    def _rest_of_turn(self, move: Move) -> Iterator[Move]:
        """What its player did until the discard."""
        step = move.step + 1
        while (later := self._moves.get(step)) is not None and later.seat == move.seat:
            yield later
            if any(isinstance(event, CardDiscarded) for event in later.events):
                return
            step += 1


def number(part: float, *, sign: bool = False) -> str:
    """A part of a game as a number of percent."""
    text = f"{100 * part:+.1f}" if sign else f"{100 * part:.1f}"
    if text.strip("+-") == "0.0":
        return "0.0"
    return text.replace("-", MINUS)


def sentences(texts: Sequence[str]) -> str:
    """Sentences in a row, each with its capital letter."""
    return " ".join(capital(text) for text in texts)
