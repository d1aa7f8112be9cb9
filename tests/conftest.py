"""Shared fixtures: every game, and golden texts that ``--regold`` writes anew."""

import gc
import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from kaleidobot.testing.fixtures import game

# The suite is deterministic: no clock, no random seed, no state of earlier runs.
settings.register_profile("house", deadline=None, derandomize=True, database=None, max_examples=60)
# `make fuzz`: many more examples, different each time.
settings.register_profile("fuzz", deadline=None, max_examples=int(os.environ.get("FUZZ_EXAMPLES", "20000")))
settings.load_profile("house")

# httpcore looks for these missing modules with every request, which is slow through pytest's import hooks.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]

WAITING = ("bot/test_two_processes.py", "bot/adapters/on_telegram/test_crashes.py", "bot/test_process.py")
"""Tests that mostly wait for other processes, the longest first."""
HERE = Path(__file__).parent
__all__ = ["game"]
MARKED = {
    "processes": (
        *WAITING,
        "bot/adapters/test_crashes_on_web_page.py",
        "bot/house/test_workers.py",
        "bot/test_doctor.py",
        "bot/test_embedded.py",
        "bot/test_installed_game.py",
        "bot/test_store_elsewhere.py",
        "test_examples.py",
        "test_packaging.py",
    ),
    "slow": (
        "bot/adapters",
        "bot/house/test_reviewing.py",
        "bot/house/test_thinking.py",
        "bot/stages",
        "bot/talk/test_conversations.py",
        "bot/talk/test_manners.py",
        "bot/talk/test_replays.py",
        "bot/talk/test_stamps.py",
        "bot/talk/test_time.py",
        "bot/talk/test_upgrading.py",
        "bot/test_gc_tuning.py",
        "bot/test_http_server.py",
        "renderers/test_paint.py",
        "rules/test_kaleidoskop_judging.py",
        "test_fuzz.py",
    ),
}
"""Markers of whole modules and folders."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return three more workers than cores, because of five running tests two or three are waiting."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 3


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make check` leaves out. Start long waiting tests first, so that they do not remain at the
    end; mix the other modules, so that waiting and computing tests run side by side."""
    first = {HERE / name: number for number, name in enumerate(WAITING)}
    items.sort(key=lambda item: (first.get(item.path, len(WAITING)), crc32(str(item.path.name).encode())))
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        for marker, names in MARKED.items():
            if any(item.path.is_relative_to(HERE / name) for name in names):
                item.add_marker(marker)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the collected tests for the garbage collector, so that its few collections stay cheap."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regold", action="store_true", help="write the golden texts anew; then read the diff")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with the golden file that holds it; with ``--regold`` the file takes the text over."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--regold"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{path.name} tells something else; see pytest --regold"

    return compare
