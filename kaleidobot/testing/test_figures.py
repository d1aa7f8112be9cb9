"""Every figure (pieces, marks, crystals, stones, arrows, signs) has a contrast of three to one with its ground.

All figures are read from the scenes at their places; only the exceptions are listed. A figure contrasts with a ground
if any of its colours does, even if it is only the colour of its edge.
"""

from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageFilter

from kaleidobot.testing.looking import scenes
from kaleidobot.testing.selection import games_under_test
from renderers import Theme
from renderers.paint import Patch, painter
from renderers.palette import colours, contrast, table
from renderers.scene import AnyShape, Box, Point, Scene, Stamp, shifted

VISIBLE = 3.0
FELT = 0.05
"""A colour with a smaller share of a figure does not make it visible."""
GROUND = 0.15
"""A colour with a smaller share of the surroundings is not a ground."""
NAKED = 0.005
"""The largest share of accent that may be further than a casing from a contrasting colour: the middle of thick
heads."""
CASING = 7
"""In pixels."""
EDGE = 7
"""Depth of the edge that is read, in pixels, inwards and outwards."""
REACHED = [0] + [255] * 255
"""Table for a blurred mask: pixels within reach of the figure. It is much quicker than a maximum filter."""
COVERED = [0] * 255 + [255]
"""Table for a blurred mask: pixels with only the figure within reach."""
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
"""The sprites, by the first word of their names, that are not figures: panes and their light (the figure etched in
one has its letter on it), stones far down in a tower, the edge under a trail, quiet ground under a name."""
ABSENT = "none"
"""The last word in the names of missing things, which are faint on purpose."""


def layers(shapes: tuple[AnyShape, ...], by: Point = (0, 0)) -> Iterator[AnyShape]:
    """Yield *shapes* at their places, with the parts of tiles."""
    for shape in shapes:
        here = shifted(shape, by)
        if isinstance(here, Stamp) and here.sprite.ground:
            (x, y), (wide, high) = here.at, here.sprite.reach
            yield Box((x - wide, y - high), (2 * wide, 2 * high), here.sprite.ground)
            yield from layers(here.sprite.shapes, here.at)
        else:
            yield here


def is_figure(shape: AnyShape) -> bool:
    """Return whether *shape* has a meaning by itself. Gems on cards (two letters) have letters on their faces."""
    if not isinstance(shape, Stamp):
        return False
    words = shape.sprite.name.split()
    is_gem = len(words[0]) == 2 and words[0].islower()
    return not is_gem and words[0] not in SURFACES and words[-1] != ABSENT


def most(image: Image.Image, mask: Image.Image, part: float) -> list[int]:
    """Return the indices of the colours with at least this *part* of the pixels of *image* under *mask*."""
    counts = image.histogram(mask)
    least = part * sum(counts)
    return [number for number, count in enumerate(counts) if count and count >= least]


@cache  # many boards have the same figure
def rims(patch: Patch) -> tuple[Image.Image, Image.Image, Image.Image]:
    """Return the masks of the figure of *patch*, of the ring outside its edge, and of the ring inside."""
    assert patch.mask is not None
    mask = Image.new("L", (patch.size[0] + 2 * EDGE, patch.size[1] + 2 * EDGE))
    mask.paste(patch.mask.point([0] * 100 + [255] * 156), (EDGE, EDGE))
    blurred = mask.filter(ImageFilter.BoxBlur(EDGE // 2))
    outside = ImageChops.subtract(blurred.point(REACHED), mask)
    inside = ImageChops.subtract(mask, blurred.point(COVERED))
    return mask, outside, inside


def faint(scene: Scene, theme: Theme, looked_at: set[tuple[Patch, bytes]]) -> Iterator[str]:
    """Yield the figures of *scene* that do not contrast with their grounds, without those *looked_at* before."""
    brush, known = painter(theme), table(theme)
    canvas = brush.image(replace(scene, shapes=(), marks=(), rosettes=())).convert("RGB")
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
            reached, best = max(((contrast(known[one], known[ground]), one) for one in own), default=(1.0, ground))
            if reached < VISIBLE:
                name = shape.sprite.name if isinstance(shape, Stamp) else str(shape)
                yield f"{name}: {named(best, theme)} on {named(ground, theme)}, {reached:.1f} to 1"


def named(index: int, theme: Theme) -> str:
    """Return the name of the colour with this *index* in the palette; that of a blend is its hex triplet."""
    colour = table(theme)[index]
    return next((name for name, other in colours(theme).items() if other == colour), f"#{bytes(colour).hex()}")


@pytest.fixture(scope="module", params=[(name, theme) for name in games_under_test() for theme in Theme], ids="-".join)
def drawn(request: pytest.FixtureRequest) -> tuple[str, Theme]:
    """Return a game and a theme; the tests share the painted figures."""
    name, theme = request.param
    return str(name), Theme(theme)


def test_every_figure_contrasts_with_its_ground(drawn: tuple[str, Theme]) -> None:
    """Any of its colours will do, also that of its edge. A sprite called pane or lead, say, is no figure."""
    name, theme = drawn
    looked_at: set[tuple[Patch, bytes]] = set()
    faint_ones = {figure: where for where, scene in scenes(name, theme) for figure in faint(scene, theme, looked_at)}
    rims.cache_clear()
    assert not faint_ones, f"figures need {VISIBLE} to 1, in the {theme} theme: " + "; ".join(
        f"{figure} ({where})" for figure, where in faint_ones.items()
    )


def test_every_change_contrasts_with_its_ground(drawn: tuple[str, Theme]) -> None:
    """Give lines in accent an edge in ink."""
    name, theme = drawn
    own = colours(theme)["accent"]
    is_own = [all(abs(a - b) < 4 for a, b in zip(colour, own, strict=True)) for colour in table(theme)]
    is_far = [contrast(colour, own) >= VISIBLE for colour in table(theme)]
    for where, scene in scenes(name, theme):
        image = painter(theme).image(scene)
        accent = image.point([255 * flag for flag in is_own] + [0] * (256 - len(is_own)), "L")
        changed = accent.getbbox()
        if changed is None:
            continue
        left, top, right, bottom = changed
        around = (
            *(max(0, left - CASING), max(0, top - CASING)),
            *(min(image.width, right + CASING), min(image.height, bottom + CASING)),
        )
        image, accent = image.crop(around), accent.crop(around)
        far = image.point([255 * flag for flag in is_far] + [0] * (256 - len(is_far)), "L")
        near_far = far.filter(ImageFilter.BoxBlur(CASING)).point([0] + [255] * 255)
        naked = ImageChops.subtract(accent, near_far).histogram()[255] / accent.histogram()[255]
        assert naked <= NAKED, (
            f"{where}: {naked:.1%} of accent has nothing with a contrast of {VISIBLE} to 1 within {CASING} pixels, in "
            f"the {theme} theme"
        )
