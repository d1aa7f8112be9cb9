"""What is kept in memory because it is dear to find again: the least recently used goes first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """At most *most* values by their keys. What is looked up or put in is used.

    *weigh*: what each of them counts, if not 1; the newest is kept, however heavy.

    >>> cache = Cache[str, int](2)
    >>> cache["a"], cache["b"] = 1, 2
    >>> cache.get("a")
    1
    >>> cache["c"] = 3
    >>> list(cache)
    ['a', 'c']
    >>> heavy = Cache[str, bytes](10, len)
    >>> heavy["a"], heavy["b"], heavy["c"] = bytes(6), bytes(4), bytes(5)
    >>> list(heavy), heavy.weight
    (['b', 'c'], 9)
    """

    def __init__(self, most: int, weigh: Callable[[V], int] = lambda _: 1) -> None:
        self._most = most
        self._weigh = weigh
        self.weight = 0
        self._kept: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value of *key*, None if it is not kept."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key)
        self._kept[key] = value
        self.weight += self._weigh(value)
        while self.weight > self._most and len(self._kept) > 1:
            self.pop(next(iter(self._kept)))

    def __contains__(self, key: object) -> bool:
        return key in self._kept

    def __iter__(self) -> Iterator[K]:
        """The keys, the least recently used first."""
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def pop(self, key: K) -> V | None:
        """Forget *key*; gives its value, None if it was not kept."""
        if key not in self._kept:
            return None
        value = self._kept.pop(key)
        self.weight -= self._weigh(value)
        return value
