"""The page about the protocol, made from the message types: ``python -m phaseten.server.socket.protocol``."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from msgspec import UnsetType

from phaseten.notation.codec import (
    SEEN,
    ActionData,
    BoardData,
    DeckData,
    EventData,
    MeldData,
    PhaseData,
    RulesData,
    ViewData,
)
from phaseten.rules.melds import Meld
from phaseten.server.running.presence import LINGER
from phaseten.server.socket.descriptions import Field, describe
from phaseten.server.socket.messages import (
    PROTOCOL,
    AimForm,
    Changed,
    Outgoing,
    SeatForm,
    SlotForm,
    Splice,
    StepForm,
    TableForm,
    YouForm,
)
from phaseten.server.socket.requests import MOST_BYTES, RequestForm
from phaseten.table.events import Open, OpenEvent
from phaseten.table.options import Options
from phaseten.table.state import MOST_DONE, MOST_LAYS
from phaseten.table.talk import REACTIONS

PAGE: Final = Path("docs/protocol.md")

INTRODUCTION: Final = f"""\
# The protocol

This page is made from the message types: `python -m phaseten.server.socket.protocol` writes it. Protocol version {PROTOCOL}.

A client opens a WebSocket at `/api/tables/CODE/play` and exchanges JSON texts, one message each. The cookie
`phaseten` (`__Host-phaseten` over https) says who it is; without one it watches. Two things can be asked for in the address:

- `?language=es`: the language of the sentences (`en`, `es`, `fr`, `pt`); otherwise the browser's.
- `?after=41`: the last version the client knows. Its first update then has exactly the steps after that one.
  Where the game before is over since, or without `after`, the client starts anew: no steps, and how things stand.

