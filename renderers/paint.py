"""Paint a scene as a PNG. This is the only module that draws pixels.

Slow work is done once: the still layer of a scene and every sprite, line and word is drawn (at four times its size if
it is more than letters), shrunk, and cached with its mask. Cached images are rounded to the theme's fixed palette,
without dithering. A picture is a copy of the still layer. Opaque and crisp patches are pasted as they are; patches with
smooth edges are pasted in colour and rounded again. The newest boards are kept without their marks, because a menu and
a post show the same one. Then the file is packed. The same scene gives the same bytes in every process. All functions
are safe to call from any thread; each theme has one lock.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from io import BytesIO
from itertools import pairwise
from math import ceil, cos, floor, hypot, pi, sin
from threading import Lock
from typing import NamedTuple, assert_never
from weakref import WeakValueDictionary

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from renderers.lettering import CAPITAL, READ, Font, fitted, runs
from renderers.look import Theme
from renderers.palette import HUES, Rgb, colours, table
from renderers.png import written
from renderers.rosette import COLOURS, around, best, mirrored
from renderers.scene import (
    AnyShape,
    Arrow,
    Box,
    Disc,
    Glow,
    Line,
    Point,
    Polygon,
    Rosette,
    Scene,
    Sector,
    Sprite,
    Stamp,
    Text,
    moved,
    shifted,
)

FINE = 4
"""Shapes are drawn this many times larger and shrunk once."""
LARGE = 80_000
"""Area in square units from which a shape is drawn only twice as large, to save memory and time."""
STEPS = 2
"""Steps between transparent and opaque at a smoothed edge. Finer steps are invisible and make the file larger."""
ASIDE = 6_000
"""Number of pixels whose rounding takes as long as starting a new rectangle."""
KEPT_BYTES = 28_000_000
"""Bytes of cached patches, without the prepared ones."""
TWENTIETHS = (14, 1, 5)
"""Twentieths of these bytes for tiles; for tiles with the names of a single table, which would push out the others;
and for letters and other parts, which are small and take long to draw."""
KEPT_PATCH = 600_000
"""Bytes of the largest patch that is cached; larger ones are in still layers only."""
KEPT_LAYERS = 28
"""Number of cached still layers: boards of all games and numbers of seats have some twenty, with and without lettering,
of a megabyte each."""
KEPT_BOARDS = 3
"""Number of cached boards without marks, of a megabyte each."""
KEPT_ROSETTES = 16
"""Number of cached rosettes: one for the lobby of each game, others of cards, 0.2 MB each."""
KEPT_FEW = 2
"""Number of cached palettes of single sprites. Pillow makes a table of half a megabyte for each, and the next
sprite often has the same colours."""
KEPT_GLYPHS = 256
"""Number of cached letters of all sizes, some 5 KB each: names consist of the same ones, and FreeType takes four times
as long to draw a name as it takes to paste its letters."""
KEPT_STEPS = 2048
"""Number of cached distances between two letters."""
PLAIN = Sprite("plain", (0, 0), ())
"""Sentinel for shapes that are not sprites."""
LEVELS = (0, 2, 3, 5, 9)
"""Levels of `written`, until the file does not exceed the scene's kilobytes. Next to level 0, level 2 makes files a
twelfth smaller in two and a half times the time, level 3 a seventh in four times, level 5 a quarter in six times,
level 9 a third in thirty times. Fewer facets are the cheaper way to small files."""
DENSE = 2
"""Number of levels that are left out for dense scenes."""


Bounds = tuple[int, int, int, int]
"""Left, top, right and bottom, in whole pixels."""
Ink = Rgb | int
"""A colour of an image with three channels, or with one."""


class Drawn(NamedTuple):
    """A *mask*, the place of its upper left corner, and the pixels in colour (None: all have the same one)."""

    mask: Image.Image
    corner: tuple[int, int]
    paint: Image.Image | None = None


class Patch(Struct, frozen=True, eq=False, gc=False):
    """Pixels to paste: *paint* through *mask*, with the upper left corner at *corner*.

    *paint*: an image in the theme's palette, or one palette index for the whole patch. *mask*: None if the patch is an
    opaque rectangle, mode "1" if it is crisp, else mode "L".
    """

    paint: Image.Image | int
    mask: Image.Image | None
    size: tuple[int, int]
    corner: tuple[int, int]

    @property
    def is_ready(self) -> bool:
        """Whether it can be pasted into a picture as it is."""
        return self.mask is None or self.mask.mode == "1"

    @property
    def bytes(self) -> int:
        """Its size in bytes."""
        return self.size[0] * self.size[1] * ((not isinstance(self.paint, int)) + (self.mask is not None))

    def box(self, shift: tuple[int, int]) -> Bounds:
        """Return the rectangle of the patch, moved by *shift*."""
        left, top = shift[0] + self.corner[0], shift[1] + self.corner[1]
        return left, top, left + self.size[0], top + self.size[1]


class Painter:
    """The painter of one theme: its palette, and the cache of patches."""

    def __init__(self, theme: Theme, kept_bytes: int = KEPT_BYTES) -> None:
        self.colours = colours(theme)
        self._rgb = table(theme)
        self._table = bytes(part for colour in self._rgb for part in colour)
        hues = {colour: name.split(".")[0] for name, colour in self.colours.items()}
        self._kinds = [HUES.index(hue) if (hue := hues.get(colour, "")) in HUES else len(HUES) for colour in self._rgb]
        self._kinds += [len(HUES)] * (256 - len(self._rgb))
        # Pillow compares only the upper six bits of each channel. The lookup palette has only these bits, so that a
        # colour of the table is nearest to itself.
        self._lookup = Image.new("P", (1, 1))
        self._lookup.putpalette(bytes(part & ~3 for part in self._table))
        self._lookup.load()
        every = Image.new("RGB", (len(self.colours), 1))
        for x, colour in enumerate(self.colours.values()):
            every.putpixel((x, 0), colour)
        self._indices = dict(zip(self.colours, self._rounded(every).tobytes(), strict=True))
        self._few = LRUCache[tuple[str, ...], Image.Image](KEPT_FEW)
        self._prepared: dict[object, Patch | None] = {}
        self._tiles, self._named, self._parts = (
            LRUCache[object, Patch | None](kept_bytes * share // 20, lambda patch: 0 if patch is None else patch.bytes)
            for share in TWENTIETHS
        )
        self._layers = LRUCache[object, Image.Image](KEPT_LAYERS)
        self._boards = LRUCache[Scene, Image.Image](KEPT_BOARDS)
        self._rosettes = LRUCache[Rosette, Image.Image](KEPT_ROSETTES)
        self._lock = Lock()

    def paint(self, scene: Scene, width_px: int | None = None) -> bytes:
        """Return the PNG of *scene*, as wide as the scene unless *width_px* asks for a smaller copy."""
        picture = self._picture(scene)
        if width_px is not None and width_px != picture.width:
            picture = self.smaller(picture, width_px, Image.Resampling.LANCZOS)
        wide, _ = picture.size
        padded = picture.tobytes("raw", "P", wide + 1)  # a 0 behind every row, which is the code for no filter before
        rows = b"".join((b"\0", memoryview(padded)[:-1]))
        for level in LEVELS[DENSE if scene.is_dense else 0 :]:
            packed = written(picture.size, rows, self._table, level)
            if len(packed) <= 1000 * scene.kilobytes:
                break
        return packed

    def image(self, scene: Scene) -> Image.Image:
        """Return the pixels of *scene*, in the colours of the theme's palette."""
        return self._picture(scene).copy()

    def _picture(self, scene: Scene) -> Image.Image:
        """Return the pixels of *scene*, which must not be changed."""
        plain = replace(scene, marks=()) if scene.marks else scene
        with self._lock:
            board = self._boards.get(plain)
            if board is None:
                board = self._boards[plain] = self._layer(scene).copy()
                for rosette in scene.rosettes:
                    self._mirror(board, rosette)
                self._lay(board, scene.shapes)
            if not scene.marks:
                return board
            picture = board.copy()
            self._lay(picture, scene.marks)
        return picture

    def smaller(self, picture: Image.Image, width_px: int, how: Image.Resampling) -> Image.Image:
        """Return a smaller copy of an `image`. A box filter is faster than others, and its result packs better."""
        size = (width_px, round(picture.height * width_px / picture.width))
        return self._rounded(picture.convert("RGB").resize(size, how))

    def prepare(self, sprites: Iterable[Sprite]) -> None:
        """Draw *sprites* now and keep them for good, so that no picture has to wait for them."""
        for sprite in sprites:
            with self._lock:
                if sprite not in self._prepared:
                    self._prepared[sprite] = self._made(sprite)

    def _rounded(self, image: Image.Image) -> Image.Image:
        rounded = image.quantize(palette=self._lookup, dither=Image.Dither.NONE)
        rounded.putpalette(self._table)
        return rounded

    def _nearest(self, image: Image.Image, sprite: Sprite) -> Image.Image:
        """Return *image* in the colours of *sprite*, without colours between them."""
        names = tuple(sorted(set[str]().union(*map(_names, sprite.shapes))))
        own = self._few.get(names)
        if own is None:
            own = self._few[names] = Image.new("P", (1, 1))
            own.putpalette([part for name in names for part in self.colours[name]] * (256 // len(names)))
        return image.quantize(palette=own, dither=Image.Dither.NONE).convert("RGB")

    def _layer(self, scene: Scene) -> Image.Image:
        (wide, high), (beside, below) = scene.size, scene.ground
        size = (wide - 2 * beside, high - below)
        layer = self._layers.get((size, scene.still))
        if layer is None:
            canvas = Image.new("RGB", size, self.colours["ground"])
            layer = self._layers[size, scene.still] = self._composed(canvas, scene.still, (0, 0), keep=False)
        if scene.ground == (0, 0):
            return layer
        larger = Image.new("P", scene.size, self._indices["ground"])
        larger.putpalette(self._table)
        larger.paste(layer, (beside, 0))
        return larger

    def _mirror(self, picture: Image.Image, rosette: Rosette) -> None:
        """Paint *rosette* on *picture*."""
        shown = self._rosettes.get(rosette)
        if shown is None:
            shown = self._rosettes[rosette] = self._mirrored(rosette)
        (x, y), radius = rosette.at, rosette.radius
        picture.paste(shown, (x - radius, y - radius), _round(radius))

    def _mirrored(self, rosette: Rosette) -> Image.Image:
        """Return the pixels of *rosette*, in the most frequent colours around its wedge."""
        empty = self._layer(rosette.board)
        board = empty.copy()
        self._lay(board, rosette.board.shapes)
        wedge = best(board, empty, rosette.wedges, self._kinds)
        if wedge is None and rosette.spare is not None:
            return self._mirrored(rosette.spare)
        wedge = wedge or rosette.wedges[0]
        counts = sorted(board.crop(around(wedge)).getcolors() or (), reverse=True)
        colours = [self._rgb[index] for _, index in counts[:COLOURS] if isinstance(index, int)]
        own = Image.new("P", (1, 1))
        own.putpalette([part for colour in colours for part in colour] * (256 // len(colours)))
        shown = mirrored(board.convert("RGB"), wedge, rosette.radius)
        return self._rounded(shown.quantize(palette=own, dither=Image.Dither.NONE).convert("RGB"))

    def _onto(self, canvas: Image.Image, patch: Patch, box: Bounds) -> None:
        """Paste *patch* on *canvas*, an RGB image."""
        paint = patch.paint
        canvas.paste(self._rgb[paint] if isinstance(paint, int) else paint.convert("RGB"), box, patch.mask)

    def _composed(
        self, canvas: Image.Image, shapes: Iterable[AnyShape], middle: tuple[int, int], *, keep: bool
    ) -> Image.Image:
        """Return *canvas*, an RGB image, with *shapes*; *middle*: the place of their (0, 0); *keep*: see `_patch`."""
        for shape in shapes:
            patch, (x, y) = self._patch(shape, keep)
            if patch is not None:
                self._onto(canvas, patch, patch.box((x + middle[0], y + middle[1])))
        return self._rounded(canvas)

    def _lay(self, picture: Image.Image, shapes: tuple[AnyShape, ...]) -> None:
        """Paint *shapes* on *picture*: ready patches as they are, neighbours among the others together, in colour."""
        loose: list[tuple[Patch, Bounds]] = []
        bounds: Bounds = (0, 0, 0, 0)
        for shape in shapes:
            patch, shift = self._patch(shape)
            if patch is None:
                continue
            box = patch.box(shift)
            if not patch.is_ready:
                if loose and _area(_union(bounds, box)) > _area(bounds) + _area(box) + ASIDE:
                    self._paste(picture, loose, bounds)
                    loose.clear()
                bounds = _union(bounds, box) if loose else box
                loose.append((patch, box))
                continue
            if loose:
                self._paste(picture, loose, bounds)
                loose.clear()
            picture.paste(patch.paint, box, patch.mask)
        self._paste(picture, loose, bounds)

    def _paste(self, picture: Image.Image, loose: list[tuple[Patch, Bounds]], bounds: Bounds) -> None:
        """Paste patches in colour, on the smallest rectangle that contains them all."""
        if not loose:
            return
        left, top = max(0, bounds[0]), max(0, bounds[1])
        right, bottom = min(picture.width, bounds[2]), min(picture.height, bounds[3])
        if left >= right or top >= bottom:
            return
        canvas = picture.crop((left, top, right, bottom)).convert("RGB")
        for patch, box in loose:
            self._onto(canvas, patch, (box[0] - left, box[1] - top, box[2] - left, box[3] - top))
        picture.paste(self._rounded(canvas), (left, top))

    def _patch(self, shape: AnyShape, keep: bool = True) -> tuple[Patch | None, tuple[int, int]]:
        """Return the pixels of *shape* (None: it has none) and their shift in whole units.

        *keep*: cache every shape. A still layer is drawn once, so it caches only its sprites and lettering.
        """
        key, shift = _anchored(shape)
        if key in self._prepared:
            return self._prepared[key], shift
        kept = self._parts
        if isinstance(key, Sprite) and key.ground:
            kept = self._named if key.common else self._tiles
        try:
            return kept[key], shift
        except KeyError:
            patch = self._made(key)
        is_frequent = keep or isinstance(key, Sprite | Stamp | Text)
        if is_frequent and (patch is None or patch.bytes <= min(KEPT_PATCH, kept.maxsize)):
            kept[key] = patch
        return patch, shift

    def _made(self, key: AnyShape | Sprite) -> Patch | None:
        shape = Stamp(key, (0, 0)) if isinstance(key, Sprite) else key
        sprite = shape.sprite if isinstance(shape, Stamp) else PLAIN
        if sprite.ground:
            return self._tile(sprite)
        only = _only_colour(shape)
        drawn = _lettered(shape) if isinstance(shape, Text) else _cut(shape) if only else _drawn(shape, self.colours)
        if drawn is None:
            return None
        paint: Image.Image | int
        if drawn.paint is None:
            paint = self._indices[only]
        else:
            paint = self._rounded(self._nearest(drawn.paint, sprite) if sprite.faceted else drawn.paint)
        mask = drawn.mask.convert("1", dither=Image.Dither.NONE) if sprite.crisp else drawn.mask
        is_opaque = mask.getextrema() == _COVERED
        return Patch(paint, None if is_opaque else _shared(mask), mask.size, drawn.corner)

    def _tile(self, tile: Sprite) -> Patch:
        half = (_whole(tile.reach[0]), _whole(tile.reach[1]))
        size = (_whole(2 * tile.reach[0]), _whole(2 * tile.reach[1]))
        if tile.common:
            own, _ = self._patch(Stamp(replace(tile, shapes=tile.shapes[: tile.common], common=0), (0, 0)))
            assert own is not None
            assert not isinstance(own.paint, int)
            sheet = own.paint.copy()
            self._lay(sheet, tuple(shifted(shape, half) for shape in tile.shapes[tile.common :]))
        else:
            canvas = Image.new("RGB", size, self.colours[tile.ground])
            sheet = self._composed(canvas, tile.shapes, half, keep=True)
        return Patch(sheet, None, size, (-half[0], -half[1]))


_MASKS = WeakValueDictionary[tuple[str, tuple[int, int], bytes], Image.Image]()


def _shared(mask: Image.Image) -> Image.Image:
    """Return the mask in use with the same pixels, or else *mask*: most shapes exist in several colours and both
    themes."""
    return _MASKS.setdefault((mask.mode, mask.size, blake2b(mask.tobytes(), digest_size=16).digest()), mask)


@cache
def painter(theme: Theme) -> Painter:
    """Return the only painter of *theme*."""
    return Painter(theme)


def contact_sheet(pictures: tuple[tuple[str, bytes], ...], columns: int, width_px: int, ground: Rgb, pen: Rgb) -> bytes:
    """Return one PNG that shows *pictures* side by side, each *width_px* wide below its name, row by row."""
    images = [Image.open(BytesIO(picture)).convert("RGB") for _, picture in pictures]
    small = [
        image.resize((width_px, round(image.height * width_px / image.width)), Image.Resampling.LANCZOS)
        for image in images
    ]
    gap, head = 16, 40
    rows = [range(k, min(k + columns, len(small))) for k in range(0, len(small), columns)]
    heights = [max(small[k].height for k in row) for row in rows]
    sheet = Image.new("RGB", (columns * (width_px + gap) + gap, sum(heights) + head * len(rows) + gap), ground)
    words, y = ImageDraw.Draw(sheet), 0
    for row, height in zip(rows, heights, strict=True):
        for k in row:
            x = gap + (k - row.start) * (width_px + gap)
            for right, piece, font in _pieces(Text((x, y), pictures[k][0], 20, bold=False, room=width_px), 1):
                words.text((x + right, y + head / 2), piece, pen, font, "lm")
            sheet.paste(small[k], (x, y + head))
        y += head + height
    out = BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


@cache
def _round(radius: int) -> Image.Image:
    """Return the mask of a disc."""
    mask = Image.new("1", (2 * radius, 2 * radius))
    ImageDraw.Draw(mask).ellipse((0, 0, 2 * radius - 1, 2 * radius - 1), 1)
    return mask


def _union(one: Bounds, other: Bounds) -> Bounds:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _area(bounds: Bounds) -> int:
    return (bounds[2] - bounds[0]) * (bounds[3] - bounds[1])


def _whole(value: float) -> int:
    """Return *value* rounded, halves always up, so that neighbours keep their distance."""
    return floor(value + 0.5)


def _quarter(value: float) -> float:
    return round(value * 4) / 4


def _anchored(shape: AnyShape) -> tuple[AnyShape | Sprite, tuple[int, int]]:
    """Return *shape* moved next to the origin, or only its sprite if that is opaque; and the whole number of units by
    which it was moved."""
    match shape:
        case Stamp(sprite=sprite, at=(x, y), strength=strength):
            return sprite if strength == 1 else replace(shape, at=(0, 0)), (_whole(x), _whole(y))
        case Text():
            return replace(shape, at=(0, 0), text=shape.text[:READ]), (_whole(shape.at[0]), _whole(shape.at[1]))
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
def _font(font: Font, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font.path), size * font.scale, layout_engine=ImageFont.Layout.BASIC)


def _pieces(text: Text, fine: int) -> Iterator[tuple[float, str, ImageFont.FreeTypeFont]]:
    """Yield the pieces of *text*, *fine* times as large, each with its left end from that of the text, and its
    font."""
    x = 0.0
    for font, piece in runs(fitted(text.text, text.size, text.bold, text.room), text.bold):
        sized = _font(font, text.size * fine)
        yield x, piece, sized
        x += sized.getlength(piece)


def _lettered(text: Text) -> Drawn | None:
    """Draw *text* larger and shrink it, so that the letters keep their forms and distances."""
    letters = tuple(_placed(text))
    if not letters:
        return None
    boxes = [glyph.box((x, 0)) for x, glyph in letters]
    left, top = (floor(min(sides) / FINE) for sides in (*zip(*boxes, strict=True),)[:2])
    right, bottom = (ceil(max(sides) / FINE) for sides in (*zip(*boxes, strict=True),)[2:])
    mask = Image.new("L", ((right - left) * FINE, (bottom - top) * FINE))
    for x, glyph in letters:
        mask.paste(255, glyph.box((x - left * FINE, -top * FINE)), glyph.mask)
    mask = _stepped(mask.reduce(FINE), 255.0, 1.0)
    filled = mask.getbbox()
    if filled is None:
        return None
    left, right = left + filled[0], left + filled[2]
    shift = {"left": 0.0, "middle": -(left + right) / 2, "right": -float(right)}[text.align]
    corner = round(shift) + left, round(text.size * CAPITAL / 2) + top + filled[1]
    return Drawn(mask.crop(filled), corner)


def _placed(text: Text) -> Iterator[tuple[int, Patch]]:
    """Yield the visible letters of *text*, ``FINE`` times as large, each with its origin: pixels right of that of the
    text."""
    x = 0.0
    for font, piece in runs(fitted(text.text, text.size, text.bold, text.room), text.bold):
        sized, before = _font(font, text.size * FINE), ""
        for letter in piece:
            x += _step(sized, before + letter) if before else 0.0
            glyph, before = _glyph(sized, letter), letter
            if glyph is not None:
                yield round(x), glyph
        x += sized.getlength(before)


@lru_cache(KEPT_GLYPHS)
def _glyph(font: ImageFont.FreeTypeFont, letter: str) -> Patch | None:
    """Return the mask of *letter*, None if it is invisible; its origin is the left end of its baseline."""
    left, top, right, bottom = font.getbbox(letter, anchor="ls")
    size = (ceil(right) - floor(left), ceil(bottom) - floor(top))
    if 0 in size:
        return None
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).text((-floor(left), -floor(top)), letter, 255, font, "ls")
    return Patch(255, mask, size, (floor(left), floor(top)))


@lru_cache(KEPT_STEPS)
def _step(font: ImageFont.FreeTypeFont, pair: str) -> float:
    """Return the distance between the origins of two neighbouring letters."""
    return font.getlength(pair) - font.getlength(pair[1])


def _only_colour(shape: AnyShape) -> str:
    """Return the name of the only colour of *shape*; "" if it has several or a part of it fades."""
    names = _names(shape)
    return names.pop() if len(names) == 1 else ""


def _names(shape: AnyShape) -> set[str]:
    """Return the colours of *shape*; "" is one of them if a part fades or is transparent."""
    match shape:
        case Polygon() | Disc() | Box() | Sector():
            return {shape.fill or shape.line, shape.line or shape.fill}
        case Arrow(fill=fill, line=line):
            return {fill, line or fill}
        case Line(colour=colour) | Text(colour=colour):
            return {colour}
        case Stamp(sprite=sprite):
            faint = {""} if sprite.ground or any(getattr(part, "strength", 1) < 1 for part in sprite.shapes) else set()
            return faint.union(*map(_names, sprite.shapes))
        case _:
            return {""}


def _cut(shape: AnyShape) -> Drawn | None:
    """Draw a *shape* of one colour, which needs only a mask."""
    assert not isinstance(shape, Text | Glow)
    image, (left, top) = _fine(replace(shape, strength=1.0), "L", _covering())
    filled = image.getbbox()
    if filled is None:
        return None
    return Drawn(_stepped(image.crop(filled), 255.0, shape.strength), (left + filled[0], top + filled[1]))


_COVERED = (255, 255)


@cache
def _covering() -> Mapping[str, Ink]:
    """Return a palette in which every colour is opaque in a mask."""
    return dict.fromkeys(colours(Theme.DARK), 255)


def _drawn(shape: AnyShape, colours: Mapping[str, Rgb]) -> Drawn | None:
    # Pixels that are opaque or empty are the same in both modes, and Pillow shrinks "RGBa" four times as fast.
    image, (left, top) = _fine(shape, "RGBa" if _is_sharp(shape) else "RGBA", colours)
    image = image.convert("RGBA")
    filled = image.getchannel("A").getbbox()
    if filled is None:
        return None
    image = image.crop(filled)
    mask = image.getchannel("A")
    if _is_hard(shape):
        strength = 1.0 if isinstance(shape, (Glow, Text)) else shape.strength
        mask = _stepped(mask, 255 * strength, strength)
    return Drawn(mask, (left + filled[0], top + filled[1]), image.convert("RGB"))


def _fine(shape: AnyShape, mode: str, colours: Mapping[str, Ink]) -> tuple[Image.Image, tuple[int, int]]:
    """Draw *shape* larger and shrink it; return it with the place of its upper left corner."""
    x0, y0, x1, y1 = bounds(shape)
    left, top = floor(x0) - 1, floor(y0) - 1
    width, height = ceil(x1) + 1 - left, ceil(y1) + 1 - top
    fine = FINE if width * height < LARGE else FINE // 2
    image = Image.new(mode, (width * fine, height * fine))
    _draw(image, shape, (-left, -top), fine, colours)
    return image.reduce(fine), (left, top)


def _is_sharp(shape: AnyShape) -> bool:
    """Return whether each pixel of *shape* is drawn opaque or not at all; only letters are drawn smoothly."""
    match shape:
        case Glow() | Text():
            return False
        case Stamp(sprite=sprite):
            return shape.strength == 1 and all(map(_is_sharp, sprite.shapes))
        case _:
            return shape.strength == 1


def _is_hard(shape: AnyShape) -> bool:
    """Return whether only the edges of *shape* are half transparent; its own strength does not count."""
    match shape:
        case Glow():
            return False
        case Stamp(sprite=sprite):
            return all(
                _is_hard(part) and (isinstance(part, Text | Glow) or part.strength == 1) for part in sprite.shapes
            )
        case _:
            return True


def _stepped(coverage: Image.Image, covered: float, strength: float) -> Image.Image:
    """Return *coverage*, which is *covered* at most, in ``STEPS`` steps up to *strength*."""
    # Pillow's `point` rounds a table of 256 steps anew for each image.
    return Image.frombytes("L", coverage.size, coverage.tobytes().translate(_steps(covered, 255 * strength)))


@cache
def _steps(covered: float, most: float) -> bytes:
    """Return the step for every coverage up to *covered*; the last step is *most*."""
    return bytes(round(round(min(1.0, value / covered) * STEPS) * most / STEPS) for value in range(256))


def arrow_outline(arrow: Arrow) -> tuple[Point, ...]:
    (x0, y0), (x1, y1) = arrow.start, arrow.end
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    half, head = arrow.width / 2, min(2.6 * arrow.width, length)
    wings, tip, neck = (length - head, 1.55 * arrow.width), (length, 0), length - head * 0.86
    outline = ((0, half), (neck, half), wings, tip) if head < length else ((neck, 0), wings, tip)  # no room for a shaft
    sides = (*outline, *((along, -across) for along, across in reversed(outline[:-1])))
    return tuple((x0 + along * dx - across * dy, y0 + along * dy + across * dx) for along, across in sides)


def _arc(at: Point, radius: float, start: float, stop: float) -> list[Point]:
    steps = max(2, ceil(abs(stop - start) / 2))
    angles = [(start + (stop - start) * k / steps) * pi / 180 for k in range(steps + 1)]
    return [(at[0] + radius * sin(angle), at[1] - radius * cos(angle)) for angle in angles]


def _sector(sector: Sector) -> tuple[Point, ...]:
    outer = _arc(sector.at, sector.outer, sector.start, sector.stop)
    inner = _arc(sector.at, sector.inner, sector.stop, sector.start) if sector.inner else [sector.at]
    return (*outer, *inner)


def _corners(stamp: Stamp) -> tuple[Point, Point]:
    (x, y), (wide, high) = stamp.at, stamp.sprite.reach
    return (x - wide, y - high), (x + wide, y + high)


def bounds(shape: AnyShape) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of the pixels of *shape*."""
    match shape:
        case Disc(at=(x, y), radius=reach) | Glow(at=(x, y), radius=reach) | Sector(at=(x, y), outer=reach):
            return x - reach - 1, y - reach - 1, x + reach + 1, y + reach + 1
        case Box(at=(x, y), size=(wide, high)):
            return x, y, x + wide, y + high
        case Stamp():
            (x0, y0), (x1, y1) = _corners(shape)
            return x0, y0, x1, y1
        case Polygon(points=points, width=pad) | Line(points=points, width=pad):
            pass
        case Arrow():
            points, pad = arrow_outline(shape), 2 * shape.casing
        case Text():
            raise TypeError("letters have no bounds before they are set")
        case _:
            assert_never(shape)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad


def _draw(image: Image.Image, shape: AnyShape, shift: Point, fine: int, known: Mapping[str, Ink]) -> None:
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
            points = arrow_outline(shape)
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
        case Text(size=size, colour=colour, align=align):
            (left, middle), pieces = scaled((shape.at,))[0], tuple(_pieces(shape, fine))
            wide = sum(font.getlength(letters) for _, letters, font in pieces)
            left -= {"left": 0, "middle": wide / 2, "right": wide}[align]
            for x, letters, font in pieces:
                pen.text((left + x, middle + size * fine * CAPITAL / 2), letters, known[colour], font, "ls")
        case Stamp(sprite=sprite, at=(x, y)):
            if sprite.ground:
                pen.rectangle(_inclusive(scaled(_corners(shape))), known[sprite.ground])
            for part in sprite.shapes:
                _draw(image, part, (shift[0] + x, shift[1] + y), fine, known)
        case _:
            assert_never(shape)


def _corner(middle: Point, side: int) -> tuple[int, int]:
    return round(middle[0] - side / 2), round(middle[1] - side / 2)


def _inclusive(corners: list[Point]) -> list[Point]:
    """Return *corners* for Pillow, which paints the lower right corner, too."""
    (x0, y0), (x1, y1) = corners
    return [(x0, y0), (x1 - 1, y1 - 1)]


def _outline(pen: ImageDraw.ImageDraw, points: list[Point], fill: Ink | None, line: Ink | None, width: float) -> None:
    if fill is not None:
        pen.polygon(points, fill)
    if line is not None:
        _stroke(pen, [*points, points[0]], line, width)


def _stroke(pen: ImageDraw.ImageDraw, points: list[Point], colour: Ink, width: float) -> None:
    pen.line(points, colour, round(width), joint="curve")
    half = width / 2
    for x, y in (points[0], points[-1]):
        pen.ellipse((x - half, y - half, x + half - 1, y + half - 1), colour)


def _dashes(points: tuple[Point, ...], dash: float) -> list[tuple[Point, ...]]:
    """Return the dashes of a line: *dash* drawn, *dash* left out, starting again in each straight piece."""
    pieces: list[tuple[Point, ...]] = []
    for (x0, y0), (x1, y1) in pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        count = max(1, round((length / dash + 1) / 2))
        step = length / (2 * count - 1)
        for k in range(count):
            ends = (2 * k * step / (length or 1), (2 * k + 1) * step / (length or 1))
            pieces.append(tuple((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for part in ends))
    return pieces
