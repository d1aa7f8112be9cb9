"""When memory is tidied: not in the middle of things."""

import ctypes
import gc
import sys
from collections.abc import Iterator

import pytest

from bot.runtime import gc_tuning
from bot.runtime.gc_tuning import QUIET_LOOKS, Tidying


@pytest.fixture(autouse=True)
def interpreter() -> Iterator[None]:
    """Restore the settings of the garbage collector after the test."""
    threshold, switch = gc.get_threshold(), sys.getswitchinterval()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)
    sys.setswitchinterval(switch)


class Knot:
    """What only a full collection frees once it is old."""

    def __init__(self) -> None:
        self.itself = self


def old_knots() -> None:
    knots = [Knot() for _ in range(10)]
    gc.collect()
    del knots


def knots() -> int:
    return sum(isinstance(object_, Knot) for object_ in gc.get_objects())


@pytest.fixture
def full() -> Iterator[list[float]]:
    """Yield a list that grows with every full collection."""
    seen: list[float] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 2:
            seen.append(1)

    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)


def test_no_full_collection_comes_by_itself(full: list[float]) -> None:
    gc_tuning.begin()
    full.clear()
    kept = [[number] for number in range(2_000_000)]
    assert full == []
    assert len(kept) == 2_000_000
    assert gc.isenabled()


def test_automatic_collections_look_at_few_objects() -> None:
    seen: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(sum(len(gc.get_objects(age)) for age in range(info["generation"] + 1)))

    gc_tuning.begin()
    gc.callbacks.append(note)
    kept = [[number] for number in range(100_000)]
    gc.callbacks.remove(note)
    assert len(kept) == 100_000
    assert len(seen) > 10
    assert max(seen) < 10_000


def test_garbage_is_collected_in_quiet_moments() -> None:
    gc_tuning.begin()
    happened = 0
    tidying = Tidying(lambda: happened)
    old_knots()
    for now in range(20):
        happened += 1
        tidying.look(now)
        assert knots() == 10, "somebody waits"
    for now in range(20, 20 + QUIET_LOOKS):
        tidying.look(now)
    assert knots() == 0


def test_freed_memory_is_returned_then(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(gc_tuning, "give_back", lambda: given.append(len(given)))
    tidying = Tidying(lambda: 1)
    for now in range(1 + QUIET_LOOKS):
        tidying.look(now)
    assert given == [0]


def test_giving_back_takes_no_other_library_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    gc_tuning.give_back()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    gc_tuning.give_back()
    gc_tuning.spare_memory()


def test_once_tidy_it_is_not_tidied_again_before_something_happens(full: list[float]) -> None:
    happened = 0
    tidying = Tidying(lambda: happened)
    for now in range(100):
        happened += now in (3, 50)
        tidying.look(now)
    assert len(full) == 2


def test_a_busy_process_collects_now_and_then_and_freezes_old_objects(full: list[float]) -> None:
    happened = 0
    tidying = Tidying(lambda: happened, longest_s=10)
    frozen = gc.get_freeze_count()
    for now in range(35):
        happened += 1
        tidying.look(now)
    assert len(full) == 3
    assert gc.get_freeze_count() > frozen


def test_threads_give_way_within_a_millisecond() -> None:
    gc_tuning.begin()
    assert sys.getswitchinterval() <= 0.001
