"""The arena of machines that have nothing but Python and NumPy."""

from __future__ import annotations

import pytest

from training import arena


def test_each_deal_is_played_from_all_sides_and_counts_once() -> None:
    pairing = arena.Pairing(("casual", "sharp"), "express", 3)
    one = arena.play(pairing, 7)
    assert one.games == 6
    assert arena.play(pairing, 7) == one
    assert 0 <= one.share <= 1


def test_who_is_first_is_named_and_what_it_won_is_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # One deal, which sharp wins from both sides.
    words = ["--edition", "express", "--seconds", "0", "--workers", "1", "--seed", "2"]
    for bots, won in ((["sharp", "rookie"], 100), (["rookie", "sharp"], 0)):
        monkeypatch.setattr("sys.argv", ["arena", *bots, *words])
        arena.main()
        text = capsys.readouterr().out
        assert text.startswith(f"{' - '.join(bots)}, express 2: ")
        assert float(text.split(": ")[1].split(" %")[0]) == won
        assert text.endswith(" of 2 games\n")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["sharp", "nobody"], "there is no bot 'nobody'"),
        (["sharp", "casual", "--players", "9"], "Classic is for 2 to 6 players, not 9"),
        (["sharp", "casual", "--edition", "none"], "there is no edition 'none'"),
    ],
)
def test_what_cannot_be_played_is_told_at_once(
    words: list[str],
    what: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["arena", *words])
    with pytest.raises(SystemExit):
        arena.main()
    assert what in capsys.readouterr().err
