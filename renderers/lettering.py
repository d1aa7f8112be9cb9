"""The letters of the fonts, the width of texts, and texts reduced to drawable letters.

The fonts are in ``renderers/fonts``: a text family, and DejaVu for the letters that it lacks. All are scaled to the
same height of capitals. Letters and widths are read from the fonts' own tables, so this module needs no imaging library
and returns the same on every machine. fontTools and the libraries for right-to-left scripts are
imported when a text first needs them.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from arabic_reshaper import ArabicReshaper

UNKNOWN = "•"
"""Replaces a run of characters that the font lacks."""
NOTHING = "–"
"""Replaces a name without any visible character."""
ELLIPSIS = "…"
_ASIDE = re.compile(r"(?<=\S) \(\D+\)$")
"""The part of a name that can be dropped: the level of the house, but not the number that tells two people apart."""
IF_CUT = "\u2063"
"""Precedes a number in brackets at the end of a name that is drawn only if the name is cut."""
_GAP = re.compile(r"(?<=[ _-])(?=[^ _-])")
"""A place at which a name can be broken."""
_NUMBER = re.compile(rf"{IF_CUT}? \((?:[^()]* )?([0-9])\)\u2069?$")
"""The number at the end of a name that tells two people apart: it stays when the name is cut."""
LONGEST = 64
"""More characters than any line of a picture can hold; the rest of a text is ignored."""
READ = 4 * LONGEST
CAPITAL = 0.729
"""Height of a capital letter in units of the font's size."""


class Font(Struct, frozen=True):
    """A file in ``renderers/fonts``, and the height of its capitals in units of its em."""

    name: str
    capital: float

    @property
    def path(self) -> Path:
        return Path(__file__).parent / "fonts" / f"{self.name}.ttf"

    @property
    def scale(self) -> float:
        """The em in units of a text's size."""
        return CAPITAL / self.capital


FONTS = {
    False: (Font("Text-Regular", 0.66), Font("DejaVuSans", CAPITAL)),
    True: (Font("Text-Bold", 0.66), Font("DejaVuSans-Bold", CAPITAL)),
}
"""The regular and the bold fonts: each letter is taken from the first one that has it."""


class Face(Struct, frozen=True):
    """The letters of the regular or the bold fonts: their widths in units of a text's size."""

    widths: dict[str, float]


@cache
def face(bold: bool) -> Face:
    """Return the letters of the regular or the bold fonts.

    >>> "ß" in face(True).widths, "漢" in face(True).widths
    (True, False)
    """
    first, second = FONTS[bold]
    return Face(_widths(second) | _widths(first))


@cache
def _widths(font: Font) -> dict[str, float]:
    from fontTools.ttLib import TTFont

    with TTFont(font.path, lazy=True) as file:
        scale, metrics = font.scale / file["head"].unitsPerEm, file["hmtx"].metrics
        return {chr(code): metrics[glyph][0] * scale for code, glyph in file.getBestCmap().items()}


def runs(drawn: str, bold: bool) -> Iterator[tuple[Font, str]]:
    """Yield the pieces of a drawable text, each with its font.

    >>> [(font.name, piece) for font, piece in runs("Ada ★", True)]
    [('Text-Bold', 'Ada '), ('DejaVuSans-Bold', '★')]
    """
    first, second = FONTS[bold]
    for is_first, letters in groupby(drawn, _widths(first).__contains__):
        yield first if is_first else second, "".join(letters)


_DROPPED = {"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me", "Sk"}


def _known(text: str, bold: bool) -> str:
    """Return *text* in reading order, with known letters only. A decorated letter becomes the plain one if the font
    has only that."""
    known = face(bold).widths
    letters: list[str] = []
    composed = unicodedata.normalize("NFC", text[:READ].partition(IF_CUT)[0])
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

    Brackets at its end are dropped first; a number in brackets stays.

    >>> fitted("Wilhelmina", 24, True, 100), fitted("Wilhelmina (2)", 24, True, 120)
    ('Wilhel…', 'Wilh… (2)')
    >>> fitted("House (medium)", 24, True, 100)
    'House'
    """
    return _fitted(text[:READ], size, bold, room)


@lru_cache(2048)
def _fitted(text: str, size: float, bold: bool, room: float | None) -> str:
    drawn = drawable(text, bold)
    if room is None or _wide(drawn, size, bold) <= room:
        return drawn
    number = _NUMBER.search(text)
    end = ELLIPSIS + (f" ({number[1]})" if number else "")
    plain = _known(text[: number.start()] if number else text, bold)
    if number:
        plain = _ASIDE.sub("", plain)
    elif aside := _ASIDE.search(plain):
        return _fitted(plain[: aside.start()], size, bold, room)
    while plain:
        plain = plain[:-1].rstrip().removesuffix(ELLIPSIS)
        drawn = drawable(plain + end, bold)
        if _wide(drawn, size, bold) <= room:
            return drawn
    return ELLIPSIS


def lines(text: str, size: float, bold: bool, room: float) -> tuple[str, ...]:
    """Return *text* in one line if it fits into *room*, else in two; the second one may still be too wide.

    It is broken at a blank, hyphen or underscore if both lines fit so, else at any letter.

    >>> lines("Ada", 24, True, 120), lines("Annika Westermann", 24, True, 150)
    (('Ada',), ('Annika', 'Westermann'))
    >>> lines("Wilhelmina", 24, True, 100)
    ('Wilhelm', 'ina')
    """
    return _lines(text[:READ], size, bold, room)


@lru_cache(2048)
def _lines(text: str, size: float, bold: bool, room: float) -> tuple[str, ...]:
    if width(text, size, bold) <= room:
        return (text,)
    plain = text.partition(IF_CUT)[0]
    gaps = [gap.start() for gap in _GAP.finditer(plain)]
    for places in (gaps, range(len(plain) - 1, 0, -1)):  # between letters the first line is as long as possible
        pairs = [pair for place in places if all(pair := (plain[:place].strip(), plain[place:].strip()))]
        wide = [max(width(line, size, bold) for line in pair) for pair in pairs]
        fitting = [k for k, both in enumerate(wide) if both <= room]
        if fitting:
            return pairs[min(fitting, key=wide.__getitem__) if places is gaps else fitting[0]]
    longest = [place for place in range(1, len(plain)) if width(plain[:place].strip(), size, bold) <= room]
    place = max([gap for gap in gaps if gap in longest] or longest or [0])
    return (plain[:place].strip(), text[place:].strip()) if place else (text,)


def shortened(text: str, longest: int) -> str:
    """Return *text* with at most *longest* characters; a longer one is cut at a blank and ends in an ellipsis.

    >>> shortened("one two three", 9)
    'one two…'
    """
    if len(text) <= longest:
        return text
    return text[: longest - len(ELLIPSIS)].rsplit(" ", 1)[0] + ELLIPSIS
