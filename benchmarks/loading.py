"""How long a table takes to come into memory, young and old: from its last snapshot, and from its whole log.

Bots of one kind play game after game at one table, and the table is loaded at many of its ages. Times are of CPU,
for reading the snapshot, reading the steps after it and folding them; the database's own time is not in them.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

from phaseten.bots.ladder import make_bot
from phaseten.server.store.codec import read_events, write_events
from phaseten.server.store.snapshots import EVERY, is_due, read_table, write_table
from phaseten.table.commands import CallRematch, DealHand, GiveUp, OpenTable, PlayBot, StartGame
from phaseten.table.decisions import Decision, decide, do_chore, open_table
from phaseten.table.duties import BotDuty, DealDuty, next_duty
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import Table, empty_table

TARGET = 2.0
"""Milliseconds."""


class Evening:
    """A table at which bots play, its log, and its last snapshot."""

    def __init__(self, edition: str, bot: str) -> None:
        options = Options(edition=edition, pace=0, stand_in=bot)
        self._bot = make_bot(bot)
        self.table = empty_table("BENCHMAR")
        self.log: list[str] = []
        self.snapshot = ""
        self.kept = 0
        self._happen(open_table("host", OpenTable(options, "Host", bytes(32))))
        self._happen(decide(self.table, "host", StartGame()))

    def _happen(self, decision: Decision) -> None:
        assert isinstance(decision, tuple), decision
        self.log.append(write_events(decision))
        self.table = apply(self.table, len(self.log), decision)
        if is_due(self.table, decision):
            self.snapshot, self.kept = write_table(self.table), self.table.version

    def go_on(self) -> None:
        """One step more."""
        table = self.table
        if table.stage == "waiting":
            self._happen(decide(table, "host", StartGame()))
        elif table.stage == "finished":
            self._happen(decide(table, "host", CallRematch(len(self.log).to_bytes(32))))
        else:
            self._happen(do_chore(table, self._chore(table)))

    def _chore(self, table: Table) -> PlayBot | DealHand | GiveUp:
        duty = next_duty(table)
        if isinstance(duty, BotDuty):
            view = table.view(duty.seat)
            assert view is not None
            return PlayBot(duty.seat, self._bot.choose(view), table.version)
        return DealHand() if isinstance(duty, DealDuty) else GiveUp()

    def load(self) -> float:
        """Load the table as a server does; milliseconds of CPU."""
        began = time.process_time()
        table = read_table(self.snapshot) if self.kept else empty_table("BENCHMAR")
        for at, text in enumerate(self.log[self.kept :], self.kept + 1):
            table = apply(table, at, read_events(text))
        spent = (time.process_time() - began) * 1_000
        assert table == self.table
        return spent

    def fold(self) -> float:
        """The same from the whole log."""
        began = time.process_time()
        table = empty_table("BENCHMAR")
        for at, text in enumerate(self.log, 1):
            table = apply(table, at, read_events(text))
        spent = (time.process_time() - began) * 1_000
        assert table == self.table
        return spent


def main() -> int:
    """Play, load, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--bot", default="rookie")
    parser.add_argument("--every", type=int, default=29, help="load it after so many steps")
    options = parser.parse_args()
    evening = Evening(options.edition, options.bot)
    found: list[float] = []
    while len(evening.log) < options.steps:
        evening.go_on()
        if len(evening.log) % options.every == 0:
            found.append(evening.load())
    tenth = max(1, len(found) // 10)
    print(f"{len(evening.log)} steps, {evening.table.games} games, a snapshot every {EVERY} steps")
    for name, part in (("first", found[:tenth]), ("last", found[-tenth:]), ("all", found)):
        ninetieth = sorted(part)[int(len(part) * 0.99)]
        print(f"  {name:5} {statistics.median(part):6.2f} ms half, {ninetieth:6.2f} ms 99%")
    print(f"  from the whole log: {evening.fold():.0f} ms")
    oldest = sorted(found[-tenth:])
    return 0 if oldest[int(len(oldest) * 0.99)] <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
