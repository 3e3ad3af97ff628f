"""One game: fair cards, the same every time, and counted as the law counts."""

from collections import Counter
from collections.abc import Sequence

import pytest

from phaseten.arena.faults import ILLEGAL, Fault, FaultError
from phaseten.arena.gameplay import GameResult, GameTerms, derive_bot_seed, format_record, play_game
from phaseten.arena.tally import HandResult
from phaseten.bots.ladder import make_bot
from phaseten.notation.records import parse_record
from phaseten.notation.replay import follow
from phaseten.notation.verdict import judge_bytes
from phaseten.rules.actions import Action, DrawDeck, TakeDiscard
from phaseten.rules.cards import WILD
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    Event,
    HandDealt,
    HandScored,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    TurnLost,
)
from phaseten.rules.options import Rules, parse_variant
from phaseten.rules.views import View, legal_actions
from tests.arena.visitor import Visitor
from tests.effort import LONG


def terms(
    name: str = "classic",
    players: int = 2,
    seed: int = 5,
    variant: str = "standard",
    house: Sequence[str] = (),
) -> GameTerms:
    return GameTerms(Rules(edition(name), parse_variant(variant), frozenset(house)), players, seed)


def house_bots(at: GameTerms, deal: int, *names: str):
    seed = derive_bot_seed(at, deal)
    return [make_bot(names[seat % len(names)], seed=seed) for seat in range(at.players)]


def without_clock(game: GameResult) -> GameResult:
    return game._replace(seconds=())


def events_of(at: GameTerms, deal: int, actions: list[Action]) -> list[Event]:
    record = parse_record(format_record(at, [f"p{n}" for n in range(at.players)], deal, actions))
    return [event for step in follow(record) for event in step.events]


TABLES = [
    *[terms(name, players) for name in BOOK_EDITIONS for players in (2, 4)],
    terms("classic", 6),
    terms("express", 3, house=["choose_phase", "discard_to_go_out"]),
    terms("deluxe", 2, variant="ten-hands"),
    terms("classic", 3, variant="phases=3", house=["natural_per_meld", "no_rediscard"]),
]


@pytest.mark.parametrize("at", TABLES, ids=lambda at: f"{at.rules.edition.name}-{at.players}")
def test_the_counts_are_those_of_the_law(at: GameTerms) -> None:
    """Every figure of a hand is what a fold over the events of its record gives."""
    for deal in range(3 if LONG else 1):
        actions: list[Action] = []
        game = play_game(at, house_bots(at, deal, "sharp", "casual"), deal, actions=actions)
        events = events_of(at, deal, actions)
        assert _hands(at, events) == list(game.hands)
        verdict = judge_bytes(format_record(at, ["x"] * at.players, deal, actions).encode())
        assert verdict["ok"]
        assert verdict["winner"] == game.winner
        assert tuple(verdict["totals"].values()) == game.totals
        assert game.actions == len(actions) == sum(game.decisions)


def test_a_tie_break_hand() -> None:
    at = terms("classic", 4, variant="ten-hands,phases=3")

    def played(deal: int, actions: list[Action]) -> GameResult:
        return play_game(at, house_bots(at, deal, "sharp", "casual"), deal, actions=actions)

    deal = next(deal for deal in range(1000) if len(played(deal, []).hands) > 3)
    actions: list[Action] = []
    game = played(deal, actions)
    last = game.hands[-1]
    assert [hand.tiebreak for hand in game.hands] == [False, False, False, True]
    assert game.totals == tuple(
        sum(p) for p in zip(*(h.points for h in game.hands[:-1]), strict=True)
    )
    tied = [total == min(game.totals) for total in game.totals]
    assert sum(tied) > 1
    assert list(map(bool, last.turns)) == tied
    assert last.aimed == tuple(3 * plays for plays in tied)
    assert tied[last.first - 1]
    assert game.winner == last.out
    assert _hands(at, events_of(at, deal, actions)) == list(game.hands)


