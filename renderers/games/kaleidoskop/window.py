"""The board: a window of hexagonal panes, made of tiles.

Each hex has a tile: the rectangle around its middle, with all that is visible there of the hex, the panes beside it and
the crystals between them. At the rim, which has no neighbours, a tile is larger. Coordinates are whole units, so that
tiles fit together. Only tiles that differ from the empty board are painted.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import dist, floor, hypot

from msgspec import Struct
from msgspec.structs import replace

from renderers.frame import Frame, badge, beside
from renderers.games.kaleidoskop import crystals, glass, tokens
from renderers.games.kaleidoskop.names import Size, holder_at, naming, token_at
from renderers.games.kaleidoskop.words import changed, placed
from renderers.layout import SQRT3
from renderers.look import Look, Theme
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Point, Sprite, Stamp, Text
from renderers.signs import figure
from rules.games.kaleidoskop import GRID, NONE, NOTHING, PLACES, POINTS, READY, WELLS, WELLS_OF, State, board
from rules.hexes import CORNERS, centre, corner

OVERHANG = 58
"""Width by which a tile at the rim exceeds its hex, for crystals with their rings."""
BARE = 10
"""An edge between two crystals with a visible part of less than this shows only lead."""
FACE = 0.55
"""Reach of the name of a hex from its middle, as a part of its radius."""
REACH = 48
"""Reach of a crystal of size 1 with ring or holder."""
WHOSE, FREE, MARK = 33.36, 4.0, 15.0
"""Distance of the placer's mark from a new crystal, of size 1; how much more it is towards no well; and the reach of
the mark."""
CHANGES = {"latest": "!", "faint": "~", "": ""}
"""The signs of changes in the names of tiles."""
EDGES = ((3.0, "ink"), (1.25, "accent"))
"""The edges around the placer's mark: how far each exceeds the mark, and its tone."""


SMALL, LARGE = Size(142, 26, 19, 1.14), Size(104, 24, 12, 0.9)
HIGH, PANEL = 762, 240
"""Height of the picture, and width of the plates beside the board."""
BAR = 50
"""Height of the supply below the board."""


class Window(Struct, frozen=True):
    """The layout for a number of seats. *hexes*, *wells*: middles by number (of those in play)."""

    frame: Frame
    size: Size
    hexes: dict[int, tuple[int, int]]
    wells: dict[int, tuple[int, int]]


@cache
def window(seats: int) -> Window:
    frame, size = beside(HIGH, PANEL), LARGE if seats > 4 else SMALL
    area = frame.board
    x, y = round(area.middle[0]), round(area.y + (area.height - BAR) / 2)
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
"""The corner of a hex at which a well is, clockwise from 0 at the top."""

Sign = tuple[str, int, str, int, str]
"""A mirror or glass: its kind, its corner, the crystal there, its owner, and that seat's hue."""
Pane = tuple[str, tuple[int, ...], str, tuple[Sign, ...]]
"""The visible part of a hex: its colour, the corners with deciding crystals, its change ("latest", "faint" or ""),
tools."""
Well = tuple[str, str, tuple[int, str] | None]
"""The visible part of a well: its crystal, its ring ("latest", "faint" or ""), the owner of its holder (with that
seat's hue)."""
Beside = tuple[str, str, tuple[Sign, ...]]
"""The same of a hex next to the tile's own one; its deciding crystals follow from the wells."""
COVERED: Beside = ("", "", ())
"""A neighbouring hex that is not visible: crystals cover its tip."""
QUIET: Pane = (NOTHING, (), "", ())
VOID: Well = (NOTHING, "", None)


class Tile(Struct, frozen=True):
    """The tile of the hex *place*: its *middle* and *reach*, and its visible contents.

    *beside*: other hexes, of which a tip is visible, or more at the rim. *faces*: those with a visible middle.
    *covers*: for each of *beside* the two wells whose crystals cover its visible part, or -1. *frames*: at the rim the
    frames of its hexes as one sprite.
    """

    place: int
    middle: tuple[int, int]
    reach: tuple[float, float]
    beside: tuple[int, ...]
    faces: frozenset[int]
    wells: tuple[int, ...]
    covers: tuple[tuple[int, int], ...]
    frames: Sprite | None

    @property
    def inner(self) -> bool:
        """Whether it is not at the rim."""
        return self.frames is None

    def seen(self, at: Point) -> glass.Window:
        """Return the visible part of a hex *at* this place, around its middle, with a small margin so that no cut
        is visible."""
        (wide, high), (x, y) = self.reach, at
        return -wide - 2.0 - x, -high - 2.0 - y, wide + 2.0 - x, high + 2.0 - y


