"""What the tests of the server share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.cluster import Cluster, programs


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


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name of a new database, of each kind, as ``--database`` takes it."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite")
    own: Cluster = request.getfixturevalue("cluster")
    return own.new_database()


@pytest.fixture
def new_database(cluster: Cluster) -> Callable[[], str]:
    return cluster.new_database
