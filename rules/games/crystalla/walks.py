"""What walks can come to: which card they take, and whom they bring a crystal piece."""

from functools import cache, lru_cache
from typing import Final

from rules.games.crystalla.components import COLOURS, LAYOUTS, added, removed
from rules.games.crystalla.stacks import with_entry

Walk = tuple[int, str]
"""The stack (from 0) where it ends, and the colours that are due a piece."""
Fallen = frozenset[tuple[str, int]]
"""Colours and stacks on which a stone of them fell in this turn."""
ORDERS: Final = 100
"""Stones that can fall in more orders than about so many are only followed to where the last of them falls: every way
of dropping eight stones of four colours would take seconds to look at."""


@lru_cache(maxsize=1 << 12)
def walks_from(stones: tuple[str, ...], seat: int, seats: int) -> frozenset[Walk]:
    """What the walks of a *seat* can come to that begin with these *stones* on the stacks.

    >>> sorted(walks_from(("ooo", "", "", "", "", "www"), 0, 2))
    [(1, ''), (3, ''), (5, '')]
    """
    results = set[Walk]()
    for place, heap in enumerate(stones):
        if COLOURS[seat] in heap:
            results |= walks_on(with_entry(stones, place, ""), heap, 0, place + 1, frozenset(), seats)
    return frozenset(results)


@lru_cache(maxsize=1 << 13)
def walks_on(
    stones: tuple[str, ...], carry: str, before: int, here: int, fallen: Fallen, seats: int
) -> frozenset[Walk]:
    """What a walk can come to that has stepped from stack *before* to *here* and has to *carry* these stones on."""
    if is_long(carry):
        return frozenset((stack - 1, "") for stack in ends(before, here, len(carry), seats))
    results = set[Walk]()
    for stack in LAYOUTS[seats].beside[here]:
        if stack != before:
            for colour in dict.fromkeys(carry):
                laid = with_entry(stones, stack - 1, added(stones[stack - 1], colour))
                left, known = removed(carry, colour), fallen | {(colour, stack)}
                if left:
                    results |= walks_on(laid, left, here, stack, known, seats)
                else:
                    results.add((stack - 1, _due(laid, known, seats)))
    return frozenset(results)


def is_long(carry: str) -> bool:
    """Whether too many walks can be made with these stones in hand to look at all of them.

    >>> is_long("ooowww"), is_long("owpk")
    (False, True)
    """
    orders: int = len(set(carry)) ** len(carry)
    return orders > ORDERS


@cache
def ends(before: int, here: int, steps: int, seats: int) -> frozenset[int]:
    """The stacks where a walk of so many *steps* can end.

    >>> sorted(ends(0, 1, 2, 2))
    [3, 5]
    """
    if not steps:
        return frozenset({here})
    beside = [stack for stack in LAYOUTS[seats].beside[here] if stack != before]
    return frozenset().union(*[ends(here, stack, steps - 1, seats) for stack in beside])


def _due(stones: tuple[str, ...], fallen: Fallen, seats: int) -> str:
    """As `stacks.awarded` says it of actions."""
    paired = {colour for colour, stack in fallen if stones[stack - 1].count(colour) == 2}
    return "".join([colour for colour in COLOURS[:seats] if colour in paired])