@cache
def tiles(seats: int) -> dict[int, Tile]:
    """Return the tile of every hex in play, from the middle row outwards.

    A tile at the rim may show hexes further out, which are then covered by their own tiles.
    """
    board = window(seats)
    order = sorted(board.hexes, key=lambda place: abs(GRID.cells[place][1]))
    return {place: _tile_of(board, place) for place in order}


def _tile_of(board: Window, place: int) -> Tile:
    step, radius = board.size.step, board.size.radius
    (q, r), (x, y) = GRID.cells[place], board.hexes[place]
    at = {GRID.cells[other]: middle for other, middle in board.hexes.items()}
    rows = {cell[1]: middle[1] for cell, middle in at.items()}
    above, below = rows.get(r - 1, round(y - radius * 1.5)), rows.get(r + 1, round(y + radius * 1.5))
    left = x - step // 2 - (0 if (q - 1, r) in at else OVERHANG)
    right = x + step // 2 + (0 if (q + 1, r) in at else OVERHANG)
    top = (above + y) // 2 - (0 if {(q, r - 1), (q + 1, r - 1)} <= set(at) else OVERHANG)
    low = (below + y) // 2 + (0 if {(q - 1, r + 1), (q, r + 1)} <= set(at) else OVERHANG)
    wide, high, reach = (right - left) / 2, (low - top) / 2, REACH * board.size.crystal

    def shows(middle: tuple[int, int], across: float, down: float) -> bool:
        return left - across < middle[0] < right + across and top - down < middle[1] < low + down

    inner = right - left == step and low - top < radius * 1.5 + OVERHANG / 2
    others = {other: middle for other, middle in board.hexes.items() if other != place}
    beside = tuple(other for other, middle in others.items() if shows(middle, step / 2, radius))
    covered = inner and radius < 2 * crystals.GEM * board.size.crystal + BARE
    shared = (tuple(well for well in WELLS_OF[place] if well in WELLS_OF[other]) for other in beside)
    middle = (left + floor(wide + 0.5), top + floor(high + 0.5))
    away = [(at_x - middle[0], at_y - middle[1]) for at_x, at_y in (board.hexes[near] for near in (place, *beside))]
    return Tile(
        place=place,
        middle=middle,
        reach=(wide, high),
        beside=beside,
        faces=frozenset(other for other, middle in others.items() if shows(middle, radius * FACE, radius * FACE)),
        wells=tuple(well for well, middle in board.wells.items() if shows(middle, reach, reach)),
        covers=tuple((wells[0], wells[-1]) if covered else (-1, -1) for wells in shared),
        frames=None if inner else glass.frames(place, away, radius, (wide, high)),
    )


@cache
def still(seats: int, theme: Theme) -> tuple[AnyShape, ...]:
    """Return the empty board."""
    return tuple(_stamp(seats, tile, _empty(tile), theme) for tile in tiles(seats).values())


Shown = tuple[Pane, tuple[Beside, ...], tuple[Well, ...]]
"""The contents of a tile: its own hex, its neighbours, and the wells."""


@cache
def _empty(tile: Tile) -> Shown:
    return QUIET, ((NOTHING, "", ()),) * len(tile.beside), (VOID,) * len(tile.wells)


def live(view: State, look: Look, hues: list[str]) -> Iterator[AnyShape]:
    """Yield the tiles that are not empty; over them the placers of new crystals."""
    panes, wells = _panes(view, look, hues), _wells(view, look, hues)
    occupied = {well for well, crystal in enumerate(view.crystals) if crystal != NOTHING}
    beside = {place: (colour, change, signs) for place, (colour, _, change, signs) in panes.items()}
    for place, tile in tiles(view.seats).items():
        seen = tuple(
            [
                COVERED if one in occupied and other in occupied and not beside[hidden][1] else beside[hidden]
                for hidden, (one, other) in zip(tile.beside, tile.covers, strict=True)
            ]
        )
        shown = panes[place], seen, tuple([wells[well] for well in tile.wells])
        if shown != _empty(tile):
            yield _stamp(view.seats, tile, shown, look.theme)
    yield from _over(view, look, hues)


