"""Every figure has a contrast of at least three to one with its ground: pieces, marks, crystals, stones, arrows,
signs.

All figures are taken from the scenes, at their places; only exceptions are listed. A figure contrasts with its ground
if any of its colours does, even only that of its edge.
"""

from collections.abc import Iterator
from functools import cache

import pytest
from PIL import Image, ImageChops, ImageFilter

from renderers import Theme, drawers
from renderers.paint import Patch, painter
from renderers.palette import colours, contrast, table
from renderers.scene import AnyShape, Box, Point, Scene, Stamp, shifted
from tests.renderers.looking import scenes

VISIBLE = 3.0
FELT = 0.05
"""One does not see a figure by a colour that less of it has."""
GROUND = 0.15
"""What less of its surroundings has is no ground of a figure."""
NAKED = 0.005
"""Share of the accent that may be further than a casing from a contrasting tone: the middle of thick arrow heads."""
CASING = 7
"""Pixels."""
EDGE = 7
"""Pixels: so far in and out its edge is looked at, there and back."""
REACHED = [0] + [255] * 255
"""Of a blurred mask: a pixel of it is within reach. Many times as quick as to look for the brightest one around."""
COVERED = [0] * 255 + [255]
"""Only pixels of it are within reach."""
SURFACES = frozenset(
    (
        "pane",
        "part",
        "frames",
        "frame",
        "lead",
        "well",
        "light",
        "burst",
        "hole",
        "ray",
        "slice",
        "halo",
        "piece",
        "deck",
        "figure",
        "tag",
    )
)
"""The sprites, by the first word of their names, that are no figures: panes and what falls into them (the figure
etched in one has its letter on it), stones far down in a tower, the edge under a trail, quiet ground under a name."""
ABSENT = "none"
"""The last word of a missing thing, which is faint on purpose."""


def layers(shapes: tuple[AnyShape, ...], by: Point = (0, 0)) -> Iterator[AnyShape]:
    """*shapes* at their places, tiles taken apart."""
    for shape in shapes:
        here = shifted(shape, by)
        if isinstance(here, Stamp) and here.sprite.ground:
            (x, y), (wide, high) = here.at, here.sprite.reach
            yield Box((x - wide, y - high), (2 * wide, 2 * high), here.sprite.ground)
            yield from layers(here.sprite.shapes, here.at)
        else:
            yield here


def is_figure(shape: AnyShape) -> bool:
    """Whether *shape* tells something by itself. Gems on cards, named by two letters, have letters on their faces."""
    if not isinstance(shape, Stamp):
        return False
    words = shape.sprite.name.split()
    is_gem = len(words[0]) == 2 and words[0].islower()
    return not is_gem and words[0] not in SURFACES and words[-1] != ABSENT


def most(image: Image.Image, mask: Image.Image, part: float) -> list[int]:
    """The colours, by their numbers, of at least so large a *part* of what *mask* shows of *image*."""
    counts = image.histogram(mask)
    least = part * sum(counts)
    return [number for number, count in enumerate(counts) if count and count >= least]


@cache  # the same figure is on many boards
def rims(patch: Patch) -> tuple[Image.Image, Image.Image, Image.Image]:
    """Return the pixels of the figure in *patch*, those just outside of its edge, and those just inside."""
    assert patch.mask is not None
    mask = Image.new("L", (patch.size[0] + 2 * EDGE, patch.size[1] + 2 * EDGE))
    mask.paste(patch.mask.point([0] * 100 + [255] * 156), (EDGE, EDGE))
    blurred = mask.filter(ImageFilter.BoxBlur(EDGE // 2))
    outside = ImageChops.subtract(blurred.point(REACHED), mask)
    inside = ImageChops.subtract(mask, blurred.point(COVERED))
    return mask, outside, inside


def faint(scene: Scene, theme: Theme, looked_at: set[tuple[Patch, bytes]]) -> Iterator[str]:
    """The figures of *scene* that do not stand out from all that they lie on, but for those *looked_at* before."""
    brush, known = painter(theme), table(theme)
    canvas = brush.image(Scene(scene.size, scene.still, ())).convert("RGB")
    for shape in layers(scene.shapes):
        patch, shift = brush._patch(shape)
        if patch is None:
            continue
        left, top, right, bottom = patch.box(shift)
        around = (left - EDGE, top - EDGE, right + EDGE, bottom + EDGE)
        under = canvas.crop(around) if patch.mask is not None and is_figure(shape) else None
        brush._onto(canvas, patch, patch.box(shift))
        if under is None or (patch, under.tobytes()) in looked_at:
            continue
        looked_at.add((patch, under.tobytes()))
        before, after = brush._rounded(under), brush._rounded(canvas.crop(around))
        mask, outside, inside = rims(patch)
        own = [*most(after, mask, FELT), *most(after, inside, FELT)]
        for ground in most(before, outside, GROUND):
            if max((contrast(known[colour], known[ground]) for colour in own), default=1.0) < VISIBLE:
                yield f"{shape} on {known[ground]}"


@pytest.fixture(scope="module", params=[(name, theme) for name in drawers() for theme in Theme], ids="-".join)
def drawn(request: pytest.FixtureRequest) -> tuple[str, Theme]:
    """A game in a theme; its painted pixels are shared by the tests."""
    name, theme = request.param
    return str(name), Theme(theme)


def test_every_figure_contrasts_with_the_ground_below_it(drawn: tuple[str, Theme]) -> None:
    name, theme = drawn
    looked_at: set[tuple[Patch, bytes]] = set()
    found = {told: where for where, scene in scenes(name, theme) for told in faint(scene, theme, looked_at)}
    rims.cache_clear()
    assert not found


def test_changes_are_visible_on_every_ground(drawn: tuple[str, Theme]) -> None:
    name, theme = drawn
    own = colours(theme)["accent"]
    is_own = [all(abs(a - b) < 4 for a, b in zip(colour, own, strict=True)) for colour in table(theme)]
    is_far = [contrast(colour, own) >= VISIBLE for colour in table(theme)]
    for where, scene in scenes(name, theme):
        image = painter(theme).image(scene)
        accent = image.point([255 * each for each in is_own] + [0] * (256 - len(is_own)), "L")
        changed = accent.getbbox()
        if changed is None:
            continue
        left, top, right, bottom = changed
        around = (
            *(max(0, left - CASING), max(0, top - CASING)),
            *(min(image.width, right + CASING), min(image.height, bottom + CASING)),
        )
        image, accent = image.crop(around), accent.crop(around)
        far = image.point([255 * each for each in is_far] + [0] * (256 - len(is_far)), "L")
        near_far = far.filter(ImageFilter.BoxBlur(CASING)).point([0] + [255] * 255)
        naked = ImageChops.subtract(accent, near_far).histogram()[255]
        assert naked <= NAKED * accent.histogram()[255], where
