"""The same work on a Ray cluster: a local one, of two cores."""

import subprocess
import sys
from pathlib import Path

import pytest

from phaseten.arena.cluster import ClusterError, play_on_cluster

SCRIPT = """
import sys
import ray
from phaseten.cli import main

if __name__ == "__main__":
    ray.init(num_cpus=2, log_to_driver=False, logging_level="ERROR")
    code = main(["arena", "sharp", "casual", "rookie", "--edition", "express", "--players", "2,3",
                 "--games", "12", "--out", "cluster.jsonl", "--csv", "cluster.csv", *sys.argv[1:]])
    ray.shutdown()
    sys.exit(code)
"""


@pytest.mark.long
def test_a_cluster_gives_the_same_results(tmp_path: Path) -> None:
    """In a process of its own. Where Ray cannot start, this fails: it is not skipped."""
    (tmp_path / "on_cluster.py").write_text(SCRIPT)
    for words, name in ((["on_cluster.py", "--ray"], "cluster"), (["-m", "phaseten"], "here")):
        if name == "here":
            words += ["arena", "sharp", "casual", "rookie", "--edition", "express"]
            words += ["--players", "2,3", "--games", "12", "--csv", "here.csv", "--workers", "1"]
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "sharp - casual" in done.stdout
    assert (tmp_path / "cluster.csv").read_text() == (tmp_path / "here.csv").read_text()
    assert len((tmp_path / "here.csv").read_text().splitlines()) == 1 + 3 * 12 * 2 + 3 * 12 * 3


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'phaseten\[ray\]'"):
        next(play_on_cluster(iter(()), None))
