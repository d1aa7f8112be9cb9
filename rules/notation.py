"""Normalization of typed text, before a game parses it."""

import re
import unicodedata
from collections.abc import Container
from typing import Final

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－⁃"), "-")
_ARROWS = dict.fromkeys(map(ord, "→➔➜➝➞➡⇒⟶⟹›»▸▶"), ">")
_MARKS = {0xFE0E: None, 0xFE0F: None, 0x200B: None, 0x200C: None, 0x200D: None, 0x2060: None, 0xFEFF: None}
_TABLE = {**_DASHES, **_ARROWS, **_MARKS}


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


def stray(text: str, form: re.Pattern[str], fields: Container[str]) -> str | None:
    """Return the first name in the plain *text* that has the *form* of a field but is not one of *fields*; None if
    none.

    >>> stray("rock z9", LETTER_FIRST, ("b3", "c4")), stray("rock to b 3", LETTER_FIRST, ("b3", "c4"))
    ('z9', None)
    """
    names = ("".join(match.groups()) for match in form.finditer(text))
    return next((name for name in names if name not in fields), None)
