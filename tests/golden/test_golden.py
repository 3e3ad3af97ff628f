"""Games and positions that must go on being judged as they are."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from phaseten.notation.records import format_record, parse_record
from phaseten.notation.verdict import Verdict, judge_bytes
from phaseten.rules.cards import parse_cards
from phaseten.rules.editions import BOOK_EDITIONS, KINDS, edition
from phaseten.rules.options import Rules
from phaseten.rules.solver import solve_phase
from tests import oracle
from tests.golden.make import ILLEGAL, perft, start_of

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
RULEBOOK = ROOT / "docs/rules.md"


def records(folder: str) -> list[Path]:
    return sorted((HERE / folder).glob("*.p10"))


def loose(verdict: Any) -> Any:
    """The verdict with held cards in one order, since they may be listed in any."""
    if isinstance(verdict, dict):
        if "held" in verdict:
            held = {seat: sorted(cards) for seat, cards in verdict["held"].items()}
            verdict = verdict | {"held": held}
        return {key: loose(value) for key, value in verdict.items()}
    return verdict


def judge_file(path: Path) -> tuple[Verdict, Any]:
    verdict = judge_bytes(path.read_bytes())
    wanted = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(verdict)) == verdict, "a verdict is plain JSON"
    return verdict, wanted


@pytest.mark.parametrize("path", records("games"), ids=lambda path: path.stem)
def test_games_are_judged_as_before(path: Path) -> None:
    verdict, wanted = judge_file(path)
    if not wanted["ok"]:
        assert verdict.pop("message")
    assert verdict == wanted


@pytest.mark.parametrize("path", records("games"), ids=lambda path: path.stem)
def test_games_round_trip(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_record(parse_record(text)) == text


def test_games_are_of_all_kinds() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in records("games")}
    verdicts = {
        path.stem: json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        for path in records("games")
    }
    for name in BOOK_EDITIONS:
        whole = [v for stem, v in verdicts.items() if stem.startswith(name) and v.get("finished")]
        assert len(whole) >= (1 if name == "elchavo" else 2), name
    everything = "\n".join(texts.values())
    for needed in ("Shuffle ", " tiebreak ", "[ServerSeed ", "[Seen ", "-S@", " *\n", "L3 "):
        assert needed in everything, needed
    for house in ("discard_to_go_out", "natural_per_meld", "no_rediscard", "choose_phase"):
        assert house in everything
    assert any(hand["out"] is None for v in verdicts.values() if v["ok"] for hand in v["hands"])
    steps = {v["turn"]["step"] for v in verdicts.values() if v["ok"] and v["turn"]}
    assert steps == {"draw", "play"}  # some are cut off in the middle of a turn
    assert {len(v["totals"]) for v in verdicts.values() if v["ok"]} == {2, 3, 4, 5, 6}


# -- illegal records ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", records("illegal"), ids=lambda path: path.stem)
def test_illegal_records_name_the_rule(path: Path) -> None:
    verdict, wanted = judge_file(path)
    message = verdict.pop("message")
    assert verdict == wanted, message
    assert message[-1] not in " {}"


@pytest.mark.parametrize("path", records("illegal"), ids=lambda path: path.stem)
def test_illegal_records_are_good_up_to_their_last_line(path: Path) -> None:
    """So that it is that line, and nothing before it, which is refused."""
    lines = path.read_text(encoding="utf-8").rstrip().split("\n")
    if not lines[-1].startswith("Deck"):
        assert judge_bytes("\n".join(lines[:-1]).encode())["ok"] is True


def rules_that_refuse() -> set[str]:
    """The rule ids that the engine and the reading of records can give, told from their source."""
    found = {kind.rule for kind in KINDS.values()}
    for path in (ROOT / "src/phaseten").glob("[rn]*/*.py"):
        source = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'refuse\(\s*"([A-Z-]+)"', source))
        found |= set(re.findall(r'_illegal\(\s*[^",]+,\s*"([A-Z-]+)"', source))
    return found


def test_every_rule_that_can_refuse_has_an_illegal_record() -> None:
    broken = {case.rule for case in ILLEGAL}
    documented = re.findall(
        r"^### ([A-Z0-9-]+) ·", RULEBOOK.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rules_that_refuse()) > 25
    assert rules_that_refuse() <= broken
    assert broken <= {*documented, "SYNTAX"}


# -- the shared examples --------------------------------------------------------------------------


@pytest.mark.parametrize("path", records("examples"), ids=lambda path: path.stem)
def test_shared_examples(path: Path) -> None:
    verdict, wanted = judge_file(path)
    if wanted["ok"]:
        assert loose(verdict) == loose(wanted)
        return
    rules = wanted["rule"] if isinstance(wanted["rule"], list) else [wanted["rule"]]
    assert verdict["ok"] is False
    assert verdict["rule"] in rules
    assert verdict["line"] == wanted["line"]
    assert verdict["message"]


SOLVED: list[oracle.Example] = [
    json.loads(line)
    for line in (HERE / "examples/solve.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize(
    "example", SOLVED, ids=lambda e: f"{e['query']['edition']}-{e['query']['phase']}"
)
def test_shared_solver_examples(example: oracle.Example) -> None:
    query = example["query"]
    rules = Rules(edition(query["edition"]))
    found = solve_phase(rules.by_number[query["phase"]], parse_cards(query["cards"]), rules)
    assert found.possible == example["possible"]
    assert found.missing == example["missing"]
    assert found.left_points == example["left_points"]
    if found.melds is None:
        assert example["wilds_spent"] is None
        return
    melds = [[card.text for card in meld] for meld in found.melds]
    assert oracle.check_melds(
        query["cards"], melds, oracle.phase_of(query["edition"], query["phase"])
    )
    spent = Counter(card[0] for meld in melds for card in meld)
    assert spent["W"] == example["wilds_spent"]


def test_the_shared_examples_are_all_here() -> None:
    assert len(records("examples")) == 24
    assert len(SOLVED) >= 150


# -- counts ---------------------------------------------------------------------------------------

COUNTS = [
    line.split()
    for line in (HERE / "perft.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(
    ("where", "players", "seed", "depth", "count"), COUNTS, ids=lambda word: Path(word).stem
)
def test_action_sequences_are_counted(
    where: str, players: str, seed: str, depth: str, count: str
) -> None:
    state, shuffle = start_of(where, players, seed)
    assert perft(state, shuffle, int(depth)) == int(count)
