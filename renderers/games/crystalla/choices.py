"""The marks of a menu.

Parts that can be chosen have open frames as in all games, but with short arms at the edge of their places, as cards
have letters in their corners. A chosen part has a thick frame, which is square around stones: a thin ring would look
like the stone's rim.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from renderers.look import Look
from renderers.outlines import CASING, INSET, Outline, box, inset, pieced, stamped, towards
from renderers.scene import AnyShape, Point, Polygon, Sprite, Stamp

FRAME = 7.0
ARM = 13.0
"""Length of the marks in corners."""
ROUND = 5
"""An outline with more corners than this belongs to a stone."""


def marks(spots: Mapping[str, Outline], look: Look) -> Iterator[AnyShape]:
    """Yield the marks of *look.choices* and *look.chosen*; *spots*: the outlines by part."""
    taken = dict.fromkeys(spots[part] for part in look.chosen if part in spots)
    free = dict.fromkeys(spots[part] for part in look.choices if part in spots and spots[part] not in taken)
    for outline in free:
        yield stamped(outline, is_chosen=False) if len(outline) > ROUND else _cornered(outline)
    yield from map(_framed, taken)


def _cornered(outline: Outline) -> Stamp:
    """Return the mark of a part that can be chosen: the corners of its place."""
    at, form = _placed(outline)
    return Stamp(_corners(form), at)


@lru_cache(256)
def _corners(form: Outline) -> Sprite:
    """Return the corners of a place of this *form* around (0, 0)."""
    frame = inset(form, INSET)
    reach = max(abs(x) for x, _ in form), max(abs(y) for _, y in form)
    arms = (
        (towards(corner, frame[k - 1], ARM), corner, towards(corner, frame[(k + 1) % len(frame)], ARM))
        for k, corner in enumerate(frame)
    )
    return Sprite("choice", reach, tuple(pieced(arms)), crisp=True, faceted=True)


def _placed(outline: Outline) -> tuple[Point, Outline]:
    """Return the middle of an outline in whole pixels, and its form around it."""
    left, top, right, bottom = (pick(axis) for pick in (min, max) for axis in zip(*outline, strict=True))
    x, y = round((left + right) / 2), round((top + bottom) / 2)
    return (x, y), tuple((a - x, b - y) for a, b in outline)


def _framed(outline: Outline) -> Stamp:
    """Return the frame of a chosen part."""
    if len(outline) > ROUND:
        left, top, right, bottom = (pick(axis) for pick in (min, max) for axis in zip(*outline, strict=True))
        outline = box((left, top), (right - left, bottom - top))
    at, form = _placed(outline)
    return Stamp(_frame(form), at)


@lru_cache(256)
def _frame(form: Outline) -> Sprite:
    """Return the frame of a place of this *form* around (0, 0)."""
    frame = inset(form, FRAME / 2 + CASING)
    reach = max(abs(x) for x, _ in form), max(abs(y) for _, y in form)
    cased = (Polygon(frame, "", "mark.case", FRAME + 2 * CASING), Polygon(frame, "", "mark", FRAME))
    return Sprite("chosen", reach, cased, crisp=True, faceted=True)


__all__ = ["marks"]
