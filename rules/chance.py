"""Random numbers and shuffles from (seed, counter), identical on every machine, hash seed and Python version.

A stream is BLAKE2b in counter mode: block *n* is the hash of *n* with the seed as key. A game that draws only during
its setup takes one stream. A game that draws later keeps the counter in its state and opens a stream there.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from struct import Struct
from typing import Final, TypeVar

T = TypeVar("T")
_WORDS: Final = 1 << 64
_FAIR: Final = _WORDS - (1 << 32)
"""Words below this limit are unbiased for every bound up to 2**32."""
_READ: Final = Struct("<8Q").unpack


class Chance:
    """A random stream. A seed of None counts as 0.

    *label* separates the streams of one seed (the throws of a die from the shuffling of a deck).

    >>> Chance(7).below(6) == Chance(7).below(6)
    True
    >>> sorted(Chance(7).shuffled("abcd"))
    ['a', 'b', 'c', 'd']
    """

    def __init__(self, seed: int | None, counter: int = 0, label: str = "") -> None:
        self._key = (seed or 0).to_bytes(16, "little")
        self._label = label.encode()[:16]
        self._block = counter
        self._words: Iterator[int] = iter(())  # the unread words of the current block

    def _word(self) -> int:
        for word in self._words:
            return word
        self._words = iter(
            _READ(blake2b(self._block.to_bytes(8, "little"), key=self._key, person=self._label).digest())
        )
        self._block += 1
        return next(self._words)

    def below(self, bound: int) -> int:
        """Return a uniform integer from 0 to *bound* - 1. Raises ValueError unless 1 <= bound <= 2**64."""
        if not 1 <= bound <= _WORDS:
            raise ValueError("the bound must be from 1 to 2**64")
        return self._below(self._word(), bound)

    def _below(self, word: int, bound: int) -> int:
        """Return *word*, the next word, as a number below *bound*. It draws another word if *word* would favour small
        numbers."""
        fair = _WORDS - _WORDS % bound
        while word >= fair:
            word = self._word()
        return word % bound

    def seed(self) -> int:
        """Return a seed for another stream: an integer of 128 bits.

        >>> Chance(7).seed() == Chance(7).seed() != Chance(8).seed()
        True
        """
        return self._word() << 64 | self._word()

    def choice(self, items: Sequence[T]) -> T:
        """Return one of *items*, each equally likely. Raises ValueError if there is none."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return *items* in a random order, every order equally likely (Fisher and Yates, from the end)."""
        pile, word = list(items), self._word
        for last in range(len(pile) - 1, 0, -1):
            other = number % (last + 1) if (number := word()) < _FAIR else self._below(number, last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return tuple(pile)
