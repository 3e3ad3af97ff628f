"""A table's people and the course of its games, without a server."""

import random

import pytest

from phaseten.game import Game
from phaseten.rules.actions import Discard, DrawDeck, LayPhase, TakeDiscard
from phaseten.rules.cards import parse_cards
from phaseten.rules.events import HandDealt
from phaseten.rules.shuffle import commitment, seeded
from phaseten.rules.views import legal_actions
from phaseten.server.store.codec import read_events
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
    EndTurnTime,
    GiveUp,
    LeaveSeat,
    PassHost,
    PauseGame,
    Play,
    PlayBot,
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
from phaseten.table.decisions import TableRefusal, check_question, do_chore
from phaseten.table.duties import (
    MOST_BOT_ACTIONS,
    BotDuty,
    ClockDuty,
    DealDuty,
    GiveUpDuty,
    next_duty,
)
from phaseten.table.events import (
    GameCalledOff,
    HostChanged,
    OptionsChanged,
    PlayerRenamed,
    SeatMoved,
    SeatOwned,
    SeatTaken,
    SeedRevealed,
    StandInSeated,
)
from phaseten.table.options import Options, OptionsError, rules_of
from phaseten.table.state import MOST_LAYS, offered
from tests.table.sitting import SEED, Sitting

QUICK = Options(edition="express", seats=2, pace=0, variant="phases=1")


def sitting_of_two(options: Options = QUICK) -> Sitting:
    sitting = Sitting(options)
    sitting.seat("ana", "beto")
    return sitting


# -- seats -------------------------------------------------------------------------------------


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
        assert sitting.refused("cleo", TakeSeat(3, name)) == "bad-name"
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


# -- the game ----------------------------------------------------------------------------------


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
    assert sitting.refused("beto", TakeSeat(2, "Beto")) == "game-going-on"


def test_undo_takes_back_what_revealed_nothing() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    owner, other = sitting.table.places[turn - 1].owner, sitting.table.places[2 - turn].owner
    before = sitting.table.game
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"
    sitting.play(owner, TakeDiscard())
    assert sitting.refused(other, Undo(sitting.table.version)) == "nothing-to-undo"
    sitting.ask(owner, Undo(sitting.table.version))
    assert sitting.table.game == before
    assert sitting.replayed() == sitting.table
    sitting.play(owner, DrawDeck())
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"


def test_a_laid_phase_can_be_taken_back_until_the_turn_ends() -> None:
    rng = random.Random(1)
    for _ in range(60):
        sitting = sitting_of_two()
        sitting.start()
        while sitting.table.stage == "playing":
            turn = sitting.table.turn or 0
            view = sitting.table.view(turn)
            assert view is not None
            lays = [action for action in legal_actions(view) if isinstance(action, LayPhase)]
            if not lays:
                sitting.act(rng)
                continue
            owner, before = sitting.table.places[turn - 1].owner, sitting.table.game
            sitting.play(owner, lays[0])
            if sitting.table.turn != turn:
                break
            sitting.ask(owner, Undo(sitting.table.version))
            assert sitting.table.game == before
            discard = next(a for a in sitting.table.legal(turn) if isinstance(a, Discard))
            sitting.play(owner, discard)
            assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"
            return
    pytest.fail("nobody ever laid a Phase")


def test_not_every_way_to_lay_is_offered() -> None:
    view = Game("classic", seed=1).view()
    assert view.board is not None
    rich = view._replace(
        board=view.board._replace(step="play"), held=parse_cards("R1 B1 Y5 R5 G9 B9 R9 W W W W")
    )
    actions = legal_actions(rich)
    found = offered(actions)
    lays = [action for action in actions if isinstance(action, LayPhase)]
    kept = [action for action in found if isinstance(action, LayPhase)]
    assert len(kept) == MOST_LAYS < len(lays)
    assert set(found) < set(actions)
    assert len(found) - len(kept) == len(actions) - len(lays)
    fewest = min(str(action).count("W") for action in lays)
    assert str(kept[0]).count("W") == fewest
    assert offered(actions[-5:]) == actions[-5:]
    assert len(legal_actions(rich, 7)) == 7 + len(actions) - len(lays)


def test_what_a_bot_did_for_somebody_is_not_taken_back() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    owner = sitting.table.places[turn - 1].owner
    sitting.ask("ana", SeatStandIn(turn, "casual"))
    sitting.chore(PlayBot(turn, TakeDiscard(), sitting.table.version))
    sitting.ask(owner, TakeSeatBack())
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"


def test_what_one_did_before_a_bot_came_and_went_is_taken_back() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    owner, before = sitting.table.places[turn - 1].owner, sitting.table.game
    sitting.play(owner, TakeDiscard())
    sitting.ask("ana", SeatStandIn(turn, "casual"))
    assert sitting.refused(owner, Undo(sitting.table.version)) == "nothing-to-undo"
    sitting.ask(owner, TakeSeatBack())
    sitting.ask(owner, Undo(sitting.table.version))
    assert sitting.table.game == before


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


