"""A program as a bot, and everything that it can do wrong."""

import json
import os
import stat
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from phaseten.arena.bot_logs import MOST_LOGGED
from phaseten.arena.faults import CRASHED, FLOOD, ILLEGAL, LATE, NONSENSE, FaultError
from phaseten.arena.gameplay import GameResult, GameTerms, play_game
from phaseten.arena.programs import LONGEST_LINE, Program
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.ladder import make_bot
from phaseten.game import Game
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules
from phaseten.rules.views import View
from tests.patience import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems")

TABLE = GameTerms(Rules(edition("express")), 2, 3)

# Plays the first legal action, unless the test has something else in mind.
PLAYER = """
import json, os, signal, sys, time
turns = 0
def hear():
    line = sys.stdin.readline()
    if not line:
        raise SystemExit
    return json.loads(line)
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def greet():
    assert hear()["type"] == "hello"
    say('{"type": "hello", "protocol": 2}\\n')
def act(message):
    say(json.dumps({"action": message["actions"][0]}) + "\\n")
def mischief(message):
    act(message)
"""
LOOP = """
greet()
while True:
    message = hear()
    if message["type"] == "turn":
        turns += 1
        (mischief if turns == 5 else act)(message)
"""
LATE_LOOP = LOOP.replace("turns == 5", "turns == 1")
"""With little time, what comes before the mischief must not be late as well."""


class Maker:
    """Writes programs and starts them; ends them all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.log = folder / "logs" / "bot.log"
        self.made: list[Program] = []

    def __call__(
        self, code: str = "", loop: str = LOOP, seconds: float = PATIENCE, start: float = PATIENCE
    ) -> Program:
        path = self._folder / f"bot{len(self.made)}.py"
        path.write_text(PLAYER + textwrap.dedent(code) + loop)
        return self.command([sys.executable, "-S", "-E", str(path)], seconds, start)

    def command(
        self, words: list[str], seconds: float = PATIENCE, start: float = PATIENCE
    ) -> Program:
        limits = TimeLimits(move=seconds, start=start)
        program = Program(words, name="bot", limits=limits, log=self.log)
        self.made.append(program)
        return program


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Maker]:
    maker = Maker(tmp_path)
    yield maker
    for program in maker.made:
        program.close()


def play(program: Program, deal: int = 0) -> GameResult:
    return play_game(TABLE, [make_bot("casual"), program], deal)


def test_a_whole_game(make: Maker) -> None:
    """A program that answers properly plays as the same bot inside would, game after game."""
    program = make()
    games = [play(program, deal) for deal in (0, 1)]
    for game in games:
        assert game.fault is None
        assert game.winner is not None
        assert game.decisions[1] > 20


def mischief(code: str) -> str:
    return "def mischief(message):\n" + textwrap.indent(textwrap.dedent(code), "    ")


FAULTS = {
    "bad JSON": ("say('hello?\\n')", NONSENSE, "it said 'hello?', which is not JSON"),
    "no object": ("say('[1, 2]\\n')", NONSENSE, "not a JSON object"),
    "not UTF-8": ("os.write(1, b'\\xff\\xfe\\n')", NONSENSE, "not JSON"),
    "nested too deeply": ("say('[' * 60000 + '\\n')", NONSENSE, "not JSON"),
    "no action": ("""say('{"move": "D"}\\n')""", NONSENSE, "the action is an object"),
    "a number": ("""say('{"action": 7}\\n')""", NONSENSE, "the action is an object"),
    "no such action": ("""say('{"action": {"do": "fly"}}\\n')""", NONSENSE, "'do' is one of"),
    "no card": (
        """say('{"action": {"do": "discard", "card": "X1"}}\\n')""",
        NONSENSE,
        "'X1' is not a card",
    ),
    "illegal": (
        """say('{"action": {"do": "hit", "cards": ["R1"], "seat": 2, "meld": 1}}\\n')""",
        ILLEGAL,
        "H R1>2.1 is not legal: ",
    ),
    "a crash": ("raise ValueError('oh')", CRASHED, "exit code 1 in the middle"),
    "a silent end": ("raise SystemExit(3)", CRASHED, "exit code 3"),
    "a signal": ("os.kill(os.getpid(), signal.SIGKILL)", CRASHED, "ended by SIGKILL"),
    "no output any more": ("os.close(1); time.sleep(60)", CRASHED, "closed its standard output"),
    "two lines": ("say('{}\\n{}\\n')", FLOOD, "more than the one line asked for: '{}"),
    "no line end": (f"say('x' * {LONGEST_LINE + 5})", FLOOD, "without a line end"),
    "endless output": ("while True: say('x' * 1000)", FLOOD, "without a line end"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_misbehaviour(make: Maker, fault: str) -> None:
    code, kind, words = FAULTS[fault]
    program = make(mischief(code))
    game = play(program)
    assert game.winner is None
    assert game.fault is not None
    assert (game.fault.seat, game.fault.kind) == (2, kind)
    assert words in game.fault.sentence
    assert game.fault.sentence.isprintable()
    assert game.decisions[1] == 5
    assert play(program, 1).decisions[1] == 5  # it was started anew


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("time.sleep(60)", "no answer within 0.5 s (does it flush"),
        ("say('{\"action\":'); time.sleep(60)", "but no line end within 0.5 s"),
        ("while True: say('x'); time.sleep(0.01)", "but no line end within 0.5 s"),
        ("sys.stdout.write('{}\\\\n'); time.sleep(60)", "no answer within 0.5 s"),
    ],
)
def test_too_late(make: Maker, code: str, words: str) -> None:
    game = play(make(mischief(code), loop=LATE_LOOP, seconds=0.5))
    assert game.fault is not None
    assert game.fault.kind == LATE
    assert words in game.fault.sentence
    assert game.seconds[1] > 0.4


def test_it_speaks_without_being_asked(make: Maker, tmp_path: Path) -> None:
    spoken = tmp_path / "spoken"
    program = make(
        loop=f"""
