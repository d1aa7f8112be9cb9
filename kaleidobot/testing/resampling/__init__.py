"""Resampling: other positions that look the same to a seat, made without the game's own ``view``.

A package with hidden things beside the seed has a module ``resampling`` with a function `resample`. Our own games have
theirs here.
"""

import random
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from rules import PACKAGES


def resample(state: Any, seat: int | None, seed: int) -> Any:
    """Return a position with another seed: the resampling of games that hide nothing else."""
    return replace(state, seed=random.Random(seed).getrandbits(128))


def module_of(game: str) -> ModuleType:
    """Return the module with the function ``resample`` of *game*; this one if the package has none."""
    if game not in PACKAGES:
        return import_module(f"kaleidobot.testing.resampling.{game}")
    own = f"{PACKAGES[game].module}.resampling"
    return import_module(own if find_spec(own) else __name__)
