"""Immutable mappings of words to words, for values that are kept, compared and shared."""

from collections.abc import Mapping
from typing import Any, Never


class Frozen(dict[str, str]):
    """An immutable mapping of words to words. Methods that would change it raise TypeError.

    >>> options = Frozen(level="hard")
    >>> {**options, "dynamite": "stone"}
    {'level': 'hard', 'dynamite': 'stone'}
    >>> options["level"] = "easy"
    Traceback (most recent call last):
    TypeError: a frozen mapping cannot change
    """

    def _refuse(self, *_: Any, **__: Any) -> Never:
        raise TypeError("a frozen mapping cannot change")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type["Frozen"], tuple[dict[str, str]]]:
        return Frozen, (dict(self),)


NONE = Frozen()


def frozen(choices: Mapping[str, str]) -> Frozen:
    """Return an immutable copy of *choices*. An empty one is always `NONE`, which documents omit as a default."""
    return choices if isinstance(choices, Frozen) else Frozen(choices) if choices else NONE
