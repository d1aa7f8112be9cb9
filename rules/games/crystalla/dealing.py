"""What a view leaves open, dealt anew: the cards and crystal pieces that do not lie open change places."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
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
    shown = Counter(chain(_open_cards(view), _open_pieces(view)))
    cards = iter(chance.shuffled((Counter(CARDS) - shown).elements()))
    pieces = chance.shuffled((Counter(PIECES) - shown).elements())
    return replace(
        view,
        seed=chance.seed(),
        deck=tuple(next(cards) for _ in view.deck),
        stacks=tuple((*(next(cards) for _ in stack[:-1]), *stack[-1:]) for stack in view.stacks),
        piles=tuple(
            tuple(piece for piece in pieces if piece[1] == shape)[: len(pile)]
            for shape, pile in zip(SHAPES, view.piles, strict=True)
        ),
    )


def _open_cards(view: Position) -> Iterator[str]:
    held = (view.card, *chain.from_iterable(view.hands), *(top for stack in view.stacks for top in stack[-1:]))
    yield from filter(None, held)
    yield from (laid[:2] for display in view.displays for column in display for laid in column)


def _open_pieces(view: Position) -> Iterator[str]:
    yield from filter(None, (view.piece, *view.open))
    for display in view.displays:
        for laid in chain.from_iterable(display):
            yield from laid.split("+")[1:]
