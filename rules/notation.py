"""Normalization of typed text, before a game parses it."""

import re
import unicodedata
from collections.abc import Container
from typing import Final

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－⁃"), "-")
_ARROWS = dict.fromkeys(map(ord, "→➔➜➝➞➡⇒⟶⟹›»▸▶"), ">")
_VARIANTS = dict.fromkeys((0xFE0E, 0xFE0F, 0x200C, 0x200D))
"""Characters that are part of some emoji."""
_INVISIBLE = dict.fromkeys(
    (0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF)
)
"""Hyphenation points, empty blanks and marks of the writing direction: some keyboards and clipboards insert them."""
_TABLE = {**_DASHES, **_ARROWS, **_VARIANTS, **_INVISIBLE}
_WRAPPING = dict.fromkeys(map(ord, '"`´“”„‟()[]{}'))
"""Quotes and brackets that people put around a move or its parts."""
_ENDS = "'‚‘’*_"
"""Apostrophes and signs of formatting that people put around a move; inside, they may be part of a word."""
_WRAPPING_PAIRS = ("«»", "»«", "‹›", "›‹")
"""Quotes that are only removed in pairs: alone, they may be arrows."""


LETTER_FIRST: Final = re.compile(r"(?<!\w)([a-z]) ?([0-9]{1,2})(?!\w)")
NUMBER_FIRST: Final = re.compile(r"(?<!\w)([0-9]{1,2}) ?([a-z])(?!\w)")
NUMBER_ALONE: Final = re.compile(r"(?<!\w)([0-9]{2,3})(?!\w)")


def plain(text: str) -> str:
    """Return *text* in Unicode NFKC and lower case, dashes as ``-``, arrows as ``>``, white space as single blanks.

    >>> plain("  B3 —  C4 ")
    'b3 - c4'
    >>> plain("ｂ３→c4")
    'b3>c4'
    """
    folded = unicodedata.normalize("NFKC", text.translate(_TABLE)).lower().translate(_TABLE)
    return re.sub(r"\s+", " ", folded).strip()


def unwrapped(text: str) -> str:
    """Return *text* without invisible characters, quotes and brackets, and without the full stop that a phone adds.

    >>> unwrapped("“B3-c4”. "), unwrapped("«[b3] `c4.`»"), unwrapped("\\u200eb3"), unwrapped("b3...")
    ('B3-c4', 'b3 c4', 'b3', 'b3...')
    """
    text = text.translate({**_INVISIBLE, **_WRAPPING})
    while True:
        rest = text.strip().strip(_ENDS).strip()
        if rest.endswith(".") and not rest.endswith(".."):
            rest = rest[:-1]
        if rest[:1] + rest[1:][-1:] in _WRAPPING_PAIRS:
            rest = rest[1:-1]
        if rest == text:
            return text
        text = rest


def stray(text: str, form: re.Pattern[str], fields: Container[str]) -> str | None:
    """Return the first name in the plain *text* that has the *form* of a field but is not one of *fields*; None if
    none.

    >>> stray("rock z9", LETTER_FIRST, ("b3", "c4")), stray("rock to b 3", LETTER_FIRST, ("b3", "c4"))
    ('z9', None)
    """
    names = ("".join(match.groups()) for match in form.finditer(text))
    return next((name for name in names if name not in fields), None)
