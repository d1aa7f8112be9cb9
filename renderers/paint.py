"""A scene becomes a PNG. The only module that draws pixels.

Everything slow happens once: the still layer of a scene and every sprite, line and word is drawn (at four times its
size where it is more than letters), shrunk, and kept with its mask; a picture is then a copy of the still layer, some
pastes, a rounding to the theme's fixed palette without dithering, and a deflate at level 4. The same scene gives the
same bytes in every process. All of it may be called from any thread; one lock per theme keeps order.
"""

from collections import OrderedDict
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from itertools import pairwise
from math import ceil, cos, floor, hypot, pi, sin
from threading import Lock
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from renderers import Theme
from renderers.lettering import CAPITAL, FILES, READ, fitted
from renderers.palette import Rgb, colours, table
from renderers.scene import (
    AnyShape,
    Arrow,
    Box,
    Disc,
    Glow,
    Line,
    Point,
    Polygon,
    Scene,
    Sector,
    Sprite,
    Stamp,
    Text,
    moved,
)

FINE = 4
"""Shapes are drawn this many times larger and shrunk once."""
LARGE = 250_000
"""Square units from which on a shape is drawn only twice as large, to spare memory."""
KEPT_BYTES = 40_000_000
KEPT_LAYERS = 12
COMPRESS_LEVEL = 4


class Patch(Struct, frozen=True):
    """Pixels to be pasted: *paint* (an image or one colour) through *mask* (None: it covers all of its rectangle).

    *corner*: where the upper left one goes. *size*: in bytes.
    """

    paint: Image.Image | Rgb
    mask: Image.Image | None
    corner: tuple[int, int]
    size: int


class Painter:
    """The brushes of one theme: its palette, and what has been drawn before."""

    def __init__(self, theme: Theme) -> None:
        self.colours = colours(theme)
        self._palette = Image.new("P", (1, 1))
        self._palette.putpalette([part for colour in table(theme) for part in colour])
        self._patches: OrderedDict[object, Patch] = OrderedDict()
        self._patch_bytes = 0
        self._layers: OrderedDict[object, Image.Image] = OrderedDict()
        self._lock = Lock()

    def paint(self, scene: Scene, width_px: int | None = None) -> bytes:
        """The PNG of *scene*, as wide as the scene unless *width_px* asks for a smaller copy."""
        with self._lock:
            canvas = self._layer(scene).copy()
            for shape in scene.shapes:
                self._paste(canvas, shape)
            if width_px is not None and width_px != canvas.width:
                canvas = canvas.resize(
                    (width_px, round(canvas.height * width_px / canvas.width)), Image.Resampling.LANCZOS
                )
            picture = canvas.quantize(palette=self._palette, dither=Image.Dither.NONE)
        out = BytesIO()
        picture.save(out, "PNG", compress_level=COMPRESS_LEVEL)
        return out.getvalue()

    def prepare(self, sprites: tuple[Sprite, ...]) -> None:
        """Draw *sprites* now, so that no picture has to wait for them."""
        for sprite in sprites:
            with self._lock:
                self._patch(Stamp(sprite, (0, 0)))

    def _layer(self, scene: Scene) -> Image.Image:
        key = (scene.size, scene.still)
        layer = self._layers.get(key)
        if layer is None:
            layer = Image.new("RGB", scene.size, self.colours["ground"])
            for shape in scene.still:
                self._paste(layer, shape)
            self._layers[key] = layer
            if len(self._layers) > KEPT_LAYERS:
                self._layers.popitem(last=False)
        else:
            self._layers.move_to_end(key)
        return layer

    def _paste(self, canvas: Image.Image, shape: AnyShape) -> None:
        patch, (x, y) = self._patch(shape)
        if patch is not None:
            canvas.paste(patch.paint, (x + patch.corner[0], y + patch.corner[1]), patch.mask)

    def _patch(self, shape: AnyShape) -> tuple[Patch | None, tuple[int, int]]:
        """The pixels of *shape* and the whole number of units by which they are to be shifted."""
        key, shift = _anchored(shape)
        patch = self._patches.get(key)
        if patch is not None:
            self._patches.move_to_end(key)
            return patch, shift
        patch = _lettered(key, self.colours[key.colour]) if isinstance(key, Text) else _drawn(key, self.colours)
        if patch is None:
            return None, shift
        self._patches[key] = patch
        self._patch_bytes += patch.size
        while self._patch_bytes > KEPT_BYTES:
            self._patch_bytes -= self._patches.popitem(last=False)[1].size
        return patch, shift


