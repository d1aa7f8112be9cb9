"""The games under test: all, or those that the environment names."""

import os
from collections.abc import Sequence

from rules import GAMES

VARIABLE = "KALEIDOBOT_TESTED"
"""The variable with the ids of the games under test, separated by commas; without it all games are tested."""


def games_under_test() -> Sequence[str]:
    """Return the ids of the games under test. Raises KeyError for an unknown one."""
    named = [name for name in os.environ.get(VARIABLE, "").split(",") if name]
    for name in named:
        GAMES[name]
    return named or list(GAMES)