def over_marks(view: State, look: Look, hues: list[str]) -> Iterator[AnyShape]:
    """Yield again the signs that the marks of a menu would hide: tools, and the owners of holders and crystals."""
    board, panes = window(view.seats), _panes(view, look, hues)
    for place, pane in panes.items():
        yield from _signs(board.size, pane, board.hexes[place])
    for well, holder in _holders(view, hues).items():
        yield _holder_number(board.size, well, holder, board.wells[well])
    yield from _over(view, look, hues)


def _over(view: State, look: Look, hues: list[str]) -> Iterator[AnyShape]:
    """Yield the marks of the placers of new crystals; a holder shows its owner already."""
    holders = {player.tools.holder for player in view.players}
    marks: list[Stamp] = []
    for well, (seat, is_faint) in placed(view, look).items():
        if not is_faint and str(well) not in holders:
            marks.append(_whose(view, well - 1, seat, hues[seat], [mark.at for mark in marks]))
    yield from marks


def _whose(view: State, well: int, seat: int, hue: str, marked: list[Point]) -> Stamp:
    """Return the mark of the placer of a crystal, at its ring, towards a well that does not exist; if all do, towards
    the one above or below: their numbers are further apart than those of wells side by side.

    *marked*: the places of other marks, which it does not cover.
    """
    board, (x, y) = window(view.seats), window(view.seats).wells[well]
    up = 1.0 if POINTS[well][1] % 3 == 1 else -1.0
    ways = ((0.0, -up), (-SQRT3 / 2, up / 2), (SQRT3 / 2, up / 2))

    def is_taken(way: Point) -> bool:
        far = x + board.size.radius * way[0], y + board.size.radius * way[1]
        return any(hypot(at[0] - far[0], at[1] - far[1]) < board.size.well for at in board.wells.values())

    def place(way: Point) -> Point:
        away = WHOSE * board.size.crystal + (0 if is_taken(way) else FREE)
        return x + way[0] * away, y + way[1] * away

    def covers(way: Point) -> bool:
        return any(dist(place(way), at) < 2 * MARK for at in marked)

    best = min(ways, key=lambda way: (covers(way), is_taken(way)))
    return Stamp(_mark(seat, hue, int(MARK * min(1.0, board.size.crystal))), place(best))


@cache
def _mark(seat: int, hue: str, reach: int) -> Sprite:
    """Return a seat's mark with an edge in the accent, as an owner's has a light one.

    It is not smoothed: painted twice, under and over the marks of a menu, it looks the same.
    """
    small = badge(seat, hue, reach)
    edges = tuple(figure(MARKS[seat % 6], (0, 0), reach + more, pen, pen, 2) for more, pen in EDGES)
    shape = replace(small.shapes[0], line="")
    return Sprite(f"{small.name} crisp", (reach + 8, reach + 8), (*edges, shape, *small.shapes[1:]), crisp=True)


def _stamp(seats: int, tile: Tile, shown: Shown, theme: Theme) -> AnyShape:
    return Stamp(_sprite(seats, tile.place, shown, theme), tile.middle)


def _panes(view: State, look: Look, hues: list[str]) -> dict[int, Pane]:
    """Return the visible part of every hex in play."""
    signs: dict[int, tuple[Sign, ...]] = {}
    for seat, player in enumerate(view.players):
        for kind, spot in (("mirror", player.tools.mirror), ("glass", player.tools.glass)):
            if spot in PLACES:
                _, place = PLACES[spot]
                signs[place] = (*signs.get(place, ()), _sign(view, kind, spot, seat, hues[seat]))
    panes, changes = {}, changed(view, look)
    for place in board(view.seats).hexes:
        colour = view.hexes[place]
        lit = colour != NOTHING
        rays = [CORNER_OF[place, well] for well in WELLS_OF[place] if lit and view.crystals[well] == colour]
        panes[place] = colour, tuple(rays), changes.get(place, ""), signs.get(place, ())
    return panes


def _sign(view: State, kind: str, spot: str, seat: int, hue: str) -> Sign:
    well, place = PLACES[spot]
    return kind, CORNER_OF[place, well], view.crystals[well], seat, hue


def _holders(view: State, hues: list[str]) -> dict[int, tuple[int, str]]:
    """Return the wells with a crystal in a holder: its owner, with that seat's hue."""
    return {
        int(player.tools.holder) - 1: (seat, hues[seat])
        for seat, player in enumerate(view.players)
        if player.tools.holder not in (NONE, READY)
    }