greet()
while hear()["type"] == "game":
    pass
say("thanks\\n")
open({str(spoken)!r}, "w").close()
time.sleep(60)
"""
    )
    program.game_begins(TABLE, 1, 0)
    view = _last_view()
    program.hand_ends(view)
    wait_until(spoken.exists, "what it says")
    with pytest.raises(FaultError, match="without being asked: 'thanks"):
        program.choose(view)


def _last_view() -> View:
    game = Game("express", ["a", "b"], seed=1)
    casual = make_bot("casual")
    while not game.state.sheet.hands:
        game.play(casual.choose(game.view()))
    return game.view()


def test_a_program_that_never_reads(make: Maker) -> None:
    """Neither side waits for ever, however much there is to tell."""
    program = make(loop="greet()\ntime.sleep(60)", seconds=0.5)
    program.game_begins(TABLE, 1, 0)
    view = _last_view()
    for _ in range(2000):
        program.hand_ends(view)
    with pytest.raises(FaultError, match="no answer"):
        program.choose(view)


@pytest.mark.parametrize(
    ("loop", "words"),
    [
        ("time.sleep(60)", "no answer within 0.5 s"),
        ("raise SystemExit(1)", "exit code 1"),
        ("say('hi\\n'); time.sleep(60)", "not JSON"),
        ("""say('{"type": "hello", "protocol": 1}\\n')""", '"protocol": 2} was expected'),
    ],
)
def test_a_program_that_does_not_say_hello(make: Maker, loop: str, words: str) -> None:
    program = make(loop="hear()\n" + loop, start=0.5 if "0.5 s" in words else PATIENCE)
    game = play(program)
    assert game.fault is not None
    assert words in game.fault.sentence
    assert game.decisions[1] == 1


def test_a_program_that_is_not_there(make: Maker) -> None:
    game = play(make.command(["/nowhere/at/all"]))
    assert game.fault is not None
    assert game.fault.sentence == "/nowhere/at/all cannot be started: No such file or directory"


def test_what_it_says_on_standard_error_is_kept(make: Maker) -> None:
    program = make(mischief("sys.stderr.write('thinking hard\\n'); raise ValueError('my mistake')"))
    play(program)
    text = make.log.read_text()
    assert "thinking hard" in text
    assert "ValueError: my mistake" in text


def test_standard_error_cannot_fill_the_disk(make: Maker) -> None:
    flood = f"sys.stderr.write('y' * {MOST_LOGGED * 3}); act(message)"
    game = play(make(mischief(flood)))
    assert game.fault is None
    assert make.log.stat().st_size == MOST_LOGGED


def running(marker: Path) -> Callable[[], bool]:
    pid = int(marker.read_text())

    def is_running() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return "zombie" not in Path(f"/proc/{pid}/status").read_text() if _proc(pid) else True

    return is_running


def _proc(pid: int) -> bool:
    return Path(f"/proc/{pid}/status").exists()


def test_nothing_is_left_running(make: Maker, tmp_path: Path) -> None:
    """Not a program that ignores the end of its input, and not what it has started itself."""
    marker = tmp_path / "child"
    program = make(
        f"""
        import subprocess
        child = subprocess.Popen(["sleep", "600"])
        open({str(marker)!r}, "w").write(str(child.pid))
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        """,
        loop="greet()\ntime.sleep(600)",
    )
    program.start()
    alive = running(marker)
    assert alive()
    program.close()
    wait_until(lambda: not alive(), "the end of what it had started")


def test_what_a_program_is_told(make: Maker, tmp_path: Path) -> None:
    """The whole conversation of a game, as the program sees it."""
    heard = tmp_path / "heard"
    path = tmp_path / "bot.sh"
    path.write_text(
        "#!/bin/sh\n"
        f'while IFS= read -r line; do echo "$line" >> {heard}\n'
        "case $line in\n"
        """*'"type":"hello"'*) echo '{"type":"hello","protocol":2}';;\n"""
        """*'"type":"turn"'*) actions=${line##*'"actions":['}; """
        """echo "{\\"action\\":${actions%%\\}*}}}";;\n"""
        "esac; done\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    program = make.command([str(path)])
    game = play(program)
    program.close()
    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert lines[0] == {"type": "hello", "protocol": 2, "time_limit": PATIENCE}
    assert lines[1]["type"] == "game"
    assert (lines[1]["seat"], lines[1]["players"]) == (2, 2)
    assert lines[1]["rules"]["edition"] == "express"
    assert isinstance(lines[1]["seed"], int)
    kinds = [line["type"] for line in lines]
    assert kinds.count("turn") == game.decisions[1]
    assert kinds.count("hand") == len(game.hands)
    assert lines[-1] == {"type": "end", "winner": game.winner, "forfeit": None}
    hands = [line for line in lines if line["type"] == "hand"]
    assert [hand["scored"]["hand"] for hand in hands] == list(range(1, len(hands) + 1))
    assert hands[-1]["totals"] == list(game.totals)
    assert [hand["scored"]["out"] for hand in hands] == [hand.out for hand in game.hands]


def test_it_needs_a_game_first(make: Maker) -> None:
    with pytest.raises(ValueError, match="not told"):
        make().choose(_last_view())
