"""What a person does in a turn: draw, lay, hit, discard; with a question where it is needed."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import TypeVar

from textual.content import Content

from phaseten.game import IllegalMoveError
from phaseten.rules.actions import Action, Discard, Hit, LayPhase, TakeDiscard
from phaseten.rules.cards import SKIP, Card
from phaseten.rules.events import Event, HandDealt
from phaseten.rules.needs import needs_of
from phaseten.rules.state import DRAW
from phaseten.rules.views import View
from phaseten.terminal.card_faces import card_text, chips, with_cards
from phaseten.terminal.lay_downs import ways_to_choose_from, ways_with_chosen
from phaseten.terminal.possible_actions import discards_of, draw_of, hits_on, hits_with
from phaseten.terminal.screens.question import Question
from phaseten.terminal.screens.table_display import TableDisplay
from phaseten.terminal.widgets.seats import MeldStrip

T = TypeVar("T")


class PlayerActions(TableDisplay):
    """The moves of people. Whatever is not legal is left to the referee, who says why."""

    def _start(self, doing: Coroutine[None, None, object]) -> None:
        """Do something in the background, since it may ask the player; or, out of turn, nothing."""
        if self._my_turn:
            self.run_worker(doing, group="doing", exclusive=True)
        else:
            doing.close()
            self._out_of_turn()

    def _out_of_turn(self) -> None:
        """Somebody wants to act while others play."""
        raise NotImplementedError

    def _moved(self, view: View, event: Event) -> None:
        """The person who knew that much has made a move; this followed first."""
        raise NotImplementedError

    async def _turn_over(self, events: Sequence[Event]) -> None:
        """The person's turn has ended with these events."""
        raise NotImplementedError

    async def _play(self, action: Action) -> bool:
        """Play an action, or say why not; whether the turn goes on."""
        view = self._view
        try:
            events = self._session.play(action)
        except IllegalMoveError as error:
            await self._refuse(error.refusal)
            return False
        self._forget()
        self._moved(view, events[0])
        self._cards.choose_nothing()
        dealt = any(isinstance(event, HandDealt) for event in self._session.new_events)
        if self._session.turn == self._eyes and not dealt:
            await self._show()
            return True
        await self._turn_over(events)
        return False

    async def _ask(self, question: str, answers: Sequence[tuple[Content, T]]) -> T | None:
        return await self.game_app.push_screen_wait(Question(self.say(question), answers))

    # -- drawing -------------------------------------------------------------------------------

    async def _draw(self) -> None:
        await self._play(draw_of(self._view))

    async def _take(self) -> None:
        await self._play(TakeDiscard())

    # -- laying --------------------------------------------------------------------------------

    async def _lay(self) -> None:
        """Lay the chosen cards; without any, in one of the ways there are."""
        view, board, chosen = self._view, self._view.board, self._cards.chosen
        if board is None or board.step == DRAW or board.made[board.turn - 1]:
            await self._play(LayPhase(()))  # refused, with the reason
            return
        ways = ways_with_chosen(view, chosen) if chosen else ways_to_choose_from(view)
        if not ways:
            missing = min(need.missing for need in needs_of(view))
            self._object(self.say("cannot_lay", count=missing))
            return
        way = ways[0] if len(ways) == 1 else await self._ask("ask.way", self._in_words(ways))
        if way is not None:
            await self._play(way)

    def _in_words(self, ways: Sequence[LayPhase]) -> list[tuple[Content, LayPhase]]:
        answers: list[tuple[Content, LayPhase]] = []
        for way in ways:
            phase = f"{self.language.phase_title(way.phase)}  " if way.phase else ""
            melds = Content("  ").join(chips(row) for row in way.melds)
            answers.append((Content.assemble(phase, melds), way))
        return answers

    # -- discarding ----------------------------------------------------------------------------

    async def _discard(self, cards: Sequence[Card]) -> None:
        """Discard the one card that is chosen. A Skip always asks whom."""
        if len(cards) != 1:
            self._object(self.say("choose_one"))
            return
        card = cards[0]
        ways = discards_of(self._view, card)
        if card is not SKIP or not ways:
            await self._play(Discard(card))
            return
        way = await self._ask("ask.skip", [(Content(self._target(way)), way) for way in ways])
        if way is not None:
            await self._play(way)

    def _target(self, way: Discard) -> str:
        """Whom a discarded Skip hits."""
        board = self._view.board
        if way.target is None or board is None:
            return self.say("skip_nobody")
        cards = self.language.say("game.cards", count=board.counts[way.target - 1])
        return f"{self._names[way.target - 1]} ({cards})"

    async def _skip(self, seat: int) -> None:
        await self._play(Discard(SKIP, seat))

    async def _act_with(self, card: Card) -> None:
        """The one thing that can be done with a card, or a question which."""
        view = self._view
        hits = hits_with(view, card)
        if not hits:
            await self._discard((card,))
            return
        actions: list[Action] = [*hits, *discards_of(view, card)]
        words = [self.language.action(each, view, self._names, card_text) for each in actions]
        answers = list(zip(map(with_cards, words), actions, strict=True))
        action = await self._ask("ask.card", answers)
        if action is not None:
            await self._play(action)

    # -- adding to melds -----------------------------------------------------------------------

    async def _hit(self, strip: MeldStrip) -> None:
        """Add the chosen cards to a meld: one after the other, or a whole pair."""
        place = (strip.owner, strip.number)
        chosen = list(self._cards.chosen)
        if not chosen:
            await self._hit_with_any(*place)
        elif strip.meld.group.kind.copies > 1:
            await self._hit_with(chosen, *place)
        else:
            while chosen:
                fitting = [card for card in chosen if hits_on(self._view, *place, (card,))]
                card = fitting[0] if fitting else chosen[0]
                chosen.remove(card)
                if not await self._hit_with((card,), *place):
                    return

    async def _hit_with(self, cards: Sequence[Card], owner: int, number: int) -> bool:
        """Add these cards; a Wild asks for its end. Whether the turn goes on."""
        hits = hits_on(self._view, owner, number, cards)
        if not hits:
            return await self._play(Hit(tuple(cards), owner, number))  # refused, with the reason
        hit = hits[0]
        if len(hits) > 1:
            answer = await self._ask("ask.end", [(chips(each.cards), each) for each in hits])
            if answer is None:
                return False
            hit = answer
        return await self._play(hit)

    async def _hit_with_any(self, owner: int, number: int) -> None:
        """Nothing is chosen: add what fits, or ask which."""
        view, board = self._view, self._view.board
        hits = hits_on(view, owner, number)
        if hits:
            answers = [(chips(each.cards), each) for each in hits]
            hit = hits[0] if len(hits) == 1 else await self._ask("ask.hit", answers)
            if hit is not None:
                await self._play(hit)
        elif board is None or board.step == DRAW or not board.made[board.turn - 1]:
            await self._play(Hit(view.held[:1], owner, number))  # refused, with the reason
        else:
            self._object(self.say("nothing_fits"))
