"""What the tests of the server share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.cluster import Cluster, programs
from tests.server.service import FAST, Service


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    folder = programs()
    if folder is None:
        missing = "PostgreSQL is not installed: .ci/services says how"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    own = Cluster(folder)
    yield own
    own.remove()


def _make_database(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        return str(folder / "tables.sqlite")
    own: Cluster = request.getfixturevalue("cluster")
    return own.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The name of a new database, of each kind, as ``--database`` takes it."""
    return _make_database(request)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def usual_database(request: pytest.FixtureRequest) -> str:
    """The same where the tests of the stores have shown that the kind makes no difference."""
    return _make_database(request)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server for all who look at nothing but tables of their own."""
    database = str(tmp_path_factory.mktemp("shared") / "tables.sqlite")
    with Service(database, *FAST, "--limit=talk=100000/100000") as started:
        yield started


@pytest.fixture
def new_database(cluster: Cluster) -> Callable[[], str]:
    return cluster.new_database
