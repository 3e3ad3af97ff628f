"""Bots think in processes of their own, so that nobody else's move has to wait.

A worker (``phaseten.workers``) sees a View and nothing else, and ends with the server, however that ends. Where
more is asked for than there are workers, who waits for a person comes before who plays among bots, and who thinks
quickly before who thinks long; and the master thinks the less the more are waiting.
"""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from heapq import heappop, heappush
from importlib import import_module
from itertools import count
from typing import Any, Final, NamedTuple

from phaseten.bots.ladder import MASTER, make_bot
from phaseten.bots.reasons import explain, recommend
from phaseten.rules.actions import Action
from phaseten.rules.events import Seen
from phaseten.rules.needs import Need, needs_of
from phaseten.rules.views import View
from phaseten.server.logs import where
from phaseten.server.running.chance import SECRET
from phaseten.server.running.coaching import give_way
from phaseten.table.advice import Advice, Remark
from phaseten.workers import Worker, WorkerError, WorkerLostError, ignore_signals

_Worker = Worker["_Task | _Count | _Move", Any]

ADVISERS: Final = 1
"""Processes that answer people's questions: they never make a bot wait for its own move."""
COUNTERS: Final = 1
"""Processes that count what people's cards lack: a quick answer must not wait for a bot's advice."""
JUDGES: Final = 1
"""Processes in which the coach judges people's moves: they give way to those that play."""
BEHIND_MOVES: Final = 10
"""How much they do: less than the coach that reads whole games, because a word that comes late is worth nothing."""

MASTER_SECONDS: Final = 0.2
"""How long the master thinks where nobody waits."""
ALONE: Final = 5.0
"""Seconds by which those who play for people may come later than those among bots and still be asked first."""
SLOW: Final = 2.0
"""The same for those who answer at once and those who think."""

LONGEST: Final = 20.0
"""Seconds after which a worker is given up: a bot keeps its time by itself, and this one does not."""
START: Final = 120.0
"""The same for a worker that has to start first."""
LONGEST_BEHIND: Final = 600.0
"""The same for one that gives way: on a busy machine it has to wait for long, and nobody waits for it."""


class BotFailedError(RuntimeError):
    """A bot could not answer; another try gets another worker."""


class _Count(NamedTuple):
    """A worker is to say what the cards of this view lack."""

    view: View


class _Move(NamedTuple):
    """A worker is to say what a move has given away: what its player knew, and what that one saw first of it."""

    view: View
    event: Seen


class _Task(NamedTuple):
    """A worker is to choose an action, or to explain one."""

    view: View
    level: str = ""
    seed: int = 0
    action: Action | None = None
    """The action to explain; None: the bot is to choose one."""
    why: bool = False
    seconds: float = MASTER_SECONDS
    """How long the master may think."""


class BotProcesses:
    """The processes in which bots think: so many for their moves, and others for advice."""

    def __init__(self, processes: int, new_seed: Callable[[], int] = SECRET.new_bot_seed) -> None:
        self._new_seed = new_seed
        self._movers = _Pool(processes)
        self._advisers = _Pool(ADVISERS)
        self._counters = _Pool(COUNTERS)
        self._judges = _Pool(JUDGES, is_behind=True)

    @property
    def waiting(self) -> int:
        """How many choices are asked for and not yet made."""
        return self._movers.waiting

    async def choose(self, level: str, view: View, *, is_alone: bool = False) -> Action:
        """What a bot of that level does when it knows this; whether bots alone wait for it."""
        task = _Task(view, level, self._new_seed())
        patience = ALONE * is_alone + SLOW * (level == MASTER)
        advice: Advice = await self._movers.ask(task, patience)
        return advice.action

    async def advise(self, level: str, view: View) -> Advice:
        """What a bot of that level would do, and why."""
        return await self._advisers.ask(_Task(view, level, self._new_seed(), why=True))

    async def explain(self, action: Action, view: View) -> Advice:
        """Why one would do that, or why not."""
        return await self._advisers.ask(_Task(view, action=action, why=True))

    async def count(self, view: View) -> list[Need]:
        """How far the held cards go toward the Phases that can be laid."""
        return await self._counters.ask(_Count(view))

    async def judge(self, view: View, event: Seen) -> Remark | None:
        """What the coach says about a move, by what its player knew; None: nothing."""
        return await self._judges.ask(_Move(view, event))

    async def close(self) -> None:
        """Let the workers end."""
        await asyncio.to_thread(self._movers.close)
        await asyncio.to_thread(self._advisers.close)
        await asyncio.to_thread(self._counters.close)
        await asyncio.to_thread(self._judges.close)


