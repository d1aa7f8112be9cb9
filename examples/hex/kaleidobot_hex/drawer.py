"""The board of Hex: a rhombus of glass hexagons in a lead frame, with the edges of each seat in its hue."""

from collections.abc import Iterator, Mapping
from functools import cache
from math import sqrt

from kaleidobot_hex.board import LETTERS, board
from kaleidobot_hex.rules import State
from renderers.contract import Drawer
from renderers.frame import Plate, Word, below, end_sentence, mover_name, panel, seat_colour, seat_name
from renderers.layout import Hexes
from renderers.look import Look
from renderers.outlines import Outline, box
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Line, Point, Polygon, Scene, Sprite, Stamp, Text, magnified
from renderers.signs import figure
from texts import say

FRAME = below(800, 120)
EDGE = 12.0
"""Width of the coloured edges."""
LABEL = 34.0
"""Room for a letter or a number beside the board."""
LEAD = 2.5
"""Half of the lead between two hexagons."""
FACETS = (".light", "", ".dark", ".dark", "", ".light")
"""Tones of a stone's facets, clockwise from the top; the light is at the upper left."""
RINGS = {"chain": ("paper", 5.0, 0.0), "known": ("accent", 3.0, 7.0), "new": ("accent", 5.0, 0.0)}
"""Colour, width and dash of the line around a stone; the last kind is painted last."""


@cache
def _hexes(size: int) -> Hexes:
    """Return the layout: as large as the frame allows, with the middle of the rhombus in the middle."""
    area = FRAME.board
    wide, high = area.width - 2 * (LABEL + EDGE), area.height - 2 * (LABEL + EDGE)
    radius = min(wide / (sqrt(3) * (1.5 * size - 0.5)), high / (1.5 * size + 0.5))
    around = Hexes((0, 0), radius).middle((size / 2 - 0.5, size / 2 - 0.5))
    return Hexes((area.middle[0] - around[0], area.middle[1] - around[1]), radius)


def _middle(size: int, field: str) -> Point:
    return _hexes(size).middle((int(field[1:]) - 1, LETTERS.index(field[0])))


@cache
def pane(radius: float) -> Sprite:
    """Return an empty field: a hexagon of glass with lit and shaded edges."""
    hexagon = Hexes((0, 0), radius - LEAD).corners((0, 0))
    inner = Hexes((0, 0), radius - LEAD - 5).corners((0, 0))
    lit = Polygon((hexagon[4], hexagon[5], hexagon[0], hexagon[1]), "pane.light")
    lead = Hexes((0, 0), radius).corners((0, 0))
    shapes = (Polygon(lead, "lead"), Polygon(hexagon, "pane.dark"), lit, Polygon(inner, "pane"))
    return Sprite("pane", (radius, radius), shapes, crisp=True, faceted=True)


@cache
def stone(seat: int, hue: str, radius: float, ring: str = "") -> Sprite:
    """Return a stone of *seat*: a cut hexagon with the seat's mark. *ring*: the kind of line around it, in RINGS."""
    hexagon = Hexes((0, 0), radius - LEAD).corners((0, 0))
    table = Hexes((0, 0), radius * 0.62).corners((0, 0))
    facets = [Polygon((hexagon[k], hexagon[k - 5], table[k - 5], table[k]), hue + FACETS[k]) for k in range(6)]
    rim = Hexes((0, 0), radius - 1).corners((0, 0))
    colour, width, dash = RINGS.get(ring, ("", 0, 0))
    line = [Line((*rim, rim[0]), tone, wide, dash) for tone, wide in (("ink", width + 4), (colour, width)) if ring]
    mark = figure(MARKS[seat], (0, 0), radius * 0.32, on(hue))
    shapes = (*facets, Polygon(table, hue), mark, *line)
    return Sprite(f"stone {seat + 1} {hue} {ring}".rstrip(), (radius + 4, radius + 4), shapes, crisp=True, faceted=True)


