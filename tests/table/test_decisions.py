"""What people at a table may do, without a server."""

import random

import pytest

from phaseten.rules.actions import Discard, DrawDeck, TakeDiscard
from phaseten.rules.cards import parse_cards
from phaseten.rules.events import HandDealt
from phaseten.rules.shuffle import commitment, seeded
from phaseten.server.store.codec import read_events
from phaseten.table.characters import FACES
from phaseten.table.commands import (
    AddSeed,
    AskHint,
    AskReasons,
    CallOff,
    CallRematch,
    ChangeOptions,
    ClaimHost,
    ClearSeat,
    Command,
    DealHand,
    LeaveSeat,
    PassHost,
    PauseGame,
    Play,
    React,
    ResumeGame,
    Say,
    SeatBot,
    SeatStandIn,
    StartGame,
    SwitchChat,
    TakeSeat,
    TakeSeatBack,
    Undo,
)
from phaseten.table.decisions import MOST_CHANGES, MOST_GAMES, MOST_TALK, check_question, decide
from phaseten.table.duties import (
    next_duty,
)
from phaseten.table.events import (
    FaceChosen,
    GameCalledOff,
    HostChanged,
    PlayerRenamed,
    SeatMoved,
    SeatOwned,
    SeatTaken,
    SeedRevealed,
)
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import MOST_SEATINGS
from phaseten.table.verdicts import TableRefusal
from tests.table.sitting import SEED, Sitting, sitting_of_two


def test_everybody_has_a_face_and_people_choose_theirs() -> None:
    sitting = Sitting(Options(seats=3))
    assert sitting.table.places[0].face == ""
    events = sitting.ask("ana", TakeSeat(1, "Ana", "bear"))
    assert events[-2:] == (FaceChosen(1, "bear"), HostChanged("Ana", 1))
    assert sitting.refused("beto", TakeSeat(2, "Beto", "dragon")) == "bad-face"
    sitting.ask("beto", TakeSeat(2, "Beto"))
    assert sitting.table.places[1].face == FACES[2], "the seat's own one is Ana's"
    assert sitting.ask("beto", TakeSeat(2, "Beto", "moon")) == (FaceChosen(2, "moon"),)
    assert sitting.refused("beto", TakeSeat(2, "Beto", "moon")) == "already-seated"
    sitting.start()
    faces = [place.face for place in sitting.table.places]
    assert faces[:2] == ["bear", "moon"]
    assert faces[2] in set(FACES) - {"bear", "moon"}


def test_a_hand_that_is_over_lies_open_until_the_next_one_is_dealt() -> None:
    sitting = sitting_of_two(Options(edition="express", seats=2, pace=100))
    sitting.start()
    rng = random.Random(3)
    while sitting.table.turn is not None:
        assert sitting.table.ended is None
        sitting.act(rng)
    ended = sitting.table.ended
    assert ended is not None
    assert sitting.table.game is not None
    scored = sitting.table.game.sheet.hands[-1]
    for seat, points in scored.points:
        held = ended.held[seat - 1]
        assert len(held) == ended.board.counts[seat - 1]
        assert (points == 0) == (not held), "what counts is what is shown"
    sitting.ask("ana", DealHand())
    assert sitting.table.ended is None


def test_who_sits_where() -> None:
    sitting = Sitting()
    events = sitting.ask("beto", TakeSeat(2, "  Beto  B. "))
    assert events == (SeatTaken(2, "Beto B."), SeatOwned(2, "beto"))
    assert sitting.table.seat_of("beto") == 2
    assert sitting.refused("beto", TakeSeat(2, "Beto B.")) == "already-seated"
    assert sitting.refused("cleo", TakeSeat(2, "Cleo")) == "seat-taken"
    assert sitting.refused("cleo", TakeSeat(9, "Cleo")) == "no-such-seat"
    assert sitting.refused("cleo", TakeSeat(0, "Cleo")) == "no-such-seat"
    assert sitting.refused("cleo", TakeSeat(3, "Beto B.")) == "name-taken"
    for name in ("", " ", "x" * 25, "a\u202eb"):
        assert sitting.refused("cleo", TakeSeat(3, name)) in ("bad-name", "invisible")
    sitting.ask("beto", LeaveSeat())
    assert sitting.table.seat_of("beto") is None
    assert sitting.refused("beto", LeaveSeat()) == "no-seat"


