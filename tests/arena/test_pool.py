"""The work in pieces, in this process and in others: always the same results."""

import os
import signal
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from phaseten.arena.chunks import Chunk, Conduct, Played, play_chunk
from phaseten.arena.entrants import parse_entrants
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.matches import Match, match_all, match_pairs
from phaseten.arena.results import GameRow
from phaseten.arena.schedule import MOST_DEALS, Schedule
from phaseten.notation.verdict import judge_bytes
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules
from phaseten.workers import WorkerError, WorkerLostError, work
from tests.patience import wait_until

EXPRESS = Rules(edition("express"))


def matches(*names: str, players: Sequence[int] = (2,)) -> list[Match]:
    tables = [GameTerms(EXPRESS, count, 7) for count in players]
    return match_pairs(tables, parse_entrants(names))


def rows(played: list[list[Played]]) -> list[GameRow]:
    found = [game.row._replace(seconds=()) for deal in played for game in deal]
    return sorted(found, key=lambda row: row.key)


def schedule(work: Sequence[Match], deals: int, conduct: Conduct = Conduct()) -> Schedule:  # noqa: B008
    return Schedule([(match, range(deals)) for match in work], conduct)


def play(work_to_do: Schedule, workers: int = 1) -> Generator[list[Played]]:
    return work(play_chunk, work_to_do.chunks(), workers)


def test_processes_and_this_one_agree() -> None:
    meeting = matches("sharp", "casual", "rookie", players=(2, 3))
    here = rows(list(play(schedule(meeting, 4))))
    there = rows(list(play(schedule(meeting, 4), 2)))
    assert here == there
    assert len(here) == 3 * 4 * 2 + 3 * 4 * 6


def test_more_workers_than_work() -> None:
    meeting = matches("sharp", "casual")
    assert len(list(play(schedule(meeting, 1), 8))) == 1
    assert list(play(schedule(meeting, 0), 8)) == []


def test_a_bot_against_itself_wins_exactly_half() -> None:
    for players in (2, 3, 4):
        for played in play(schedule(matches("rookie", "rookie", players=(players,)), 6)):
            won = [game.row.seats[(game.row.winner or 1) - 1] for game in played]
            finished = all(game.row.winner for game in played)
            assert not finished or won.count("rookie") == len(won) / 2


def children() -> set[int]:
    return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_stopping_early_leaves_nothing_behind() -> None:
    before = children()
    source = play(schedule(matches("sharp", "casual"), 500), 2)
    next(source)
    assert len(children() - before) >= 2
    source.close()
    assert not {pid for pid in children() - before if "spawn_main" in _command(pid)}


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_a_worker_that_is_killed_is_noticed() -> None:
    before = children()
    source = play(schedule(matches("sharp", "casual"), 2000), 2)
    next(source)
    worker = next(pid for pid in children() - before if "spawn_main" in _command(pid))
    os.kill(worker, signal.SIGKILL)
    with pytest.raises(WorkerLostError, match="ended with code -9"):
        for _ in source:
            pass


def test_a_mistake_in_a_worker_is_told() -> None:
    [match] = matches("sharp", "casual")
    broken = match._replace(seatings=((0, 1), (1, 2)))  # there is no third bot
    with pytest.raises(WorkerError, match="IndexError") as caught:
        list(play(schedule([broken], 2), 2))
    assert str(caught.value) == "IndexError: tuple index out of range"
    assert "in play_chunk" in caught.value.__notes__[0]


# -- the schedule ------------------------------------------------------------------------------


def test_everything_is_handed_out_once_and_the_matches_take_turns() -> None:
    meeting = matches("sharp", "casual", "rookie")
    plan = schedule(meeting, 40)
    handed: list[Chunk] = []
    for chunk in plan.chunks():
        handed.append(chunk)
        plan.learn([game.row._replace(seconds=(0.01, 0.01)) for game in _one_deal(chunk)])
    for match in meeting:
        mine = [chunk for chunk in handed if chunk.match == match]
        assert sorted(deal for chunk in mine for deal in chunk.deals) == list(range(40))
        assert [len(chunk.deals) for chunk in mine] == [1, MOST_DEALS, MOST_DEALS, 7]
    assert [chunk.match for chunk in handed[:6]] == meeting * 2


def _one_deal(chunk: Chunk) -> list[Played]:
    return next(iter(play_chunk(chunk._replace(deals=chunk.deals[:1]))))


def test_slow_bots_get_small_pieces() -> None:
    [match] = matches("sharp", "casual")
    plan = schedule([match], 40)
    chunks = plan.chunks()
    games = _one_deal(next(chunks))
    for seconds, size in ((2.0, 1), (0.1, 2), (1e-9, MOST_DEALS)):
        plan.learn([game.row._replace(seconds=(seconds, seconds)) for game in games])
        assert len(next(chunks).deals) == size


# -- records and programs ----------------------------------------------------------------------


def test_records_of_all_games() -> None:
    [match] = match_all([GameTerms(EXPRESS, 3, 7)], parse_entrants(["sharp", "casual", "rookie"]))
    played = list(play_chunk(Chunk(match, (0, 3), Conduct(records=True))))
    assert len(played) == 2
    for deal in played:
        for row, record in deal:
            assert record is not None
            verdict = judge_bytes(record.encode())
            assert verdict["ok"]
            assert verdict["winner"] == row.winner
            assert all(f'[Seat{n} "{name}"]' in record for n, name in enumerate(row.seats, 1))
            assert f'[Seat2 "{row.seats[1]}"]' in record


ONE_SEAT = """
import json, os, sys
seats = set()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello", "protocol": 2}', flush=True)
    elif message["type"] == "game":
        seats.add(message["seat"])
        sys.stderr.write(f"{os.getpid()} {message['seat']}\\n")
    elif message["type"] == "turn":
        assert message["view"]["seat"] in seats and len(seats) == 1
        print(json.dumps({"action": message["actions"][0]}), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems")
def test_a_program_serves_one_seat_and_stays_for_the_next_game(tmp_path: Path) -> None:
    """Two seats of one bot are two processes: neither sees the other's cards."""
    path = tmp_path / "one.py"
    path.write_text(ONE_SEAT)
    [match] = match_pairs([GameTerms(EXPRESS, 4, 7)], parse_entrants([str(path), "casual"]))
    chunk = Chunk(match, (0, 1), Conduct(logs=str(tmp_path / "logs")))
    played = list(play_chunk(chunk))
    assert all(game.row.fault is None for deal in played for game in deal)
    told = (tmp_path / "logs" / "one.log").read_text().split("\n")[:-1]
    assert len(told) == 2 * 2 * 2
    assert len(set(told)) == 4  # each of the four seats by a process of its own
    wait_until(lambda: not any(_alive(line) for line in told), "the end of the programs")


def _alive(line: str) -> bool:
    try:
        os.kill(int(line.split(maxsplit=1)[0]), 0)
    except ProcessLookupError:
        return False
    return True
