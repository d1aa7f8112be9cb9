"""A game as a GIF that grows frame by frame. Next to `renderers.paint` the only module that handles pixels.

GIFs play in place on every platform. Pictures have a fixed palette of fewer than 256 colours, so a GIF loses nothing. A
frame is only the rectangle that changed, with unchanged pixels transparent: some 15 KB and 15 ms each. Below every
board a strip shows the number of the position; below a final board its plaque replaces the strip. The last frame of a
finished game is its card.
"""

import struct
from collections.abc import Iterable

from PIL import Image, ImageChops
from PIL.GifImagePlugin import getdata

from renderers import board, cards, drawer, is_final
from renderers.look import Look, Theme
from renderers.paint import painter
from renderers.palette import table
from renderers.plaque import HEIGHT, margin
from renderers.scene import Box, Scene, Text

STRIP = HEIGHT
MARGIN = 16
BAR = 10
NUMBERS = 150
"""Width of the numbers in the strip."""
_STAYS = 1  # disposal: the frame stays when the next one comes
_FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_END = b";"


def room(views: Iterable[object], look: Look) -> tuple[int, int]:
    """Return the size in which each of the boards has room; a game may have boards of several sizes."""
    sizes = {(drawer(view).scene(view, look).size, is_final(view, look)) for view in views}
    wide = max(size[0] + 2 * margin(size) * final for size, final in sizes)
    return wide, max(height for (_, height), _ in sizes)


class Animation:
    """A GIF of boards. Frames may be added from any thread, one at a time.

    *size*: the `room` for a board; a smaller board is centred in it. *width_px*: of smaller frames. *loops*: it begins
    again after the last frame.
    """

    def __init__(self, theme: Theme, size: tuple[int, int], width_px: int | None = None, *, loops: bool = True) -> None:
        self._width_px, self._loops = width_px, loops
        self._ground = Scene((size[0], size[1] + STRIP), (), ())
        self._painter = painter(theme)
        self._palette = bytes(part for colour in table(theme) for part in colour)
        colours = len(self._palette) // 3
        self._clear = colours if colours < 256 else None  # an index that no picture uses
        self._last: Image.Image | None = None
        self._parts: list[bytes] = []
        self.size = 0
        """Number of bytes so far."""

    def add(self, view: object, look: Look, number: int, last: int, shown_ms: int) -> None:
        """Add a frame: the board of *view*, position *number* of *last*, shown for *shown_ms*."""
        self._add(self._framed(self._painter.image(board(view, look)), number, last, is_final(view, look)), shown_ms)

    def add_card(self, view: object, look: Look, shown_ms: int) -> None:
        """Add a frame: the card of a finished game."""
        self._add(self._centred(self._painter.image(cards.scene(view, look))), shown_ms)

    def _add(self, frame: Image.Image, shown_ms: int) -> None:
        if self._width_px is not None:
            frame = self._painter.smaller(frame, self._width_px, Image.Resampling.BOX)
        before, self._last = self._last, frame
        if before is None:
            self._write(self._header(frame))
            self._write(*_encoded(frame, (0, 0), shown_ms, None))
            return
        changed = ImageChops.difference(frame, before)  # compares indices, as all frames have one palette
        left, top, right, bottom = box = changed.getbbox() or (0, 0, 1, 1)
        part = frame.crop(box)
        if self._clear is not None:
            same = changed.crop(box).point([255, *[0] * 255], "L")
            part.paste(self._clear, (0, 0, right - left, bottom - top), same)
        self._write(*_encoded(part, (left, top), shown_ms, self._clear))

    def gif(self) -> bytes:
        """Return all frames so far, as a GIF."""
        return b"".join(self._parts) + _END

    def _write(self, *parts: bytes) -> None:
        self._parts += parts
        self.size += sum(map(len, parts))

    def _header(self, frame: Image.Image) -> bytes:
        screen = struct.pack("<HHBBB", *frame.size, 0xF7, 0, 0)  # a global palette of 256 colours
        return b"GIF89a" + screen + self._palette.ljust(768, b"\0") + _FOR_EVER * self._loops

    def _framed(self, board: Image.Image, number: int, last: int, final: bool) -> Image.Image:
        """Return *board* with the strip under it, or a *final* board with its plaque."""
        if final:
            return self._centred(board)
        width, height = self._ground.size
        frame = self._painter.image(self._ground)
        frame.paste(board, ((width - board.width) // 2, (height - STRIP - board.height) // 2))
        frame.paste(self._painter.image(_strip(width, number, last)), (0, height - STRIP))
        return frame

    def _centred(self, picture: Image.Image) -> Image.Image:
        """Return *picture* in the middle of a frame."""
        frame = self._painter.image(self._ground)
        frame.paste(picture, ((frame.width - picture.width) // 2, (frame.height - picture.height) // 2))
        return frame


def _strip(width: int, number: int, last: int) -> Scene:
    """Return the strip, with a bar for the progress of the game."""
    length = width - 2 * MARGIN - NUMBERS
    run = max(BAR, round(length * number / max(last, 1)))
    at = (MARGIN, (STRIP - BAR) / 2)
    numbers = Text((width - MARGIN, STRIP / 2), f"{number}/{last}", colour="muted", align="right", room=NUMBERS)
    groove, bar = Box(at, (length, BAR), "panel.up", round=BAR / 2), Box(at, (run, BAR), "muted", round=BAR / 2)
    return Scene((width, STRIP), (groove,), (bar, numbers))


def _encoded(part: Image.Image, corner: tuple[int, int], shown_ms: int, clear: int | None) -> list[bytes]:
    options = {"duration": shown_ms, "disposal": _STAYS} | ({} if clear is None else {"transparency": clear})
    return getdata(part, corner, **options)
