"""What is due is claimed: of all nodes one does it, and what fails again and again takes less and less time."""

import asyncio
from collections.abc import Callable
from itertools import pairwise

from phaseten.server.store.interface import Store
from tests.server.store.keeping import LISTING, opened, step, with_store

LEASE = 5


async def overdue(store: Store, *tables: str, due: int = 100, alone: bool = False) -> None:
    for table in tables:
        await store.append(table, 0, step(), LISTING._replace(due=due, alone=alone))


def test_what_is_due_is_claimed_once(database: str) -> None:
    async def use(store: Store) -> None:
        await overdue(store, "SOON")
        await overdue(store, "LATE", due=500)
        await overdue(store, "IDLE", due=9_000)
        assert await store.claim_due(99, 1_000, LEASE, 9) == []
        assert await store.claim_due(900, 1_000, LEASE, 1) == ["SOON"]
        assert await store.claim_due(900, 1_000, LEASE, 1) == ["LATE"]
        assert await store.claim_due(900, 1_004, LEASE, 9) == []

    with_store(database, use)


def test_where_nothing_comes_of_it_it_is_claimed_later_and_later(database: str) -> None:
    async def use(store: Store) -> None:
        await overdue(store, "A")
        times = [now for now in range(1_000, 2_000) if await store.claim_due(900, now, LEASE, 9)]
        assert [later - now for now, later in pairwise(times)] == [
            5, 10, 20, 40, 80, 160, 320, 320,
        ][: len(times) - 1]  # fmt: skip

    with_store(database, use)


def test_a_step_ends_a_lease(database: str) -> None:
    async def use(store: Store) -> None:
        await overdue(store, "A")
        assert await store.claim_due(900, 1_000, LEASE, 9) == ["A"]
        assert await store.claim_due(900, 1_005, LEASE, 9) == ["A"]
        await store.append("A", 1, step(), LISTING._replace(due=200))
        assert await store.claim_due(900, 1_006, LEASE, 9) == ["A"]
        assert await store.claim_due(900, 1_010, LEASE, 9) == []
        assert await store.claim_due(900, 1_011, LEASE, 9) == ["A"]

    with_store(database, use)


def test_what_somebody_is_at_is_left_to_it(database: str) -> None:
    async def use(store: Store) -> None:
        await overdue(store, "A", "B")
        await store.hold_due({"A": 1}, 2_000)
        assert await store.claim_due(900, 1_000, LEASE, 9) == ["B"]
        await store.hold_due({"A": 1, "B": 1}, 3_000)
        assert await store.claim_due(900, 2_000, LEASE, 9) == []
        assert sorted(await store.claim_due(900, 3_000, LEASE, 9)) == ["A", "B"]

    with_store(database, use)


def test_people_come_first(database: str) -> None:
    async def use(store: Store) -> None:
        await overdue(store, "BOTS", due=100, alone=True)
        await overdue(store, "PEOPLE", due=500)
        await overdue(store, "MORE BOTS", due=90, alone=True)
        claimed = [(await store.claim_due(900, 1_000, LEASE, 1))[0] for _ in range(3)]
        assert claimed == ["PEOPLE", "MORE BOTS", "BOTS"]

    with_store(database, use)


def test_nodes_that_claim_at_the_same_time_share_out_what_is_due(
    new_database: Callable[[], str],
) -> None:
    async def main() -> None:
        url = new_database()
        async with opened(url) as one, opened(url) as two, opened(url) as three:
            codes = [f"T{number:02}" for number in range(60)]
            await overdue(one, *codes)
            claims = [
                store.claim_due(900, 1_000, LEASE, 25) for store in (one, two, three) for _ in "123"
            ]
            claimed = [table for part in await asyncio.gather(*claims) for table in part]
            claimed += await one.claim_due(900, 1_000, LEASE, 60)
            assert sorted(claimed) == codes

    asyncio.run(main())


def test_the_clock_is_the_databases(database: str) -> None:
    async def use(store: Store) -> None:
        first = await store.clock()
        assert 1_700_000_000_000 < first <= await store.clock()

    with_store(database, use)