@cache
def _still(size: int, hues: tuple[str, str]) -> tuple[AnyShape, ...]:
    """Return the empty board: the edges of both seats, panes, and the names of rows and fields."""
    hexes, last = _hexes(size), size - 1
    sides = (
        (0, [hexes.corners((k, 0))[c] for k in range(size) for c in (5, 0, 1)]),
        (0, [hexes.corners((k, last))[c] for k in range(size) for c in (4, 3, 2)]),
        (1, [hexes.corners((0, k))[c] for k in range(size) for c in (5, 4, 3)]),
        (1, [hexes.corners((last, k))[c] for k in range(size) for c in (1, 2)]),
    )
    shapes: list[AnyShape] = [*FRAME.still]
    for width, tone in ((2 * EDGE + 6, "lead"), (2 * EDGE, "")):
        shapes += [Line(tuple(points), tone or hues[seat], width) for seat, points in sides]
    shapes += [Stamp(pane(hexes.radius), _middle(size, field)) for field in board(size).bits]
    outside = (((size // 2 + 1, -1), 3), ((size // 2 - 1, size), 0), ((-1, size // 2), 1), ((size, size // 2), 4))
    for side, (cell, corner) in enumerate(outside):
        at = hexes.corners(cell, hexes.radius - 14)[corner]
        shapes.append(figure(MARKS[side // 2], at, 14, on(hues[side // 2]), hues[side // 2], 4))
    for k in range(size):
        (x, y), (a, b) = hexes.middle((0, k)), hexes.middle((k, 0))
        reach = hexes.radius + EDGE + LABEL / 2
        shapes.append(Text((x - reach, y), LETTERS[k], 24, "muted", align="middle"))
        shapes.append(Text((a + reach / 3, b - reach), f"{k + 1}", 24, "muted", align="middle"))
    return tuple(shapes)


def _rings(view: State, look: Look) -> dict[str, str]:
    """Return the fields of the winning chain and of recent stones, with the kinds of lines around these."""
    rings = {field: "chain" for seat in (0, 1) for field in view.board.each(view.chain(seat))}
    if not look.recent and view.newest is not None:
        rings[view.newest] = "new"
    field_of = {"swap": next(view.board.each(view.stones[1]), "")}
    for recent in look.recent:
        rings[field_of.get(recent.action, recent.action)] = "known" if recent.is_faint else "new"
    return rings


class HexBoard(Drawer[State]):
    sample = "middle"
    off_board = {"swap": "to swap is to take over the stone on the board"}  # noqa: RUF012

    def scene(self, view: State, look: Look) -> Scene:
        hues = seat_colour(look, 0), seat_colour(look, 1)
        outcome, size = look.ended or view.outcome, view.board.size
        rings, radius = _rings(view, look), _hexes(size).radius
        put = sorted((rings.get(field, ""), k, field) for k in (0, 1) for field in view.board.each(view.stones[k]))
        stones = (Stamp(stone(seat, hues[seat], radius, ring), _middle(size, field)) for ring, seat, field in put)
        plates = [
            Plate(
                seat,
                hues[seat],
                up=view.actor == seat and outcome is None,
                won=outcome is not None and seat in outcome.winners,
                rows=((Word("↕" if seat == 0 else "↔", "muted", 30), Word(str(view.newest) * (view.mover == seat))),),
            )
            for seat in range(2)
        ]
        return Scene(FRAME.size, _still(size, hues), (*stones, *panel(FRAME, look, plates)))

    def alt_text(self, view: State, look: Look) -> str:
        lang, names = look.lang, [seat_name(look, seat) for seat in range(2)]
        outcome = look.ended or view.outcome
        if outcome is not None:
            sentences = [end_sentence(look, outcome)]
        else:
            sentences = [say("hex", "alt.to_move", lang, who=names[view.actor or 0])]
        if view.newest is not None:
            key = "alt.swapped" if view.last == "swap" else "alt.last"
            sentences.append(say("hex", key, lang, who=mover_name(look, view.mover or 0), field=view.newest))
        for seat, name in enumerate(names):
            fields = " ".join(view.board.each(view.stones[seat])) or "–"
            sentences.append(say("hex", f"alt.stones.{seat}", lang, who=name, fields=fields))
        return " ".join(sentences)

    def emblem(self) -> Sprite:
        return stone(0, self.hues[0], 20)

    def spots(self, view: State, look: Look) -> Mapping[str, Outline]:
        """Return the rows; once one is chosen, also its fields."""
        size = view.board.size
        hexes = _hexes(size)
        wide, high = hexes.radius * sqrt(3), hexes.radius * 1.5
        spots: dict[str, Outline] = {}
        for row, letter in enumerate(LETTERS[:size]):
            x, y = hexes.middle((0, row))
            spots[letter] = box((x - wide / 2, y - high / 2), (wide * size, high))
        for letter in set(look.chosen) & set(spots):
            fields = ((k, LETTERS.index(letter)) for k in range(size))
            spots |= {f"{k + 1}": hexes.corners((k, row), hexes.radius - 1) for k, row in fields}
        return spots

    def pieces(self, view: State, seat: int, look: Look) -> Iterator[Outline]:
        hexes = _hexes(view.board.size)
        for field in view.board.each(view.stones[seat]):
            yield hexes.corners((int(field[1:]) - 1, LETTERS.index(field[0])), hexes.radius - 1)

    def banner(self) -> tuple[Sprite, ...]:
        large = [magnified(stone(seat, self.hues[seat], 44), 2) for seat in (0, 1)]
        return (large[0], magnified(pane(44), 2), magnified(pane(44), 2), large[1])


DRAWER = HexBoard()
