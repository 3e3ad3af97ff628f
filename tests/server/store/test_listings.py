"""What lists show of a table."""

from phaseten.server.store.interface import Listed
from phaseten.server.store.listings import About, listed_table, listing_of
from phaseten.table.options import Options
from tests.table.sitting import SEED, Sitting


def test_a_listing_follows_from_the_table() -> None:
    sitting = Sitting(Options(public=True, pace=700, timer=60), "token-ana")
    sitting.seat("token-ana", "token-beto")
    listing = listing_of(sitting.table)
    assert (listing.stage, listing.public, listing.due) == ("waiting", True, None)
    assert listing.owners == ("token-ana", "token-beto")
    about = listed_table(Listed("CODE", listing.stage, 5, listing.about)).about
    names = ("Token-Ana", "Token-Beto")
    assert about == About("Classic", "standard", "Token-Ana", names, 4, 2, 60)
    assert about.free == 2
    assert "token-ana" not in listing.about
    assert SEED.hex() not in listing.about
    sitting.start()
    bot_begins = bool(sitting.table.places[(sitting.table.turn or 0) - 1].bot)
    assert listing_of(sitting.table).due == sitting.now + (700 if bot_begins else 60_000)
