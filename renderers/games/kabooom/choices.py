"""The marks of a menu: the frames of all games around fields, and other marks on the counts of stones in the panel.

A symbol with its number is framed like a button if there is room. Otherwise it has lines over and under it if it can be
chosen, and a thick frame if it is chosen.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from renderers.look import Look
from renderers.outlines import Outline
from renderers.outlines import marks as usual_marks
from renderers.scene import AnyShape, Box, Line, Sprite, Stamp
from rules.games.kabooom import SYMBOLS

ROOMY = 70
"""Width of a place in which a frame touches nothing."""
THIN, THICK, ROUND = 2.5, 5.0, 9.0
"""Widths of that frame, and radius of its corners."""
INSET = 2.0
"""Distance from the edge of a place to the frame in it, which keeps off its neighbours and the edge of the plate."""
SIDE, BAR = 3.5, 6.0
"""Without room: width of the strokes at the sides, and of those over and under a symbol with its number."""
IN = 9.0
"""Distance from the sides of a place to the ends of its lines, which keeps neighbours apart."""


def marks(spots: Mapping[str, Outline], look: Look) -> Iterator[AnyShape]:
    """Yield the marks of *look.choices* and *look.chosen*; *spots*: the outlines by part."""
    fields = {part: outline for part, outline in spots.items() if part not in SYMBOLS}
    yield from usual_marks(fields, look.choices, look.chosen)
    for kind in SYMBOLS:
        if kind in spots and (kind in look.choices or kind in look.chosen):
            (x0, y0), _, (x1, y1), _ = spots[kind]
            sprite = _counted(round(x1 - x0), round(y1 - y0), is_chosen=kind in look.chosen)
            yield Stamp(sprite, ((x0 + x1) / 2, (y0 + y1) / 2))


@lru_cache(32)
def _counted(wide: int, high: int, *, is_chosen: bool) -> Sprite:
    """Return the mark of a place of this size with a count of stones. It is on flat ground and needs no casing."""
    half, low = wide / 2, high / 2
    name = "chosen" if is_chosen else "choice"
    if wide >= ROOMY:
        corner, size = (INSET - half, INSET - low), (wide - 2 * INSET, high - 2 * INSET)
        return Sprite(name, (half, low), (Box(corner, size, "", "mark", THICK if is_chosen else THIN, ROUND),))
    if is_chosen:
        bars = tuple(Box((-half, y), (wide, BAR), "mark") for y in (-low, low - BAR))
        sides = tuple(Box((x, -low), (SIDE, high), "mark") for x in (-half, half - SIDE))
        return Sprite(name, (half, low), (*bars, *sides), crisp=True, faceted=True)
    lines = tuple(Line(((IN - half, y), (half - IN, y)), "mark", BAR - 1) for y in (BAR / 2 - low, low - BAR / 2))
    return Sprite(name, (half, low), lines, crisp=True, faceted=True)


__all__ = ["marks"]
