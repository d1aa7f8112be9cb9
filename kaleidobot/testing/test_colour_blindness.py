"""No two seats or colours differ by hue alone for eyes that lack one kind of cone.

The tests read scenes. If two figures differ only by hue, and one of these eyes cannot distinguish the hues, then a
letter, a number or another figure is on them or beside them, which differs from that of the other one. Figures are
sprites, and the lines, frames and chips that a drawer paints without one.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import dist

import pytest

from kaleidobot.testing.looking import a_look, figures, positions, scenes
from kaleidobot.testing.selection import games_under_test
from renderers import Look, SeatLook, Theme, board, cards, lobbies
from renderers.paint import bounds
from renderers.palette import HUES, Rgb, colours
from renderers.scene import AnyShape, Line, Point, Scene, Sprite, Stamp, Text, shifted
from rules import GAMES
from rules.contract import Outcome

# Linear RGB as seen without long, middle or short cones: Machado, Oliveira and Fernandes, IEEE TVCG 15, 2009.
EYES = (
    ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
)
ALIKE = 15.0
"""The distance in CIELAB below which one of these eyes may confuse two small things."""
BESIDE = 30.0
SIGN = 16.0
"""The least width or height of a sign that tells two hues apart."""
CURVE = 5
"""The width of a curve in a chart."""
_HUE = re.compile(rf"\b({'|'.join(HUES)})\b(?=[.'])")


def _lab(colour: Rgb, eye: tuple[tuple[float, float, float], ...]) -> tuple[float, float, float]:
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (part / 255 for part in colour)]
    r, g, b = (min(1.0, max(0.0, sum(a * v for a, v in zip(row, linear, strict=True)))) for row in eye)
    white = (0.9505, 1.0, 1.089)
    light = (
        0.4124 * r + 0.3576 * g + 0.1805 * b,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        0.0193 * r + 0.1192 * g + 0.9505 * b,
    )
    x, y, z = (_root(value / most) for value, most in zip(light, white, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116


@cache  # the same few hues are compared many times
def apart(one: Rgb, other: Rgb) -> float:
    """Return the distance of two colours for the eye that distinguishes them least."""
    pairs = ((_lab(one, eye), _lab(other, eye)) for eye in EYES)
    return min(dist(here, there) for here, there in pairs)


def placed(shapes: tuple[AnyShape, ...], by: Point = (0, 0)) -> Iterator[Stamp | Text]:
    """Yield every sprite and text at its place in the picture, at any depth."""
    for shape in shapes:
        here = shifted(shape, by)
        if isinstance(here, Text):
            yield here
        elif isinstance(here, Stamp):
            yield here
            yield from placed(here.sprite.shapes, here.at)


def painted(shapes: tuple[AnyShape, ...], by: Point = (0, 0)) -> Iterator[Stamp]:
    """Yield every shape that is in no sprite, or only in tiles, as a figure of its own."""
    for shape in shapes:
        if isinstance(shape, Stamp):
            if shape.sprite.ground:
                yield from painted(shape.sprite.shapes, (by[0] + shape.at[0], by[1] + shape.at[1]))
        elif not isinstance(shape, Text) and _HUE.search(repr(shape)):
            figure, (x, y) = _alone(shape)
            yield Stamp(figure, (by[0] + x, by[1] + y))


@cache  # many boards have the same shapes
def _alone(shape: AnyShape) -> tuple[Sprite, Point]:
    """Return *shape* as a sprite, and its middle."""
    left, top, right, bottom = bounds(shape)
    at = round((left + right) / 2), round((top + bottom) / 2)
    return Sprite(
        type(shape).__name__, ((right - left) / 2, (bottom - top) / 2), (shifted(shape, (-at[0], -at[1])),)
    ), at


@cache  # many boards have the same sprites
def hues(sprite: Sprite) -> frozenset[str]:
    return frozenset(_HUE.findall(repr(sprite.shapes)))


@cache
def but_for_hue(sprite: Sprite) -> str:
    return _HUE.sub("*", re.sub("<[^>]*>", lambda name: _HUE.sub("*", f"{name[0]}'"), repr(sprite.shapes)))


def told_by_hue(stamps: list[Stamp], known: dict[str, Rgb]) -> set[tuple[Sprite, Sprite]]:
    """Return the pairs of sprites that differ only by hues that can be confused."""
    kinds: dict[str, dict[Sprite, frozenset[str]]] = defaultdict(dict)
    for sprite in {stamp.sprite for stamp in stamps}:
        if hues(sprite):
            kinds[but_for_hue(sprite)][sprite] = hues(sprite)
    confusable: set[tuple[Sprite, Sprite]] = set()
    for kind in kinds.values():
        for (one, ones), (other, others) in combinations(kind.items(), 2):
            left, right = ones - others, others - ones
            if len(left) == len(right) == 1 and apart(known[min(left)], known[min(right)]) < ALIKE:
                confusable.add((one, other))
    return confusable


def telling(stamp: Stamp, signs: list[tuple[Point, str]]) -> frozenset[str]:
    """Return the *signs* on a figure or, if there are none, those beside it."""
    (x, y), (wide, high) = stamp.at, stamp.sprite.reach
    for far in (0.0, BESIDE):
        if near := {sign for (a, b), sign in signs if abs(a - x) <= wide + far and abs(b - y) <= high + far}:
            return frozenset(near)
    return frozenset()


def test_some_hues_are_taken_for_each_other() -> None:
    known = colours(Theme.DARK)
    assert apart(known["blue"], known["violet"]) < ALIKE
    assert apart(known["green"], known["orange"]) < ALIKE
    assert apart(known["blue"], known["yellow"]) > 2 * ALIKE


@pytest.mark.parametrize("theme", list(Theme))
def test_no_two_curves_differ_by_hue_alone(theme: Theme) -> None:
    known = dict(colours(theme))
    for where, scene in figures(theme):
        marks = [thing for thing in placed(scene.shapes) if isinstance(thing, Stamp)]
        alike = {mark for pair in told_by_hue(marks, known) for mark in pair}
        curves = {
            shape.colour: shape.dash for shape in scene.shapes if isinstance(shape, Line) and shape.width == CURVE
        }
        for one, other in combinations(curves, 2):
            if apart(known[one], known[other]) < ALIKE:
                assert curves[one] != curves[other], where
                named = [mark for mark in alike if mark.name.endswith((f" {one}", f" {other}"))]
                assert len(named) < 2, where


def every_scene(name: str, theme: Theme) -> Iterator[tuple[str, Scene]]:
    """Yield the scenes of a game: boards, plaques, menus, hands and cards; and lobbies whose people chose all hues."""
    yield from scenes(name, theme)
    for where, view in positions().items():
        if where.split("/")[0] == name and view.outcome is not None:
            yield f"{where}, its card", cards.scene(view, a_look(theme=theme, turns=42, minutes=60))
    places = GAMES[name].seats[-1]
    for first in range(0, len(HUES), places):
        chosen = tuple(SeatLook("A", hue) for hue in HUES[first : first + places])
        yield f"{name}, a lobby", lobbies.scene(name, Look(chosen, theme=theme))
    view = GAMES[name].start(places, seed=1).view(None)
    for first in range(len(HUES)):
        chosen = tuple(SeatLook(hue, hue) for hue in (HUES[first:] + HUES[:first])[:places])
        look = Look(chosen, theme=theme, turns=1, minutes=1, ended=Outcome((0,) * places, tuple(range(places)), "draw"))
        yield f"{name}, hues from {HUES[first]} on", board(view, look)


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("name", games_under_test())
def test_no_two_things_differ_by_hue_alone(name: str, theme: Theme) -> None:
    known = dict(colours(theme))
    for where, scene in every_scene(name, theme):
        things, shapes = list(placed(scene.shapes)), list(painted(scene.shapes))
        stamps = [*(thing for thing in things if isinstance(thing, Stamp)), *shapes]
        pairs = told_by_hue(stamps, known)
        bare = {sprite for pair in pairs for sprite in pair}
        signs = [
            (sign.at, sign.text if isinstance(sign, Text) else but_for_hue(sign.sprite))
            for sign in things
            if isinstance(sign, Text)
            or not (sign.sprite in bare or sign.sprite.ground or 2 * max(sign.sprite.reach) < SIGN)
        ]
        near: dict[Sprite, set[frozenset[str]]] = defaultdict(set)
        for stamp in stamps:
            if stamp.sprite in bare:
                near[stamp.sprite].add(telling(stamp, signs))
        for one, other in pairs:
            assert not near[one] & near[other], f"{one.shapes} and {other.shapes} in {where}"