def test_a_hand_between_bots_that_does_not_end_is_given_up() -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.start()
    rng = random.Random(4)
    while sitting.table.bot_actions < MOST_BOT_ACTIONS:
        before = sitting.table.bot_actions
        assert isinstance(do_chore(sitting.table, GiveUp()), TableRefusal)
        draw_and_discard(sitting, rng)
        assert sitting.table.bot_actions == before + 1
    assert next_duty(sitting.table) == GiveUpDuty(sitting.now)
    assert sitting.chore(GiveUp()) == (GameCalledOff(), SeedRevealed(SEED.hex()))


def draw_and_discard(sitting: Sitting, rng: random.Random) -> None:
    """Let the bot on turn do something that brings the hand no nearer to its end."""
    turn = sitting.table.turn or 0
    view = sitting.table.view(turn)
    assert view is not None
    harmless = [a for a in legal_actions(view) if isinstance(a, DrawDeck | TakeDiscard | Discard)]
    sitting.chore(PlayBot(turn, rng.choice(harmless), sitting.table.version))


def test_with_people_no_hand_is_given_up() -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.ask("ana", TakeSeat(2, "Ana"))
    sitting.start()
    rng = random.Random(4)
    while sitting.table.turn == 1:
        draw_and_discard(sitting, rng)
    assert sitting.table.bot_actions >= 1
    sitting.play("ana", DrawDeck())
    assert sitting.table.bot_actions == 0
    many = sitting.table._replace(bot_actions=MOST_BOT_ACTIONS)
    assert next_duty(many) is None
    bot = sitting.table.places[0]
    assert isinstance(next_duty(many._replace(places=(bot, bot))), GiveUpDuty)


# -- questions ---------------------------------------------------------------------------------


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


# -- clocks ------------------------------------------------------------------------------------


def test_what_the_server_must_do() -> None:
    sitting = sitting_of_two(Options(seats=2, timer=30, pace=500))
    assert next_duty(sitting.table) is None
    sitting.start()
    started = sitting.now
    turn = sitting.table.turn or 0
    owner = sitting.table.places[turn - 1].owner
    assert next_duty(sitting.table) == ClockDuty(started + 30_000)
    sitting.play(owner, DrawDeck())
    assert next_duty(sitting.table) == ClockDuty(started + 30_000), "one clock for the turn"
    stale = do_chore(sitting.table, EndTurnTime(sitting.table.moved - 1))
    assert isinstance(stale, TableRefusal)
    assert sitting.chore(EndTurnTime(sitting.table.version)) == (StandInSeated(turn, "casual"),)
    assert next_duty(sitting.table) == BotDuty(turn, "casual", sitting.now + 500)
    assert sitting.table.legal(turn) == []
    assert sitting.refused(owner, Play(DrawDeck(), sitting.table.version)) == "stood-in"
    sitting.ask(owner, TakeSeatBack())
    assert next_duty(sitting.table) == ClockDuty(sitting.now + 30_000)
    assert sitting.table.legal(turn)
    assert sitting.refused(owner, TakeSeatBack()) == "not-away"


def test_every_turn_has_the_whole_time_also_a_second_one_in_a_row() -> None:
    rng = random.Random(5)
    for seed in range(40):
        sitting = Sitting(Options(seats=2, timer=30), seed=bytes([seed]) * 32)
        sitting.seat("ana", "beto")
        sitting.start()
        for _ in range(60):
            turn = sitting.table.turn
            if turn is None:
                break
            skips = [a for a in sitting.table.legal(turn) if isinstance(a, Discard) and a.target]
            if not skips:
                sitting.act(rng)
                continue
            sitting.play(sitting.table.places[turn - 1].owner, skips[0])
            assert sitting.table.turn == turn
            assert next_duty(sitting.table) == ClockDuty(sitting.now + 30_000)
            return
    pytest.fail("nobody ever held a Skip")


def test_the_time_that_is_up_does_not_matter_to_a_bot() -> None:
    sitting = sitting_of_two(Options(seats=2, timer=30))
    sitting.start()
    turn = sitting.table.turn or 0
    late = EndTurnTime(sitting.table.version)
    sitting.ask(sitting.table.places[turn - 1].owner, LeaveSeat())
    assert do_chore(sitting.table, late) == TableRefusal("stale")


def test_bots_are_quick_among_themselves() -> None:
    sitting = sitting_of_two(Options(seats=2, pace=400))
    sitting.start()
    turn = sitting.table.turn or 0
    sitting.ask("ana", SeatStandIn(turn, "sharp"))
    assert next_duty(sitting.table) == BotDuty(turn, "sharp", sitting.now + 400)
    sitting.ask("ana", SeatStandIn(3 - turn, "sharp"))
    duty = next_duty(sitting.table)
    assert duty is not None
    assert duty.at <= sitting.now + 100


