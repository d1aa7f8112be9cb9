"""The board: a window of hexagonal panes, put together from tiles.

Each hex has a tile: the rectangle round its middle, with all that shows there of it, of the panes beside it and of the
crystals between them. At the rim, where nothing lies beside a hex, its tile reaches further out. Everything lies on
whole units, so that tiles fit to each other; only those that do not look as on the empty board are laid.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import floor

from msgspec import Struct

from renderers import Theme
from renderers.frame import Frame, below
from renderers.games.kaleidoskop import glass
from renderers.layout import SQRT3
from renderers.palette import on
from renderers.scene import AnyShape, Point, Sprite, Stamp, Text
from rules.games.kaleidoskop import GRID, NONE, NOTHING, PLACES, POINTS, READY, WELLS, WELLS_OF, State, board
from rules.hexes import CORNERS, centre, corner

OVERHANG = 50
"""How far a tile at the rim reaches beyond its hex: crystals there stick out, with their rings."""
REACH = 48
"""How far a crystal with ring or holder reaches."""


class Size(Struct, frozen=True):
    """A board's measures: *step* from hex to hex in a row, font sizes of label and letter, and where they stand."""

    step: int
    label: int
    letter: int

    @property
    def radius(self) -> float:
        return self.step / SQRT3


SMALL, LARGE = Size(150, 30, 44), Size(118, 24, 30)


class Window(Struct, frozen=True):
    """Where everything lies with so many seats. *hexes*, *wells*: middles by number (of those in play)."""

    frame: Frame
    size: Size
    hexes: dict[int, tuple[int, int]]
    wells: dict[int, tuple[int, int]]


@cache
def window(seats: int) -> Window:
    large = seats > 4
    frame, size = (below(920, 134), LARGE) if large else (below(916, 184), SMALL)
    x, y = (round(value) for value in frame.board.middle)
    across, down = size.step / 2, size.radius / 2
    in_play = board(seats)

    def at(point: tuple[int, int]) -> tuple[int, int]:
        return x + round(point[0] * across), y + round(point[1] * down)

    return Window(
        frame,
        size,
        {place: at(centre(GRID.cells[place])) for place in in_play.hexes},
        {well: at(POINTS[well]) for well in in_play.wells},
    )


CORNER_OF = {
    (place, well): number
    for place, wells in enumerate(WELLS_OF)
    for number in range(len(CORNERS))
    for well in wells
    if corner(GRID.cells[place], number) == POINTS[well]
}
"""At which corner of a hex a well lies, clockwise from 0 at the top."""

Sign = tuple[str, int, str, int, str]
"""A mirror or glass: its kind, the corner at which it stands, the crystal there, whose it is, and that seat's hue."""
Pane = tuple[str, tuple[int, ...], bool, tuple[Sign, ...]]
"""What is seen of a hex: its colour, the corners with crystals that decide, whether it changed, tools."""
Well = tuple[str, bool, tuple[int, str] | None]
"""What is seen of a well: its crystal, whether it is the latest, whose holder it is in (with that seat's hue)."""
QUIET: Pane = (NOTHING, (), False, ())
VOID: Well = (NOTHING, False, None)


class Tile(Struct, frozen=True):
    """The tile of the hex *place*: its *middle* and *reach*, and what shows in it.

    *beside*: other hexes, of which a tip shows, or at the rim more, each with the corners from which that is lit.
    *lettered*: those of them of which letters show. *inner*: not at the rim.
    """

    place: int
    middle: tuple[int, int]
    reach: tuple[float, float]
    beside: tuple[tuple[int, frozenset[int]], ...]
    lettered: frozenset[int]
    wells: tuple[int, ...]
    inner: bool

    def seen(self, at: Point) -> glass.Window:
        """What is seen of a hex *at* this place, round its middle; a little more, so that no cut shows."""
        (wide, high), (x, y) = self.reach, at
        return -wide - 2.0 - x, -high - 2.0 - y, wide + 2.0 - x, high + 2.0 - y


@cache
def tiles(seats: int) -> dict[int, Tile]:
    """The tile of every hex in play, from the middle row outwards: what one at the rim shows of hexes further out is
    covered by their own tiles."""
    there = window(seats)
    order = sorted(there.hexes, key=lambda place: abs(GRID.cells[place][1]))
    return {place: _tile_of(there, place) for place in order}


