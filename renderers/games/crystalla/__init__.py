"""Crystalla's table: the displays of all seats with their points, the stacks and the walk over them, the open pieces.

Every seat has a home, which is in the same place in every picture and for every viewer. Page: section 10.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from types import MappingProxyType

from renderers.contract import Drawer
from renderers.frame import leading, seat_colour, seat_look
from renderers.games.crystalla import (
    bars,
    choices,
    diagrams,
    displays,
    gems,
    homes,
    pieces,
    places,
    sheet,
    stacks,
    stage,
    towers,
    values,
    words,
)
from renderers.games.crystalla.displays import Plate, Signs
from renderers.games.crystalla.homes import BIG, CARD, LARGER, MIDDLE, SMALL, Table
from renderers.layout import Area
from renderers.look import Look
from renderers.outlines import Outline, box
from renderers.scene import AnyShape, Scene, Sprite
from rules.games.crystalla import (
    CARDS,
    COLOURS,
    COLUMNS,
    CORNERS,
    CRYSTALS,
    GAME,
    Action,
    Cover,
    Drop,
    Give,
    Lay,
    Place,
    State,
    Take,
    Turn,
    cells_for,
)
from rules.games.crystalla import sheet as points_of
from rules.games.crystalla.actions import canonical

LARGE = 150
"""Side of a card in a lobby."""
FEW = 2
"""The most seats whose points fit into a sheet; those of more are towers."""
HUES = ("orange", "white", "pink", "black")
Marked = tuple[int, Action | None, bool]
"""An action to mark: its seat, the action, and whether its mark is faint."""


@cache
def _still(table: Table) -> tuple[AnyShape, ...]:
    return (*(displays.empty(home) for home in table.homes), *values.values(table))


@cache
def _playing(table: Table) -> tuple[AnyShape, ...]:
    return (*_still(table), *stacks.ways(table))


def _turn(view: State) -> Turn | None:
    """Return the turn to show: the running one or, if it has just begun, the last one."""
    return Turn(view.turn, view.now) if view.now and view.turn is not None else view.last


def _recent(view: State, look: Look) -> tuple[Marked, ...]:
    """Return the recent actions, each once. The turn to show comes last and is new, as *look* may know only the part of
    it after another seat's answer."""
    turn = _turn(view)
    actions = () if turn is None else turn.actions
    of_turn, end = {*map(str, actions)}, look.recent[-len(actions) :]
    both = sum(1 for _ in takewhile(lambda recent: recent.action in of_turn, reversed(end)))
    older = look.recent[: len(look.recent) - both]
    newest = () if turn is None else tuple((turn.seat, action, False) for action in actions)
    return (*((recent.seat, canonical(recent.action), recent.is_faint) for recent in older), *newest)