def test_a_bot_acts_only_where_it_sits_and_only_on_its_turn() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    for seat in (turn, 3 - turn):
        answer = do_chore(sitting.table, PlayBot(seat, DrawDeck(), sitting.table.version))
        assert isinstance(answer, TableRefusal)
    sitting.ask("ana", SeatStandIn(turn, "sharp"))
    sitting.chore(PlayBot(turn, DrawDeck(), sitting.table.version))


def test_between_hands_people_may_read_the_scores() -> None:
    sitting = sitting_of_two(Options(edition="express", seats=2, pace=100))
    sitting.start()
    assert sitting.refused("ana", DealHand()) == "game-going-on"
    rng = random.Random(3)
    while sitting.table.turn is not None:
        sitting.act(rng)
    assert next_duty(sitting.table) == DealDuty(sitting.now + 10_000)
    sitting.ask("ana", DealHand())
    assert sitting.table.turn is not None


# -- seeds -------------------------------------------------------------------------------------


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


# -- talk --------------------------------------------------------------------------------------


def test_talk() -> None:
    sitting = sitting_of_two()
    assert sitting.refused("cleo", Say("hi")) == "no-seat"
    assert sitting.refused("ana", Say("x" * 301)) == "bad-text"
    assert sitting.refused("ana", Say(" \n ")) == "bad-text"
    assert sitting.refused("ana", React("rude")) == "bad-reaction"
    sitting.ask("ana", SwitchChat(False))
    assert sitting.refused("beto", Say("hi")) == "chat-off"
    assert sitting.refused("beto", React("nice")) == "chat-off"


# -- the fold ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_a_table_is_what_its_log_says(seed: int) -> None:
    rng = random.Random(seed)
    options = Options(
        edition=rng.choice(["express", "classic", "deluxe"]),
        seats=rng.randint(2, 4),
        pace=rng.choice([0, 10]),
        variant=rng.choice(["standard", "phases=2"]),
    )
    sitting = Sitting(options, seed=rng.randbytes(32))
    sitting.seat("ana", "beto")
    sitting.start()
    sitting.play_on(rng, 400)
    assert sitting.replayed() == sitting.table


# -- options -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (Options(edition="none"), "no edition 'none'"),
        (Options(edition="/etc/passwd.toml"), "as text"),
        (Options(custom="name = "), "your edition"),
        (Options(variant="odd"), "not a variation"),
        (Options(house=("cheat",)), "not a house rule"),
        (Options(timer=1), "5 to 604800"),
        (Options(stand_in="clever"), "no bot 'clever'"),
        (Options(custom='based_on = "classic"\nplayers = [2, 3]', seats=4), "2 to 3 players"),
    ],
)
def test_options_that_make_no_sense(options: Options, sentence: str) -> None:
    with pytest.raises(OptionsError, match=sentence):
        rules_of(options)


def test_options_change_before_the_game() -> None:
    sitting = Sitting(Options(seats=3))
    sitting.seat("ana", "beto")
    wanted = Options("express", seats=6, timer=60)
    assert sitting.ask("ana", ChangeOptions(wanted)) == (OptionsChanged(wanted),)
    assert [place.name for place in sitting.table.places] == ["Ana", "Beto", "", "", "", ""]
    assert sitting.table.rules.edition.name == "express"
    sitting.ask("ana", SeatBot(5, "sharp"))
    assert sitting.refused("ana", ChangeOptions(Options(seats=4))) == "seat-needed"
    sitting.ask("ana", ClearSeat(5))
    sitting.ask("ana", ChangeOptions(Options(seats=2)))
    assert len(sitting.table.places) == 2
    assert sitting.refused("ana", ChangeOptions(Options("none"))) == "bad-options"
    assert sitting.refused("ana", ChangeOptions(Options(timer=1))) == "bad-options"
    sitting.start()
    assert sitting.refused("ana", ChangeOptions(Options(seats=2))) == "game-going-on"
    sitting.ask("ana", CallOff())
    sitting.ask("ana", CallRematch(bytes(32)))
    sitting.ask("ana", ChangeOptions(Options("deluxe", seats=5)))
    sitting.start()
    assert len(sitting.table.game.held if sitting.table.game else ()) == 5
    assert sitting.replayed() == sitting.table


def test_an_edition_of_ones_own() -> None:
    custom = 'based_on = "classic"\nname = "ours"\ntitle = "Ours"\nphases = ["set 2"]\n'
    sitting = sitting_of_two(Options(custom=custom, seats=2))
    sitting.start()
    assert [phase.text for phase in sitting.table.rules.phases] == ["set 2"]