def _tile_of(there: Window, place: int) -> Tile:
    step, radius = there.size.step, there.size.radius
    (q, r), (x, y) = GRID.cells[place], there.hexes[place]
    at = {GRID.cells[other]: middle for other, middle in there.hexes.items()}
    rows = {cell[1]: middle[1] for cell, middle in at.items()}
    above, below = rows.get(r - 1, round(y - radius * 1.5)), rows.get(r + 1, round(y + radius * 1.5))
    left = x - step // 2 - (0 if (q - 1, r) in at else OVERHANG)
    right = x + step // 2 + (0 if (q + 1, r) in at else OVERHANG)
    top = (above + y) // 2 - (0 if {(q, r - 1), (q + 1, r - 1)} <= set(at) else OVERHANG)
    low = (below + y) // 2 + (0 if {(q - 1, r + 1), (q, r + 1)} <= set(at) else OVERHANG)
    wide, high = (right - left) / 2, (low - top) / 2

    def shows(middle: tuple[int, int], across: float, down: float) -> bool:
        return left - across < middle[0] < right + across and top - down < middle[1] < low + down

    others = {other: middle for other, middle in there.hexes.items() if other != place}
    wells = {well: middle for well, middle in there.wells.items() if shows(middle, REACH, REACH)}
    return Tile(
        place=place,
        middle=(left + floor(wide + 0.5), top + floor(high + 0.5)),
        reach=(wide, high),
        beside=tuple(
            (other, frozenset(CORNER_OF[other, well] for well in wells if (other, well) in CORNER_OF))
            for other, middle in others.items()
            if shows(middle, step / 2, radius)
        ),
        lettered=frozenset(other for other, middle in others.items() if shows(middle, 24, 36)),
        wells=tuple(wells),
        inner=right - left == step and low - top < OVERHANG + radius * 1.5,
    )


@cache
def still(seats: int, theme: Theme) -> tuple[AnyShape, ...]:
    """The board while nothing lies on it."""
    return tuple(_stamp(seats, tile, _empty(tile), theme) for tile in tiles(seats).values())


Shown = tuple[Pane, tuple[Pane, ...], tuple[Well, ...]]
"""What a tile shows: its own hex, those beside it, and the wells."""


@cache
def _empty(tile: Tile) -> Shown:
    return QUIET, (QUIET,) * len(tile.beside), (VOID,) * len(tile.wells)


def live(view: State, hues: list[str], theme: Theme) -> Iterator[AnyShape]:
    """The tiles on which something lies."""
    panes, wells = _panes(view, hues), _wells(view, hues)
    for place, tile in tiles(view.seats).items():
        beside = tuple([_seen(panes[other], corners) for other, corners in tile.beside])
        shown = panes[place], beside, tuple([wells[well] for well in tile.wells])
        if shown != _empty(tile):
            yield _stamp(view.seats, tile, shown, theme)


def _seen(pane: Pane, corners: frozenset[int]) -> Pane:
    """*pane* as far as it is lit from these *corners*."""
    colour, rays, is_changed, signs = pane
    return colour, tuple([number for number in rays if number in corners]), is_changed, signs


def _stamp(seats: int, tile: Tile, shown: Shown, theme: Theme) -> AnyShape:
    return Stamp(_sprite(seats, tile.place, shown, theme), tile.middle)


def _panes(view: State, hues: list[str]) -> dict[int, Pane]:
    """What is seen of every hex in play."""
    signs: dict[int, tuple[Sign, ...]] = {}
    for seat, player in enumerate(view.players):
        for kind, spot in (("mirror", player.tools.mirror), ("glass", player.tools.glass)):
            if spot in PLACES:
                _, place = PLACES[spot]
                signs[place] = (*signs.get(place, ()), _sign(view, kind, spot, seat, hues[seat]))
    panes = {}
    for place in board(view.seats).hexes:
        colour = view.hexes[place]
        lit = colour != NOTHING
        rays = [CORNER_OF[place, well] for well in WELLS_OF[place] if lit and view.crystals[well] == colour]
        panes[place] = colour, tuple(rays), colour != view.before[place], signs.get(place, ())
    return panes


def _sign(view: State, kind: str, spot: str, seat: int, hue: str) -> Sign:
    well, place = PLACES[spot]
    return kind, CORNER_OF[place, well], view.crystals[well], seat, hue


def _wells(view: State, hues: list[str]) -> dict[int, Well]:
    """What is seen of every well in play."""
    holders = {
        int(player.tools.holder) - 1: (seat, hues[seat])
        for seat, player in enumerate(view.players)
        if player.tools.holder not in (NONE, READY)
    }
    return {well: (view.crystals[well], view.last == well + 1, holders.get(well)) for well in range(WELLS)}


@lru_cache(4096)
def _sprite(seats: int, place: int, shown: Shown, theme: Theme) -> Sprite:
    tile = tiles(seats)[place]
    name = f"hex {_told(tile, shown)} {theme} {seats}"
    return Sprite(name, tile.reach, _shapes(window(seats), tile, shown, theme), "ground")


def _told(tile: Tile, shown: Shown) -> str:
    """What a tile shows: its hex, in brackets those beside it, each with its colour, the corners that decide, "!" if it
    changed, and tools; then the wells."""
    pane, beside, wells = shown
    words = [GRID.fields[tile.place].upper(), _pane_told(pane)]
    words += [
        f"({GRID.fields[other]} {_pane_told(seen)})" for (other, _), seen in zip(tile.beside, beside, strict=True)
    ]
    for well, (crystal, is_latest, holder) in zip(tile.wells, wells, strict=True):
        held = f"+holder{holder[0] + 1}{holder[1]}" if holder else ""
        words.append(f"{well + 1}{crystal}{'!' * is_latest}{held}")
    return " ".join(words)


