"""The letters of the fonts, the width of texts, and texts reduced to drawable letters.

The fonts are in ``renderers/fonts``. Letters and widths are read from the fonts' own tables, so this module needs no
imaging library and returns the same on every machine. fontTools and the libraries for right-to-left scripts are
imported when a text first needs them.
"""

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from arabic_reshaper import ArabicReshaper

FONTS = Path(__file__).parent / "fonts"
FILES = {False: FONTS / "DejaVuSans.ttf", True: FONTS / "DejaVuSans-Bold.ttf"}
UNKNOWN = "•"
"""Replaces a run of characters that the font lacks."""
NOTHING = "–"
"""Replaces a name without any visible character."""
ELLIPSIS = "…"
_ASIDE = re.compile(r"(?<=\S) \(\D+\)$")
"""The part of a name that can be dropped: the level of the house, but not the number that tells two people apart."""
LONGEST = 64
"""More characters than any line of a picture can hold; the rest of a text is ignored."""
READ = 4 * LONGEST
CAPITAL = 0.729
"""Height of a capital letter in units of the font's size."""


class Face(Struct, frozen=True):
    """The letters of a font: their widths in units of its size."""

    widths: dict[str, float]


@cache
def face(bold: bool) -> Face:
    """Return the letters of the regular or the bold font.

    >>> "ß" in face(True).widths, "漢" in face(True).widths
    (True, False)
    """
    from fontTools.ttLib import TTFont

    with TTFont(FILES[bold], lazy=True) as font:
        em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
        return Face({chr(code): metrics[glyph][0] / em for code, glyph in font.getBestCmap().items()})


_DROPPED = {"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me", "Sk"}


def _known(text: str, bold: bool) -> str:
    """Return *text* in reading order, with known letters only. A decorated letter becomes the plain one if the font
    has only that."""
    known = face(bold).widths
    letters: list[str] = []
    composed = unicodedata.normalize("NFC", text[:READ])
    for letter in "".join(letter if letter in known else unicodedata.normalize("NFKC", letter) for letter in composed):
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


def _in_order(text: str) -> str:
    """Return *text* in the order in which its letters are drawn from left to right, with joined Arabic letters.

    >>> _in_order("abc"), _in_order("אבג 12"), _in_order("Eva אב")
    ('abc', '12 גבא', 'Eva בא')
    >>> [unicodedata.name(letter).split()[-2] for letter in _in_order("بب")]
    ['FINAL', 'INITIAL']
    """
    if not any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text):
        return text
    from bidi import get_display

    return str(get_display(_reshaper().reshape(text)))


@cache
def _reshaper() -> "ArabicReshaper":
    from arabic_reshaper import ArabicReshaper

    return ArabicReshaper({"delete_harakat": False, "ARABIC LIGATURE ALLAH": False})  # the bold font lacks that sign


@lru_cache(2048)
def _drawn(text: str, bold: bool) -> str:
    return "".join(letter if letter in face(bold).widths else UNKNOWN for letter in _in_order(_known(text, bold)))


def drawable(text: str, bold: bool = True) -> str:
    """Return *text* as the font can draw it, from left to right.

    Letters are composed, invisible characters dropped, unknown ones replaced.

    >>> drawable("Zoë 🎉 王小明"), drawable(""), drawable("אב"), drawable("𝕬𝖓𝖓𝖆")
    ('Zoë •', '–', 'בא', 'Anna')
    """
    return _drawn(text[:READ], bold)


def is_drawable(text: str) -> bool:
    """Return whether *text* identifies a person: it has a letter, number or picture that the fonts know.

    >>> is_drawable("Zoë"), is_drawable("王-小"), is_drawable(" ")
    (True, False, False)
    """
    return any(letter not in (UNKNOWN, NOTHING) and not _is_filling(letter) for letter in _known(text[:READ], True))


def _is_filling(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "PZ"


def width(text: str, size: float, bold: bool = True) -> float:
    """Return the width of *text*, made drawable, in units of the scene.

    >>> width("ab", 24) > width("a", 24) > 0
    True
    """
    return _wide(drawable(text, bold), size, bold)


def _wide(drawn: str, size: float, bold: bool) -> float:
    widths = face(bold).widths
    return size * sum(widths[letter] for letter in drawn)


def fitted(text: str, size: float, bold: bool, room: float | None) -> str:
    """Return *text*, made drawable and cut with an ellipsis if it is wider than *room*.

    Brackets at its end are dropped first.

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
    """Return *text* with at most *longest* characters; a longer one is cut at a blank and ends in an ellipsis.

    >>> shortened("one two three", 9)
    'one two…'
    """
    if len(text) <= longest:
        return text
    return text[: longest - len(ELLIPSIS)].rsplit(" ", 1)[0] + ELLIPSIS
