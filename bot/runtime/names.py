"""Names of people, made safe to show beside other text: a line always stays a line.

`shown` is for every name on its way in, and for other short texts of people; `alike` says which names look the same;
`isolated` keeps a name in Hebrew or Arabic script from reordering its line.
"""

import re
import unicodedata
from functools import lru_cache

LONGEST = 40
READ = 400
"""More characters of a name are not looked at."""
KEPT = 1024
"""So many names are remembered as they are shown: a table's come again and again at every turn."""
MARKS = 3
"""So many marks may stand on one letter (Hebrew has three); on a Latin, Greek or Cyrillic one a mark less."""

_JOINERS = "\u200c\u200d"  # between letters of Persian and Indic scripts, and between emoji
_SELECTORS = "\ufe0e\ufe0f"  # after a symbol: as text or as emoji
_KEYCAP = "\u20e3"
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
"""Characters that show nothing although their category says otherwise (Unicode: Default_Ignorable_Code_Point)."""
_LIKE = str.maketrans(
    "iı1|!0ɑаеорсухѕјһԁԛԝвкмнтгαβεηικνορτυχγ",
    "lllllo" + "aaeopcyxsjhdqwbkmhtrabenlkvoptuxy",
)
"""Small letters and digits that look like another one, in any case of theirs; *i* and *l* count as one."""


def shown(name: str, longest: int = LONGEST) -> str:
    """Return *name* on one line of at most *longest* characters, without control characters, direction overrides,
    invisible characters and stacked marks; "" if nothing remains.

    >>> shown("  Anna\\tLena \\u202e "), ascii(shown("Zoe" + 30 * "\\u0301")), shown("\\u3164\\u200b")
    ('Anna Lena', "'Zo\\\\xe9\\\\u0301\\\\u0301'", '')
    """
    return _shown(name[:READ], longest)


@lru_cache(KEPT)
def _shown(name: str, longest: int) -> str:
    letters = unicodedata.normalize("NFC", "".join(filter(_is_visible, name)))
    kept: list[str] = []
    base, marks = " ", 0  # the letter that marks stand on, and how many there are
    for at, letter in enumerate(letters):
        before, kind = kept[-1] if kept else " ", unicodedata.category(letter)
        if kind[0] == "M" and letter not in _SELECTORS:
            marks += 1
            if base != " " and marks <= _room(base) and (kind != "Me" or letter == _KEYCAP):
                kept.append(letter)
        elif letter in _SELECTORS:
            if _is_symbol(before):
                kept.append(letter)
        elif letter in _JOINERS:
            if _joins(before) and _is_joined(letters[at + 1 : at + 2]):
                kept.append(letter)
        else:
            base, marks = " " if letter.isspace() else letter, 0
            if base != " " or before != " ":
                kept.append(base)
    line = "".join(kept).strip(" " + _JOINERS)
    if len(line) <= longest:
        return line
    return line[: longest - 1].rstrip(" " + _JOINERS) + "…"


def _is_visible(letter: str) -> bool:
    """Return whether a character is visible, or needed by a neighbour."""
    if unicodedata.category(letter)[0] == "C":
        return letter in _JOINERS or letter.isspace()
    return _BLANK.match(letter) is None


def _room(base: str) -> int:
    """How many marks may stand on *base*."""
    return MARKS - 1 if unicodedata.category(base) in ("Lu", "Ll") else MARKS


def _is_symbol(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "S" or letter in "#*0123456789"


def _joins(letter: str) -> bool:
    """Whether a joiner may stand after *letter*: of a script without capitals, a mark of one, an emoji."""
    return unicodedata.category(letter) in ("Lo", "Mn", "Mc", "So", "Sk")


def _is_joined(letter: str) -> bool:
    """Whether a joiner may stand before *letter*, "" for none."""
    return bool(letter) and unicodedata.category(letter) in ("Lo", "So", "Sk")


def alike(name: str) -> str:
    """The same for all names that look alike: however they are written, in capitals, with letters of other scripts.

    >>> alike("Anna") == alike("A\\u200bnna") == alike("ANNA") == alike("\\u0410nn\\u0430") != alike("Änna")
    True
    """
    return _alike(shown(name))


@lru_cache(KEPT)
def _alike(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).casefold().translate(_LIKE)
    return "".join(letter for letter in plain if letter not in _JOINERS + _SELECTORS)


def isolated(name: str) -> str:
    """Return *name* isolated, so that a right-to-left script does not reorder the text around it.

    >>> isolated("Anna"), isolated("ענת") == "\\u2068ענת\\u2069"
    ('Anna', True)
    """
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in name)
    return f"\u2068{name}\u2069" if turns else name


_LINKING = re.compile(r"[@#/\\<>()\[\]{}|*_~`^=+$&%]|(?<=\S)[.:](?=\S)")
"""Signs that make links, mentions, commands and formatting in any app."""


def unlinked(name: str, longest: int = LONGEST) -> str:
    """Return *name* as `shown`, and without anything that an app could turn into a link, a mention or a command.

    >>> unlinked("Chess @all https://t.me/x <b>"), unlinked("#general: St. Pauli!")
    ('Chess all https t me x b', 'general: St. Pauli!')
    """
    return shown(_LINKING.sub(" ", name[:READ]), longest)
