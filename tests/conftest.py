"""Shared fixtures: every game, and golden texts that ``--regold`` writes anew."""

import gc
import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from rules import GAMES, Game

# The suite says the same thing on every run: no clock, no luck, no memory of former runs.
settings.register_profile("house", deadline=None, derandomize=True, database=None, max_examples=60)
# `make fuzz`: far more examples, others each time.
settings.register_profile("fuzz", deadline=None, max_examples=int(os.environ.get("FUZZ_EXAMPLES", "20000")))
settings.load_profile("house")

# Not installed, and looked for by httpcore with every request: through pytest's import hooks that takes a while.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]

WAITING = ("bot/test_two_processes.py", "bot/adapters/on_telegram/test_crashes.py", "bot/test_process.py")
"""Tests that mostly wait for other processes, the longest first."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three more workers than cores: of five running tests, two or three are waiting."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 3


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start long waiting tests first, so that they do not remain at the end; mix the other modules, so that waiting
    and computing tests run side by side."""
    first = {Path(__file__).parent / name: number for number, name in enumerate(WAITING)}
    items.sort(key=lambda item: (first.get(item.path, len(WAITING)), crc32(str(item.path.name).encode())))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the collected tests: they are no garbage. Tests leave few cycles, so collections are rare."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regold", action="store_true", help="write the golden texts anew; then read the diff")


@pytest.fixture(params=list(GAMES), scope="session")
def game(request: pytest.FixtureRequest) -> Game:
    """Every game that there is."""
    return GAMES[request.param]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with the golden file that holds it; with ``--regold`` the file takes the text over."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--regold"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{path.name} tells something else; see pytest --regold"

    return compare
