"""The work on a Ray cluster: the same pieces, wherever there is a free core.

Ray is an extra. What is imported here is imported by ``--ray`` alone.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from itertools import islice
from typing import Any

from phaseten.arena.chunks import Chunk, Played, play_chunk


class ClusterError(RuntimeError):
    """Ray is not installed, or its cluster cannot be reached."""


def play_on_cluster(chunks: Iterator[Chunk], address: str | None) -> Generator[list[Played]]:
    """Do the work on the cluster at that address; without one, on a cluster of this machine."""
    ray = _ray()
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address)
    try:
        yield from _spread(ray, chunks)
    finally:
        if ours:
            ray.shutdown()


def _ray() -> Any:
    try:
        import ray  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise ClusterError(
            "--ray needs Ray, which is not installed: pip install 'phaseten[ray]'"
        ) from error
    return ray


def _connect(ray: Any, address: str | None) -> None:
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"the Ray cluster at {address}" if address else "a Ray cluster on this machine"
        raise ClusterError(f"{where} cannot be reached: {error}") from error


def _spread(ray: Any, chunks: Iterator[Chunk]) -> Generator[list[Played]]:
    task = ray.remote(_play)
    cores = int(ray.cluster_resources().get("CPU", 1))
    flying: list[Any] = []
    while True:
        flying += [task.remote(chunk) for chunk in islice(chunks, 2 * cores - len(flying))]
        if not flying:
            return
        done, flying = ray.wait(flying, num_returns=1)
        for deals in ray.get(done):
            yield from deals


def _play(chunk: Chunk) -> list[list[Played]]:
    """A piece of work, as a task."""
    return list(play_chunk(chunk))
