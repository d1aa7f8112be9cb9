"""Pictures as clients show them: 400 pixels wide, within 380 by 350 pixels, and as a JPEG of quality 80.

Eyes have to read pictures of these sizes after a change; the tests keep the limits within which they could.
"""

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from math import inf
from typing import Any

import pytest
from PIL import Image

from kaleidobot.testing.looking import a_look, pixels, scene_of, scenes
from kaleidobot.testing.painted import theme, view
from kaleidobot.testing.selection import games_under_test
from renderers import Look, Theme, picture
from renderers.lettering import CAPITAL, fitted, width
from renderers.palette import contrast
from renderers.scene import AnyShape, Point, Stamp, Text, shifted

__all__ = ["theme", "view"]

PHONE, DESKTOP = (400.0, inf), (380.0, 350.0)
"""The room for a picture in a chat on a phone, and for a lone picture in a desktop client."""
HIGH = 0.92
"""The height per width of the boards that are shown so small: of a higher one people open the picture."""
CAPITALS = 6.6
"""The least height of a capital in pixels."""
QUALITY = 80
VISIBLE = 3.0
"""The least contrast of the lightest and the darkest pixel of lettering, small and after a JPEG."""


def scale(size: tuple[int, int], room: tuple[float, float]) -> float:
    """Return the factor by which a picture of *size* shrinks to fit into *room*."""
    return min(1.0, room[0] / size[0], room[1] / size[1])


def lettering(shapes: tuple[AnyShape, ...], by: Point = (0, 0)) -> Iterator[Text]:
    """Yield every text at its place in the picture."""
    for shape in shapes:
        here = shifted(shape, by)
        if isinstance(here, Text):
            yield here
        elif isinstance(here, Stamp):
            yield from lettering(here.sprite.shapes, here.at)


@pytest.mark.parametrize("room", [PHONE, DESKTOP])
def test_the_smallest_letters_can_be_read_where_pictures_are_small(room: tuple[float, float], view: Any) -> None:
    scene = scene_of(view)
    if scene.size[1] > HIGH * scene.size[0]:
        return
    least = min(text.size for text in lettering(scene.everything))
    assert least * CAPITAL * scale(scene.size, room) >= CAPITALS


@pytest.mark.parametrize("room", [PHONE, DESKTOP])
@pytest.mark.parametrize("name", games_under_test())
def test_the_letters_of_a_players_own_picture_are_as_large(name: str, room: tuple[float, float]) -> None:
    for where, scene in scenes(name, Theme.DARK):
        if where.endswith("with a hand"):
            least = min(text.size for text in lettering(scene.everything))
            assert least * CAPITAL * scale(scene.size, room) >= CAPITALS, where


@lru_cache(1)
def painted(view: Any, look: Look) -> Image.Image:
    """Return the greys of the picture; tests with the same one follow each other."""
    return pixels(picture(view, look)).convert("L")


@pytest.mark.parametrize("room", [PHONE, DESKTOP])
def test_lettering_is_visible_when_small_and_after_a_jpeg(room: tuple[float, float], view: Any, theme: Theme) -> None:
    look, packed = a_look(theme=theme), BytesIO()
    scene = scene_of(view, look)
    if scene.size[1] > HIGH * scene.size[0]:
        return
    shown = painted(view, look)
    by = scale(shown.size, room)
    small = shown.resize((round(shown.width * by), round(shown.height * by)), Image.Resampling.LANCZOS)
    small.save(packed, "JPEG", quality=QUALITY)
    again = Image.open(packed)
    contrasts = [(text, contrast_of(text, again, by)) for text in lettering(scene.shapes)]
    faint = [f"{text.text!r} in {text.colour}, {now:.1f} to 1" for text, now in contrasts if now < VISIBLE]
    assert not faint, f"small lettering needs {VISIBLE} to 1 in the {theme} theme: {'; '.join(faint)}"


def contrast_of(text: Text, picture: Image.Image, by: float) -> float:
    """Return the contrast of the lightest and the darkest grey of *picture* in the place of *text*."""
    words = fitted(text.text, text.size, text.bold, text.room)
    wide, high = width(words, text.size, text.bold), text.size * CAPITAL
    left = text.at[0] - wide * {"left": 0, "middle": 0.5, "right": 1}[text.align]
    box = (left * by, (text.at[1] - high / 2) * by, (left + wide) * by, (text.at[1] + high / 2) * by)
    part = picture.crop((int(box[0]), int(box[1]), int(box[2]) + 1, int(box[3]) + 1))
    greys = [grey for grey, count in enumerate(part.histogram()) if count]
    return contrast((greys[0],) * 3, (greys[-1],) * 3)