@cache
def painter(theme: Theme) -> Painter:
    """The one painter of *theme*."""
    return Painter(theme)


def contact_sheet(pictures: tuple[bytes, ...], columns: int, width_px: int, ground: Rgb) -> bytes:
    """One PNG that shows *pictures* side by side, each *width_px* wide, row by row."""
    images = [Image.open(BytesIO(picture)).convert("RGB") for picture in pictures]
    small = [
        image.resize((width_px, round(image.height * width_px / image.width)), Image.Resampling.LANCZOS)
        for image in images
    ]
    gap = 16
    rows = [small[k : k + columns] for k in range(0, len(small), columns)]
    heights = [max(image.height for image in row) for row in rows]
    sheet = Image.new("RGB", (columns * (width_px + gap) + gap, sum(heights) + gap * (len(rows) + 1)), ground)
    y = gap
    for row, height in zip(rows, heights, strict=True):
        for k, image in enumerate(row):
            sheet.paste(image, (gap + k * (width_px + gap), y))
        y += height + gap
    out = BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


def _quarter(value: float) -> float:
    return round(value * 4) / 4


def _anchored(shape: AnyShape) -> tuple[AnyShape, tuple[int, int]]:
    """*shape* moved next to the origin, and the whole number of units that this took back."""
    match shape:
        case Stamp():
            return replace(shape, at=(0, 0)), (round(shape.at[0]), round(shape.at[1]))
        case Text():
            return replace(shape, at=(0, 0), text=shape.text[:READ]), (round(shape.at[0]), round(shape.at[1]))
        case Disc() | Box() | Sector() | Glow():
            x, y = floor(shape.at[0]), floor(shape.at[1])
            return replace(shape, at=(_quarter(shape.at[0] - x), _quarter(shape.at[1] - y))), (x, y)
        case Polygon() | Line():
            x, y = floor(shape.points[0][0]), floor(shape.points[0][1])
            points = tuple((_quarter(a - x), _quarter(b - y)) for a, b in shape.points)
            return replace(shape, points=points), (x, y)
        case Arrow():
            x, y = floor(shape.start[0]), floor(shape.start[1])
            (start, end) = ((_quarter(a - x), _quarter(b - y)) for a, b in (shape.start, shape.end))
            return replace(shape, start=start, end=end), (x, y)
        case _:
            assert_never(shape)


@cache
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FILES[bold]), size, layout_engine=ImageFont.Layout.BASIC)


def _lettered(text: Text, colour: Rgb) -> Patch | None:
    font = _font(text.size, text.bold)
    words = fitted(text.text, text.size, text.bold, text.room)
    left, top, right, bottom = (floor(side) for side in font.getbbox(words, anchor="ls"))
    size = (right - left + 2, bottom - top + 2)
    if words.isspace():
        return None
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).text((-left, -top), words, fill=255, font=font, anchor="ls")
    shift = {"left": 0.0, "middle": -(left + right) / 2, "right": -float(right)}[text.align]
    return Patch(colour, mask, (round(shift) + left, round(text.size * CAPITAL / 2) + top), mask.width * mask.height)


