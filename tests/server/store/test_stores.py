"""Both stores keep the same promises."""

import asyncio

import pytest

from phaseten.server.store.database import open_store
from phaseten.server.store.interface import (
    EVENTS_FORM,
    MOST_SUBSCRIPTIONS,
    OLD_SUBSCRIPTION,
    ConflictError,
    FinishedGame,
    KeptGame,
    KeptStep,
    Store,
    StoreUnavailableError,
    StoreVersionError,
    Subscription,
)
from phaseten.server.store.sql import MIGRATIONS, SCHEMA_TABLE
from tests.server.store.keeping import LISTING, execute, opened, step, with_store


def test_what_was_appended_is_read_in_order(database: str) -> None:
    async def use(store: Store) -> None:
        assert await store.append("A", 0, step("one", 10), LISTING) == 1
        assert await store.append("A", 1, step("zwei ✓", 20), LISTING) == 2
        assert await store.append("B", 0, step("other", 30), LISTING) == 1
        assert await store.read("A") == [
            (1, (10, "one", EVENTS_FORM)),
            (2, (20, "zwei ✓", EVENTS_FORM)),
        ]
        assert await store.read("A", 1) == [(2, (20, "zwei ✓", EVENTS_FORM))]
        assert await store.read("A", 2) == []
        assert await store.read("nobody's") == []

    with_store(database, use)


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_a_wrong_version_is_a_conflict_and_changes_nothing(database: str, expected: int) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step("one"), LISTING)
        await store.append("A", 1, step("two"), LISTING)
        with pytest.raises(ConflictError) as caught:
            await store.append("A", expected, step("no"), LISTING._replace(owners=("x",)))
        assert (caught.value.table, caught.value.expected) == ("A", expected)
        assert [kept.step.events for kept in await store.read("A")] == ["one", "two"]
        assert await store.tables_of("x", 9) == []

    with_store(database, use)


def test_of_many_at_once_one_wins_each_version(database: str) -> None:
    async def use(store: Store) -> None:
        for version in range(5):
            outcomes = await asyncio.gather(
                *[store.append("A", version, step(str(i)), LISTING) for i in range(12)],
                return_exceptions=True,
            )
            assert sorted(type(o).__name__ for o in outcomes) == ["ConflictError"] * 11 + ["int"]
        assert [kept.version for kept in await store.read("A")] == [1, 2, 3, 4, 5]

    with_store(database, use)


def test_a_store_that_is_opened_again_has_everything(database: str) -> None:
    async def first(store: Store) -> None:
        await store.append("A", 0, step("one"), LISTING)

    async def second(store: Store) -> None:
        assert [kept.step.events for kept in await store.read("A")] == ["one"]
        assert await store.append("A", 1, step("two"), LISTING) == 2

    with_store(database, first)
    with_store(database, second)


def test_lists(database: str) -> None:
    async def use(store: Store) -> None:
        late = LISTING._replace(due=500, about='"late"', owners=("ana", "beto"))
        await store.append("LATE", 0, step(at=1), late)
        await store.append("SOON", 0, step(at=2), LISTING._replace(due=100, public=False))
        await store.append("DONE", 0, step(at=3), LISTING._replace(stage="finished"))
        await store.append("IDLE", 0, step(at=4), LISTING._replace(owners=("ana",)))
        assert [listed.table for listed in await store.public_tables(9)] == ["IDLE", "LATE"]
        assert [listed.table for listed in await store.public_tables(1)] == ["IDLE"]
        assert [listed.table for listed in await store.tables_of("ana", 9)] == ["IDLE", "LATE"]
        assert await store.tables_of("beto", 9) == [("LATE", "playing", 1, '"late"')]
        await store.append("LATE", 1, step(at=5), late._replace(due=None, stage="finished"))
        assert [listed.table for listed in await store.public_tables(9)] == ["IDLE"]

    with_store(database, use)


@pytest.mark.parametrize("needs", [len(MIGRATIONS), len(MIGRATIONS) + 1])
def test_a_newer_database_is_used_if_it_says_that_it_can_be(database: str, needs: int) -> None:
    async def main() -> None:
        async with opened(database):
            pass
        await execute(database, f"UPDATE schema SET version = 99, needs = {needs}")
        if needs > len(MIGRATIONS):
            sentence = f"version 99.*up to {len(MIGRATIONS)}"
            with pytest.raises(StoreVersionError, match=sentence):
                await open_store(database)
            return
        async with opened(database) as store:  # nodes of two versions at one database
            await store.append("A", 0, step(), LISTING)
            assert len(await store.read("A")) == 1

    asyncio.run(main())


def test_a_closed_store_says_so(database: str) -> None:
    async def main() -> None:
        store = await open_store(database)
        await store.close()
        with pytest.raises(StoreUnavailableError):
            await store.append("A", 0, step(), LISTING)
        with pytest.raises(StoreUnavailableError):
            await store.read("A")

    asyncio.run(main())


def finished(game: str, number: int = 1, first: int = 1) -> FinishedGame:
    return FinishedGame(game, number, first, "ana", '"about"', (("ana", 1), ("beto", 2)))


def test_finished_games_are_listed_to_their_players(database: str) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step(at=1), LISTING)
        await store.append("A", 1, step(at=5), LISTING._replace(finished=finished("one")))
        await store.append("A", 2, step(at=6), LISTING)
        await store.append("A", 3, step(at=9), LISTING._replace(finished=finished("two", 2, 3)))
        one = KeptGame("one", "A", 1, 1, 2, 5, "ana", '"about"')
        two = KeptGame("two", "A", 2, 3, 4, 9, "ana", '"about"')
        assert await store.game("one") == one
        assert await store.game("none") is None
        assert await store.games_of("beto", 9) == [(two, 2), (one, 2)]
        assert await store.games_of("beto", 1) == [(two, 2)]
        assert await store.games_of("zoe", 9) == []
        assert await store.games_at("A") == [one, two]

    with_store(database, use)