class _Pool:
    """So many workers, each started when it is needed."""

    def __init__(self, processes: int, *, is_behind: bool = False) -> None:
        self._is_behind = is_behind
        """Whether they give way to everything else, and nobody waits for them."""
        self._busy: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="phaseten-bots")
        self.idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(processes):
            self.idle.put(None)
        self._processes = processes
        self._free = processes
        self._line: list[tuple[float, int, asyncio.Future[None]]] = []
        """Who waits for a worker: by when it came and how long it may wait for others."""
        self._numbers = count()
        self.waiting = 0

    async def ask(self, task: _Task | _Count | _Move, patience: float = 0.0) -> Any:
        """A worker's answer. Who came later by less than this patience, and has less of it, is asked first."""
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            await self._take_turn(loop.time() + patience)
            try:
                if isinstance(task, _Task):
                    task = task._replace(seconds=self._seconds)
                return await loop.run_in_executor(self._threads, self._ask, task)
            finally:
                self._call_next()
        finally:
            self.waiting -= 1

    @property
    def _seconds(self) -> float:
        """So long the master may think, that those who wait hardly notice it."""
        return MASTER_SECONDS / (1 + len(self._line) / self._processes)

    async def _take_turn(self, by: float) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        heappush(self._line, (by, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was called, and does not come
                self._call_next()
            raise

    def _call_next(self) -> None:
        while self._line:
            _, _, turn = heappop(self._line)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _ask(self, task: _Task | _Count | _Move) -> Any:
        worker: _Worker | None = self.idle.get()
        seconds = LONGEST_BEHIND if self._is_behind else LONGEST
        try:
            if worker is None:
                worker = Worker(_answers, stay_behind if self._is_behind else ignore_signals)
                seconds = max(seconds, START)
            with self._at_work(worker):
                answer = worker.ask(task, seconds)
        except (OSError, WorkerError, WorkerLostError) as error:
            if worker is not None:
                _dismiss(worker)
                worker = None
            is_late = isinstance(error, TimeoutError)
            why = "a bot took too long" if is_late else "a bot's process has ended"
            raise BotFailedError(why) from error
        finally:
            self.idle.put(worker)
        if isinstance(answer, str):
            raise BotFailedError(answer)
        return answer

    @contextmanager
    def _at_work(self, worker: _Worker) -> Generator[None]:
        self._busy.add(worker)
        try:
            yield
        finally:
            self._busy.discard(worker)

    def close(self) -> None:
        if self._is_behind:
            for worker in list(self._busy):
                worker.process.kill()  # whoever asked it is gone
        self._threads.shutdown(cancel_futures=True)
        for _ in range(self._processes):
            worker = self.idle.get()
            if worker is not None:
                _dismiss(worker)


def _dismiss(worker: _Worker) -> None:
    worker.dismiss()
    worker.leave()


def stay_behind() -> None:
    """What a process that judges moves does first."""
    ignore_signals()
    # What takes a second here can take minutes behind others.
    import_module("phaseten.analysis.remarks")
    give_way(BEHIND_MOVES)


def _answers(task: _Task | _Count | _Move) -> Iterator[Any]:
    """What a worker does."""
    yield _answer(task)


def _answer(task: _Task | _Count | _Move) -> Any:
    """The answer, or why there is none."""
    try:
        if isinstance(task, _Count):
            return needs_of(task.view)
        if isinstance(task, _Move):
            from phaseten.analysis.remarks import remark_on  # noqa: PLC0415 - large, and for this process alone

            return remark_on(task.view, task.event)
        action = task.action
        if action is None:
            level = f"{MASTER}@{task.seconds:.4f}s" if task.level == MASTER else task.level
            action = make_bot(level, seed=task.seed).choose(task.view)
        if not task.why:
            return Advice(action, ())
        # Who asks about an action wants to hear both sides; advice is not contradicted.
        say = recommend if task.action is None else explain
        return Advice(action, say(task.view, action))
    except Exception as error:  # noqa: BLE001 - what and where, without its text, which could tell cards
        return f"{_name(task)} failed: {where(error)}"


def _name(task: _Task | _Count | _Move) -> str:
    match task:
        case _Count():
            return "the count"
        case _Move():
            return "the coach"
        case _Task(level=level):
            return f"the bot {level}"