def _drawn(shape: AnyShape, colours: Mapping[str, Rgb]) -> Patch | None:
    x0, y0, x1, y1 = _bounds(shape)
    left, top = floor(x0) - 1, floor(y0) - 1
    width, height = ceil(x1) + 1 - left, ceil(y1) + 1 - top
    fine = FINE if width * height < LARGE else FINE // 2
    image = Image.new("RGBA", (width * fine, height * fine))
    _draw(image, shape, (-left, -top), fine, colours)
    image = image.reduce(fine)
    solid = image.getchannel("A").getbbox()
    if solid is None:
        return None
    image, left, top = image.crop(solid), left + solid[0], top + solid[1]
    mask = image.getchannel("A")
    covers = mask.getextrema() == (255, 255)
    return Patch(image.convert("RGB"), None if covers else mask, (left, top), 4 * mask.width * mask.height)


def _arrow(arrow: Arrow) -> tuple[Point, ...]:
    (x0, y0), (x1, y1) = arrow.start, arrow.end
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    half, head = arrow.width / 2, min(2.6 * arrow.width, length)
    outline = ((0, half), (length - head * 0.86, half), (length - head, 1.55 * arrow.width), (length, 0))
    sides = (*outline, *((along, -across) for along, across in reversed(outline[:3])))
    return tuple((x0 + along * dx - across * dy, y0 + along * dy + across * dx) for along, across in sides)


def _arc(at: Point, radius: float, start: float, stop: float) -> list[Point]:
    steps = max(2, ceil(abs(stop - start) / 2))
    angles = [(start + (stop - start) * k / steps) * pi / 180 for k in range(steps + 1)]
    return [(at[0] + radius * sin(angle), at[1] - radius * cos(angle)) for angle in angles]


def _sector(sector: Sector) -> tuple[Point, ...]:
    outer = _arc(sector.at, sector.outer, sector.start, sector.stop)
    inner = _arc(sector.at, sector.inner, sector.stop, sector.start) if sector.inner else [sector.at]
    return (*outer, *inner)