def test_a_game_is_kept_with_its_last_step_or_not_at_all(database: str) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step(), LISTING)
        with pytest.raises(ConflictError):
            await store.append("A", 7, step(), LISTING._replace(finished=finished("one")))
        assert await store.game("one") is None
        await store.append("A", 1, step(), LISTING._replace(finished=finished("one")))
        with pytest.raises(StoreUnavailableError):  # a game ends once
            await store.append("A", 2, step(), LISTING._replace(finished=finished("one")))
        assert len(await store.read("A")) == 2
        assert await store.append("A", 2, step(), LISTING) == 3

    with_store(database, use)


def test_a_game_is_forgotten(database: str) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step("x", 3), LISTING._replace(finished=finished("one")))
        await store.append("A", 1, step("y", 4), LISTING)
        game = await store.game("one")
        assert game is not None
        with pytest.raises(ConflictError):
            await store.forget(game, 1, [])
        assert await store.game("one") == game
        await store.forget(game, 2, [KeptStep(1, step("[]"))])
        assert await store.read("A") == [(1, (3, "[]", EVENTS_FORM)), (2, (4, "y", EVENTS_FORM))]
        assert await store.game("one") is None
        assert await store.games_of("ana", 9) == []
        assert await store.append("A", 2, step(), LISTING) == 3

    with_store(database, use)


def test_a_table_is_forgotten_and_nobody_brings_it_back(database: str) -> None:
    async def use(store: Store) -> None:
        listing = LISTING._replace(owners=("ana",), finished=finished("one"))
        await store.append("A", 0, step(), listing)
        await store.append("B", 0, step(), LISTING)
        game = await store.game("one")
        assert game is not None
        await store.forget(game, 1, None)
        assert await store.read("A") == []
        assert await store.tables_of("ana", 9) == []
        assert [listed.table for listed in await store.public_tables(9)] == ["B"]
        for expected in (1, 2):
            with pytest.raises(ConflictError):
                await store.append("A", expected, step(), LISTING)
        assert await store.read("A") == []
        with pytest.raises(ConflictError):
            await store.forget(game, 1, None)

    with_store(database, use)


def test_a_step_that_comes_while_a_table_is_forgotten_is_not_left_behind(database: str) -> None:
    async def use(store: Store) -> None:
        for number in range(10):
            name = f"T{number}"
            await store.append(name, 0, step(), LISTING._replace(finished=finished(name)))
            game = await store.game(name)
            assert game is not None
            outcomes = await asyncio.gather(
                store.append(name, 1, step(), LISTING),
                store.forget(game, 1, None),
                store.append(name, 1, step(), LISTING),
                return_exceptions=True,
            )
            assert sum(isinstance(outcome, ConflictError) for outcome in outcomes) == 2
            left = [kept.version for kept in await store.read(name)]
            assert left in ([], [1, 2])
            assert (await store.game(name) is None) == (left == [])

    with_store(database, use)


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_an_older_database_is_brought_up_to_date(database: str, version: int) -> None:
    statements = [sql for migration in MIGRATIONS[:version] for sql in migration]
    kept = "INSERT INTO schema (version) VALUES ({})"
    asyncio.run(execute(database, SCHEMA_TABLE, *statements, kept.format(version)))
    old = "INSERT INTO steps (table_id, version, at, events) VALUES ('O', 1, 1, '[]')"
    asyncio.run(execute(database, old))

    async def new(store: Store) -> None:
        await store.append("A", 0, step(), LISTING._replace(finished=finished("one")))
        assert await store.game("one") is not None
        assert await store.read("O") == [(1, (1, "[]", 1))]

    with_store(database, new)
    with_store(database, lambda store: store.check())


def test_browsers_are_kept_with_their_owner_until_they_are_forgotten(database: str) -> None:
    async def use(store: Store) -> None:
        def subscription(name: str, auth: str = "a") -> Subscription:
            return Subscription(f"https://push.example.org/{name}", "key", auth, "es", "https://x")

        phone, laptop = subscription("phone"), subscription("laptop")
        await store.keep_subscription("ana", phone, 1_000)
        await store.keep_subscription("ana", laptop, 2_000)
        assert await store.subscriptions_of("ana") == [phone, laptop]
        assert await store.subscriptions_of("beto") == []
        await store.forget_subscription("beto", phone.endpoint)  # it is not his
        renewed = subscription("phone", "b")
        await store.keep_subscription("ana", renewed, 3_000)
        assert await store.subscriptions_of("ana") == [laptop, renewed]
        await store.forget_subscription("ana", laptop.endpoint)
        assert await store.subscriptions_of("ana") == [renewed]
        await store.keep_subscription("beto", renewed, 4_000)  # the phone is his now
        assert await store.subscriptions_of("ana") == []
        many = [subscription(str(number)) for number in range(MOST_SUBSCRIPTIONS)]
        for at, one in enumerate(many, 5_000):
            await store.keep_subscription("beto", one, at)
        assert await store.subscriptions_of("beto") == many
        await store.keep_subscription("ana", phone, 5_001 + OLD_SUBSCRIPTION)
        assert await store.subscriptions_of("beto") == many[1:]

    with_store(database, use)