def _wells(view: State, look: Look, hues: list[str]) -> dict[int, Well]:
    """Return the visible part of every well in play."""
    holders = _holders(view, hues)
    rings = {well - 1: "faint" if is_faint else "latest" for well, (_, is_faint) in placed(view, look).items()}
    return {well: (view.crystals[well], rings.get(well, ""), holders.get(well)) for well in range(WELLS)}


@lru_cache(512)
def _sprite(seats: int, place: int, shown: Shown, theme: Theme) -> Sprite:
    tile = tiles(seats)[place]
    name = f"hex {_described(tile, shown)} {theme} {seats}"
    return Sprite(name, tile.reach, _shapes(window(seats), tile, shown, theme), "lead" if tile.inner else "ground")


def _described(tile: Tile, shown: Shown) -> str:
    """Return the contents of a tile as text: its hex with colour, deciding corners, sign of a change, and tools; the
    neighbouring hexes by their colours; then the wells."""
    (colour, rays, change, signs), beside, wells = shown
    tools = [f"+{kind}{number}{crystal}{seat + 1}{hue}" for kind, number, crystal, seat, hue in signs]
    others = [f"{other or '_'}{CHANGES[other_change]}" for other, other_change, _ in beside]
    lying = [
        f"{well + 1}{crystal}{ring[:1]}{f'+holder{holder[0] + 1}{holder[1]}' if holder else ''}"
        for well, (crystal, ring, holder) in zip(tile.wells, wells, strict=True)
        if crystal != NOTHING
    ]
    own = f"{GRID.fields[tile.place].upper()} {colour}{''.join(map(str, rays))}{CHANGES[change]}"
    return f"{own}{''.join(tools)} ({''.join(others)}) {' '.join(lying)}"


def _shapes(board: Window, tile: Tile, shown: Shown, theme: Theme) -> tuple[AnyShape, ...]:
    """Return the shapes on a tile, around its middle."""
    pane, beside, wells = shown
    lying = dict(zip(tile.wells, wells, strict=True))
    panes: dict[int, Pane] = {}
    for other, (colour, change, signs) in zip(tile.beside, beside, strict=True):
        if colour:
            rays = (
                CORNER_OF[other, well]
                for well in WELLS_OF[other]
                if colour != NOTHING and lying.get(well, VOID)[0] == colour
            )
            panes[other] = colour, tuple(rays), change, signs
    panes[tile.place] = pane
    return tuple(drawn(board, panes, lying, tile.middle, theme, tile))


def drawn(
    board: Window, panes: dict[int, Pane], wells: dict[int, Well], middle: Point, theme: Theme, tile: Tile | None = None
) -> Iterator[AnyShape]:
    """Yield these hexes and wells around *middle*: panes, changes, names, crystals over them, tools over all.

    With a *tile*, only its visible parts.
    """
    x, y = middle
    size = board.size
    hexes = {place: (board.hexes[place][0] - x, board.hexes[place][1] - y) for place in panes}
    places = {well: (board.wells[well][0] - x, board.wells[well][1] - y) for well in wells}
    if tile is None:
        yield from (Stamp(glass.frame(size.radius), at) for at in hexes.values())
    elif tile.frames is not None:
        yield Stamp(tile.frames, (0, 0))
    faces = [place for place in panes if tile is None or place == tile.place or place in tile.faces]
    for place, pane in panes.items():
        yield from _glass(size, pane[0], hexes[place], tile)
        yield from _light(size, pane, hexes[place], theme)
    for well, (_, ring, holder) in wells.items():
        if ring:
            held = holder is not None
            yield Stamp(crystals.latest(size.crystal, held=held, is_faint=ring == "faint"), places[well])
    for place in faces:
        if not panes[place][3]:
            yield from _named(size, place, panes[place], hexes[place], theme)
    for well, contents in wells.items():
        yield from _well(size, well, contents, places[well])
    for place in faces:  # between tools and crystals, a name may have no place without one of them
        if panes[place][3]:
            yield from _named(size, place, panes[place], hexes[place], theme)
    for well, (_, _, holder) in wells.items():
        if holder is not None:
            yield _holder_number(size, well, holder, places[well])
    for place, pane in panes.items():
        yield from _signs(size, pane, hexes[place])


