"""Round boards: a circle cut into rings, each ring cut into fields, and which fields touch.

Angles are whole units, clockwise from a zero that the board's page defines. Each board has its own number of units in a
full circle.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum

from msgspec import Struct


class Contact(StrEnum):
    """How two fields touch: along a piece of border, however short, or in a single point."""

    EDGE = "edge"
    CORNER = "corner"


class Arc(Struct, frozen=True):
    """A field of a ring, from the unit *start* to the unit *end*; it may be the full circle.

    Ring 0 is the disc in the middle; numbers grow outward.
    """

    ring: int
    start: int
    end: int


def contact(one: Arc, other: Arc, circle: int) -> Contact | None:
    """Return how two different fields touch on a circle of so many units; None if they do not.

    >>> contact(Arc(3, 0, 3), Arc(4, 2, 4), circle=48)  # half of each outer field may lie against an inner one
    <Contact.EDGE: 'edge'>
    >>> contact(Arc(3, 0, 3), Arc(4, 46, 48), circle=48)
    <Contact.CORNER: 'corner'>
    """
    meet = (one.end - other.start) % circle == 0 or (other.end - one.start) % circle == 0
    match abs(one.ring - other.ring):
        case 0:
            return Contact.EDGE if meet else None
        case 1 if max(one.start, other.start) < min(one.end, other.end):
            return Contact.EDGE
        case 1 if meet:
            return Contact.CORNER
    return None


def neighbours(fields: Mapping[str, Arc], circle: int, by: Collection[Contact]) -> dict[str, tuple[str, ...]]:
    """Return for every field the fields that touch it in one of these ways, in the order of *fields*.

    >>> halves = {"left": Arc(1, 0, 4), "right": Arc(1, 4, 8), "outer": Arc(2, 0, 4)}
    >>> neighbours(halves, circle=8, by={Contact.EDGE})
    {'left': ('right', 'outer'), 'right': ('left',), 'outer': ('left',)}
    """
    return {
        name: tuple(near for near, there in fields.items() if near != name and contact(here, there, circle) in by)
        for name, here in fields.items()
    }
