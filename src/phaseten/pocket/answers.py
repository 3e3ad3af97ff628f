"""What a device answers itself of what is otherwise asked of a server over HTTP: statistics, editions, puzzles, moments."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import Struct

from phaseten.analysis.puzzles import puzzle_of_the_day, puzzles
from phaseten.language import Language
from phaseten.notation.records import RecordSyntaxError, parse_record
from phaseten.notation.replay import IllegalRecordError
from phaseten.rules.editions import EditionError
from phaseten.server.http.drafts import problem_of, read_draft
from phaseten.server.http.puzzle_forms import puzzle_form, puzzle_list
from phaseten.server.http.replays import NoSuchSeatError, NoSuchStepError, moment, moment_of
from phaseten.server.store.games import KeptAbout
from phaseten.server.store.interface import KeptGame, PlayedGame
from phaseten.server.store.statistics import Statistics, statistics_of
from phaseten.table.beginnings import complete_position
from phaseten.table.options import OptionsError

_NUMBER: Final = re.compile("[1-9][0-9]{0,5}")


class LocalGame(Struct, frozen=True):
    """A finished game as the device has kept it, less its record."""

    id: str
    code: str
    ended: int
    about: KeptAbout
    seat: int | None = 1
    """Whose it is; who has brought a record from elsewhere had no seat that is known."""


class Answer(Struct, frozen=True):
    """What was asked for, or why there is none; neither where only a server knows it."""

    value: Any = None
    problem: str = ""


def answer(path: str, text: str, words: Language) -> Answer:
    """The answer to a request under ``/api/``, with its body."""
    asked = urlsplit(path)
    match asked.path.strip("/").split("/"):
        case ["statistics"]:
            return Answer(_statistics(text))
        case ["editions"]:
            return _edition(text, words)
        case ["puzzles"]:
            today = puzzle_of_the_day(datetime.now(UTC).date())
            return Answer(puzzle_list(today, words))
        case ["puzzles", number]:
            return _puzzle(number, words)
        case ["moment"]:
            return _moment(text, dict(parse_qsl(asked.query)), words)
        case ["position"]:
            return _position(text, words)
        case _:
            return Answer()


def _moment(text: str, asked: dict[str, str], words: Language) -> Answer:
    """The moment of a record from which somebody wants to play on."""
    seat, step = asked.get("seat", ""), asked.get("step", "")
    eyes = int(seat) if _NUMBER.fullmatch(seat) else None
    try:
        found = moment(parse_record(text), eyes, int(step) if _NUMBER.fullmatch(step) else 0)
    except (RecordSyntaxError, IllegalRecordError) as error:
        why = words.fault(error.why)
        return Answer(problem=words.say("serve.problem.bad-record", line=error.line, why=why))
    except NoSuchSeatError:
        return Answer(problem=words.say("serve.problem.no-such-view"))
    except NoSuchStepError:
        return Answer(problem=words.say("serve.problem.no-such-step"))
    return Answer(found)


def _position(text: str, words: Language) -> Answer:
    try:
        return Answer(moment_of(complete_position(text)))
    except OptionsError as error:
        return Answer(
            problem=words.explain("table.refusal.bad-options", {"problem": error.mistake})
        )


def _statistics(text: str) -> Statistics:
    """Of the games in that list, the last one first."""
    games = msgspec.json.decode(text, type=list[LocalGame])
    return statistics_of(
        PlayedGame(
            KeptGame(
                game.id,
                game.code,
                1,
                1,
                1,
                game.ended,
                "",
                msgspec.json.encode(game.about).decode(),
            ),
            game.seat or 0,
        )
        for game in games
    )


def _edition(text: str, words: Language) -> Answer:
    try:
        return Answer(read_draft(text, words))
    except EditionError as error:
        problem = problem_of(error, text)
        return Answer(problem=words.explain("table.refusal.bad-options", {"problem": problem}))


def _puzzle(text: str, words: Language) -> Answer:
    number = int(text) if _NUMBER.fullmatch(text) else 0
    if not 1 <= number <= len(puzzles()):
        return Answer(problem=words.say("serve.problem.no-puzzle", most=len(puzzles())))
    return Answer(puzzle_form(puzzles()[number - 1], words))
