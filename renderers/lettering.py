"""Which letters the fonts have, how wide they are, and any text made of those only.

The fonts lie in ``renderers/fonts``. What they know is read from their own tables (``cmap``, ``hmtx``), so this needs
no imaging library and gives the same on every machine.
"""

import re
import struct
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct

from renderers.right_to_left import in_order

FONTS = Path(__file__).parent / "fonts"
FILES = {False: FONTS / "DejaVuSans.ttf", True: FONTS / "DejaVuSans-Bold.ttf"}
UNKNOWN = "•"
"""Stands for characters that the font lacks, for a whole run of them."""
NOTHING = "–"
"""Stands for a name without any visible character."""
ELLIPSIS = "…"
_ASIDE = re.compile(r"(?<=\S) \(\D+\)$")
"""What can be left out at the end of a name: how well the house plays, but not which of two people it is."""
LONGEST = 64
"""More characters than any line of a picture can hold; the rest of a text is not even looked at."""
READ = 4 * LONGEST
CAPITAL = 0.729
"""Height of a capital letter in units of the font's size."""


class Face(Struct, frozen=True):
    """A font's letters: their widths in units of its size."""

    widths: dict[str, float]


@cache
def face(bold: bool) -> Face:
    """The letters of the regular or the bold font.

    >>> "ß" in face(True).widths, "漢" in face(True).widths
    (True, False)
    """
    font = FILES[bold].read_bytes()
    (tables,) = struct.unpack_from(">H", font, 4)
    at = {font[k : k + 4]: struct.unpack_from(">L", font, k + 8)[0] for k in range(12, 12 + 16 * tables, 16)}
    (em,) = struct.unpack_from(">H", font, at[b"head"] + 18)
    (metrics,) = struct.unpack_from(">H", font, at[b"hhea"] + 34)
    widths = {
        chr(code): struct.unpack_from(">H", font, at[b"hmtx"] + 4 * min(glyph, metrics - 1))[0] / em
        for code, glyph in _mapped(font, at[b"cmap"]).items()
    }
    return Face(widths)


def _mapped(font: bytes, cmap: int) -> dict[int, int]:
    """Code point -> glyph, from the subtables of formats 4 (16 bits) and 12 (32 bits)."""
    found: dict[int, int] = {}
    (parts,) = struct.unpack_from(">H", font, cmap + 2)
    for part in range(parts):
        table = cmap + struct.unpack_from(">L", font, cmap + 8 + 8 * part)[0]
        match struct.unpack_from(">H", font, table)[0]:
            case 4:
                (double,) = struct.unpack_from(">H", font, table + 6)
                count = double // 2
                ends, starts, deltas, offsets = (
                    struct.unpack_from(f">{count}H", font, table + 14 + k * double + (2 if k else 0)) for k in range(4)
                )
                for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
                    for code in range(start, min(end, 0xFFFE) + 1):
                        glyph = code
                        if offsets[k]:
                            where = table + 16 + 3 * double + 2 * k + offsets[k] + 2 * (code - start)
                            (glyph,) = struct.unpack_from(">H", font, where)
                            if not glyph:
                                continue
                        found[code] = (glyph + deltas[k]) & 0xFFFF
            case 12:
                (groups,) = struct.unpack_from(">L", font, table + 12)
                for start, end, glyph in struct.iter_unpack(">3L", font[table + 16 : table + 16 + 12 * groups]):
                    found.update(zip(range(start, end + 1), range(glyph, glyph + end - start + 1), strict=True))
            case _:
                pass
    return {code: glyph for code, glyph in found.items() if glyph}


_DROPPED = {"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me", "Sk"}


def _known(text: str, bold: bool) -> str:
    """*text* in the order in which it is read, with known letters only."""
    known = face(bold).widths
    letters: list[str] = []
    for letter in unicodedata.normalize("NFC", text[:READ]):
        if letter.isspace():
            if letters and letters[-1] != " ":
                letters.append(" ")
        elif unicodedata.category(letter) not in _DROPPED:
            if letter in known:
                letters.append(letter)
            elif letters[-1:] == [" "] and letters[-2:-1] == [UNKNOWN]:
                letters.pop()
            elif letters[-1:] != [UNKNOWN]:
                letters.append(UNKNOWN)
    plain = "".join(letters).strip()
    return plain[:LONGEST] + ELLIPSIS if len(plain) > LONGEST else plain or NOTHING


@lru_cache(2048)
def _drawn(text: str, bold: bool) -> str:
    return "".join(letter if letter in face(bold).widths else UNKNOWN for letter in in_order(_known(text, bold)))


def drawable(text: str, bold: bool = True) -> str:
    """*text* as the font can draw it, from left to right: letters composed, invisible signs dropped, unknown replaced.

    >>> drawable("Zoë 🎉 王小明"), drawable(""), drawable("אב")
    ('Zoë •', '–', 'בא')
    """
    return _drawn(text[:READ], bold)


def is_drawable(text: str) -> bool:
    """Whether anything of *text* tells who is meant: a letter, number or picture that the fonts know.

    >>> is_drawable("Zoë"), is_drawable("王-小"), is_drawable(" ")
    (True, False, False)
    """
    return any(letter not in (UNKNOWN, NOTHING) and not _is_filling(letter) for letter in _known(text[:READ], True))


def _is_filling(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "PZ"


def width(text: str, size: float, bold: bool = True) -> float:
    """How wide *text*, made drawable, is in units of the scene.

    >>> width("ab", 24) > width("a", 24) > 0
    True
    """
    return _wide(drawable(text, bold), size, bold)


def _wide(drawn: str, size: float, bold: bool) -> float:
    widths = face(bold).widths
    return size * sum(widths[letter] for letter in drawn)


def fitted(text: str, size: float, bold: bool, room: float | None) -> str:
    """*text*, made drawable and cut with an ellipsis where it is wider than *room*. What stands behind it in brackets
    goes first.

    >>> fitted("Wilhelmina", 24, True, 100)
    'Wilh…'
    >>> fitted("House (medium)", 24, True, 100)
    'House'
    """
    return _fitted(text[:READ], size, bold, room)


@lru_cache(2048)
def _fitted(text: str, size: float, bold: bool, room: float | None) -> str:
    drawn = drawable(text, bold)
    if room is None or _wide(drawn, size, bold) <= room:
        return drawn
    plain = _known(text, bold)
    if aside := _ASIDE.search(plain):
        return _fitted(plain[: aside.start()], size, bold, room)
    while plain:
        plain = plain[:-1].rstrip().removesuffix(ELLIPSIS)
        drawn = drawable(plain + ELLIPSIS, bold)
        if _wide(drawn, size, bold) <= room:
            return drawn
    return ELLIPSIS


def shortened(text: str, longest: int) -> str:
    """*text* with at most *longest* characters, cut at a blank and marked with an ellipsis where it is longer.

    >>> shortened("one two three", 9)
    'one two…'
    """
    if len(text) <= longest:
        return text
    return text[: longest - len(ELLIPSIS)].rsplit(" ", 1)[0] + ELLIPSIS
