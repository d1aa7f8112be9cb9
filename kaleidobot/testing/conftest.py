"""The fixtures of the tests for every game."""

from kaleidobot.testing.fixtures import game

__all__ = ["game"]