def _walk(view: State) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the walk of the turn to show: its stacks, and the stones that fell; both empty if it had no walk."""
    turn = _turn(view)
    if turn is None:
        return (), ()
    walk = tuple(action.stack for action in turn.actions if isinstance(action, Take | Drop))
    fallen = tuple(action.colour for action in turn.actions if isinstance(action, Drop))
    if len(walk) != len(fallen) + 1 or max(walk) > len(view.stacks):
        return (), ()  # a log made by hand
    return walk, fallen


def _laid(view: State, recent: Sequence[Marked], seat: int) -> Iterator[tuple[str, bool]]:
    """Yield the cells of the recent cards of a seat, the newest first, and whether each is faint."""
    columns = dict(zip(COLUMNS, view.displays[seat], strict=True))
    for who, action, is_faint in reversed(recent):
        if who != seat or not isinstance(action, Lay | Place):
            continue
        *below, top = columns[action.column] or ("",)
        if top[3:5] == action.corner:  # else a log made by hand
            yield f"{action.column}{len(columns[action.column])}", is_faint
            columns[action.column] = tuple(below)


def _signs(view: State, look: Look, recent: Sequence[Marked], seat: int) -> Signs:
    """Return the signs in a display; the frames of choices are drawn separately."""
    laid, covered = tuple(_laid(view, recent, seat)), list[tuple[str, str, bool]]()
    gift: Give | None = None
    for _, action, is_faint in recent:
        match action:
            case Give():
                gift = action
            case Cover(cell) if gift is not None and COLOURS.index(gift.colour) == seat:
                covered.append((cell, gift.piece[1], is_faint))
            case _:
                pass
    columns = _columns(view, look) if view.actor == seat else ""
    if view.piece is None or view.receiver != seat or look.choices:
        return Signs(laid, tuple(covered), columns=columns)
    return Signs(laid, tuple(covered), tuple(cells_for(view.displays[seat], view.piece)), view.piece[1])


def _columns(view: State, look: Look) -> str:
    """Return the columns that the actor can choose: those of the menu, none of them before the card; all that are
    possible without a menu, or once one is chosen, as it can be changed."""
    if look.choices and not any(part in COLUMNS for part in look.chosen):
        return "".join(part for part in look.choices if part in COLUMNS)
    return "".join({part: "" for action in view.actions() for part in action.parts if part in COLUMNS})


class Crystalla(Drawer[State]):
    """The drawer of Crystalla."""

    sample = "four-over"
    hues = HUES
    off_board = MappingProxyType({"keep": "keeping the hand is to swap none of its cards"})

    def scene(self, view: State, look: Look) -> Scene:
        """Return the table of *view*; it is the same for every viewer."""
        outcome = look.ended or view.outcome
        table = homes.table(view.seats)
        hues = tuple(seat_colour(look, seat, HUES) for seat in range(view.seats))
        points = points_of(view)
        ahead = leading([row["total"] for row in points])
        recent = _recent(view, look)
        over = outcome is not None
        shapes: list[AnyShape] = []
        for seat, home in enumerate(table.homes):
            up = view.actor == seat and not over
            hue = hues[seat] if up else ""
            if up:
                shapes.append(displays.empty(home, hue))
            named = seat_look(look, seat) if seat < len(look.seats) else None
            won = outcome is not None and seat in outcome.winners
            due = COLOURS[seat] in view.due or view.receiver == seat
            plate = Plate(seat, hues[seat], named, points[seat]["total"], up, due, seat in ahead, won, over)
            shapes.append(displays.plate(home, plate))
            shapes += displays.cells(home, view.displays[seat], _signs(view, look, recent, seat))
            if any(view.hands[seat]) and not over:
                shapes.append(displays.hand(home, view.hands[seat], hue))
            else:
                shapes += bars.bars(home, points[seat], sum(map(len, view.displays[seat])), displays.ground(hue))
        if outcome is not None:
            if view.seats > FEW:
                shapes += towers.towers(table, hues, points, outcome.winners)
            else:
                shapes += sheet.score_sheet(table, hues, view.displays, points, outcome.winners)
            shapes += sheet.podium(table, hues, points, outcome.winners)
        else:
            walk, fallen = _walk(view)
            shapes += stacks.shapes(view, table, walk, fallen)
            shapes += stage.shapes(view, look, table, hues, _turn(view))
            shapes += pieces.shapes(view, table)
        still = _playing(table) if outcome is None else _still(table)
        return Scene(table.size, still, tuple(shapes))

    def alt_text(self, view: State, look: Look) -> str:
        return words.alt_text(view, look)

    def spots(self, view: State, look: Look) -> Mapping[str, Outline]:
        return places.spots(view, look)

    def pieces(self, view: State, seat: int, look: Look) -> tuple[Outline]:
        """Return the cells of the picture of *seat*."""
        cells = homes.table(view.seats).homes[seat].cells
        return (box((cells.x, cells.y), (cells.width, cells.height)),)

    def rosette_areas(self, view: State, look: Look) -> tuple[Area, ...]:
        """Return the displays of the winners; of all seats if there is no winner."""
        outcome = look.ended or view.outcome
        winners = outcome.winners if outcome is not None else ()
        table = homes.table(view.seats)
        return tuple(table.homes[seat].cells for seat in winners or range(view.seats))

    def marks(self, view: State, look: Look) -> Iterator[AnyShape]:
        return choices.marks(places.spots(view, look), look)

    def diagram(self, page: int, look: Look) -> Scene | None:
        return diagrams.diagram(page, look)

    def emblem(self) -> Sprite:
        """Return a card of two crystals, without letters."""
        return gems.bare("at", 42)

    def banner(self) -> tuple[Sprite, ...]:
        """Return cards that show all seven crystals."""
        cards = (("at", "nw"), ("re", "sw"), ("cd", "nw"), ("he", "ne"))
        return tuple(gems.loose(code, corner, LARGE) for code, corner in cards)

    def sprites(self) -> Iterator[Sprite]:
        """Yield every segment in the sizes in which it occurs, and every card in its size on a stack."""
        yield from (gems.loose(code, "nw", size) for code in CARDS for size in (CARD, LARGER))
        turned = {stage.turned(homes.table(seats)) for seats in GAME.seats}
        for size in {BIG, MIDDLE, SMALL, CARD, LARGER} | turned:
            for corner in CORNERS:
                for shape in "ls":
                    for crystal in CRYSTALS:
                        yield gems.segment(crystal, shape, corner, size)
                        if size in (BIG, MIDDLE, SMALL):
                            yield gems.segment(crystal, shape, corner, size, bare=True)
                            yield gems.rim(crystal, shape, corner, size)


DRAWER = Crystalla()
