"""The outlines of the parts of actions on the table, which can be tapped; they use the picture's geometry."""

from collections.abc import Iterator, Mapping
from itertools import chain

from renderers.games.crystalla import homes, pieces, stage
from renderers.games.crystalla.homes import Table
from renderers.layout import Area
from renderers.look import Look
from renderers.outlines import Outline, box, disc
from renderers.scene import Point
from rules.games.crystalla import COLUMNS, Phase, State

BESIDE = 20.0
"""The largest margin around an open piece: its mark keeps off its code."""
CLOSE, IN_A_ROW = 8.0, 12.0
"""The same for a card whose corner is chosen: its mark keeps off its letters. If cards in a row are closer, their
margin is above and below."""
NUMBERED = 6.0
"""The same for a card of a hand with its number left of it."""


def spots(view: State, look: Look) -> Mapping[str, Outline]:
    """Return the parts of the actions that are possible now: stacks, stones in hand, cards, corners, pieces, cells.

    A column is the cell to which the next card would fall in it.
    """
    if view.actor is None or look.ended is not None:
        return {}
    possible = set(chain.from_iterable(action.parts for action in view.actions()))
    return {part: outline for part, outline in _shown(view, homes.table(view.seats)) if part in possible}


def _shown(view: State, table: Table) -> Iterator[tuple[str, Outline]]:
    """Yield all parts that this phase may need."""
    match view.phase:
        case Phase.SWAP | Phase.PLACE:
            assert view.turn is not None
            word = "swap" if view.phase == Phase.SWAP else ""
            home = table.homes[view.turn]
            off = CLOSE if home.is_beside else NUMBERED
            cards = range(len(view.hands[view.turn]))
            yield from ((f"{word}{slot + 1}", _box(home.slot(slot), off, off)) for slot in cards)
            yield from _laying(view, table)
        case Phase.TAKE:
            yield from ((f"take{number}", _stack(number, table)) for number in view.layout.stacks)
        case Phase.DROP:
            yield from ((str(number), _stack(number, table)) for number in view.layout.stacks)
            yield from _stones(stage.carried(view, table), table)
        case Phase.REFILL:
            yield from ((f"fill{number}", _stack(number, table)) for number in view.layout.stacks)
        case Phase.LAY:
            yield from _laying(view, table)
        case Phase.GIVE:
            yield from _stones(stage.due(view, table), table)
            slots = pieces.places(table)
            beside = min(BESIDE, (slots[1].x - slots[0].right) / 2)
            open_pieces = zip(view.open, slots, strict=True)
            # Of two equal pieces the one in the lower slot is given.
            yield from {code: _box(place, beside, 2) for code, place in reversed(list(open_pieces)) if code}.items()
        case Phase.COVER:
            assert view.receiver is not None
            home = table.homes[view.receiver]
            for column, name in enumerate(COLUMNS):
                rows = range(len(view.displays[view.receiver][column]))
                yield from ((f"{name}{row + 1}", _box(home.cell(column, row))) for row in rows)
        case _:
            pass


def _stack(number: int, table: Table) -> Outline:
    """Return a stack with the gaps around it."""
    return _box(table.stack(number), min(5.0, table.gap[0] / 2), 5)


def _stones(places: Mapping[str, Point], table: Table) -> Iterator[tuple[str, Outline]]:
    """Yield stones on the stage, by colour."""
    yield from ((colour, disc(at, stage.reach(len(places), table.stage))) for colour, at in places.items())


def _laying(view: State, table: Table) -> Iterator[tuple[str, Outline]]:
    """Yield the cells to which a card would fall, and the four cards for its corner."""
    assert view.turn is not None
    home = table.homes[view.turn]
    for column, (name, cards) in enumerate(zip(COLUMNS, view.displays[view.turn], strict=True)):
        yield name, _box(home.cell(column, len(cards)))
    turned = stage.corners(table)
    beside = min(CLOSE, (turned["ne"].x - turned["nw"].right) / 2)
    over = IN_A_ROW if beside < CLOSE else CLOSE
    if turned["sw"].y > turned["nw"].y:
        over = min(CLOSE, (turned["sw"].y - turned["nw"].bottom) / 2)
    yield from ((corner, _box(place, beside, over)) for corner, place in turned.items())


def _box(area: Area, beside: float = 0, over: float = 0) -> Outline:
    """Return the outline of an area with a margin at the sides, and above and below."""
    return box((area.x - beside, area.y - over), (area.width + 2 * beside, area.height + 2 * over))


__all__ = ["spots"]