def _pane_told(pane: Pane) -> str:
    colour, rays, is_changed, signs = pane
    tools = "".join(f"+{kind}{number}{crystal}{seat + 1}{hue}" for kind, number, crystal, seat, hue in signs)
    return f"{colour}{''.join(map(str, rays))}{'!' * is_changed}{tools}"


def _shapes(there: Window, tile: Tile, shown: Shown, theme: Theme) -> tuple[AnyShape, ...]:
    """What lies on a tile, round its middle: panes with their letters, crystals over them, tools over all."""
    pane, beside, wells = shown
    x, y = tile.middle
    drawn: list[AnyShape] = []
    for (other, _), seen in zip(tile.beside, beside, strict=True):
        at = there.hexes[other][0] - x, there.hexes[other][1] - y
        drawn.append(_glass(there.size, seen[0], at, tile))
        drawn += _light(there.size, seen, at)
        if other in tile.lettered:
            drawn += _letters(there.size, other, seen[0], at, theme)
    at = there.hexes[tile.place][0] - x, there.hexes[tile.place][1] - y
    drawn.append(_glass(there.size, pane[0], at, tile))
    drawn += _light(there.size, pane, at)
    drawn += _letters(there.size, tile.place, pane[0], at, theme)
    for well, lying in zip(tile.wells, wells, strict=True):
        u, v = there.wells[well]
        drawn += _well(well, lying, (u - x, v - y))
    return (*drawn, *_signs(there.size, pane, at))


def _glass(size: Size, colour: str, at: Point, tile: Tile) -> AnyShape:
    """A hex *at* this place; on an inner tile only what is seen of it."""
    hue = glass.HUE.get(colour, "")
    if not tile.inner:
        return Stamp(glass.pane(hue, size.radius), at)
    sprite, (x, y) = glass.part(hue, size.radius, tile.seen(at))
    return Stamp(sprite, (at[0] + x, at[1] + y))


def _light(size: Size, pane: Pane, at: Point) -> Iterator[AnyShape]:
    """What crystals and tools do to a hex, and the border of one that changed."""
    colour, rays, is_changed, signs = pane
    for number in rays:
        yield Stamp(glass.ray(f"{glass.HUE[colour]}.pane.gleam", size.radius, number), at)
    for kind, number, crystal, _, _ in signs:
        yield Stamp(glass.ray(glass.HUE[crystal] if kind == "mirror" else "stone", size.radius, number), at)
    if is_changed:
        yield Stamp(glass.changed(size.radius), at)


def _letters(size: Size, place: int, colour: str, at: Point, theme: Theme) -> Iterator[AnyShape]:
    """The label of a hex; of a coloured one the letter of its colour over it."""
    x, y = at
    label = GRID.fields[place].upper()
    if colour == NOTHING:
        yield Text(at, label, size.label, "muted", bold=False, align="middle")
        return
    pen = on(glass.shade(glass.HUE[colour]), theme)
    yield Text((x, y - round(size.letter * 0.32)), colour.upper(), size.letter, pen, align="middle")
    yield Text((x, y + round(size.letter * 0.42)), label, size.label, pen, bold=False, align="middle")


def _signs(size: Size, pane: Pane, at: Point) -> Iterator[AnyShape]:
    """Mirrors and glasses, half-way from the middle of the hex to the well."""
    for kind, number, _, seat, hue in pane[3]:
        dx, dy = CORNERS[number]
        x, y = at[0] + floor(dx * size.step / 4 + 0.5), at[1] + floor(dy * size.radius / 4 + 0.5)
        yield Stamp((glass.mirror if kind == "mirror" else glass.glass)(seat, hue), (x, y))


def _well(well: int, seen: Well, at: Point) -> Iterator[AnyShape]:
    colour, latest, holder = seen
    yield Stamp(glass.empty(well + 1) if colour == NOTHING else glass.crystal(colour, well + 1), at)
    if latest:
        yield Stamp(glass.latest(), at)
    if holder is not None:
        yield Stamp(glass.holder(*holder), at)
        # Towards another well, where no mirror and no glass can stand.
        down = 18 if POINTS[well][1] % 3 == 1 else -18
        yield Stamp(glass.holder_number(*holder), (at[0] + 31, at[1] + down))


def sprites() -> Iterator[Sprite]:
    """What boards are put together from."""
    for seats in (3, 6):
        there, tile = window(seats), tiles(seats)[GRID.number["d4"]]
        middle = tile.middle
        shown = (tile.place, *(other for other, _ in tile.beside))
        places = [(there.hexes[place][0] - middle[0], there.hexes[place][1] - middle[1]) for place in shown]
        for hue in ("", *glass.HUE.values()):
            yield glass.pane(hue, there.size.radius)
            yield from (glass.part(hue, there.size.radius, tile.seen(at))[0] for at in places)
            if hue:
                yield from (glass.ray(f"{hue}.pane.gleam", there.size.radius, number) for number in range(6))
    for well in range(1, WELLS + 1):
        yield glass.empty(well)
        yield from (glass.crystal(colour, well) for colour in glass.HUE)
