"""Determinizations of a view: the hidden cards and crystal pieces are dealt anew."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import TypeVar

from msgspec.structs import replace

from rules.chance import Chance
from rules.games.crystalla.components import CARDS, PIECES, SHAPES
from rules.games.crystalla.position import Position

AnyPosition = TypeVar("AnyPosition", bound=Position)


def dealt_anew(view: AnyPosition, chance: Chance) -> AnyPosition:
    """Return a full position that looks like *view*.

    A view does not know the swapped cards and the pieces that fitted no segment, so a few hidden ones stay unused.
    """
    unseen_cards, unseen_pieces = _unseen(view)
    cards, pieces = iter(chance.shuffled(unseen_cards)), chance.shuffled(unseen_pieces)
    return replace(
        view,
        seed=chance.seed(),
        deck=tuple(islice(cards, len(view.deck))),
        stacks=tuple([(*islice(cards, len(stack) - 1), *stack[-1:]) if stack else () for stack in view.stacks]),
        piles=tuple(
            [
                tuple(islice((piece for piece in pieces if piece[1] == shape), len(pile)))
                for shape, pile in zip(SHAPES, view.piles, strict=True)
            ]
        ),
    )


@lru_cache(maxsize=4)
def _unseen(view: Position) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cards and the pieces that are not visible. Cached, because search deals the same view many times."""
    shown = Counter(chain(_open_cards(view), _open_pieces(view)))
    return tuple((Counter(CARDS) - shown).elements()), tuple((Counter(PIECES) - shown).elements())


def _open_cards(view: Position) -> Iterator[str]:
    held = (view.card, *chain.from_iterable(view.hands), *(top for stack in view.stacks for top in stack[-1:]))
    yield from filter(None, held)
    yield from (laid[:2] for display in view.displays for column in display for laid in column)


def _open_pieces(view: Position) -> Iterator[str]:
    yield from filter(None, (view.piece, *view.open))
    for display in view.displays:
        for laid in chain.from_iterable(display):
            yield from laid.split("+")[1:]
