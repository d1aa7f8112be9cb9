"""What a view leaves open, dealt anew: the cards and crystal pieces that do not lie open change places."""

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
    """A full position that looks like *view*.

    Which card was swapped away and which piece fitted nowhere, a view does not tell: so a few of those that are not in
    sight stay away.
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
    """The cards and the pieces that do not lie open. Whoever thinks deals the same view anew many times."""
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
