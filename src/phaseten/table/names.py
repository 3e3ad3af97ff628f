"""Names and talk that deceive nobody: everything in them can be seen, and no name looks like another one.

Letters of every script are welcome, and so are emoji of several code points and the joiners that
Persian and the scripts of India need. What shows nothing, or turns the reading direction around, is not.
"""

from __future__ import annotations

import unicodedata
from typing import Final

MOST_NAME: Final = 24

_JOINER: Final = "\u200d"
_NON_JOINER: Final = "\u200c"
_FLAG: Final = "\U0001f3f4"
_TAGS: Final = range(0xE0020, 0xE007F)
_LAST_TAG: Final = "\U000e007f"
_SELECTORS: Final = ("\ufe0e", "\ufe0f")
"""Whether what stands before is drawn as text or as a picture."""
_INVISIBLE: Final = frozenset(
    map(
        chr,
        (
            0x034F,  # a joiner of graphemes
            *range(0x115F, 0x1161),  # Hangul fillers
            *range(0x17B4, 0x17B6),  # Khmer vowels that are not written
            *range(0x180B, 0x1810),  # Mongolian selectors
            0x2800,  # a Braille letter without dots
            0x3164,
            *range(0xFE00, 0xFE10),  # selectors
            0xFFA0,
            0x1D159,  # a note without a head
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""What Unicode counts among the printable letters, marks and signs, and what shows nothing."""
_JOINED_SCRIPTS: Final = (range(0x0600, 0x0900), range(0x0900, 0x0E00), range(0x1780, 0x18B0))
"""Arabic, Syriac and the like; the scripts of India; Khmer and Mongolian."""

_LOOK_ALIKES: Final = (
    # Cyrillic, capitals and small letters
    ("АВЕЅІЈКМНОРСТУХԌԚԜЗаеѕіјорсухԛԝһԁӏ", "ABESIJKMHOPCTYXGQW3aesijopcyxqwhdl"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχϲϳ", "ABEZHIKMNOPTYXaiKvopuxcj"),
    # Armenian, Cherokee, Latin of other alphabets
    ("ՍՏԼօոսԾ", "USLonuO"),
    ("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᏔᏃ", "ABCDEHJKLMPRSTVWZ"),
    ("ɑɡıȷꞲƖ", "agijJl"),
    # What one types where the other is meant
    ("0OoΟО1Il|ǀ∣", "OOoOOllllll"),
)
_LATIN: Final = {
    ord(one): other
    for strange, plain in _LOOK_ALIKES
    for one, other in zip(strange, plain, strict=True)
}


def clean_text(text: str) -> str:
    """The text on one line, with single spaces and composed letters."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def is_visible(text: str) -> bool:
    """Whether there is something to see, and nothing that cannot be seen.

    >>> is_visible("Zoë 🎴"), is_visible("👩‍👩‍👧"), is_visible("\N{HANGUL FILLER}")
    (True, True, False)
    """
    shows = any(unicodedata.category(char)[0] in "LNPS" and char not in _INVISIBLE for char in text)
    return shows and all(_belongs(text, place) for place in range(len(text)))


def _belongs(text: str, place: int) -> bool:
    """Whether what stands there is seen, or is needed by what stands beside it."""
    char, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if char in _SELECTORS:
        return _is_sign(before)
    if char in (_JOINER, _NON_JOINER):
        if char == _JOINER and _is_picture(_bare(text, place)) and _is_picture(after):
            return True
        return _joins(before) and _joins(after)
    if ord(char) in _TAGS or char == _LAST_TAG:
        return _is_in_flag(text, place)
    return char.isprintable() and char not in _INVISIBLE


def _bare(text: str, place: int) -> str:
    """The picture before that place, without what only says how it is drawn."""
    while place and (
        text[place - 1] in _SELECTORS or unicodedata.category(text[place - 1]) == "Sk"
    ):
        place -= 1
    return text[place - 1 : place]


def _is_picture(char: str) -> bool:
    return char != "" and unicodedata.category(char) in ("So", "Sm") and char not in _INVISIBLE


def _is_sign(char: str) -> bool:
    return char != "" and (unicodedata.category(char)[0] in "SPN" or char == "ℹ")


def _joins(char: str) -> bool:
    if char == "" or unicodedata.category(char)[0] not in "LM":
        return False
    return any(ord(char) in script for script in _JOINED_SCRIPTS)


def _is_in_flag(text: str, place: int) -> bool:
    """Whether a tag follows a black flag, as in those of Scotland and Wales, and the flag has its end."""
    start = place
    while start and ord(text[start]) in (*_TAGS, ord(_LAST_TAG)):
        start -= 1
    end = text.find(_LAST_TAG, start)
    return text[start] == _FLAG and end >= place and end - start > 1


def look_alike(name: str, others: list[str]) -> str | None:
    """Which of the others that name could be taken for.

    >>> look_alike("Аna", ["Beto", "Ana"])  # the first letter is Cyrillic
    'Ana'
    """
    folded, drawn = _folded(name), _drawn(name)
    return next(
        (other for other in others if folded == _folded(other) or drawn == _drawn(other)), None
    )


def _folded(name: str) -> str:
    """The name without what does not make another one: width, style, capitals, joiners."""
    return unicodedata.normalize("NFKC", _without_joiners(name)).casefold()


def _drawn(name: str) -> str:
    """The name as a quick eye reads it; only for comparing."""
    plain = unicodedata.normalize("NFKC", _without_joiners(name)).translate(_LATIN)
    return plain.casefold().replace("rn", "m").replace("vv", "w")


def _without_joiners(name: str) -> str:
    unseen = (_JOINER, _NON_JOINER, *_SELECTORS)
    return "".join([char for char in name if char not in unseen and char not in _INVISIBLE])