def _bounds(shape: AnyShape) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of all that *shape* paints."""
    match shape:
        case Disc(at=(x, y), radius=reach) | Glow(at=(x, y), radius=reach) | Sector(at=(x, y), outer=reach):
            return x - reach - 1, y - reach - 1, x + reach + 1, y + reach + 1
        case Box(at=(x, y), size=(wide, high)):
            return x, y, x + wide, y + high
        case Stamp(sprite=sprite, at=(x, y)):
            return x - sprite.reach[0], y - sprite.reach[1], x + sprite.reach[0], y + sprite.reach[1]
        case Polygon(points=points, width=pad) | Line(points=points, width=pad):
            pass
        case Arrow():
            points, pad = _arrow(shape), 2 * shape.casing
        case Text():
            raise TypeError("letters have no bounds before they are set")
        case _:
            assert_never(shape)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad


def _draw(image: Image.Image, shape: AnyShape, shift: Point, fine: int, known: Mapping[str, Rgb]) -> None:
    """Draw *shape*, moved by *shift*, on *image*, which is *fine* times as large as the scene."""
    if not isinstance(shape, Glow) and not isinstance(shape, Text) and shape.strength < 1:
        veil = Image.new("RGBA", image.size)
        _draw(veil, replace(shape, strength=1.0), shift, fine, known)
        veil.putalpha(veil.getchannel("A").point([round(value * shape.strength) for value in range(256)]))
        image.alpha_composite(veil)
        return
    pen = ImageDraw.Draw(image)

    def scaled(points: tuple[Point, ...]) -> list[Point]:
        return [(x * fine, y * fine) for x, y in moved(points, shift)]

    match shape:
        case Polygon(points=points, fill=fill, line=line, width=width):
            _outline(pen, scaled(points), known.get(fill), known.get(line), width * fine)
        case Sector(fill=fill, line=line, width=width):
            _outline(pen, scaled(_sector(shape)), known.get(fill), known.get(line), width * fine)
        case Arrow(fill=fill, line=line, casing=casing):
            points = _arrow(shape)
            if line:
                _outline(pen, scaled(points), known[line], known[line], 2 * casing * fine)
            _outline(pen, scaled(points), known[fill], None, 0)
        case Disc(at=(x, y), radius=radius, fill=fill, line=line, width=width):
            corners = scaled(((x - radius, y - radius), (x + radius, y + radius)))
            pen.ellipse(_inclusive(corners), known.get(fill), known.get(line), round(width * fine) if line else 0)
        case Box(at=(x, y), size=(wide, high), fill=fill, line=line, width=width, round=corner):
            corners = scaled(((x, y), (x + wide, y + high)))
            pen.rounded_rectangle(
                _inclusive(corners), corner * fine, known.get(fill), known.get(line), round(width * fine) if line else 0
            )
        case Line(points=points, colour=colour, width=width, dash=dash):
            for piece in _dashes(points, dash) if dash else [points]:
                _stroke(pen, scaled(piece), known[colour], width * fine)
        case Glow(at=at, radius=radius, colour=colour, strength=strength):
            side = round(2 * radius * fine)
            light = Image.radial_gradient("L").resize((side, side), Image.Resampling.BILINEAR)
            # The gradient is dark in the middle and reaches 255 at the corners: the rim of the circle is at 180.
            light = light.point([round(255 * strength * max(0.0, 1 - value / 180) ** 1.5) for value in range(256)])
            alpha = Image.new("L", image.size)
            alpha.paste(light, _corner(scaled((at,))[0], side))
            veil = Image.new("RGBA", image.size, known[colour])
            veil.putalpha(alpha)
            image.alpha_composite(veil)
        case Text(text=text, size=size, colour=colour, bold=bold, align=align, room=room):
            at = scaled((shape.at,))[0]
            anchor = {"left": "ls", "middle": "ms", "right": "rs"}[align]
            baseline = at[1] + size * fine * CAPITAL / 2
            pen.text((at[0], baseline), fitted(text, size, bold, room), known[colour], _font(size * fine, bold), anchor)
        case Stamp(sprite=sprite, at=(x, y)):
            for part in sprite.shapes:
                _draw(image, part, (shift[0] + x, shift[1] + y), fine, known)
        case _:
            assert_never(shape)


def _corner(middle: Point, side: int) -> tuple[int, int]:
    return round(middle[0] - side / 2), round(middle[1] - side / 2)


def _inclusive(corners: list[Point]) -> list[Point]:
    """Pillow paints the lower right corner too; without this every shape would be a fine pixel too large."""
    (x0, y0), (x1, y1) = corners
    return [(x0, y0), (x1 - 1, y1 - 1)]


def _outline(pen: ImageDraw.ImageDraw, points: list[Point], fill: Rgb | None, line: Rgb | None, width: float) -> None:
    if fill is not None:
        pen.polygon(points, fill)
    if line is not None:
        _stroke(pen, [*points, points[0]], line, width)


def _stroke(pen: ImageDraw.ImageDraw, points: list[Point], colour: Rgb, width: float) -> None:
    pen.line(points, colour, round(width), joint="curve")
    half = width / 2
    for x, y in (points[0], points[-1]):
        pen.ellipse((x - half, y - half, x + half - 1, y + half - 1), colour)


def _dashes(points: tuple[Point, ...], dash: float) -> list[tuple[Point, ...]]:
    """The dashes of a line: *dash* drawn, *dash* left out, beginning anew in each of its straight pieces."""
    pieces: list[tuple[Point, ...]] = []
    for (x0, y0), (x1, y1) in pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        count = max(1, round((length / dash + 1) / 2))
        step = length / (2 * count - 1)
        for k in range(count):
            ends = (2 * k * step / (length or 1), (2 * k + 1) * step / (length or 1))
            pieces.append(tuple((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for part in ends))
    return pieces
