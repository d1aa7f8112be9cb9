"""The possible results of walks: the card taken, and the colours that receive a crystal piece."""

from functools import cache, lru_cache
from typing import Final

from rules.games.crystalla.components import COLOURS, LAYOUTS, added, removed
from rules.games.crystalla.stacks import with_entry

Walk = tuple[int, str]
"""The result of a walk: its last stack (from 0), and the colours due a piece."""
Fallen = frozenset[tuple[str, int]]
"""The (colour, stack) pairs of the stones that fell in this turn."""
ORDERS: Final = 100
"""Limit of the search: with more possible orders of the stones, only the last stack is computed. All ways to drop eight
stones of four colours would take seconds."""


@lru_cache(maxsize=1 << 12)
def walks_from(stones: tuple[str, ...], seat: int, seats: int) -> frozenset[Walk]:
    """Return the results of all walks of a *seat* that begin with these *stones* on the stacks.

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
    """Return the results of a walk that has stepped from stack *before* to *here* and still has to drop the stones in
    *carry*."""
    if is_long(carry):
        return frozenset((stack - 1, "") for stack in ends(before, here, len(carry), seats))
    results = set[Walk]()
    for stack in LAYOUTS[seats].beside[here]:
        if stack != before:
            for colour in dict.fromkeys(carry):
                laid = with_entry(stones, stack - 1, added(stones[stack - 1], colour))
                carried, known = removed(carry, colour), fallen | {(colour, stack)}
                if carried:
                    results |= walks_on(laid, carried, here, stack, known, seats)
                else:
                    results.add((stack - 1, _due(laid, known, seats)))
    return frozenset(results)


def is_long(carry: str) -> bool:
    """Return whether these stones in hand allow too many walks to examine all.

    >>> is_long("ooowww"), is_long("owpk")
    (False, True)
    """
    orders: int = len(set(carry)) ** len(carry)
    return orders > ORDERS


@cache
def ends(before: int, here: int, steps: int, seats: int) -> frozenset[int]:
    """Return the possible last stacks of a walk with this number of *steps*.

    >>> sorted(ends(0, 1, 2, 2))
    [3, 5]
    """
    if not steps:
        return frozenset({here})
    beside = [stack for stack in LAYOUTS[seats].beside[here] if stack != before]
    return frozenset().union(*[ends(here, stack, steps - 1, seats) for stack in beside])


def _due(stones: tuple[str, ...], fallen: Fallen, seats: int) -> str:
    """Return the same as `stacks.awarded`, from stones instead of actions."""
    paired = {colour for colour, stack in fallen if stones[stack - 1].count(colour) == 2}
    return "".join([colour for colour in COLOURS[:seats] if colour in paired])
