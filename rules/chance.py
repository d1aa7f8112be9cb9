"""Numbers and shuffles from (seed, counter): the same on every machine, under every hash seed and in every version.

A stream is BLAKE2b in counter mode: block *n* is the hash of *n*, keyed by the seed. A game that draws only while
it is set up takes one stream; a game that draws later keeps the counter in its state and opens a stream there.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from struct import Struct
from typing import Final, TypeVar

T = TypeVar("T")
_WORDS: Final = 1 << 64
_FAIR: Final = _WORDS - (1 << 32)
"""Words below this one favour nothing, if no bound above 2**32 is asked for."""
_READ: Final = Struct("<8Q").unpack


class Chance:
    """A stream of chance. A seed of None is used like 0.

    *label* separates streams of one seed (the throws of a die from the shuffling of a deck).

    >>> Chance(7).below(6) == Chance(7).below(6)
    True
    >>> sorted(Chance(7).shuffled("abcd"))
    ['a', 'b', 'c', 'd']
    """

    def __init__(self, seed: int | None, counter: int = 0, label: str = "") -> None:
        self._key = (seed or 0).to_bytes(16, "little")
        self._label = label.encode()[:16]
        self._block = counter
        self._words: Iterator[int] = iter(())  # what is left of the block that was read last

    def _word(self) -> int:
        for word in self._words:
            return word
        self._words = iter(
            _READ(blake2b(self._block.to_bytes(8, "little"), key=self._key, person=self._label).digest())
        )
        self._block += 1
        return next(self._words)

    def below(self, bound: int) -> int:
        """An even whole number from 0 to *bound* - 1. Raises ValueError unless 1 <= bound <= 2**64."""
        if not 1 <= bound <= _WORDS:
            raise ValueError("the bound must be from 1 to 2**64")
        return self._below(self._word(), bound)

    def _below(self, word: int, bound: int) -> int:
        """The next word, *word*, as a number below *bound*; another one where it would favour small numbers."""
        fair = _WORDS - _WORDS % bound
        while word >= fair:
            word = self._word()
        return word % bound

    def seed(self) -> int:
        """A seed for another stream: an integer of 128 bits.

        >>> Chance(7).seed() == Chance(7).seed() != Chance(8).seed()
        True
        """
        return self._word() << 64 | self._word()

    def choice(self, items: Sequence[T]) -> T:
        """One of *items*, each equally likely. Raises ValueError when there is none."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """*items* in a random order, every order equally likely (Fisher and Yates, from the end)."""
        pile, word = list(items), self._word
        for last in range(len(pile) - 1, 0, -1):
            other = number % (last + 1) if (number := word()) < _FAIR else self._below(number, last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return tuple(pile)
