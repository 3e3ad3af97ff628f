"""What a table offers to whoever is on turn."""

from phaseten.game import Game
from phaseten.rules.actions import LayPhase
from phaseten.rules.cards import parse_cards
from phaseten.rules.views import legal_actions
from phaseten.table.state import MOST_LAYS, offered


def test_not_every_way_to_lay_is_offered() -> None:
    view = Game("classic", seed=1).view()
    assert view.board is not None
    rich = view._replace(
        board=view.board._replace(step="play"), held=parse_cards("R1 B1 Y5 R5 G9 B9 R9 W W W W")
    )
    actions = legal_actions(rich)
    found = offered(actions)
    lays = [action for action in actions if isinstance(action, LayPhase)]
    kept = [action for action in found if isinstance(action, LayPhase)]
    assert len(kept) == MOST_LAYS < len(lays)
    assert set(found) < set(actions)
    assert len(found) - len(kept) == len(actions) - len(lays)
    fewest = min(str(action).count("W") for action in lays)
    assert str(kept[0]).count("W") == fewest
    assert offered(actions[-5:]) == actions[-5:]
    assert len(legal_actions(rich, 7)) == 7 + len(actions) - len(lays)
