"""Shared fixtures: every game, and golden texts that ``--regold`` writes anew."""

import gc
import os
import sys
from collections.abc import Callable, Generator
from functools import cache
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
        "../kaleidobot/testing/test_contrast.py",
        "../kaleidobot/testing/test_family.py",
        "../kaleidobot/testing/test_figures.py",
        "../kaleidobot/testing/test_spots.py",
        "bot/adapters",
        "bot/house/test_reviewing.py",
        "bot/house/test_thinking.py",
        "bot/stages",
        "bot/talk/test_backup.py",
        "bot/talk/test_called.py",
        "bot/talk/test_conversations.py",
        "bot/talk/test_forgetting.py",
        "bot/talk/test_house_turns.py",
        "bot/talk/test_lessons.py",
        "bot/talk/test_manners.py",
        "bot/talk/test_recording_a_store.py",
        "bot/talk/test_records.py",
        "bot/talk/test_replays.py",
        "bot/talk/test_secrets.py",
        "bot/talk/test_stamps.py",
        "bot/talk/test_time.py",
        "bot/talk/test_upgrading.py",
        "bot/test_gc_tuning.py",
        "bot/test_http_server.py",
        "bot/test_menus.py",
        "bot/test_metrics.py",
        "bot/test_wording.py",
        "renderers/test_animation.py",
        "renderers/test_kaleidoskop.py",
        "renderers/test_kalejdoschach.py",
        "renderers/test_paint.py",
        "renderers/test_plaque.py",
        "rules/test_colorio_page.py",
        "rules/test_crystalla_judging.py",
        "rules/test_crystalla_scoring.py",
        "rules/test_kaleidoskop_judging.py",
        "rules/test_kaleidoskop_page.py",
        "rules/test_kaleidoskop_tasks.py",
        "rules/test_proof.py",
        "test_fuzz.py",
    ),
}
"""Markers of whole modules and folders.

Slow: more than three seconds in all on a busy machine. The tests of the contract, the service, the outbox and the store
stay fast, because every change needs them.
"""
MARKED_PATHS = {mark: frozenset((HERE / name).resolve() for name in names) for mark, names in MARKED.items()}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return three more workers than cores, because of five running tests two or three are waiting. The fast tests wait
    less, and each worker spends seconds on collecting them."""
    cores = len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
    return cores + (1 if config.option.fast else 3)


@cache
def markers(path: Path) -> tuple[str, ...]:
    """Return the markers of a module or folder."""
    around = {path, *path.parents}
    return tuple(mark for mark, paths in MARKED_PATHS.items() if not around.isdisjoint(paths))


def pytest_configure(config: pytest.Config) -> None:
    if config.option.fast:
        config.option.markexpr = " and ".join(f"not {mark}" for mark in ("browser", *MARKED))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even collect the modules that `make check` leaves out."""
    return True if config.option.fast and markers(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make check` leaves out. Start long waiting tests first, so that they do not remain at the
    end; mix the other modules, so that waiting and computing tests run side by side."""
    first = {HERE / name: number for number, name in enumerate(WAITING)}
    items.sort(key=lambda item: (first.get(item.path, len(WAITING)), crc32(str(item.path.name).encode())))
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        for mark in markers(item.path):
            item.add_marker(mark)


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
    parser.addoption("--fast", action="store_true", help="run the tests of make check")
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
