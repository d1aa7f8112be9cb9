"""Piles, stacks and the stones on them: the top card, the refill of an empty stack, the awards of a walk."""

from collections.abc import Sequence
from typing import Final, TypeVar

from rules.contract import IllegalAction
from rules.games.crystalla.actions import Action, Drop
from rules.games.crystalla.codes import Refusal
from rules.games.crystalla.components import COLOURS

Card = str | None
"""A card or a piece; None if a view hides it, or if there is none."""
Entry = TypeVar("Entry")

_REFILL: Final = 3
"""Greatest number of cards that move to an empty stack. Reading 12."""


def with_entry(entries: tuple[Entry, ...], place: int, entry: Entry) -> tuple[Entry, ...]:
    """Return the tuple with another entry at this place."""
    return (*entries[:place], entry, *entries[place + 1 :])


def turned_up(pile: Sequence[Card]) -> str:
    """Return the top of a pile, which becomes visible now. Raises IllegalAction(HIDDEN) on a view that does not know
    it."""
    top = pile[-1]
    if top is None:
        raise IllegalAction(Refusal.HIDDEN)
    return top


def donor(stacks: Sequence[Sequence[Card]]) -> int:
    """Return the index of the stack that refills an empty one: the highest, the first on a tie. Reading 12.

    >>> donor(((), ("ta",), ("rd", "dt"), ("he", "th")))
    2
    """
    return max(range(len(stacks)), key=lambda place: len(stacks[place]))


def donors(stacks: Sequence[Sequence[Card]]) -> list[int]:
    """Return the indexes of the stacks that can refill an empty one, because they keep a card.

    >>> donors(((), ("ta",), ("rd", "dt"), ("he", "th")))
    [2, 3]
    """
    return [place for place, stack in enumerate(stacks) if len(stack) > 1]


def without_top(stacks: tuple[tuple[Card, ...], ...], place: int) -> tuple[tuple[Card, ...], ...]:
    """Return the stacks without the top card of one, which may be empty then.

    Raises IllegalAction(HIDDEN) on a view that does not know the next card.
    """
    stacks = with_entry(stacks, place, stacks[place][:-1])
    if stacks[place]:
        turned_up(stacks[place])
    return stacks


def refilled(stacks: tuple[tuple[Card, ...], ...], place: int, giving: int) -> tuple[tuple[Card, ...], ...]:
    """Return the stacks after the lowest cards of one have moved to an empty one. Rulebook: Spielablauf.

    Raises IllegalAction(HIDDEN) on a view, which does not know these cards.

    >>> refilled(((), ("hr", "er", "dt", "he")), 0, 1)
    (('hr', 'er', 'dt'), ('he',))
    """
    cards = min(_REFILL, len(stacks[giving]) - 1)
    turned_up(stacks[giving][:cards])
    stacks = with_entry(stacks, place, stacks[giving][:cards])
    return with_entry(stacks, giving, stacks[giving][cards:])


def awarded(stones: Sequence[str], now: Sequence[Action], seats: int) -> str:
    """Return the seats' colours with exactly two stones on one stack, one of them dropped in this turn.

    Rulebook: Kristallstücke; reading 14.
    """
    fallen = {(action.colour, action.stack) for action in now if isinstance(action, Drop)}
    return "".join(
        colour
        for colour in COLOURS[:seats]
        if any(heap.count(colour) == 2 and (colour, place + 1) in fallen for place, heap in enumerate(stones))
    )
