from phaseten.arena.exports import COLUMNS, draw_standings, format_csv, summarize
from phaseten.arena.intervals import estimate_mean
from phaseten.arena.ratings import rate
from phaseten.arena.standings import observe_behaviour
from tests.arena.made_up import FAULT, a_match, row, stand


def test_csv() -> None:
    match = a_match(3, "a", "b")  # a b a
    games = [row(match, 1, 0, None, FAULT), row(match, 0, 0, 3), row(match, 2, 0, None)]
    lines = [line.split(",") for line in format_csv(games).splitlines()]
    assert lines[0] == list(COLUMNS)
    table = [dict(zip(COLUMNS, line, strict=True)) for line in lines[1:]]
    assert [(r["deal"], r["seat"], r["bot"], r["won"]) for r in table] == [
        ("0", "1", "a", "0"),
        ("0", "2", "b", "0"),
        ("0", "3", "a", "1"),
        ("1", "1", "a", "0.5"),
        ("1", "2", "b", "0"),
        ("1", "3", "a", "0.5"),
        ("2", "1", "a", "0.333333"),
        ("2", "2", "b", "0.333333"),
        ("2", "3", "a", "0.333333"),
    ]
    assert [r["fault"] for r in table if r["fault"]] == ["no answer within 1 s"]
    assert table[0] == {
        "edition": "classic",
        "players": "3",
        "match": "a - b",
        "deal": "0",
        "seating": "0",
        "seat": "1",
        "bot": "a",
        "won": "0",
        "points": "50",
        "phases": "10",
        "hands": "11",
        "actions": "400",
        "fault": "",
    }


def test_summary() -> None:
    match = a_match(2, "a", "b")
    games = [row(match, 0, 0, 1), row(match, 0, 1, None, FAULT)]
    found = summarize([stand(match, games)], [observe_behaviour("a", games)], rate(games))
    assert found["matches"] == [
        {
            "edition": "classic",
            "players": 2,
            "match": "a - b",
            "games": 2,
            "deals": 1,
            "given_up": 0,
            "forfeits": 1,
            "fair": 0.5,
            "shares": [
                {"bot": "a"} | estimate_mean([0.5])._asdict(),
                {"bot": "b"} | estimate_mean([0.5])._asdict(),
            ],
            "verdict": stand(match, games).verdict,
        }
    ]
    [bot] = found["bots"]  # type: ignore[misc]
    assert bot["faults"] == [
        {
            "edition": "classic",
            "players": 2,
            "match": "a - b",
            "deal": 0,
            "seating": 1,
            "seat": 2,
            "kind": "late",
            "sentence": "no answer within 1 s",
        }
    ]


def test_the_picture() -> None:
    match = a_match(2, "a", "b")
    other = a_match(4, "a", "b")
    games = [row(match, 0, 0, 1), row(match, 0, 1, 2), row(other, 0, 0, 1), row(other, 0, 1, 1)]
    text = draw_standings([stand(match, games), stand(other, games)], "A & B")
    assert text.startswith("<svg")
    assert "A &amp; B" in text
    assert "a against b, 2 players" in text
    assert "a against b, 4 players" in text
    assert "50 %, equally strong" in text
    three = a_match(3, "a", "b", "c")
    games = [row(three, 0, seating, 1) for seating in range(3)]
    text = draw_standings([stand(three, games)], "Three")
    assert "33.33 %" in text