def test_before_the_game_people_move_and_are_called_otherwise() -> None:
    sitting = Sitting()
    sitting.seat("ana", "beto")
    sitting.ask("beto", AddSeed("zz"))
    assert sitting.refused("beto", TakeSeat(1, "Beto")) == "seat-taken"
    assert sitting.refused("beto", TakeSeat(3, "ANA")) == "name-taken"
    assert sitting.ask("beto", TakeSeat(4, "Beto")) == (SeatMoved(2, 4),)
    assert sitting.table.seat_of("beto") == 4
    assert sitting.table.places[1].is_empty
    assert sitting.table.places[3].seed == "zz"
    assert sitting.ask("beto", TakeSeat(4, "Bea")) == (PlayerRenamed(4, "Bea"),)
    both = sitting.ask("ana", TakeSeat(2, "Anna"))
    assert both == (PlayerRenamed(1, "Anna"), SeatMoved(1, 2), HostChanged("Anna", 2))
    assert (sitting.table.host_seat, sitting.table.host_name) == (2, "Anna")
    assert sitting.table.names_at(sitting.table.version) == ("", "Anna", "", "Bea")
    assert sitting.table.names_at(3) == ("Ana", "Beto", "", "")
    assert sitting.replayed() == sitting.table
    sitting.start()
    assert sitting.refused("beto", TakeSeat(4, "Beto")) == "game-going-on"


