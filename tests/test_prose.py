"""Docstrings, comments, log messages, test names and docs are plain English, as far as `tests.prose` can tell."""

import pytest

from tests import prose

TEXTS = list(prose.texts())
BY_PART = prose.by_part(TEXTS)


@pytest.mark.parametrize("part", prose.PARTS)
@pytest.mark.parametrize("habit", prose.HABITS, ids=[habit.name for habit in prose.HABITS])
def test_hard_habits_are_rare(habit: prose.Habit, part: str) -> None:
    assert prose.rate(habit, BY_PART[part]) <= habit.limit, f"write instead: {habit.instead}"


def test_test_names_are_short_sentences() -> None:
    assert prose.long_names(TEXTS) == []
