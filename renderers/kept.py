"""What is kept because it is dear to make again, within so many bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

ONCE = 0.25
"""Of all bytes for what was wanted but once so far."""


class Kept(Generic[K, V]):
    """Values by their keys, *most* bytes of them as *weigh* says; what was not wanted for the longest time goes first.

    What is wanted for the second time goes to those that pushed nothing out by coming once: at most tables nobody ever
    asks for a name on its plate again, and these are larger than what all boards share.

    >>> kept = Kept[str, int](8, lambda value: value)
    >>> kept["a"] = 2
    >>> kept["b"] = 1                      # there is room for 2 of what was wanted once
    >>> "a" in kept, "b" in kept, kept["b"]
    (False, True, 1)
    >>> kept["c"], kept["d"] = 1, 1        # "b" was wanted twice
    >>> [key in kept for key in "bcd"]
    [True, True, True]
    """

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        self._weigh = weigh
        self._once, self._again = OrderedDict[K, V](), OrderedDict[K, V]()
        self._most_once = round(most * ONCE)
        self._most_again = most - self._most_once
        self._weight_once = self._weight_again = 0

    @property
    def weight(self) -> int:
        return self._weight_once + self._weight_again

    def __contains__(self, key: K) -> bool:
        return key in self._again or key in self._once

    def __getitem__(self, key: K) -> V:
        """The value of *key*. Raises KeyError."""
        if key in self._again:
            self._again.move_to_end(key)
            return self._again[key]
        value = self._once.pop(key)
        self._weight_once -= self._weigh(value)
        self._again[key] = value
        self._weight_again += self._weigh(value)
        while self._weight_again > self._most_again:
            self._weight_again -= self._weigh(self._again.popitem(last=False)[1])
        return value

    def __setitem__(self, key: K, value: V) -> None:
        """Keep the *value* of a *key* that is not there."""
        self._once[key] = value
        self._weight_once += self._weigh(value)
        while self._weight_once > self._most_once:
            self._weight_once -= self._weigh(self._once.popitem(last=False)[1])
