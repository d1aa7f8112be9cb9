"""Kaleidoskop's board: a window of hexagonal panes, and crystals that light them.

A board of hexagons leaves the corners free: they show the round and the decks; the due action; the price of a swap; the
goal and the number of turns left. The supply is below, and the seats are beside. Page: section 14.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from renderers import POSITIONS
from renderers.contract import Drawer
from renderers.frame import seat_colour
from renderers.games.kaleidoskop import cards, crystals, diagrams, glass, own, seats, window, words
from renderers.layout import SQRT3, Area
from renderers.look import Look
from renderers.outlines import Outline, box, disc, marks, stamped
from renderers.scene import KILOBYTES, AnyShape, Scene, Sprite, Stamp
from renderers.signs import regular
from rules.games.kaleidoskop import GAME, GRID, State

BORDERS = 5
"""Overlap of the place of a hex with those of its wells, as borders may overlap."""
ROUND = 1.0
"""Margin of the mark of a well around its place."""
LARGE = 2.05
"""The scale of crystals in a lobby."""
HUES = ("teal", "orange", "white", "black", "violet", "pink")
"""The seats' hues; those of small tables differ from the colours of the crystals."""


@cache
def _mark(count: int, part: str, *, is_chosen: bool) -> Stamp:
    """Return the mark of a permanent place, on the board for *count* seats; that of a well keeps off its numbers."""
    board = window.window(count)
    if part.isdigit():
        return stamped(disc(board.wells[int(part) - 1], board.size.well + ROUND), is_chosen=is_chosen)
    return stamped(_places(count)[part], is_chosen=is_chosen)


@cache
def _places(count: int) -> Mapping[str, Outline]:
    """Return the permanent places, on the board for *count* seats."""
    board = window.window(count)
    reach, apart = board.size.well, board.size.radius - board.size.well
    places = {str(well + 1): disc(at, reach) for well, at in board.wells.items()}
    # Between its wells a hex is a smaller hexagon with its corners between theirs.
    places |= {
        GRID.fields[place]: regular(at, (apart + BORDERS) * 2 / SQRT3, 6, 30) for place, at in board.hexes.items()
    }
    return MappingProxyType(places | _boxes(seats.cells(count)))


def _boxes(areas: Mapping[str, Area]) -> dict[str, Outline]:
    return {name: box((area.x, area.y), (area.width, area.height)) for name, area in areas.items()}


COLOURS, TOOLS, CARDS = 3, 5, 6
"""The pages of /rules about the colour of a hex, about tools and about tasks."""


class Kaleidoskop(Drawer[State]):
    """The drawer of Kaleidoskop."""

    sample = "last-round"
    hues = HUES
    kilobytes = 90  # a full board for six has 72 crystals with numbers
    off_board = MappingProxyType(
        {
            "hold|mirror|glass|claim|buy|limit|end": "a word for what to do; plates tell who has which tool",
            r"\d[ab]": "a task is on a card of the hand, which lies beside the board for its seat alone",
        }
    )

    def scene(self, view: State, look: Look) -> Scene:
        """Return the board of *view* with the plates of all seats; with *look.hand*, that seat's cards below."""
        hues = [seat_colour(look, seat, HUES) for seat in range(view.seats)]
        outcome = look.ended or view.outcome
        shapes = [*window.live(view, look, hues), *seats.corners(view, look, hues, outcome)]
        size = window.window(view.seats).frame.size
        if look.hand is not None and own.is_shown(view, look):
            size = own.SIZE
            shapes += own.shapes(view, look.hand, look)
        shapes += seats.plates(view, look, hues, outcome)
        kilobytes = self.kilobytes if view.seats > 4 else KILOBYTES
        return Scene(size, window.still(view.seats, look.theme), tuple(shapes), kilobytes)

    def alt_text(self, view: State, look: Look) -> str:
        return words.alt_text(view, look)

    def spots(self, view: State, look: Look) -> Mapping[str, Outline]:
        """Return wells, hexes, colours and decks; with *look.hand* also the tasks of its cards."""
        if look.hand is None or not own.is_shown(view, look):
            return _places(view.seats)
        return {**_places(view.seats), **_boxes(own.tasks(view, look.hand))}

    def pieces(self, view: State, seat: int, look: Look) -> tuple[Outline]:
        """Return the plate of *seat*: crystals on the board belong to no seat."""
        plate = seats.areas(view.seats)[seat]
        return (box((plate.x, plate.y), (plate.width, plate.height)),)

    def rosette_areas(self, view: State, look: Look) -> tuple[Area, ...]:
        """Return the window without the corners beside it."""
        middles = window.window(view.seats).hexes.values()
        (left, top), (right, bottom) = map(min, zip(*middles, strict=True)), map(max, zip(*middles, strict=True))
        return (Area(left, top, right - left, bottom - top),)

    def marks(self, view: State, look: Look) -> tuple[AnyShape, ...]:
        """Return the marks of *look.choices* and *look.chosen*, below the signs that they would hide."""
        hues = [seat_colour(look, seat, HUES) for seat in range(view.seats)]
        all_spots, permanent = self.spots(view, look), _places(view.seats)
        possible = [part for part in dict.fromkeys(look.choices) if part not in look.chosen]
        stamps = [_mark(view.seats, part, is_chosen=False) for part in possible if part in permanent]
        stamps += [_mark(view.seats, part, is_chosen=True) for part in look.chosen if part in permanent]
        tasks = {part: outline for part, outline in all_spots.items() if part not in permanent}
        return (*stamps, *marks(tasks, look.choices, look.chosen), *window.over_marks(view, look, hues))

    def hand(self, view: State, seat: int, look: Look) -> Scene | None:
        return cards.hand(view, seat, look)

    def hand_text(self, view: State, seat: int, look: Look) -> str | None:
        return words.hand_text(view, seat, look)

    def diagram(self, page: int, look: Look) -> Scene | None:
        """Return the diagrams of majorities, tools and tasks; the last one is a hand with tasks on the board."""
        if page == COLOURS:
            return diagrams.majorities(look.theme)
        if page == TOOLS:
            return diagrams.tools(look.theme)
        if page == CARDS:
            state = GAME.decode((POSITIONS / GAME.id / f"rules-{CARDS}.json").read_bytes())
            return None if state.actor is None else cards.hand(state.view(state.actor), state.actor, look)
        return None

    def emblem(self) -> Sprite:
        return glass.emblem()

    def banner(self) -> tuple[Sprite, ...]:
        """Return one crystal of each colour."""
        return tuple(crystals.gem(colour, LARGE) for colour in crystals.HUE)

    def sprites(self) -> Iterator[Sprite]:
        """Return panes, rays and crystals."""
        yield from window.sprites()


DRAWER = Kaleidoskop()
