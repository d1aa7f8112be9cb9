"""Start positions that people write: the pieces of each player, ``w1j p1d p1e / w5j p5d p5e``.

The rulebook invites players to "experiment with changing the start positions". A position is read leniently, and kept
in one canonical form, which is all that anyone sees of it: ``w1j.p1d.p1e/w5j.p5d.p5e``.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from rules.contract import BadOption, Option
from rules.games.kalejdoschach.board import CASTLES, KINDS, NAMES, NUMBER, Board, Piece
from rules.games.kalejdoschach.moves import can_move
from rules.games.kalejdoschach.notation import NAMED
from rules.games.kalejdoschach.position import USUAL, Unfit
from rules.notation import plain

SEATS: Final = range(2, 5)
EACH: Final = 18
"""Number of pieces that a player may have at most, as in the rulebook."""
ALL: Final = 36
"""Number of pieces on the board at most."""
LONGEST: Final = 400


_KINDS: Final = "|".join(sorted(NAMED, key=len, reverse=True))
_PIECE: Final = re.compile(rf"(?P<kind>{_KINDS}) ?(?P<field>00|[1-8][a-k])")
_GAP: Final = re.compile(r"[ ,.;:+-]*")
_WORD: Final = re.compile(r"[^ ,.;:+-]{1,20}")
_BETWEEN: Final = re.compile(r"[/|]")
_ORDER: Final = tuple(KINDS)


def read(text: str) -> str:
    """Return a start position in its canonical form. Raises BadOption.

    >>> read("Wizard 1j, P1E p1d / w5j p5e")
    'w1j.p1d.p1e/w5j.p5e'
    """
    typed = plain(text).strip(" /|")
    if len(typed) > LONGEST:
        raise BadOption(Unfit.LONG, str(LONGEST))
    if not re.search(r"\w", typed):
        raise BadOption(Unfit.EMPTY)
    armies = [list(_army(part)) for part in _BETWEEN.split(typed)]
    if len(armies) not in SEATS:
        raise BadOption(Unfit.PLAYERS, str(len(armies)))
    fields = [field for army in armies for _, field in army]
    for field in fields:
        if fields.count(field) > 1:
            raise BadOption(Unfit.TWICE, field)
    for player, army in enumerate(armies, 1):
        if len(army) > EACH:
            raise BadOption(Unfit.MANY, str(player))
    if len(fields) > ALL:
        raise BadOption(Unfit.CROWD, str(len(fields)))
    for player, army in enumerate(armies, 1):
        if not any(field in CASTLES for _, field in army):
            raise BadOption(Unfit.CASTLE, str(player))
    ordered = (sorted(army, key=lambda piece: (_ORDER.index(piece[0]), NUMBER[piece[1]])) for army in armies)
    canonical = "/".join(".".join(kind + field for kind, field in army) for army in ordered)
    for seat in range(len(armies)):
        if not can_move(board(canonical), seat, None):
            raise BadOption(Unfit.STUCK, str(seat + 1))
    return canonical


def _army(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of one player, each as (kind, field)."""
    at = _after_gap(text, 0)
    while at < len(text):
        form = _PIECE.match(text, at)
        if form is None:
            raise _unread(text[at:])
        yield NAMED[form["kind"]], form["field"]
        at = _after_gap(text, form.end())


def _after_gap(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return at if gap is None else gap.end()


def _unread(rest: str) -> BadOption:
    """Return the error for a text that does not begin with a piece: its kind, its field, or neither is known."""
    word = _WORD.match(rest)
    quoted = rest[:20] if word is None else word[0]
    letters = "".join(re.findall(r"^[^\W\d_]+", quoted))
    field = quoted[len(letters) :]
    if letters in NAMED and field:
        return BadOption(Unfit.FIELD, field)
    if letters and field in NUMBER:
        return BadOption(Unfit.KIND, letters)
    return BadOption(Unfit.UNREAD, quoted)


def seats_of(position: str) -> int:
    """Return the number of players of a canonical position."""
    return position.count("/") + 1


@lru_cache(64)
def board(position: str) -> Board:
    """Return the board of a canonical position."""
    placed = {
        piece[1:]: Piece(seat, piece[0])
        for seat, army in enumerate(position.split("/"))
        for piece in army.split(".")
        if piece
    }
    return tuple(placed.get(name) for name in NAMES)


OPTION: Final = Option(
    "position",
    (USUAL,),
    USUAL,
    implied=True,
    read=read,
    examples=(
        "w1j d3j e1h t2g p1d p3d / w5j d7j e5h t6g p5d p7d",
        "w1j r1k e1d p1c / w3j r3k e3d p3c / w7j r7k e7d p7c",
        "w1j v1i h1e p1c / w3j v3i h3e p3c / w5j v5i h5e p5c / w7j v7i h7e p7c",
    ),
)
