"""An edition of one's own is read as a table would read it, and said in the reader's language."""

from pathlib import Path

import httpx

from tests.patience import PATIENCE
from tests.server.service import FAST, Service

TOML = 'based_on = "classic"\nname = "own"\ntitle = "Ours"\nphases = ["{phase}"]\n'


def test_it_is_read_and_said_in_words(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), *FAST) as service:

        def send(phase: str, language: str) -> httpx.Response:
            return httpx.post(
                f"{service.url}/api/editions?language={language}",
                content=TOML.format(phase=phase),
                headers={"content-type": "text/plain"},
                timeout=PATIENCE,
            )

        good, bad, mauvaise = send("run 7", "en"), send("run 13", "en"), send("run 13", "fr")
    read = good.json()
    draft = read.pop("draft")
    assert read == {"title": "Ours", "players": [2, 6], "cards": 108, "phases": ["run of 7"]}
    assert draft["phases"] == [{"groups": [{"kind": "run", "size": 7}], "must_show": 0}]
    assert (draft["name"], draft["deal"], draft["colors"]) == ("own", 10, ["R", "B", "Y", "G"])
    assert (bad.status_code, mauvaise.status_code) == (422, 422)
    assert "Ours: 'run 13' is longer than the longest possible, 12" in bad.json()["sentence"]
    assert "« run 13 » est plus longue" in mauvaise.json()["sentence"]
