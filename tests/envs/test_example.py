"""The example that learns does learn. It needs torch."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "learn" / "ppo.py"


@pytest.fixture
def ppo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is missing: pip install 'phaseten[training]' to test the example")
    spec = importlib.util.spec_from_file_location("ppo", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "ppo", module)  # where its dataclasses look for their types
    spec.loader.exec_module(module)
    return module


def test_it_has_about_200_lines() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 250


@pytest.mark.long
def test_the_curve_rises(ppo: ModuleType) -> None:
    curve = ppo.train(ppo.Settings(actions=150_000, threads=1))
    assert max(curve[:2]) < 0.1
    assert curve[-1] > 0.25