def _glass(size: Size, colour: str, at: Point, tile: Tile | None) -> Iterator[AnyShape]:
    """Yield the pane *at* this place, in its lead or the window's frame; on an inner tile only its visible part."""
    hue = crystals.HUE.get(colour, "")
    if tile is not None and tile.inner:
        sprite, (x, y) = glass.part(hue, size.radius, tile.seen(at))
        yield Stamp(sprite, (at[0] + x, at[1] + y))
    else:
        yield Stamp(glass.pane(hue, size.radius), at)


def _light(size: Size, pane: Pane, at: Point, theme: Theme) -> Iterator[AnyShape]:
    """Yield the effects of crystals and tools on a hex, and the border of one that changed."""
    colour, rays, change, signs = pane
    for number in rays:
        yield Stamp(glass.ray(*glass.beam(colour), size.radius, number), at)
    for kind, number, crystal, _, _ in signs:
        yield Stamp(glass.ray(*(glass.beam(crystal, 2) if kind == "mirror" else glass.DULL), size.radius, number), at)
    if change:
        yield Stamp(glass.changed(size.radius, theme, is_faint=change == "faint"), at)


def _named(size: Size, place: int, pane: Pane, at: Point, theme: Theme) -> Iterator[AnyShape]:
    """Yield the label of a hex, on bright ground if it is newly changed; a coloured one has the sign of its
    colour over it."""
    colour, is_new = pane[0], pane[2] == "latest"
    label = GRID.fields[place].upper()
    name = naming(size, colour != NOTHING, _corners(pane[3]))
    x, y = at[0] + name.away[0], at[1] + name.away[1]
    (u, v), (s, t) = name.sign, name.label
    if is_new:
        yield Stamp(glass.plate("", size.label), (x + s, y + t))
    elif pane[3] and colour != NOTHING:
        yield Stamp(glass.plate(crystals.HUE[colour], size.label), (x + s, y + t))
    if colour == NOTHING:
        yield Text((x, y), label, size.label, "ink" if is_new else "muted", bold=False, align="middle")
        return
    yield Stamp(glass.sign(colour, name.reach, theme, edged=bool(pane[3])), (x + u, y + v))
    pen = "ink" if is_new else on(glass.tone(crystals.HUE[colour]), theme)
    yield Text((x + s, y + t), label, size.label, pen, bold=False, align="middle")


def _corners(signs: tuple[Sign, ...]) -> tuple[int, ...]:
    """Return the corners of a hex with tools, in order."""
    return tuple(sorted(number for _, number, *_ in signs))


def _signs(size: Size, pane: Pane, at: Point) -> Iterator[AnyShape]:
    """Yield mirrors and glasses, on the line from the middle of the hex to the well."""
    for kind, number, _, seat, hue in pane[3]:
        token = token_at(size, number)
        yield Stamp(tokens.token(kind, seat, hue, token.upright), (at[0] + token.at[0], at[1] + token.at[1]))


def _well(size: Size, well: int, contents: Well, at: Point) -> Iterator[AnyShape]:
    colour, _, holder = contents
    if holder is not None:
        yield Stamp(tokens.holder(*holder, size.crystal), at)
    if colour == NOTHING:
        yield Stamp(crystals.empty(size.crystal), at)
    else:
        yield Stamp(crystals.gem(colour, size.crystal), at)
    yield crystals.number(colour, well + 1, at, size.crystal)


def _holder_number(size: Size, well: int, holder: tuple[int, str], at: Point) -> AnyShape:
    """Return the number of a holder's owner, over the crystal in the well to which it belongs."""
    across, down = holder_at(size.crystal, POINTS[well][1] % 3 == 1)
    return Stamp(tokens.holder_number(*holder), (at[0] + across, at[1] + down))


def sprites() -> Iterator[Sprite]:
    """Yield the parts of boards."""
    for seats in (3, 6):
        board, tile = window(seats), tiles(seats)[GRID.number["d4"]]
        middle = tile.middle
        shown = (tile.place, *tile.beside)
        places = [(board.hexes[place][0] - middle[0], board.hexes[place][1] - middle[1]) for place in shown]
        yield glass.frame(board.size.radius)
        yield crystals.empty(board.size.crystal)
        yield from (crystals.gem(colour, board.size.crystal) for colour in crystals.HUE)
        for colour in (NOTHING, *crystals.HUE):
            hue = crystals.HUE.get(colour, "")
            yield glass.pane(hue, board.size.radius)
            yield from (glass.part(hue, board.size.radius, tile.seen(at))[0] for at in places)
            if hue:
                yield from (glass.ray(*glass.beam(colour), board.size.radius, number) for number in range(6))