def _hands(at: GameTerms, events: Sequence[Event]) -> list[HandResult]:
    """The results of the hands, counted once more from the events alone."""
    hands: list[HandResult] = []
    left = [[phase.number for phase in at.rules.phases] for _ in range(at.players)]
    seats = range(1, at.players + 1)
    count: Counter[tuple[str, int]] = Counter()
    aimed: tuple[int, ...] = ()
    first = 0

    def row(what: str) -> tuple[int, ...]:
        return tuple(count[what, seat] for seat in seats)

    for event in events:
        match event:
            case HandDealt():
                first = event.players[0]
                count.clear()
                for seat in seats:
                    count["wilds", seat] = event.dealt_to(seat).count(WILD)
                aimed = tuple(_aim(at, event, left, seat) for seat in seats)
            case CardDrawn(seat, card) | DiscardTaken(seat, card):
                count["turns", seat] += 1
                count["wilds", seat] += card is WILD
            case NothingDrawn(seat):
                count["turns", seat] += 1
            case PhaseLaid(seat, phase):
                count["laid", seat] = count["turns", seat]
                count["made", seat] = phase
            case CardDiscarded(seat, _, target):
                count["skips", seat] += target is not None
            case TurnLost(seat):
                count["lost", seat] += 1
            case HandScored(_, out, points, made, tiebreak):
                scored = dict(points)

                hands.append(
                    HandResult(
                        first,
                        out or 0,
                        row("turns"),
                        tuple(scored.get(seat, 0) for seat in seats),
                        row("made"),
                        aimed,
                        row("laid"),
                        row("wilds"),
                        row("skips"),
                        row("lost"),
                        tiebreak,
                    )
                )
                for seat in seats:
                    _move_on(at, left[seat - 1], dict(made).get(seat, 0))
            case _:
                pass
    return hands


def _aim(at: GameTerms, event: HandDealt, left: list[list[int]], seat: int) -> int:
    if seat not in event.players or (at.rules.choose_phase and not event.tiebreak):
        return 0
    return at.rules.phases[-1].number if event.tiebreak else left[seat - 1][0]


def _move_on(at: GameTerms, left: list[int], made: int) -> None:
    if at.rules.variant.ten_hands:
        del left[:1]
    elif made in left:
        left.remove(made)


def test_the_same_deal_has_the_same_decks_whatever_happens() -> None:
    at = terms(players=4)
    decks: list[dict[int, tuple[object, ...]]] = []
    for names in (("sharp", "rookie"), ("casual", "sharp"), ("rookie", "casual")):
        actions: list[Action] = []
        play_game(at, house_bots(at, 3, *names), 3, actions=actions)
        dealt = [e for e in events_of(at, 3, actions) if isinstance(e, HandDealt)]
        decks.append({event.hand: event.order for event in dealt})
    shared = set(decks[0]) & set(decks[1]) & set(decks[2])
    assert len(shared) >= 10
    for hand in shared:
        assert decks[0][hand] == decks[1][hand] == decks[2][hand]
    assert len(set(decks[0].values())) == len(decks[0])


def test_other_deals_and_seeds_have_other_decks() -> None:
    results = {
        (seed, deal): play_game(at, house_bots(at, deal, "sharp"), deal).hands
        for seed in (1, 2)
        for at in [terms(seed=seed)]
        for deal in (0, 1)
    }
    assert len(set(results.values())) == 4


def test_a_game_can_be_repeated() -> None:
    at = terms("express", 4)
    games = [
        without_clock(play_game(at, house_bots(at, 2, "rookie", "sharp"), 2)) for _ in range(2)
    ]
    assert games[0] == games[1]
    assert games[0].winner is not None


def test_exchanging_equal_bots_changes_nothing() -> None:
    at = terms()
    for deal in range(5):
        one = play_game(at, house_bots(at, deal, "rookie"), deal)
        other = play_game(at, house_bots(at, deal, "rookie")[::-1], deal)
        assert without_clock(one) == without_clock(other)


def test_reshuffles_come_from_the_seeds_too() -> None:
    """In a small deck the draw pile runs out, and the record still agrees with its seeds."""
    at = terms("express", 6)
    reshuffled = 0
    for deal in range(6):
        actions: list[Action] = []
        game = play_game(at, house_bots(at, deal, "rookie"), deal, actions=actions)
        events = events_of(at, deal, actions)
        reshuffled += sum(isinstance(event, PileReshuffled) for event in events)
        assert _hands(at, events) == list(game.hands)
    assert reshuffled > 5


class Swapper:
    """Takes the top card and throws it back, for ever."""

    name = "swapper"

    def choose(self, view: View) -> Action:
        legal = legal_actions(view)
        if TakeDiscard() in legal:
            return TakeDiscard()
        if DrawDeck() in legal:
            return DrawDeck()
        assert view.board is not None
        return next((a for a in legal if getattr(a, "card", None) is view.board.taken), legal[-1])


