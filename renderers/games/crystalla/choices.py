"""The marks of a menu: the open frames of all games, and a thick frame round what was chosen, square round stones.

A thin ring round a stone is taken for its rim.
"""

from collections.abc import Iterator
from functools import lru_cache

from renderers import Look
from renderers.games.crystalla.places import spots
from renderers.outlines import CASING, Outline, box, inset, marks
from renderers.scene import AnyShape, Polygon, Sprite, Stamp
from rules.games.crystalla import State

FRAME = 7.0
ROUND = 5
"""An outline with more corners than this is that of a stone."""


def marked(view: State, look: Look) -> Iterator[AnyShape]:
    """The marks of what can be chosen and is chosen."""
    found = spots(view, look)
    taken = dict.fromkeys(found[part] for part in look.chosen if part in found)
    yield from marks(found, (part for part in look.choices if found.get(part) not in taken), ())
    yield from map(_framed, taken)


def _framed(outline: Outline) -> Stamp:
    """The frame of what was chosen."""
    left, top, right, bottom = (pick(axis) for pick in (min, max) for axis in zip(*outline, strict=True))
    x, y = round((left + right) / 2), round((top + bottom) / 2)
    if len(outline) > ROUND:
        outline = box((left, top), (right - left, bottom - top))
    return Stamp(_frame(tuple((a - x, b - y) for a, b in outline)), (x, y))


@lru_cache(256)
def _frame(form: Outline) -> Sprite:
    """The frame of a place of this *form* round (0, 0)."""
    frame = inset(form, FRAME / 2 + CASING)
    reach = max(abs(x) for x, _ in form), max(abs(y) for _, y in form)
    cased = (Polygon(frame, "", "mark.case", FRAME + 2 * CASING), Polygon(frame, "", "mark", FRAME))
    return Sprite("chosen", reach, cased, crisp=True, faceted=True)


__all__ = ["marked"]
