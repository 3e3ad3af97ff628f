"""The coach gives way to everything else that its machine has to do."""

import os
import sys
from collections.abc import Callable, Iterator

import pytest

from phaseten.server.running import bot_processes, coaching
from phaseten.workers import Worker
from tests.patience import PATIENCE


def policies(_: None) -> Iterator[int]:
    yield os.sched_getscheduler(0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a policy for what can wait")
@pytest.mark.parametrize("prepare", [coaching.stay_behind, bot_processes.stay_behind])
def test_its_processes_give_way(prepare: Callable[[], None]) -> None:
    worker = Worker[None, int](policies, prepare)
    try:
        assert worker.ask(None, PATIENCE) == os.SCHED_IDLE
    finally:
        worker.dismiss()
        worker.leave()
