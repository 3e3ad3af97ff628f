"""Records of hands in which nobody went out (H-DEAD)."""

from pathlib import Path

from phaseten.notation.records import parse_record
from phaseten.notation.replay import follow, follow_seen
from phaseten.notation.verdict import judge_bytes
from phaseten.rules.events import HandScored

GAMES = Path(__file__).parents[1] / "golden" / "games"
WHOLE = (GAMES / "express-2p-standard-standing-still.p10").read_text(encoding="utf-8")
REDACTED = (GAMES / "express-2p-standard-standing-still-redacted.p10").read_text(encoding="utf-8")


def still_hand() -> tuple[list[str], int]:
    """The lines of the record, and the place of the End of the hand that stood still."""
    hand = next(
        event.hand
        for step in follow(parse_record(WHOLE))
        for event in step.events
        if isinstance(event, HandScored) and event.out is None
    )
    lines = WHOLE.split("\n")
    ends = [place for place, line in enumerate(lines) if line.startswith("End ")]
    return lines, ends[hand - 1]


def test_nobody_is_out_in_the_verdict() -> None:
    verdict = judge_bytes(WHOLE.encode())
    assert verdict["ok"] is True
    (still,) = [hand for hand in verdict["hands"] if hand["out"] is None]
    assert min(still["points"].values()) > 0


def test_nobody_plays_on_after_it() -> None:
    lines, end = still_hand()
    seat = 3 - int(lines[end - 1].split()[0])
    verdict = judge_bytes("\n".join([*lines[:end], f"{seat} D -R1"]).encode())
    assert (verdict["ok"], verdict["rule"], verdict["line"]) == (False, "T-TURN", end + 1)


def test_it_is_not_over_before() -> None:
    lines, end = still_hand()
    verdict = judge_bytes("\n".join([*lines[: end - 1], lines[end]]).encode())
    assert (verdict["ok"], verdict["rule"], verdict["line"]) == (False, "G-OUT", end)


def test_with_endless_hands_it_goes_on() -> None:
    lines, end = still_hand()
    lines.insert(1, '[House "endless_hands"]')
    verdict = judge_bytes("\n".join(lines[: end + 2]).encode())
    assert (verdict["ok"], verdict["rule"]) == (False, "G-OUT")
    assert judge_bytes("\n".join(lines[: end + 1]).encode())["turn"]["step"] == "draw"


def test_a_seat_saw_the_same_points() -> None:
    whole = [e for s in follow(parse_record(WHOLE)) for e in s.events if isinstance(e, HandScored)]
    seen = [
        e
        for s in follow_seen(parse_record(REDACTED))
        for e in s.events
        if isinstance(e, HandScored)
    ]
    assert seen == whole
