"""Puzzles over HTTP."""

from pathlib import Path

import httpx

from phaseten.analysis.puzzles import puzzles
from phaseten.language import language
from phaseten.server.http.puzzle_forms import puzzle_form
from tests.patience import PATIENCE
from tests.server.service import Service


def test_every_puzzle_has_one_answer_in_every_language() -> None:
    for code in ("en", "es", "fr", "pt"):
        words = language(code)
        for puzzle in puzzles():
            form = puzzle_form(puzzle, words)
            assert [answer.loss for answer in form.answers].count(0.0) == 1
            texts = [answer.text for answer in form.answers]
            assert len(texts) == len(set(texts)) > 1
            assert all(answer.reasons for answer in form.answers if answer.loss == 0)
            (frame,) = form.moment.frames
            assert len(frame.game["held"]) == len(puzzle.view.held)


def test_puzzles_are_listed_and_shown(tmp_path: Path) -> None:
    with (
        Service(str(tmp_path / "tables.sqlite")) as service,
        httpx.Client(base_url=service.url, timeout=PATIENCE) as http,
    ):
        listed = http.get("/api/puzzles", params={"language": "es"}).json()
        assert len(listed["puzzles"]) == len(puzzles())
        assert {"name": "end", "title": "el final de la mano"} in listed["themes"]
        shown = http.get(f"/api/puzzles/{listed['day']}", params={"language": "es"}).json()
        assert shown["title"].startswith(f"Problema {listed['day']}")
        for nonsense in ("0", str(len(puzzles()) + 1), "-1", "x", "9" * 5_000, "²"):
            answer = http.get(f"/api/puzzles/{nonsense}", params={"language": "en"})
            assert answer.status_code == 404
            assert answer.json()["reason"] == "no-puzzle"
