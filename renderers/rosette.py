"""The pixels of a rosette: one wedge of a board, mirrored twelve times as in a kaleidoscope."""

from collections.abc import Sequence
from functools import cache
from math import ceil, cos, floor, pi, sin, sqrt

from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw

from renderers.scene import Wedge

FOLD = 30.0
"""The angle of a wedge in degrees: twelve of them are a rosette."""
COLOURS = 36
"""Number of colours of a rosette: the most frequent ones around its wedge. More make the file larger, but not nicer."""
COARSE = 4
"""Wedges are compared on a board this many times smaller."""
INNER = (1.0, 0.5)
"""The parts of a wedge's reach in which colours count: the middle of a rosette is small, but meets the eye first."""


def best(board: Image.Image, empty: Image.Image, wedges: Sequence[Wedge], kinds: Sequence[int]) -> Wedge | None:
    """Return the most colourful of *wedges*, near its tip as well as in all; None if all are empty.

    Only pixels count in which *board* differs from the *empty* board: every game has the latter. *kinds*: the hue of
    each colour of their palette, from 0.
    """
    changed = ImageChops.difference(_small(board), _small(empty)).point([0] + 255 * [255], "1")
    hues = _small(board).point([1 + kind for kind in kinds], "L")
    hues.paste(0, mask=ImageChops.invert(changed))
    worth = [sum(_colourful(hues, wedge, part) for part in INNER) for wedge in wedges]
    most = max(worth)
    return wedges[worth.index(most)] if most else None


def around(wedge: Wedge) -> tuple[int, int, int, int]:
    """Return the rectangle around *wedge*: left, top, right, bottom."""
    points = (wedge.apex, *wedge.bow(FOLD, 4))
    (left, top), (right, bottom) = map(min, zip(*points, strict=True)), map(max, zip(*points, strict=True))
    return floor(left), floor(top), ceil(right), ceil(bottom)


def _small(image: Image.Image) -> Image.Image:
    """Return the palette's indexes of *image*, made smaller."""
    small = image.resize((image.width // COARSE, image.height // COARSE), Image.Resampling.NEAREST)
    return Image.frombytes("L", small.size, small.tobytes())


def _colourful(hues: Image.Image, wedge: Wedge, part: float) -> float:
    """Return the worth of a *part* of *wedge*: the sum of the roots of the hues' shares, so that a second hue is worth
    more than twice as much of the first."""
    near = replace(wedge, reach=wedge.reach * part)
    outline = [(x / COARSE, y / COARSE) for x, y in (wedge.apex, *near.bow(FOLD, 4))]
    (left, top), (right, bottom) = map(min, zip(*outline, strict=True)), map(max, zip(*outline, strict=True))
    x, y = floor(left), floor(top)
    mask = Image.new("1", (ceil(right) - x, ceil(bottom) - y))
    ImageDraw.Draw(mask).polygon([(a - x, b - y) for a, b in outline], 1)
    counts = hues.crop((x, y, x + mask.width, y + mask.height)).histogram(mask)
    return sum(sqrt(count / (sum(counts) or 1)) for count in counts[1:])


def mirrored(board: Image.Image, wedge: Wedge, radius: int) -> Image.Image:
    """Return the rosette of *wedge* of *board*, an RGB image, as a square of twice the *radius*.

    Three of its wedges fill the upper right quarter; the others are reflections of this quarter.
    """
    quarter = _sampled(board, wedge, 0, radius)
    for number in (1, 2):
        quarter.paste(_sampled(board, wedge, number, radius), (0, 0), _beyond(number, radius))
    whole = Image.new("RGB", (2 * radius, 2 * radius))
    for half, top in ((quarter, 0), (quarter.transpose(Image.Transpose.FLIP_TOP_BOTTOM), radius)):
        whole.paste(half, (radius, top))
        whole.paste(half.transpose(Image.Transpose.FLIP_LEFT_RIGHT), (0, top))
    return whole


def _sampled(board: Image.Image, wedge: Wedge, number: int, side: int) -> Image.Image:
    """Return the quarter as wedge *number* continues it: turned if it is even, else turned and mirrored.

    The rosette's middle is at the lower left corner.
    """
    (x, y), scale = wedge.apex, wedge.reach / side
    mirror = -1 if number % 2 else 1
    angle = (wedge.turn - mirror * FOLD * (number + number % 2)) * pi / 180
    a, b, c, d = (scale * part for part in (mirror * cos(angle), -sin(angle), mirror * sin(angle), cos(angle)))
    matrix = (a, b, x - b * side, c, d, y - d * side)
    return board.transform((side, side), Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR)


@cache
def _beyond(number: int, side: int) -> Image.Image:
    """Return the mask of the part of the quarter beyond *number* wedges, clockwise from 12 o'clock."""
    mask = Image.new("1", (side, side))
    angle, far = number * FOLD * pi / 180, 2 * side
    ImageDraw.Draw(mask).polygon([(0, side), (far * sin(angle), side - far * cos(angle)), (far, side)], 1)
    return mask
