"""Chance depends only on (seed, counter)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.chance import Chance


@given(st.integers(0, 2**128 - 1), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_item_and_is_the_same_again(seed: int, items: list[int]) -> None:
    once = Chance(seed).shuffled(items)
    assert sorted(once) == sorted(items)
    assert Chance(seed).shuffled(items) == once


def test_the_stream_never_changes_because_stored_games_are_replayed() -> None:
    assert Chance(7).below(6) == 5
    assert Chance(7, label="die").below(1000) == 360
    assert Chance(7).shuffled(range(8)) == (3, 6, 0, 2, 1, 4, 7, 5)


@given(st.integers(0, 2**128 - 1), st.integers(1, 2**64))
def test_numbers_stay_below_their_bound(seed: int, bound: int) -> None:
    assert 0 <= Chance(seed).below(bound) < bound


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_that_no_number_can_be_below_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Chance(1).below(bound)