The server says `welcome`, then `update`, and then `change` whenever something has happened. An update has
the whole of what its receiver may know, so that a client can show it without knowing any rule: `actions` lists
everything the receiver may do. A change has what is different since; whoever folds it into the last update (see
[below](#changes)) has the next one. Whenever the server sends an update instead, the client takes that. To act, send one of them back with `at`, the version of the update it came with:

```json
{{"do": "hit", "cards": ["R5"], "seat": 2, "meld": 1, "at": 41}}
```

A request that is not carried out is answered by `refused`, with a rule and a sentence; then nothing has changed. There is one
exception: the reason `unknown` says that the answer of the database was lost, and that it is not known whether the request was carried out. An
update follows as soon as it is known; or send the same request again (see *Sent again*). The reason `unavailable` means that surely nothing was done. An
action chosen on an older game is refused as `stale`: whoever sends it twice makes it once. Talk does not make
an action stale. What was told in an update is kept: no crash undoes it. Of the ways to lay a Phase, which
can be thousands, `actions` has {MOST_LAYS} at most, those with the fewest Wilds; any other way may be sent too, also with
more cards (M-MORE).

- **Words.** Every step says in `words` what happened, in sentences for its receiver: enough for a log and for a screen
  reader. What people say to each other stands in the events alone.
- **Who is there.** `connected`, `host_connected` and `watchers` tell who is connected, on any node. When only that has
  changed, a change comes with no steps and the same version. Who leaves counts as there for {LINGER:g} seconds more, so that a page
  that is loaded again does not flicker.
- **Advice.** Who is on turn may ask a bot, by `hint` for an action or by `explain` about one, and gets a `hint`; others do not see it. Where the
  game has moved on before the answer is there, the answer is `stale`. Where the option `hints` is off, nobody may ask.
- **The coach.** By `coach` a player wants it to speak up, or does not any more; every seat shows who does. While all people at the table do, each of them gets a
  `remark` after a move of the own that gave something away, in good time and without having asked; nobody else is told. A `remark` that would come
  after the player's first move of the next turn does not come. Where `coach` in the welcome is false there is none.
- **What happened before.** Who starts anew may ask by `past`, once in a connection, for the steps of this game so far, talk included: the answer is a `past`
  with the last 300 of them at most.
- **Talk that is not wanted.** `mute` leaves a seat's talk out of the events and the words of this connection. The connection alone
  remembers it: a client that comes back says it again.
- **Time.** All times are the server's, in milliseconds since 1970. The welcome has `now`, so that a client can tell how far its own
  clock is off and show how long it is until `due`.
- **Sent again.** A request may have an `id`, any number: its answer (`done`, `refused`, `hint` or `need`) repeats it. If it also has `at`, the version
  that the client knew (which actions have anyway), it can be sent again, over any connection: a request of the same guest with the same `id` and the same `at`
  is carried out once, and answered by `done` each time. The last {MOST_DONE} requests of a table are remembered, also after a crash. Use an `id` for one request
  only; a random one is best, because a page that is loaded again does not know which ones were used.
- **Sent away.** Who is sent away by the host, or may not watch when a game begins at a table without watchers, is told so by
  `refused` (`sent-away`, `sent-away-why` with the host's reason, `no-watchers`); where that one may see nothing more, the connection ends with the code 4404: do not come back.
- **Ends.** A game ends with a winner, or is called off: then its stage is finished and its winner null. Before the game,
  and before a rematch, the host can change the options; everybody then gets a `welcome` again, before the change.

## Changes

Folding needs no rules. What a change leaves out is as it was. `table`, `you`, `game` and its `board` have the fields that are
different, with their values now; where there was no game or no board before, it comes whole, and null means that there is
none any more. A row (a list) comes whole, or, where a part of it stays, as a `Splice`: an object with `at`, `less` and
`more`. `version` and `steps` are those of the change; so are `seen` and `ended`, which it has or has not.

```json
{{"type": "change", "version": 42, "steps": [], "game": {{"held": {{"at": 3, "less": 1, "more": []}}, "board": {{"turn": 2, "step": "draw"}}}}}}
```

takes the fourth card out of the receiver's hand. `phaseten.client.folding` is the same in Python, `fold` in `web/src/protocol.ts` in TypeScript;
tests fold all games of all editions with both and compare every view.

## Requests

A message from a client has at most {MOST_BYTES} bytes. Unknown fields
are refused. Cards are written as in `docs/notation.md`: `R7`, `W`, `S`, and on the table `W=5`. Seats count from 1.
"""

_REACTIONS: Final = f"Reactions are {', '.join(REACTIONS)}."
_NAMES: Final = {int: "integer", str: "text", bool: "true or false", type(None): "null"}


def page() -> str:
    """The page in Markdown."""
    parts = [
        INTRODUCTION,
        "## What a client sends\n\nThe field `do` says what it is.\n",
        "Actions of the game; each is sent with `at`, the version of the update it came with:\n",
        *_sections(get_args(ActionData)),
        "Everything else:\n",
        *_sections(get_args(RequestForm)),
        "## What the server sends\n\nThe field `type` says what it is.\n",
        *_sections(get_args(Outgoing)),
        "## Parts of messages\n",
        *_sections(
            (
                Options,
                RulesData,
                DeckData,
                PhaseData,
                TableForm,
                SeatForm,
                YouForm,
                ViewData,
                BoardData,
                MeldData,
                StepForm,
                Splice,
                AimForm,
                SlotForm,
            )
        ),
        f"## Events\n\nThe field `event` says what it is. {_REACTIONS}\n\n### Of the game\n",
        *_sections(SEEN.kinds),
        "### Of the table\n",
        *_sections(get_args(OpenEvent)),
    ]
    return "\n".join(parts)


def _sections(kinds: Iterable[type]) -> Iterator[str]:
    for kind in kinds:
        found = describe(kind)
        title = f'`"{found.tag[0]}": "{found.tag[1]}"`' if found.tag is not None else found.name
        asks = found.tag is not None and found.tag[0] == "do"
        of_all = ("id", "at") if asks else ()  # what every request may have is said once
        rows = [
            _row(field) for field in found.fields if field.name not in of_all or not field.may_lack
        ]
        table = "\n".join(["", "| field | type | |", "|---|---|---|", *rows]) if rows else ""
        yield f"#### {title}\n\n{found.about}\n{table}\n"


def _row(field: Field) -> str:
    about = f"{field.about} Optional.".strip() if field.has_default else field.about
    return f"| `{field.name}` | {_type(field.hint)} | {about} |"


def _type(hint: Any) -> str:
    """A type in words."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _type(get_args(hint)[0])
    if hint in (ActionData, dict[str, Any]):
        return "action"
    if hint in (Open, EventData, Open | EventData):
        return "event"
    if origin is Literal:
        *rest, last = get_args(hint)
        return f"{', '.join(rest)} or {last}"
    if hint is Meld:
        return MeldData.__name__
    if origin in (Union, types.UnionType):
        return " or ".join(_type(part) for part in get_args(hint) if part is not UnsetType)
    if origin is Changed:
        return f"changed fields of {_type(get_args(hint)[0])}"
    if origin is tuple:
        parts = get_args(hint)
        if parts[-1] is Ellipsis:
            return f"list of {_type(parts[0])}"
        return f"[{', '.join(_type(part) for part in parts)}]"
    return _NAMES.get(hint) or f"{hint.__name__}"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
