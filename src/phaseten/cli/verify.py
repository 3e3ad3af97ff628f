"""``phaseten verify``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.cli.completers import offer_records
from phaseten.cli.files import check_names, edition_beside, read_bytes
from phaseten.cli.options import Flag, Optional
from phaseten.cli.problems import ILLEGAL, Problem
from phaseten.cli.wording import plural, sentence
from phaseten.notation.records import (
    Hand,
    Record,
    RecordSyntaxError,
    decode_record,
    parse_record,
)
from phaseten.notation.replay import IllegalRecordError, follow, rules_of
from phaseten.rules.cards import Card, format_cards
from phaseten.rules.events import HandDealt, PileReshuffled
from phaseten.rules.shuffle import commitment, seeded

EXAMPLES: Final = """\
Examples:
  phaseten verify game.p10
  phaseten verify game.p10 --commitment 9cff2974c991...
      is it the seed that was promised before the first card?
  phaseten verify game.p10 --decks         show every deck again

The exit code is 0 when everything agrees, 1 when something differs, and 2 when
the record cannot be read or has no seeds."""


def run(
    file: Annotated[str, Parameter(allow_leading_hyphen=True, completer=offer_records)] = "",
    *,
    commitment: Annotated[str, Optional] = "",
    decks: Flag = False,
) -> int:
    """Check the shuffles of a game against its seeds.

    Prints the commitment (the SHA-256 of the server seed, published before the
    first card), deals every hand again from the seeds, and compares.

    Args:
        file: A record (.p10) with both seeds; - is standard input.
        commitment: The commitment you were shown before the game.
        decks: Print every deck as the seeds give it.
    """
    check_names((file,) if file else (), "a record to check")
    try:
        record = parse_record(decode_record(read_bytes(file)))
        rules = rules_of(record.header, edition_beside(file))
        return _check(record, rules.edition.deck, file, commitment.strip().lower(), decks=decks)
    except RecordSyntaxError as error:
        raise Problem(f"{file}, line {error.line}: {sentence(error)}") from error


def _check(record: Record, deck: tuple[Card, ...], file: str, promised: str, *, decks: bool) -> int:
    server, client = record.header.server_seed, record.header.client_seed
    if server is None or client is None:
        raise Problem(
            f"{file} does not have both seeds, so that its shuffles cannot be checked. "
            "The seeds are published when a game ends."
        )
    published = commitment(server)
    print(f"Commitment (SHA-256 of the server seed): {published}")
    fine = True
    if promised:
        fine = published.startswith(promised) and len(promised) >= 8
        print("  as promised" if fine else f"  NOT the one promised: {promised}")
    shuffle = seeded(server, client)
    for hand in record.hands:
        order = shuffle(deck, hand.number, 0)
        problem = _difference(hand, order)
        fine = fine and not problem
        print(
            f"Hand {hand.number}: {problem or 'deck agrees' if hand.deck else 'dealt from the seeds'}"
        )
        if decks:
            print(f"  Deck {format_cards(order)}")
    return 0 if _replayed(record, file, fine=fine) and fine else ILLEGAL


def _difference(hand: Hand, order: Sequence[Card]) -> str:
    """What the Deck of a hand has that the seeds do not give; nothing when they agree."""
    if hand.deck is None or tuple(hand.deck) == tuple(order):
        return ""
    if len(hand.deck) != len(order):
        return f"the Deck has {plural(len(hand.deck), 'card')}, and the seeds give {len(order)}"
    place = next(i for i, card in enumerate(order) if hand.deck[i] is not card)
    return f"card {place + 1} of the Deck is {hand.deck[place]}, and the seeds give {order[place]}"


def _replayed(record: Record, file: str, *, fine: bool) -> bool:
    """Play the record again, so that its reshuffles are checked too; whether it went through."""
    hands = reshuffles = 0
    try:
        for step in follow(record, edition_beside(file)):
            hands += sum(isinstance(event, HandDealt) for event in step.events)
            reshuffles += sum(isinstance(event, PileReshuffled) for event in step.events)
    except IllegalRecordError as error:
        if error.rule != "H-DEAL" or fine:
            print(f"Line {error.line}: {sentence(error)} ({error.rule})")
        print("NOT ok: this is not the game that the seeds deal.")
        return False
    if fine:
        dealt, shuffled = plural(hands, "deal"), plural(reshuffles, "reshuffle")
        print(f"ok: {dealt} and {shuffled} agree with the seeds.")
    else:
        print("NOT ok.")
    return True
