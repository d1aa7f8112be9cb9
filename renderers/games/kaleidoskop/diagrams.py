"""Diagrams for the rules: the colour of a hex, and the effect of tools on it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderers.frame import WIDTH
from renderers.games.kaleidoskop import crystals, glass, tokens
from renderers.layout import Hexes
from renderers.look import Theme
from renderers.scene import AnyShape, Arrow, Line, Point, Scene, Stamp, Text
from rules.games.kaleidoskop import NOTHING, majority

HIGH = 760
SEAT, HUE = 0, "teal"
"""The owner of the tools."""


class Example(NamedTuple):
    """A hex with its *crystals*, clockwise from the top ("." none), and at a corner a mirror or a glass."""

    crystals: str
    tool: str = ""
    corner: int = 0

    @property
    def counted(self) -> str:
        """The crystals, each as often as it counts."""
        times = {"mirror": 2, "glass": 0, "": 1}
        return "".join(
            crystal * (times[self.tool] if number == self.corner else 1)
            for number, crystal in enumerate(self.crystals)
            if crystal != NOTHING
        )

    @property
    def colour(self) -> str:
        return majority(self.counted)

    def cancels(self, crystal: str) -> bool:
        """Return whether *crystal* is of a colour that ties with another."""
        counted = self.counted
        return any(counted.count(other) == counted.count(crystal) for other in counted if other != crystal)


MAJORITIES = Example("rrry.."), Example("rryyg."), Example("ry...."), Example("rryygb")
MIRROR = Example("..y.b."), Example("..y.b.", "mirror", 4)
GLASS = Example(".rr.yy"), Example(".rr.yy", "glass", 5)


def majorities(theme: Theme) -> Scene:
    """Return four hexes: a majority, a tie that lets a weaker colour win, and two that stay neutral; ties are
    struck out."""
    shapes: list[AnyShape] = []
    for k, example in enumerate(MAJORITIES):
        shapes += _hex(example, (WIDTH * (1 + 2 * (k % 2)) / 4, HIGH * (1 + 2 * (k // 2)) / 4), 130, 1.3, theme)
    return Scene((WIDTH, HIGH), (), tuple(shapes))


def tools(theme: Theme) -> Scene:
    """Return a mirror and a glass, each before and after; right of them a crystal in a holder, which cannot be
    swapped."""
    shapes: list[AnyShape] = []
    for k, pair in enumerate((MIRROR, GLASS)):
        y = HIGH * (1 + 2 * k) / 4
        for x, example in zip((165, 525), pair, strict=True):
            shapes += _hex(example, (x, y), 118, 1.22, theme)
        shapes.append(Arrow((306, y), (378, y), "text", width=12))
    size = 2.1
    at = (838, HIGH * 0.44)
    shapes += [Stamp(tokens.holder(SEAT, HUE, size), at), Stamp(crystals.gem("p", size), at)]
    shapes.append(Stamp(tokens.holder_number(SEAT, HUE), (at[0] + 31 * size, at[1] - 18 * size)))
    below = at[0], at[1] + 130
    shapes += [*_struck(below, 32), Text(below, "⇄", 72, align="middle")]
    return Scene((WIDTH, HIGH), (), tuple(shapes))


def _hex(example: Example, centre: Point, radius: float, size: float, theme: Theme) -> Iterator[AnyShape]:
    hexes, colour = Hexes(centre, radius), example.colour
    hue = crystals.HUE.get(colour, "")
    yield Stamp(glass.lead(radius), centre)
    yield Stamp(glass.pane(hue, radius), centre)
    for number, crystal in enumerate(example.crystals):
        if crystal == colour != NOTHING:
            yield Stamp(glass.ray(*glass.beam(crystal), radius, number), centre)
    if example.tool:
        light = glass.beam(example.crystals[example.corner], 2) if example.tool == "mirror" else glass.DULL
        yield Stamp(glass.ray(*light, radius, example.corner), centre)
    if hue:
        yield Stamp(glass.sign(colour, 34, theme), centre)
    yield from _crystals(example, hexes.corners((0, 0)), size)
    if example.tool:
        (x, y), (u, v) = hexes.corners((0, 0))[example.corner], centre
        yield Stamp(tokens.token(example.tool, SEAT, HUE, True), (u + (x - u) * 0.52, v + (y - v) * 0.52))


def _crystals(example: Example, corners: Sequence[Point], size: float) -> Iterator[AnyShape]:
    """Yield the crystals in their wells; those that cancel each other struck out."""
    for crystal, (x, y) in zip(example.crystals, corners, strict=True):
        if crystal == NOTHING:
            yield Stamp(crystals.empty(size), (x, y))
            continue
        yield Stamp(crystals.gem(crystal, size), (x, y))
        if example.cancels(crystal):
            yield from _struck((x, y), 27 * size)


def _struck(at: Point, reach: float) -> Iterator[AnyShape]:
    """Yield a bar through a shape that does not count or is not allowed."""
    x, y = at
    bar = ((x - reach, y + reach), (x + reach, y - reach))
    yield Line(bar, "ink", 11)
    yield Line(bar, "stone", 6)
