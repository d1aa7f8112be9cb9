"""The actions: lift a cap, remove it or cover an open field with it; start the next round."""

from msgspec import Struct


class Whole(Struct, frozen=True, gc=False):
    """An action that is one choice."""

    @property
    def parts(self) -> tuple[str, ...]:
        return (str(self),)


class Uncover(Whole, frozen=True, gc=False):
    """Lift the cap of *field*.

    >>> str(Uncover("a1")), Uncover("a1").parts
    ('a1', ('a1',))
    """

    field: str

    def __str__(self) -> str:
        return self.field


class Remove(Whole, frozen=True, gc=False):
    """The cap just lifted leaves the game.

    >>> str(Remove()), Remove().parts
    ('x', ('x',))
    """

    def __str__(self) -> str:
        return "x"


class Cover(Whole, frozen=True, gc=False):
    """Put the cap just lifted onto the open *field*.

    >>> str(Cover("d4")), Cover("d4").parts
    ('>d4', ('>d4',))
    """

    field: str

    def __str__(self) -> str:
        return f">{self.field}"


class Deal(Whole, frozen=True, gc=False):
    """Start the next round.

    >>> str(Deal()), Deal().parts
    ('deal', ('deal',))
    """

    def __str__(self) -> str:
        return "deal"


TurnAction = Uncover | Remove | Cover
ColorioAction = TurnAction | Deal
