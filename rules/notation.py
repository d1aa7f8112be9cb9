"""What people type, made plain before a game reads it."""

import re
import unicodedata

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－⁃"), "-")
_ARROWS = dict.fromkeys(map(ord, "→➔➜➝➞➡⇒⟶⟹›»▸▶"), ">")
_MARKS = {0xFE0E: None, 0xFE0F: None, 0x200B: None, 0x200C: None, 0x200D: None, 0x2060: None, 0xFEFF: None}
_TABLE = {**_DASHES, **_ARROWS, **_MARKS}


def plain(text: str) -> str:
    """*text* in Unicode NFKC and lower case, dashes as ``-``, arrows as ``>``, white space as single blanks.

    >>> plain("  B3 —  C4 ")
    'b3 - c4'
    >>> plain("ｂ３→c4")
    'b3>c4'
    """
    folded = unicodedata.normalize("NFKC", text.translate(_TABLE)).lower().translate(_TABLE)
    return re.sub(r"\s+", " ", folded).strip()
