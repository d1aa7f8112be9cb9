"""The diagrams of the rules: the empty board, what two pieces can reach, the nine kinds."""

from collections.abc import Iterator

from renderers import Look
from renderers.games.kalejdoschach.gems import HUES, gem, mark
from renderers.games.kalejdoschach.window import SIZE, Window, held, still
from renderers.scene import AnyShape, Scene, Stamp, Text
from rules.games.kalejdoschach import FIELDS, KINDS, Piece
from rules.games.kalejdoschach.moves import moves
from texts import say

WINDOW = Window()
REACH = {
    "2d": Piece(2, "t"),
    "2c": Piece(0, "p"),
    "2g": Piece(1, "h"),
    "6d": Piece(3, "e"),
    "6c": Piece(1, "p"),
    "6g": Piece(0, "h"),
}
"""A walker and a flyer of the same reach, one step apart, and what stands in their way."""


def diagram(page: int, look: Look) -> Scene | None:
    """The scene that goes with a page of the rules."""
    match page:
        case 1:
            return Scene(SIZE, still(WINDOW), (), dense=True)
        case 2:
            return Scene(SIZE, still(WINDOW), (*_reached(), *_stones()), dense=True)
        case 3:
            return Scene((SIZE[0], 5 * ROW + 2 * MARGIN), (), tuple(_kinds(look.lang)))
    return None


def _stones() -> Iterator[AnyShape]:
    for field, piece in REACH.items():
        blank, name = held(WINDOW, field)
        yield from (blank, Stamp(gem(mark(piece.seat), HUES[piece.seat], piece.kind), WINDOW.seat(field)), name)


def _reached() -> Iterator[AnyShape]:
    """What orange and blue may go to, framed in their colours."""
    board = tuple(REACH.get(field) for field in FIELDS)
    for seat in (2, 3):
        for move in moves(board, seat, None):
            yield WINDOW.pane(move.target, 5, "", HUES[seat], 6)


ROW = 104
MARGIN = 20


def _kinds(lang: str) -> Iterator[AnyShape]:
    """Every kind as a large stone with its name and its number of steps: flyers left, walkers right."""
    for column, flies in enumerate((True, False)):
        kinds = [letter for letter, kind in KINDS.items() if kind.flies == flies]
        for row, letter in enumerate(kinds):
            x, y = 80 + 450 * column, MARGIN + ROW * (row + 0.5)
            yield Stamp(gem(mark(column), HUES[column], letter, 2), (x, y))
            yield Text((x + 72, y), say("kalejdoschach", f"part.{KINDS[letter].name}", lang), 34)
            yield Text((x + 340, y), str(KINDS[letter].steps), 34, "muted", align="right")