def test_an_endless_hand_is_given_up() -> None:
    endless = terms(house=["endless_hands"])
    game = play_game(endless, [Swapper(), Swapper()], 0, most_actions=300)
    assert game.winner is None
    assert game.fault is None
    assert game.hands == ()
    assert 300 <= game.actions < 310


def test_hands_that_stand_still_end_and_after_three_of_them_the_game_is_given_up() -> None:
    game = play_game(terms(), [Swapper(), Swapper()], 0)
    assert game.winner is None
    assert game.fault is None
    assert [hand.out for hand in game.hands] == [0, 0, 0]
    assert [sum(hand.turns) for hand in game.hands] == [100, 100, 100]
    assert all(sum(hand.points) > 0 for hand in game.hands)


def test_a_guest_plays_as_the_same_bot_of_the_house_does() -> None:
    class ClassBot:
        """No fast way in: everything goes through views and the law."""

        name = "guest"

        def __init__(self, seed: int) -> None:
            self._bot = make_bot("sharp", seed=seed)

        def choose(self, view: View) -> Action:
            return self._bot.choose(view)

    for at in (terms(players=3), terms("anniversary", 2), terms("express", 4)):
        seed = derive_bot_seed(at, 1)
        inside = play_game(at, house_bots(at, 1, "sharp"), 1)
        outside = play_game(at, [ClassBot(seed) for _ in range(at.players)], 1)
        assert without_clock(inside) == without_clock(outside)


def test_a_guest_sees_the_hands_before() -> None:
    seen: list[tuple[int, tuple[int, ...]]] = []

    class Watcher(Visitor):
        def choose(self, view: View) -> Action:
            assert view.board is not None
            assert view.seat == 2
            scored = view.sheet.hands
            assert [hand.hand for hand in scored] == list(range(1, view.board.hand))
            sums = [sum(dict(hand.points)[seat] for hand in scored) for seat in (1, 2)]
            seen.append((view.board.hand, tuple(sums)))
            assert tuple(sums) == view.sheet.totals or view.sheet.tied
            return super().choose(view)

    at = terms()
    game = play_game(at, [make_bot("casual"), Watcher()], 0)
    assert game.winner is not None
    assert max(hand for hand, _ in seen) == len(game.hands)


def test_an_illegal_action_forfeits_the_game() -> None:
    class Cheat(Visitor):
        def choose(self, view: View) -> Action:
            board = view.board
            assert board is not None
            return DrawDeck() if board.hand == 2 else super().choose(view)

    game = play_game(terms(), [make_bot("casual"), Cheat()], 0)
    assert game.winner is None
    assert game.fault is not None
    assert game.fault.seat == 2
    assert game.fault.kind == ILLEGAL
    assert game.fault.sentence.startswith("D is not legal: ")
    assert "(T-DRAW)" in game.fault.sentence
    assert len(game.hands) == 1


class Listening(Visitor):
    """Writes down what it is told."""

    def __init__(self, *, gives_up: bool = False) -> None:
        self.heard: list[object] = []
        self._gives_up = gives_up

    def choose(self, view: View) -> Action:
        if self._gives_up:
            raise FaultError("late", "too slow")
        return super().choose(view)

    def game_begins(self, terms: GameTerms, seat: int, seed: int) -> None:
        self.heard.append((terms, seat, seed))

    def hand_ends(self, view: View) -> None:
        assert view.board is None
        self.heard.append(view.sheet.hands[-1].hand)

    def game_ends(self, winner: int | None, fault: Fault | None) -> None:
        self.heard.append((winner, fault))


def test_listeners_are_told() -> None:
    at = terms()
    ear = Listening()
    game = play_game(at, [make_bot("casual"), ear], 7)
    hands = len(game.hands)
    assert ear.heard == [(at, 2, derive_bot_seed(at, 7)), *range(1, hands + 1), (game.winner, None)]


def test_a_fault_raised_by_a_bot_is_kept_and_told() -> None:
    ear = Listening()
    game = play_game(terms(players=3), [ear, Listening(gives_up=True), make_bot("sharp")], 0)
    assert game.fault == Fault(2, "late", "too slow")
    assert game.winner is None
    assert ear.heard[-1] == (None, game.fault)


def test_as_many_bots_as_seats() -> None:
    with pytest.raises(ValueError, match="3 seats need 3 bots, not 2"):
        play_game(terms(players=3), [make_bot("sharp"), make_bot("sharp")], 0)
