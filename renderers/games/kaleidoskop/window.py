"""The board: a window of hexagonal panes, put together from tiles.

Each hex has a tile: the rectangle round its middle, with all that shows there of it, of the panes beside it and of the
crystals between them. At the rim, where nothing lies beside a hex, its tile reaches further out. Everything lies on
whole units, so that tiles fit to each other; only those that do not look as on the empty board are laid.
"""

from collections.abc import Iterator
from functools import cache, lru_cache

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
    """The tile of the hex *place*: its *middle* and *reach*, and the hexes and wells that show in it; *lettered*: the
    hexes of which letters do."""

    place: int
    middle: tuple[int, int]
    reach: tuple[int, int]
    hexes: tuple[int, ...]
    lettered: frozenset[int]
    wells: tuple[int, ...]


@cache
def tiles(seats: int) -> dict[int, Tile]:
    """The tile of every hex in play."""
    there = window(seats)
    return {place: _tile_of(there, place) for place in there.hexes}


def _tile_of(there: Window, place: int) -> Tile:
    step, radius = there.size.step, there.size.radius
    (q, r), (x, y) = GRID.cells[place], there.hexes[place]
    cells = {GRID.cells[other] for other in there.hexes}
    half = round(radius * 0.75) + 1
    left = step // 2 + (0 if (q - 1, r) in cells else OVERHANG)
    right = step // 2 + (0 if (q + 1, r) in cells else OVERHANG)
    top = half + (0 if {(q, r - 1), (q + 1, r - 1)} <= cells else OVERHANG)
    low = half + (0 if {(q - 1, r + 1), (q, r + 1)} <= cells else OVERHANG)

    def shows(at: tuple[int, int], wide: float, high: float) -> bool:
        return -left - wide < at[0] - x < right + wide and -top - high < at[1] - y < low + high

    return Tile(
        place=place,
        middle=(x + (right - left) // 2, y + (low - top) // 2),
        reach=((left + right) // 2, (top + low) // 2),
        hexes=tuple(other for other, at in there.hexes.items() if shows(at, step / 2, radius)),
        lettered=frozenset(other for other, at in there.hexes.items() if shows(at, 24, 36)),
        wells=tuple(well for well, at in there.wells.items() if shows(at, REACH, REACH)),
    )


@cache
def still(seats: int, theme: Theme) -> tuple[AnyShape, ...]:
    """The board while nothing lies on it."""
    return tuple(_stamp(seats, place, _empty(seats, place), theme) for place in tiles(seats))


@cache
def _empty(seats: int, place: int) -> tuple[tuple[Pane, ...], tuple[Well, ...]]:
    tile = tiles(seats)[place]
    return (QUIET,) * len(tile.hexes), (VOID,) * len(tile.wells)


def live(view: State, hues: list[str], theme: Theme) -> Iterator[AnyShape]:
    """The tiles on which something lies."""
    panes, wells = _panes(view, hues), _wells(view, hues)
    for place, tile in tiles(view.seats).items():
        shown = tuple(panes[other] for other in tile.hexes), tuple(wells[well] for well in tile.wells)
        if shown != _empty(view.seats, place):
            yield _stamp(view.seats, place, shown, theme)


def _stamp(seats: int, place: int, shown: tuple[tuple[Pane, ...], tuple[Well, ...]], theme: Theme) -> AnyShape:
    return Stamp(_sprite(seats, place, *shown, theme), tiles(seats)[place].middle)


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
def _sprite(seats: int, place: int, panes: tuple[Pane, ...], wells: tuple[Well, ...], theme: Theme) -> Sprite:
    """A tile: panes with their letters, crystals over them, tools over all."""
    there, tile = window(seats), tiles(seats)[place]
    x, y = tile.middle
    at = {other: (there.hexes[other][0] - x, there.hexes[other][1] - y) for other in tile.hexes}
    shapes: list[AnyShape] = []
    signs: list[AnyShape] = []
    for other, pane in zip(tile.hexes, panes, strict=True):
        shapes += _pane(there.size, pane, at[other])
        if other in tile.lettered:
            shapes += _letters(there.size, other, pane[0], at[other], theme)
        signs += _signs(there.size, pane, at[other])
    for well, seen in zip(tile.wells, wells, strict=True):
        u, v = there.wells[well]
        shapes += _well(well, seen, (u - x, v - y))
    return Sprite(f"hex {_told(tile, panes, wells)} {theme} {seats}", tile.reach, (*shapes, *signs), "ground")


def _told(tile: Tile, panes: tuple[Pane, ...], wells: tuple[Well, ...]) -> str:
    """What a tile shows: hexes with colour, corners that decide, "!" where changed, tools; then the wells alike."""
    words = [GRID.fields[tile.place].upper()]
    for place, (colour, rays, is_changed, signs) in zip(tile.hexes, panes, strict=True):
        tools = "".join(f"+{kind}{number}{seat + 1}{hue}" for kind, number, _, seat, hue in signs)
        words.append(f"{GRID.fields[place]}{colour}{''.join(map(str, rays))}{'!' * is_changed}{tools}")
    for well, (colour, is_latest, holder) in zip(tile.wells, wells, strict=True):
        held = f"+holder{holder[0] + 1}{holder[1]}" if holder else ""
        words.append(f"{well + 1}{colour}{'!' * is_latest}{held}")
    return " ".join(words)


def _pane(size: Size, pane: Pane, at: Point) -> Iterator[AnyShape]:
    colour, rays, is_changed, signs = pane
    hue = glass.HUE.get(colour, "")
    yield Stamp(glass.pane(hue, size.radius), at)
    for number in rays:
        yield Stamp(glass.ray(f"{hue}.pane.gleam", size.radius, number), at)
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
        x, y = at[0] + dx * size.step / 4, at[1] + dy * size.radius / 4
        yield Stamp((glass.mirror if kind == "mirror" else glass.glass)(seat, hue), (round(x), round(y)))


def _well(well: int, seen: Well, at: Point) -> Iterator[AnyShape]:
    colour, latest, holder = seen
    yield Stamp(glass.empty() if colour == NOTHING else glass.crystal(colour), at)
    yield glass.number(colour, well + 1, at)
    if latest:
        yield Stamp(glass.latest(), at)
    if holder is not None:
        yield Stamp(glass.holder(*holder), at)
        # Towards another well, where no mirror and no glass can stand.
        down = 18 if POINTS[well][1] % 3 == 1 else -18
        yield Stamp(glass.holder_number(*holder), (at[0] + 31, at[1] + down))


def sprites() -> Iterator[Sprite]:
    """What boards are put together from."""
    for size in (SMALL, LARGE):
        for hue in ("", *glass.HUE.values()):
            yield glass.pane(hue, size.radius)
            if hue:
                yield from (glass.ray(f"{hue}.pane.gleam", size.radius, number) for number in range(6))
    yield glass.empty()
    for colour in glass.HUE:
        yield glass.crystal(colour)
