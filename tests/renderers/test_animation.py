"""A game as an animation: every frame is the picture of its position, to the pixel."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageSequence

from kaleidobot.testing.looking import a_look, positions
from kaleidobot.testing.playing import games
from renderers import Theme, board
from renderers.animation import STRIP, Animation, room
from renderers.paint import painter
from rules import GAMES, Game

FRAMES = 6


def film(views: Sequence[Any], theme: Theme = Theme.DARK, clear: bool = True) -> bytes:
    animation = Animation(theme, room(views, a_look(theme=theme)))
    if not clear:
        animation._clear = None
    for number, view in enumerate(views):
        animation.add(view, a_look(theme=theme), number, len(views) - 1, 500 + 100 * number)
    assert animation.size == len(animation.gif()) - 1
    return animation.gif()


def frames(gif: bytes) -> list[Image.Image]:
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(BytesIO(gif)))]


def spread(game: Game) -> list[Any]:
    """Return a spectator's views from all over one game, the last one twice."""
    states = games(game.id)[-1].states
    last = len(states) - 1
    return [states[last * k // (FRAMES - 2)].view(None) for k in range(FRAMES - 1)] + [states[-1].view(None)]


@pytest.mark.parametrize(("theme", "clear"), [(Theme.DARK, True), (Theme.LIGHT, True), (Theme.LIGHT, False)])
def test_every_frame_is_the_picture_of_its_position_to_the_pixel(game: Game, theme: Theme, clear: bool) -> None:
    views = spread(game)
    shown = frames(film(views, theme, clear))
    assert len(shown) == len(views)
    for frame, view in zip(shown, views, strict=True):
        picture = painter(theme).image(board(view, a_look(theme=theme))).convert("RGB")
        left, top = (frame.width - picture.width) // 2, (frame.height - STRIP - picture.height) // 2
        assert min(left, top) >= 0
        assert frame.crop((left, top, left + picture.width, top + picture.height)).tobytes() == picture.tobytes()


def test_the_strip_shows_the_progress_of_the_game(game: Game) -> None:
    views = [spread(game)[0]] * 3
    strips = {frame.crop((0, frame.height - STRIP, *frame.size)).tobytes() for frame in frames(film(views))}
    assert len(strips) == 3


def test_frames_have_the_given_duration_and_the_animation_loops(game: Game) -> None:
    gif = Image.open(BytesIO(film(spread(game))))
    assert [frame.info["duration"] for frame in ImageSequence.Iterator(gif)] == [500, 600, 700, 800, 900, 1000]
    assert gif.info["loop"] == 0


def test_a_frame_holds_only_the_changed_rectangle(game: Game) -> None:
    first = spread(game)[0]
    assert len(film([first] * 50)) < 2 * len(film([first]))


def test_the_same_game_gives_the_same_bytes() -> None:
    game = next(iter(GAMES.values()))
    assert film(spread(game)) == film(spread(game))


def test_boards_of_all_sizes_have_room() -> None:
    views = [*positions().values()]
    (size,) = {frame.size for frame in frames(film(views[:: max(1, len(views) // 8)]))}
    assert size[0] >= 1000
