"""Fixtures of the tests for every game. A ``conftest.py`` imports those that it needs."""

import pytest

from kaleidobot.testing.selection import games_under_test
from rules import GAMES, Game


@pytest.fixture(params=games_under_test(), scope="session")
def game(request: pytest.FixtureRequest) -> Game:
    """Return each game under test."""
    return GAMES[request.param]