@pytest.mark.parametrize(
    "command",
    [
        SeatBot(3, "casual"),
        ClearSeat(1),
        PassHost(2),
        SeatStandIn(1, "casual"),
        StartGame(),
        DealHand(),
        PauseGame(),
        ResumeGame(),
        CallRematch(SEED),
        SwitchChat(False),
        CallOff(),
        ChangeOptions(Options()),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_only_the_host_can_do(command: Command) -> None:
    sitting = sitting_of_two()
    assert sitting.refused("beto", command) == "not-host"
    assert sitting.refused("nobody", command) == "not-host"


def test_the_host_can_change_and_goes_on_when_leaving() -> None:
    sitting = Sitting()
    sitting.seat("ana", "beto", "cleo")
    sitting.ask("ana", SeatBot(4, "sharp"))
    assert sitting.refused("ana", PassHost(4)) == "nobody-there"
    sitting.ask("ana", PassHost(3))
    assert (sitting.table.host_seat, sitting.table.host_name) == (3, "Cleo")
    sitting.ask("cleo", LeaveSeat())
    assert (sitting.table.host_seat, sitting.table.host_name) == (1, "Ana")


def test_a_player_becomes_host_and_a_watcher_does_not() -> None:
    sitting = sitting_of_two()
    assert sitting.refused("cleo", ClaimHost()) == "no-seat"
    assert sitting.refused("ana", ClaimHost()) == "already-host"
    sitting.ask("beto", ClaimHost())
    assert (sitting.table.host_seat, sitting.table.host_name) == (2, "Beto")
    assert sitting.refused("ana", StartGame()) == "not-host"


def test_who_was_sent_away_stays_away() -> None:
    sitting = sitting_of_two()
    assert sitting.refused("ana", ClearSeat(1)) == "not-yourself"
    sitting.ask("ana", ClearSeat(2))
    assert sitting.refused("beto", TakeSeat(2, "Beto")) == "barred"
    assert sitting.refused("ana", ClearSeat(2)) == "nobody-there"


def test_bots() -> None:
    sitting = Sitting()
    assert sitting.refused("ana", SeatBot(1, "clever")) == "bad-bot"
    sitting.ask("ana", SeatBot(1, "rookie"))
    assert sitting.refused("ana", SeatBot(1, "rookie")) == "seat-taken"
    assert sitting.refused("beto", TakeSeat(1, "Beto")) == "seat-taken"
    sitting.ask("ana", ClearSeat(1))
    sitting.ask("beto", TakeSeat(1, "Beto"))
    sitting.start()
    assert [place.bot for place in sitting.table.places] == ["", "casual", "casual", "casual"]
    assert sitting.refused("ana", ClearSeat(2)) == "game-going-on"


def test_a_choice_made_on_an_older_game_is_stale_but_talk_does_not_matter() -> None:
    sitting = sitting_of_two()
    sitting.start()
    seen = sitting.table.version
    owner = sitting.table.places[(sitting.table.turn or 0) - 1].owner
    sitting.ask("ana", Say("hello"))
    sitting.ask("beto", React("wow"))
    assert sitting.refused(owner, Play(DrawDeck(), seen - 1)) == "stale"
    assert sitting.refused(owner, Play(DrawDeck(), sitting.table.version + 1)) == "stale"
    sitting.ask(owner, Play(DrawDeck(), seen))
    assert sitting.refused(owner, Play(DrawDeck(), seen)) == "stale", "no move is made twice"


def test_refusals_of_the_rules_pass_through() -> None:
    sitting = sitting_of_two()
    assert sitting.refused("ana", Play(DrawDeck(), sitting.table.version)) == "no-game"
    sitting.start()
    other = sitting.table.places[2 - (sitting.table.turn or 0)].owner
    assert sitting.refused(other, Play(DrawDeck(), sitting.table.version)) == "not-your-turn"
    assert sitting.refused("cleo", Play(DrawDeck(), sitting.table.version)) == "no-seat"


def test_a_paused_game_stands_still() -> None:
    sitting = sitting_of_two()
    assert sitting.refused("ana", PauseGame()) == "no-game"
    sitting.start()
    owner = sitting.table.places[(sitting.table.turn or 0) - 1].owner
    sitting.ask("ana", PauseGame())
    assert sitting.table.legal(sitting.table.turn) == []
    assert next_duty(sitting.table) is None
    assert sitting.refused(owner, Play(DrawDeck(), sitting.table.version)) == "paused"
    sitting.ask("ana", ResumeGame())
    assert sitting.refused("ana", ResumeGame()) == "not-paused"
    sitting.play(owner, DrawDeck())


def test_who_leaves_a_game_is_replaced_and_does_not_come_back() -> None:
    sitting = sitting_of_two()
    sitting.start()
    sitting.ask("beto", LeaveSeat())
    assert sitting.table.places[1].bot == "casual"
    assert sitting.table.names == ("Ana", "Beto")
    assert sitting.refused("beto", TakeSeat(2, "Beto")) == "no-joining"


@pytest.mark.parametrize("paused", [False, True])
def test_a_game_is_called_off(paused: bool) -> None:
    sitting = sitting_of_two()
    assert sitting.refused("ana", CallOff()) == "no-game"
    sitting.start()
    turn = sitting.table.turn or 0
    owner = sitting.table.places[turn - 1].owner
    sitting.play(owner, TakeDiscard())
    if paused:
        sitting.ask("ana", PauseGame())
    assert sitting.ask("ana", CallOff()) == (GameCalledOff(), SeedRevealed(SEED.hex()))
    table = sitting.table
    assert (table.stage, table.paused, table.legal(turn)) == ("finished", False, [])
    assert next_duty(table) is None
    assert sitting.refused(owner, Undo(table.version)) == "no-game"
    assert sitting.refused(owner, Play(DrawDeck(), table.version)) == "no-game"
    assert sitting.refused("ana", CallOff()) == "no-game"
    sitting.ask("ana", CallRematch(bytes(32)))
    sitting.start()
    assert sitting.table.stage == "playing"
    assert sitting.replayed() == sitting.table


def test_who_may_ask_a_bot_and_when() -> None:
    sitting = sitting_of_two()
    sitting.start()
    table = sitting.table
    turn = table.turn or 0
    on_turn, other = table.places[turn - 1].owner, table.places[2 - turn].owner
    hint = AskHint("sharp", table.version)
    assert check_question(table, on_turn, hint) is None
    assert check_question(table, on_turn, AskReasons(DrawDeck(), table.version)) is None

    def reason(owner: str, question: AskHint | AskReasons) -> str:
        refusal = check_question(sitting.table, owner, question)
        assert refusal is not None
        return refusal.reason

    assert reason(other, hint) == "not-your-turn"
    assert reason("cleo", hint) == "no-seat"
    assert reason(on_turn, AskHint("clever", table.version)) == "bad-bot"
    assert reason(on_turn, AskHint("sharp", table.version - 1)) == "stale"
    skip = Discard(parse_cards("S")[0], None)
    assert reason(on_turn, AskReasons(skip, table.version)) == "draw-first"
    assert sitting.table == table, "nothing happens"
    sitting.ask("ana", SeatStandIn(turn, "casual"))
    assert reason(on_turn, hint) == "stood-in"
    sitting.ask(on_turn, TakeSeatBack())
    sitting.ask("ana", PauseGame())
    assert reason(on_turn, hint) == "paused"
    sitting.ask("ana", CallOff())
    assert reason(on_turn, hint) == "no-game"


def test_a_table_may_do_without_hints() -> None:
    sitting = sitting_of_two(Options(seats=2, pace=0, hints=False))
    sitting.start()
    owner = sitting.table.places[(sitting.table.turn or 0) - 1].owner
    refusal = check_question(sitting.table, owner, AskHint("sharp", sitting.table.version))
    assert refusal == TableRefusal("hints-off")


def test_every_deal_follows_from_the_seeds_and_they_are_told_at_the_end() -> None:
    sitting = sitting_of_two()
    assert sitting.table.commitment == commitment(SEED)
    sitting.ask("ana", AddSeed("k3"))
    sitting.ask("beto", AddSeed("zz"))
    for wrong in ("", "a b", "a,b", "x" * 65, "é"):
        assert sitting.refused("ana", AddSeed(wrong)) == "bad-seed"
    sitting.start()
    assert sitting.table.client_seed == "1:k3,2:zz"
    assert sitting.refused("ana", AddSeed("late")) == "game-going-on"
    rng = random.Random(0)
    before = sitting.log[-1][1]
    while sitting.table.stage == "playing":
        assert SEED.hex() not in before
        sitting.act(rng)
        before = sitting.log[-1][1]
    assert SEED.hex() in sitting.log[-1][1]
    shuffle = seeded(SEED, "1:k3,2:zz")
    for event in [e for _, text in sitting.log for e in read_events(text)]:
        if isinstance(event, HandDealt):
            assert event.order == shuffle(sitting.table.rules.edition.deck, event.hand, 0)
    assert read_events(sitting.log[-1][1])[-1] == SeedRevealed(SEED.hex())


def test_a_rematch_has_seeds_of_its_own() -> None:
    sitting = sitting_of_two()
    sitting.ask("ana", AddSeed("k3"))
    assert sitting.refused("ana", CallRematch(SEED)) == "not-finished"
    sitting.start()
    sitting.play_on(random.Random(0), 5_000)
    assert sitting.table.stage == "finished"
    assert next_duty(sitting.table) is None
    assert sitting.refused("ana", StartGame()) == "game-going-on"
    finished = sitting.table.version
    other = bytes(32)
    sitting.ask("ana", CallRematch(other))
    assert sitting.table.commitment == commitment(other)
    assert sitting.table.since == finished
    assert [place.name for place in sitting.table.places] == ["Ana", "Beto"]
    assert [place.seed for place in sitting.table.places] == ["", ""]
    dealer = sitting.table.dealer
    sitting.start()
    assert sitting.table.dealer != dealer
    assert sitting.replayed() == sitting.table


def test_talk() -> None:
    sitting = sitting_of_two()
    assert sitting.refused("cleo", Say("hi")) == "no-seat"
    assert sitting.refused("ana", Say("x" * 301)) == "bad-text"
    assert sitting.refused("ana", Say(" \n ")) == "bad-text"
    assert sitting.refused("ana", React("rude")) == "bad-reaction"
    sitting.ask("ana", SwitchChat(False))
    assert sitting.refused("beto", Say("hi")) == "chat-off"
    assert sitting.refused("beto", React("nice")) == "chat-off"


def test_what_does_not_bring_the_game_on_has_an_end() -> None:
    sitting = sitting_of_two(Options(seats=3, edition="express", pace=0))
    for number in range(2 * MOST_CHANGES):
        command = TakeSeat(1 + number % 3 // 2 * 2, f"Ana {number}")
        answer = decide(sitting.table, "ana", command)
        if not isinstance(answer, tuple):
            break
        sitting.ask("ana", command)
    assert sitting.table.changes == MOST_CHANGES
    for command in (AddSeed("x"), ChangeOptions(Options(seats=3)), SwitchChat(on=True), SeatBot(3, "casual")):  # fmt: skip
        assert sitting.refused("ana", command) == "enough-changes"
    sitting.start()
    assert sitting.refused("ana", PauseGame()) == "enough-changes"
    for _ in range(MOST_TALK):
        sitting.ask("beto", React("wow"))
    assert sitting.refused("ana", Say("hello")) == "enough-talk"
    sitting.play(sitting.table.places[(sitting.table.turn or 0) - 1].owner, DrawDeck())
    sitting.ask("ana", CallOff())
    sitting.ask("ana", CallRematch(SEED))
    assert (sitting.table.changes, sitting.table.talk) == (0, 0)
    sitting.ask("ana", Say("hello"))
    sitting.ask("beto", LeaveSeat())
    assert sitting.replayed() == sitting.table
    full = sitting.table._replace(games=MOST_GAMES, stage="finished")
    assert decide(full, "ana", CallRematch(SEED)) == TableRefusal(
        "enough-games", {"most": MOST_GAMES}
    )


def test_of_ten_thousand_names_only_the_last_are_kept() -> None:
    """Logs of before there was an end: their tables must not take a second for each thousand steps."""
    sitting = Sitting()
    sitting.seat("ana")
    table = sitting.table
    for number in range(10_000):
        table = apply(table, 3, (PlayerRenamed(1, f"Ana {number}"),))
    assert len(table.seatings) == MOST_SEATINGS
    assert table.names_at(table.version)[0] == "Ana 9999"
    assert table.names_at(table.version - 100)[0] == "Ana 9899"
    assert table.changes > MOST_CHANGES
