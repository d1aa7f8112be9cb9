"""Fixtures of the tests that look at every picture. A test module imports those that it needs."""

from typing import Any

import pytest

from kaleidobot.testing.looking import positions
from renderers import Theme


@pytest.fixture(params=list(Theme))
def theme(request: pytest.FixtureRequest) -> Theme:
    return Theme(request.param)


@pytest.fixture(params=list(positions()))
def view(request: pytest.FixtureRequest) -> Any:
    return positions()[request.param]
